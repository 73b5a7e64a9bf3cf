"""Doing runs: one as its protocol says, or all runs of a batch, one after the other."""

import threading
import time
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import polars as pl

from hierq.agents.agent import Agent
from hierq.agents.needed_memory import agent_bytes
from hierq.agents.outcomes import Episodes, FinishedEpisode, finished_episodes
from hierq.errors import InputError
from hierq.studies.batches import Batch
from hierq.studies.rows import Row, as_frame, columns_of
from hierq.studies.study import Case, Run, seed_of
from hierq.tables.aligned import reuse_memory
from hierq.tables.available_memory import memory_available

OnEpisode: TypeAlias = Callable[[Run, FinishedEpisode], object]
MAX_KEPT = 2**29  # bytes of an agent that is kept for the next run of its case; or a fiftieth of the memory
SECONDS_BETWEEN_LOOKS = 0.2  # how long a run may go on without checking whether it should stop


@cache
def memory_of(case: Case) -> int:
    """Bytes that the agents of a run of this case need at most."""
    return sum(agent_bytes(case.world, config) for config in case.agents)


def make_agents(run: Run) -> tuple[Agent, ...]:
    """New agents for a run, each with random numbers of its own."""
    world = run.case.world
    return tuple(Agent(world, config, seed_of(world, config, run.seed)) for config in run.case.agents)


def do_run(run: Run, stop: threading.Event | None = None, on_episode: OnEpisode | None = None) -> Row | None:
    """Does one run, as its protocol says: a row as in `SCHEMA`; None if `stop` was set before it had finished.

    `on_episode` is called after each iteration, for its training and for its evaluation episode.
    """
    case, begun = run.case, time.perf_counter()
    lived: list[tuple[Episodes, Episodes]] = []
    chunk, done, iterations = 1, 0, case.protocol.iterations
    agents = _fresh_agents(run)
    while done < iterations:
        if stop is not None and stop.is_set():
            return None
        looked = time.perf_counter()
        trained, evaluated = map(Episodes.of, case.protocol.iterate(agents, min(chunk, iterations - done)))
        if on_episode is not None:
            for kind, steps in (("training", trained), ("evaluation", evaluated)):
                for episode in finished_episodes(steps, kind, done):
                    on_episode(run, episode)
        elif time.perf_counter() - looked < SECONDS_BETWEEN_LOOKS / 4:
            chunk *= 2
        lived.append((trained, evaluated))
        done += len(trained)
    training, evaluation = map(Episodes.joined, zip(*lived, strict=True))
    return {
        **columns_of(case),
        "seed": run.seed,
        "training": training.tolist(),
        "evaluation": evaluation.tolist(),
        "training_outcomes": _outcomes(training),
        "evaluation_outcomes": _outcomes(evaluation),
        "seconds": time.perf_counter() - begun,
        **case.protocol.measure(agents),
    }


def _outcomes(steps: Episodes) -> list[str] | None:
    """How episodes ended; None if the protocol does not say."""
    return steps.outcomes.tolist() if steps.are_known else None


_kept = threading.local()  # the agents of a thread's last run, if they may be needed again


def _fresh_agents(run: Run) -> tuple[Agent, ...]:
    """The agents of a run: those of the thread's last run if they are the same, because making new ones takes longer.

    Only small agents are kept: their memory is not available to others.
    """
    case = run.case
    agents: tuple[Agent, ...] = getattr(_kept, "agents", ())
    if agents and agents[0].world is case.world and tuple(agent.config for agent in agents) == case.agents:
        for agent in agents:
            agent.restart(seed_of(case.world, agent.config, run.seed))
        return agents
    agents = _kept.agents = ()  # before the next ones need room
    with reuse_memory():
        agents = make_agents(run)
    if memory_of(case) <= min(MAX_KEPT, memory_available() / 50):
        _kept.agents = agents
    return agents


def compute_batch(
    batch: Batch, stop: threading.Event | None = None, refused: dict[str, str] | None = None
) -> pl.DataFrame:
    """Does the runs of a batch, one after the other: a row per finished run, as in `SCHEMA`.

    When `stop` is set, the current run is abandoned. `refused` receives the ids of cases that do not fit into memory,
    with the reason; their runs are left out. If it is left out, the first such case raises the error.
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
