"""Tables read as arrays, and entries written by hand, for experiments."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hierq.available_memory import readable_size
from hierq.errors import InputError
from hierq.tables.allocation import give_rows, with_room
from hierq.tables.level import Array, Level, Tables
from hierq.tables.queries import (
    all_action_values,
    is_local,
    places_in_use,
    places_of,
    slots_of,
    states_of_rows,
)
from hierq.tables.ranks import LOST, RANK

if TYPE_CHECKING:
    from hierq.agents.session import KernelSession

MAX_BYTES = 4 * 10**9


def frozen_view(part: Any) -> Any:
    """A view of an array that cannot be written to; anything else as it is."""
    if not isinstance(part, np.ndarray):
        return part
    view = part.view()
    view.setflags(write=False)
    return view


def read_q(level: Level, goal: int, actions: int) -> npt.NDArray[np.float64]:
    """Array [states, actions] of Q(s, a, goal); NaN where an action is none."""
    states = len(level.used)
    if 8 * states * actions > MAX_BYTES:
        size = readable_size(8 * states * actions)
        raise InputError(f"the array would take {size}; ask for single values with `value`")
    found = np.full((states, actions), np.nan)
    for some, legal, values in all_action_values(level, goal):
        there = legal >= 0
        rows = np.broadcast_to(some[:, np.newaxis], legal.shape)
        found[rows[there], legal[there]] = values[there]
    return found


def write_value(agent: "KernelSession", i: int, state: int, action: int, goal: int, value: float) -> None:
    """Writes one entry; an action that was never tried gets a row, and a goal that was never seen a column."""
    level, states = agent._tables.levels[i], agent._places.states
    entry = as_entry(level, value)
    if i > 0 and action >= states:
        raise InputError("no agent ever arrives at a wall, so there is no entry for it")
    if level.column[goal] < 0 and goal < states:
        shared = agent._tables.levels[0]
        shared.column[goal] = shared.columns_used[0]
        shared.columns_used[0] += 1
    place = int(places_of(level, np.array([state]), goal)[0])
    if place < 0:
        raise InputError(f"level {i} has no entry for goal {goal} at state {state}: it is a wall, or too far away")
    of_rows = states_of_rows(level)
    rows = np.flatnonzero((of_rows == state) & (level.action[: len(of_rows)] == action))
    if not len(rows):
        agent._tables = with_new_row(agent._tables, i, of_rows, state, action)
        level, rows = agent._tables.levels[i], np.array([len(of_rows)])
    level.q[rows[0], place] = entry
    level.best[state] = LOST if level.q.dtype == RANK else np.nan  # to be found again when asked for
    level.stale[state] = 1


def write_all(level: Level, draw: Callable[[int], Array]) -> None:
    """Writes a drawn value into every entry of the rows and columns that a table of values has."""
    if is_local(level) or level.q.dtype == RANK:
        raise InputError("only dense tables of values can be filled: of agents with traces or a step size below 1")
    rows, columns = int(level.rows_used[0]), places_in_use(level)
    level.q[:rows, :columns] = draw(rows * columns).reshape(rows, columns)
    level.best[:] = np.nan  # to be found again when asked for
    level.stale[:] = 1


def with_new_row(tables: Tables, i: int, states: Array, state: int, action: int) -> Tables:
    """The tables with one more row, for an action that was never tried."""
    tables, given = with_room(tables, i, len(states) + 1), len(states)
    level = tables.levels[i]
    actions = np.append(level.action[:given], np.int32(action))
    level.q[given] = level.start_value
    states = np.append(states, np.int32(state))
    slots = np.zeros(given + 1, np.int64) if level.learns_reach else slots_of(level, states, actions)
    give_rows(level, states, actions, slots)
    return tables


def as_entry(level: Level, value: float) -> float | int:
    """A value as a table holds it; a table of ranks takes powers of the discount up to rounding."""
    if not np.isfinite(value):
        raise InputError(f"a value must be a finite number, not {value!r}")
    if level.q.dtype != RANK:
        return float(value)
    rank = int(np.argmin(np.abs(level.powers - value)))
    if not np.isclose(level.powers[rank], value, rtol=1e-9, atol=0.0):
        raise InputError(
            f"this agent's tables hold 0 and powers of the discount only, and {value!r} is none of them; agents with a "
            "step size below 1 have tables of any values"
        )
    return rank
