"""The paper's agents, trained and evaluated, beside the published table of first-episode steps.

A run depends on its world, its configuration and its seed, and on nothing else: neither on the other runs,
nor on their number, order or threads.
"""

import math
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache

import numpy as np

from hierq import studies
from hierq.errors import InputError
from hierq.paper.published import PUBLISHED_SEEDS, PublishedCell
from hierq.studies import Case, Protocol
from hierq.worlds import PAPER_WORLDS, World, make_world, optimum

ITERATIONS = 50


@dataclass(frozen=True)
class Run:
    """What one agent did.

    Attributes:
        cell: the cell of the table it belongs to.
        seed: its seed.
        training: steps of its training episodes.
        evaluation: steps of its evaluation episodes.
    """

    cell: PublishedCell
    seed: int
    training: tuple[int, ...]
    evaluation: tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """A published cell and ours beside it.

    Attributes:
        cell: what was published.
        seeds: number of our runs.
        mean: mean steps of their first training episodes.
        error: its standard error; NaN for a single run.
        z: difference of the means in units of what chance makes of it, if both draw from one distribution.
        last_evaluation: mean steps of the last evaluation episodes.
        optimum: steps of the shortest path.
    """

    cell: PublishedCell
    seeds: int
    mean: float
    error: float
    z: float
    last_evaluation: float
    optimum: int


@dataclass(frozen=True)
class Summary:
    """How well a table agrees.

    Attributes:
        cells: number of compared cells.
        root_mean_square: of the z; about 1 where two programs draw from the same distributions.
        share_beyond_two: of cells with |z| > 2; about 5 % then.
    """

    cells: int
    root_mean_square: float
    share_beyond_two: float


@cache
def _paper_world(name: str) -> World:
    """One World for all runs on it: it remembers its sub-goals."""
    return make_world(name)


def run_agent(
    cell: PublishedCell, seed: int, iterations: int = ITERATIONS, stop: threading.Event | None = None
) -> Run | None:
    """Trains and evaluates the agent of a cell; None if it was told to stop before it had finished."""
    from hierq.studies.batches import do_run

    case = Case(_paper_world(cell.world), cell.config(), Protocol(iterations))
    row = do_run(studies.Run(case, seed), stop)
    return None if row is None else Run(cell, seed, tuple(row["training"]), tuple(row["evaluation"]))


def run_agents(
    cells: Sequence[PublishedCell],
    seeds: int,
    iterations: int = ITERATIONS,
    workers: int | None = None,
    on_run: Callable[[Run], None] | None = None,
) -> tuple[list[Run], bool]:
    """Runs the agents of all cells for seeds 0, 1, …, in threads: compiled runs hold no lock.

    Seed by seed, so that whenever it is stopped all cells have about as many runs. A thread has one agent
    at a time.

    Args:
        cells: the cells of the table.
        seeds: runs of each.
        iterations: training episodes of each run, each followed by an evaluation episode.
        workers: number of threads; as many as there are cores if left out.
        on_run: called with each run that is finished, one at a time.

    Returns:
        The finished runs, and whether Ctrl-C ended it early.
    """
    for name, value in (
        ("seeds", seeds),
        ("iterations", iterations),
        ("workers", 1 if workers is None else workers),
    ):
        if value < 1:
            raise InputError(f"{name} must be at least 1, not {value}")
    from hierq.studies.batches import compile_kernels
    from hierq.studies.running import cores

    compile_kernels()
    threads = workers or cores()
    finished: list[Run] = []
    stop = threading.Event()
    tasks = iter([(cell, seed) for seed in range(seeds) for cell in cells])
    pool = ThreadPoolExecutor(threads, thread_name_prefix="hierq")
    try:
        pending: set[Future[Run | None]] = set()
        while True:
            for cell, seed in tasks:
                pending.add(pool.submit(run_agent, cell, seed, iterations, stop))
                if len(pending) >= 2 * threads:
                    break
            if not pending:
                return finished, False
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for run in (future.result() for future in done):
                if run is not None:
                    finished.append(run)
                    if on_run is not None:
                        on_run(run)
    except KeyboardInterrupt:
        return finished, True
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def compare(runs: Iterable[Run]) -> list[Comparison]:
    """Our means beside the published ones, cell by cell, world by world.

        z = (ours − published) / (s · √(1/n + 1/200)),   s² = ((n − 1) s_ours² + 199 s_published²) / (n + 198)

    Pooled, because a few first episodes, whose lengths are skewed, say little about their own spread.
    """
    by_cell: dict[PublishedCell, list[Run]] = {}
    for run in runs:
        by_cell.setdefault(run.cell, []).append(run)
    shortest = {name: optimum(make_world(name)) for name in {cell.world for cell in by_cell}}
    return [_compared(cell, by_cell[cell], shortest[cell.world]) for cell in sorted(by_cell, key=_table_order)]


def _table_order(cell: PublishedCell) -> tuple[int, str, float, int]:
    return PAPER_WORLDS.index(cell.world), cell.backup, cell.parameter, cell.levels


def _compared(cell: PublishedCell, runs: Sequence[Run], shortest: int) -> Comparison:
    first = np.array([run.training[0] for run in runs], float)
    mean, count = float(first.mean()), len(first)
    squares = float(((first - mean) ** 2).sum())
    published = (PUBLISHED_SEEDS - 1) * PUBLISHED_SEEDS * cell.error**2
    spread = math.sqrt((squares + published) / (count + PUBLISHED_SEEDS - 2))
    return Comparison(
        cell=cell,
        seeds=count,
        mean=mean,
        error=math.sqrt(squares / (count - 1) / count) if count > 1 else math.nan,
        z=(mean - cell.mean) / (spread * math.sqrt(1 / count + 1 / PUBLISHED_SEEDS)),
        last_evaluation=float(np.mean([run.evaluation[-1] for run in runs])),
        optimum=shortest,
    )


def summarise(comparisons: Iterable[Comparison]) -> Summary:
    """How well the cells agree as a whole."""
    z = np.array([one.z for one in comparisons])
    if not len(z):
        raise InputError("there is nothing to summarise; no run was finished")
    return Summary(len(z), float(np.sqrt(np.mean(z**2))), float(np.mean(np.abs(z) > 2)))
