"""From runs to numbers: what is measured of every agent, each with its bootstrap draws."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import polars as pl

from hierq.investigations.cells import Numbers, drawn_means, numbers_by_cell, only_testable
from hierq.investigations.exploration.plan import MEMBERS
from hierq.investigations.measures import Measured, exactly, median_until
from hierq.investigations.results import Results
from hierq.worlds import PAPER_WORLDS, make_world, optimum, random_walk_steps

STUDY = "explorers"
# Logarithms of mean steps, so that differences are ratios:
FIRST = "first episode"  # steps of the first training episode
TOTAL = "twenty episodes"  # steps of the first twenty training episodes together
NEARLY = "until nearly optimal"  # training steps until half of the runs had an evaluation within 10 % of the optimum
FOUND = "share nearly optimal"  # of runs that came so far
WITHIN, FIRST_FEW = 1.1, 20


class Cell(NamedTuple):
    """An agent in a world."""

    world: str
    explorer: str
    nearness: str
    estimator: str
    levels: int


@lru_cache(maxsize=4)
def numbers(results: Results, study: str = STUDY) -> dict[Cell, Numbers]:
    """All agents, with all that is measured of them.

    Raises:
        InputError: There are no runs.
    """
    return numbers_by_cell(
        results.needed(study),
        PAPER_WORLDS,
        MEMBERS,
        lambda world, each: Cell(world, each.explorer, each.nearness, each.estimator, each.config.levels),
        _numbers,
    )


measured = only_testable(numbers)


def _numbers(rows: pl.DataFrame, world: str) -> Numbers:
    """What is measured of one agent in one world."""
    training, evaluation = (np.array(rows[name].to_list(), float) for name in ("training", "evaluation"))
    is_near = evaluation <= WITHIN * optimum(make_world(world))
    found = is_near.any(axis=1)
    needed = np.where(found, is_near.argmax(axis=1), training.shape[1] - 1)
    until = training.cumsum(axis=1)[np.arange(len(rows)), needed]
    columns = {FIRST: training[:, 0], TOTAL: training[:, :FIRST_FEW].sum(axis=1), FOUND: found.astype(float)}
    sums = evaluation.sum(), training.sum()
    means = drawn_means(columns, *sums) | {NEARLY: median_until(until, found, *sums)}
    return {name: number if name == FOUND else number.logarithm() for name, number in means.items()}


def random_walk(world: str) -> Measured:
    """The logarithm of the expected steps of a random walk, which is exact."""
    map_ = make_world(world)
    return exactly(float(np.log(random_walk_steps(map_)[map_.start])))
