"""Tables of Gymnasium environments: those that they expose, and those found by trying every action in every state."""

import json
import random
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple, Self

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from hierq.errors import InputError
from hierq.worlds.layout import Blueprint, Integers, Numbers, reached_from
from hierq.worlds.map_text import shortened
from hierq.worlds.observations import Key, content
from hierq.worlds.tables import OutcomeRows, numbers_of, sound_table

PREFIX = "gym:"  # of the names of worlds that Gymnasium makes
SEED_OF_THE_START = 0
MAX_STEPS = 5_000_000  # that may be taken to find all states
CHECKED_STEPS = 2_000  # of random walks that must agree with the table


class Transitions(NamedTuple):
    """Every entry of a transition table: from state by action, with a chance, to an outcome; reward and end."""

    state: Integers
    action: Integers
    chance: Numbers
    outcome: Integers
    reward: Numbers
    ends: np.ndarray[Any, np.dtype[np.bool_]]

    @classmethod
    def from_rows(cls, rows: Sequence[tuple[int, int, float, int, float, bool]]) -> Self:
        """Those of a list with a row for each, in the order of the attributes; impossible ones are left out."""
        kinds = (np.int64, np.int64, np.float64, np.int64, np.float64, np.bool_)
        columns = list(zip(*rows, strict=True)) or [()] * len(kinds)
        found: list[Any] = [np.array(column, dtype=kind) for column, kind in zip(columns, kinds, strict=True)]
        possible = found[2] > 0
        return cls(*(column[possible] for column in found))


def table_of_environment(environment: Any, goals: Iterable[int] | None) -> Blueprint:
    """The table of an environment; `World.from_gymnasium` explains it."""
    if not isinstance(environment, gymnasium.Env):
        raise InputError(
            f"this is not a Gymnasium environment but {shortened(environment)}; make one with gymnasium.make"
        )
    states, actions = _sizes(environment)
    known = _transitions(environment, states, actions)
    starts, start_chances = _starts(environment, states)
    given = None if goals is None else numbers_of(goals if np.isscalar(goals) else list(goals), "goals", whole=True)
    table = table_of_transitions(known, starts, states, actions, start_chances, given)
    return table._replace(picture=_picture(environment.unwrapped, states))


def table_of_transitions(
    known: Transitions,
    starts: Integers,
    states: int,
    actions: int,
    start_chances: Numbers | None = None,
    goals: Integers | None = None,
) -> Blueprint:
    """The table of these transitions; the goals, if not given, follow from the rewards."""
    goals, holes = _endings(known, starts, states, goals)
    entries = OutcomeRows(known.state * actions + known.action, known.outcome, known.chance)
    return sound_table(states, actions, entries, starts, goals, holes, start_chances)


def make_environment(name: str) -> Any:
    """The environment of a name such as "gym:FrozenLake-v1" or "gym:FrozenLake-v1,map_name=8x8,is_slippery=false".

    The options of `gymnasium.make` follow the id. Their values are true, false, numbers or texts.
    """
    identifier, *words = name.removeprefix(PREFIX).split(",")
    options: dict[str, Any] = {}
    for word in words:
        option, equals, value = word.partition("=")
        if not (option.isidentifier() and equals):
            raise InputError(f"{shortened(word)} in {shortened(name)} is no option; write it as is_slippery=false")
        options[option] = _option(value)
    try:
        return gymnasium.make(identifier, **options)
    except Exception as problem:  # whatever the environment's own code raises
        raise InputError(
            f"Gymnasium cannot make {shortened(name)}: {str(problem).rstrip('.?')}; name an environment by "
            f"{PREFIX} and its id, and its options behind commas, as in {PREFIX}FrozenLake-v1,is_slippery=false"
        ) from None


def _option(word: str) -> Any:
    try:
        return json.loads(word.lower())
    except ValueError:
        return word


def has_table(environment: Any) -> bool:
    """Whether an environment exposes its transitions."""
    return getattr(environment.unwrapped, "P", None) is not None


def _picture(bare: Any, states: int) -> tuple[int, int]:
    """Rows and columns in which the states of FrozenLake, CliffWalking and Taxi lie, equally many in each cell."""
    if hasattr(bare, "nrow") and hasattr(bare, "ncol"):
        rows, columns = int(bare.nrow), int(bare.ncol)
    elif hasattr(bare, "max_row") and hasattr(bare, "max_col"):
        rows, columns = int(bare.max_row) + 1, int(bare.max_col) + 1
    elif len(getattr(bare, "shape", ())) == 2:
        rows, columns = (int(side) for side in bare.shape)
    else:
        return 0, 0
    return (rows, columns) if rows > 0 and columns > 0 and states % (rows * columns) == 0 else (0, 0)


def name_of_environment(environment: Any) -> str:
    """The registered id of an environment, or the name of its class."""
    return environment.spec.id if environment.spec is not None else type(environment.unwrapped).__name__


def _sizes(environment: Any) -> tuple[int, int]:
    for what, space in (("observation", environment.observation_space), ("action", environment.action_space)):
        if isinstance(space, Discrete):
            continue
        raise InputError(
            f"the {what} space of {name_of_environment(environment)} is {shortened(space)}, and a world is made from "
            "a table of numbered states and actions; hierq.learn(env, episodes=…) learns without one, and its key= "
            "makes something countable of an observation"
        )
    return int(environment.observation_space.n), int(environment.action_space.n)


def _transitions(environment: Any, states: int, actions: int) -> Transitions:
    name, bare = name_of_environment(environment), environment.unwrapped
    table = bare.P if has_table(environment) else None
    if table is None:
        raise InputError(
            f"{name} has no transition table (env.unwrapped.P) to make a world from; if it is small and nothing in it "
            "is random, World.tabulate(env) finds its table; hierq.learn learns by stepping it"
        )
    if getattr(bare, "fickle_passenger", False):
        raise InputError(
            f"the table of {name} does not show that its passenger changes the destination; make it with "
            "fickle_passenger=False, or step it with hierq.learn"
        )
    if len(table) != states:
        raise InputError(
            f"{name} has {states:,} observations but a table of {len(table):,} states; a wrapper changes what is "
            "observed: give the environment without it"
        )
    first = int(bare.observation_space.start), int(bare.action_space.start)
    try:
        listed = [
            (state, action, float(chance), int(outcome) - first[0], float(reward), bool(ends))
            for state in range(states)
            for action in range(actions)
            for chance, outcome, reward, ends in table[state + first[0]][action + first[1]]
        ]
    except (KeyError, IndexError, TypeError, ValueError) as problem:
        raise InputError(
            f"the table of {name} is not of the form P[state][action] = [(chance, next state, reward, ends), …]: "
            f"{type(problem).__name__}: {problem}"
        ) from None
    return Transitions.from_rows(listed)


def _starts(environment: Any, states: int) -> tuple[Integers, Numbers]:
    likely = getattr(environment.unwrapped, "initial_state_distrib", None)
    if likely is None:
        observation, _ = environment.reset(seed=SEED_OF_THE_START)
        return np.array([int(observation) - int(environment.observation_space.start)]), np.ones(1)
    chances = np.asarray(likely, dtype=np.float64)
    return np.flatnonzero(chances), chances[np.flatnonzero(chances)]


def _endings(known: Transitions, starts: Integers, states: int, goals: Integers | None) -> tuple[Integers, Integers]:
    """Goals and holes: of the possible transitions that end an episode, those with the highest reward lead to goals."""
    from scipy.sparse import csr_array

    on = ~known.ends
    graph = csr_array((np.ones(on.sum()), (known.state[on], known.outcome[on])), shape=(states, states))
    happens = reached_from(graph, starts)[known.state]
    ends = happens & known.ends
    if goals is None:
        if not ends.any():
            raise InputError("no transition of this environment ends an episode; say which states are goals: goals=[…]")
        goals = np.unique(known.outcome[ends & (known.reward == known.reward[ends].max())])
    holes = np.setdiff1d(known.outcome[ends], goals)
    goes_on = np.intersect1d(known.outcome[happens & ~known.ends], holes)
    if len(goes_on):
        raise InputError(
            f"some transitions into state {goes_on[0]} end the episode and some do not, but in hierq a state ends "
            "episodes or it does not; name it among the goals, or step the environment with hierq.learn"
        )
    return goals, holes


def tabulated(environment: Any, key: Key | None, seed: int, max_states: int) -> Blueprint:
    """The table of a deterministic environment; `World.tabulate` explains it."""
    if not isinstance(environment.action_space, Discrete):
        raise InputError(
            f"the action space of {name_of_environment(environment)} is {environment.action_space!r:.60}; "
            "a table needs a Discrete one"
        )
    search = _Search(environment, key or content, seed)
    search.find_all(max_states)
    search.compare_random_walks()
    return table_of_transitions(search.transitions(), np.zeros(1, np.int64), len(search.paths), search.actions)


class _Search:
    """All states of an environment, each with a shortest sequence of actions that leads to it."""

    def __init__(self, environment: Any, key: Key, seed: int) -> None:
        self.environment, self.key, self.seed = environment, key, seed
        self.first_action, self.actions = int(environment.action_space.start), int(environment.action_space.n)
        # A state is what was observed, and whether the episode ended there.
        self.numbers: dict[Hashable, int] = {}
        self.paths: list[list[int]] = []
        self.ends: list[bool] = []
        self.known: dict[tuple[int, int], tuple[int, float]] = {}  # state, action → next state, reward
        self.steps = 0

    def find_all(self, max_states: int) -> None:
        self.number(self.environment.reset(seed=self.seed)[0], False, [])
        for state, path in enumerate(self.paths):  # it grows during the loop
            for action in range(0 if self.ends[state] else self.actions):
                self.follow([*path, action])
            if len(self.paths) > max_states or self.steps > MAX_STEPS:
                self._refuse(
                    f"has more than {len(self.paths) - 1:,} states, too many to tabulate (max_states={max_states:,}); "
                    "learn by stepping it with hierq.learn"
                )

    def number(self, observation: Any, ended: bool, path: Sequence[int]) -> int:
        number = self.numbers.setdefault((self.key(observation), ended), len(self.numbers))
        if number == len(self.paths):
            self.paths.append(list(path))
            self.ends.append(ended)
        return number

    def follow(self, path: Sequence[int], seed: int | None = None) -> None:
        """Takes actions from the start and compares every transition with the table so far."""
        observation, _ = self.environment.reset(seed=self.seed if seed is None else seed)
        state = self.number(observation, False, [])
        if state > 0:
            self._refuse("begins in another state with another seed, and a table needs one start; use hierq.learn")
        for at, action in enumerate(path):
            if self.ends[state]:
                return
            observation, reward, ended, cut, _ = self.environment.step(action + self.first_action)
            self.steps += 1
            if cut and not ended:
                self._refuse(f"was cut off after {at + 1} steps; make it with a larger max_episode_steps")
            after = self.number(observation, bool(ended), path[: at + 1])
            if self.known.setdefault((state, action), (after, float(reward))) != (after, float(reward)):
                self._refuse(
                    f"answered the same action {action + self.first_action} after the same observation differently: "
                    "it is random, or its observations do not show its whole state; use hierq.learn"
                )
            state = after

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

    def transitions(self) -> Transitions:
        ended = [state for state in range(len(self.paths)) if self.ends[state]]
        listed = [(s, a, 1.0, after, reward, self.ends[after]) for (s, a), (after, reward) in self.known.items()]
        listed += [(s, a, 1.0, s, 0.0, True) for s in ended for a in range(self.actions)]
        return Transitions.from_rows(sorted(listed))

    def _refuse(self, words: str) -> None:
        raise InputError(f"{name_of_environment(self.environment)} {words}")
