"""Batches: the runs that are still to do, cut into pieces that each fill a file, and their rows.

Batches are cut from what is missing when an engine starts, so what they hold depends on what was finished before
and on how fast the machine is. The results do not: a run has the same key and the same result in any batch.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import polars as pl

from hierq import __version__
from hierq.agents import KERNEL_VERSION, AgentConfig
from hierq.agents.layout import layout_of
from hierq.agents.outcomes import OUTCOMES
from hierq.errors import InputError
from hierq.studies.study import Case, Run, Study, agent_id

BATCH_SECONDS = 4.0  # below two, writing files would take a noticeable share
MAX_RUNS = 2000  # above that, a killed worker would lose too many
MAX_PENDING = 10_000_000  # runs of a process; they take about 100 bytes each
SEEDS_IN_A_ROW = 8  # runs of a case that are done one after the other, by the same agent

MEASURED = pl.List(pl.Float64)  # what a protocol measures besides steps
EPISODE_OUTCOMES = pl.List(pl.Enum(OUTCOMES))
SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "id": pl.String,
    "world": pl.String,
    "agent": pl.String,
    "levels": pl.Int64,
    "backup": pl.String,
    "parameter": pl.Float64,
    "behaviour": pl.String,
    "discount": pl.Float64,
    "config": pl.String,
    "iterations": pl.Int64,
    "seed": pl.Int64,
    "training": pl.List(pl.Int64),
    "evaluation": pl.List(pl.Int64),
    "training_outcomes": EPISODE_OUTCOMES,  # null where outcomes are unknown
    "evaluation_outcomes": EPISODE_OUTCOMES,
    "seconds": pl.Float64,
    "case": pl.String,
    "kernel": pl.Int64,
    "hierq": pl.String,
    "numpy": pl.String,
    "numba": pl.String,
}
RUN_OUTCOMES = ("training_outcomes", "evaluation_outcomes")

Row = dict[str, Any]
Present = Mapping[str, set[int]]
Shard = tuple[int, int]


@dataclass(frozen=True)
class Batch:
    """Runs whose results share a file; plain data that can be sent to another machine."""

    runs: tuple[Run, ...]

    @cached_property
    def name(self) -> str:
        """The name of its file: a hash of the keys of its runs."""
        return file_name(run.key for run in self.runs)

    def __len__(self) -> int:
        """Number of runs."""
        return len(self.runs)


def file_name(keys: Iterable[str]) -> str:
    """The name of a file that holds the results of the runs with these keys."""
    digest = hashlib.sha256("\n".join(sorted(keys)).encode())
    return f"runs-{digest.hexdigest()[:32]}.parquet"


def pending_runs(study: Study, present: Present, shard: Shard | None = None) -> list[Run]:
    """The runs of a study that are missing, a few seeds at a time, so that all cases progress about equally.

    `present` has the seeds that are finished, by the key of their case. A shard (i, n) is the i-th of n shares. Every
    run is in exactly one share, which depends on its key and seed only. Shares have about equally many runs of a case.

    Raises:
        InputError: There are more runs than can be held in memory.
    """
    if (count := sum(pending_counts(study, present, shard).values())) > MAX_PENDING:
        raise InputError(f"this makes {count:,} runs, more than {MAX_PENDING:,}; use fewer seeds or more shares")
    nothing: set[int] = set()
    cases = [(case, present.get(case.key, nothing), _share(case, study.seeds, shard)) for case in study.cases]
    return [
        Run(case, seed)
        for first in range(0, study.seeds, SEEDS_IN_A_ROW)
        for case, there, share in cases
        for seed in range(first, min(first + SEEDS_IN_A_ROW, study.seeds))
        if seed not in there and seed in share
    ]


def pending_counts(study: Study, present: Present, shard: Shard | None = None) -> dict[Case, int]:
    """How many runs of every case `pending_runs` has; the time does not grow with the number of seeds."""
    shares = [(case, _share(case, study.seeds, shard), present.get(case.key, ())) for case in study.cases]
    return {case: len(share) - sum(seed in share for seed in there) for case, share, there in shares}


def _share(case: Case, seeds: int, shard: Shard | None) -> range:
    """The seeds of a case that belong to a share."""
    return range(seeds) if shard is None else range((shard[0] - 1 - int(case.key[:8], 16)) % shard[1], seeds, shard[1])


def cases_of(runs: Iterable[Run]) -> list[Case]:
    """The cases that the runs belong to, in the order of the study."""
    return list(dict.fromkeys(run.case for run in runs))


def cut(runs: Iterable[Run], seconds_of: Mapping[str, float], at_least: int = 1) -> list[Batch]:
    """Cuts runs into batches of a few seconds each, in the order in which they will be done.

    `seconds_of` has the expected seconds of a run, by the key of its case. At least `at_least` batches are
    made, if there are as many runs, so that every worker gets one.
    """
    runs = list(runs)
    costs = [seconds_of[run.case.key] for run in runs]
    enough = min(BATCH_SECONDS, sum(costs) / at_least)
    most = max(1, min(MAX_RUNS, len(runs) // at_least))
    batches: list[Batch] = []
    some: list[Run] = []
    spent = 0.0
    for run, cost in zip(runs, costs, strict=True):
        some.append(run)
        spent += cost
        if spent >= enough or len(some) >= most:
            batches.append(Batch(tuple(some)))
            some, spent = [], 0.0
    return [*batches, Batch(tuple(some))] if some else batches


def kernels_of(cases: Iterable[Case]) -> dict[str, AgentConfig]:
    """The kinds of kernels that the cases need, each with the configuration of a small agent that needs it."""
    running = [case for case in cases if case.protocol.runs_agents]
    layouts = [layout_of(case.world, config) for case in running for config in case.agents]
    return {layout.kernel_kind: layout.smallest for layout in layouts}


def as_frame(rows: list[Row]) -> pl.DataFrame:
    """Rows as a frame with the columns of `SCHEMA`, and one for each list of numbers that the protocol measures."""
    measured = {name: MEASURED for row in rows[:1] for name in row if name not in SCHEMA}
    schema = {**SCHEMA, **measured}
    # By columns, and with outcomes as words at first: polars takes twice as long otherwise.
    read = {**schema, **dict.fromkeys(RUN_OUTCOMES, pl.List(pl.String))}
    frame = pl.DataFrame({name: [row[name] for row in rows] for name in schema}, schema=read)
    return frame.with_columns(pl.col(RUN_OUTCOMES).cast(EPISODE_OUTCOMES))


@cache
def versions() -> dict[str, str]:
    """Versions of what the results were made with."""
    import numba  # here, because reading results does not need it

    return {"hierq": __version__, "numpy": np.__version__, "numba": numba.__version__}


def columns_of(case: Case) -> Row:
    """The columns that are the same for all runs of a case."""
    return {**names_of(case), **_columns_without_names(case)}


def names_of(case: Case) -> Row:
    """The columns that depend on the name of the world; cases are equal whatever their worlds are called."""
    return {"id": case.id, "world": case.world.name}


@cache
def _columns_without_names(case: Case) -> Row:
    config = case.config
    return {
        "agent": agent_id(config),
        "levels": config.levels,
        "backup": config.backup.name,
        "parameter": config.backup.parameter,
        "behaviour": config.behaviour,
        "discount": config.discount,
        "config": json.dumps(config.to_dict(), sort_keys=True),
        "iterations": case.protocol.iterations,
        "case": case.key,
        "kernel": KERNEL_VERSION,
        **versions(),
    }
