"""AgentValues: what can be asked of the tables of an agent, and written into them by hand."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from hierq.agents.by_hand import read_q, write_all, write_value
from hierq.agents.layout import Layout
from hierq.agents.replay_input import action_number, actions_in_words
from hierq.agents.session import KernelSession
from hierq.checks import is_whole
from hierq.errors import InputError
from hierq.tables.level import Longs
from hierq.tables.queries import action_values, all_action_values, is_legal, ties, value_at
from hierq.tables.ties import is_tied
from hierq.worlds import World
from hierq.worlds.world import Place

UNKNOWN = -1  # in a policy: nothing is known yet at this state


class AgentValues(KernelSession):
    """The tables of an agent in a world: single entries, whole tables, values and policies.

    Attributes:
        world: the agent's world.
    """

    world: World
    _layout: Layout

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
        return value_at(tables, s, self._checked_action(level, s, action), self._checked_goal(level, goal))

    def q_values(self, level: int, goal: Place | None = None) -> npt.NDArray[np.float64]:
        """Q_level(s, a, goal) for all states and actions: array [states, moves] at level 0, above [states, cells].

        NaN where a cell is no action of a state; the start value where nothing was learnt.
        """
        tables, cell = self._level(level), self._checked_goal(level, goal)
        return read_q(tables, cell, self.world.actions if level == 0 else self._layout.goals)

    def set_value(self, level: int, state: Place, action: Place | str, value: float, goal: Place | None = None) -> None:
        """Writes one entry of a table by hand, for experiments: Q_level(state, action, goal) ← value.

        Raises:
            InputError: there is no such entry, or its table cannot hold the value.
        """
        self._level(level)
        s = self.world.state_number(state)
        write_value(
            self, self.world, level, s, self._checked_action(level, s, action), self._checked_goal(level, goal), value
        )

    def fill(self, level: int, draw: Callable[[int], npt.NDArray[np.float64]]) -> None:
        """Gives every entry of a table a value, for experiments with tables that do not begin alike.

        Args:
            level: whose table it is.
            draw: called with a number of values, gives an array of so many.

        Raises:
            InputError: the table cannot hold any value.
        """
        is_top = level == self.config.levels - 1
        goals = [None] if is_top and not self.config.universal_top else list(range(self.world.states))
        tables = self._level(level)
        for state in range(self.world.states):
            for action in tables.legal[state, : tables.legal_count[state]]:
                if level == 0 or action < self.world.states:
                    self.set_value(level, state, int(action), 0.0, goals[0])
        for goal in goals:
            self.set_value(level, 0, int(tables.legal[0, 0]), 0.0, goal)
        write_all(self._level(level), draw)

    def best_actions(self, level: int, state: Place, goal: Place | None = None) -> list[int]:
        """The actions a level would draw from at a state for a goal: all legal ones that tie for the best.

        The preference for a goal within reach is left out: this is what the values say.
        """
        tables, cell = self._level(level), self._checked_goal(level, goal)
        (legal,), (values,) = action_values(tables, np.array([self.world.state_number(state)]), cell)
        return [int(action) for action in legal[ties(values, self.config.tie_tolerance) & (legal >= 0)]]

    def policy(self, level: int, goal: Place | None = None) -> Longs:
        """A best action at every state for a goal: a move 0 … 3, or a sub-goal as cell number.

        Where several tie it is the one with the lowest number; UNKNOWN (−1) where nothing was learnt, and at the goal.
        """
        tables, cell = self._level(level), self._checked_goal(level, goal)
        tolerance, parts = self.config.tie_tolerance, []
        for states, legal, values in all_action_values(tables, cell):
            lowest = np.where(ties(values, tolerance) & (legal >= 0), legal, self.world.cells).min(axis=1)
            differs = ~is_tied(tables.start_value, values, tolerance)
            learnt = (differs & (legal >= 0)).any(axis=1) & (states != cell)
            parts.append(np.where(learnt, lowest, UNKNOWN))
        return np.concatenate(parts).astype(np.int64)

    def values(self, level: int, goal: Place | None = None) -> npt.NDArray[np.float64]:
        """max_a Q_level(s, a, goal) at every state s; the start value where a level has nothing to choose from."""
        tables, cell = self._level(level), self._checked_goal(level, goal)
        best = np.concatenate([values.max(axis=1) for _, _, values in all_action_values(tables, cell)])
        return np.where(np.isneginf(best), tables.start_value, best)

    def learnt(self, level: int) -> tuple[int, int]:
        """How many entries of a level's table differ from the start value, and about how many goals they are."""
        tables = self._level(level)
        written = tables.q[: tables.rows_used[0]] != tables.start_value
        if tables.kind.label != "local":
            return int(written.sum()), int(written.any(axis=0).sum())
        learnt = np.zeros(len(tables.column), np.bool_)
        for state in range(self.world.states):
            places = written[tables.tried[state, : tables.used[state]]].any(axis=0)
            learnt[tables.near[state, np.flatnonzero(places)]] = True
        return int(written.sum()), int(learnt.sum())

    def _checked_goal(self, level: int, goal: Place | None) -> int:
        if goal is None or (is_whole(goal) and goal == self.world.goal):  # also where it stands for any of several
            return self.world.goal
        cell = self.world.cell_number(goal)
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
            number = action_number(self.world, action)
            if number is None:
                raise InputError(f"an action of level 0 is one of {actions_in_words(self.world)}, not {action!r}")
            return number
        if isinstance(action, str):
            raise InputError(f"an action of level {level} is a cell, as (row, column), not {action!r}")
        cell = self.world.cell_number(action)
        tables = self._tables.levels[level]
        if not is_legal(tables, state, cell):
            row, column = (int(x) for x in self.world.positions[state])
            where = f"({row}, {column})" if self.world.is_grid else f"state {state}"
            raise InputError(
                f"cell {action} is no sub-goal of level {level} at {where}: it is the own cell, a wall, or "
                f"farther away than {tables.reach}"
            )
        return cell
