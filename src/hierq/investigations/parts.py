"""The studies of an investigation."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hierq.agents import AgentConfig
from hierq.investigations.numbers import Measured, Runs, usual_measures
from hierq.studies import Protocol, Study
from hierq.studies.study import PAPER_PROTOCOL
from hierq.worlds import World

FIELDS = ("agent", "levels")


@dataclass(frozen=True)
class Part:
    """A study of an investigation; under one set of rules, where the investigation has several."""

    name: str  # what `--study` calls it
    study: Study  # its worlds, agents and seeds
    rules: str | None = None  # which its agents follow; None if there are none, or if it has agents of several
    usual: bool = True  # whether it is run by default
    # What tells agents apart in a table, beside the world: columns of the results, settings of agents, or labels.
    fields: tuple[str, ...] = FIELDS
    labels: Mapping[AgentConfig, Mapping[str, Any]] | None = None  # more columns, by agent; other agents are left out
    measures: Callable[[Runs], dict[str, Measured]] = usual_measures  # of the runs of one agent in one world
    most_seeds: int | None = None  # however many the command asks for; None if there is no such bound

    @classmethod
    def labelled(
        cls,
        name: str,
        worlds: Sequence[World | str],
        labels: Mapping[AgentConfig, Mapping[str, Any]],
        protocol: Protocol = PAPER_PROTOCOL,
        **more: Any,
    ) -> "Part":
        """A study of agents with labels, which all have the same names; these tell them apart."""
        fields = tuple(next(iter(labels.values())))
        study = Study(worlds, tuple(labels), protocol=protocol)
        return cls(name, study, fields=fields, labels=labels, **more)

    @property
    def folder(self) -> Path:
        """Where its results lie, below the folder of the investigation."""
        return Path(self.rules or "") / self.name

    def cut_to(self, seeds: int, worlds: Iterable[str]) -> "Part":
        """The same study with this many seeds, or with the most it has, on the named worlds only."""
        seeds = seeds if self.most_seeds is None else min(seeds, self.most_seeds)
        names = set(worlds)
        there = tuple(world for world in self.study.worlds if world.name in names)
        return replace(self, study=Study(there, self.study.agents, seeds, self.study.protocol))

    def joined(self, known: Study, every: "Part") -> "Part":
        """The same with the worlds and seeds of a study that was begun; `every` has all worlds there are."""
        more = {world.name for world in known.worlds} - {world.name for world in self.study.worlds}
        seeds = max(known.seeds, self.study.seeds)
        return every.cut_to(seeds, {*more, *worlds_of([self])}) if more else self


def worlds_of(parts: Iterable[Part]) -> tuple[str, ...]:
    """The names of all worlds of some studies."""
    return tuple(dict.fromkeys(world.name for part in parts for world in part.study.worlds))
