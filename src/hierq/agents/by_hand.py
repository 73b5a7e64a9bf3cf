"""Tables read as arrays, and entries written by hand, for experiments."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hierq.available_memory import readable_size
from hierq.errors import InputError
from hierq.tables.allocation import with_room
from hierq.tables.level import Array, Level
from hierq.tables.queries import all_action_values, is_local, places_in_use, places_of
from hierq.tables.ranks import LOST, RANK
from hierq.tables.rows import row_for_writing

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
    level, states = agent._tables.levels[i], agent._world.states
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
    agent._tables = with_room(agent._tables, i, int(level.rows_used[0]) + 1)
    level = agent._tables.levels[i]
    level.q[row_for_writing(level, state, action), place] = entry
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
