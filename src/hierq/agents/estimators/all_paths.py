"""Returns along all paths of hops at once: at each state the best hop counts, or the mean over its hops or paths.

`join_hops` is for any operator. For some operators a window slides over the returns instead, which is faster.
"""

from typing import NamedTuple

from hierq.agents.estimators.operators import Hop
from hierq.agents.estimators.trace import A, S, Stretch, mu
from hierq.agents.estimators.values import Joined, join_hop, refresh
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
    ends: Entries  # [h + 1 or more, columns]: Z_u, the returns of hops that end in S_u
    begun: Entries  # [columns]: the returns of the block that is not complete, joined
    paths: Floats  # N_u, the number of paths from S_u to S_L


def join_hops(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> None:
    """Goes back along all paths from S_L to S_{τ+1} at once, and joins the hops of each state one by one.

        for k = L−1 … τ+1:
            X[g] ← max over u = k+1 … k+h of operator(Q(S_k, A_{u−1}, g), V(S_k, g), Z_u[g])
            Z_k[g] ← 1 if g = S_k else γ · X[g]

    It begins with Z_L = G, and G ← Z_{τ+1} at the end. There are up to h^n paths, but Z_u is the same for all that lead
    through S_u. In place of the maximum there may be the mean over the hops, or that over the paths: then a hop to S_u
    counts N_u times, the number of paths from there to S_L, N_k = Σ_u N_u. These are W n h² reads, not the W n of one
    path.
    """
    trace, first, last = stretch.trace, stretch.first, stretch.last
    h, kept = level.hop_length, len(room.paths) - 1
    z = room.ends[last & kept]
    for g in range(level.columns_used[0]):
        z[g] = room.returns.value[g]
    room.paths[last & kept] = 1.0
    for k in range(last - 1, first, -1):
        state, z, end = S(trace, k), room.ends[k & kept], min(k + h, last)
        refresh(level, config, state)
        total = count_paths(config, room.paths, k, end)
        for u in range(k + 1, end + 1):
            weight = (room.paths[u & kept] if config.weighs_paths else 1.0) / total
            row = row_of(level, state, A(trace, u - 1))
            if not config.asks_about_hops and S(trace, u) == state:
                row = NOT_TRIED  # not an action either, but the operator does not ask for its value
            hop = Joined(weight, u == k + 1, u == end)
            join_hop(level, config, state, row, mu(trace, k), hop, room.ends[u & kept], z)
        if level.column[state] >= 0:
            z[level.column[state]] = level.goal_entry
        room.paths[k & kept] = total
    for g in range(level.columns_used[0]):
        room.returns.value[g] = z[g]


def sliding_maximum(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> None:
    """As `join_hops` with the maximum, by a window that slides over the returns Z: W n h reads.

    It is for operators that turn the maximum of several returns into the maximum of what passes.

    The trace is divided into blocks of h steps, from the end. The h returns that follow S_k are those of the block
    under way, whose maximum is `begun`, and the rest of the block after it in time. Each row of a complete block is
    replaced by the maximum of itself and of the rows before it in time, so the maximum of that rest is the row of
    S_{k+h}.
    """
    trace, first, last = stretch.trace, stretch.first, stretch.last
    h, kept, begun, ends, value = level.hop_length, len(room.paths) - 1, room.begun, room.ends, room.returns.value
    operator, decay, reward, discount = config.estimator, config.decay, config.step_reward, config.discount
    newest = ends[last & kept]
    for g in range(level.columns_used[0]):
        newest[g] = begun[g] = value[g]
    for k in range(last - 1, first, -1):
        state, z, rest, past = S(trace, k), ends[k & kept], ends[(k + h) & kept], last - k
        refresh(level, config, state)
        v, own = level.v[state], level.column[state]
        has_rest, begins = past > h and past % h != 0, past % h == 0
        before = begun[max(own, 0)]
        for g in range(level.columns_used[0]):
            y = begun[g]
            if has_rest:
                y = max(y, rest[g])
            x = call(operator, Hop(y, v[g], y, y, 1.0, decay))
            new = discounted(reward, discount, as_entry(x, y))
            z[g] = new
            begun[g] = new if begins else max(begun[g], new)
        if own >= 0:
            z[own] = level.goal_entry
            begun[own] = z[own] if begins else max(before, z[own])
        if (past + 1) % h == 0:
            for u in range(k + 1, k + h):
                earlier, row = ends[(u - 1) & kept], ends[u & kept]
                for g in range(level.columns_used[0]):
                    row[g] = max(row[g], earlier[g])
    z = ends[(first + 1) & kept]
    for g in range(level.columns_used[0]):
        value[g] = z[g]


def sliding_mean(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> None:
    """The mean over the hops or paths of each state: as `sliding_maximum`, with sums in place of maxima.

    It is for operators that turn the mean of several returns into the mean of what passes.

    Where the mean is one over paths, Z_u is kept N_u times as large, so that a sum counts each path once.
    """
    trace, first, last = stretch.trace, stretch.first, stretch.last
    h, kept, begun, ends, value = level.hop_length, len(room.paths) - 1, room.begun, room.ends, room.returns.value
    operator, decay, reward, discount = config.estimator, config.decay, config.step_reward, config.discount
    newest = ends[last & kept]
    for g in range(level.columns_used[0]):
        newest[g] = begun[g] = value[g]
    room.paths[last & kept] = 1.0
    for k in range(last - 1, first, -1):
        state, z, rest, past = S(trace, k), ends[k & kept], ends[(k + h) & kept], last - k
        refresh(level, config, state)
        v, own = level.v[state], level.column[state]
        total = count_paths(config, room.paths, k, min(k + h, last))
        weight = total if config.weighs_paths else 1.0
        has_rest, begins = past > h and past % h != 0, past % h == 0
        before = begun[max(own, 0)]
        for g in range(level.columns_used[0]):
            y = begun[g]
            if has_rest:
                y = as_entry(y + rest[g], y)
            x = call(operator, Hop(y, v[g], as_entry(y / total, y), y, 1.0, decay))
            new = as_entry(discounted(reward, discount, as_entry(x, y)) * weight, y)
            z[g] = new
            begun[g] = new if begins else as_entry(begun[g] + new, y)
        if own >= 0:
            z[own] = as_entry(level.goal_entry * weight, before)
            begun[own] = z[own] if begins else as_entry(before + z[own], before)
        room.paths[k & kept] = total
        if (past + 1) % h == 0:
            for u in range(k + 1, k + h):
                earlier, row = ends[(u - 1) & kept], ends[u & kept]
                for g in range(level.columns_used[0]):
                    row[g] = as_entry(row[g] + earlier[g], row[g])
    z, weight = ends[(first + 1) & kept], 1.0
    if config.weighs_paths:
        weight = room.paths[(first + 1) & kept]
    for g in range(level.columns_used[0]):
        value[g] = as_entry(z[g] / weight, z[g])


def count_paths(config: KernelConfig, paths: Floats, k: int, end: int) -> float:
    """N_k, the number of paths from S_k to S_L; or that of its hops, if the mean is over those."""
    if not config.weighs_paths:
        return float(end - k)
    total = 0.0
    for u in range(k + 1, end + 1):
        total += paths[u & (len(paths) - 1)]
    return total
