"""What was run, with what and for how long, and what is missing."""

import platform
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from hierq.agents import AgentConfig
from hierq.figures.terminal import plural
from hierq.paper.plan import STUDIES, rules_of_study
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RULES, RuleSet
from hierq.report.protocol import protocol
from hierq.studies.running import cores
from hierq.worlds import PAPER_WORLDS

OUT = "reproduction"  # where `hierq reproduce` puts its results if nothing else is said
REPORTED = tuple(name for name in STUDIES if name != "first-episode")


@dataclass(frozen=True)
class RanStudy:
    """A study that was run."""

    name: str  # which of the paper's
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
    rules: RuleSet | None
    command: str


@dataclass(frozen=True)
class Methods:
    """Everything the section on methods says."""

    ran: tuple[RanStudy, ...]  # the studies with results
    runs: int  # number of all runs; those that two studies share count once
    seconds: float  # time of all runs together, on one core
    missing: tuple[Missing, ...]  # those without
    worlds: tuple[str, ...]  # names of the worlds, in the order of the paper
    versions: tuple[tuple[str, str], ...]  # (what, version) pairs of the programs behind the results
    machine: str  # what the page was made on, in a few words
    protocol: tuple[tuple[str, str], ...]  # what each study does: (name, description) pairs
    agent: AgentConfig  # an agent with the paper's settings

    @property
    def most_seeds(self) -> int:
        """Seeds of the study that has most."""
        return max((study.seeds for study in self.ran), default=0)

    @property
    def rules(self) -> tuple[str, ...]:
        """The sets of rules that some study ran under."""
        return tuple(rules for rules in RULES if any(study.rules == rules for study in self.ran))


def methods_of(reproduction: Reproduction) -> Methods:
    """What was run of the paper, as far as it is finished."""
    found = {(name, rules): reproduction.frame(name, rules) for name, rules in reproduction.present()}
    frames = {key: frame for key, frame in found.items() if frame is not None}
    ran = tuple(_ran(name, rules, frame) for (name, rules), frame in frames.items())
    names = {name for frame in frames.values() for name in frame["world"].unique()}
    seeds = max((study.seeds for study in ran), default=None)
    runs, seconds = reproduction.work()
    return Methods(
        ran=ran,
        runs=runs,
        seconds=seconds,
        missing=tuple(missing_studies(frames, seeds)),
        worlds=tuple(name for name in PAPER_WORLDS if name in names),
        versions=_versions(frames.values()),
        machine=_machine(),
        protocol=protocol(),
        agent=AgentConfig(),
    )


def missing_studies(present: Iterable[tuple[str, RuleSet | None]], seeds: int | None = None) -> Iterable[Missing]:
    """The studies of the paper that are not there. The first episodes are part of the main study, and not missed."""
    there = set(present)
    for name in REPORTED:
        for rules in rules_of_study(name):
            if (name, rules) not in there:
                yield Missing(name, rules, command_for(name, rules, seeds))


def command_for(study: str | None = None, rules: RuleSet | None = None, seeds: int | None = None) -> str:
    """The command that makes a study, or the whole reproduction."""
    words = ["hierq reproduce"]
    words += [f"--study {study}"] if study else []
    words += [f"--rules {rules}"] if rules else []
    words += [f"--seeds {seeds}"] if seeds else []
    return " ".join([*words, f"--out {OUT}"])


def _ran(name: str, rules: RuleSet | None, frame: pl.DataFrame) -> RanStudy:
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
    """What can be said about a machine without saying whose it is."""
    several = plural(cores(), "core")
    return f"{platform.system()}, {platform.machine()}, {several}, Python {platform.python_version()}"


def without_place(text: str, folder: Path) -> str:
    """A command or a reason that does not say where on this machine the results lie; other words stay as they are."""
    for before, after in (("--out ", ""), (" in ", ";")):
        text = text.replace(f"{before}{folder}{after}", f"{before}{OUT}{after}")
    return text
