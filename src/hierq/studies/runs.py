"""Doing runs: what they need, one as its protocol says, and all runs of a batch, one after the other."""

import contextlib
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TypeAlias, cast

import gymnasium
import polars as pl

from hierq.agents import AgentConfig
from hierq.agents.agent import Agent
from hierq.agents.kernel_config import kernel_kind_of
from hierq.agents.layout import Layout, layout_of
from hierq.agents.needed_memory import agent_bytes, check_fits
from hierq.agents.outcomes import Episodes, FinishedEpisode, finished_episode
from hierq.agents.precompile import compile_kernels, small_agent
from hierq.available_memory import memory_available
from hierq.compiling.kernel_cache import CompilingWarning
from hierq.compiling.own_kernels import announce_compiling
from hierq.environments.learner import Learner
from hierq.errors import InputError
from hierq.studies.environment import Environment, failure_of
from hierq.studies.rows import Row, as_frame, columns_of
from hierq.studies.study import Case, Run, seed_of
from hierq.worlds import World

OnEpisode: TypeAlias = Callable[[Run, FinishedEpisode], object]
MAX_KEPT = 2**29  # bytes of an agent that is kept for the next run of its case; or a fiftieth of the memory
STEPPED = ", stepped"  # how the kinds of kernels end that learn in an environment
NO_MEMORY = "there is not enough memory"
SECONDS_BETWEEN_LOOKS = 0.2  # how long a run may go on without checking whether it should stop


@cache
def memory_of(case: Case) -> int:
    """Bytes that the agents of a run of this case need at most; in an environment, what they begin with."""
    return sum(agent_bytes(_layout(case.world, config)) for config in case.agents)


def why_too_large(case: Case) -> str:
    """Why an agent of a case would not fit into memory, taken alone; nothing if all fit."""
    try:
        for config in case.agents:
            check_fits(_layout(case.world, config))
    except InputError as problem:
        return str(problem)
    return ""


def kernels_of(cases: Iterable[Case]) -> dict[str, AgentConfig]:
    """The kinds of kernels that the cases need, each with the configuration of a small agent that needs it."""
    found: dict[str, AgentConfig] = {}
    for case in cases:
        for config in case.agents if case.protocol.runs_agents else ():
            layout = _layout(case.world, config)
            stepped = STEPPED if isinstance(case.world, Environment) else ""
            found[f"{kernel_kind_of(layout)}{stepped}"] = small_agent(layout)
    return found


def load_kernels(cases: Iterable[Case]) -> None:
    """Compiles the kernels that the cases need, or loads them, before anything waits for them or is measured."""
    kinds = kernels_of(cases)
    announce_compiling(kinds, os.cpu_count() or 1)
    compile_kernels([config for kind, config in kinds.items() if not kind.endswith(STEPPED)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompilingWarning)
        for kind, config in kinds.items():
            if kind.endswith(STEPPED):
                Learner(gymnasium.make("hierq/World-v0"), config).alternate(1)


def _layout(world: World | Environment, config: AgentConfig) -> Layout:
    """The tables of an agent before the first step."""
    return world.layout(config) if isinstance(world, Environment) else layout_of(world, config)


def make_agents(run: Run) -> tuple[Agent, ...]:
    """New agents for a run, each with random numbers of its own."""
    world, configs = run.case.world, run.case.agents
    seeds = [seed_of(world, config, run.seed) for config in configs]
    if isinstance(world, Environment):  # a learner trains, evaluates and alternates just as an agent does
        return tuple(cast(Agent, world.learner(*each)) for each in zip(configs, seeds, strict=True))
    return tuple(Agent(world, *each) for each in zip(configs, seeds, strict=True))


def do_run(run: Run, stop: threading.Event | None = None, on_episode: OnEpisode | None = None) -> Row | None:
    """Does one run, as its protocol says: a row as in `SCHEMA`; None if `stop` was set before it had finished.

    `on_episode` is called after each iteration, for its training and for its evaluation episode.
    """
    case, begun = run.case, time.perf_counter()
    agents = _fresh_agents(run)
    with using(case, agents):
        episodes = _live(run, agents, stop, on_episode)
        if episodes is None:
            return None
        training, evaluation = episodes
        measured = case.protocol.measure(agents)
    return {
        **columns_of(case),
        "seed": run.seed,
        "training": training.tolist(),
        "evaluation": evaluation.tolist(),
        "training_outcomes": training.outcomes.tolist() if training.are_known else None,
        "evaluation_outcomes": evaluation.outcomes.tolist() if evaluation.are_known else None,
        "seconds": time.perf_counter() - begun,
        **measured,
    }


@contextlib.contextmanager
def using(case: Case, agents: tuple[Agent, ...]) -> Iterator[None]:
    """While agents live: what a user's environment raises is told in words, and it is closed in the end.

    Raises:
        InputError: the environment has failed.
    """
    if not isinstance(case.world, Environment):
        yield
        return
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as problem:
        raise InputError(failure_of(case.world.name, problem)) from problem
    finally:
        for learner in cast(tuple[Learner, ...], agents):
            learner.env.close()


def _live(
    run: Run, agents: tuple[Agent, ...], stop: threading.Event | None, on_episode: OnEpisode | None
) -> tuple[Episodes, Episodes] | None:
    """The training and the evaluation episodes of a run; None if `stop` was set before they were over."""
    lived: list[tuple[Episodes, Episodes]] = []
    chunk, done, protocol = 1, 0, run.case.protocol
    while done < protocol.iterations:
        if stop is not None and stop.is_set():
            return None
        looked = time.perf_counter()
        trained, evaluated = map(Episodes, protocol.iterate(agents, min(chunk, protocol.iterations - done)))
        if on_episode is not None:
            on_episode(run, finished_episode(done + 1, "training", trained))
            on_episode(run, finished_episode(done + 1, "evaluation", evaluated))
        elif time.perf_counter() - looked < SECONDS_BETWEEN_LOOKS / 4:
            chunk *= 2
        lived.append((trained, evaluated))
        done += len(trained)
    trained, evaluated = map(Episodes.joined, zip(*lived, strict=True))
    return trained, evaluated


kept = threading.local()  # the agents of a thread's last run, if they may be needed again


def _fresh_agents(run: Run) -> tuple[Agent, ...]:
    """The agents of a run: those of the thread's last run if they are the same, because making new ones takes longer.

    Only small agents are kept: their memory is not available to others.
    """
    case = run.case
    if isinstance(case.world, Environment):
        return make_agents(run)
    agents: tuple[Agent, ...] = getattr(kept, "agents", ())
    if agents and agents[0].world is case.world and tuple(agent.config for agent in agents) == case.agents:
        for agent in agents:
            agent.restart(seed_of(case.world, agent.config, run.seed))
        return agents
    kept.agents = ()  # before the next ones need room
    made = make_agents(run)
    if memory_of(case) <= min(MAX_KEPT, memory_available() / 50):
        kept.agents = made
    return made


def compute_batch(
    runs: Iterable[Run], stop: threading.Event | None = None, refused: dict[str, str] | None = None
) -> pl.DataFrame:
    """Does runs one after the other: a row per finished run, as in `SCHEMA`.

    When `stop` is set, the current run is abandoned. `refused` receives the ids of cases that do not fit into memory,
    with the reason; their runs are left out. If it is left out, the first such case raises the error.
    """
    rows: list[Row] = []
    for run in runs:
        try:
            row = do_run(run, stop)
        except (InputError, MemoryError) as problem:
            if refused is None:
                raise
            refused[run.case.id] = str(problem) or NO_MEMORY
            continue
        if row is None:
            break
        rows.append(row)
    return as_frame(rows)
