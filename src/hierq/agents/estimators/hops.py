"""HierTB_k(n): hierarchical Tree-Backup (Algorithm 3 of the paper), or any other operator in its place."""

from hierq.agents.estimators.all_paths import HopRoom, join_hops, sliding_maximum, sliding_mean
from hierq.agents.estimators.partitions import cut_path, trailing
from hierq.agents.estimators.trace import A, S, Stretch, mu
from hierq.agents.estimators.values import blend, one_step_return, step_back
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.random_numbers import Words
from hierq.agents.world_arrays import WorldArrays
from hierq.compiling.static_choice import Cases, dispatch_on
from hierq.tables.level import Level
from hierq.tables.rows import include_goals


def hop_backup(
    level: Level, config: KernelConfig, world: WorldArrays, stretch: Stretch, room: HopRoom, rng: Words
) -> None:
    """One backup of a level along its trace, about A_τ, τ = first, as far as S_L, L = last; for all goals g at once.

        G[g] ← 1 if g = S_L else γ · V(S_L, g)
        for k = L−h, L−2h, … > τ:
            G[g] ← 1 if g = S_k else γ · operator(Q(S_k, A_{k+h−1}, g), V(S_k, g), G[g])
        G[S_τ] ← start value
        for j = τ−h+1 … τ, but not before 0:
            Q(S_j, A_τ, g) ← (1 − α) Q(S_j, A_τ, g) + α G[g]

    Algorithm 3 does this after every step t, with L = t + 1 and τ = t_n = t − h (n − 1), if that is not below 0. V is
    E_π Q, and Tree-Backup's operator is V + π (G − Q): G where the action is greedy, else V. A hop has h = H^a
    steps. Above level 0 the action A_j is the state S_{j+1} reached in hindsight: taken h steps earlier, at the start
    of the hop, or at any state in between, it would have led there. At level 0, h = 1. Other partitions go over hops of
    other lengths.

    The paper prints k ≥ t_n, which for h = 1 is one hop too many. G[S_τ] is not in the paper: the step starts at
    that goal, so a loop back to it earns nothing. When an episode ends, depths 1 … n are due: see `depths_due`.
    """
    trace, first, returns = stretch.trace, stretch.first, room.returns
    one_step_return(level, config, world, S(trace, stretch.last), returns)
    gather_return(level, config, stretch, room, rng)
    if level.conditioned:
        include_goals(level, S(trace, first), returns)
        returns.value[level.column[S(trace, first)]] = level.start_value
    for j in trailing(first, level.hop_length):  # τ − h + 1 … τ
        blend(level, config, S(trace, j), A(trace, first), returns)


@dispatch_on("paths", of="config")
def gather_return(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> Cases:
    """G ← the return of a hop that ends in S_{τ+1}, from the one-step return at S_L: along one path, or along all."""
    return {
        "one path": along_one_path,
        "max": join_hops,
        "mean": join_hops,
        "sliding max": sliding_maximum,
        "sliding mean": sliding_mean,
    }


def along_one_path(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> None:
    """Goes back along one path, which the partition cuts: hop by hop from S_L to S_{τ+1}."""
    trace = stretch.trace
    count = cut_path(stretch.first, stretch.last, level.hop_length, config.has_random_hops, rng, room.path)
    for k in range(count - 2, -1, -1):
        begin, end = room.path[k], room.path[k + 1]
        step_back(level, config, S(trace, begin), A(trace, end - 1), mu(trace, begin), room.returns)
