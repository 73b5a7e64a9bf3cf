"""Tables of Gymnasium environments: those that they expose, and those found by trying every action in every state."""

import json
import math
import random
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete

from hierq.errors import InputError
from hierq.worlds.layout import Blueprint, Integers, Numbers, reached_from
from hierq.worlds.observations import Key, content
from hierq.worlds.tables import numbers_of, table_from_arrays

PREFIX = "gym:"  # of the names of worlds that Gymnasium makes
SEED_OF_THE_START = 0
MAX_STEPS = 5_000_000  # that may be taken to find all states
CHECKED_STEPS = 2_000  # of random walks that must agree with the table
TRANSITION = np.dtype([("chance", "f8"), ("outcome", "i8"), ("reward", "f8"), ("ends", "?")])  # as Gymnasium has it


def make_environment(name: str) -> Any:
    """The environment of a name such as "gym:FrozenLake-v1" or "gym:FrozenLake-v1,map_name=8x8,is_slippery=false".

    The options of `gymnasium.make` follow the id. Their values are true, false, numbers or texts.
    """
    identifier, *words = name.removeprefix(PREFIX).split(",")
    options: dict[str, Any] = {}
    for word in words:
        option, equals, value = word.partition("=")
        if not (option.isidentifier() and equals):
            raise InputError(f"{word!r:.60} in {name!r:.60} is no option; write it as is_slippery=false")
        try:
            options[option] = json.loads(value.lower())
        except ValueError:
            options[option] = value
    try:
        return gymnasium.make(identifier, **options)
    except Exception as problem:  # whatever the environment's own code raises
        raise InputError(
            f"Gymnasium cannot make {name!r:.60}: {str(problem).rstrip('.?')}; name an environment by "
            f"{PREFIX} and its id, and its options behind commas, as in {PREFIX}FrozenLake-v1,is_slippery=false"
        ) from None


def name_of_environment(environment: Any) -> str:
    """The registered id of an environment, or the name of its class."""
    return environment.spec.id if environment.spec is not None else type(environment.unwrapped).__name__


def has_table(environment: Any) -> bool:
    """Whether an environment exposes its transitions."""
    return getattr(environment.unwrapped, "P", None) is not None


def table_of_environment(environment: Any, goals: Iterable[int] | None) -> Blueprint:
    """The table that an environment exposes; `World.from_gymnasium` explains it."""
    if not isinstance(environment, gymnasium.Env):
        raise InputError(f"this is not a Gymnasium environment but {environment!r:.60}; make one with gymnasium.make")
    states, actions = _count(environment, "observation"), _count(environment, "action")
    transitions = _exposed(environment, states, actions)
    starts, start_chances = _starts(environment)
    given = None if goals is None else numbers_of(goals if np.isscalar(goals) else list(goals), "goals", whole=True)
    return _table(transitions, starts, start_chances, given, _picture(environment.unwrapped, states))


def _count(environment: Any, kind: Literal["observation", "action"]) -> int:
    """How many observations or actions there are."""
    space = getattr(environment, f"{kind}_space")
    if not isinstance(space, Discrete):
        raise InputError(
            f"the {kind} space of {name_of_environment(environment)} is {space!r:.60}, and a world is made from "
            "a table of numbered states and actions; hierq.learn(env, episodes=…) learns without one, and its key= "
            "makes something countable of an observation"
        )
    return int(space.n)


def _exposed(environment: Any, states: int, actions: int) -> npt.NDArray[np.void]:
    """Array [states, actions, most] of the transitions of `env.unwrapped.P`; states and actions count from 0."""
    name, bare = name_of_environment(environment), environment.unwrapped
    if not has_table(environment):
        raise InputError(
            f"{name} has no transition table (env.unwrapped.P) to make a world from; if it is small and nothing in it "
            "is random, World.tabulate(env) finds its table; hierq.learn learns by stepping it"
        )
    if getattr(bare, "fickle_passenger", False):
        raise InputError(
            f"the table of {name} does not show that its passenger changes the destination; make it with "
            "fickle_passenger=False, or step it with hierq.learn"
        )
    if len(bare.P) != states:
        raise InputError(
            f"{name} has {states:,} observations but a table of {len(bare.P):,} states; a wrapper changes what is "
            "observed: give the environment without it"
        )
    first_state, first_action = int(bare.observation_space.start), int(bare.action_space.start)
    try:
        rows = [bare.P[s + first_state][a + first_action] for s in range(states) for a in range(actions)]
        table = np.zeros((len(rows), max(map(len, rows))), dtype=TRANSITION)
        for row, transitions in zip(table, rows, strict=True):
            row[: len(transitions)] = [tuple(transition) for transition in transitions]
    except (KeyError, IndexError, TypeError, ValueError) as problem:
        raise InputError(
            f"the table of {name} is not of the form P[state][action] = [(chance, next state, reward, ends), …]: "
            f"{type(problem).__name__}: {problem}"
        ) from None
    table["outcome"] -= first_state
    return table.reshape(states, actions, -1)


def _starts(environment: Any) -> tuple[Integers, Numbers]:
    """The starts of an environment and their chances; if it does not show them, the start after a reset."""
    shown = getattr(environment.unwrapped, "initial_state_distrib", None)
    if shown is None:
        observation, _ = environment.reset(seed=SEED_OF_THE_START)
        return np.array([int(observation) - int(environment.observation_space.start)]), np.ones(1)
    chances = np.asarray(shown, dtype=np.float64)
    return np.flatnonzero(chances), chances[np.flatnonzero(chances)]


def _picture(bare: Any, states: int) -> tuple[int, ...]:
    """Rows and columns in which the states of FrozenLake, CliffWalking and Taxi lie, equally many in each cell."""
    if hasattr(bare, "nrow") and hasattr(bare, "ncol"):
        sides: tuple[int, ...] = (int(bare.nrow), int(bare.ncol))
    elif hasattr(bare, "max_row") and hasattr(bare, "max_col"):
        sides = (int(bare.max_row) + 1, int(bare.max_col) + 1)
    else:
        sides = tuple(int(side) for side in getattr(bare, "shape", ()))
    return sides if len(sides) == 2 and min(sides) > 0 and states % math.prod(sides) == 0 else ()


def _table(
    transitions: npt.NDArray[np.void],
    starts: Integers,
    start_chances: Numbers | None = None,
    goals: Integers | None = None,
    picture: Sequence[int] = (),
) -> Blueprint:
    """The table of transitions [states, actions, most]; those with chance 0 fill up rows.

    If no goals are given, they are the states that the best paid of the possible last transitions lead to. All other
    states that end an episode are holes.
    """
    from scipy.sparse import csr_array

    states, chances, ends = len(transitions), transitions["chance"], transitions["ends"]
    outcomes = np.where(chances > 0, transitions["outcome"], 0)
    goes_on = (chances > 0) & ~ends
    origins = np.nonzero(goes_on)[0]
    graph = csr_array((np.ones(len(origins)), (origins, outcomes[goes_on])), shape=(states, states))
    happens = (chances > 0) & reached_from(graph, starts)[:, np.newaxis, np.newaxis]
    last = transitions[happens & ends]
    if goals is None:
        if not len(last):
            raise InputError("no transition of this environment ends an episode; say which states are goals: goals=[…]")
        goals = np.unique(last["outcome"][last["reward"] == last["reward"].max()])
    holes = np.setdiff1d(last["outcome"], goals)
    unclear = np.intersect1d(outcomes[happens & ~ends], holes)
    if len(unclear):
        raise InputError(
            f"some transitions into state {unclear[0]} end the episode and some do not, but in hierq a state ends "
            "episodes or it does not; name it among the goals, or step the environment with hierq.learn"
        )
    return table_from_arrays(outcomes, chances, starts, start_chances, goals, holes, picture)


def table_by_trying(environment: Any, key: Key | None, seed: int, max_states: int) -> Blueprint:
    """The table of a deterministic environment; `World.tabulate` explains it."""
    search = _Search(environment, key or content, seed)
    search.find_all(max_states)
    search.compare_random_walks()
    transitions = np.zeros((len(search.paths), search.actions, 1), dtype=TRANSITION)
    transitions["chance"], transitions["outcome"] = 1, np.arange(len(transitions))[:, np.newaxis, np.newaxis]
    for (state, action), found in search.known.items():  # from ends nothing is known
        transitions[state, action, 0] = found
    return _table(transitions, starts=np.zeros(1, np.int64))


class _Search:
    """All states of an environment, each with a shortest sequence of actions that leads to it."""

    def __init__(self, environment: Any, key: Key, seed: int) -> None:
        self.environment, self.key, self.seed = environment, key, seed
        self.actions, self.first_action = _count(environment, "action"), int(environment.action_space.start)
        self.numbers: dict[Hashable, int] = {}  # by the key of the observation and whether the episode ended there
        self.paths: list[Sequence[int]] = []
        self.known: dict[tuple[int, int], tuple[float, int, float, bool]] = {}  # state, action → a TRANSITION
        self.steps = 0

    def find_all(self, max_states: int) -> None:
        """Takes every action in every state, states in the order in which they are found."""
        self.follow([], self.seed)
        for path in self.paths:  # which grows during the loop
            for action in range(self.actions):
                self.follow([*path, action], self.seed)
            if len(self.paths) > max_states or self.steps > MAX_STEPS:
                self._refuse(
                    f"has more than {len(self.paths) - 1:,} states, too many to tabulate (max_states={max_states:,}); "
                    "learn by stepping it with hierq.learn"
                )

    def compare_random_walks(self) -> None:
        """Follows random actions: a state that is reached by other paths must behave as before."""
        draw, longest = random.Random(self.seed), 2 * max(map(len, self.paths)) + 10
        states = len(self.paths)
        for walk in range(1, 1 + max(20, CHECKED_STEPS // longest)):
            prefix = self.paths[draw.randrange(states)]
            tail = [draw.randrange(self.actions) for _ in range(longest - len(prefix))]
            self.follow([*prefix, *tail], self.seed + walk)
            if len(self.paths) > states:
                self._refuse("showed a new state where all were known: it is random; use hierq.learn")

    def follow(self, path: Sequence[int], seed: int) -> None:
        """Takes actions from the start and compares every transition with those that are known."""
        observation, _ = self.environment.reset(seed=seed)
        state = self._number(observation, False, [])
        if state > 0:
            self._refuse("begins in another state with another seed, and a table needs one start; use hierq.learn")
        for at, action in enumerate(path):
            observation, reward, ended, cut, _ = self.environment.step(action + self.first_action)
            self.steps += 1
            if cut and not ended:
                self._refuse(f"was cut off after {at + 1} steps; make it with a larger max_episode_steps")
            found = 1.0, self._number(observation, bool(ended), path[: at + 1]), float(reward), bool(ended)
            if self.known.setdefault((state, action), found) != found:
                self._refuse(
                    f"answered the same action {action + self.first_action} after the same observation differently: "
                    "it is random, or its observations do not show its whole state; use hierq.learn"
                )
            state = found[1]
            if ended:
                return

    def _number(self, observation: Any, ended: bool, path: Sequence[int]) -> int:
        number = self.numbers.setdefault((self.key(observation), ended), len(self.numbers))
        if number == len(self.paths):
            self.paths.append(path)
        return number

    def _refuse(self, words: str) -> None:
        space = self.environment.observation_space
        if words.endswith("hierq.learn") and isinstance(space, Box) and np.issubdtype(space.dtype, np.floating):
            words += " and key=, a function that makes something countable of its observations: they are real numbers"
        raise InputError(f"{name_of_environment(self.environment)} {words}")
