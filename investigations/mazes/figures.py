"""The figures of the mazes, and the table behind the first of them."""

from itertools import product

import polars as pl

from hierq.figures import DOTS_SCHEMA, dots_figure
from hierq.investigations import Measured, NamedFigure, Results, column, mean_over_worlds, where

from .claims import GIVEN_UP, over_flat
from .plan import ESTIMATORS, NEARNESS, OVER

SAID = {"L1": "near by L1 (the paper)", "learnt": "near as learnt", "steps": "near by steps (a map)"}


def gains(results: Results, study: str = "credit") -> dict[object, Measured]:
    """What more levels gain over one, agent by agent and world by world: above 0 they save steps."""
    return {cell: -number for cell, number in over_flat(study)(results).items()}


def draw_gains(results: Results):
    """Gain against how far credit travels: a panel for each kind of nearness, a dash for each world."""
    found, dots, single = gains(results), [], []
    for nearness, estimator, k in product(NEARNESS, ESTIMATORS, (2, 3)):
        numbers = where(found, nearness=nearness, estimator=estimator, levels=k).values()
        place = (SAID[nearness], estimator, f"k = {k}")
        dots += [(*place, *mean_over_worlds(numbers).interval)]
        single += [(*place, number.value, None, None) for number in numbers]
    behind, frame = (pl.DataFrame(rows, DOTS_SCHEMA, orient="row") for rows in (single, dots))
    return dots_figure(frame, "ln(steps) of one level minus k levels", most=3, single=behind)


def draw_settings(results: Results):
    """The gain of three levels with other settings, estimator by estimator."""
    rows = []
    for study in ("credit", "thresholds", "discounts", "epsilon"):
        if results.runs(study) is None:
            continue
        found = gains(results, study)
        for cell in dict.fromkeys(cell._replace(world="") for cell in found if cell.levels == 3):
            same = [number for other, number in found.items() if other._replace(world="") == cell]
            said = f"{cell.nearness}, γ = {cell.discount:g}"
            said += {"thresholds": ", thresholds", "epsilon": ", ε-greedy"}.get(study, "")
            rows.append((cell.estimator, said, "k = 3", *mean_over_worlds(same).interval))
    return dots_figure(pl.DataFrame(rows, DOTS_SCHEMA, orient="row"), "ln(steps) of one level minus three levels")


def gains_table(results: Results) -> dict[str, pl.DataFrame]:
    """For each agent: mean steps over the shortest path, gain, worlds with each sign, and the share given up."""
    rows = []
    for part in results.present():
        if results.runs(part.name) is None:
            continue
        table = results.table(part.name, fewest=1)
        over, lost = column(table, OVER), column(table, GIVEN_UP)
        found = gains(results, part.name) if part.name != "map" else {}
        for cell in dict.fromkeys(cell._replace(world="") for cell in table):
            same = [other for other in table if other._replace(world="") == cell]
            gained = [found[other] for other in same if other in found]
            ends = mean_over_worlds(gained).interval if gained else (None, None, None)
            rows.append(
                {"study": part.name, **cell._asdict()}
                | {"ln(steps / shortest)": mean_over_worlds(over[other] for other in same).value}
                | dict(zip(("gain", "low", "high"), ends, strict=True))
                | {"worlds that gain": sum(one.value > 0 for one in gained) if gained else None}
                | {"worlds that lose": sum(one.value < 0 for one in gained) if gained else None}
                | {"given up": mean_over_worlds(lost[other] for other in same).value}
            )
    frame = pl.DataFrame(rows, infer_schema_length=None).drop("world").with_columns(pl.col(pl.Float64).round(4))
    shown = frame.filter(pl.col("study") == "credit").sort(pl.col("estimator").cast(pl.Enum(list(ESTIMATORS))))
    numbers = pl.col("ln(steps / shortest)", "gain", "low", "high", "given up").round(3)
    return {"gains": frame, "gains-at-a-glance": shown.drop("study", "discount").with_columns(numbers)}


FIGURES = (
    NamedFigure(
        "gains",
        "Gain against how far credit travels",
        "Three panels; from top to bottom credit travels farther: dots with intervals for two and three levels.",
        draw_gains,
        "credit",
    ),
    NamedFigure(
        "settings",
        "Three levels with other settings",
        "A panel for each estimator, a row for each setting, with a dot and an interval.",
        draw_settings,
        "credit",
    ),
)
