"""Reading and writing rows of action values: the vocabulary of the backups.

Each function works on all goals of a level at once. `returns` is the paper's bold G, one number per goal column; the
rows of a state have a place for each goal it knows.
"""

import math
from typing import NamedTuple

from hierq.tables.compiled import inlined
from hierq.agents.config import AgentConfig, EpsilonSoft, Softmax, Traces, TreeBackup
from hierq.tables.entries import blended, discounted, either, is_lost, keep_best, lost, start_entry, value_of
from hierq.agents.world_arrays import AT_GOAL, IN_HOLE, Places
from hierq.tables.rows import Returns, column_at, list_goals, row_for_writing, row_of, start_returns, width
from hierq.agents.settled import write_again
from hierq.tables.level import NO_ACTION, Level

GREEDY, EPSILON_SOFT, SOFTMAX = 0, 1, 2
NO_PREFERENCE, REACHABLE, PUBLISHED = 0, 1, 2


class Rules(NamedTuple):
    """An AgentConfig as the kernels read it: numbers."""

    discount: float
    step_size: float
    step_reward: float  # for every step but that to the goal
    hole_return: float  # for falling into a hole, whatever the goal was
    traces: bool
    n: int
    decay: float | None  # of traces; None, for tables of ranks, tells the compiler that it can do without them
    target: int
    softness: float  # ε or temperature of the target policy
    flat: bool
    anywhere: bool
    by_position: bool  # what is within reach is told by L1 distance, else by the legal sub-goals
    walls: bool
    preference: int
    published_evaluation: bool
    explore_train: float
    explore_eval: float
    step_limit: int
    never_below_start: bool  # values are averages of returns ≥ 0 and start at 0


def rules_of(config: AgentConfig, by_position: bool = True, ranks: bool = False) -> Rules:
    """The rules of a configuration.

    A hole earns what an endless search would: nothing, or −1 a step for ever (at γ = 1 until the step limit).
    """
    endless = -float(config.step_limit) if config.discount == 1 else -1.0 / (1.0 - config.discount)
    binary = config.pseudo_reward == "binary"
    target, softness = GREEDY, 0.0
    if isinstance(config.target, EpsilonSoft):
        target, softness = EPSILON_SOFT, config.target.epsilon
    elif isinstance(config.target, Softmax):
        target, softness = SOFTMAX, config.target.temperature
    return Rules(
        discount=config.discount,
        step_size=config.step_size,
        step_reward=0.0 if binary else -1.0,
        hole_return=0.0 if binary else endless,
        traces=isinstance(config.backup, Traces),
        n=config.backup.n if isinstance(config.backup, TreeBackup) else 1,
        decay=None if ranks else config.backup.decay if isinstance(config.backup, Traces) else 0.0,
        target=target,
        softness=softness,
        flat=config.behaviour == "flat",
        anywhere=config.subgoals == "anywhere",
        by_position=by_position,
        walls=config.subgoal_cells == "grid",
        preference={"none": NO_PREFERENCE, "reachable": REACHABLE, "published": PUBLISHED}[config.goal_preference],
        published_evaluation=config.evaluation == "published",
        explore_train=config.explore_train,
        explore_eval=config.explore_eval,
        step_limit=config.step_limit,
        never_below_start=binary and config.initial_value == 0.0 and not isinstance(config.backup, Traces),
    )


@inlined
def one_step_return(level: Level, rules: Rules, places: Places, state: int, returns: Returns) -> None:
    """G[g] ← 1 if g = s else γ · V(s, g), where s is the newest state; from a hole no other goal is ever reached."""
    outcome = places.ending[state]
    start_returns(level, returns, discounted(rules.step_reward, rules.discount, level.start_value))
    refresh(level, rules, state)
    list_goals(level, state, returns)
    v = level.v[state]
    for place in range(width(level, state)):
        returns.value[column_at(level, state, place)] = discounted(rules.step_reward, rules.discount, v[place])
    if outcome == IN_HOLE:
        returns.others[0] = rules.hole_return
        for place in range(width(level, state)):
            returns.value[column_at(level, state, place)] = rules.hole_return
    if level.column[state] >= 0:
        returns.value[level.column[state]] = level.goal_entry
    if outcome == AT_GOAL and level.column[places.goal] >= 0:  # where there are several, any of them
        returns.value[level.column[places.goal]] = level.goal_entry


@inlined
def step_back(level: Level, rules: Rules, state: int, action: int, returns: Returns) -> None:
    """G[g] ← 1 if g = s else γ · (G[g] if a is greedy at s for g else V(s, g)).

    For other target policies: γ · (π G[g] + (1 − π) V(s, g)) with π = π(a | s, g).
    """
    refresh(level, rules, state)
    row = row_of(level, state, action)
    if level.local:
        step_back_nearby(level, rules, state, row, returns)
    elif rules.target != GREEDY:
        v = level.v[state]
        for g in range(level.known[0]):
            share = probability(level, rules, state, row, g)
            returns.value[g] = rules.step_reward + rules.discount * (share * returns.value[g] + (1.0 - share) * v[g])
    elif row >= 0:
        q, v = level.q[row], level.v[state]
        for g in range(level.known[0]):
            followed, expected = returns.value[g], v[g]  # read in any case: reading on condition is slower
            coming = followed if q[g] == expected else expected
            returns.value[g] = discounted(rules.step_reward, rules.discount, coming)
    else:
        v = level.v[state]
        tried = start_entry(level, v[0]) if row != NO_ACTION else lost(v[0])
        for g in range(level.known[0]):
            followed, expected = returns.value[g], v[g]
            coming = followed if tried == expected else expected
            returns.value[g] = discounted(rules.step_reward, rules.discount, coming)
    if level.column[state] >= 0:
        returns.value[level.column[state]] = level.goal_entry


@inlined
def step_back_nearby(level: Level, rules: Rules, state: int, row: int, returns: Returns) -> None:
    """The same for local tables. For goals far away all actions have the start value, so every action is greedy."""
    list_goals(level, state, returns)
    is_action = row != NO_ACTION
    for k in range(returns.length[0]):
        g = returns.listed[k]
        followed = returns.value[g] if is_action else level.start_value
        returns.value[g] = discounted(rules.step_reward, rules.discount, followed)
    followed = returns.others[0] if is_action else level.start_value
    returns.others[0] = discounted(rules.step_reward, rules.discount, followed)
    v = level.v[state]
    for place in range(width(level, state)):
        value = level.q[row, place] if row >= 0 else level.start_value
        if not (is_action and value == v[place]):
            returns.value[column_at(level, state, place)] = discounted(rules.step_reward, rules.discount, v[place])


@inlined
def blend(level: Level, rules: Rules, state: int, action: int, newest: int, before: int, returns: Returns) -> None:
    """Q(s, a, g) ← (1 − α) Q(s, a, g) + α G[g] for all goals g; the own cell is no action and is left out.

    V(s, g) = max_a Q(s, a, g) is kept along: see `keep_best`. The step from `before` to `newest` ends the trace.
    """
    row = row_for_writing(level, state, action)
    if row == NO_ACTION:
        return
    if level.settles:
        write_again(level, state, row, newest, before, False, returns)
        return
    list_goals(level, state, returns)
    q, best = level.q[row], level.best[state]
    dropped = either(rules.target != GREEDY, False, returns.value[0])
    for place in range(width(level, state)):
        old = q[place]
        new = blended(rules.step_size, old, returns.value[column_at(level, state, place)])
        q[place] = new
        dropped = either(dropped, keep_best(best, place, old, new), new)
    if dropped:
        level.stale[state] = 1


@inlined
def refresh(level: Level, rules: Rules, state: int) -> None:
    """Brings V(s, ·) up to date if writing made it stale."""
    if level.stale[state]:
        level.stale[state] = 0
        if rules.target == GREEDY:
            for place in range(width(level, state)):
                if is_lost(level.best[state, place]):
                    find_best(level, state, place)
        else:
            find_expectation(level, rules, state)


@inlined
def highest_value(level: Level, rules: Rules, state: int, place: int) -> float:
    """max_a Q(s, a, g) for the goal in one place, up to date."""
    if place < 0:
        return level.start_value
    if rules.target != GREEDY:
        refresh(level, rules, state)
    elif is_lost(level.best[state, place]):
        find_best(level, state, place)
    return value_of(level, level.best[state, place])


@inlined
def find_best(level: Level, state: int, place: int) -> None:
    """Looks for max_a Q(s, a, g), untried actions counting with the start value, as if there were always one."""
    used = level.used[state]
    best = level.start_value if used < level.legal_count[state] or used == 0 else -math.inf
    for k in range(used):
        best = max(best, level.q[level.tried[state, k], place])
    level.best[state, place] = best


@inlined
def find_expectation(level: Level, rules: Rules, state: int) -> None:
    """V(s, g) ← Σ_a π(a | s, g) Q(s, a, g) for an ε-soft or softmax target, with what `probability` needs."""
    used, legal = level.used[state], level.legal_count[state]
    if legal == 0:  # nothing can be asked for here, so V(s, ·) keeps the start value
        return
    untried = legal - used
    for g in range(level.known[0]):
        best = level.start_value if untried > 0 else -math.inf
        for k in range(used):
            best = max(best, level.q[level.tried[state, k], g])
        norm, weighted, total = 0.0, 0.0, untried * level.start_value
        if untried > 0:
            norm = untried * weight(rules, level.start_value, best)
            weighted = norm * level.start_value
        for k in range(used):
            value = level.q[level.tried[state, k], g]
            norm += weight(rules, value, best)
            weighted += weight(rules, value, best) * value
            total += value
        level.best[state, g] = best
        level.norm[state, g] = norm
        if rules.target == EPSILON_SOFT:
            level.v[state, g] = rules.softness * total / legal + (1.0 - rules.softness) * weighted / norm
        else:
            level.v[state, g] = weighted / norm


@inlined
def weight(rules: Rules, value: float, best: float) -> float:
    """An action's unnormalised claim to the greedy share: 1 if tied for the best (ε-soft), or its exponential."""
    if rules.target == SOFTMAX:
        return math.exp((value - best) / rules.softness)
    return 1.0 if value == best else 0.0


@inlined
def probability(level: Level, rules: Rules, state: int, row: int, g: int) -> float:
    """π(a | s, g) of a target that is not greedy, for the action in a row; V(s, ·) must be fresh."""
    if row == NO_ACTION:
        return 0.0
    value = level.q[row, g] if row >= 0 else level.start_value
    claim = float(weight(rules, value, level.best[state, g]) / level.norm[state, g])
    if rules.target == EPSILON_SOFT:
        return rules.softness / float(level.legal_count[state]) + (1.0 - rules.softness) * claim
    return claim
