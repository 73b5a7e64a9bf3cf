"""Learning in an environment that has no table and that only Python can step: `hierq.learn`.

The levels choose and learn in the same compiled code as everywhere; it is left whenever a move is to be made, and taken
up again with what the environment answered.
"""

import os
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Self, cast

import gymnasium
import numpy as np

from hierq.agents.agent_tables import make_tables, plans_of
from hierq.agents.combinations import check_stepped
from hierq.agents.config import AgentConfig
from hierq.agents.control import step_outside
from hierq.agents.counts import Counts, grown_counts, make_counts
from hierq.agents.doubts import Tally, doubt_about
from hierq.agents.kernel_config import kernel_config_of
from hierq.agents.kernel_episode import make_episode
from hierq.agents.layout import Layout, columns_are_given_out, layout_of
from hierq.agents.learner_files import load_learner, save_learner
from hierq.agents.open_world import checked_answer, open_world
from hierq.agents.outcomes import Episodes, OnEpisode, run_with_callback
from hierq.agents.random_numbers import seed_words
from hierq.agents.recorded_episode import RecordedEpisode
from hierq.agents.replay_input import at_state
from hierq.agents.session import KernelSession
from hierq.checks import MAX_SEED, is_whole, whole_number
from hierq.compiling.checking import check_functions
from hierq.errors import InputError
from hierq.tables.allocation import with_room
from hierq.tables.level import Level, Tables
from hierq.tables.queries import values_of
from hierq.tables.ring_buffer import unrolled
from hierq.tables.ties import is_tied
from hierq.worlds import World
from hierq.worlds.layout import AT_GOAL, GOES_ON, IN_HOLE
from hierq.worlds.observations import Key, key_for

Success = Callable[[float], bool]
NOT_SEEN = -1
# At level 0 these follow from the number of states; a larger table has larger ones of its own.
_OF_THE_MOVES = ("row", "rows_used", "used", "tried", "action", "legal", "legal_count")


def above_zero(reward: float) -> bool:
    """What success is if nobody says otherwise."""
    return reward > 0


def _tell_nobody(_: object) -> None:
    """A callback for episodes that nobody is told about."""


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
            (explore="pass"), which finds goals far sooner than ε-greedy. `nearness` is "learnt", whatever it says.
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
        warnings.warn(doubt, stacklevel=2)
    return learner


class Learner(KernelSession):
    """An agent in an environment that only Python can step.

    Attributes:
        env: the environment.
        config: what the agent is made of.
        reached: for every episode of the latest call, whether it ended with success.
        successes: how many episodes ended with success so far.
        failures: how many ended without.
    """

    def __init__(
        self,
        env: "gymnasium.Env[Any, Any]",
        config: AgentConfig,
        *,
        seed: int = 0,
        key: Key | None = None,
        success: Success = above_zero,
    ) -> None:
        """Makes a learner that has seen nothing yet; see `learn` for the arguments."""
        if not isinstance(config, AgentConfig):
            raise InputError(f"config must be an AgentConfig, not {type(config).__name__}")
        check_stepped(config)
        self.env, self.config = env, config.replace(nearness="learnt", tables="dense")
        self.reached: list[bool] = []
        self.successes = self.failures = 0
        self._paid_before_the_end = 0
        self._success = success
        self._known = open_world(env, key)
        self._first_action = int(cast(Any, env.action_space).start)
        self._key, self._seed = key or key_for(env.observation_space), whole_number("seed", seed, MAX_SEED, least=0)
        self._random, self._is_fresh = np.zeros(4, np.uint64), True
        seed_words(self._random, self._seed)
        check_functions(self.config.functions, self.config.backup.decay or 0.0)
        self._kernel_kind = f"{self._layout.kernel_kind}, stepped"
        self._kernel_config = kernel_config_of(self.config, by_position=False)
        self._trained, self._has_reached = list[Episodes](), False
        self.make_room()

    def make_room(self) -> None:
        """Empty tables for as many states as there are numbers for."""
        self._tables = self._fresh_tables()
        self._episode = make_episode(self.config, self._tables.levels)
        self._counts = self._fresh_counts()

    def __repr__(self) -> str:
        return f"<Learner in {self._known.name}: {self.states:,} states seen, {self.config.levels} levels>"

    @property
    def states(self) -> int:
        """How many states were seen."""
        return len(self._known.numbers)

    def train(self, episodes: int = 1, on_episode: OnEpisode | None = None) -> Episodes:
        """Trains for some episodes; returns the steps of each, as `Agent.train` does.

        The outcome of an episode that ended without success is "hole", that of one that was cut short "limit".
        """
        if on_episode is not None:
            return run_with_callback(self._checked(episodes), on_episode, training=self.train)[0]
        return self._episodes(episodes, learning=True)

    def evaluate(self, episodes: int = 1, on_episode: OnEpisode | None = None) -> Episodes:
        """Plays some episodes without learning; returns the steps of each, as `train` does."""
        if on_episode is not None:
            return run_with_callback(self._checked(episodes), on_episode, evaluation=self.evaluate)[0]
        return self._episodes(episodes, learning=False)

    def alternate(self, iterations: int = 50, on_episode: OnEpisode | None = None) -> tuple[Episodes, Episodes]:
        """The paper's protocol, as `Agent.alternate`: one training episode, then one evaluation episode, and so on."""
        count, tell = whole_number("iterations", iterations, least=0), on_episode or _tell_nobody
        trained, evaluated = run_with_callback(count, tell, training=self.train, evaluation=self.evaluate)
        return trained, evaluated

    def walk(self) -> RecordedEpisode:
        """A greedy episode: without exploration, and nothing is learnt. `key_of` says which states it went through.

        Ties are broken at random, but the learner's later choices are as if it had not walked. The environment is
        reset and stepped as in any episode.
        """
        config, words = self._kernel_config, self._random.copy()
        try:
            self._kernel_config = config._replace(explore_eval=0.0)
            self._episodes(1, learning=False)
            return self.last_episode
        finally:
            self._kernel_config, self._random[:] = config, words

    @property
    def last_episode(self) -> RecordedEpisode:
        """The latest episode; its states are numbers, for which `key_of` has the keys, its actions count from 0."""
        names = tuple(str(self._first_action + action) for action in range(self._known.actions))
        return self._recorded(self._has_reached, names)

    def key_of(self, state: int) -> Hashable:
        """The key of a state: what was observed there, as the function `key` made it."""
        keys = list(self._known.numbers)
        if not is_whole(state) or not 1 <= state <= len(keys):
            raise InputError(f"there is no state {state!r}; states 1 to {len(keys)} were seen")
        return keys[state - 1]

    @property
    def doubt(self) -> str:
        """Why what was learnt so far can hardly be right: no goal was reached, or every end counts as one. Or ""."""
        curve, is_usual = self.learning_curve, self._success is above_zero
        tally = Tally(
            len(curve), int(np.sum(curve)), self.successes, self.failures, self._paid_before_the_end, self.states
        )
        return doubt_about(tally, is_usual)

    @property
    def learning_curve(self) -> Episodes:
        """The steps of all training episodes so far, and how each ended."""
        return Episodes.joined(self._trained)

    def values(self, level: int = 0) -> dict[Any, float]:
        """max_a Q_level(s, a, goal) of the environment's goal, for every state that was seen, by its key."""
        return {seen: max(q.values(), default=self._level(level).start_value) for seen, q in self._actions(level)}

    def q_values(self, level: int = 0) -> dict[Any, dict[Any, float]]:
        """Q_level(s, a, goal) of the environment's goal, for every state that was seen and every action tried there.

        States are named by their keys; so are the actions above level 0. At level 0 an action is the environment's.
        """
        names = list(self._known.numbers)
        return {
            seen: {self._action_name(level, a, names): q for a, q in row.items()} for seen, row in self._actions(level)
        }

    def _action_name(self, level: int, action: int, names: list[Any]) -> Any:
        return action + self._first_action if level == 0 else names[action - 1]

    def value(self, level: int, observation: Any, action: Any) -> float:
        """Q_level(s, a, goal) of the environment's goal at what is observed.

        Args:
            level: 0 … k − 1.
            observation: as the environment gives it; one that was never seen has the start value.
            action: at level 0 an action of the environment; above, an observation to ask for.
        """
        table, numbers = self._level(level), self._known.numbers
        state = numbers.get(self._key(observation), NOT_SEEN)
        wanted = int(action) - self._first_action if level == 0 else numbers.get(self._key(action), NOT_SEEN)
        return self._q(level, state).get(wanted, table.start_value) if state != NOT_SEEN else table.start_value

    def policy(self, level: int = 0) -> dict[Any, Any]:
        """A best action for every state where something was learnt, by its key.

        At level 0 an action of the environment; above, the key of the state to ask for.
        """
        start, names = self._level(level).start_value, list(self._known.numbers)
        known = [(seen, q) for seen, q in self._actions(level) if not self._all_tie(start, q.values())]
        best = {seen: max(q, key=lambda a: q[a]) for seen, q in known}
        return {seen: self._action_name(level, a, names) for seen, a in best.items()}

    def _all_tie(self, start: float, values: Iterable[float]) -> bool:
        return all(is_tied(start, value, self.config.tie_tolerance) for value in values)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves what was learnt as a safetensors file, without the environment; see `Learner.load`.

        Raises:
            InputError: states are told apart by something that a file cannot hold, or it cannot be written.
        """
        save_learner(self, path)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        env: "gymnasium.Env[Any, Any]",
        *,
        key: Key | None = None,
        success: Success = above_zero,
    ) -> Self:
        """Loads a saved learner into an environment like the one it learnt in, which begins afresh with its seed.

        Raises:
            InputError: the file cannot be read, is damaged, or is of another environment.
        """
        return load_learner(path, lambda config, seed: cls(env, config, seed=seed, key=key, success=success))

    def _q(self, level: int, state: int) -> dict[int, float]:
        """Q_level(s, ·, goal) of the environment's goal, by the numbers of the actions that were tried."""
        table = self._level(level)
        rows = table.tried[state, : table.used[state]]
        values = values_of(table, table.q[rows, int(table.column[self._known.goal])])
        return dict(zip(table.action[rows].tolist(), values.tolist(), strict=True))

    def _actions(self, level: int) -> Iterator[tuple[Any, dict[int, float]]]:
        """The same for every state that was seen, with its key."""
        return ((seen, self._q(level, number)) for seen, number in self._known.numbers.items())

    def _checked(self, episodes: int) -> int:
        return whole_number("episodes", episodes, least=0)

    def _episodes(self, episodes: int, learning: bool) -> Episodes:
        self.reached = []
        lived = np.array([self._live(learning) for _ in range(self._checked(episodes))], np.int64).reshape(-1, 2)
        made = Episodes(lived[:, 0], lived[:, 1])
        self.reached = made.reached.tolist()
        self._trained += [made] if learning else []
        return made

    def _live(self, learning: bool) -> tuple[int, int]:
        """One episode: the levels choose, the environment answers, and so on; its steps and how it ended."""
        observation, _ = self.env.reset(seed=self._seed if self._is_fresh else None)
        self._is_fresh = False
        self._episode.now[0]["has_begun"] = 0
        state = self._number(observation)
        self._known.arrive(state, ended=False, succeeded=False)
        steps, over, ending = 0, False, GOES_ON
        try:
            while True:
                self._advance(state, learning, steps > 0, over)
                if over:
                    break
                (action,) = unrolled(self._episode.actions, steps, steps + 1)
                observation, reward, ended, cut_short = checked_answer(self.env.step(int(action) + self._first_action))
                steps += 1
                state = self._number(observation)
                succeeded = bool(ended and self._success(reward))
                self._known.arrive(state, bool(ended), succeeded)
                self.successes += succeeded
                self.failures += bool(ended) and not succeeded
                self._paid_before_the_end += not ended and reward > 0
                over = bool(ended or cut_short or steps == self.config.step_limit)
                ending = (AT_GOAL if succeeded else IN_HOLE) if ended else GOES_ON
        finally:
            if self._episode.now[0]["has_begun"]:  # cut short: traces of the next episode begin after those of this one
                self._episode.live_errors.episode_offset[0] += steps + 1
                self._episode.now[0]["has_begun"] = 0
            self._steps, self._has_reached = steps, ending == AT_GOAL
        return steps, ending

    def _advance(self, state: int, learning: bool, has_moved: bool, is_last: bool) -> None:
        """Learns from the move that led to a state and chooses the next, with more room whenever a table is full."""
        world = self._known.arrays()
        self._choose_kernel(world)
        while not self._call_kernel(step_outside, world, at_state(state), learning, has_moved, is_last):
            has_moved = False  # it is learnt already, and learning backward goes on

    def _number(self, observation: Any) -> int:
        """The number of the state that is observed; when there is no room for one more, the tables grow."""
        seen = self._key(observation)
        if seen not in self._known.numbers and not self._known.has_room():
            self._grow()
        return self._known.number_of(seen)

    def _grow(self) -> None:
        """Makes room for twice as many states: all of it or, if something comes in between, nothing."""
        self._known.grow()
        try:
            tables = self._grown_tables()
            room = make_episode(self.config, tables.levels)
            counts = grown_counts(self._counts, self._fresh_counts())
        except BaseException:
            self._known.shrink()
            raise
        for name in ("backups", "rows", "episode_offset"):
            getattr(room.live_errors, name)[:] = getattr(self._episode.live_errors, name)
        # The larger room first: it does no harm to smaller tables.
        larger = {name: getattr(room, name) for name in ("returns", "hop_room", "live_errors", "ties")}
        self._episode = self._episode._replace(**larger)
        self._tables, self._counts = tables, counts

    def _grown_tables(self) -> Tables:
        """Larger tables that hold the same."""
        tables = self._fresh_tables()
        for i, old in enumerate(self._tables.levels):
            tables = with_room(tables, i, len(old.action))
            new = tables.levels[i]
            for name in old._fields:
                array = getattr(old, name)
                if hasattr(array, "shape") and name != "powers" and not (i == 0 and name in _OF_THE_MOVES):
                    getattr(new, name)[tuple(slice(length) for length in array.shape)] = array
            new.q[: old.rows_used[0], old.q.shape[1] :] = new.start_value
            if old.conditioned and not columns_are_given_out(self.config):
                new.columns_used[0] = self._known.states
                self._copy_spare_column(old, new)
        return tables

    def _copy_spare_column(self, old: Level, new: Level) -> None:
        """Goals that were never seen have learnt something, too, all the same: it is the beginning of the new ones."""
        count = len(old.used)
        for name in ("q", "v", "cut_at"):
            before, after = getattr(old, name), getattr(new, name)
            if before.shape[1] >= count:
                after[: len(before), count : self._known.states] = before[:, count - 1 : count]

    @property
    def _layout(self) -> Layout:
        return layout_of(cast(World, self._known), self.config)

    def _fresh_counts(self) -> Counts:
        return make_counts(self.config.explorer, self._known.states, self._known.states, self._known.actions)

    def _fresh_tables(self) -> Tables:
        """Tables in which the environment's goal has a column, although nobody will ever stand on it."""
        tables = make_tables(plans_of(self._layout))
        shared = tables.levels[0]
        if shared.column[self._known.goal] < 0:
            shared.column[self._known.goal] = shared.columns_used[0]
            shared.columns_used[0] += 1
        return tables
