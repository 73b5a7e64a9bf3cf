"""Reading a level's table from Python, for one state or for all states."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.tables.level import Array, Level, Longs
from hierq.tables.ranks import RANK
from hierq.tables.ties import is_tied

NOTHING_THERE = -1


def is_local(level: Level) -> bool:
    """Whether the table of a level has places for near goals only."""
    return level.kind.label == "local"


def value_at(level: Level, state: int, action: int, goal: int) -> float:
    """Q(s, a, g) for a legal action."""
    legal, values = action_values(level, np.array([state]), goal)
    return float(values[legal == action][0])


def values_of(level: Level, entries: Array) -> Array:
    """The values that entries of a table stand for."""
    return level.powers[entries] if entries.dtype == RANK else entries


def is_legal(level: Level, state: int, action: int) -> bool:
    """Whether a level may choose an action in a state."""
    return bool((level.legal[state, : level.legal_count[state]] == action).any())


def action_values(level: Level, states: Longs, goal: int) -> tuple[Array, Array]:
    """The actions of a level in some states and their values for a goal, filled up with −1 and −∞."""
    there = np.arange(level.legal.shape[1]) < level.legal_count[states][:, np.newaxis]
    legal = np.where(there, level.legal[states], -1)
    values = np.where(there, level.start_value, -np.inf)
    place = places_of(level, states, goal)[:, np.newaxis]
    if is_local(level):
        rows = np.where(there, level.row[states][:, : legal.shape[1]], NOTHING_THERE)
    else:
        free = there & (legal < len(level.row))  # walls have no rows
        rows = np.where(free, level.row[np.where(free, legal, 0), states[:, np.newaxis]], NOTHING_THERE)
    written = (rows >= 0) & (place >= 0)
    entries = level.q[rows, place]
    entries[~written] = 0  # a row that is not in use may hold anything
    return legal, np.where(written, values_of(level, entries), values)


def all_action_values(level: Level, goal: int) -> Iterator[tuple[Longs, Array, Array]]:
    """The states, and their actions and values as above, for all states, a block at a time."""
    count = len(level.used)
    block = max(1, 1_000_000 // level.legal.shape[1])
    for first in range(0, count, block):
        states = np.arange(first, min(first + block, count))
        yield states, *action_values(level, states, goal)


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


def places_in_use(level: Level) -> int:
    """Places of a row that mean something."""
    return level.q.shape[1] if is_local(level) else int(level.columns_used[0])
