"""Learning in an environment that has no table and that only Python can step: `hierq.learn`.

The levels choose and learn in compiled code, as they do in a World. The code returns to Python for every move and goes
on with the environment's answer.
"""

import json
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Self, cast

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from hierq.agents.agent_tables import grown_tables, make_episode
from hierq.agents.combinations import stepped
from hierq.agents.config import AgentConfig
from hierq.agents.counts import make_counts
from hierq.agents.entry_points import step_outside
from hierq.agents.kernel_agent import NOT_REPLAYED, ReplayInput
from hierq.agents.layout import layout_of
from hierq.agents.needed_memory import check_fits
from hierq.agents.outcomes import Episodes, RecordedEpisode
from hierq.agents.replay_input import listed_moves
from hierq.agents.saving import load_session, save_session
from hierq.agents.session import KernelSession, as_episodes, check_is_config, takes_config
from hierq.agents.value_warnings import warn_caller
from hierq.checks import MAX_SEED, is_whole, whole_number
from hierq.environments.answers import checked_answer, first_observation, truth_value
from hierq.environments.doubts import doubt_about
from hierq.environments.open_world import OpenWorld, open_world
from hierq.errors import InputError
from hierq.tables.aligned import copy_into
from hierq.tables.level import Longs
from hierq.tables.queries import UNKNOWN, all_action_values, greedy_actions, highest_values
from hierq.tables.ring_buffer import unrolled
from hierq.wording import plural
from hierq.worlds import GridEnv, World
from hierq.worlds.observations import Key, key_for

Success = Callable[[float], bool]


def above_zero(reward: float) -> bool:
    """Success as it is by default: a reward above 0."""
    return reward > 0


@takes_config
def learn(
    env: "gymnasium.Env[Any, Any]",
    config: AgentConfig | None = None,
    episodes: int = 100,
    *,
    seed: int = 0,
    key: Key | None = None,
    success: Success = above_zero,
) -> "Learner":
    """Learns in any Gymnasium environment with numbered actions by stepping it.

    A state is what is observed; it gets a number when it is first seen. The aim is to end an episode with a positive
    reward; the size of rewards plays no part. What a level may ask for is what it has reached before.

        hierq.learn(gymnasium.make("CliffWalking-v1"), success=lambda reward: True)  # every end is the goal

    Args:
        env: the environment. Where an observation does not tell everything, as in MiniGrid, wrap it so that it does
            (minigrid.wrappers.FullyObsWrapper).
        config: the agent; left out, two levels that hand a goal down as long as they know nothing of it
            (explore="pass"), which finds goals far sooner than ε-greedy. Its `nearness` is "learnt".
        episodes: training episodes.
        seed: where the random numbers come from, those of the environment as well.
        key: makes something hashable of an observation; left out, the number of a Discrete observation, a tuple of
            numbers for Tuple and MultiDiscrete, and for any other a hash of all that is in it.
        success: whether the last reward of an episode that ended means success; left out, one above 0 does.

    Returns:
        The learner, to be evaluated, trained on, or saved.

    Raises:
        InputError: the environment or the configuration is not what it should be.
    """
    learner = Learner(
        env, AgentConfig(explore="pass") if config is None else config, seed=seed, key=key, success=success
    )
    learner.train(episodes)
    if doubt := learner.doubt:
        warn_caller(doubt)
    return learner


def _known_at_first(env: Any, key: Key | None, known: OpenWorld | None) -> OpenWorld:
    """What is known of an environment: nothing yet, or what an earlier learner knew of one like it."""
    if env is None:
        if known is None:
            raise InputError("a learner needs an environment to learn in; make one with gymnasium.make")
        return known
    here = open_world(env, key)
    if known is None:
        return here
    if (known.name, known.actions) != (here.name, here.actions):
        raise InputError(
            f"it learnt in {known.name} with {known.actions} actions, and this is {here.name} with {here.actions}"
        )
    return known


def _itself(observation: Any) -> Hashable:
    return cast(Hashable, observation)


class Learner(KernelSession):
    """An agent in an environment that only Python can step.

    The outcome of an episode that ended without success is "hole", that of one that was cut short "limit".

    Attributes:
        env: the environment; None if it was loaded without one, to be looked at.
        known: what is known of the environment: the states that were seen, starts, goals and holes.
    """

    seed: int  # also of the environment's random numbers

    @takes_config
    def __init__(
        self,
        env: "gymnasium.Env[Any, Any] | None",
        config: AgentConfig,
        *,
        seed: int = 0,
        key: Key | None = None,
        success: Success = above_zero,
        known: OpenWorld | None = None,
    ) -> None:
        """Makes a learner that has learnt nothing yet; see `learn` for the arguments.

        `known` is what an earlier learner knew of the environment, as a file holds it.
        """
        check_is_config(config)
        config = stepped(config)
        for name, function, example in (("key", key, "tuple"), ("success", success, "lambda reward: reward > 0")):
            if not (callable(function) or (name == "key" and function is None)):
                raise InputError(f"{name}= is a function, such as {example}, not {function!r:.60}")
        self.env: Any = env
        self._success, self._own_key = success, key
        self.known = known = _known_at_first(env, key, known)
        self._key = key or (_itself if env is None else key_for(env.observation_space))
        self.action_names = tuple(str(known.first_action + action) for action in range(known.actions))
        self._arrays = known.arrays()
        self._is_fresh = True
        self._trained = list[tuple[int, int]]()
        super().__init__(cast(World, known), config, whole_number("seed", seed, MAX_SEED, least=0))
        self.kernel_kind += ", stepped"

    def __repr__(self) -> str:
        levels = plural(self.config.levels, "level")
        return f"<Learner in {self.known.name}: {plural(self.states, 'state')} seen, {levels}>"

    @property
    def states(self) -> int:
        """How many states were seen."""
        return len(self.known.keys)

    @property
    def world(self) -> World:
        """The environment as a World, for figures: its map shows what was learnt.

        Raises:
            InputError: the environment has no table of moves, or states are not told apart by its numbers.
        """
        if self.env is None:
            raise InputError("this learner was loaded without its environment; give it to Learner.load to draw on it")
        space, bare = self.env.observation_space, self.env.unwrapped
        if self._own_key is not None or not isinstance(space, Discrete):
            raise InputError(
                f"there is no map to draw {self.known.name} on: a map needs states that are told apart by the "
                "environment's own numbers, and key= or its observations are something else"
            )
        return bare.world if isinstance(bare, GridEnv) else World.from_gymnasium(self.env)

    def walk(self) -> RecordedEpisode:
        """A greedy episode: without exploration, and nothing is learnt. `key_of` says which states it went through.

        Ties are broken at random, but the learner's later choices are as if it had not walked. The environment is
        reset and stepped as in any episode.
        """
        with self._walking(self.config.step_limit):
            self._live(learning=False)
        return self.last_episode

    def replay(self, moves: str | Sequence[int] | RecordedEpisode) -> RecordedEpisode:
        """Learns from one training episode along given moves, which are made in the environment first.

        Args:
            moves: actions of the environment, or an episode that a learner recorded there. They may end before the
                episode does, not after it.

        Raises:
            InputError: something is no action, or the episode ended before the last move; nothing is learnt then.
        """
        listed = listed_moves(moves, self.config.step_limit, self.known.first_action)
        numbers = np.array([self._action_number(0, 0, move) for move in listed], np.int64)
        path, is_over = [self._reset()], False
        for t, number in enumerate(numbers):
            if is_over:
                raise InputError(f"the episode is over after {t} of {len(numbers)} moves; leave the rest out")
            state, is_over = self._step(number)
            path.append(state)
        self._learn_along(((state, t == len(numbers)) for t, state in enumerate(path)), numbers, learning=True)
        self._warn_about_values()
        self._trained.append((self._steps, self._ending))
        return self.last_episode

    def key_of(self, state: int) -> Hashable:
        """The key of a state: what was observed there, as the function `key` made it."""
        if not is_whole(state) or not 1 <= state <= self.states:
            raise InputError(f"there is no state {state!r}; states 1 to {self.states} were seen")
        return self.known.keys[state - 1]

    @property
    def doubt(self) -> str:
        """A reason to doubt what was learnt so far: few goals or none were reached, or every end is one. Else ""."""
        return doubt_about(
            self.known,
            self.learning_curve,
            is_usual_success=self._success is above_zero,
            is_by_chance=self.config.explore == "epsilon",
        )

    @property
    def learning_curve(self) -> Episodes:
        """The steps of all training episodes so far, and how each ended."""
        return as_episodes(self._trained)

    def values(self, level: int = 0, goal: Any = None) -> dict[Any, float]:
        """max_a Q_level(s, a, goal) for every state that was seen, by its key.

        The goal is an observation; left out, it is the environment's.
        """
        return dict(zip(self.known.keys, highest_values(*self._asked(level, goal))[1:].tolist(), strict=False))

    def policy(self, level: int = 0, goal: Any = None) -> dict[Any, Any]:
        """A best action for every state where something was learnt, by its key.

        At level 0 an action of the environment; above, the key of the state to ask for. Where several tie, it is the
        first action, or the state that was seen first.
        """
        actions = greedy_actions(*self._asked(level, goal), self.config.tie_tolerance)[1:].tolist()
        pairs = zip(self.known.keys, actions, strict=False)
        return {seen: self._action_name(level, action) for seen, action in pairs if action != UNKNOWN}

    def q_values(self, level: int = 0, goal: Any = None) -> dict[Any, dict[Any, float]]:
        """Q_level(s, a, goal) for every state that was seen and every action that a level may take there.

        States are named by their keys; so are the actions above level 0. At level 0 an action is the environment's.
        """
        found: dict[Any, dict[Any, float]] = {}
        for states, legal, values in all_action_values(*self._asked(level, goal)):
            for state, actions, row in zip(states.tolist(), legal.tolist(), values.tolist(), strict=True):
                if 1 <= state <= self.states:
                    pairs = zip(actions, row, strict=True)
                    found[self.key_of(state)] = {self._action_name(level, a): q for a, q in pairs if a >= 0}
        return found

    def set_value(self, level: int, state: Any, action: Any, value: float, goal: Any = None) -> None:
        """As for an Agent. The state, the goal and an action above level 0 are observations that were seen."""
        for seen in (state, *([] if goal is None else [goal]), *([action] if level else [])):
            if self._state_number(seen) == self.known.spare:
                raise InputError(f"{seen!r:.60} was never seen in {self.known.name}, so there is no entry for it")
        super().set_value(level, state, action, value, goal)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves what was learnt as a safetensors file, without the environment; see `Learner.load`.

        Raises:
            InputError: states are told apart by something that a file cannot hold, or it cannot be written.
        """
        save_session(self, path, "learner", {"known": json.dumps(self.known.to_plain())})

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        env: "gymnasium.Env[Any, Any] | None" = None,
        *,
        key: Key | None = None,
        success: Success = above_zero,
    ) -> Self:
        """Loads a saved learner into an environment like the one it learnt in, which begins afresh with its seed.

        Without an environment it can be asked, and shown, but neither trained nor evaluated; states are then named by
        their keys.

        Raises:
            InputError: the file cannot be read, is damaged, or is of another environment.
        """
        return load_session(
            path,
            "learner",
            lambda words: OpenWorld.from_plain(json.loads(words["known"])),
            lambda known, config, seed: cls(env, config, seed=seed, key=key, success=success, known=known),
        )

    def _state_number(self, state: Any) -> int:
        number = self.known.numbers.get(self._key(state))
        if number is not None:
            return number
        space = None if self.env is None or self._own_key else self.env.observation_space
        if isinstance(space, Discrete) and not space.contains(state):
            last = int(space.start + space.n) - 1
            raise InputError(f"{state!r:.60} is no observation of {self.known.name}; they are {space.start} to {last}")
        return self.known.spare

    def _action_number(self, level: int, state: int, action: Any) -> int:
        if level > 0:
            return self._state_number(action)
        first = self.known.first_action
        if isinstance(action, str) and action.isdecimal():
            action = int(action)
        if not is_whole(action) or not 0 <= action - first < self.known.actions:
            raise InputError(f"an action is one of {first} to {first + self.known.actions - 1}, not {action!r}")
        return int(action) - first

    def _action_name(self, level: int, action: int) -> Any:
        return action + self.known.first_action if level == 0 else self.key_of(action)

    def _run(self, train: int, evaluate: int) -> tuple[Episodes, Episodes]:
        begun, evaluated = len(self._trained), []
        for number in range(max(train, evaluate)):
            if number < train:
                self._trained.append(self._live(learning=True))
            if number < evaluate:
                evaluated.append(self._live(learning=False))
        if train:
            self._warn_about_values()
        return as_episodes(self._trained[begun:]), as_episodes(evaluated)

    def _reset(self) -> int:
        """Begins an episode of the environment; returns its first state."""
        if self.env is None:
            raise InputError("this learner was loaded without its environment; give it to Learner.load to go on")
        observation = first_observation(self.env.reset(seed=self.seed if self._is_fresh else None))
        self._is_fresh = False
        state = self._number(observation)
        self.known.begin_at(state)
        return state

    def _step(self, action: int) -> tuple[int, bool]:
        """Makes a move; returns the state it led to, and whether the episode is over."""
        observation, reward, ended, cut_short = checked_answer(self.env.step(action + self.known.first_action))
        state = self._number(observation)
        self.known.arrive(state, reward, ended, ended and truth_value(self._success(reward), "success= returned"))
        return state, ended or cut_short

    def _live(self, learning: bool) -> tuple[int, int]:
        """One episode: the levels choose, the environment answers, and so on; its steps and how it ended."""
        self._learn_along(self._played(), NOT_REPLAYED.moves, learning)
        return self._steps, self._ending

    def _played(self) -> Iterator[tuple[int, bool]]:
        """The states of an episode of the environment, each when it is reached, and whether it is the last."""
        yield self._reset(), False
        for t in range(self.config.step_limit):
            (action,) = unrolled(self._episode.actions, t, t + 1)
            state, is_over = self._step(int(action))
            yield state, is_over or t + 1 == self.config.step_limit
            if is_over:
                return

    def _learn_along(self, states: Iterable[tuple[int, bool]], moves: Longs, learning: bool) -> None:
        """Learns from the moves that led to states, and chooses the next, with more room whenever a table is full."""
        self._episode.now[0]["has_begun"] = 0
        try:
            for t, (state, is_last) in enumerate(states):
                self._arrays, has_moved = self.known.arrays(), t > 0
                replay = ReplayInput(moves, np.array([state]))
                while not self._call_kernel(step_outside, replay, learning, has_moved, is_last):
                    has_moved = False  # it is learnt already, and learning backward goes on
        finally:
            self._close_episode()

    def _number(self, observation: Any) -> int:
        """The number of the state that is observed; when there is no room for one more, the tables grow."""
        seen = self._key(observation)
        try:
            is_new = seen not in self.known.numbers
        except TypeError:
            raise InputError(
                f"key= made a {type(seen).__name__} of an observation, which is not hashable; let it "
                "make a number, a text, bytes, or a tuple of them"
            ) from None
        if is_new and not self.known.has_room():
            self._grow()
        return self.known.number_of(seen)

    def _grow(self) -> None:
        """Makes room for twice as many states. If it fails, as for lack of memory, everything stays as it was."""
        known = self.known.larger()
        layout = layout_of(cast(World, known), self.config)
        check_fits(layout)
        tables, episode, counts = grown_tables(self._tables, layout), make_episode(layout), make_counts(layout)
        copy_into((episode, counts), (self._episode, self._counts))
        self.layout, self._tables, self._episode, self._counts = layout, tables, episode, counts
        self.known, self._world = known, cast(World, known)
