"""Agent: a world, a configuration and what was learnt; the public interface to the kernels."""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Self

import numpy as np
import numpy.typing as npt

from hierq.agents.agent_tables import start_tables
from hierq.agents.config import AgentConfig
from hierq.agents.entry_points import run
from hierq.agents.kernel_agent import NOT_REPLAYED, ReplayInput
from hierq.agents.outcomes import Episodes, OnEpisode, RecordedEpisode, run_with_callback
from hierq.agents.replay_input import action_number, checked_trace
from hierq.agents.saving import load_session, save_session
from hierq.agents.session import KernelSession, as_episodes, checked_seed, takes_config
from hierq.agents.world_arrays import GOES_ON, with_goal, world_arrays
from hierq.checks import is_whole, whole_number
from hierq.compiling.own_kernels import expect_work, seconds_by_address
from hierq.errors import InputError
from hierq.tables.level import Longs
from hierq.tables.queries import greedy_actions, highest_values, is_legal, read_q, write_all
from hierq.worlds import World
from hierq.worlds.maps import AnyWorld, as_world
from hierq.worlds.world import Place

NO_EPISODES = np.zeros((0, 2), np.int64)
STEPS_PER_CALL = 20_000  # after which a kernel returns to Python, so that Ctrl-C ends it


class Agent(KernelSession):
    """An agent that learns in a world, as its configuration says."""

    @takes_config
    def __init__(
        self,
        world: AnyWorld,
        config: AgentConfig | None = None,
        seed: int | np.random.SeedSequence = 0,
    ) -> None:
        """Makes an agent that knows nothing yet.

        Args:
            world: the world it acts in: a World, the name of one that comes with hierq, or the path of a map file.
            config: its settings; left out, all have their defaults.
            seed: a whole number ≥ 0, or a SeedSequence; equal seeds give equal agents.

        Raises:
            InputError: the tables would not fit into memory, or an argument is not what it should be.
        """
        if hasattr(world, "step") and hasattr(world, "reset"):
            raise InputError(
                "an Agent lives in a World, not in an environment; World.from_gymnasium(env) makes a world of one that "
                "tells its table of moves, and hierq.learn(env, episodes=…) learns from any other. Of real-valued "
                "observations hierq.learn(env, key=…) makes something countable. hierq.approximate.Levels learns "
                "values of points on a map. hierq.hop_returns makes targets for a network of your own"
            )
        self.world = as_world(world)
        self.action_names = self.world.action_names
        self._arrays = world_arrays(self.world)
        super().__init__(self.world, AgentConfig() if config is None else config, seed)

    def restart(self, seed: int | np.random.SeedSequence = 0) -> None:
        """Forgets everything: from here on it equals a new agent with this seed.

        This is faster than making a new agent, because the memory is there already.
        """
        self.seed = checked_seed(seed)
        start_tables(self._tables, self.layout)
        self._forget()

    def train_for(self, steps: int) -> Episodes:
        """Trains for a number of steps; the episode that is under way at the end is given up, but learnt from.

        Returns:
            The number of steps of each episode that was finished.
        """
        left, finished = whole_number("steps", steps, least=0), []
        while left > 0:
            lived = np.zeros((1, 2), np.int64)
            with self._kernel_settings(step_limit=min(left, self.config.step_limit)):
                self._run_episodes(lived, NO_EPISODES)
            left -= self._steps
            if lived[0, 1] != GOES_ON or self._steps == self.config.step_limit:
                finished.append(as_episodes(lived))
        self._warn_about_values()
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
        count = whole_number("episodes", episodes, least=0)
        return run_with_callback(partial(self._run, goal=goal), 0, count, on_episode)[1]

    def walk(self, start: Place, goal: Place | None = None, step_limit: int | None = None) -> RecordedEpisode:
        """The greedy walk from a state to a goal: without exploration, and nothing is learnt.

        Ties are broken at random; the random numbers are restored afterwards.

        Args:
            start: where it begins.
            goal: where it is to lead; the environment's goal if left out. For others all levels must know all goals.
            step_limit: steps after which the walk is given up; those of an episode if left out.
        """
        state, limit = self.world.state_number(start), self.config.step_limit
        if step_limit is not None:
            limit = min(limit, whole_number("step_limit", step_limit, least=0))
        with self._towards(goal), self._walking(limit):
            self._run_episodes(NO_EPISODES, np.zeros((1, 2), np.int64), NOT_REPLAYED._replace(path=np.array([state])))
            return self.last_episode

    def replay(
        self, moves: str | Sequence[int] | RecordedEpisode, states: Sequence[Place] | None = None
    ) -> RecordedEpisode:
        """Learns from one training episode along given moves.

        Args:
            moves: letters N, S, W, E, or numbers of actions; or an episode that an agent recorded in the same world.
                The moves may end before the goal, not after it.
            states: S_0 … S_T, where the moves led, each a possible outcome of its move. Left out, the episode begins at
                the start; that needs a world with one start and without chance. A recorded episode has its own.

        Returns:
            The episode. Every level's goal is the environment's, since no level chose a sub-goal.
        """
        given = ReplayInput(*checked_trace(self.world, self.config, moves, states))
        if len(given.moves):
            with self._kernel_settings(step_limit=len(given.moves)):
                self._run_episodes(np.zeros((1, 2), np.int64), NO_EPISODES, given)
            self._warn_about_values()
        else:
            self._episode.states[0], self._episode.now[0]["t"] = given.path[0], 0
            self._close_episode()
        return self.last_episode

    def values(self, level: int, goal: Place | None = None) -> npt.NDArray[np.float64]:
        """max_a Q_level(s, a, goal) at every state s; the start value where a level has nothing to choose from."""
        return highest_values(*self._asked(level, goal))

    def policy(self, level: int, goal: Place | None = None) -> Longs:
        """A best action at every state for a goal: a move 0 … 3, or a sub-goal as cell number.

        Where several tie it is the one with the lowest number; UNKNOWN (−1) where nothing was learnt, and at the goal.
        """
        return greedy_actions(*self._asked(level, goal), self.config.tie_tolerance)

    def q_values(self, level: int, goal: Place | None = None) -> npt.NDArray[np.float64]:
        """Q_level(s, a, goal) for all states and actions: array [states, moves] at level 0, above [states, cells].

        NaN where a cell is no action of a state; the start value where nothing was learnt.
        """
        return read_q(*self._asked(level, goal), self.world.actions if level == 0 else self.layout.goals)

    def fill(self, level: int, draw: Callable[[int], npt.NDArray[np.float64]]) -> None:
        """Gives every entry of a table a value, for experiments with tables that do not begin alike.

        Args:
            level: whose table it is.
            draw: a function of a number n that returns an array of n values.

        Raises:
            InputError: the table cannot hold any value.
        """
        write_all(self._asked(level, None)[0], draw)

    @property
    def updates(self) -> int:
        """How many rows of tables were written: by a rival so far, by traces since the agent was loaded.

        Rows that a rival only compares, to see what is urgent, count as well.

        Raises:
            InputError: the agent has neither traces nor a rival's rule; it writes one row in every backup.
        """
        if self._memory:
            return int(self._memory.work.sum())
        if self.config.backup.has_traces:
            return int(self._episode.live_errors.rows[0])
        raise InputError("updates are counted for rivals and traces only; other agents write one row in every backup")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the agent as a safetensors file with its configuration and world; see `Agent.load`."""
        save_session(self, path, "agent", {"world": self.world.text, "world_name": self.world.name})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Loads a saved agent; it goes on exactly as the saved one would have. Its last episode is not kept.

        Raises:
            InputError: the file cannot be read, is no saved agent, is damaged, or is of another version.
        """
        return load_session(path, "agent", lambda words: World.from_text(words["world"], name=words["world_name"]), cls)

    def __repr__(self) -> str:
        return f"Agent({self.world.name!r}, {self.config!r}, seed={self.seed})"

    @contextlib.contextmanager
    def _towards(self, goal: Place | None) -> Iterator[None]:
        """In this block the world may have another goal, which all levels must know."""
        own = self._arrays
        try:
            if goal is not None:
                self._asked(self.config.levels - 1, goal)
                self._arrays = with_goal(own, self.world.state_number(goal))
            yield
        finally:
            self._arrays = own

    def _run(self, train: int, evaluate: int, goal: Place | None = None) -> tuple[Episodes, Episodes]:
        trained, evaluated = np.zeros((train, 2), np.int64), np.zeros((evaluate, 2), np.int64)
        with self._towards(goal):
            self._run_episodes(trained, evaluated)
        if train:
            self._warn_about_values()
        return as_episodes(trained), as_episodes(evaluated)

    def _run_episodes(self, trained: Longs, evaluated: Longs, replay: ReplayInput = NOT_REPLAYED) -> None:
        """Runs episodes, whose steps and endings are written to `trained` and `evaluated`, a row each."""
        done, before = np.zeros(2, np.int64), seconds_by_address[self.kernel_kind]
        self._episode.now[0]["has_begun"] = 0
        try:
            while done[0] < len(trained) or done[1] < len(evaluated):
                self._call_kernel(run, replay, STEPS_PER_CALL, trained, evaluated, done)
                if self._pointers:
                    seconds, finished = seconds_by_address[self.kernel_kind] - before, int(done.sum())
                    left = len(trained) + len(evaluated) - finished
                    expect_work(self.kernel_kind, seconds / max(1, finished) * left)
        finally:
            self._close_episode()

    def _state_number(self, state: Place) -> int:
        return self.world.state_number(state)

    def _cell_number(self, cell: Place) -> int:
        if is_whole(cell) and cell == self.world.goal:  # also where it stands for any of several
            return self.world.goal
        number = self.world.cell_number(cell)
        if self.config.subgoal_cells == "free" and number >= self.world.states:
            row, column = (int(x) for x in self.world.positions[number])
            raise InputError(f"cell ({row}, {column}) of {self.world.name} is a wall, which is no goal of this agent")
        return number

    def _action_number(self, level: int, state: int, action: Place | str) -> int:
        if level == 0:
            return action_number(self.world, action)
        if isinstance(action, str):
            raise InputError(f"an action of level {level} is a cell, as (row, column), not {action!r}")
        cell = self.world.cell_number(action)
        table = self._tables.levels[level]
        if not is_legal(table, state, cell):
            row, column = (int(x) for x in self.world.positions[state])
            where = f"({row}, {column})" if self.world.is_grid else f"state {state}"
            raise InputError(
                f"cell {action} is no sub-goal of level {level} at {where}: it is the own cell, a wall, or "
                f"farther away than {table.reach}"
            )
        return cell
