"""What is claimed about explorers. Explorers and thresholds come from trial runs before the study: exploratory."""

import math
from functools import partial

import numpy as np

from hierq import make_world, random_walk_steps
from hierq.investigations import BELOW, Claim, Measured, Results, column, contrast, exactly, minus, where

from .plan import FIRST, FLAT, FOUND, NEARLY, TOTAL
from .search import searched

STUDY = "explorers"
ABOVE_ONE = (2, 3, 4)
TIMES_THE_SEARCH = 1.75
BEFORE = "seen in trial runs before this study"
explored = partial(Claim, exploratory=True, study=STUDY, expects=BELOW)


def random_walk(world: str) -> Measured:
    """The logarithm of the expected steps of a random walk, which is exact."""
    map_ = make_world(world)
    return exactly(float(np.log(random_walk_steps(map_)[map_.start])))


def over_a_walk(results: Results, **kind: object) -> dict[object, Measured]:
    """First episodes of some agents minus a random walk's expectation."""
    found = where(column(results.table(STUDY), FIRST), **kind)
    return {cell: number - random_walk(cell.world) for cell, number in found.items()}


def over_the_search(results: Results) -> dict[object, Measured]:
    """First episodes with counts, nearness by steps and Tree-Backup, minus a search that remembers everything."""
    kind = {"explorer": ("pass", "seek"), "nearness": (FLAT, "steps"), "estimator": "Tree-Backup(3)"}
    found = where(column(results.table(STUDY), FIRST), **kind)
    return {cell: number - searched(make_world(cell.world)).logarithm() for cell, number in found.items()}


def over_flat(measure: str, explorer: str, nearness: str):
    """Hierarchies with an explorer minus the flat agent with the same; with "seek" that is "pass"."""
    flat = {"levels": 1, "nearness": FLAT, "explorer": "pass" if explorer == "seek" else explorer}
    return contrast(STUDY, measure, {"explorer": explorer, "levels": ABOVE_ONE, "nearness": nearness}, flat)


def learning_sooner(results: Results) -> dict[object, Measured]:
    """Until half of the runs were nearly optimal; only where half were, of the hierarchy and of the flat agent."""
    table = results.table(STUDY)
    known = {cell: numbers[NEARLY] for cell, numbers in table.items() if numbers[FOUND].value >= 0.5}
    kind = {"explorer": "seek", "nearness": "learnt", "levels": ABOVE_ONE}
    return minus(known, kind, {"explorer": "pass", "nearness": FLAT, "levels": 1})


CLAIMS = (
    explored(
        name="shorter-than-a-walk",
        title="With counts, first episodes are shorter than a random walk’s.",
        source=BEFORE,
        contrast=lambda results: over_a_walk(results, explorer=("pass", "seek", "optimism")),
        by=("world", "explorer", "levels"),
    ),
    explored(
        name="near-the-search",
        title="With pass and seek and nearness by steps, first episodes take less than 1.75 times the steps of a "
        "search that remembers everything.",
        source=BEFORE,
        contrast=over_the_search,
        by=("world", "explorer", "levels"),
        limit=math.log(TIMES_THE_SEARCH),
    ),
    explored(
        name="levels-find-sooner-without-a-map",
        title="Without a map, levels that seek find the goal sooner than a flat agent that counts.",
        source="the paper’s idea of exploration",
        contrast=over_flat(FIRST, "seek", "learnt"),
        by=("estimator", "levels"),
    ),
    explored(
        name="levels-find-sooner-with-a-map",
        title="With nearness by steps, levels that seek find the goal sooner than a flat agent that counts.",
        source=BEFORE,
        contrast=over_flat(FIRST, "seek", "steps"),
        by=("estimator", "levels"),
    ),
    explored(
        name="levels-learn-sooner",
        title="Without a map, levels that seek are nearly optimal sooner than a flat agent that counts.",
        source=BEFORE,
        contrast=learning_sooner,
        by=("estimator", "levels"),
    ),
    explored(
        name="reach-can-be-learnt",
        title="With counts, levels that learn what is in reach find the goal sooner than a random walk.",
        source=BEFORE,
        contrast=lambda results: over_a_walk(results, explorer="pass", nearness="learnt"),
        by=("world", "levels"),
    ),
    explored(
        name="repeating-helps",
        title="Repeating random moves (εz-greedy) shortens a flat agent’s first episode.",
        source="Dabney, Ostrovski and Barreto 2021",
        contrast=lambda results: over_a_walk(results, explorer="epsilon-z", levels=1),
        by="world",
    ),
    explored(
        name="counting-beats-optimism",
        title="Counting visits finds the goal sooner than optimism about every move.",
        source=BEFORE,
        contrast=contrast(STUDY, FIRST, {"explorer": "pass"}, {"explorer": "optimism"}),
        by="levels",
    ),
    explored(
        name="counts-save-training",
        title="Counts save training steps over twenty episodes, compared with ε-greedy.",
        source=BEFORE,
        contrast=contrast(STUDY, TOTAL, {"explorer": "pass"}, {"explorer": "epsilon"}),
        by=("estimator", "levels"),
    ),
)
