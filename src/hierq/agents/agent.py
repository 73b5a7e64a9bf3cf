"""Agent: a world, a configuration and what was learnt; the thin face over the kernels."""

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np

from hierq.agents.agent_tables import clear_tables, make_tables, plans_of
from hierq.agents.agent_values import UNKNOWN as UNKNOWN
from hierq.agents.agent_values import AgentValues
from hierq.agents.config import AgentConfig
from hierq.agents.control import run
from hierq.agents.counts import clear_counts, make_counts
from hierq.agents.divergence import is_finite, warn_of_divergence
from hierq.agents.html import html_table
from hierq.agents.kernel_config import kernel_config_of
from hierq.agents.kernel_episode import make_episode
from hierq.agents.layout import layout_of
from hierq.agents.outcomes import Episodes, OnEpisode, run_with_callback
from hierq.agents.random_numbers import seed_words
from hierq.agents.recorded_episode import RecordedEpisode as RecordedEpisode
from hierq.agents.replay_input import NOT_REPLAYED, ReplayInput, at_state, checked_trace, recorded_trace
from hierq.agents.rivals.memory import clear_memory, make_memory
from hierq.agents.saving import load_agent, save_agent
from hierq.agents.underflow import is_underflowing, warn_of_underflow
from hierq.agents.world_arrays import AT_GOAL, GOES_ON, with_goal, world_arrays
from hierq.checks import MAX_SEED, whole_number
from hierq.compiling.checking import check_functions
from hierq.errors import InputError
from hierq.tables import aligned
from hierq.tables.level import Longs
from hierq.tables.ring_buffer import unrolled
from hierq.worlds import World, make_world
from hierq.worlds.world import Place

NO_EPISODES = np.zeros((0, 2), np.int64)
LOOKED_AT = 8  # last states of an episode, whose values are looked at
STEPS_PER_CALL = 100_000  # a longer episode leaves the kernel in between, so that Ctrl-C ends it


class Agent(AgentValues):
    """An agent that learns in a world.

    Attributes:
        world: where it lives.
        config: what it is made of.
        seed: where its random numbers come from.
    """

    def __init__(
        self,
        world: World | str | os.PathLike[str],
        config: AgentConfig,
        seed: int | np.random.SeedSequence = 0,
    ) -> None:
        """Makes an agent that knows nothing yet.

        Args:
            world: where it lives: a World, the name of one that comes with hierq, or the path of a map file.
            config: what it is made of.
            seed: a whole number ≥ 0, or a SeedSequence; equal seeds give equal agents.

        Raises:
            InputError: the tables would not fit into memory, or an argument is not what it should be.
        """
        world = _checked_world(world)
        if not isinstance(config, AgentConfig):
            raise InputError(f"config must be an AgentConfig, not {type(config).__name__}")
        check_functions(config.functions, config.backup.decay or 0.0)
        self.world, self.config, self.seed = world, config, _checked_seed(seed)
        self._layout = layout = layout_of(world, config)
        self._kernel_kind, self._plans = layout.kernel_kind, plans_of(layout)
        self._tables = make_tables(self._plans)
        by_position = layout.nearness == "L1"
        can_be_asked_for = not by_position or config.subgoals == "anywhere" or world.is_geometric
        self._kernel_config = kernel_config_of(config, by_position, hops_are_actions=can_be_asked_for)
        self._world = world_arrays(world)
        self._episode = make_episode(config, self._tables.levels)
        self._episode.states[0] = world.start
        self._counts = make_counts(config.explorer, world.states, layout.goals, world.actions)
        rows, places = self._tables.levels[0].q.shape
        rule = config.backup.memory_rule
        self._memory: Any = () if rule is None else make_memory(rule, world.states, rows, places)
        self._random = aligned.zeros(4, np.uint64)
        seed_words(self._random, self.seed)
        if rule is not None and not rule.is_builtin:
            self._point_to_functions(self._world)  # refuses a rule that cannot be compiled
        self._steps, self._ending = 0, world.ending  # of the latest episode, and where it could end
        self._chunk = 1  # episodes in a compiled call
        self._may_diverge = layout.kind != "ranks" and not config.backup.never_negative
        self._has_warned = False  # that values have become too small

    def restart(self, seed: int | np.random.SeedSequence = 0) -> None:
        """Forgets everything: from here on it is the agent that a new one with this seed would be.

        Faster than a new one, because its memory is there already.
        """
        self.seed = _checked_seed(seed)
        clear_tables(self._tables, self._plans, self._layout)
        self._episode.states[0] = self.world.start
        self._episode.live_errors.rows[0] = 0
        clear_counts(self._counts)
        if self._memory:
            clear_memory(self._memory)
        seed_words(self._random, self.seed)
        self._steps, self._ending, self._chunk = 0, self.world.ending, 1

    def train(self, episodes: int = 1, on_episode: OnEpisode | None = None) -> Episodes:
        """Trains for some episodes.

        Args:
            episodes: how many.
            on_episode: called after each of them with a `FinishedEpisode`: its number, kind, steps and outcome. What it
                raises ends the training there, between two episodes.

        Returns:
            The steps of each, an array that also knows how each ended.
        """
        count = _count("episodes", episodes)
        if on_episode is not None:
            return run_with_callback(count, on_episode, training=self.train)[0]
        return self._run(count, 0)[0]

    def train_for(self, steps: int) -> Episodes:
        """Trains for a number of steps; the episode that is under way at the end is given up, but learnt from.

        Returns:
            The number of steps of each episode that was finished.
        """
        left, finished = _count("steps", steps), []
        while left > 0:
            lived = np.zeros((1, 2), np.int64)
            with self._step_limit(left):
                self._run_chunk(lived, NO_EPISODES, NOT_REPLAYED)
            left -= self._steps
            if lived[0, 1] != GOES_ON or self._steps == self.config.step_limit:
                finished.append(_as_episodes(lived))
        self._warn_once()
        return Episodes.joined(finished)

    def evaluate(self, episodes: int = 1, goal: Place | None = None, on_episode: OnEpisode | None = None) -> Episodes:
        """Plays some episodes without learning.

        Args:
            episodes: how many.
            goal: a state that is the goal of these episodes in place of the world's; all levels must know about all
                goals, universal_top=True.
            on_episode: as for `train`.

        Returns:
            The steps of each, an array that also knows how each ended.
        """
        count, own = _count("episodes", episodes), self._world
        if on_episode is not None:
            return run_with_callback(count, on_episode, evaluation=lambda: self.evaluate(1, goal))[0]
        if goal is None:
            return self._run(0, count)[1]
        self._checked_goal(self.config.levels - 1, goal)
        try:
            self._world = with_goal(own, self.world.state_number(goal))
            return self._run(0, count)[1]
        finally:
            self._world = own

    def walk(self, start: Place, goal: Place | None = None, step_limit: int | None = None) -> RecordedEpisode:
        """The greedy walk from a state to a goal: without exploration, and nothing is learnt.

        Ties are broken at random, but what the agent does afterwards is as if it had not walked.

        Args:
            start: where it begins.
            goal: where it is to lead; the environment's goal if left out. For others all levels must know all goals.
            step_limit: steps after which the walk is given up; those of an episode if left out.
        """
        state, own = self.world.state_number(start), (self._world, self._kernel_config, self._random.copy())
        if goal is not None:
            self._checked_goal(self.config.levels - 1, goal)
            self._world = with_goal(self._world, self.world.state_number(goal))
        limit = self.config.step_limit if step_limit is None else _count("step_limit", step_limit)
        try:
            self._kernel_config = self._kernel_config._replace(explore_eval=0.0)
            with self._step_limit(limit):
                self._run(0, 1, at_state(state))
            return self.last_episode
        finally:
            self._world, self._kernel_config, self._random[:] = own

    def alternate(self, iterations: int = 50, on_episode: OnEpisode | None = None) -> tuple[Episodes, Episodes]:
        """The paper's protocol: one training episode, then one evaluation episode, and so on.

        Args:
            iterations: how many of each.
            on_episode: as for `train`; called after the episodes of either kind.

        Returns:
            The steps of the training episodes and those of the evaluation episodes.
        """
        count = _count("iterations", iterations)
        if on_episode is not None:
            trained, evaluated = run_with_callback(count, on_episode, training=self.train, evaluation=self.evaluate)
            return trained, evaluated
        return self._run(count, count)

    def replay(self, moves: str | Sequence[int], states: Sequence[Place] | None = None) -> RecordedEpisode:
        """Learns from one training episode along given moves.

        Args:
            moves: letters N, S, W, E, or numbers of actions. The moves may end before the goal, not after it.
            states: S_0 … S_T, where the moves led, each a possible outcome of its move. Left out, the episode begins at
                the start; that needs a world with one start and without chance.

        Returns:
            The episode; every level's goal is the environment's, since nobody was asked for one.
        """
        replay = checked_trace(self.world, self.config, moves, states)
        self._learn_along(replay)
        self._steps = len(replay.moves)
        if not self._steps:
            self._episode.states[0] = replay.path[0]
        return self.last_episode

    def learn_from(self, episode: RecordedEpisode) -> None:
        """Learns from an episode that another agent recorded in the same world.

        Faster than `replay`, which follows every move to check it.

        Raises:
            InputError: the episode's beginning is forgotten, it is longer than the step limit, or its numbers are
                those of another world.
        """
        self._learn_along(recorded_trace(self.world, self.config, episode))

    def _learn_along(self, replay: ReplayInput) -> None:
        with self._step_limit(len(replay.moves)):
            self._run(min(1, len(replay.moves)), 0, replay)

    @contextlib.contextmanager
    def _step_limit(self, limit: int) -> Iterator[None]:
        """In this block episodes are given up after `limit` steps, if not before."""
        own = self._kernel_config
        self._kernel_config = own._replace(step_limit=min(limit, own.step_limit))
        try:
            yield
        finally:
            self._kernel_config = own

    @property
    def last_episode(self) -> RecordedEpisode:
        """The latest episode that was trained, evaluated or replayed; its last 100 000 steps if it was longer."""
        return self._recorded(bool(self._ending[self._last_state] == AT_GOAL), self.world.action_names)

    @property
    def updates(self) -> int:
        """Rows of tables that were written so far, if there is a count: by a rival, or by traces since it was loaded.

        Rows that a rival only compared, to see what is urgent, are counted as well.

        Raises:
            InputError: the agent is of another kind; those write one row in every backup.
        """
        if self._memory:
            return int(self._memory.work.sum())
        if self.config.backup.has_traces:
            return int(self._episode.live_errors.rows[0])
        raise InputError("updates are counted for rivals and traces only; other agents write one row in every backup")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the agent as a safetensors file with its configuration and world; see `Agent.load`."""
        save_agent(self, self.world, self.seed, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Loads a saved agent; it goes on exactly as the saved one would have. Its last episode is not kept.

        Raises:
            InputError: the file cannot be read, is no saved agent, is damaged, or is of another version.
        """
        return load_agent(cls, path)

    def __repr__(self) -> str:
        return f"Agent({self.world.name!r}, {self.config!r}, seed={self.seed})"

    def _repr_html_(self) -> str:
        """A small table for notebooks: the world, the settings that are not usual, and what each level has learnt."""
        rows = [("world", self.world.name), *self.config.differences.items(), ("seed", self.seed)]
        learnt = [(f"level {i}", "{:,} entries about {:,} goals".format(*self.learnt(i))) for i in self._level_numbers]
        return html_table(self.config.name, [*rows, *learnt])

    @property
    def _level_numbers(self) -> range:
        return range(self.config.levels)

    def _run(self, train: int, evaluate: int, replay: ReplayInput = NOT_REPLAYED) -> tuple[Episodes, Episodes]:
        """Runs episodes in compiled calls short enough for Ctrl-C to be heard between them."""
        trained, evaluated = np.zeros((train, 2), np.int64), np.zeros((evaluate, 2), np.int64)
        count, most, ahead, before = 0, max(train, evaluate), 0.0, self._seconds_by_address
        if not (train and evaluate):  # how long the other kind of episodes took says nothing
            self._chunk = 1
        while count < most:
            chunk = min(self._chunk, most - count)
            part = slice(count, count + chunk)
            begun = time.perf_counter()
            self._run_chunk(trained[part], evaluated[part], replay, ahead)
            spent = time.perf_counter() - begun
            count += chunk
            ahead = (self._seconds_by_address - before) / count * (most - count)
            if spent < 0.1 and chunk == self._chunk:
                self._chunk *= 2
            elif spent > 0.4:
                self._chunk = max(1, chunk // 2)
        if train:
            self._warn_once()
            if self._may_diverge:
                self._look_for_divergence()
        return _as_episodes(trained), _as_episodes(evaluated)

    def _look_for_divergence(self) -> None:
        """Warns, once, when the values around the last states of an episode are no longer finite."""
        last = unrolled(self._episode.states, max(0, self._steps - LOOKED_AT), self._steps)
        if not all(is_finite(level, np.unique(last)) for level in self._tables.levels if len(last)):
            self._may_diverge = False
            warn_of_divergence(self.config)

    def _run_chunk(self, trained: Longs, evaluated: Longs, replay: ReplayInput, seconds_ahead: float = 0.0) -> None:
        """Runs some episodes, whose steps and endings are written to `trained` and `evaluated`, a row each."""
        now, done = self._episode.now[0], np.zeros(2, np.int64)
        now["has_begun"] = 0
        self._choose_kernel(self._world, seconds_ahead)
        try:
            while done[0] < len(trained) or done[1] < len(evaluated):
                self._call_kernel(run, self._world, replay, STEPS_PER_CALL, trained, evaluated, done)
        finally:
            self._steps, self._ending = int(now["t"]), self._world.ending
            if now["has_begun"]:  # traces of the next episode begin after those of this one
                self._episode.live_errors.episode_offset[0] += self._steps + 1

    def _warn_once(self) -> None:
        """Says it once if values have become too small for credit to reach the start."""
        if not self._has_warned and is_underflowing(self.world, self.config, self._tables.levels[-1]):
            self._has_warned = True
            warn_of_underflow()


def _as_episodes(lived: Longs) -> Episodes:
    """The steps and endings that a kernel wrote, as they are returned."""
    return Episodes(lived[:, 0], lived[:, 1])


def _checked_world(world: Any) -> World:
    """A world, or the one that a name or a path stands for."""
    if isinstance(world, World):
        return world
    if isinstance(world, str | os.PathLike):
        return make_world(world)
    if hasattr(world, "step") and hasattr(world, "reset"):
        raise InputError(
            "an Agent lives in a World, not in an environment; World.from_gymnasium(env) makes a world of one that "
            "tells its table of moves, and hierq.learn(env, episodes=…) learns from any other. Of real-valued "
            "observations hierq.learn(env, key=…) makes something countable. hierq.approximate.Levels learns values of "
            "points on a map. hierq.hop_returns makes targets for a network of your own"
        )
    raise InputError(f"world must be a World (see hierq.make_world), its name or its file, not {type(world).__name__}")


def _checked_seed(seed: Any) -> int | np.random.SeedSequence:
    if isinstance(seed, np.random.SeedSequence):
        return seed
    return whole_number("seed", seed, MAX_SEED, least=0)


def _count(name: str, value: Any) -> int:
    return whole_number(name, value, least=0)
