"""AgentValues: what can be asked of the tables of an Agent or a Learner, and written into them by hand.

An Agent names states and goals by cells of its world and answers with arrays; a Learner names them by observations and
answers with dictionaries. Both ask here, where everything has a number.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.agents.by_hand import write_value
from hierq.agents.html import html_table
from hierq.agents.session import KernelSession
from hierq.errors import InputError
from hierq.tables.level import Array, Longs
from hierq.tables.queries import action_values, all_action_values, ties, value_at
from hierq.tables.ties import is_tied

UNKNOWN = -1  # in a policy: nothing is known yet at this state


class AgentValues(KernelSession):
    """The tables of an agent: single entries, values, policies, and how much was learnt."""

    def value(self, level: int, state: Any, action: Any, goal: Any = None) -> float:
        """One entry of a table: Q_level(state, action, goal).

        Args:
            level: 0 … k − 1.
            state: for an Agent a free cell as (row, column) or state number; for a Learner an observation, which has
                the start value if it was never seen.
            action: at level 0 a move: 0 … 3 or a letter of NSWE, or an action of the environment. Above a sub-goal,
                given as a state is.
            goal: given as a state is; the environment's goal if left out.
        """
        table, s = self._level(level), self._state_number(state)
        return value_at(table, s, self._action_number(level, s, action), self._goal_number(level, goal))

    def set_value(self, level: int, state: Any, action: Any, value: float, goal: Any = None) -> None:
        """Writes one entry of a table by hand, for experiments: Q_level(state, action, goal) ← value.

        Raises:
            InputError: there is no such entry, or its table cannot hold the value.
        """
        self._level(level)
        s = self._state_number(state)
        write_value(self, level, s, self._action_number(level, s, action), self._goal_number(level, goal), value)

    def best_actions(self, level: int, state: Any, goal: Any = None) -> list[Any]:
        """The actions a level would draw from at a state for a goal: all legal ones that tie for the best.

        The preference for a goal within reach is left out: this is what the values say.
        """
        table, number = self._level(level), self._goal_number(level, goal)
        (legal,), (values,) = action_values(table, np.array([self._state_number(state)]), number)
        best = legal[ties(values, self.config.tie_tolerance) & (legal >= 0)]
        return [self._action_name(level, int(action)) for action in best]

    def learnt(self, level: int) -> tuple[int, int]:
        """How many entries of a level's table differ from the start value, and about how many goals they are."""
        table = self._level(level)
        written = table.q[: table.rows_used[0]] != table.start_value
        if table.kind.label != "local":
            return int(written.sum()), int(written.any(axis=0).sum())
        learnt = np.zeros(len(table.column), np.bool_)
        for state in range(self._places.states):
            places = written[table.tried[state, : table.used[state]]].any(axis=0)
            learnt[table.near[state, np.flatnonzero(places)]] = True
        return int(written.sum()), int(learnt.sum())

    def _repr_html_(self) -> str:
        """A small table for notebooks: the world, the settings that are not usual, and what each level has learnt."""
        rows = [("world", self._places.name), *self.config.differences.items(), ("seed", self.seed)]
        levels = range(self.config.levels)
        learnt = [(f"level {i}", "{:,} entries about {:,} goals".format(*self.learnt(i))) for i in levels]
        return html_table(self.config.name, [*rows, *learnt])

    def _all_values(self, level: int, goal: Any) -> Iterator[tuple[Longs, Array, Array]]:
        """The actions of a level in all states and their values for a goal, a block of states at a time."""
        return all_action_values(self._level(level), self._goal_number(level, goal))

    def _highest_values(self, level: int, goal: Any) -> npt.NDArray[np.float64]:
        """max_a Q_level(s, a, goal) at every state s; the start value where a level has nothing to choose from."""
        best = np.concatenate([values.max(axis=1) for _, _, values in self._all_values(level, goal)])
        return np.where(np.isneginf(best), self._level(level).start_value, best)

    def _greedy_actions(self, level: int, goal: Any) -> Longs:
        """The number of a best action at every state for a goal, the lowest of those that tie, or UNKNOWN."""
        number, tolerance = self._goal_number(level, goal), self.config.tie_tolerance
        start, parts = self._level(level).start_value, []
        for states, legal, values in self._all_values(level, goal):
            lowest = np.where(ties(values, tolerance) & (legal >= 0), legal, self._places.cells).min(axis=1)
            differs = ~is_tied(start, values, tolerance)
            learnt = (differs & (legal >= 0)).any(axis=1) & (states != number)
            parts.append(np.where(learnt, lowest, UNKNOWN))
        return np.concatenate(parts).astype(np.int64)

    def _goal_number(self, level: int, goal: Any) -> int:
        """The number of a goal; refuses one that a level knows nothing about."""
        number = self._places.goal if goal is None else self._cell_number(goal)
        if number != self._places.goal and not self.config.is_conditioned(level):
            raise InputError(
                f"level {level} is the top: it only knows the environment's goal; "
                "make the agent with universal_top=True to ask it about others"
            )
        return number

    def _state_number(self, state: Any) -> int:
        raise NotImplementedError

    def _cell_number(self, cell: Any) -> int:
        """The number of a goal, which may be a wall of a map."""
        raise NotImplementedError

    def _action_number(self, level: int, state: int, action: Any) -> int:
        raise NotImplementedError

    def _action_name(self, level: int, action: int) -> Any:
        return action
