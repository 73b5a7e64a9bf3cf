"""Fresh tables for a level, the same tables once more as if fresh, and larger ones."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hierq.available_memory import check_can_grow
from hierq.tables import aligned
from hierq.tables.level import KINDS, NO_ACTION, NOT_TRIED, Array, Level, Longs, Tables
from hierq.tables.shapes import LevelShape


@dataclass(frozen=True)
class LevelPlan:
    """Everything that a fresh level is made from."""

    shape: LevelShape  # the shapes of its arrays
    fields: dict[str, Any]  # the fields of `Level` that are given: numbers, lists of actions and of goals, columns
    has_moves: bool  # whether its actions are moves, which have their rows from the start
    takes_any_cell: bool  # whether every cell but the own one becomes an action once it is reached, legal or not


def make_level(plan: LevelPlan) -> Level:
    """A level that has learnt nothing. Its arrays hold zeros that nobody has written, and so take no memory yet."""
    sizes = {name: size for name, size in plan.shape.arrays.items() if name not in plan.fields}
    arrays: dict[str, Any] = {name: aligned.zeros(shape, kind) for name, (shape, kind) in sizes.items()}
    if not plan.shape.is_soft:
        arrays["best"] = arrays["v"]
    level = Level(kind=KINDS[plan.shape.kind], rows_used=counter(0), **arrays, **plan.fields)
    if level.learns_reach:
        level = level._replace(legal_count=level.used)
    if level.start_value != 0:
        _write_start_values(level, plan)
    level.stale[:] = plan.shape.is_soft
    _give_out_no_rows(level, plan)
    return level


def _write_start_values(level: Level, plan: LevelPlan) -> None:
    level.v[:] = level.best[:] = level.start_value
    if plan.has_moves:
        level.q[:] = level.start_value


def _give_out_no_rows(level: Level, plan: LevelPlan) -> None:
    """No row is given out yet: NOT_TRIED for legal actions, NO_ACTION for all others. Moves have all their rows."""
    row, is_local = level.row, plan.shape.kind == "local"
    if plan.has_moves:
        moves = np.arange(plan.shape.rows, dtype=np.int32).reshape(plan.shape.states, -1)
        row[:], level.tried[:] = moves if is_local else moves.T, moves
        level.action[:] = level.legal.ravel()
        level.rows_used[0], level.used[:] = plan.shape.rows, moves.shape[1]
        return
    level.rows_used[0] = level.used[:] = 0
    row[:] = NOT_TRIED if is_local or plan.takes_any_cell else NO_ACTION
    if is_local:
        return
    if plan.takes_any_cell:
        np.fill_diagonal(row, NO_ACTION)
        return
    state, slot = np.nonzero((level.legal >= 0) & (level.legal < len(row)))
    row[level.legal[state, slot], state] = NOT_TRIED


def clear_level(level: Level, plan: LevelPlan) -> None:
    """Makes a level forget everything; it keeps its memory, which takes time to get."""
    _write_start_values(level, plan)
    level.stale[:] = plan.shape.is_soft
    for array in (level.norm, level.cut_at, level.all_cut_at, level.touched_by):
        array[:] = 0
    _give_out_no_rows(level, plan)


def counter(value: int) -> Longs:
    """An array of one number that kernels count with."""
    return aligned.full(1, value, np.int64)


def with_room(tables: Tables, i: int, rows: int) -> Tables:
    """The same tables, with room for this number of rows at level i; where reach is learnt, tables grow."""
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
    """The same level with room for more rows, where reach is learnt."""
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
