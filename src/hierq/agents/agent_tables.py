"""The tables of an agent: makes fresh ones for a world and a configuration, and clears them."""

import numpy as np

from hierq.agents.layout import Layout, columns_are_given_out
from hierq.agents.needed_memory import check_fits
from hierq.tables.allocation import LevelPlan, clear_level, counter, make_level
from hierq.tables.level import Longs, Tables

NO_LIST = np.zeros((1, 1), np.int32), np.zeros(1, np.int32)


def plans_of(layout: Layout) -> list[LevelPlan]:
    """What the levels of an agent are made of; refuses what would not fit in memory before it allocates.

    Levels that learn about every goal share their columns.
    """
    check_fits(layout)
    shared = _columns(layout)
    return [_plan(layout, i, shared) for i in range(layout.config.levels)]


def make_tables(plans: list[LevelPlan]) -> Tables:
    """Fresh tables for an agent."""
    return Tables(tuple(make_level(plan) for plan in plans))


def clear_tables(tables: Tables, plans: list[LevelPlan], layout: Layout) -> None:
    """Makes tables equal to fresh ones."""
    column, known = _columns(layout)
    for level, plan in zip(tables.levels, plans, strict=True):
        if level.conditioned:
            level.column[:], level.columns_used[:] = column, known
        clear_level(level, plan)


def _columns(layout: Layout) -> tuple[Longs, Longs]:
    """The columns of the levels that learn about every goal: those that are given out from the start."""
    world, config = layout.world, layout.config
    column = np.full(layout.goals, -1, np.int64)
    cells = world.cells if config.subgoal_cells == "grid" else world.states
    if layout.local or not columns_are_given_out(config):
        column[:cells] = np.arange(cells)
    known = int(column.max()) + 1
    if column[world.goal] < 0 and world.goal not in world.goals:  # it stands for any of several
        column[world.goal] = world.goal if layout.local else known
        known += 1
    return column, counter(known)


def _plan(layout: Layout, i: int, shared: tuple[Longs, Longs]) -> LevelPlan:
    world, config, powers = layout.world, layout.config, layout.powers
    column, known = shared
    if not config.is_conditioned(i):
        column, known = np.full(layout.goals, -1, np.int64), counter(1)
        column[world.goal] = world.goal if layout.local else 0
    legal, legal_count = layout.legal(i)
    near, near_count = layout.near(i) if layout.local else NO_LIST
    learns_reach = i > 0 and layout.nearness == "learnt"
    # Where hindsight names the actions and one can only get to what is near, no action is ever out of reach.
    all_are_near = layout.nearness == "L1" and world.is_geometric and config.backup.hops != "executed"
    return LevelPlan(
        shape=layout.exact_shape(i, legal),
        fields={
            "reach": config.reaches[i],
            "hop_length": config.hop_lengths[i],
            "horizon": config.horizon_of_levels[i],
            "conditioned": config.is_conditioned(i),
            "learns_reach": learns_reach,
            "start_value": config.start_value(i),
            "goal_entry": config.goal_reward if powers is None else len(powers) - 1,
            "legal": legal,
            "legal_count": legal_count,
            "column": column,
            "columns_used": known,
            "near": near,
            "near_count": near_count,
            "powers": np.zeros(1) if powers is None else powers,
        },
        has_moves=i == 0,
        takes_any_cell=learns_reach or all_are_near or config.subgoals == "anywhere",
    )
