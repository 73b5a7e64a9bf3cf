"""Doing runs: one agent trained and evaluated, or all runs of a batch, one after the other."""

import threading
import time
from functools import cache

import polars as pl

from hierq.agents import Agent
from hierq.agents.aligned import recycled
from hierq.agents.memory import estimate_bytes, memory_available
from hierq.errors import InputError
from hierq.studies.batches import Batch, Row, as_frame, columns_of
from hierq.studies.study import Case, Run, seed_of

MOST_KEPT = 2**29  # bytes of an agent that waits for the next run of its case; or a fiftieth of the memory
SECONDS_BETWEEN_LOOKS = 0.2  # how long a run may go on without looking whether it should stop


@cache
def memory_of(case: Case) -> int:
    """Bytes an agent of this case needs at most."""
    return sum(estimate_bytes(case.world, case.config)) + 8 * case.config.step_limit * (case.config.levels + 3)


def do_run(run: Run, stop: threading.Event | None = None) -> Row | None:
    """Trains and evaluates one agent; None if it was told to stop before it had finished.

    Returns:
        A row of the results, as in `SCHEMA`.

    Raises:
        InputError: The agent would not fit into memory.
    """
    case, begun = run.case, time.perf_counter()
    training: list[int] = []
    evaluation: list[int] = []
    chunk, iterations = 1, case.protocol.iterations
    agent = _fresh_agent(run)
    while len(training) < iterations:
        if stop is not None and stop.is_set():
            return None
        looked = time.perf_counter()
        trained, evaluated = agent.alternate(min(chunk, iterations - len(training)))
        training += trained.tolist()
        evaluation += evaluated.tolist()
        if time.perf_counter() - looked < SECONDS_BETWEEN_LOOKS / 4:
            chunk *= 2
    return {
        **columns_of(case),
        "seed": run.seed,
        "training": training,
        "evaluation": evaluation,
        "seconds": time.perf_counter() - begun,
    }


class _Kept(threading.local):
    """The agent of a thread's last run, if it may be needed again."""

    agent: Agent | None = None


_kept = _Kept()


def _fresh_agent(run: Run) -> Agent:
    """The agent of a run: that of the last one if it is of the same case, because to make a new one takes longer.

    Only small agents are kept: the memory they take is missing elsewhere.
    """
    case, seed = run.case, seed_of(run.case.world, run.case.config, run.seed)
    agent = _kept.agent
    if agent is not None and agent.world is case.world and agent.config == case.config:
        agent.restart(seed)
        return agent
    agent = _kept.agent = None  # before the next one needs room
    with recycled():
        agent = Agent(case.world, case.config, seed)
    if memory_of(case) <= min(MOST_KEPT, memory_available() / 50):
        _kept.agent = agent
    return agent


def compute_batch(
    batch: Batch, stop: threading.Event | None = None, refused: dict[str, str] | None = None
) -> pl.DataFrame:
    """Does the runs of a batch, one after the other.

    Args:
        batch: the runs.
        stop: when it is set, the run at hand is given up and what is finished is returned.
        refused: takes up the ids of cases that would not fit into memory, with the reason; their runs are left out.

    Returns:
        One row per finished run, as in `SCHEMA`.
    """
    rows: list[Row] = []
    for run in batch.runs:
        try:
            row = do_run(run, stop)
        except (InputError, MemoryError) as problem:
            if refused is None:
                raise
            refused[run.case.id] = str(problem) or "there is not enough memory"
            continue
        if row is None:
            break
        rows.append(row)
    return as_frame(rows)
