"""HierTB_k(n): hierarchical Tree-Backup (Algorithm 3 of the paper), or any other operator in its place."""

from hierq.agents.estimators.partitions import first_step, hops_back, trailing
from hierq.agents.estimators.trace import A, S, Trace
from hierq.agents.estimators.values import blend, one_step_return, step_back
from hierq.agents.rules import Rules
from hierq.agents.world_arrays import WorldArrays
from hierq.tables.compiled import inlined
from hierq.tables.level import Level
from hierq.tables.rows import Returns, include_goals
from hierq.tables.typed import usable_in_kernels

for index_arithmetic in (first_step, hops_back, trailing):
    usable_in_kernels(index_arithmetic)


@inlined
def hop_backup(level: Level, rules: Rules, world: WorldArrays, trace: Trace, n: int, returns: Returns) -> None:
    """One n-step backup of a level along its trace S_0 A_0 … S_t A_t S_{t+1}, for all goals g at once.

        t_n ← t − h (n − 1)
        if t_n ≥ 0:
            G[g] ← 1 if g = S_{t+1} else γ · V(S_{t+1}, g)
            for k = t−h+1, t−2h+1, … > t_n:
                G[g] ← 1 if g = S_k else γ · operator(Q(S_k, A_{k+h−1}, g), V(S_k, g), G[g])
            G[S_{t_n}] ← start value
            for j = t_n−h+1 … t_n, but not before 0:
                Q(S_j, A_{t_n}, g) ← (1 − α) Q(S_j, A_{t_n}, g) + α G[g]

    V is E_π Q, and Tree-Backup's operator is V + π (G − Q): G where the action is greedy, else V. A hop spans h = H^a
    steps. Above level 0 the action A_j is the state S_{j+1} reached in hindsight: taken h steps earlier, at the start
    of the hop, or at any state in between, it would have led there. At level 0, h = 1.

    The paper prints k ≥ t_n, which for h = 1 is one hop too many. G[S_{t_n}] is not in the paper: the step starts at
    that goal, so a loop back to it earns nothing. When an episode ends, depths 1 … n are due: see `depths_due`.
    """
    h, t = level.span, trace.t
    t_n = first_step(t, n, h)  # t − h (n − 1)
    if t_n < 0:
        return
    one_step_return(level, rules, world, S(trace, t + 1), returns)
    for k in hops_back(t, n, h):  # t − h + 1, t − 2h + 1, … > t_n
        step_back(level, rules, S(trace, k), A(trace, k + h - 1), returns)
    if level.conditioned:
        include_goals(level, S(trace, t_n), returns)
        returns.value[level.column[S(trace, t_n)]] = level.start_value
    for j in trailing(t_n, h):  # t_n − h + 1 … t_n
        blend(level, rules, S(trace, j), A(trace, t_n), returns)
