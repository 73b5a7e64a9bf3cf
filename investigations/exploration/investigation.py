"""How soon is a goal found for the first time, and what do levels add to that?"""

from math import exp

import hierq
from hierq import make_world
from hierq.figures import levels_figure
from hierq.investigations import NamedFigure, Results, column, where

from .claims import CLAIMS, random_walk
from .plan import EXPLORERS, FIRST, FLAT, NEARLY, NEARNESS, STUDY, TOTAL, parts
from .search import searched

BY_STEPS = {
    shown: {"explorer": name, "nearness": "steps", "estimator": "Tree-Backup(3)"} for name, shown in EXPLORERS.items()
}
BY_NEARNESS = {
    f"{EXPLORERS[name]}, {nearness}": {"explorer": name, "nearness": nearness, "estimator": "Tree-Backup(3)"}
    for name in ("epsilon", "seek")
    for nearness in NEARNESS
}
LABELS = {
    FIRST: ("mean steps of the first", "training episode (log scale)"),
    NEARLY: ("training steps until within 10 %", "of the shortest path (log scale)"),
    TOTAL: ("steps of twenty training", "episodes (log scale)"),
}


def figure(name: str, title: str, measure: str, kinds: dict[str, dict[str, str]]) -> NamedFigure:
    """Steps over the number of levels; a flat agent, which has nothing near, stands at the beginning of every line."""

    def draw(results: Results):
        numbers = column(results.table(STUDY, fewest=1), measure)
        rows = []
        for said, kind in kinds.items():
            flat = {**kind, "nearness": FLAT, "explorer": "pass" if kind["explorer"] == "seek" else kind["explorer"]}
            both = [*where(numbers, **flat).items(), *where(numbers, **kind).items()]
            rows += [(cell.world, said, cell.levels, *number.interval) for cell, number in both]
        if measure != FIRST:
            return levels_figure(rows, list(kinds), LABELS[measure])
        worlds = {row[0] for row in rows}
        search = {world: exp(searched(make_world(world)).value) for world in worlds}
        walk = {world: exp(random_walk(world).value) for world in worlds}
        called = ("search that remembers everything", "random walk, exact mean")
        return levels_figure(rows, list(kinds), LABELS[measure], search, walk, called=called)

    panels = "A panel per world: steps over the number of levels with intervals, a line for each kind of agent."
    return NamedFigure(name, title, panels, draw, STUDY)


investigation = hierq.Investigation(
    title="How soon a goal is found",
    question="How soon is a goal found for the first time, and what do levels add to that? Five explorers, with what "
    "is near by coordinates, by steps and as learnt.",
    studies=parts(),
    claims=CLAIMS,
    figures=(
        figure("first-episodes", "How soon the goal is found", FIRST, BY_STEPS),
        figure("nearness", "What counts as near", FIRST, BY_NEARNESS),
        figure("nearly-optimal", "How soon a good path is known", NEARLY, BY_STEPS),
        figure("totals", "Twenty episodes in all", TOTAL, BY_STEPS),
    ),
)
