"""A study as data: worlds × configurations × seeds × protocol, and the runs it is made of.

    study = Study(worlds=("maze-10",), agents=(AgentConfig(levels=3, backup=TreeBackup(5)),), seeds=200)
    study.cases[0].id       # "maze-10/k3/n5/hierarchy"

A run's result follows from its world, configuration, protocol and seed, and from nothing else: not from the study
it belongs to, nor from its place in it. Its key is a hash of exactly these, so stored results can be found.
"""

import dataclasses
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from hierq.agents import KERNEL_VERSION, AgentConfig
from hierq.checks import whole_number
from hierq.errors import InputError
from hierq.studies.environment import Environment, Factory, read_environments
from hierq.studies.ids import agent_id as agent_id
from hierq.studies.ids import seed_of as seed_of
from hierq.studies.protocol import Protocol
from hierq.studies.study_file import read_study
from hierq.wording import plural
from hierq.worlds import World, make_world

MAX_SEEDS = 10_000_000
WorldLike = World | Environment | str | os.PathLike[str]
EnvironmentLike = Environment | str
PAPER_PROTOCOL = Protocol()


@dataclass(frozen=True)
class Case:
    """One world or environment, one configuration and a protocol; a seed makes it a run."""

    world: World | Environment
    config: AgentConfig
    protocol: Protocol

    @property
    def agents(self) -> tuple[AgentConfig, ...]:
        """The configurations of all agents that a run needs; the first is `config`."""
        return self.protocol.agents(self.config)

    @cached_property
    def id(self) -> str:
        """Its name in tables and messages, such as maze-10/k3/n5/hierarchy."""
        return f"{self.world.name}/{agent_id(self.config)}"

    @cached_property
    def key(self) -> str:
        """A hash of everything that the results of its runs depend on except the seed."""
        what = [self.world.digest, self.config.to_dict(), self.protocol.to_dict(), KERNEL_VERSION]
        return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:32]

    def __hash__(self) -> int:
        # Cases are looked up for every run; hashing all fields each time would be slow.
        return hash(self.key)

    def __getstate__(self) -> dict[str, Any]:
        # Cached values are not sent along: the receiver may have another kernel version.
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


@dataclass(frozen=True, slots=True)
class Run:
    """A case and a seed: one agent from its first episode to its last."""

    case: Case
    seed: int

    @property
    def key(self) -> str:
        """Identifies the run among all runs of all studies: the case's key and the seed."""
        return f"{self.case.key}-{self.seed}"


@dataclass(frozen=True, init=False)
class Study:
    """Worlds × configurations × seeds, and what is done with each agent; immutable and hashable.

    Environments that are stepped come after the worlds in `worlds`.
    """

    worlds: tuple[World | Environment, ...]
    agents: tuple[AgentConfig, ...]
    seeds: int
    protocol: Protocol

    def __init__(
        self,
        worlds: WorldLike | Sequence[WorldLike] = (),
        agents: AgentConfig | Sequence[AgentConfig] = (),
        seeds: int = 200,
        protocol: Protocol = PAPER_PROTOCOL,
        *,
        environments: Mapping[str, Factory | EnvironmentLike] | Sequence[EnvironmentLike] | EnvironmentLike = (),
    ) -> None:
        """Plans a study; nothing is run yet.

        Args:
            worlds: one or several; each given as a World, a name, a path of a map file, or the text of a map.
            agents: one configuration or several.
            seeds: number of runs of every configuration on every world; they have the seeds 0 to seeds − 1.
            protocol: what is done with each agent.
            environments: what has no table and is stepped, as `hierq.learn` does it: functions that make a Gymnasium
                environment, by name; or ids, as in ["gym:Taxi-v3"]. See `hierq.studies.Environment`.
        """
        if not isinstance(protocol, Protocol):
            raise InputError(f"protocol must be a Protocol, not {protocol!r}")
        stepped = read_environments(environments)
        given = () if stepped and worlds == () else _several("worlds", worlds)
        fields = {
            "worlds": (*map(_as_world, given), *stepped),
            "agents": _several("agents", agents),
            "seeds": whole_number("seeds", seeds, MAX_SEEDS),
            "protocol": protocol,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        for config in self.agents:
            if not isinstance(config, AgentConfig):
                raise InputError(
                    f"agents must be AgentConfig, not {getattr(config, '__name__', type(config).__name__)}; "
                    "docs/do/agents.md, An idea that fits no seam, shows how to compare a subclass of the reference "
                    "over seeds"
                )
        _refuse_repeats(self.worlds, [name for name, _ in self.settings])
        for environment in self.worlds:
            if isinstance(environment, Environment):
                protocol.check_environment(environment.name)
                for config in self.agents:
                    environment.check(config)

    @cached_property
    def settings(self) -> tuple[tuple[str, AgentConfig], ...]:
        """The configurations with their ids, such as k3/n5/hierarchy."""
        return tuple((agent_id(config), config) for config in self.agents)

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """Every world with every configuration, world by world."""
        return tuple(Case(world, config, self.protocol) for world in self.worlds for config in self.agents)

    def runs(self) -> Iterator[Run]:
        """All runs, seed by seed, so that every case has about as many runs whenever a study is stopped."""
        return (Run(case, seed) for seed in range(self.seeds) for case in self.cases)

    def __len__(self) -> int:
        """Number of runs."""
        return len(self.cases) * self.seeds

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str]) -> "Study":
        """Reads a study from a TOML file; docs/reference/studies.md lists its keys.

        Raises:
            InputError: Something in it is not valid; the message names the file and the line.
        """
        return read_study(path, cls)

    def to_dict(self) -> dict[str, Any]:
        """The study as plain values, for files."""
        return {
            "worlds": [_plain_world(world) for world in self.worlds],
            "agents": [config.to_dict() for config in self.agents],
            "seeds": self.seeds,
            "protocol": self.protocol.to_dict(),
        }

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """The inverse of `to_dict`."""
        try:
            return cls(
                worlds=tuple(_read_world(world) for world in plain["worlds"]),
                agents=tuple(AgentConfig.from_dict(config) for config in plain["agents"]),
                seeds=plain["seeds"],
                protocol=Protocol.from_dict(plain["protocol"]),
            )
        except InputError:
            raise
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError, RecursionError) as problem:
            raise InputError(f"the description of the study is not understood: {problem}") from None

    def __repr__(self) -> str:
        names = ", ".join(world.name for world in self.worlds)
        size = f"{plural(len(self.agents), 'setting')}, {plural(self.seeds, 'seed')}: {plural(len(self), 'run')}"
        return f"<Study: {names}; {size}>"


def _several(name: str, values: Any) -> tuple[Any, ...]:
    if isinstance(values, str | os.PathLike | World | Environment | AgentConfig):
        values = (values,)
    if not isinstance(values, Sequence):
        raise InputError(f"{name} must be a tuple, not {type(values).__name__}")
    if not values:
        raise InputError(f"there are no {name}; a study needs at least one")
    return tuple(values)


def _plain_world(world: World | Environment) -> dict[str, str]:
    return world.to_plain() if isinstance(world, Environment) else {"name": world.name, "text": world.text}


def _read_world(plain: dict[str, Any]) -> World | Environment:
    if "text" in plain:
        return World.from_text(plain["text"], name=plain["name"])
    identifier = plain.get("factory")
    if not plain["version"] or not (identifier is None or identifier.startswith("gym:")):
        raise InputError(f"the environment {plain['name']!r} is not understood; hierq wrote no such description")
    return Environment(plain["name"], identifier, plain["version"])


def _as_world(given: Any) -> World | Environment:
    if isinstance(given, World | Environment):
        return given
    if isinstance(given, str) and "\n" in given:
        name = f"map-{hashlib.sha256(given.encode()).hexdigest()[:8]}"
        return World.from_text(given, name=name)
    return make_world(given)


def _refuse_repeats(worlds: Sequence[World | Environment], settings: Sequence[str]) -> None:
    """Refuses two worlds of one name or of one map, and a setting that is there twice."""
    named: dict[str, World | Environment] = {}
    called: dict[str, str] = {}  # by their maps
    for world in worlds:
        if named.get(world.name, world) != world:
            raise InputError(
                f"two different worlds are called {world.name}; give one of them another name, as in "
                "World.from_gymnasium(env, name=…) or World.from_text(text, name=…)"
            )
        if world.name in named:
            raise InputError(f"the same world is given twice: {world.name}; keep one")
        if world.digest in called:
            raise InputError(f"the same map is given twice: {called[world.digest]} and {world.name}; keep one")
        named[world.name], called[world.digest] = world, world.name
    for name, times in Counter(settings).items():
        if times > 1:
            raise InputError(f"the same setting is given twice: {name}; keep one")
