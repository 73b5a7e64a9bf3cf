"""A world that an agent discovers: it numbers a state when it first sees it.

Number 0 is not a state but stands for the environment's goal: any state that ended an episode with success. The first
state has number 1.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

from hierq.agents.world_arrays import AT_GOAL, GOES_ON, IN_HOLE, WorldArrays, read_only_arrays
from hierq.checks import is_whole
from hierq.errors import InputError
from hierq.worlds.gymnasium_tables import name_of_environment
from hierq.worlds.observations import Key

STATES_TO_BEGIN_WITH = 256
KEPT = ("name", "actions", "first_action", "states", "goals", "starts", "successes", "failures", "paid_before_the_end")


@dataclass
class OpenWorld:
    """The states of an environment that were seen so far; for tables, a World."""

    name: str
    actions: int
    states: int = STATES_TO_BEGIN_WITH  # how many numbers the tables have room for
    first_action: int = 0  # the environment's number of action 0
    goals: list[int] = field(default_factory=list)  # states that ended an episode with success, in order of first sight
    starts: list[int] = field(default_factory=list)  # states in which episodes began, in order of first sight
    keys: list[Hashable] = field(default_factory=list)  # of the states that were seen, that of state 1 first
    successes: int = 0  # episodes that ended with success
    failures: int = 0  # those that ended without
    paid_before_the_end: int = 0  # steps with a reward above 0 that ended no episode
    is_grid: bool = False
    is_geometric: bool = False
    is_random: bool = False  # which is not known of an environment that is only stepped
    goal: int = 0
    start: int = 0  # before an episode begins

    def __post_init__(self) -> None:
        self._ending = np.zeros(self.states, np.uint8)
        self.numbers = {key: number for number, key in enumerate(self.keys, start=1)}

    @property
    def cells(self) -> int:
        """How many goals the tables have room for."""
        return self.states

    def number_of(self, seen: Hashable) -> int:
        """The number of an observed key, a new one at first sight. There must be room for it."""
        if seen not in self.numbers:
            self.keys.append(seen)
            self.numbers[seen] = len(self.keys)
        return self.numbers[seen]

    @property
    def spare(self) -> int:
        """A number that no state has: its column holds what is learnt about all goals that were never seen."""
        return self.states - 1

    def has_room(self) -> bool:
        """Whether one more state can be numbered; one number stays spare."""
        return len(self.keys) + 1 < self.spare

    def larger(self) -> Self:
        """The same with room for twice as many states."""
        larger = replace(self, states=2 * self.states)
        larger._ending[: self.states] = self._ending
        return larger

    def begin_at(self, state: int) -> None:
        """Notes that an episode began at a state."""
        self._ending[state] = GOES_ON
        if state not in self.starts:
            self.starts.append(state)

    def arrive(self, state: int, reward: float, ended: bool, succeeded: bool) -> None:
        """Notes whether an episode went on at a state, or how it ended there."""
        self._ending[state] = GOES_ON if not ended else AT_GOAL if succeeded else IN_HOLE
        if succeeded and state not in self.goals:
            self.goals.append(state)
        self.successes += succeeded
        self.failures += ended and not succeeded
        self.paid_before_the_end += not ended and reward > 0

    def to_plain(self) -> dict[str, Any]:
        """All that is known as plain values, for files; refuses keys that a file cannot hold."""
        holes = np.flatnonzero(self._ending == IN_HOLE).tolist()
        kept = {name: getattr(self, name) for name in KEPT}
        return {**kept, "holes": holes, "keys": [_plain_key(key) for key in self.keys]}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Self:
        """The inverse of `to_plain`; raises ValueError where the values contradict each other."""
        kept, keys = {name: plain[name] for name in KEPT}, [_key(key) for key in plain["keys"]]
        counts = [plain[name] for name in KEPT if name not in ("name", "goals", "starts")]
        states = [*plain["goals"], *plain["starts"], *plain["holes"]]
        if not all(is_whole(number) for number in (*counts, *states)) or plain["actions"] < 1:
            raise ValueError("what it knows of its environment are not whole numbers")
        room = STATES_TO_BEGIN_WITH
        while room < plain["states"] and len(keys) >= room - 2:
            room *= 2
        if room != plain["states"] or room - 2 < len(keys) or len(set(keys)) != len(keys):
            raise ValueError("it does not say what states were seen")
        if not all(0 < state <= len(keys) for state in states):
            raise ValueError("a start or an end is no state that was seen")
        known = cls(**kept, keys=keys)
        known._ending[known.goals] = AT_GOAL
        known._ending[plain["holes"]] = IN_HOLE
        return known

    def arrays(self) -> WorldArrays:
        """The world as the kernels read it. Python makes the moves, so there are no outcomes to draw from."""
        return read_only_arrays(
            WorldArrays(
                outcomes=np.zeros((1, 1, 1), np.int64),
                up_to=np.ones((1, 1, 1)),
                positions=np.zeros((1, 2), np.int64),
                cell_at=np.zeros((0, 0), np.int64),
                starts=np.zeros(1, np.int64),
                starts_up_to=np.ones(1),
                goals=np.array(self.goals, np.int64),
                goal=self.goal,
                ending=self._ending,
            )
        )


def open_world(environment: Any, key: Key | None) -> OpenWorld:
    """An OpenWorld without states, for an environment before its first step.

    Refuses actions that cannot be numbered, and observations that will hardly ever be the same twice.
    """
    if not isinstance(environment, gymnasium.Env):
        name = repr(environment) if isinstance(environment, str) else "…"
        raise InputError(
            f"this is no Gymnasium environment but {environment!r:.60}; make one with gymnasium.make({name:.60}); "
            'Agent takes a World, and the name of an environment with a table: Agent("gym:FrozenLake-v1", config)'
        )
    name = name_of_environment(environment)
    if not isinstance(environment.action_space, Discrete):
        bins = _wrapper_for(environment.action_space, "DiscretizeAction")
        raise InputError(
            f"the action space of {name} is {environment.action_space!r:.60}, and hierq learns with Discrete ones; "
            f"{bins or 'wrap the environment in one that numbers its actions'}"
        )
    spaces = environment.observation_space
    parts = spaces.spaces.values() if isinstance(spaces, gymnasium.spaces.Dict) else [spaces]
    if key is None and any(
        isinstance(part, Box) and part.dtype is not None and part.dtype.kind == "f" for part in parts
    ):
        bins = _wrapper_for(spaces, "DiscretizeObservation")
        raise InputError(
            f"the observations of {name} are real numbers, which are hardly ever the same twice, so that no table can "
            f"know them again. {f'{bins}. ' if bins else ''}Give key=, a function that makes something countable of an "
            "observation. Or let hierq.approximate.Levels learn values of points on a map. Or train a network of your "
            "own with the returns of hierq.hop_returns."
        )
    return OpenWorld(name, int(environment.action_space.n), first_action=int(environment.action_space.start))


def _wrapper_for(space: gymnasium.Space[Any], wrapper: str) -> str:
    """The advice to cut a space into bins by one of Gymnasium's wrappers, where that works: a Box with finite ends."""
    works = isinstance(space, Box) and np.isfinite(space.low).all() and np.isfinite(space.high).all()
    return f"gymnasium.wrappers.{wrapper} cuts the Box into numbered bins" if works else ""


def _plain_key(key: Hashable) -> Any:
    """A key as plain values, for a file."""
    if isinstance(key, bytes):
        return {"bytes": key.hex()}
    if isinstance(key, tuple):
        return {"tuple": [_plain_key(part) for part in key]}
    if isinstance(key, str | int | float | bool | np.integer | np.floating | None):
        return key.item() if isinstance(key, np.generic) else key
    raise InputError(
        f"states are told apart by {type(key).__name__}, which a file cannot hold; let key= make texts, numbers, bytes "
        "or tuples of them"
    )


def _key(plain: Any) -> Hashable:
    if isinstance(plain, dict):
        ((kind, value),) = plain.items()
        return bytes.fromhex(value) if kind == "bytes" else tuple(_key(part) for part in value)
    if isinstance(plain, list):
        raise ValueError("a key is a list")
    return plain  # type: ignore[no-any-return]
