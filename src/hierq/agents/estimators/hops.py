"""HierTB_k(n): hierarchical Tree-Backup (Algorithm 3 of the paper), or any other operator in its place.

A hop is one action of a level as a backup sees it: at most h steps of the level's trace, h = H^a in the paper.
"""

from hierq.agents.estimators.all_paths import HopRoom, join_hops
from hierq.agents.estimators.partitions import cut_path, trailing
from hierq.agents.estimators.sliding import sliding_maximum, sliding_mean
from hierq.agents.estimators.trace import A, S, Stretch, mu
from hierq.agents.estimators.values import begin_returns, blend, one_step_return, step_back
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.random_numbers import Words
from hierq.agents.world_arrays import WorldArrays
from hierq.compiling.static_choice import Cases, dispatch_on
from hierq.tables.level import Level


def hop_backup(
    level: Level, config: KernelConfig, world: WorldArrays, stretch: Stretch, room: HopRoom, rng: Words
) -> None:
    """One n-step backup: updates Q(·, A_first, g) for all goals g at once, along the trace as far as S_last.

        G[g] ← 1 if g = S_last else γ · V(S_last, g)
        for k = last − h, last − 2h, … > first:
            G[g] ← 1 if g = S_k else γ · operator(Q(S_k, A_{k+h−1}, g), V(S_k, g), G[g])
        G[S_first] ← start value
        for j = first − h + 1 … first, but not before 0:
            Q(S_j, A_first, g) ← (1 − α) Q(S_j, A_first, g) + α G[g]

    Algorithm 3 does this after every step t, with last = t + 1 and first = t_n = t − h (n − 1), if t_n ≥ 0; when an
    episode ends, for the depths 1 … n: see `depths_due`. V is E_π Q. Above level 0 the action A_j is, in hindsight, the
    state S_{j+1}: had it been chosen at any of the h preceding states, it would have led there, too. At level 0, h = 1.
    Other partitions have hops of other lengths.

    Departures from the printed lines: the paper prints k ≥ t_n, which for h = 1 is one hop too many. Its line 6 has
    π G + (1 − π) V; Tree-Backup's operator is V + π (G − Q), the same for a greedy policy: G if the action is greedy,
    else V. G[S_first] is not in the paper: the step starts at that goal, so a loop back to it receives no reward.
    Blocked moves are no actions above level 0: see `extend_traces`.
    """
    trace, first, returns = stretch.trace, stretch.first, room.returns
    begin_returns(level, trace, trailing(first, level.hop_length), returns)
    one_step_return(level, config, world, S(trace, stretch.last), returns)
    gather_return(level, config, stretch, room, rng)
    if level.conditioned:
        returns.value[level.column[S(trace, first)]] = level.start_value
    for j in trailing(first, level.hop_length):  # first − h + 1 … first
        blend(level, config, S(trace, j), A(trace, first), returns)


@dispatch_on("paths", of="config")
def gather_return(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> Cases:
    """G ← the return of hops that end in S_{first+1}, from the one-step return at S_last: along one path, or all."""
    return {
        "one path": along_one_path,
        "max": join_hops,
        "mean": join_hops,
        "sliding max": sliding_maximum,
        "sliding mean": sliding_mean,
    }


def along_one_path(level: Level, config: KernelConfig, stretch: Stretch, room: HopRoom, rng: Words) -> None:
    """Goes back along one path, which the partition cuts: hop by hop from S_last to S_{first+1}."""
    trace = stretch.trace
    count = cut_path(stretch.first, stretch.last, level.hop_length, config.has_random_hops, rng, room.path)
    for k in range(count - 2, -1, -1):
        begin, end = room.path[k], room.path[k + 1]
        step_back(level, config, S(trace, begin), A(trace, end - 1), mu(trace, begin), room.returns)
