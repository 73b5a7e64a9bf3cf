"""Room for more rows where reach is learnt: how many there will be is not known beforehand."""

from typing import Any

import numpy as np

from hierq.available_memory import check_can_grow
from hierq.tables import aligned
from hierq.tables.level import Array, Level, Tables


def with_room(tables: Tables, i: int, rows: int) -> Tables:
    """The same tables, with room for this number of rows at level i."""
    level = tables.levels[i]
    if not level.learns_reach or rows <= len(level.action):
        return tables
    rows = max(rows, 2 * len(level.action))
    check_can_grow(f"level {i}", level.q.itemsize * rows * level.q.shape[1])
    return Tables((*tables.levels[:i], _with_more_rows(level, rows), *tables.levels[i + 1 :]))


def with_room_for_a_step(tables: Tables, n: int) -> Tables:
    """The same tables with room for all rows that one step may give out: see `has_room`, which asks for them."""
    for i, level in enumerate(tables.levels):
        tables = with_room(tables, i, int(level.rows_used[0]) + n * level.reach)
    return tables


def _with_more_rows(level: Level, rows: int) -> Level:
    bigger: dict[str, Any] = {
        "q": aligned.zeros((rows, level.q.shape[1]), level.q.dtype),
        "action": aligned.zeros(rows, np.int32),
    }
    if len(level.touched_by) == len(level.action):
        bigger["touched_by"] = np.zeros(rows, np.int64)
    for name, array in bigger.items():
        old: Array = getattr(level, name)
        array[: len(old)] = old
    return level._replace(**bigger)
