"""Where a level's values stand, in dense and in local tables. Most kernels differ for the two only here.

A goal has a column in `returns`, and a place in the rows of those states that know it. In dense tables every row has a
place for every goal, the same as its column. In local tables a row has places only for the goals near its state; what
is farther away has the start value for ever, and nothing is written there.
"""

from typing import NamedTuple

import numpy as np

from hierq.compiling.decorators import pasted
from hierq.compiling.static_choice import StaticChoice, static_flag
from hierq.tables.level import NO_ACTION, NOT_TRIED, Entries, Floats, Ints, Level, Longs


class Returns(NamedTuple):
    """The paper's bold G, one number for each goal column.

    For local tables only the goals near the states of a backup are listed; all others have one return in common.
    """

    value: Entries  # [columns]: G[g]
    clock: Longs  # [1]: counts the backups
    backup: Longs  # [columns]: the last backup that listed a goal
    listed: Longs  # [columns]: the goals it listed
    length: Longs  # [1]: how many
    others: Floats  # [1]: G of all the rest
    passed: Floats  # [columns]: room for what passes through a hop


@static_flag
def has_near_places(kind: StaticChoice) -> bool:
    """Whether the rows of a table have places for near goals only; a constant in kernels."""
    return kind.label == "local"


def width(level: Level, state: int) -> int:
    """The number of places that the rows of a state have."""
    return int(level.near_count[state]) if has_near_places(level.kind) else int(level.columns_used[0])


@pasted  # not inlined: a loop over places is vectorised only if the compiler sees that a column is the place itself
def column_at(level: Level, state: int, place: int) -> int:
    """The goal column that has a place in the rows of a state."""
    return level.near[state, place] if has_near_places(level.kind) else place


def place_of(level: Level, state: int, column: int) -> int:
    """The place of a goal column in the rows of a state, or −1."""
    return search(level.near[state], level.near_count[state], column) if has_near_places(level.kind) else int(column)


def search(ascending: Ints, count: int, wanted: int) -> int:
    """The index of a number among the first `count` of an ascending list, or −1."""
    low, high = np.int64(0), np.int64(count)
    while low < high:
        middle = (low + high) >> 1
        if ascending[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return int(low) if low < count and ascending[low] == wanted else -1


def row_of(level: Level, state: int, action: int) -> int:
    """The row of an action's values; NOT_TRIED if it has none yet, as walls never have; NO_ACTION if it is none."""
    if has_near_places(level.kind):
        slot = search(level.legal[state], level.legal_count[state], action)
        return int(level.row[state, slot]) if slot >= 0 else NO_ACTION
    return int(level.row[action, state]) if action < len(level.row) else NOT_TRIED


def set_row(level: Level, state: int, action: int, row: int) -> None:
    """Notes which row an action has from now on."""
    if has_near_places(level.kind):
        level.row[state, search(level.legal[state], level.legal_count[state], action)] = row
    else:
        level.row[action, state] = row


def start_returns(level: Level, returns: Returns, others: float) -> None:
    """Begins a backup, in which goals that are far away have this return. Dense tables have no such goals."""
    if has_near_places(level.kind):
        returns.clock[0] += 1
        returns.length[0] = 0
        returns.others[0] = others


def include_goals(level: Level, state: int, returns: Returns) -> None:
    """Gives `returns` an entry for every goal that has a place at a state; in dense tables every goal has one."""
    if has_near_places(level.kind):
        count = returns.length[0]
        for place in range(level.near_count[state]):
            g = level.near[state, place]
            if returns.backup[g] != returns.clock[0]:
                returns.backup[g] = returns.clock[0]
                returns.value[g] = returns.others[0]
                returns.listed[count] = g
                count += 1
        returns.length[0] = count


def row_for_writing(level: Level, state: int, action: int) -> int:
    """The row of an action, given out now if it was never tried; NO_ACTION if it is none."""
    row = row_of(level, state, action)
    if row == NOT_TRIED:
        row = int(level.rows_used[0])
        level.q[row, :] = level.start_value
        level.action[row] = action
        level.rows_used[0] += 1
        set_row(level, state, action, row)
        level.tried[state, level.used[state]] = row
        if level.learns_reach:
            level.legal[state, level.used[state]] = action
        level.used[state] += 1
    return int(row)
