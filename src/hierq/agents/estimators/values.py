"""Reading and writing rows of action values: the vocabulary of the backups.

Each function works on all goals g that a backup is about, at once. `returns` is the paper's bold G, an array with an
entry for each goal column.

    one_step_return   G[g] ← 1 if g = s else γ V(s, g)                    where a backup begins
    step_back         G[g] ← 1 if g = s else γ operator(Q(s, a, g), V(s, g), G[g])      one hop back
    blend             Q(s, a, g) ← (1 − α) Q(s, a, g) + α G[g]            where it ends
"""

from hierq.agents.estimators.operators import Hop
from hierq.agents.estimators.state_values import find_probabilities, refresh, target_is_greedy
from hierq.agents.estimators.trace import S, Trace
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.world_arrays import AT_GOAL, IN_HOLE, WorldArrays
from hierq.compiling.static_choice import call
from hierq.tables.entries import as_entry, blended, discounted, either, greedy_share, keep_best
from hierq.tables.level import NO_ACTION, Level
from hierq.tables.rows import (
    Returns,
    by_column,
    column_at,
    forget_goals,
    goal_at,
    goal_count,
    list_goals,
    row_for_writing,
    row_of,
    width,
)


def begin_returns(level: Level, trace: Trace, times: range, returns: Returns) -> None:
    """Begins a backup that updates values of the states of some times: it is about the goals that they know."""
    forget_goals(level, returns)
    for j in times:
        list_goals(level, S(trace, j), returns)


def one_step_return(level: Level, config: KernelConfig, world: WorldArrays, state: int, returns: Returns) -> None:
    """G[g] ← 1 if g = s else γ · V(s, g), where s is the newest state; from a hole no other goal is ever reached."""
    refresh(level, config, state)
    outcome, value = world.ending[state], returns.value
    v = by_column(level, state, level.v[state], returns, returns.v)
    for k in range(goal_count(level, returns)):
        g = goal_at(level, returns, k)
        value[g] = discounted(config.step_reward, config.discount, v[g])
    if outcome == IN_HOLE:
        for k in range(goal_count(level, returns)):
            value[goal_at(level, returns, k)] = config.hole_return
    if level.column[state] >= 0:
        value[level.column[state]] = level.goal_entry
    if outcome == AT_GOAL and level.column[world.goal] >= 0:  # where there are several, any of them
        value[level.column[world.goal]] = level.goal_entry


def step_back(level: Level, config: KernelConfig, state: int, action: int, mu: float, returns: Returns) -> None:
    """G[g] ← 1 if g = s else γ · X[g], where X[g] = operator(Q(s, a, g), V(s, g), G[g]).

    If the hop is not a legal action, X[g] = V(s, g) for every operator.
    """
    refresh(level, config, state)
    operator, decay, reward, discount = config.estimator, config.decay, config.step_reward, config.discount
    row, value, pi = row_of(level, state, action), returns.value, returns.pi
    v = by_column(level, state, level.v[state], returns, returns.v)
    if row == NO_ACTION:
        for k in range(goal_count(level, returns)):
            g = goal_at(level, returns, k)
            value[g] = discounted(reward, discount, v[g])
    else:
        q = by_column(level, state, level.q[row], returns, returns.q)
        is_greedy = target_is_greedy(config.target)
        if not is_greedy:
            find_probabilities(level, config, state, row, pi)
        for k in range(goal_count(level, returns)):
            g = goal_at(level, returns, k)
            share = greedy_share(q[g], v[g]) if is_greedy else pi[g]
            x = call(operator, Hop(q[g], v[g], value[g], share, mu, decay))
            value[g] = discounted(reward, discount, as_entry(x, v[g]))
    if level.column[state] >= 0:
        value[level.column[state]] = level.goal_entry


def blend(level: Level, config: KernelConfig, state: int, action: int, returns: Returns) -> None:
    """Q(s, a, g) ← (1 − α) Q(s, a, g) + α G[g] for all goals g, unless a is no action of the level.

    V(s, g) = max_a Q(s, a, g) follows: see `keep_best`.
    """
    row = row_for_writing(level, state, action)
    if row == NO_ACTION:
        return
    q, best = level.q[row], level.best[state]
    dropped = either(not target_is_greedy(config.target), False, returns.value[0])
    for place in range(width(level, state)):
        old = q[place]
        new = blended(config.step_size, old, returns.value[column_at(level, state, place)])
        q[place] = new
        dropped = either(dropped, keep_best(best, place, old, new), new)
    if dropped:
        level.stale[state] = 1
