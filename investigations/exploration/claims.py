"""The comparisons behind the claims of rules.md."""

from pathlib import Path

import numpy as np

from hierq import make_world, random_walk_steps
from hierq.investigations import Contrast, Measured, Results, contrast, exactly, minus, read_claims

from .plan import FIRST, FLAT, FOUND, NEARLY, STUDY, TOTAL
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
    Path(__file__).with_name("rules.md").read_text(encoding="utf-8"),
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
