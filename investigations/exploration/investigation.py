"""How soon is a goal found for the first time, and what do levels add to that?"""

from functools import partial
from math import exp

import numpy as np

import hierq
from hierq import make_world, random_walk_steps
from hierq.figures import levels_figure
from hierq.investigations import Contrast, Measured, Results, contrast, exactly, minus, read_claims

from .plan import EXPLORERS, FIRST, FLAT, FOUND, NEARLY, NEARNESS, STUDY, TOTAL, parts
from .search import searched

ABOVE_ONE = (2, 3)


def random_walk(world: str) -> Measured:
    """The logarithm of the expected steps of a random walk, which is exact."""
    map_ = make_world(world)
    return exactly(float(np.log(random_walk_steps(map_)[map_.start])))


def over_a_walk(**kind: object) -> Contrast:
    """First episodes of some agents minus a random walk's expectation."""
    return contrast(STUDY, FIRST, kind, lambda cell: random_walk(cell.world))


def over_flat(measure: str, explorer: str, nearness: str) -> Contrast:
    """Hierarchies with an explorer minus the flat agent with the same; with "seek" that is "pass"."""
    flat = {"levels": 1, "nearness": FLAT, "explorer": "pass" if explorer == "seek" else explorer}
    return contrast(STUDY, measure, {"explorer": explorer, "levels": ABOVE_ONE, "nearness": nearness}, flat)


def learning_sooner(results: Results) -> dict[object, Measured]:
    """Until half of the runs were nearly optimal; only where half were, of the hierarchy and of the flat agent."""
    table = results.table(STUDY)
    known = {cell: numbers[NEARLY] for cell, numbers in table.items() if numbers[FOUND].value >= 0.5}
    kind = {"explorer": "seek", "nearness": "learnt", "levels": ABOVE_ONE}
    return minus(known, kind, {"explorer": "pass", "nearness": FLAT, "levels": 1})


WITH_COUNTS = {"explorer": ("pass", "seek"), "nearness": (FLAT, "steps"), "estimator": "Tree-Backup(3)"}
CLAIMS = read_claims(
    __file__,
    {
        "shorter-than-a-walk": over_a_walk(explorer=("pass", "seek", "optimism")),
        "near-the-search": contrast(STUDY, FIRST, WITH_COUNTS, lambda cell: searched(make_world(cell.world))),
        "levels-find-sooner-without-a-map": over_flat(FIRST, "seek", "learnt"),
        "levels-find-sooner-with-a-map": over_flat(FIRST, "seek", "steps"),
        "levels-learn-sooner": learning_sooner,
        "reach-can-be-learnt": over_a_walk(explorer="pass", nearness="learnt"),
        "repeating-helps": over_a_walk(explorer="epsilon-z", levels=1),
        "counting-beats-optimism": contrast(STUDY, FIRST, {"explorer": "pass"}, {"explorer": "optimism"}),
        "counts-save-training": contrast(STUDY, TOTAL, {"explorer": "pass"}, {"explorer": "epsilon"}),
    },
)


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


def draw(results: Results, measure: str, kinds: dict[str, dict[str, str]]):
    """Steps over the number of levels; a flat agent, which has nothing near, stands at the beginning of every line."""
    rows = []
    for said, kind in kinds.items():
        flat = {**kind, "nearness": FLAT, "explorer": "pass" if kind["explorer"] == "seek" else kind["explorer"]}
        for chosen in (flat, kind):
            rows += results.rows(STUDY, measure, lambda cell, said=said: (cell.world, said, cell.levels), **chosen)
    if measure != FIRST:
        return levels_figure(rows, list(kinds), LABELS[measure])
    worlds = {row[0] for row in rows}
    search = {world: exp(searched(make_world(world)).value) for world in worlds}
    walk = {world: exp(random_walk(world).value) for world in worlds}
    called = ("search that remembers everything", "random walk, exact mean")
    return levels_figure(rows, list(kinds), LABELS[measure], search, walk, called=called)


investigation = hierq.Investigation(
    title="How soon a goal is found",
    question="How soon is a goal found for the first time, and what do levels add to that?",
    studies=parts(),
    claims=CLAIMS,
    figures={
        "first-episodes": partial(draw, measure=FIRST, kinds=BY_STEPS),
        "nearness": partial(draw, measure=FIRST, kinds=BY_NEARNESS),
        "nearly-optimal": partial(draw, measure=NEARLY, kinds=BY_STEPS),
        "totals": partial(draw, measure=TOTAL, kinds=BY_STEPS),
    },
)
