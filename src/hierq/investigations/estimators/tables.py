"""From runs to numbers: what is measured of every agent of a study, each with its bootstrap draws."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import polars as pl

from hierq.investigations.cells import Numbers, drawn_means, numbers_by_cell, only_testable
from hierq.investigations.claims import runs_to_judge_by
from hierq.investigations.estimators.plan import GOALS, LEVELS, MEMBERS, NAMES, SLIPPERY, slippery_world
from hierq.investigations.measures import Floats, Measured
from hierq.investigations.results import Results
from hierq.studies.measuring import exact_values, other_goals
from hierq.worlds import PAPER_WORLDS, best_values, make_world, optimum, random_walk_steps, shortest_path_lengths


class Cell(NamedTuple):
    """An agent of the family in a world."""

    world: str
    operator: str  # its row in the map
    hops: str  # its column
    levels: int
    step_size: float = 1.0


LEARNING = "learning"  # mean ln(steps) over all evaluations
FIRST_EVALUATION = "first evaluation"  # ln(steps) of the evaluation after one episode
FIRST_EPISODE = "first episode"  # ln(steps) of the first training episode
EQUAL_WRITES = "equal writes"  # ln(steps) of the first evaluation after what k levels write is spent; k behind it
SPENT = "spent"  # share of runs that have spent that budget; k behind it
TRAINING = "training"  # ln of the steps of all training episodes together
OTHERS = "other goals"  # mean over goals of ln(steps / shortest path)
SPEED = "µs per step"
HORIZON = 3  # H, of all levels
ERROR, BIAS, LUCK = "value error", "value bias", "luck"  # of values; with the number of the level behind it


@lru_cache(maxsize=8)
def numbers(results: Results, study: str) -> dict[Cell, Numbers]:
    """All agents of a study but "paper", with what is measured of them; world by world, in the order of the plan.

    Raises:
        InputError: There are none.
    """
    frame = results.needed(study)
    worlds = dict.fromkeys([*PAPER_WORLDS, *frame["world"].unique().sort()])
    return numbers_by_cell(
        frame,
        list(worlds),
        NAMES[study],
        lambda world, each: Cell(world, each.operator, each.hops, each.config.levels, each.config.step_size),
        _numbers,
    )


measured = only_testable(numbers)


class PaperCell(NamedTuple):
    """An agent of the paper in a world."""

    world: str
    agent: str


def of_the_paper(results: Results) -> dict[PaperCell, Numbers]:
    """The paper's own agents, with all that is measured of them."""
    groups = runs_to_judge_by(results, "paper").group_by("world", "agent", maintain_order=True)
    return {
        PaperCell(str(world), str(agent)): _numbers(rows.sort("seed"), str(world)) for (world, agent), rows in groups
    }


def best_of_the_paper(results: Results) -> dict[str, tuple[str, Measured]]:
    """In every world the agent of the paper with the lowest mean ln(steps), and that number."""
    found = of_the_paper(results)
    best = {cell.world: cell for cell in sorted(found, key=lambda cell: -found[cell][LEARNING].value)}
    return {world: (cell.agent, found[cell][LEARNING]) for world, cell in best.items()}


@cache
def rows_written(world: str, levels: int) -> float:
    """Rows that a step of a random walk writes on average, if all levels learn from it as Algorithm 3 does.

    That is 1 + u Σ_i H^i, i > 0: blocked moves teach nothing above level 0. A random walk is equally often in every
    cell, so u is the share of moves that are not blocked, over all cells and moves.
    """
    successors = make_world(world).successors
    unblocked = float((successors != np.arange(len(successors))[:, None]).mean())
    return 1.0 + unblocked * float(sum(HORIZON**level for level in range(1, levels)))


@cache
def writes_allowed(world: str, levels: int) -> float:
    """A budget of rows: what this many levels write in a random walk to the goal."""
    map_ = make_world(world)
    return rows_written(world, levels) * float(random_walk_steps(map_)[map_.start])


def skilled_share(world: str, level: int) -> float:
    """The best values that a level can have without luck, as a share of those of the luckiest path."""
    config = MEMBERS["chance"][-1].config
    map_, span = slippery_world(SLIPPERY, float(world.rsplit("-", 1)[-1])), config.spans[level]
    _, luckiest, visited = exact_values(map_, config.discount, span)
    return float(best_values(map_, config.discount, span)[visited].mean() / luckiest.mean())


def _numbers(rows: pl.DataFrame, world: str) -> Numbers:
    """What is measured of one agent in one world: a mean over seeds each, all from the same draws of seeds."""
    training, evaluation = (np.array(rows[name].to_list(), float) for name in ("training", "evaluation"))
    steps = training.sum(axis=1) + evaluation.sum(axis=1)
    columns: dict[str, Floats] = {
        LEARNING: np.log(evaluation).mean(axis=1),
        FIRST_EVALUATION: np.log(evaluation[:, 0]),
        FIRST_EPISODE: np.log(training[:, 0]),
        TRAINING: np.log(training.sum(axis=1)),
        SPEED: 1e6 * rows["seconds"].to_numpy() / steps,
    }
    if world in PAPER_WORLDS:
        written = rows_written(world, int(rows["levels"][0])) * training.cumsum(axis=1)
        for k in LEVELS[1:]:
            spent = (written < writes_allowed(world, k)).sum(axis=1)
            columns[f"{SPENT} {k}"] = (spent < training.shape[1]).astype(float)
            last = np.minimum(spent, training.shape[1] - 1)
            columns[f"{EQUAL_WRITES} {k}"] = np.log(evaluation[np.arange(len(rows)), last])
    if "other_steps" in rows.columns:
        map_ = make_world(world)
        shortest = shortest_path_lengths(map_)[map_.start, list(other_goals(map_, GOALS))]
        columns[OTHERS] = np.log(np.array(rows["other_steps"].to_list()) / shortest).mean(axis=1)
    for name, column in ((ERROR, "value_error"), (BIAS, "value_bias"), (LUCK, "value_luck")):
        if column in rows.columns:
            by_level = np.array(rows[column].to_list())
            columns |= {f"{name} {level}": by_level[:, level] for level in range(by_level.shape[1])}
    return drawn_means(columns, evaluation.sum(), training.sum())


def above_optimum(found: dict[Cell, Numbers], worlds: Sequence[str]) -> dict[tuple[str, str, int], float]:
    """Mean over worlds of mean ln(steps / optimum), by operator, hops and levels, for agents that all worlds have."""
    optima = {world: np.log(optimum(make_world(world))) for world in worlds}
    values: dict[tuple[str, str, int], list[float]] = {}
    for cell, numbers in found.items():
        values.setdefault(cell[1:4], []).append(numbers[LEARNING].value - optima[cell.world])
    return {key: float(np.mean(each)) for key, each in values.items() if len(each) == len(worlds)}
