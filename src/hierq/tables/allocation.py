"""Fresh tables for an agent, the same tables once more as if fresh, and larger ones."""

from typing import Any

import numpy as np

from hierq.tables import aligned
from hierq.agents.config import AgentConfig, Traces
from hierq.agents.layout import Layout, columns_are_given_out, layout_of
from hierq.agents.sizes import check_can_grow, check_fits, remembered_times
from hierq.tables.level import BLOCK, NO_ACTION, NOT_TRIED, Array, Ints, Level, Longs, Tables
from hierq.worlds import World


def make_tables(world: World, config: AgentConfig) -> Tables:
    """Fresh tables for an agent; refuses what would not fit in memory before it allocates."""
    layout = layout_of(world, config)
    check_fits(world, config, layout=layout)
    shared_column, shared_known = _columns(layout)
    levels = []
    for i in range(config.levels):
        column, known = shared_column, shared_known
        if not config.is_conditioned(i):
            column, known = np.full(layout.goals, -1, np.int64), _counter(1)
            column[world.goal] = world.goal if layout.local else 0
        levels.append(_make_level(layout, i, column, known))
    return Tables(tuple(levels))


def _columns(layout: Layout) -> tuple[Longs, Longs]:
    """The columns of the levels that learn about every goal: those that are given out from the start."""
    world, config = layout.world, layout.config
    column = np.full(layout.goals, -1, np.int64)
    cells = world.cells if config.subgoal_cells == "grid" else world.states
    if layout.local or not columns_are_given_out(config):
        column[:cells] = np.arange(cells)
    known = int(column.max()) + 1
    if world.goal >= world.cells:  # any of several goals
        column[world.goal] = world.goal if layout.local else known
        known += 1
    return column, _counter(known)


def _make_level(layout: Layout, i: int, column: Longs, known: Longs) -> Level:
    world, config = layout.world, layout.config
    states, start_value = world.states, config.start_value(i)
    places, rows, entry = layout.places(i), layout.most_rows(i), layout.entry
    legal, legal_count = layout.legal(i)
    learnt = i > 0 and layout.nearness == "learnt"
    used = np.zeros(states, np.int32)
    if i == 0:  # the moves have their rows from the start
        tried = np.arange(rows, dtype=np.int32).reshape(states, world.actions)
        row, given, action = tried.copy() if layout.local else tried.T.copy(), rows, legal.flatten()
        used += world.actions
    else:
        reachable = ((legal >= 0) & (legal < states)).sum(axis=1)  # walls can be asked for, but never be tried
        most = states if learnt else max(1, int(reachable.max()))
        rows = rows if learnt else max(1, int(reachable.sum()))
        tried, given, action = _not_set((states, most), np.int32), 0, _not_set(rows, np.int32)
        row = _not_set(legal.shape if layout.local else (states, states), np.int32)
        _set_no_rows(layout, row, legal, learnt)
    near, near_count = layout.near(i) if layout.local else (np.zeros((1, 1), np.int32), np.zeros(1, np.int32))
    traces, soft = isinstance(config.backup, Traces), config.target != "greedy"
    chains = min(config.hops[i], config.step_limit) if traces else 1
    settles = layout.settles(i)
    settled = _not_set((rows if settles else 1, 3), np.int64)
    if i == 0:
        settled[:] = 0
    goal_reward, powers = float(config.pseudo_reward == "binary"), layout.powers
    v = aligned.full((states, places), start_value, entry)
    return Level(
        local=layout.local,
        reach=config.spans[i],
        span=config.hops[i],
        horizon=config.horizon_of_levels[i],
        conditioned=config.is_conditioned(i),
        learns_reach=learnt,
        settles=settles,
        start_value=start_value,
        goal_entry=goal_reward if powers is None else len(powers) - 1,
        q=aligned.full((rows, places), start_value, entry) if i == 0 else _not_set((rows, places), entry),
        v=v,
        best=aligned.full((states, places), start_value, entry) if soft else v,
        norm=aligned.zeros((states, places) if soft else (1, 1)),
        stale=np.full(states, soft, np.int32),
        row=row,
        given=_counter(given),
        used=used,
        tried=tried,
        action=action,
        legal=legal,
        legal_count=used if learnt else legal_count,
        column=column,
        known=known,
        near=near,
        near_count=near_count,
        cut=aligned.zeros((chains, layout.columns(i)) if traces else (1, 1), np.int64),
        since=aligned.zeros(chains, np.int64),
        stamp=aligned.zeros(rows if traces else 1, np.int64),
        clock=_counter(0),
        changed=aligned.zeros((states, -(-places // BLOCK)) if settles else (1, 1), np.int64),
        settled=settled,
        share=aligned.zeros((max(1, remembered_times(config, i)), places if soft else 1)),
        powers=np.zeros(1) if powers is None else powers,
    )


def _set_no_rows(layout: Layout, row: Ints, legal: Ints, learnt: bool) -> None:
    """No row is given out yet: NOT_TRIED for legal actions, NO_ACTION for all others."""
    # Where one can only get to what is near, nobody will ever ask about the rest.
    all_near = layout.nearness == "L1" and layout.world.is_geometric
    if layout.local:
        row[:] = NOT_TRIED
    elif learnt or all_near or layout.config.subgoals == "anywhere":
        row[:] = NOT_TRIED
        np.fill_diagonal(row, NO_ACTION)
    else:
        row[:] = NO_ACTION
        state, slot = np.nonzero((legal >= 0) & (legal < len(row)))
        row[legal[state, slot], state] = NOT_TRIED


def clear_tables(tables: Tables, world: World, config: AgentConfig) -> None:
    """Makes tables know as little as fresh ones; they keep their memory, which is what takes time to get."""
    layout = layout_of(world, config)
    column, known = _columns(layout)
    for i, level in enumerate(tables.levels):
        if level.conditioned:
            level.column[:], level.known[:] = column, known
        level.v[:] = level.best[:] = level.start_value
        level.norm[:] = 0.0
        level.stale[:] = config.target != "greedy"
        for times in (level.cut, level.since, level.stamp, level.clock, level.changed):
            times[:] = 0
        if i == 0:
            level.q[:] = level.start_value
            level.settled[:] = 0
        else:
            level.given[:] = level.used[:] = 0
            _set_no_rows(layout, level.row, level.legal, level.learns_reach)


def _counter(value: int) -> Longs:
    return aligned.full(1, value, np.int64)


def _not_set(shape: int | tuple[int, int], kind: Any) -> Array:
    """An array for rows that are not given out yet: each is set when it is, which most never are."""
    return aligned.empty(shape, kind)


def with_room(tables: Tables, i: int, rows: int) -> Tables:
    """The same tables, with room for this number of rows at level i; where reach is learnt, that may be more than now.

    Raises:
        InputError: there is not enough memory; the tables are as they were.
    """
    level = tables.levels[i]
    if not level.learns_reach or rows <= len(level.action):
        return tables
    rows = max(rows, 2 * len(level.action))
    check_can_grow(f"level {i}", level.q.itemsize * rows * level.q.shape[1])
    return Tables((*tables.levels[:i], with_more_rows(level, rows), *tables.levels[i + 1 :]))


def with_room_for_a_step(tables: Tables, n: int) -> Tables:
    """The same tables with room for all rows that one step may give out: see `has_room`, which asks for them."""
    for i, level in enumerate(tables.levels):
        tables = with_room(tables, i, int(level.given[0]) + n * level.reach)
    return tables


def with_more_rows(level: Level, rows: int) -> Level:
    """The same level with room for more rows, where reach is learnt."""
    q, action = _not_set((rows, level.q.shape[1]), level.q.dtype), _not_set(rows, np.int32)
    bigger: dict[str, Any] = {"q": q, "action": action}
    if level.settles:
        bigger["settled"] = _not_set((rows, 3), np.int64)
    if len(level.stamp) == len(level.action):
        bigger["stamp"] = np.zeros(rows, np.int64)
    for name, array in bigger.items():
        old: Array = getattr(level, name)
        array[: len(old)] = old
    return level._replace(**bigger)
