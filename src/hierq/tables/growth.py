"""Room for more rows where reach is learnt: how many there will be is not known beforehand."""

from typing import Any

from hierq.available_memory import check_can_grow
from hierq.tables import aligned
from hierq.tables.level import NOT_TRIED
from hierq.tables.level_records import Tables

ROW_ARRAYS = ("q", "action", "touched_by")  # which have an entry for each row


def with_room(tables: Tables, i: int, rows: int) -> Tables:
    """The same tables, with room for this number of rows at level i."""
    level, room = tables.levels[i], len(tables.levels[i].action)
    if not level.learns_reach or rows <= room:
        return tables
    rows = max(rows, 2 * room)
    check_can_grow(f"level {i}", level.q.itemsize * rows * level.q.shape[1])
    old = {name: array for name in ROW_ARRAYS if len(array := getattr(level, name)) >= room}
    shapes = {name: ((rows + len(array) - room, *array.shape[1:]), array.dtype) for name, array in old.items()}
    new: dict[str, Any] = aligned.arrays(shapes)
    aligned.copy_into(tuple(new.values()), tuple(old.values()))
    new["q"][NOT_TRIED] = level.start_value
    return Tables((*tables.levels[:i], level._replace(**new), *tables.levels[i + 1 :]))


def with_room_for_a_step(tables: Tables, n: int) -> Tables:
    """The same tables with room for all rows that one step may give out: see `has_room`, which asks for them."""
    for i, level in enumerate(tables.levels):
        tables = with_room(tables, i, int(level.rows_used[0]) + n * level.reach)
    return tables
