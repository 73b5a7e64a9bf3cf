"""Which tables an agent has in a world: dense or local, what is near to what, and how large they are at most.

A table has a row for each pair of a state and an action. A row has a place for each goal: in dense tables for all of
them, in local tables for those near the state. Loads no Numba.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hierq.agents.combinations import check_world
from hierq.agents.config import AgentConfig
from hierq.tables.aligned import LINE
from hierq.tables.ranks import RANK, Powers, TableKind, powers_of
from hierq.worlds import World

COMFORTABLE = 4 * 10**9  # bytes of dense tables up to which tables="auto" takes them
MAX_COUNTED = 10**9  # bytes of lists of near cells that are made to find out how much would be needed
ROWS_TO_BEGIN_WITH = 4  # for each state, where reach is learnt

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Layout:
    """The shape of an agent's tables."""

    world: World
    config: AgentConfig
    local: bool  # whether a state has places only for the goals near it
    nearness: Literal["L1", "steps", "learnt"]

    @property
    def can_be_local(self) -> bool:
        """Whether the configuration allows local tables."""
        config = self.config
        needs_all = bool(config.backup.kernel_joins) or config.backup.is_rival
        is_possible = config.subgoals == "nearby" and config.is_greedy and not needs_all
        return self.nearness != "learnt" and is_possible

    @property
    def goals(self) -> int:
        """Numbers of goals: the cells, and one for "any of the goals" where there are several."""
        return max(self.world.cells, self.world.goal + 1)

    @property
    def columns_are_given_out(self) -> bool:
        """Whether a goal can wait for its column until its state is first seen.

        True where values of goals that were never seen cannot move: γ · 0 = 0. Not so for penalties, for tables that
        start elsewhere, for operators that return something else for zeros, nor for target policies that are not
        greedy: their traces fade for unseen goals, too.
        """
        config = self.config
        return config.unknown_is_zero and config.is_greedy and config.backup.keeps_start

    @cached_property
    def powers(self) -> Powers | None:
        """The values by rank, for tables of ranks: see `ranks.py`; None if values cannot be held so."""
        if self.local or self.config.step_size != 1 or not self.columns_are_given_out:
            return None
        discount = self.config.discount
        return powers_of(discount) if self.config.backup.can_hold_ranks(discount) else None

    @property
    def entry(self) -> Any:
        """The type of an entry of a table: a rank or a value."""
        return np.float64 if self.powers is None else RANK

    @property
    def kind(self) -> TableKind:
        """What kind of tables these are."""
        return "local" if self.local else "values" if self.powers is None else "ranks"

    @property
    def hops_are_actions(self) -> bool:
        """Whether every state that a hop leads to is a legal action of its level, except where the hop began."""
        return self.nearness != "L1" or self.config.subgoals == "anywhere" or self.world.is_geometric

    def legal(self, level: int) -> tuple[Ints, Ints]:
        """The actions a level may draw in every state: array [states, most], and how many there are."""
        world, config = self.world, self.config
        if level == 0:
            moves = np.tile(np.arange(world.actions, dtype=np.int32), (world.states, 1))
            return moves, np.full(world.states, world.actions, np.int32)
        if self.nearness == "learnt":
            return np.zeros((world.states, world.states), np.int32), np.zeros(world.states, np.int32)
        cells, counts = self._within(config.reaches[level] if config.subgoals == "nearby" else None)
        return cells, counts.astype(np.int32)

    def near(self, level: int) -> tuple[Ints, Ints]:
        """For local tables the goals that have places in every state, ascending: array [states, most], and how many.

        These are the goals within the level's radius, the own cell among them, and always the environment's goal.
        """
        world, states = self.world, np.arange(self.world.states, dtype=np.int32)[:, np.newaxis]
        always = np.full_like(states, world.goal)
        if not self.config.is_conditioned(level):
            return always, np.ones(world.states, np.int32)
        cells, _ = self._within(self.config.goal_radius(level))
        nothing = np.iinfo(np.int32).max
        near = np.concatenate([np.where(cells < 0, nothing, cells), states, always], axis=1)
        near.sort(axis=1)
        near[:, 1:][near[:, 1:] == near[:, :-1]] = nothing
        near.sort(axis=1)
        counts = (near < nothing).sum(axis=1).astype(np.int32)
        return np.ascontiguousarray(near[:, : counts.max()]), counts

    def _within(self, radius: int | None) -> tuple[Ints, npt.NDArray[np.int64]]:
        """The cells within a distance of every state; the world keeps them, so this costs nothing twice."""
        if radius is None or self.nearness == "L1":
            return self.world.subgoals(radius, self.config.subgoal_cells)
        return self.world.subgoals(radius, self.config.subgoal_cells, nearness="steps")

    def dense_goals(self, level: int) -> int:
        """How many goals a level learns about, if it has a dense table."""
        if not self.config.is_conditioned(level):
            return 1
        walls_too = self.config.subgoal_cells == "grid" and not self.columns_are_given_out
        any_goal = self.world.goal >= self.world.cells
        return (self.world.cells if walls_too else self.world.states) + any_goal

    def places(self, level: int) -> int:
        """Places in a row at most; dense rows with more than one are padded to whole cache lines."""
        if not self.config.is_conditioned(level):
            return 1
        if self.local:  # for others, for the state itself, and for the environment's goal
            return min(self.goals, self._most_within(self.config.goal_radius(level)) + 2)
        line: int = LINE // np.dtype(self.entry).itemsize
        return -(-self.dense_goals(level) // line) * line

    def columns(self, level: int) -> int:
        """Entries of a level's returns."""
        return self.goals if self.local else self.places(level)

    def most_actions(self, level: int) -> int:
        """Actions a level can have in one state at most: the size of a diamond; where that is unknown, all states."""
        if level == 0:
            return self.world.actions
        others = max(1, self.world.cells - 1)
        if self.config.subgoals == "anywhere" or self.nearness == "learnt":
            return others
        reach = self.config.reaches[level]
        if self.nearness == "steps" or self.local:
            return max(1, self._most_within(reach))
        return min(others, 2 * reach * (reach + 1))

    def most_rows(self, level: int) -> int:
        """Pairs of a state and an action that can be tried at most; where reach is learnt, those to begin with."""
        states = self.world.states
        if level == 0:
            return states * self.world.actions
        if self.nearness == "learnt":
            return states * ROWS_TO_BEGIN_WITH + self.config.reaches[level] * self.config.backup.depth
        if self.local and 4 * states * self.most_actions(level) <= MAX_COUNTED:
            return self.rows_of(self.legal(level)[0])
        return states * min(self.most_actions(level), max(1, states - 1))

    def rows_of(self, legal: Ints) -> int:
        """How many of these legal actions can be tried: walls can be asked for, but never be tried."""
        return max(1, int(((legal >= 0) & (legal < self.world.states)).sum()))

    def _most_within(self, radius: int) -> int:
        """Cells within a distance of a state at most; the size of a diamond where counting would take long."""
        cells = self.world.cells if self.config.subgoal_cells == "grid" else self.world.states
        diamond = min(cells - 1, 2 * radius * (radius + 1))
        most = MAX_COUNTED if self.nearness == "L1" else 4 * MAX_COUNTED  # in a maze far fewer are near by steps
        if self.world.is_geometric and 4 * self.world.states * diamond > most:
            return diamond
        return int(self._within(radius)[1].max(initial=0))


def layout_of(world: World, config: AgentConfig) -> Layout:
    """The layout of an agent's tables in a world; refuses a configuration that does not go with the world."""
    nearness = config.nearness
    if nearness == "auto":
        nearness = "L1" if world.is_geometric else "steps"
    check_world(world, config, nearness)
    if config.tables != "auto":
        return Layout(world, config, config.tables == "local", nearness)
    dense = Layout(world, config, False, nearness)
    if not dense.can_be_local or dense_bytes(dense) <= COMFORTABLE:
        return dense
    return Layout(world, config, True, nearness)


def dense_bytes(layout: Layout) -> int:
    """About what dense tables of values would take: the same on every machine, so that equal agents learn equally.

    If that is more than COMFORTABLE, a part of it: it is not worth finding out then how many goals are near.
    """
    size = 0
    for i in range(layout.config.levels):
        if size <= COMFORTABLE:
            size += 8 * layout.dense_goals(i) * (layout.most_rows(i) + layout.world.states)
    return size
