"""The shapes of the arrays that an agent needs in a world: they are allocated by them, and memory is estimated by them.

Loads no Numba.
"""

import numpy as np

from hierq.agents.layout import Layout
from hierq.agents.rivals.memory import memory_shapes
from hierq.tables.aligned import Shapes
from hierq.tables.ring_buffer import ring_length


def table_shapes(layout: Layout, level: int, rows: int, actions: int) -> Shapes:
    """Shapes of the arrays of a level that has room for some rows, and for some legal actions in each state."""
    states, places, entry = layout.world.states, layout.places(level), layout.entry
    chains, kept = chains_of(layout, level), kept_steps(layout, level)
    is_greedy = layout.config.is_greedy  # then best is the same array as v
    slots = layout.world.actions if level == 0 else states
    return {
        "q": ((rows + 1, places), entry),
        "v": ((states, places), entry),
        "best": ((0, 0) if is_greedy else (states, places), entry),
        "norm": ((1, 1) if is_greedy else (states, places), np.float64),
        "stale": ((states,), np.int32),
        "row": ((states, actions) if layout.local else (slots, states), np.int32),
        "rows_used": ((1,), np.int64),
        "used": ((states,), np.int32),
        "tried": ((states, actions), np.int32),
        "action": ((rows,), np.int32),
        "legal": ((states, actions), np.int32),
        "near": ((states, places) if layout.local else (1, 1), np.int32),
        "cut_at": ((chains, layout.columns(level)) if chains else (1, 1), np.int64),
        "all_cut_at": ((max(1, chains),), np.int64),
        "touched_by": ((rows if chains else 1,), np.int64),
        "recent_pi": ((kept, places) if kept else (1, 1), np.float64),
    }


def chains_of(layout: Layout, level: int) -> int:
    """Chains of traces of a level; 0 where there are none."""
    config = layout.config
    return min(config.hop_lengths[level], config.step_limit) if config.backup.has_traces else 0


def kept_steps(layout: Layout, level: int) -> int:
    """Steps for which a level keeps π, for traces of a target that is not greedy."""
    config = layout.config
    if config.is_greedy or not config.backup.has_traces:
        return 0
    return min(config.step_limit, config.hops_alive * config.hop_lengths[level]) + 1


def episode_shapes(layout: Layout) -> Shapes:
    """Shapes of the arrays of an `Episode` but for its record `now`, and of the room for backups that is part of it."""
    config, backup, entry = layout.config, layout.config.backup, layout.entry
    levels = range(config.levels)
    kept, h = config.steps_kept, config.longest_hop
    uppers = max(1, config.levels - 1) if backup.hops == "executed" else 1
    places, columns = max(map(layout.places, levels)), max(map(layout.columns, levels))
    listed = columns if layout.local else 1
    joined = columns if backup.kernel_joins else 1
    hops = ring_length(h + 1) if backup.kernel_joins else 1
    return {
        "states": ((kept,), np.int64),
        "actions": ((kept,), np.int64),
        "chances": ((kept if backup.asks_for_chances else 1,), np.float64),
        "upper_states": ((uppers, kept), np.int64),
        "upper_actions": ((uppers, kept), np.int64),
        "upper_length": ((uppers,), np.int64),
        "certain": ((1,), np.float64),
        "goals": ((kept, config.levels), np.int64),
        "actors": ((kept,), np.int64),
        "turns": ((config.levels,), np.int64),
        "value_when_chosen": ((config.levels,), np.float64),
        "ties": ((max(map(layout.most_actions, levels)) + 1,), np.int64),
        # of Returns
        "value": ((columns,), entry),
        "pi": ((1 if config.is_greedy else columns,), entry),
        "q": ((listed,), entry),
        "v": ((listed,), entry),
        "listed": ((listed,), np.int64),
        "length": ((1,), np.int64),
        "backup": ((listed,), np.int64),
        "clock": ((1,), np.int64),
        # of HopRoom
        "path": ((min(kept, h * (backup.depth - 1)) + 2,), np.int64),
        "returns_at": ((hops, joined), entry),
        "open_block": ((joined,), entry),
        "path_counts": ((hops,), np.float64),
        # of LiveErrors
        "goal": ((places + 1,), np.int64),
        "delta": ((places + 8,), np.float64),
        "z": ((places + 1,), np.float64),
        "last_cut": ((1,), np.int64),
        "backups": ((1,), np.int64),
        "rows": ((1,), np.int64),
        "episode_offset": ((1,), np.int64),
    }


def rival_shapes(layout: Layout) -> Shapes:
    """Shapes of the arrays that a rival remembers things in; none for other agents."""
    rule = layout.config.backup.memory_rule
    if rule is None:
        return {}
    return memory_shapes(rule, layout.world.states, layout.most_rows(0), layout.places(0))
