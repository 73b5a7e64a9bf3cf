"""Returns along all paths of hops at once: at each state the best hop counts, or the mean over its hops or paths.

G_u is the return at S_u: what every hop that ends there receives. W is the number of goals.
"""

from typing import NamedTuple

from hierq.agents.estimators.operators import Hop
from hierq.agents.estimators.state_values import find_probabilities, refresh, target_is_greedy
from hierq.agents.estimators.trace import A, S, Stretch, mu
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.random_numbers import Words
from hierq.compiling.decorators import pasted
from hierq.compiling.static_choice import StaticChoice, call, static_flag
from hierq.tables.entries import as_entry, discounted, greedy_share, lowest
from hierq.tables.level import NO_ACTION, NOT_TRIED, Entries, Floats, Level, Longs
from hierq.tables.rows import Returns, row_of


class HopRoom(NamedTuple):
    """Room for backups over hops. Arrays over time are ring buffers."""

    returns: Returns  # G, the return as it goes back
    path: Longs  # the times of the states on a path
    returns_at: Entries  # [h + 1 or more, columns]: G_u, the returns at S_u
    open_block: Entries  # [columns]: for `sliding.py`
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
    to S_last, N_k = Σ_u N_u. That takes W n h² reads; one path takes W n. `sliding.py` does it in W n h, for operators
    that commute with the maximum or the mean.
    """
    trace, first, last, value = stretch.trace, stretch.first, stretch.last, room.returns.value
    h, mask, by_max = level.hop_length, len(room.path_counts) - 1, joins_by_max(config.paths)
    here = row_at(room, last)
    for g in range(level.columns_used[0]):
        here[g] = value[g]
    room.path_counts[last & mask] = 1.0
    for k in range(last - 1, first, -1):
        state, here, end = S(trace, k), row_at(room, k), min(k + h, last)
        refresh(level, config, state)
        total = count_paths(config, room.path_counts, k, end)
        for g in range(level.columns_used[0]):
            here[g] = lowest(here[g]) if by_max else as_entry(0, here[g])
        for u in range(k + 1, end + 1):
            weight = (room.path_counts[u & mask] if config.weighs_paths else 1.0) / total
            join_hop(level, config, stretch, room, k, u, weight)
        for g in range(level.columns_used[0]):
            here[g] = discounted(config.step_reward, config.discount, here[g])
        if level.column[state] >= 0:
            here[level.column[state]] = level.goal_entry
        room.path_counts[k & mask] = total
    for g in range(level.columns_used[0]):
        value[g] = here[g]


def join_hop(
    level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, k: int, u: int, weight: float
) -> None:
    """X[g] ← max(X[g], operator(Q, V, G_u[g])) for the hop from S_k to S_u; for a mean X[g] + weight · operator(…)."""
    trace, operator, decay = stretch.trace, config.estimator, config.decay
    by_max, is_greedy = joins_by_max(config.paths), target_is_greedy(config.target)
    state, arrived, joined, pi = S(trace, k), row_at(room, u), row_at(room, k), room.returns.pi
    row, chance = row_of(level, state, A(trace, u - 1)), mu(trace, k)
    if not config.asks_about_hops and S(trace, u) == state:
        row = NOT_TRIED  # not an action either, but the operator does not use its value
    if not is_greedy:
        find_probabilities(level, config, state, row, pi)
    q, v = level.q[row], level.v[state]
    for g in range(level.columns_used[0]):
        x = v[g]
        if row != NO_ACTION:
            share = greedy_share(q[g], v[g]) if is_greedy else pi[g]
            x = as_entry(call(operator, Hop(q[g], v[g], arrived[g], share, chance, decay)), x)
        joined[g] = max(joined[g], x) if by_max else as_entry(joined[g] + weight * x, x)


@pasted  # because a compiled function may not return a part of an array
def row_at(room: HopRoom, time: int) -> Entries:
    """The returns at the state of some time."""
    return room.returns_at[time & (len(room.returns_at) - 1)]  # type: ignore[no-any-return]


@static_flag
def joins_by_max(paths: StaticChoice) -> bool:
    """Whether the best of several paths counts, and not their mean."""
    return paths.label == "max"


def count_paths(config: KernelConfig, paths: Floats, k: int, end: int) -> float:
    """N_k, the number of paths from S_k to S_last; for the mean over hops, the number of hops from S_k."""
    if not config.weighs_paths:
        return float(end - k)
    total = 0.0
    for u in range(k + 1, end + 1):
        total += paths[u & (len(paths) - 1)]
    return total
