"""Returns along all paths, as `all_paths.py` has them, for operators that commute with the maximum or the mean: W n h.

X at S_k then needs only the maximum, or the sum, of the h returns G_{k+1} … G_{k+h}: a window that slides back. Counted
from the end, every h states are a block, and those returns lie in two blocks: the open one, that of S_k, and the
complete one after it. For h = 4 and k = last − 6:

    … S_k  G_{k+1} G_{k+2} | G_{k+3} G_{k+4}  ·  ·  | end of the trace
           `open_block`    |      `rest`            |

`open_block` is the maximum of the returns in the open block that are known already. When a block is complete, each of
its rows is replaced by the maximum of itself and of the rows before it in time. So the row of S_{k+h} is the maximum of
the rest, and X takes the larger of two numbers. If S_k begins a block, the h returns are the whole block after it:
`open_block` still has their maximum.
"""

from typing import Any

from hierq.agents.estimators.all_paths import HopRoom, count_paths, row_at
from hierq.agents.estimators.operators import Hop
from hierq.agents.estimators.state_values import refresh
from hierq.agents.estimators.trace import S, Stretch
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.random_numbers import Words
from hierq.compiling.static_choice import call
from hierq.tables.entries import Entry, as_entry, discounted
from hierq.tables.level import Level


def sliding_maximum(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> None:
    """As `join_hops` with the maximum."""
    operator, decay, reward, discount = config.estimator, config.decay, config.step_reward, config.discount
    trace, last, h = stretch.trace, stretch.last, level.hop_length
    open_block, value = room.open_block, room.returns.value
    here = row_at(room, last)
    for g in range(level.columns_used[0]):
        here[g] = open_block[g] = value[g]
    for k in range(last - 1, stretch.first, -1):
        here, rest = row_at(room, k), row_at(room, k + h)
        begins_block = (last - k) % h == 0
        is_split = last - k > h and not begins_block
        refresh(level, config, S(trace, k))
        v, own = level.v[S(trace, k)], level.column[S(trace, k)]
        before = open_block[max(own, 0)]
        for g in range(level.columns_used[0]):
            y = open_block[g]
            if is_split:
                y = max(y, rest[g])
            x = call(operator, Hop(y, v[g], y, y, 1.0, decay))
            new = discounted(reward, discount, as_entry(x, y))
            here[g] = new
            open_block[g] = new if begins_block else max(open_block[g], new)
        if own >= 0:
            here[own] = level.goal_entry
            open_block[own] = here[own] if begins_block else max(before, here[own])
        if (last - k + 1) % h == 0:
            complete_block(level, room, k, larger)
    for g in range(level.columns_used[0]):
        value[g] = here[g]


def sliding_mean(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> None:
    """As `join_hops` with a mean, over the hops or the paths of each state: with sums in place of maxima.

    For the mean over paths the row of S_u holds N_u · G_u, so that a sum counts each path once.
    """
    operator, decay, reward, discount = config.estimator, config.decay, config.step_reward, config.discount
    trace, last, h = stretch.trace, stretch.last, level.hop_length
    open_block, value = room.open_block, room.returns.value
    mask, weight, here = len(room.path_counts) - 1, 1.0, row_at(room, last)
    for g in range(level.columns_used[0]):
        here[g] = open_block[g] = value[g]
    room.path_counts[last & mask] = 1.0
    for k in range(last - 1, stretch.first, -1):
        here, rest = row_at(room, k), row_at(room, k + h)
        begins_block = (last - k) % h == 0
        is_split = last - k > h and not begins_block
        refresh(level, config, S(trace, k))
        v, own = level.v[S(trace, k)], level.column[S(trace, k)]
        before = open_block[max(own, 0)]
        total = count_paths(config, room.path_counts, k, min(k + h, last))
        room.path_counts[k & mask] = total
        if config.weighs_paths:
            weight = total
        for g in range(level.columns_used[0]):
            y = open_block[g]
            if is_split:
                y = added(y, rest[g])
            x = call(operator, Hop(y, v[g], as_entry(y / total, y), y, 1.0, decay))
            new = as_entry(discounted(reward, discount, as_entry(x, y)) * weight, y)
            here[g] = new
            open_block[g] = new if begins_block else added(open_block[g], new)
        if own >= 0:
            here[own] = as_entry(level.goal_entry * weight, before)
            open_block[own] = here[own] if begins_block else added(before, here[own])
        if (last - k + 1) % h == 0:
            complete_block(level, room, k, added)
    for g in range(level.columns_used[0]):
        value[g] = as_entry(here[g] / weight, here[g])


def complete_block(level: Level, room: HopRoom, k: int, join: Any) -> None:
    """Each row of the block that begins with S_k is joined with the rows before it in time."""
    for u in range(k + 1, k + level.hop_length):
        earlier, row = row_at(room, u - 1), row_at(room, u)
        for g in range(level.columns_used[0]):
            row[g] = join(row[g], earlier[g])


def larger(one: Entry, other: Entry) -> Entry:
    """The larger of two entries."""
    return max(one, other)


def added(one: Entry, other: Entry) -> Entry:
    """The sum of two entries."""
    return as_entry(one + other, one)
