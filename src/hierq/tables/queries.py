"""Reading and writing a level's table from Python."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.available_memory import readable_size
from hierq.errors import InputError
from hierq.tables.growth import with_room
from hierq.tables.level import NOT_TRIED, Array, Level, Longs
from hierq.tables.level_records import Tables
from hierq.tables.ranks import LOST, RANK
from hierq.tables.rows import action_value, give_column, place_of, row_for_writing
from hierq.tables.ties import ROUNDING, is_tied

NOTHING_THERE = -1
UNKNOWN = -1  # in a policy: nothing was learnt at this state
MAX_BYTES = 4 * 10**9  # of an array that is read at once


def is_local(level: Level) -> bool:
    """Whether the table of a level has places for near goals only."""
    return level.kind.label == "local"


def value_at(level: Level, state: int, action: int, goal: int) -> float:
    """Q(s, a, g); the start value for what is no action of the state, or none yet where reach is learnt."""
    return action_value(level, state, action, place_of(level, state, level.column[goal]))


def values_of(level: Level, entries: Array) -> Array:
    """The values that entries of a table stand for."""
    return level.powers[entries] if entries.dtype == RANK else entries


def entries_of(level: Level, values: Any) -> Array:
    """The entries that stand for values: of ranks, the lowest one whose value is not below."""
    if level.q.dtype != RANK:
        return np.asarray(values)
    ranks: Array = np.searchsorted(level.powers, values)
    return np.minimum(ranks, len(level.powers) - 1)


def is_legal(level: Level, state: int, action: int) -> bool:
    """Whether a level may choose an action in a state."""
    return bool((level.legal[state, : level.legal_count[state]] == action).any())


def action_values(level: Level, states: Longs, goal: int) -> tuple[Array, Array]:
    """The actions of a level in some states and their values for a goal, filled up with −1 and −∞."""
    there = np.arange(level.legal.shape[1]) < level.legal_count[states][:, np.newaxis]
    legal = np.where(there, level.legal[states], -1)
    place = places_of(level, states, goal)[:, np.newaxis]
    if is_local(level):
        has_row, rows = there, level.row[states]
    else:
        has_row = there & (legal < len(level.row))  # walls have no rows
        rows = level.row[np.where(has_row, legal, 0), states[:, np.newaxis]]
    entries = level.q[np.where(has_row & (place >= 0), rows, NOT_TRIED), place]
    return legal, np.where(there, values_of(level, entries), -np.inf)


def all_action_values(level: Level, goal: int) -> Iterator[tuple[Longs, Array, Array]]:
    """The states, and their actions and values as above, for all states, a block at a time."""
    count = len(level.used)
    block = max(1, 1_000_000 // level.legal.shape[1])
    for first in range(0, count, block):
        states = np.arange(first, min(first + block, count))
        yield states, *action_values(level, states, goal)


def highest_values(level: Level, goal: int) -> npt.NDArray[np.float64]:
    """max_a Q(s, a, g) at every state s; the start value where a level has nothing to choose from."""
    best = np.concatenate([values.max(axis=1) for _, _, values in all_action_values(level, goal)])
    return np.where(np.isneginf(best), level.start_value, best)


def greedy_actions(level: Level, goal: int, tolerance: float) -> Longs:
    """The number of a best action at every state for a goal, the lowest of those that tie, or UNKNOWN."""
    parts = []
    for states, legal, values in all_action_values(level, goal):
        lowest = np.where(ties(values, tolerance) & (legal >= 0), legal, len(level.column)).min(axis=1)
        differs = ~is_tied(level.start_value, values, tolerance)
        learnt = (differs & (legal >= 0)).any(axis=1) & (states != goal)
        parts.append(np.where(learnt, lowest, UNKNOWN))
    return np.concatenate(parts).astype(np.int64)


def learnt_entries(level: Level) -> tuple[int, int]:
    """How many entries of a table differ from the start value, and how many goals these are about."""
    written = level.q[: level.rows_used[0]] != level.start_value
    if not is_local(level):
        return int(written.sum()), int(written.any(axis=0).sum())
    learnt = np.zeros(len(level.column), np.bool_)
    for state, used in enumerate(level.used):
        places = written[level.tried[state, :used]].any(axis=0)
        learnt[level.near[state, np.flatnonzero(places)]] = True
    return int(written.sum()), int(learnt.sum())


def ties(values: Array, tolerance: float) -> npt.NDArray[np.bool_]:
    """Which of the values in each row tie for the best, within a tolerance."""
    best: Any = values.max(axis=-1, keepdims=True, initial=-np.inf)
    with np.errstate(invalid="ignore"):  # −∞ − −∞, where there is nothing to choose from
        tied: npt.NDArray[np.bool_] = is_tied(best, values, tolerance)
    return tied


def places_of(level: Level, states: Longs, goal: int) -> Longs:
    """The place of a goal in the rows of each of some states, or −1."""
    column = level.column[goal]
    if not is_local(level) or column < 0:
        return np.full(len(states), column)
    there = np.arange(level.near.shape[1]) < level.near_count[states][:, np.newaxis]
    found = there & (level.near[states] == column)
    return np.where(found.any(axis=1), found.argmax(axis=1), NOTHING_THERE)


def states_of_rows(level: Level) -> Array:
    """The state that each row of a table belongs to."""
    states = np.empty(int(level.rows_used[0]), np.int32)
    of_state, index = np.nonzero(np.arange(level.tried.shape[1]) < level.used[:, np.newaxis])
    states[level.tried[of_state, index]] = of_state
    return states


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


def write_value(tables: Tables, i: int, pair: tuple[int, int], goal: int, value: float) -> Tables:
    """Writes Q_i(s, a, g) of a pair (s, a); returns the tables, which may have grown.

    An action that was never tried gets a row, and a goal that was never seen a column.
    """
    level, (state, action) = tables.levels[i], pair
    entry, states = _as_entry(level, value), len(level.used)
    if i > 0 and action >= states:
        raise InputError("no agent ever arrives at a wall, so there is no entry for it")
    if goal < states:
        give_column(level, goal)
    place = place_of(level, state, level.column[goal])
    if place < 0:
        raise InputError(f"level {i} has no entry for goal {goal} at state {state}: it is a wall, or too far away")
    tables = with_room(tables, i, int(level.rows_used[0]) + 1)
    level = tables.levels[i]
    row = row_for_writing(level, state, action)
    if row < 0:
        raise InputError("a level cannot ask for the state where it is, so there is no entry for it")
    level.q[row, place] = entry
    forget_best(level, state)
    return tables


def write_all(level: Level, draw: Callable[[int], Array]) -> None:
    """Writes a drawn value into every entry of a table of values; every action has a row then, every goal a column."""
    if is_local(level) or level.q.dtype == RANK:
        raise InputError("only dense tables of values can be filled: of agents with traces or a step size below 1")
    for state in range(len(level.used)):
        for action in level.legal[state, : level.legal_count[state]]:
            if action < len(level.row):  # walls have no rows
                row_for_writing(level, state, int(action))
        if level.conditioned:
            give_column(level, state)
    rows, columns = int(level.rows_used[0]), places_in_use(level)
    level.q[:rows, :columns] = draw(rows * columns).reshape(rows, columns)
    forget_best(level, slice(None))


def forget_best(level: Level, states: int | slice) -> None:
    """Notes that the best values of some states have to be looked for when they are asked for."""
    level.best[states, : places_in_use(level)] = LOST if level.q.dtype == RANK else np.nan
    level.stale[states] = 1


def _as_entry(level: Level, value: float) -> Any:
    """A value as a table holds it; a table of ranks takes powers of the discount up to rounding."""
    if not np.isfinite(value):
        raise InputError(f"a value must be a finite number, not {value!r}")
    if level.q.dtype != RANK:
        return float(value)
    entry = entries_of(level, value * (1 - ROUNDING))
    if not np.isclose(level.powers[entry], value, rtol=ROUNDING, atol=0.0):
        raise InputError(
            f"this agent's tables hold 0 and powers of the discount only, and {value!r} is none of them; agents with a "
            "step size below 1 have tables of any values"
        )
    return entry


def places_in_use(level: Level) -> int:
    """Places of a row that mean something."""
    return level.q.shape[1] if is_local(level) else int(level.columns_used[0])
