"""HierQ_k(λ): hierarchical Q-learning with eligibility traces (Algorithm 2 of the paper)."""

from typing import NamedTuple

import numpy as np

from hierq.tables.compiled import inlined
from hierq.tables.entries import keep_best
from hierq.agents.world_arrays import Places
from hierq.tables.ring_buffer import recall
from hierq.tables.rows import Returns, column_at, list_goals, place_of, row_for_writing, row_of, width
from hierq.agents.settled import all_settled, write_again
from hierq.tables.level import BLOCK, CUT_OFF, NO_ACTION, AnyLevels, Floats, Level, Longs, level_at
from hierq.agents.estimators.values import GREEDY, Rules, blend, one_step_return, probability, refresh


class Errors(NamedTuple):
    """The goals along whose traces the current error still travels."""

    goal: Longs  # columns
    delta: Floats  # δ[g]
    weight: Floats  # z[g], the eligibility of the group reached so far
    clock: Longs  # [1]: counts the backups, so that a pair's stamp tells whether this one has touched it
    dawn: Longs  # [1]: steps of all episodes before this one; times at which traces are cut count from the first


@inlined
def trace_backup(
    levels: AnyLevels,
    i: int,
    rules: Rules,
    places: Places,
    states: Longs,
    actions: Longs,
    last: int,
    decay: float | None,
    returns: Returns,
    errors: Errors,
) -> None:
    """Level i learns from the newest step of its trace S_0 A_0 … A_{L−1} S_L, for all goals g at once.

        s ← S_{L−w}, a ← A_{L−1}                          w = min(h, L): the oldest state from which a spans at most h
        G[g] ← 1 if g = S_L else γ · V(S_L, g);           δ[g] ← G[g] − Q(s, a, g)
        z[g] ← λγ π(a | s, g) z[g], 0 for the goal g = s  for all pairs in this chain
        Q(·, ·, g) += α δ[g] z[g]                         for those pairs, and with z = 1 for (s, a)
        Q(S_j, a, g) ← (1 − α) Q(S_j, a, g) + α G[g]      for the states between s and S_L; then z = 1 for all

    There are h = H^a_i chains, one for each t mod h, so that every hop spans h. No eligibility is stored: the pairs of
    a chain are read off the trace, group by group back in time, and a group's z is λγ to the number of hops, or 0 for
    goals whose trace was cut since. Goals with δ = 0 or z = 0 drop out, and when none is left the walk ends.

    Args:
        levels: the levels.
        i: the level that learns.
        rules: the agent's rules.
        places: the world.
        states: S_0 … S_L, the trace of this level, in a ring.
        actions: A_0 … A_{L−1}, in a ring; above level 0 the cells S_1 … S_L.
        last: L.
        decay: λ; None, for tables of ranks, which learn by Tree-Backup only.
        returns: room for G.
        errors: room for δ and z.
    """
    if decay is None:  # known to the compiler, which leaves out the rest
        return
    level = level_at(levels, i)
    h = level.span
    now = last - 1
    oldest = last - min(h, last)
    state, action, newest = recall(states, oldest), recall(actions, now), recall(states, last)
    if level.settles:
        level.clock[0] += 1
        if all_settled(level, states, oldest, now, action, newest, newest):
            return
    one_step_return(level, rules, places, newest, returns)
    errors.clock[0] += 1
    alive = 0
    fade = decay * rules.discount
    if fade > CUT_OFF:  # otherwise no error gets as far as the next group
        alive = travelling_errors(level, rules, state, action, now, returns, errors)
    add_own_error(level, rules, state, action, newest, returns, errors.clock[0])
    for time in range(now - h, -1, -h):
        if alive == 0:
            break
        alive = still_eligible(level, rules, time, fade, alive, errors)
        for j in range(max(0, time + 1 - h), time + 1):
            add_errors(level, rules, recall(states, j), recall(actions, time), alive, errors)
    for j in range(oldest + 1, last):
        blend(level, rules, recall(states, j), action, newest, newest, returns)


@inlined
def travelling_errors(
    level: Level, rules: Rules, state: int, action: int, now: int, returns: Returns, errors: Errors
) -> int:
    """Cuts the traces that (s, a) does not continue, and lists the goals whose error δ travels on."""
    today = errors.dawn[0] + now
    cut = level.cut[now % level.span]
    share = level.share[now % len(level.share)]
    refresh(level, rules, state)
    row = row_for_writing(level, state, action)
    if row == NO_ACTION:  # the hop led back to where it began: it continues nobody's trace
        level.since[now % level.span] = today
        if rules.target != GREEDY:
            share[:] = 0.0
        return 0
    list_goals(level, state, returns)
    q, best = level.q[row], level.best[state]
    if rules.target != GREEDY:
        for g in range(level.known[0]):
            share[g] = probability(level, rules, state, row, g)
    for place in range(width(level, state)):
        g = column_at(level, state, place)
        follows = (rules.target != GREEDY) | (q[place] == best[place])
        error, before = returns.value[g] - q[place], cut[g]  # read in any case: reading on condition is slower
        errors.delta[place] = error if follows else 0.0
        cut[g] = before if follows else today
    if level.column[state] >= 0:  # the step starts at that goal
        cut[level.column[state]] = today
        if rules.target != GREEDY:
            share[level.column[state]] = 0.0
    return list_errors(level, state, errors)


@inlined
def add_own_error(
    level: Level, rules: Rules, state: int, action: int, newest: int, returns: Returns, clock: int
) -> None:
    """Q(s, a, g) += α δ[g] for all goals g."""
    row = row_for_writing(level, state, action)
    if row == NO_ACTION:
        return
    level.stamp[row] = clock
    if level.settles:
        write_again(level, state, row, newest, newest, True, returns)
        return
    list_goals(level, state, returns)
    q, best = level.q[row], level.best[state]
    lost = np.int64(rules.target != GREEDY)
    for place in range(width(level, state)):
        old = q[place]
        q[place] = old + rules.step_size * (returns.value[column_at(level, state, place)] - old)
        lost |= keep_best(best, place, old, q[place])
    if lost:
        level.stale[state] = 1


@inlined
def list_errors(level: Level, state: int, errors: Errors) -> int:
    """Gathers the goals with δ ≠ 0 at the front; a block at a time, as most have none."""
    alive, places = 0, width(level, state)
    for begin in range(0, places, BLOCK):
        end, count = min(begin + BLOCK, places), 0
        for place in range(begin, end):
            count += errors.delta[place] != 0.0
        if count > 0:
            for place in range(begin, end):
                errors.goal[alive] = column_at(level, state, place)
                errors.delta[alive] = errors.delta[place]
                errors.weight[alive] = 1.0
                alive += errors.delta[place] != 0.0
    return alive


@inlined
def still_eligible(level: Level, rules: Rules, time: int, fade: float, alive: int, errors: Errors) -> int:
    """Fades the eligibilities by one hop, to the group at `time`, and drops the goals that end there."""
    cut, since = level.cut[time % level.span], level.since[time % level.span]
    share = level.share[(time + level.span) % len(level.share)]
    then = errors.dawn[0] + time
    kept = 0
    for k in range(alive):
        g = errors.goal[k]
        if rules.target == GREEDY:
            weight = errors.weight[k] * fade if then >= max(cut[g], since) else 0.0
        else:
            weight = errors.weight[k] * fade * share[g]
        errors.goal[kept] = g
        errors.delta[kept] = errors.delta[k]
        errors.weight[kept] = weight
        kept += weight > CUT_OFF
    return kept


@inlined
def add_errors(level: Level, rules: Rules, state: int, action: int, alive: int, errors: Errors) -> None:
    """Q(s, a, g) += α z[g] δ[g] for the goals still alive, unless this backup has touched the pair already."""
    row = row_of(level, state, action)
    if row == NO_ACTION or level.stamp[row] == errors.clock[0]:
        return
    level.stamp[row] = errors.clock[0]
    q, best = level.q[row], level.best[state]
    lost = np.int64(rules.target != GREEDY)
    for k in range(alive):
        place = place_of(level, state, errors.goal[k])
        if place < 0:
            continue
        old = q[place]
        q[place] = old + rules.step_size * errors.weight[k] * errors.delta[k]
        lost |= keep_best(best, place, old, q[place])
    if lost:
        level.stale[state] = 1
