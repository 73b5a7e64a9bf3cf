"""A world that an agent discovers: it numbers a state when it first sees it.

Number 0 is not a state but stands for the environment's goal: any state that ended an episode with success. The first
state has number 1.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

from hierq.agents.outcomes import Episodes
from hierq.agents.world_arrays import AT_GOAL, GOES_ON, IN_HOLE, WorldArrays, read_only_arrays
from hierq.checks import is_whole
from hierq.errors import InputError
from hierq.worlds.gymnasium_tables import name_of_environment
from hierq.worlds.observations import Key

STATES_TO_BEGIN_WITH = 256
FEW_STEPS = 50  # so early, most observations may be new in any environment
PASS_FINDS_MORE = 'explore="pass" often finds goals far sooner than ε-greedy exploration, the default of AgentConfig'


@dataclass
class OpenWorld:
    """The states of an environment that were seen so far; for tables, a World."""

    name: str
    actions: int
    states: int = STATES_TO_BEGIN_WITH  # how many numbers the tables have room for
    first_action: int = 0  # the environment's number of action 0
    goals: list[int] = field(default_factory=list)  # states that ended an episode with success, in order of first sight
    starts: list[int] = field(default_factory=list)  # states in which episodes began, in order of first sight
    numbers: dict[Hashable, int] = field(default_factory=dict)  # of every state that was seen, by its key
    successes: int = 0  # episodes that ended with success
    failures: int = 0  # those that ended without
    is_grid: bool = False
    is_geometric: bool = False
    is_random: bool = False  # which is not known of an environment that is only stepped
    goal: int = 0

    def __post_init__(self) -> None:
        self._ending = np.zeros(self.states, np.uint8)

    @property
    def cells(self) -> int:
        """How many goals the tables have room for."""
        return self.states

    def number_of(self, seen: Hashable) -> int:
        """The number of an observed key, a new one at first sight. There must be room for it."""
        return self.numbers.setdefault(seen, len(self.numbers) + 1)

    @property
    def spare(self) -> int:
        """A number that no state has: its column holds what is learnt about all goals that were never seen."""
        return self.states - 1

    def has_room(self) -> bool:
        """Whether one more state can be numbered; one number stays spare."""
        return len(self.numbers) + 1 < self.spare

    def larger(self) -> Self:
        """The same with room for twice as many states."""
        larger = replace(self, states=2 * self.states)
        larger._ending[: self.states] = self._ending
        return larger

    def start(self, state: int) -> None:
        """Notes that an episode began at a state."""
        self._ending[state] = GOES_ON
        if state not in self.starts:
            self.starts.append(state)

    def arrive(self, state: int, ended: bool, succeeded: bool) -> None:
        """Notes whether an episode went on at a state, or how it ended there."""
        self._ending[state] = GOES_ON if not ended else AT_GOAL if succeeded else IN_HOLE
        if ended and succeeded and state not in self.goals:
            self.goals.append(state)
        self.successes += ended and succeeded
        self.failures += ended and not succeeded

    def to_plain(self) -> dict[str, Any]:
        """All that is known as plain values, for files; refuses keys that a file cannot hold."""
        kept = ("name", "actions", "first_action", "states", "goals", "starts", "successes", "failures")
        holes = np.flatnonzero(self._ending == IN_HOLE).tolist()
        keys = [_plain_key(key) for key in self.numbers]
        return {**{name: getattr(self, name) for name in kept}, "holes": holes, "keys": keys}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Self:
        """The inverse of `to_plain`; raises ValueError where the values contradict each other."""
        plain = dict(plain)
        keys, holes = [_key(key) for key in plain.pop("keys")], plain.pop("holes")
        states = plain.pop("states")
        numbers = (plain["actions"], plain["first_action"], plain["successes"], plain["failures"], states)
        if not all(is_whole(number) for number in numbers) or plain["actions"] < 1:
            raise ValueError("it does not say what actions there are")
        known = cls(**plain)
        while known.states < states and len(keys) >= known.spare - 1:
            known = known.larger()
        if known.states != states or len(set(keys)) != len(keys):
            raise ValueError("it does not say what states were seen")
        known.numbers.update({key: number for number, key in enumerate(keys, start=1)})
        for number in (*known.goals, *known.starts, *holes):
            if not is_whole(number) or not 0 < number <= len(keys):
                raise ValueError("a start or an end is no state that was seen")
        known._ending[known.goals] = AT_GOAL
        known._ending[holes] = IN_HOLE
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


def first_observation(returned: Any) -> Any:
    """The observation that an environment's reset returned."""
    if not isinstance(returned, tuple) or len(returned) != 2:
        what = f"{len(returned)} values" if isinstance(returned, tuple) else f"one value ({type(returned).__name__})"
        raise InputError(
            f"the environment's reset returned {what}; a Gymnasium environment returns two: observation and info "
            "(older ones of gym returned the observation alone)"
        )
    return returned[0]


def checked_answer(returned: Any) -> tuple[Any, float, bool, bool]:
    """What an environment's step returned: observation, reward, whether it ended, whether it was cut short."""
    if not isinstance(returned, tuple) or len(returned) != 5:
        what = f"{len(returned)} values" if isinstance(returned, tuple) else f"a {type(returned).__name__}"
        raise InputError(
            f"the environment's step returned {what}; a Gymnasium environment returns five: observation, reward, "
            "terminated, truncated and info (older ones of gym returned four)"
        )
    observation, reward, ended, cut_short, _ = returned
    number = _number(reward)
    if math.isnan(number):
        raise InputError(f"the environment's step returned the reward {reward!r:.60}; it must be a number")
    is_ended = truth_value(ended, "the environment's step returned the terminated")
    return observation, number, is_ended, truth_value(cut_short, "the environment's step returned the truncated")


def truth_value(value: Any, what: str) -> bool:
    """True or False, which may also be written as 1 or 0; refuses everything else, such as the word "False"."""
    plain = _plain(value)
    if not isinstance(plain, int) or plain not in (0, 1):
        raise InputError(f"{what} {value!r:.60}; it must be True or False")
    return bool(plain)


def _number(value: Any) -> float:
    """A number from -inf to inf; NaN for everything else."""
    plain = _plain(value)
    if not isinstance(plain, int | float | np.floating):
        return math.nan
    try:
        return float(plain)
    except OverflowError:
        return math.nan


def _plain(value: Any) -> Any:
    """Python's own number for one of numpy, and for an array without dimensions."""
    return value.item() if getattr(value, "shape", None) == () else value


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


def doubt_about(
    known: OpenWorld, trained: Episodes, paid_before_the_end: int, is_usual_success: bool, is_by_chance: bool
) -> str:
    """A reason to doubt what was learnt, and what to do about it; "" if there is no such reason.

    `paid_before_the_end` counts the steps with a reward above 0 that did not end an episode; `is_usual_success` says
    whether such a reward at the end counts as success, as it does unless a user says otherwise. `is_by_chance` says
    whether exploration is ε-greedy: of such an agent it is told if few of its training episodes reached the goal.
    """
    explorer = f"; {PASS_FINDS_MORE}" if is_by_chance else ""
    if known.successes and not known.failures and is_usual_success and paid_before_the_end:
        return (
            f"all {known.successes} episodes that ended count as successes, and so would "
            f"{paid_before_the_end:,} other steps, which had a reward above 0 as well: the reward does not "
            "tell the goal from other states, so there is nothing to learn; say what success is with "
            "success=lambda reward: …, or give a reward only at the goal, in a wrapper"
        )
    if known.successes:
        goals = int(trained.reached.sum())
        is_rare = is_by_chance and 2 * goals < len(trained)
        return f"only {goals} of {len(trained)} training episodes reached the goal{explorer}" if is_rare else ""
    if not len(trained):
        return ""
    if known.failures:
        which = "with a reward above 0" if is_usual_success else "with what success= calls a success"
        return (
            f"{known.failures} of {len(trained)} episodes ended, none of them {which}, so no goal is known; if such "
            f"an end is a success, say so: success=lambda reward: …{explorer}{_rarely_seen_again(known, trained)}"
        )
    return (
        f"none of {len(trained)} episodes ended before it was cut short, so no goal is known; allow more steps "
        "(max_episode_steps of gymnasium.make, step_limit of the configuration), train for more episodes, or, if "
        "an observation does not tell where the agent is, wrap the environment so that it does"
        f"{explorer}{_rarely_seen_again(known, trained)}"
    )


def _rarely_seen_again(known: OpenWorld, trained: Episodes) -> str:
    """The advice for observations that hardly ever come twice, as the end of a sentence; "" if they do."""
    observations = int(trained.sum()) + len(trained)
    if len(known.numbers) * 2 < observations or observations < FEW_STEPS:
        return ""
    return (
        f". Of {observations:,} observations {len(known.numbers):,} were new: if they hold something that never comes "
        "again, such as a counter or a picture with noise, leave it out with key="
    )
