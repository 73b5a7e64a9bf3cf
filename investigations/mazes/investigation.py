"""What do levels gain in generated worlds, by how far credit travels along the trace?"""

from functools import partial
from itertools import pairwise, product
from typing import Any

import polars as pl

import hierq
from hierq.figures import dots_figure
from hierq.investigations import (
    Contrast,
    Measured,
    Results,
    column,
    contrast,
    mean_over_worlds,
    minus,
    read_claims,
    where,
)

from .plan import ESTIMATORS, FLAT, NEARNESS, OVER, parts

MORE = {"levels": (2, 3)}
ONE = {"levels": 1, "nearness": FLAT}
THREE = {"levels": 3, "nearness": "steps"}
GIVEN_UP = "given_up"
between = partial(contrast, fewest=1)


def over_flat(study: str, **kind: object) -> Contrast:
    """Agents of a kind with more levels minus the flat agent with the same estimator, in every world."""
    return between(study, OVER, {**MORE, **kind}, ONE)


def falling_gains(results: Results) -> dict[object, Measured]:
    """What three levels, near by steps, gain with an estimator minus the gain with the one before it in ESTIMATORS."""
    found = minus(column(results.table("credit", fewest=1), OVER), ONE, THREE)
    pairs = [minus(found, {"estimator": after}, {"estimator": before}) for before, after in pairwise(ESTIMATORS)]
    return {cell: number for each in pairs for cell, number in each.items()}


def thresholds(results: Results) -> dict[object, Measured]:
    """What levels change, near by L1, with the two thresholds minus what they change without."""
    kind = {"nearness": "L1", "estimator": ("Q(.8)", "Q(1)")}
    with_both, without = (over_flat(study, **kind)(results) for study in ("thresholds", "credit"))
    return {cell: number - without[cell] for cell, number in with_both.items()}


CLAIMS = read_claims(
    __file__,
    {
        "levels-one-step": over_flat("credit", estimator="one step"),
        "levels-tree-backup": over_flat("credit", estimator="Tree-Backup(3)"),
        "levels-traces": over_flat("credit", estimator="Q(.8)"),
        "levels-long-traces": over_flat("credit", estimator="Q(1)"),
        "levels-backward": over_flat("credit", estimator="backward"),
        "less-to-gain": falling_gains,
        "thresholds-add-to-the-gain": thresholds,
        "walls-mislead": between("credit", OVER, {**MORE, "nearness": "L1"}, {"nearness": "steps"}),
        "walls-make-agents-give-up": between("credit", GIVEN_UP, {**MORE, "nearness": "L1"}, {"nearness": "steps"}),
        "learnt-is-as-good-as-a-map": between("credit", OVER, {**MORE, "nearness": "learnt"}, {"nearness": "steps"}),
        "levels-beat-a-map": between("credit", OVER, THREE, ONE, against=("map", OVER)),
        "levels-for-other-discounts": over_flat("discounts", nearness="steps"),
        "levels-with-epsilon": over_flat("epsilon"),
    },
)


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
                said += {"thresholds": ", thresholds", "epsilon": ", ε-greedy, 24 worlds"}.get(study, "")
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
    question="How many steps do two and three levels save over one in mazes, caves and rooms drawn at random?",
    studies=parts(),
    claims=CLAIMS,
    figures={"gains": draw_gains, "settings": draw_settings},
    tables=gains_table,
)
