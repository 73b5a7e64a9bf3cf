"""From runs to numbers: what is measured of every row in every world, each with its bootstrap draws; and ranks."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import polars as pl

from hierq.agents.rivals.memory import memory_bytes
from hierq.agents.rivals.rival import Rival
from hierq.agents.sizes import estimate_bytes
from hierq.investigations.cells import Numbers, drawn_means, numbers_by_cell, only_testable
from hierq.investigations.measures import Floats, Measured, mean_of
from hierq.investigations.results import Results
from hierq.investigations.rivals.plan import ROW_OF, parts, rows_of
from hierq.studies.reaching import MARKS
from hierq.worlds import PAPER_WORLDS, World, optimum
from hierq.worlds.layout import IN_HOLE

KNOWN = "share of ways known"  # "informed" of the protocol: mean over the times of measuring
KNOWN_AT = {steps: f"share of ways known after {steps:,} steps" for steps in MARKS}
FIRST_KNOWN, LAST_KNOWN = "share of ways known after one episode", "share of ways known after all episodes"
ARRIVED = "share of walks that arrive"
STRETCH = "steps over the shortest way"  # of the ways known after all episodes; not where most runs know none
LOSS = "ln(evaluation steps / optimum)"  # mean over evaluation episodes; not where some of them end in a hole
LOSS_AT = {steps: f"ln(evaluation steps / optimum) after {steps:,} steps" for steps in MARKS}
REACHED = "share of evaluations that reach the goal"
TRAINING = "ln(training steps)"  # of all episodes together
TIME = "microseconds of learning per step"
UPDATES = "rows written per step"
RANKED = (KNOWN, FIRST_KNOWN, LOSS, TIME, UPDATES)
ENDS = ("", ", low", ", high")  # of the columns of a number and of its interval


class Cell(NamedTuple):
    """A row in a world."""

    world: str
    row: str
    levels: int


class Rank(NamedTuple):
    """The place of a row among all, and the ends of the 95 % interval of it."""

    place: float
    low: float
    high: float


WORLDS: dict[str, World] = {world.name: world for part in parts() for world in part.study.worlds}


@lru_cache(maxsize=8)
def numbers(results: Results, study: str) -> dict[Cell, Numbers]:
    """All rows of a study, with all that is measured of them.

    Raises:
        InputError: There are no runs.
    """
    return numbers_by_cell(
        results.needed(study),
        list(WORLDS),
        rows_of(study),
        lambda world, row: Cell(world, row.name, row.config.levels),
        lambda runs, world: _numbers(runs, WORLDS[world]),
    )


measured = only_testable(numbers)


def _numbers(runs: pl.DataFrame, world: World) -> Numbers:
    """What is measured of one row in one world."""
    training, evaluation = _array(runs, "training"), _array(runs, "evaluation")
    reached = np.array([[how == "goal" for how in each] for each in runs["evaluation_outcomes"]], float)
    columns = {REACHED: reached.mean(axis=1), TRAINING: np.log(training.sum(axis=1))}
    if not (world.ending == IN_HOLE).any():
        loss = np.log(evaluation / optimum(world))
        columns[LOSS] = loss.mean(axis=1)
        spent, last = training.cumsum(axis=1), training.shape[1] - 1
        for mark, name in LOSS_AT.items():  # of the first evaluation after that many steps, or of the last
            columns[name] = loss[np.arange(len(runs)), np.minimum((spent < mark).sum(axis=1), last)]
    if "known_at" in runs.columns:
        columns |= dict(zip(KNOWN_AT.values(), _array(runs, "known_at").T, strict=True))
    if "informed" in runs.columns:
        informed, stretch = _array(runs, "informed"), _array(runs, "stretch")[:, -1]
        steps = _array(runs, "steps")[:, -1]
        columns |= {
            KNOWN: informed.mean(axis=1),
            FIRST_KNOWN: informed[:, 0],
            LAST_KNOWN: informed[:, -1],
            ARRIVED: _array(runs, "arrived").mean(axis=1),
            TIME: 1e6 * _array(runs, "learning")[:, -1] / steps,
            UPDATES: _array(runs, "updates")[:, -1] / steps,
        }
        if np.isfinite(stretch).mean() > 0.5:  # runs that know no way say nothing about how long ways are
            columns[STRETCH] = np.where(np.isfinite(stretch), stretch, np.nanmean(stretch))
    # Rows that learnt from the same episodes have the same draws of seeds, so that their differences are paired.
    return drawn_means(columns, training.sum())


def _array(runs: pl.DataFrame, name: str) -> Floats:
    return np.array(runs[name].to_list(), float)


def over_worlds(
    found: Mapping[Cell, Numbers], measure: str, worlds: Sequence[str] = PAPER_WORLDS
) -> dict[str, Measured]:
    """Means over some worlds, by row; of rows that have the measure in all of them where they are."""
    chosen: dict[str, list[Numbers]] = {}
    for cell, numbers in found.items():
        if cell.world in worlds:
            chosen.setdefault(cell.row, []).append(numbers)
    return {
        row: mean_of(numbers[measure] for numbers in each)
        for row, each in chosen.items()
        if all(measure in numbers for numbers in each)
    }


def ranks(means: Mapping[str, Measured], lowest_first: bool) -> dict[str, Rank]:
    """The places of rows by a measure, 1 for the best; rows that are equal share the best of their places."""
    from scipy.stats import rankdata

    sign = 1 if lowest_first else -1
    places = rankdata([sign * round(each.value, 9) for each in means.values()], method="min")
    drawn = rankdata(np.round([sign * each.drawn for each in means.values()], 9), method="min", axis=0)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=1)
    return {
        row: Rank(float(place), min(float(place), float(lowest)), max(float(place), float(highest)))
        for row, place, lowest, highest in zip(means, places, low, high, strict=True)
    }


@lru_cache(maxsize=512)
def bytes_of(row: str, world: str) -> int:
    """Bytes of the tables of a row in a world, and of what it remembers beside them."""
    config, place = ROW_OF[row].config, WORLDS[world]
    tables = sum(estimate_bytes(place, config))
    if not isinstance(config.backup, Rival):
        return tables
    return tables + memory_bytes(config.backup.gate, place.states, place.states * place.actions, place.states)


def megabytes(row: str, worlds: Sequence[str]) -> float:
    """The same as a mean over some worlds, in megabytes."""
    return float(np.mean([bytes_of(row, world) for world in worlds])) / 1e6


def worlds_of_the_paper(found: Iterable[Cell]) -> list[str]:
    """Those in which something was found."""
    there = {cell.world for cell in found}
    return [world for world in PAPER_WORLDS if world in there]


def glance(found: Mapping[Cell, Numbers]) -> pl.DataFrame:
    """A row for each: what it knows, with its rank, and what that costs; means over the paper's worlds."""
    worlds = worlds_of_the_paper(found)
    means = {
        name: over_worlds(found, name, worlds)
        for name in (KNOWN, FIRST_KNOWN, LAST_KNOWN, *KNOWN_AT.values(), ARRIVED, STRETCH, LOSS, TIME, UPDATES)
    }
    places = {name: ranks(means[name], name in (LOSS, TIME, UPDATES)) for name in RANKED}
    rows = []
    for row in sorted(means[KNOWN], key=lambda row: places[KNOWN][row].place):
        intervals = {name: each[row].interval if row in each else (None,) * 3 for name, each in means.items()}
        ranked = {f"rank by {name}": each[row] for name, each in places.items()}
        numbers = {
            f"{name}{end}": number
            for name, ends in (ranked | intervals).items()
            for end, number in zip(ENDS, ends, strict=True)
        }
        rows.append({"row": row, **numbers, "megabytes": megabytes(row, worlds)})
    return pl.DataFrame(rows)


def digest_of_traces(results: Results) -> str:
    """A digest of the recorded episodes of all worlds and seeds; all rows must have learnt from the same ones.

    Raises:
        ValueError: Two rows learnt from different episodes.
    """
    frame = results.needed("traces").sort("world", "seed")
    last = frame.select("world", "seed", pl.col("traces").list.last()).unique(maintain_order=True)
    if last.select("world", "seed").is_duplicated().any():
        raise ValueError("rows learnt from different episodes")
    return hashlib.sha256(last["traces"].to_numpy().astype("<f8").tobytes()).hexdigest()[:16]
