"""Returns along all paths of hops at once: at each state the best hop counts, or the mean over its hops or paths.

`join_hops` is for any operator. For operators that commute with the maximum or the mean, a window slides over the
returns instead, which is faster. G_u is the return at S_u: what every hop that ends there receives. W is the number of
goals.
"""

from typing import NamedTuple

from hierq.agents.estimators.operators import Hop
from hierq.agents.estimators.trace import A, S, Stretch, mu
from hierq.agents.estimators.values import JoinedHop, join_hop, refresh
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.random_numbers import Words
from hierq.compiling.static_choice import call
from hierq.tables.entries import as_entry, discounted
from hierq.tables.level import NOT_TRIED, Entries, Floats, Level, Longs
from hierq.tables.rows import Returns, row_of


class HopRoom(NamedTuple):
    """Room for backups over hops. Arrays over time are ring buffers."""

    returns: Returns  # G, the return as it goes back
    path: Longs  # the times of the states on a path
    returns_at: Entries  # [h + 1 or more, columns]: G_u, the returns at S_u
    open_block: Entries  # [columns]: the maximum or sum of the returns of the block that is not complete
    path_counts: Floats  # N_u, the number of paths from S_u to S_last


def join_hops(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> None:
    """Goes back along all paths from S_last to S_{first+1} at once, and joins the hops of each state one by one.

        G_last ← G
        for k = last − 1 … first + 1:
            X[g] ← max over u = k+1 … min(k+h, last) of operator(Q(S_k, A_{u−1}, g), V(S_k, g), G_u[g])
            G_k[g] ← 1 if g = S_k else γ · X[g]
        G ← G_{first+1}

    There are up to h^n paths, but G_u is the same for all that lead through S_u. In place of the maximum there may be
    the mean over the hops, or the mean over the paths: then a hop to S_u counts N_u times, the number of paths from S_u
    to S_last, N_k = Σ_u N_u. That takes W n h² reads; one path takes W n.
    """
    trace, first, last = stretch.trace, stretch.first, stretch.last
    h, mask = level.hop_length, len(room.path_counts) - 1
    here = room.returns_at[last & mask]
    for g in range(level.columns_used[0]):
        here[g] = room.returns.value[g]
    room.path_counts[last & mask] = 1.0
    for k in range(last - 1, first, -1):
        state, here, end = S(trace, k), room.returns_at[k & mask], min(k + h, last)
        refresh(level, config, state)
        total = count_paths(config, room.path_counts, k, end)
        for u in range(k + 1, end + 1):
            weight = (room.path_counts[u & mask] if config.weighs_paths else 1.0) / total
            row = row_of(level, state, A(trace, u - 1))
            if not config.asks_about_hops and S(trace, u) == state:
                row = NOT_TRIED  # not an action either, but the operator does not use its value
            hop = JoinedHop(weight, u == k + 1, u == end)
            join_hop(level, config, state, row, mu(trace, k), hop, room.returns_at[u & mask], here)
        if level.column[state] >= 0:
            here[level.column[state]] = level.goal_entry
        room.path_counts[k & mask] = total
    for g in range(level.columns_used[0]):
        room.returns.value[g] = here[g]


def sliding_maximum(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> None:
    """As `join_hops` with the maximum, for operators that commute with max: W n h reads.

    X needs the maximum of the h returns G_{k+1} … G_{k+h}. Counted from the end, every h states are a block, and those
    returns lie in two blocks: the open one, that of S_k, and the complete one after it. For h = 4 and k = last − 6:

        … S_k  G_{k+1} G_{k+2} | G_{k+3} G_{k+4}  ·  ·  | end of the trace
               `open_block`    |      `rest`            |

    `open_block` is the maximum so far of the open block. When a block is complete, each of its rows is replaced by the
    maximum of itself and of the rows before it in time. So the row of S_{k+h} is the maximum of the rest, and X takes
    the larger of two numbers. If S_k begins a block, the h returns are the whole block after it: `open_block` still has
    their maximum.
    """
    trace, first, last = stretch.trace, stretch.first, stretch.last
    h, mask, open_block, returns_at = level.hop_length, len(room.path_counts) - 1, room.open_block, room.returns_at
    operator, decay, reward, discount = config.estimator, config.decay, config.step_reward, config.discount
    value, newest = room.returns.value, returns_at[last & mask]
    for g in range(level.columns_used[0]):
        newest[g] = open_block[g] = value[g]
    for k in range(last - 1, first, -1):
        state, here, rest, steps_to_last = S(trace, k), returns_at[k & mask], returns_at[(k + h) & mask], last - k
        refresh(level, config, state)
        v, own = level.v[state], level.column[state]
        has_rest, begins_block = steps_to_last > h and steps_to_last % h != 0, steps_to_last % h == 0
        before = open_block[max(own, 0)]
        for g in range(level.columns_used[0]):
            y = open_block[g]
            if has_rest:
                y = max(y, rest[g])
            x = call(operator, Hop(y, v[g], y, y, 1.0, decay))
            new = discounted(reward, discount, as_entry(x, y))
            here[g] = new
            open_block[g] = new if begins_block else max(open_block[g], new)
        if own >= 0:
            here[own] = level.goal_entry
            open_block[own] = here[own] if begins_block else max(before, here[own])
        if (steps_to_last + 1) % h == 0:
            for u in range(k + 1, k + h):
                earlier, row = returns_at[(u - 1) & mask], returns_at[u & mask]
                for g in range(level.columns_used[0]):
                    row[g] = max(row[g], earlier[g])
    here = returns_at[(first + 1) & mask]
    for g in range(level.columns_used[0]):
        value[g] = here[g]


def sliding_mean(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> None:
    """The mean over the hops or paths of each state: as `sliding_maximum`, with sums in place of maxima.

    It is for operators that commute with the mean. For the mean over paths the row of S_u stores N_u · G_u, so that a
    sum counts each path once.
    """
    trace, first, last = stretch.trace, stretch.first, stretch.last
    h, mask, open_block, returns_at = level.hop_length, len(room.path_counts) - 1, room.open_block, room.returns_at
    operator, decay, reward, discount = config.estimator, config.decay, config.step_reward, config.discount
    value, newest = room.returns.value, returns_at[last & mask]
    for g in range(level.columns_used[0]):
        newest[g] = open_block[g] = value[g]
    room.path_counts[last & mask] = 1.0
    for k in range(last - 1, first, -1):
        state, here, rest, steps_to_last = S(trace, k), returns_at[k & mask], returns_at[(k + h) & mask], last - k
        refresh(level, config, state)
        v, own = level.v[state], level.column[state]
        total = count_paths(config, room.path_counts, k, min(k + h, last))
        weight = total if config.weighs_paths else 1.0
        has_rest, begins_block = steps_to_last > h and steps_to_last % h != 0, steps_to_last % h == 0
        before = open_block[max(own, 0)]
        for g in range(level.columns_used[0]):
            y = open_block[g]
            if has_rest:
                y = as_entry(y + rest[g], y)
            x = call(operator, Hop(y, v[g], as_entry(y / total, y), y, 1.0, decay))
            new = as_entry(discounted(reward, discount, as_entry(x, y)) * weight, y)
            here[g] = new
            open_block[g] = new if begins_block else as_entry(open_block[g] + new, y)
        if own >= 0:
            here[own] = as_entry(level.goal_entry * weight, before)
            open_block[own] = here[own] if begins_block else as_entry(before + here[own], before)
        room.path_counts[k & mask] = total
        if (steps_to_last + 1) % h == 0:
            for u in range(k + 1, k + h):
                earlier, row = returns_at[(u - 1) & mask], returns_at[u & mask]
                for g in range(level.columns_used[0]):
                    row[g] = as_entry(row[g] + earlier[g], row[g])
    here, weight = returns_at[(first + 1) & mask], 1.0
    if config.weighs_paths:
        weight = room.path_counts[(first + 1) & mask]
    for g in range(level.columns_used[0]):
        value[g] = as_entry(here[g] / weight, here[g])


def count_paths(config: KernelConfig, paths: Floats, k: int, end: int) -> float:
    """N_k, the number of paths from S_k to S_last; for the mean over hops, the number of hops from S_k."""
    if not config.weighs_paths:
        return float(end - k)
    total = 0.0
    for u in range(k + 1, end + 1):
        total += paths[u & (len(paths) - 1)]
    return total
