"""The tables of an agent in a world: makes them, lets them begin with nothing learnt, and makes them larger."""

from typing import Any

import numpy as np

from hierq.agents.array_shapes import episode_shapes, table_shapes
from hierq.agents.estimators.all_paths import HopRoom
from hierq.agents.estimators.live_errors import LiveErrors
from hierq.agents.kernel_agent import NOW, Episode
from hierq.agents.layout import Layout
from hierq.tables import aligned
from hierq.tables.growth import ROW_ARRAYS, with_room
from hierq.tables.level import KINDS, NO_ACTION, NOT_TRIED, Array, Level
from hierq.tables.level_records import Tables
from hierq.tables.rows import Returns

NO_LIST = np.zeros((1, 1), np.int32), np.zeros(1, np.int32)


def fresh_tables(layout: Layout) -> Tables:
    """Tables of an agent. Their arrays hold zeros that nobody has written, and so take no memory yet.

    Levels that learn about every goal share their columns.
    """
    shared = _no_columns(layout)
    conditioned = [layout.config.is_conditioned(i) for i in range(layout.config.levels)]
    columns = [shared if learns_all else _no_columns(layout) for learns_all in conditioned]
    tables = Tables(tuple(_room_for_level(layout, i, columns[i]) for i in range(layout.config.levels)))
    start_tables(tables, layout)
    return tables


def _no_columns(layout: Layout) -> dict[str, Array]:
    return aligned.arrays({"column": ((layout.goals,), np.int64), "columns_used": ((1,), np.int64)})


def _room_for_level(layout: Layout, i: int, columns: dict[str, Array]) -> Level:
    config, powers = layout.config, layout.powers
    learns_reach = i > 0 and layout.nearness == "learnt"
    legal, legal_count = layout.legal(i)
    rows = layout.most_rows(i) if i == 0 or learns_reach else layout.rows_of(legal)
    shapes = table_shapes(layout, i, rows, legal.shape[1])
    arrays = {"legal": legal, "legal_count": legal_count, **columns}
    arrays["near"], arrays["near_count"] = layout.near(i) if layout.local else NO_LIST
    arrays |= aligned.arrays({name: shapes[name] for name in ROW_ARRAYS})  # given up when they grow
    arrays |= aligned.arrays({name: shape for name, shape in shapes.items() if name not in arrays})
    if learns_reach:
        arrays["legal_count"] = arrays["used"]
    if config.is_greedy:
        arrays["best"] = arrays["v"]
    return Level(
        kind=KINDS[layout.kind],
        reach=config.reaches[i],
        hop_length=config.hop_lengths[i],
        horizon=config.horizon_of_levels[i],
        conditioned=config.is_conditioned(i),
        learns_reach=learns_reach,
        start_value=config.start_value(i),
        goal_entry=config.goal_reward if powers is None else len(powers) - 1,
        powers=np.zeros(1) if powers is None else powers,
        **arrays,
    )


def grown_tables(tables: Tables, layout: Layout) -> Tables:
    """Tables of a layout with more states, all of them new, that hold the same."""
    grown = fresh_tables(layout)
    for i, old in enumerate(tables.levels):
        grown = with_room(grown, i, len(old.action))
        new = grown.levels[i]
        aligned.copy_into(new, old)
        if i == 0:
            new.rows_used[0] = len(new.action)
        if old.conditioned and not layout.columns_are_given_out:
            _copy_spare_column(old, new)
    return grown


def _copy_spare_column(old: Level, new: Level) -> None:
    """New goals start with the column of goals that were never seen, which is the same for all of them."""
    before, after = len(old.used), len(new.used)
    new.columns_used[0] = after
    for name in ("q", "v", "cut_at"):
        array, larger = getattr(old, name), getattr(new, name)
        if array.shape[1] >= before:
            larger[: len(array), before:after] = array[:, before - 1 : before]


def start_tables(tables: Tables, layout: Layout) -> None:
    """Makes tables forget everything; they keep their memory, which takes time to get."""
    is_fresh = tables.levels[0].rows_used[0] == 0
    _start_columns(tables, layout)
    for i, level in enumerate(tables.levels):
        if not is_fresh:
            for array in (level.norm, level.cut_at, level.all_cut_at, level.touched_by):
                array[:] = 0
        if not is_fresh or level.start_value != 0:
            level.v[:] = level.best[:] = level.q[NOT_TRIED] = level.start_value
            if i == 0:
                level.q[:] = level.start_value
        level.stale[:] = not layout.config.is_greedy
        if i == 0:
            _give_rows_to_moves(level)
        else:
            _give_out_no_rows(level, layout)


def _start_columns(tables: Tables, layout: Layout) -> None:
    """Gives out the columns that goals have from the start."""
    world, config = layout.world, layout.config
    for level in tables.levels:
        level.column[:] = -1
        if not level.conditioned:
            level.column[world.goal], level.columns_used[0] = world.goal if layout.local else 0, 1
            continue
        if layout.local or not layout.columns_are_given_out:
            cells = world.cells if config.subgoal_cells == "grid" else world.states
            level.column[:cells] = np.arange(cells)
        known = int(level.column.max()) + 1
        if level.column[world.goal] < 0 and world.goal not in world.goals:  # it stands for any of several
            level.column[world.goal] = world.goal if layout.local else known
            known += 1
        level.columns_used[0] = known


def _give_rows_to_moves(level: Level) -> None:
    """Moves have all their rows from the start."""
    rows, moves = len(level.action), level.legal.shape[1]
    numbers = np.arange(rows, dtype=np.int32).reshape(-1, moves)
    level.tried[:] = numbers
    level.row[:] = numbers if level.kind.label == "local" else numbers.T
    level.action[:] = level.legal.ravel()
    level.rows_used[0], level.used[:] = rows, moves


def _give_out_no_rows(level: Level, layout: Layout) -> None:
    """No row is given out yet above level 0: NOT_TRIED for legal actions, NO_ACTION for all others."""
    config = layout.config
    level.rows_used[0] = level.used[:] = 0
    # Where hindsight names the actions and one can only get to what is near, no action is ever out of reach.
    all_are_near = layout.nearness == "L1" and layout.world.is_geometric and config.backup.hops != "executed"
    if layout.local:
        level.row[:] = NOT_TRIED
    elif level.learns_reach or all_are_near or config.subgoals == "anywhere":
        level.row[:] = NOT_TRIED
        np.fill_diagonal(level.row, NO_ACTION)
    else:
        level.row[:] = NO_ACTION
        state, slot = np.nonzero((level.legal >= 0) & (level.legal < len(level.row)))
        level.row[level.legal[state, slot], state] = NOT_TRIED


def make_episode(layout: Layout) -> Episode:
    """Room for one episode and for the backups of its steps."""
    arrays: dict[str, Any] = aligned.arrays({"now": ((1,), NOW), **episode_shapes(layout)})
    arrays["chances"][:] = arrays["certain"][:] = 1.0
    parts: dict[str, Any] = {"returns": Returns, "hop_room": HopRoom, "live_errors": LiveErrors}
    for name, part in parts.items():
        arrays[name] = part(*(arrays[field] for field in part._fields))
    return Episode(*(arrays[field] for field in Episode._fields))
