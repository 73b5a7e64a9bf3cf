"""What was run, with what and for how long, and what is missing."""

import platform
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from hierq.figures.terminal import plural
from hierq.investigations.parts import worlds_of
from hierq.investigations.results import Results
from hierq.studies.running import cores


@dataclass(frozen=True)
class RanStudy:
    """A study that was run."""

    name: str  # as the investigation calls it
    rules: str  # in words
    worlds: int  # how many
    agents: int  # how many
    seeds: int  # that every agent has on every world
    runs: int  # all of them
    iterations: int  # pairs of a training and an evaluation episode, of each run
    seconds: float  # time of all runs together, on one core


@dataclass(frozen=True)
class Missing:
    """A study that was not run, or has no seed that all its agents have, and the command that makes it."""

    name: str
    rules: str | None
    command: str


@dataclass(frozen=True)
class Methods:
    """Everything the section on methods says."""

    ran: tuple[RanStudy, ...]  # the studies with results
    runs: int  # number of all runs; those that two studies share count once
    seconds: float  # time of all runs together, on one core
    missing: tuple[Missing, ...]  # those without
    worlds: tuple[str, ...]  # names of the worlds, in the order of the plan
    versions: tuple[tuple[str, str], ...]  # (what, version) pairs of the programs behind the results
    machine: str  # what the page was made on, in a few words
    rules: tuple[str, ...]  # the sets of rules that some study ran under, where there are several

    @property
    def most_seeds(self) -> int:
        """Seeds of the study that has most."""
        return max((study.seeds for study in self.ran), default=0)


def methods_of(results: Results) -> Methods:
    """What was run of an investigation, as far as it is finished."""
    found = {(name, rules): results.frame(name, rules) for name, rules in results.present()}
    frames = {key: frame for key, frame in found.items() if frame is not None}
    ran = tuple(_ran(name, rules, frame) for (name, rules), frame in frames.items())
    names = {name for frame in frames.values() for name in frame["world"].unique()}
    seeds = max((study.seeds for study in ran), default=None)
    runs, seconds = results.work()
    return Methods(
        ran=ran,
        runs=runs,
        seconds=seconds,
        missing=tuple(
            Missing(part.name, part.rules, results.command(part.name, part.rules, seeds))
            for part in results.parts
            if part.usual and (part.name, part.rules) not in frames
        ),
        worlds=tuple(name for name in worlds_of(results.parts) if name in names),
        versions=_versions(frames.values()),
        machine=_machine(),
        rules=tuple(dict.fromkeys(rules for _, rules in frames if rules)),
    )


def _ran(name: str, rules: str | None, frame: pl.DataFrame) -> RanStudy:
    return RanStudy(
        name=name,
        rules=rules or "both",
        worlds=frame["world"].n_unique(),
        agents=frame["agent"].n_unique(),
        seeds=frame["seed"].n_unique(),
        runs=len(frame),
        iterations=int(frame["iterations"].max()),  # type: ignore[arg-type]
        seconds=float(frame["seconds"].sum()),
    )


def _versions(frames: Iterable[pl.DataFrame]) -> tuple[tuple[str, str], ...]:
    """Every version that results were made with; more than one only if they were made at different times."""
    names = {"hierq": "hierq", "kernel": "hierq’s kernels", "numpy": "NumPy", "numba": "Numba"}
    every = list(frames)
    found = {
        name: sorted({str(value) for frame in every if column in frame.columns for value in frame[column].unique()})
        for column, name in names.items()
    }
    return tuple((name, ", ".join(values)) for name, values in found.items() if values)


def _machine() -> str:
    """A description of the machine that does not identify its owner."""
    several = plural(cores(), "core")
    return f"{platform.system()}, {platform.machine()}, {several}, Python {platform.python_version()}"
