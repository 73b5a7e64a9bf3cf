"""The figures of the explorers."""

from functools import partial

import polars as pl

from hierq import make_world
from hierq.figures import LEVELS_SCHEMA, levels_figure
from hierq.investigations import NamedFigure, Results, column, where

from .claims import STUDY, random_walk
from .plan import ESTIMATORS, EXPLORERS, FIRST, FLAT, NEARLY, NEARNESS, TOTAL
from .search import searched

BY_STEPS = {
    shown: {"explorer": name, "nearness": "steps", "estimator": "Tree-Backup(3)"} for name, shown in EXPLORERS.items()
}
BY_NEARNESS = {
    f"{EXPLORERS[name]}, {nearness}": {"explorer": name, "nearness": nearness, "estimator": "Tree-Backup(3)"}
    for name in ("epsilon", "seek")
    for nearness in NEARNESS
}
BY_ESTIMATOR = {
    f"{EXPLORERS[name]}, {estimator}": {"explorer": name, "nearness": "steps", "estimator": estimator}
    for name in ("epsilon", "pass")
    for estimator in ESTIMATORS
}
LABELS = {
    FIRST: ("mean steps of the first", "training episode (log scale)"),
    NEARLY: ("training steps until within 10 %", "of the shortest path (log scale)"),
    TOTAL: ("steps of twenty training", "episodes (log scale)"),
}


def draw(results: Results, measure: str, kinds: dict[str, dict[str, str]]):
    """Steps over the number of levels; a flat agent, which has nothing near, stands at the beginning of every line."""
    numbers = column(results.table(STUDY, fewest=1), measure)
    rows = []
    for name, kind in kinds.items():
        flat = {**kind, "nearness": FLAT, "explorer": "pass" if kind["explorer"] == "seek" else kind["explorer"]}
        for cell, number in [*where(numbers, **flat).items(), *where(numbers, **kind).items()]:
            walk = random_walk(cell.world).value if measure == FIRST else None
            rows.append((cell.world, name, cell.levels, *number.interval, walk))
    frame = pl.DataFrame(rows, LEVELS_SCHEMA, orient="row")
    if measure != FIRST:
        return levels_figure(frame, list(kinds), {}, LABELS[measure])
    search = {world: searched(make_world(world)).value for world in frame["world"].unique()}
    said = ("random walk, exact mean", "search that remembers everything")
    return levels_figure(frame, list(kinds), search, LABELS[measure], *said)


PANEL = "A panel per world: steps over the number of levels with intervals, a line for each kind of agent."
FIGURES = (
    NamedFigure(
        "first-episodes", "How soon the goal is found", PANEL, partial(draw, measure=FIRST, kinds=BY_STEPS), STUDY
    ),
    NamedFigure("nearness", "What counts as near", PANEL, partial(draw, measure=FIRST, kinds=BY_NEARNESS), STUDY),
    NamedFigure(
        "nearly-optimal", "How soon a good path is known", PANEL, partial(draw, measure=NEARLY, kinds=BY_STEPS), STUDY
    ),
    NamedFigure("estimators", "Counting and credit", PANEL, partial(draw, measure=NEARLY, kinds=BY_ESTIMATOR), STUDY),
    NamedFigure("totals", "Twenty episodes in all", PANEL, partial(draw, measure=TOTAL, kinds=BY_STEPS), STUDY),
)
