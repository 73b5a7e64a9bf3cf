"""The studies of an investigation, and how some of them are chosen."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hierq.agents import AgentConfig
from hierq.errors import InputError, did_you_mean
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


def choose(
    parts: Sequence[Part],
    owner: str,
    seeds: int,
    names: Sequence[str] | None = None,
    rules: Sequence[str] | None = None,
    worlds: Sequence[str] | None = None,
) -> list[Part]:
    """The chosen studies, with this many seeds; the usual ones on all worlds, under all rules, if left out.

    Raises:
        InputError: A name is not known, or there is nothing to do. `owner` is how the message calls the investigation.
    """
    known_rules = tuple(dict.fromkeys(part.rules for part in parts if part.rules is not None))
    known = {"study": tuple(dict.fromkeys(part.name for part in parts)), "world": worlds_of(parts)}
    for what, given, there in (
        ("study", names, known["study"]),
        ("world", worlds, known["world"]),
        ("rules", rules, known_rules),
    ):
        for name in given or ():
            if name not in there:
                hint = did_you_mean(name, there)
                raise InputError(f"{owner} has no {what} {name!r}; {hint}there are {', '.join(there)}")
        if given is not None and not given:
            raise InputError(f"name at least one {what}: {', '.join(there)}")
    asked = [part for part in parts if (part.usual if names is None else part.name in names)]
    ruled = [part for part in asked if rules is None or part.rules is None or part.rules in rules]
    wanted = known["world"] if worlds is None else worlds
    found = [part.cut_to(seeds, wanted) for part in ruled if set(worlds_of([part])) & set(wanted)]
    if not found:
        raise InputError(f"{owner} has nothing to run for these worlds; {_where(ruled)}")
    return found


def _where(parts: Iterable[Part]) -> str:
    return "; ".join(f"{part.name} is on {', '.join(worlds_of([part]))}" for part in parts)
