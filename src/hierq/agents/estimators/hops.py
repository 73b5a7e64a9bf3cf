"""HierTB_k(n): hierarchical Tree-Backup (Algorithm 3 of the paper)."""

from hierq.tables.compiled import inlined
from hierq.agents.world_arrays import Places
from hierq.tables.ring_buffer import recall
from hierq.tables.rows import Returns, list_goals
from hierq.agents.settled import all_settled
from hierq.tables.level import AnyLevels, Longs, level_at
from hierq.agents.estimators.values import Rules, blend, one_step_return, step_back


@inlined
def tree_backup(
    levels: AnyLevels,
    i: int,
    rules: Rules,
    places: Places,
    states: Longs,
    actions: Longs,
    last: int,
    n: int,
    returns: Returns,
) -> None:
    """One n-step backup of level i along its trace S_0 A_0 S_1 … A_{L−1} S_L, for all goals g at once.

        τ ← L − 1 − h (n − 1)
        G[g] ← 1 if g = S_L else γ · V(S_L, g)
        for j = L−1−h, L−1−2h, … ≥ τ:   G[g] ← 1 if g = S_{j+1} else γ · (G[g] if A_{j+h} is greedy else V(S_{j+1}, g))
        Q(S_{τ−j}, A_τ, g) ← (1 − α) Q(S_{τ−j}, A_τ, g) + α G[g]       for j = h−1 … 0

    A hop spans h = H^a_i steps. Above level 0 the action A_t is the cell S_{t+1} reached in hindsight: taken h steps
    earlier, at the start of the hop, or at any state in between, it would have led there. At level 0, h = 1.

    Args:
        levels: the levels.
        i: the level that learns.
        rules: the agent's rules.
        places: the world.
        states: S_0 … S_L, the trace of this level, in a ring.
        actions: A_0 … A_{L−1}, in a ring.
        last: L.
        n: number of hops.
        returns: room for G.
    """
    level = level_at(levels, i)
    h = level.span
    tau = last - 1 - h * (n - 1)
    if tau < 0:
        return
    oldest, newest, action = tau - min(h - 1, tau), recall(states, last), recall(actions, tau)
    if level.settles:
        level.clock[0] += 1
        if all_settled(level, states, oldest, tau, action, newest, recall(states, tau)):
            return
    one_step_return(level, rules, places, newest, returns)
    for j in range(last - 1 - h, tau - 1, -h):
        step_back(level, rules, recall(states, j + 1), recall(actions, j + h), returns)
    if level.conditioned:  # a loop back to where the step starts earns nothing
        list_goals(level, recall(states, tau), returns)
        returns.value[level.column[recall(states, tau)]] = level.start_value
    for j in range(oldest, tau + 1):
        blend(level, rules, recall(states, j), action, newest, recall(states, tau), returns)
