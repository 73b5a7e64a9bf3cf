"""What do levels gain in generated worlds, by how far credit travels along the trace?"""

from itertools import product
from typing import Any

import polars as pl

import hierq
from hierq.figures import dots_figure
from hierq.investigations import Measured, NamedFigure, Results, column, mean_over_worlds, where

from .claims import CLAIMS, GIVEN_UP, over_flat
from .plan import ESTIMATORS, NEARNESS, OVER, parts

SAID = {"L1": "near by L1 (the paper)", "learnt": "near as learnt", "steps": "near by steps (a map)"}


def gains(results: Results, study: str = "credit") -> dict[object, Measured]:
    """What more levels gain over one, agent by agent and world by world: above 0 they save steps."""
    return {cell: -number for cell, number in over_flat(study)(results).items()}


def draw_gains(results: Results):
    """Gain against how far credit travels: a panel for each kind of nearness, a dash for each world."""
    found, dots, single = gains(results), [], {}
    for nearness, estimator, k in product(NEARNESS, ESTIMATORS, (2, 3)):
        numbers = where(found, nearness=nearness, estimator=estimator, levels=k).values()
        place = (SAID[nearness], estimator, f"k = {k}")
        dots.append((*place, *mean_over_worlds(numbers).interval))
        single[place] = [number.value for number in numbers]
    return dots_figure(dots, "ln(steps) of one level minus k levels", 0.0, most=3, single=single)


def draw_settings(results: Results):
    """The gain of three levels with other settings, estimator by estimator."""
    rows = []
    for study in ("credit", "thresholds", "discounts", "epsilon"):
        if results.runs(study) is not None:
            for cell, numbers in over_worlds(where(gains(results, study), levels=3)).items():
                said = f"{cell.nearness}, γ = {cell.discount:g}"
                said += {"thresholds": ", thresholds", "epsilon": ", ε-greedy"}.get(study, "")
                rows.append((cell.estimator, said, "k = 3", *mean_over_worlds(numbers).interval))
    return dots_figure(rows, "ln(steps) of one level minus three levels", 0.0)


def over_worlds(numbers: dict[Any, Measured]) -> dict[Any, list[Measured]]:
    """The numbers of every agent in all worlds, by its cell without the world."""
    found: dict[Any, list[Measured]] = {}
    for cell, number in numbers.items():
        found.setdefault(cell._replace(world=""), []).append(number)
    return found


def gains_table(results: Results) -> dict[str, pl.DataFrame]:
    """For each agent: mean steps over the shortest path, gain, worlds with each sign, and the share given up."""
    rows = []
    for part in results.present():
        if results.runs(part.name) is None:
            continue
        table = results.table(part.name, fewest=1)
        over, lost = (over_worlds(column(table, measure)) for measure in (OVER, GIVEN_UP))
        found = over_worlds(gains(results, part.name)) if part.name != "map" else {}
        for cell, numbers in over.items():
            gained = found.get(cell)
            ends = mean_over_worlds(gained).interval if gained else (None, None, None)
            rows.append(
                {"study": part.name, **cell._asdict(), "ln(steps / shortest)": mean_over_worlds(numbers).value}
                | dict(zip(("gain", "low", "high"), ends, strict=True))
                | {"worlds that gain": sum(one.value > 0 for one in gained) if gained else None}
                | {"worlds that lose": sum(one.value < 0 for one in gained) if gained else None}
                | {"given up": mean_over_worlds(lost[cell]).value}
            )
    frame = pl.DataFrame(rows, infer_schema_length=None).drop("world").with_columns(pl.col(pl.Float64).round(4))
    shown = frame.filter(pl.col("study") == "credit").sort(pl.col("estimator").cast(pl.Enum(list(ESTIMATORS))))
    numbers = pl.col("ln(steps / shortest)", "gain", "low", "high", "given up").round(3)
    return {"gains": frame, "gains-at-a-glance": shown.drop("study", "discount").with_columns(numbers)}


investigation = hierq.Investigation(
    title="What levels gain in fifty generated worlds",
    question="How many steps do two and three levels save over one in mazes, caves and rooms that were drawn at "
    "random, and how does that depend on how far credit travels back along an episode?",
    studies=parts(),
    claims=CLAIMS,
    figures=(
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
    ),
    tables=gains_table,
)
