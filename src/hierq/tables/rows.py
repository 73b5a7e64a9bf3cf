"""Where a level's values stand, in dense and in local tables. Most kernels differ for the two only here.

A goal has a column in `returns`, and a place in the rows of those states that know it. In dense tables every row has a
place for every goal, the same as its column. In local tables a row has places only for the goals near its state; what
is farther away has the start value for ever, and nothing is written there.
"""

from typing import NamedTuple

import numpy as np

from hierq.compiling.decorators import pasted
from hierq.compiling.static_choice import StaticChoice, static_flag
from hierq.tables.entries import value_of
from hierq.tables.level import NO_ACTION, NOT_TRIED, Entries, Ints, Level, Longs


class Returns(NamedTuple):
    """The paper's bold G, one number for each goal column, and room for what is combined with it.

    For local tables a backup lists the goals near the states that it updates, and looks at no others.
    """

    value: Entries  # [columns]: G[g]
    pi: Entries  # [columns]: π(a | s, g) of a hop, for targets that are not greedy
    q: Entries  # [columns]: for local tables Q(s, a, g) of a hop, by column
    v: Entries  # [columns]: for local tables V(s, g)
    listed: Longs  # [columns]: for local tables the goals listed, as columns
    length: Longs  # [1]: how many
    backup: Longs  # [columns]: the last backup that listed a goal
    clock: Longs  # [1]: counts the backups


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


def action_value(level: Level, state: int, action: int, place: int) -> float:
    """Q(s, a, g) for the goal in one place; the start value for an action that was never tried, such as a wall."""
    row = row_of(level, state, action)
    return level.start_value if place < 0 or row == NO_ACTION else value_of(level, level.q[row, place])


def forget_goals(level: Level, returns: Returns) -> None:
    """Begins a backup, which lists the goals that it is about. In dense tables these are always all goals."""
    if has_near_places(level.kind):
        returns.clock[0] += 1
        returns.length[0] = 0


def list_goals(level: Level, state: int, returns: Returns) -> None:
    """Lists the goals that have a place at a state."""
    if has_near_places(level.kind):
        for place in range(level.near_count[state]):
            g = level.near[state, place]
            if returns.backup[g] != returns.clock[0]:
                returns.backup[g] = returns.clock[0]
                returns.listed[returns.length[0]] = g
                returns.length[0] += 1


def goal_count(level: Level, returns: Returns) -> int:
    """The number of goals that a backup is about."""
    return int(returns.length[0]) if has_near_places(level.kind) else int(level.columns_used[0])


@pasted  # as `column_at`
def goal_at(level: Level, returns: Returns, k: int) -> int:
    """The column of one of the goals that a backup is about."""
    return returns.listed[k] if has_near_places(level.kind) else k


def by_column(level: Level, state: int, row: Entries, returns: Returns, room: Entries) -> Entries:
    """A row of a state, such as V(s, ·), by the columns of the goals that a backup is about.

    In dense tables it is that already. In local tables it is written to `room`; for goals that have no place at the
    state all actions have the start value.
    """
    if not has_near_places(level.kind):
        return row
    for k in range(returns.length[0]):
        room[returns.listed[k]] = level.start_value
    for place in range(level.near_count[state]):
        room[level.near[state, place]] = row[place]
    return room


def give_column(level: Level, goal: int) -> None:
    """Gives a goal a column if it has none."""
    if level.column[goal] < 0:
        level.column[goal] = level.columns_used[0]
        level.columns_used[0] += 1


def row_for_writing(level: Level, state: int, action: int) -> int:
    """The row of an action, given out now if it was never tried; NO_ACTION if it is none."""
    row = row_of(level, state, action)
    if row == NOT_TRIED:
        row = int(level.rows_used[0])
        level.q[row, :] = level.start_value
        level.action[row] = action
        level.rows_used[0] += 1
        if has_near_places(level.kind):
            level.row[state, search(level.legal[state], level.legal_count[state], action)] = row
        else:
            level.row[action, state] = row
        level.tried[state, level.used[state]] = row
        if level.learns_reach:
            level.legal[state, level.used[state]] = action
        level.used[state] += 1
    return int(row)
