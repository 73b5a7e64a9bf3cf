"""Reading and writing rows of action values: the vocabulary of the backups.

Each function works on all goals g of a level at once. `returns` is the paper's bold G, an array with an entry for each
goal column. The rows of a state s have a place for each goal that it knows: all of them in dense tables.

    one_step_return   G[g] ← 1 if g = s else γ V(s, g)                    where a backup begins
    step_back         G[g] ← 1 if g = s else γ operator(Q(s, a, g), V(s, g), G[g])      one hop back
    join_hop          the same for one of several hops from a state, whose results are joined by maximum or mean
    blend             Q(s, a, g) ← (1 − α) Q(s, a, g) + α G[g]            where it ends
    refresh           brings V(s, ·) up to date
"""

import math
from typing import NamedTuple

from hierq.agents.estimators.operators import Hop
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.world_arrays import AT_GOAL, IN_HOLE, WorldArrays
from hierq.compiling.static_choice import OTHERWISE, Cases, StaticChoice, call, dispatch_on, static_flag
from hierq.tables.entries import (
    as_entry,
    blended,
    discounted,
    either,
    greedy_share,
    is_lost,
    keep_best,
    lowest,
    start_entry,
    value_of,
)
from hierq.tables.level import NO_ACTION, Entries, Level
from hierq.tables.rows import Returns, column_at, include_goals, row_for_writing, row_of, start_returns, width
from hierq.tables.ties import is_tied


@static_flag
def joins_by_max(paths: StaticChoice) -> bool:
    """Whether the best of several paths counts, and not their mean."""
    return paths.label == "max"


@static_flag
def target_is_greedy(target: StaticChoice) -> bool:
    """Whether V is the maximum of Q."""
    return target.label == "greedy"


def one_step_return(level: Level, config: KernelConfig, world: WorldArrays, state: int, returns: Returns) -> None:
    """G[g] ← 1 if g = s else γ · V(s, g), where s is the newest state; from a hole no other goal is ever reached."""
    outcome = world.ending[state]
    start_returns(level, returns, discounted(config.step_reward, config.discount, level.start_value))
    refresh(level, config, state)
    include_goals(level, state, returns)
    v = level.v[state]
    for place in range(width(level, state)):
        returns.value[column_at(level, state, place)] = discounted(config.step_reward, config.discount, v[place])
    if outcome == IN_HOLE:
        returns.others[0] = config.hole_return
        for place in range(width(level, state)):
            returns.value[column_at(level, state, place)] = config.hole_return
    if level.column[state] >= 0:
        returns.value[level.column[state]] = level.goal_entry
    if outcome == AT_GOAL and level.column[world.goal] >= 0:  # where there are several, any of them
        returns.value[level.column[world.goal]] = level.goal_entry


def step_back(level: Level, config: KernelConfig, state: int, action: int, mu: float, returns: Returns) -> None:
    """G[g] ← 1 if g = s else γ · X[g], where X[g] = operator(Q(s, a, g), V(s, g), G[g]).

    If the hop is not a legal action, X[g] = V(s, g) for every operator.
    """
    refresh(level, config, state)
    pass_back(level, config, state, row_of(level, state, action), mu, returns)
    if level.column[state] >= 0:
        returns.value[level.column[state]] = level.goal_entry


@dispatch_on("kind", of="level")
def pass_back(level: Level, config: KernelConfig, state: int, row: int, mu: float, returns: Returns) -> Cases:
    """G[g] ← γ · X[g] for all goals; `row` is the row of the action's values."""
    return {"local": _pass_local, OTHERWISE: _pass_dense}


@dispatch_on("target", of="config")
def _pass_dense(level: Level, config: KernelConfig, state: int, row: int, mu: float, returns: Returns) -> Cases:
    """In dense tables, where the column of a goal is its place in every row."""
    return {"greedy": _pass_greedy, "soft": _pass_soft}


def _pass_greedy(level: Level, config: KernelConfig, state: int, row: int, mu: float, returns: Returns) -> None:
    """For the greedy target, in dense tables."""
    operator, decay, reward, discount = config.estimator, config.decay, config.step_reward, config.discount
    v, value = level.v[state], returns.value
    if row >= 0:
        q = level.q[row]
        for g in range(level.columns_used[0]):
            x = call(operator, Hop(q[g], v[g], value[g], greedy_share(q[g], v[g]), mu, decay))
            value[g] = discounted(reward, discount, as_entry(x, v[g]))
    elif row == NO_ACTION:
        for g in range(level.columns_used[0]):
            value[g] = discounted(reward, discount, v[g])
    else:
        untried = start_entry(level, v[0])
        for g in range(level.columns_used[0]):
            x = call(operator, Hop(untried, v[g], value[g], greedy_share(untried, v[g]), mu, decay))
            value[g] = discounted(reward, discount, as_entry(x, v[g]))


def _pass_soft(level: Level, config: KernelConfig, state: int, row: int, mu: float, returns: Returns) -> None:
    """For a target policy that is not greedy, in dense tables: a single hop."""
    _join_soft(level, config, state, row, mu, JoinedHop(1.0, True, True), returns.value, returns.value)


def _pass_local(level: Level, config: KernelConfig, state: int, row: int, mu: float, returns: Returns) -> None:
    """In local tables; for goals far away all actions have the start value, so every action is greedy."""
    include_goals(level, state, returns)
    operator, decay, start, v = config.estimator, config.decay, level.start_value, level.v[state]
    for place in range(width(level, state)):  # buffered, because the next loop overwrites these returns
        q = level.q[row, place] if row >= 0 else start
        y = returns.value[column_at(level, state, place)]
        x = through_hop(operator, row, Hop(q, v[place], y, greedy_share(q, v[place]), mu, decay))
        returns.passed[place] = discounted(config.step_reward, config.discount, x)
    for k in range(returns.length[0]):
        g = returns.listed[k]
        x = through_hop(operator, row, Hop(start, start, returns.value[g], 1.0, mu, decay))
        returns.value[g] = discounted(config.step_reward, config.discount, x)
    x = through_hop(operator, row, Hop(start, start, returns.others[0], 1.0, mu, decay))
    returns.others[0] = discounted(config.step_reward, config.discount, x)
    for place in range(width(level, state)):
        returns.value[column_at(level, state, place)] = returns.passed[place]


def through_hop(operator: StaticChoice, row: int, hop: Hop) -> float:
    """X, the operator's result for a hop; V(s, g) if the hop is not a legal action."""
    return float(call(operator, hop)) if row != NO_ACTION else float(hop.v)


class JoinedHop(NamedTuple):
    """One of several hops from a state, whose results are joined by their maximum or mean."""

    weight: float  # its share of a mean
    is_first: bool  # the first of them to be joined
    is_last: bool


@dispatch_on("target", of="config")
def join_hop(
    level: Level, config: KernelConfig, state: int, row: int, mu: float, hop: JoinedHop, arrived: Entries, to: Entries
) -> Cases:
    """Joins X[g] of one hop, computed from the return `arrived`, to those of the hops before it, in the array `to`.

    After the last hop, to[g] ← γ · to[g].
    """
    return {"greedy": _join_greedy, "soft": _join_soft}


def _join_greedy(
    level: Level, config: KernelConfig, state: int, row: int, mu: float, hop: JoinedHop, arrived: Entries, to: Entries
) -> None:
    """For the greedy target."""
    operator, decay, by_max, v = config.estimator, config.decay, joins_by_max(config.paths), level.v[state]
    reward, discount = config.step_reward, config.discount
    weight, is_first, is_last = hop.weight, hop.is_first, hop.is_last
    untried, nothing = start_entry(level, v[0]), lowest(v[0]) if by_max else as_entry(0, v[0])
    for g in range(level.columns_used[0]):
        x = v[g]
        if row != NO_ACTION:
            q = level.q[row, g] if row >= 0 else untried
            x = as_entry(call(operator, Hop(q, v[g], arrived[g], greedy_share(q, v[g]), mu, decay)), x)
        before = nothing if is_first else to[g]
        joined = max(before, x) if by_max else as_entry(before + weight * x, x)
        to[g] = discounted(reward, discount, joined) if is_last else joined


def _join_soft(
    level: Level, config: KernelConfig, state: int, row: int, mu: float, hop: JoinedHop, arrived: Entries, to: Entries
) -> None:
    """For a target policy that is not greedy."""
    by_max, v = joins_by_max(config.paths), level.v[state]
    nothing = -math.inf if by_max else 0.0
    for g in range(level.columns_used[0]):
        q = level.q[row, g] if row >= 0 else level.start_value
        pi = probability(level, config, state, row, g)
        x = through_hop(config.estimator, row, Hop(q, v[g], arrived[g], pi, mu, config.decay))
        before = nothing if hop.is_first else to[g]
        joined = max(before, x) if by_max else before + hop.weight * x
        to[g] = config.step_reward + config.discount * joined if hop.is_last else joined


def blend(level: Level, config: KernelConfig, state: int, action: int, returns: Returns) -> None:
    """Q(s, a, g) ← (1 − α) Q(s, a, g) + α G[g] for all goals g, unless a is no action of the level.

    V(s, g) = max_a Q(s, a, g) follows: see `keep_best`.
    """
    row = row_for_writing(level, state, action)
    if row == NO_ACTION:
        return
    include_goals(level, state, returns)
    q, best = level.q[row], level.best[state]
    dropped = either(not target_is_greedy(config.target), False, returns.value[0])
    for place in range(width(level, state)):
        old = q[place]
        new = blended(config.step_size, old, returns.value[column_at(level, state, place)])
        q[place] = new
        dropped = either(dropped, keep_best(best, place, old, new), new)
    if dropped:
        level.stale[state] = 1


def refresh(level: Level, config: KernelConfig, state: int) -> None:
    """Brings V(s, ·) up to date if writing made it stale."""
    if level.stale[state]:
        level.stale[state] = 0
        find_values(level, config, state)


@dispatch_on("target", of="config")
def find_values(level: Level, config: KernelConfig, state: int) -> Cases:
    """V(s, g) ← max_a Q(s, a, g), or E_π Q(s, ·, g), for all goals g."""
    return {"greedy": find_lost_maxima, "soft": find_expectations}


def find_lost_maxima(level: Level, config: KernelConfig, state: int) -> None:
    """V(s, g) ← max_a Q(s, a, g) where `keep_best` has lost it."""
    for place in range(width(level, state)):
        if is_lost(level.best[state, place]):
            level.best[state, place] = maximum(level, state, place)


def highest_value(level: Level, config: KernelConfig, state: int, place: int) -> float:
    """max_a Q(s, a, g) for the goal in one place, up to date."""
    if place < 0:
        return level.start_value
    if not target_is_greedy(config.target):
        refresh(level, config, state)
    elif is_lost(level.best[state, place]):
        level.best[state, place] = maximum(level, state, place)
    return value_of(level, level.best[state, place])


def maximum(level: Level, state: int, place: int) -> float:
    """max_a Q(s, a, g), untried actions counting with the start value; where there is no action, that value."""
    used = level.used[state]
    best = level.start_value if used < level.legal_count[state] or used == 0 else -math.inf
    for k in range(used):
        best = max(best, level.q[level.tried[state, k], place])
    return best


def find_expectations(level: Level, config: KernelConfig, state: int) -> None:
    """V(s, g) ← Σ_a π(a | s, g) Q(s, a, g) for an ε-soft or softmax target, with what `probability` needs."""
    used, legal = level.used[state], level.legal_count[state]
    if legal == 0:  # no action can be chosen here, so V(s, ·) keeps the start value
        return
    untried = legal - used
    for g in range(level.columns_used[0]):
        best = maximum(level, state, g)
        norm, weighted, total = 0.0, 0.0, untried * level.start_value
        if untried > 0:
            norm = untried * weight(config, level.start_value, best)
            weighted = norm * level.start_value
        for k in range(used):
            value = level.q[level.tried[state, k], g]
            norm += weight(config, value, best)
            weighted += weight(config, value, best) * value
            total += value
        level.best[state, g] = best
        level.norm[state, g] = norm
        if config.is_softmax:
            level.v[state, g] = weighted / norm
        else:
            level.v[state, g] = config.softness * total / legal + (1.0 - config.softness) * weighted / norm


def weight(config: KernelConfig, value: float, best: float) -> float:
    """The unnormalised probability of an action: 1 if it ties for the best (ε-soft), or exp(Q / temperature)."""
    if config.is_softmax:
        return math.exp((value - best) / config.softness)
    return 1.0 if is_tied(best, value, 0.0) else 0.0


def probability(level: Level, config: KernelConfig, state: int, row: int, g: int) -> float:
    """π(a | s, g) of a target that is not greedy, for the action in a row; V(s, ·) must be fresh."""
    if row == NO_ACTION:
        return 0.0
    value = level.q[row, g] if row >= 0 else level.start_value
    share = float(weight(config, value, level.best[state, g]) / level.norm[state, g])
    if config.is_softmax:
        return share
    return config.softness / float(level.legal_count[state]) + (1.0 - config.softness) * share
