"""An environment that a study steps, where there is no table to make a world from.

    Study(agents=agents, environments={"corridor": make_corridor})         # a function that makes the environment
    Study(agents=agents, environments=["gym:MiniGrid-Empty-5x5-v0"])       # an id of Gymnasium

Each run makes an environment of its own, and an agent learns in it as `hierq.learn` does. Two environments are the same
if they have the same name and the same version. The version is given, or a hash of the source.
"""

import functools
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from hierq.agents import AgentConfig
from hierq.agents.combinations import stepped
from hierq.agents.layout import Layout, layout_of
from hierq.errors import InputError
from hierq.loading import run_file
from hierq.source_version import source_version
from hierq.worlds import World

if TYPE_CHECKING:
    from hierq.environments.learner import Learner

Factory: TypeAlias = Callable[[], Any]
PREFIX = "gym:"
HASHED = "source "  # how a version begins that is a hash


@dataclass(frozen=True)
class Environment:
    """How the environment of a run is made, and which one it is.

    Attributes:
        name: its name in tables, figures and messages.
        factory: makes a Gymnasium environment: a function without arguments, "gym:ID" with options as in
            "gym:FrozenLake-v1,is_slippery=false", or "FILE.py:FUNCTION". None if only name and version are known, which
            is enough to read results.
        version: says which environment it is. Left out, a hash of the source of `factory`, `key` and `success`.
        key: makes a state of an observation, as in `hierq.learn`.
        success: whether the last reward of an episode means success, as in `hierq.learn`.
    """

    name: str
    factory: Factory | str | None = field(compare=False)
    version: str = ""
    key: Callable[[Any], Any] | None = field(default=None, compare=False)
    success: Callable[[float], bool] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for what, word in (("name", self.name), ("version", self.version)):
            if not isinstance(word, str) or not word.isprintable() or (what == "name" and not word):
                raise InputError(f"the {what} of an environment is a text of one line, not {word!r:.60}")
        if not (self.factory is None or isinstance(self.factory, str) or callable(self.factory)):
            raise InputError(
                f"the environment {self.name} must be given as a function that makes it, as gym:ID or FILE:FUNCTION; "
                f"not as {self.factory!r:.60}, because every run makes an environment of its own"
            )
        if not self.version:
            object.__setattr__(self, "version", self._source_version())

    def _source_version(self) -> str:
        maker, identifier = self._maker(), self.gymnasium_id
        made_by = type(maker().unwrapped) if identifier else maker
        try:
            return HASHED + source_version(identifier, made_by, self.key, self.success)
        except InputError as problem:
            raise InputError(
                f"the source does not say which environment {self.name} is: {problem}; say it yourself, as in "
                f'Environment("{self.name}", factory, version="1"), and change the version with the environment'
            ) from None

    @property
    def gymnasium_id(self) -> str:
        """The id of Gymnasium that it is made by, such as gym:Taxi-v3, or nothing."""
        return self.factory if isinstance(self.factory, str) and self.factory.startswith(PREFIX) else ""

    def _maker(self) -> Factory:
        if self.factory is None:
            raise InputError(
                f"only results of the environment {self.name} ({self.version}) are known here; to do its runs, give "
                "the study with the function that makes it"
            )
        if not isinstance(self.factory, str):
            return self.factory
        if identifier := self.gymnasium_id:
            from hierq.worlds.gymnasium_tables import make_environment

            return lambda: make_environment(identifier)
        file, _, name = self.factory.rpartition(":")
        function = getattr(run_file(Path(file), file), name, None) if file else None
        if not callable(function):
            raise InputError(f"there is no function {self.factory!r}; an environment is gym:ID or FILE:FUNCTION")
        return cast(Factory, function)

    def make(self) -> Any:
        """A new environment.

        Raises:
            InputError: it cannot be made, or is another one here than its version says.
        """
        maker = self._maker()
        _check_source(self)
        try:
            return maker()
        except Exception as problem:
            raise InputError(failure_of(self.name, problem)) from None

    @property
    def digest(self) -> str:
        """A hash of name and version, as `World.digest` is one of a map."""
        return hashlib.sha256(json.dumps(["environment", self.name, self.version]).encode()).hexdigest()

    def check(self, config: AgentConfig) -> None:
        """Refuses an agent that cannot learn in an environment that only Python can step."""
        try:
            self.layout(config)
        except InputError as problem:
            raise InputError(f"no such agent can learn in the environment {self.name}: {problem}") from None

    def learner(self, config: AgentConfig, seed: np.random.SeedSequence) -> "Learner":
        """A new agent in a new environment; the seed says the random numbers of both."""
        from hierq.environments.learner import Learner, above_zero

        number = int(seed.generate_state(1, np.uint32)[0]) >> 1  # some environments take no larger seeds
        return Learner(self.make(), config, seed=number, key=self.key, success=self.success or above_zero)

    def layout(self, config: AgentConfig) -> Layout:
        """The tables of an agent that has seen nothing yet."""
        from hierq.environments.open_world import OpenWorld

        return layout_of(cast(World, OpenWorld(self.name, actions=4)), stepped(config))

    def to_plain(self) -> dict[str, str]:
        """For files: name and version, and the id if that is all it is made by; no file names a function to be run."""
        plain = {"name": self.name, "version": self.version}
        is_whole = self.gymnasium_id and self.key is None and self.success is None
        return {**plain, "factory": self.gymnasium_id} if is_whole else plain


@functools.cache
def _check_source(environment: Environment) -> None:
    """Refuses another source than the version says, once in a process: other hosts may have other files or packages."""
    is_sent_whole = getattr(environment.factory, "__module__", "") == "__main__"  # as Dask sends what a script defines
    if environment.version.startswith(HASHED) and not is_sent_whole:
        if environment.version != environment._source_version():
            raise InputError(
                f"the environment {environment.name} is another one here: its source has changed, or a file or the "
                "version of a package is not the same on this host"
            )


def failure_of(name: str, problem: Exception) -> str:
    """What a user's environment raised, and where, in words."""
    place = problem.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f" ({Path(place.tb_frame.f_code.co_filename).name}, line {place.tb_lineno})" if place else ""
    return f"the environment {name} failed: {type(problem).__name__}: {problem}{where}"


def read_environments(given: Any, folder: Path | None = None) -> tuple[Environment, ...]:
    """The environments of a study: a table of functions by name, or a list of Environment, gym:ID and FILE:FUNCTION."""
    if isinstance(given, Mapping):
        return tuple(_read(name, made, folder) for name, made in given.items())
    if not isinstance(given, list | tuple):
        given = (given,)
    for each in given:
        if not isinstance(each, Environment | str):
            raise InputError(
                'environments are functions with their names, as in environments={"my-env": make_it}, or a list of '
                f"gym:ID, FILE:FUNCTION and Environment; not {each!r:.60}"
            )
    return tuple(_read(str(each).removeprefix(PREFIX).rpartition(":")[2], each, folder) for each in given)


def _read(name: str, given: Any, folder: Path | None) -> Environment:
    if isinstance(given, Environment):
        return given
    if isinstance(given, str) and not given.startswith(PREFIX):  # the whole path, so that other processes find it
        given = str(((folder or Path.cwd()) / given).resolve())
    return Environment(name, given)
