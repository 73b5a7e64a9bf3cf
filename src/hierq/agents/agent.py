"""Agent: a world, a configuration and what was learnt; the thin face over the kernels."""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeGuard

import numpy as np
import numpy.typing as npt

from hierq.agents.choosing import ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE, Places
from hierq.agents.config import MOST_STEPS, AgentConfig
from hierq.agents.control import Episode, run
from hierq.agents.randomness import seeded
from hierq.agents.tables import Array, Level, Longs, make_tables
from hierq.agents.traces import Errors
from hierq.agents.values import rules_of
from hierq.errors import InputError
from hierq.worlds import World
from hierq.worlds.world import ACTION_NAMES, Place

UNKNOWN = -1  # in a policy: nothing is known yet at this state
CHOSEN = np.zeros(0, np.int64)  # no moves are given: the agent chooses them


@dataclass(frozen=True)
class RecordedEpisode:
    """What happened in one episode, step by step.

    Attributes:
        states: S_0 … S_T, as state numbers of the world.
        actions: A_0 … A_{T−1}, as 0 … 3 for N, S, W, E.
        goals: array [T, levels]: the cell each level was sent to when a step was taken, level 0 first.
        actors: array [T]: the highest level that chose before a step was taken; it and all levels below chose anew.
        reached: whether the episode ended at the environment's goal.
    """

    states: Longs
    actions: Longs
    goals: Longs
    actors: Longs
    reached: bool

    @property
    def steps(self) -> int:
        """Number of environment steps T."""
        return len(self.actions)

    @property
    def letters(self) -> str:
        """The actions as a string of N, S, W and E, as `Agent.replay` takes it."""
        return "".join(ACTION_NAMES[action] for action in self.actions)


class Agent:
    """An agent that learns in a world.

    Attributes:
        world: where it lives.
        config: what it is made of.
        seed: where its random numbers come from.
    """

    def __init__(self, world: World, config: AgentConfig, seed: int | np.random.SeedSequence = 0) -> None:
        """Makes an agent that knows nothing yet.

        Args:
            world: where it lives.
            config: what it is made of.
            seed: a whole number ≥ 0, or a SeedSequence; equal seeds give equal agents.

        Raises:
            InputError: the tables would not fit into memory, or an argument is not what it should be.
        """
        if not isinstance(world, World):
            raise InputError(f"world must be a World (see hierq.make_world), not {type(world).__name__}")
        if not isinstance(config, AgentConfig):
            raise InputError(f"config must be an AgentConfig, not {type(config).__name__}")
        if not isinstance(seed, np.random.SeedSequence):
            if not _is_whole(seed) or seed < 0:
                raise InputError(f"seed must be a whole number of at least 0, not {seed!r}")
            seed = int(seed)
        self.world, self.config, self.seed = world, config, seed
        self._tables = make_tables(world, config)
        self._rules = rules_of(config)
        self._places = Places(world.successors, world.positions, world.cell_at, world.start, world.goal)
        self._episode = _fresh_episode(config, self._tables.levels)
        self._random = seeded(seed)
        self._steps = 0

    def train(self, episodes: int = 1) -> Longs:
        """Trains for some episodes; returns the number of steps of each."""
        return self._run(_count("episodes", episodes), 0)[0]

    def evaluate(self, episodes: int = 1) -> Longs:
        """Plays some episodes without learning; returns the number of steps of each."""
        return self._run(0, _count("episodes", episodes))[1]

    def alternate(self, iterations: int = 50) -> tuple[Longs, Longs]:
        """The paper's protocol: one training episode, then one evaluation episode, and so on.

        Returns:
            The steps of the training episodes and those of the evaluation episodes.
        """
        count = _count("iterations", iterations)
        return self._run(count, count)

    def replay(self, moves: str | Sequence[int]) -> RecordedEpisode:
        """Learns from one training episode along given moves, from the start.

        Args:
            moves: letters N, S, W, E, or numbers 0 … 3. The moves may end before the goal, not after it.

        Returns:
            The episode; every level's goal is the environment's, since nobody was asked for one.
        """
        numbers = self._checked_moves(moves)
        self._run(min(1, len(numbers)), 0, numbers)
        self._steps = len(numbers)
        return self.last_episode

    @property
    def last_episode(self) -> RecordedEpisode:
        """The latest episode that was trained, evaluated or replayed."""
        steps = self._steps
        states = self._episode.states[: steps + 1].copy()
        if steps == 0:
            states[0] = self.world.start
        return RecordedEpisode(
            states=states,
            actions=self._episode.actions[:steps].copy(),
            goals=self._episode.goals[:steps].copy(),
            actors=self._episode.actors[:steps].copy(),
            reached=bool(states[-1] == self.world.goal),
        )

    @property
    def table_bytes(self) -> tuple[int, ...]:
        """Bytes of the action values Q_i of each level, level 0 first."""
        return self._tables.nbytes

    def value(self, level: int, state: Place, action: Place | str, goal: Place | None = None) -> float:
        """One entry of a table: Q_level(state, action, goal).

        Args:
            level: 0 … k − 1.
            state: a free cell as (row, column) or state number.
            action: at level 0 a move, 0 … 3 or a letter of NSWE; above a sub-goal, as a cell.
            goal: a cell; the environment's goal if left out.
        """
        tables = self._level(level)
        s = self.world.state_number(state)
        a = self._checked_action(level, s, action)
        column = tables.column[self._checked_goal(level, goal)]
        if column < 0 or a >= len(tables.row) or tables.row[a, s] < 0:
            return tables.start_value
        return float(tables.q[tables.row[a, s], column])

    def best_actions(self, level: int, state: Place, goal: Place | None = None) -> list[int]:
        """The actions a level would draw from at a state for a goal: all legal ones that tie for the best.

        The preference for a goal within reach is left out: this is what the values say.
        """
        tables, cell = self._level(level), self._checked_goal(level, goal)
        return self._best_of(*self._action_values(tables, self.world.state_number(state), cell))

    def policy(self, level: int, goal: Place | None = None) -> Longs:
        """A best action at every state for a goal: a move 0 … 3, or a sub-goal as cell number.

        Where several tie it is the one with the lowest number; UNKNOWN (−1) where nothing was learnt, and at the goal.
        """
        tables, cell = self._level(level), self._checked_goal(level, goal)
        parts = []
        for states, legal, values in self._all_action_values(tables, cell):
            tied = _ties(values.max(axis=1, keepdims=True), values)
            lowest = np.where(tied, legal, self.world.cells).min(axis=1)
            learnt = ((values != tables.start_value) & (legal >= 0)).any(axis=1) & (states != cell)
            parts.append(np.where(learnt, lowest, UNKNOWN))
        return np.concatenate(parts).astype(np.int64)

    def values(self, level: int, goal: Place | None = None) -> npt.NDArray[np.float64]:
        """max_a Q_level(s, a, goal) at every state s; the start value where a level has nothing to choose from."""
        tables, cell = self._level(level), self._checked_goal(level, goal)
        best = np.concatenate([values.max(axis=1) for _, _, values in self._all_action_values(tables, cell)])
        return np.where(np.isneginf(best), tables.start_value, best)

    def learnt(self, level: int) -> tuple[int, int]:
        """How many entries of a level's table differ from the start value, and about how many goals they are."""
        tables = self._level(level)
        written = tables.q[: tables.given[0], : tables.known[0]] != tables.start_value
        return int(written.sum()), int(written.any(axis=0).sum())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the agent as a safetensors file with its configuration and world; see `Agent.load`."""
        from hierq.agents.saving import save_agent

        save_agent(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Loads a saved agent; it goes on exactly as the saved one would have. Its last episode is not kept.

        Raises:
            InputError: the file cannot be read, is no saved agent, is damaged, or is of another version.
        """
        from hierq.agents.saving import load_agent

        return load_agent(cls, path)

    def __repr__(self) -> str:
        return f"Agent({self.world.name!r}, {self.config}, seed={self.seed})"

    def _run(self, train: int, evaluate: int, moves: Longs = CHOSEN) -> tuple[Longs, Longs]:
        """Runs episodes in compiled calls short enough for Ctrl-C to be heard between them."""
        trained, evaluated = np.zeros(train, np.int64), np.zeros(evaluate, np.int64)
        done, chunk = 0, 1
        while done < max(train, evaluate):
            part = slice(done, done + chunk)
            begun = time.perf_counter()
            run(
                self._tables.records,
                self._rules,
                self._places,
                self._episode,
                self._random,
                moves,
                trained[part],
                evaluated[part],
            )
            done += chunk
            latest = evaluated[part] if evaluate else trained[part]
            self._steps = int(latest[-1])
            if time.perf_counter() - begun < 0.1:
                chunk *= 2
        return trained, evaluated

    def _level(self, level: int) -> Level:
        if not _is_whole(level) or not 0 <= level < self.config.levels:
            raise InputError(f"there is no level {level!r}; this agent has levels 0 to {self.config.levels - 1}")
        return self._tables.levels[level]

    @staticmethod
    def _action_values(level: Level, state: int, goal: int) -> tuple[Array, Array]:
        """The legal actions of a level at a state, and their values for a goal."""
        legal = level.legal[state, : level.legal_count[state]]
        values = np.full(len(legal), level.start_value)
        column = level.column[goal]
        if column >= 0:
            free = legal < len(level.row)  # walls have no rows
            rows = level.row[legal[free], state]
            values[free] = np.where(rows >= 0, level.q[rows, column], level.start_value)
        return legal, values

    def _all_action_values(self, level: Level, goal: int) -> Iterator[tuple[Longs, Array, Array]]:
        """The same for all states, a block at a time: states, actions filled up with −1, values filled up with −∞."""
        column, most = level.column[goal], level.legal.shape[1]
        block = max(1, 1_000_000 // most)
        for first in range(0, self.world.states, block):
            states = np.arange(first, min(first + block, self.world.states))
            legal = level.legal[states]
            values = np.where(legal >= 0, level.start_value, -np.inf)
            if column >= 0:
                free = (legal >= 0) & (legal < len(level.row))  # walls have no rows
                rows = np.where(free, level.row[np.where(free, legal, 0), states[:, np.newaxis]], -1)
                values = np.where(rows >= 0, level.q[rows, column], values)
            yield states, legal, values

    @staticmethod
    def _best_of(legal: Array, values: Array) -> list[int]:
        return [int(action) for action in legal[_ties(values.max(initial=-np.inf), values)]]

    def _checked_goal(self, level: int, goal: Place | None) -> int:
        cell = self.world.goal if goal is None else self.world.cell_number(goal)
        if not self.config.is_conditioned(level) and cell != self.world.goal:
            raise InputError(
                f"level {level} is the top: it only knows the environment's goal; "
                "make the agent with universal_top=True to ask it about others"
            )
        if self.config.subgoal_cells == "free" and cell >= self.world.states:
            row, column = (int(x) for x in self.world.positions[cell])
            raise InputError(f"cell ({row}, {column}) of {self.world.name} is a wall, which is no goal of this agent")
        return cell

    def _checked_action(self, level: int, state: int, action: Place | str) -> int:
        if level == 0:
            if isinstance(action, str) and len(action) == 1 and action in ACTION_NAMES:
                return ACTION_NAMES.index(action)
            if not _is_whole(action) or not 0 <= action < 4:
                raise InputError(f"an action of level 0 is one of N, S, W, E or 0 to 3, not {action!r}")
            return int(action)
        if isinstance(action, str):
            raise InputError(f"an action of level {level} is a cell, as (row, column), not {action!r}")
        cell = self.world.cell_number(action)
        tables = self._tables.levels[level]
        if cell not in tables.legal[state, : tables.legal_count[state]]:
            row, column = (int(x) for x in self.world.positions[state])
            raise InputError(
                f"cell {action} is no sub-goal of level {level} at ({row}, {column}): it is the own cell, a wall, or "
                f"farther away than {tables.reach}"
            )
        return cell

    def _checked_moves(self, moves: str | Sequence[int]) -> Longs:
        if not hasattr(moves, "__len__"):
            raise InputError(f"moves are a string of N, S, W, E or a list of 0 to 3, not {moves!r}")
        numbers = np.zeros(len(moves), np.int64)
        if len(numbers) > self.config.step_limit:
            raise InputError(f"{len(numbers)} moves are more than the step limit of {self.config.step_limit}")
        state = self.world.start
        for t, move in enumerate(moves):
            if state == self.world.goal:
                raise InputError(
                    f"the goal is reached after {t} moves, but {len(moves)} were given; leave the rest out"
                )
            number = -1
            if isinstance(move, str) and len(move) == 1:
                number = ACTION_NAMES.find(move.upper())
            elif _is_whole(move) and 0 <= move < 4:
                number = int(move)
            if number < 0:
                raise InputError(f"move {t + 1} is {move!r}; a move is one of the letters N, S, W, E or 0 to 3")
            numbers[t] = number
            state = int(self.world.successors[state, number])
        return numbers


def _ties(best: Any, values: Array) -> npt.NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):  # −∞ − −∞, where there is nothing to choose from
        tied: npt.NDArray[np.bool_] = best - values <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * abs(best)
    return tied


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _count(name: str, value: Any) -> int:
    if not _is_whole(value) or not 0 <= value <= MOST_STEPS:
        raise InputError(f"{name} must be a whole number from 0 to {MOST_STEPS:,}, not {value!r}")
    return int(value)


def _fresh_episode(config: AgentConfig, levels: tuple[Level, ...]) -> Episode:
    """Room for one episode and for the backups of its steps."""
    steps, width = config.step_limit, max(level.v.shape[1] for level in levels)
    most_actions = max(level.legal.shape[1] for level in levels)
    return Episode(
        states=np.zeros(steps + 1, np.int64),
        actions=np.zeros(steps, np.int64),
        moved=np.zeros(steps + 1, np.int64),
        moves=np.zeros(1, np.int64),
        goals=np.zeros((steps, config.levels), np.int64),
        actors=np.zeros(steps, np.int64),
        turns=np.zeros(config.levels, np.int64),
        promised=np.zeros(config.levels),
        returns=np.zeros(width),
        errors=Errors(
            goal=np.zeros(width + 1, np.int64),
            delta=np.zeros(width + 8),
            weight=np.zeros(width + 1),
            clock=np.zeros(1, np.int64),
        ),
        ties=np.zeros(most_actions + 1, np.int64),
    )
