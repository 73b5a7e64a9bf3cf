"""HierQ_k(λ): hierarchical Q-learning with eligibility traces (Algorithm 2 of the paper)."""

from typing import NamedTuple

import numpy as np

from hierq.agents.estimators.backups import CUT_OFF
from hierq.agents.estimators.partitions import groups_back, trailing
from hierq.agents.estimators.trace import A, S, Trace
from hierq.agents.estimators.values import blend, is_maximum, one_step_return, probability, refresh
from hierq.agents.rules import Rules
from hierq.agents.world_arrays import WorldArrays
from hierq.tables.compiled import inlined
from hierq.tables.entries import keep_best
from hierq.tables.level import NO_ACTION, Floats, Level, Longs
from hierq.tables.rows import Returns, column_at, list_goals, place_of, row_for_writing, row_of, width
from hierq.tables.typed import picked, usable_in_kernels

BLOCK = 64  # goals that are looked at together, to skip those without an error

for index_arithmetic in (groups_back, trailing):
    usable_in_kernels(index_arithmetic)


class Travellers(NamedTuple):
    """The goals whose error δ still travels back along the trace, and what is counted over all backups."""

    goal: Longs  # g, as columns
    delta: Floats  # δ[g]
    z: Floats  # Z[g] of the pairs reached so far
    backups: Longs  # [1]: the number of this backup, which tells the pairs it has touched
    episode_offset: Longs  # [1]: steps of all episodes before this one; with t it makes a moment that never comes again


@inlined
def trace_backup(
    level: Level, rules: Rules, world: WorldArrays, trace: Trace, returns: Returns, travellers: Travellers
) -> None:
    """A level learns from the newest step of its trace S_0 A_0 … S_t A_t S_{t+1}, for all goals g at once.

        s ← S_{t−h+1}, or S_0;  A ← A_t
        G ← r_{t+1} + γ V(S_{t+1}, g)                        1 if g = S_{t+1} else γ · V(S_{t+1}, g)
        δ ← G − Q(s, A, g)
        Z(·, ·, g) ← λγ π(A | s, g) Z(·, ·, g)               0 for the goal g = s
        Q(·, ·, g) ← Q(·, ·, g) + α δ Z(·, ·, g)
        for the states S_j from s up to S_t:                 Z(S_j, A, g) ← 1
                                                             Q(S_j, A, g) ← (1 − α) Q(S_j, A, g) + α G

    There are h chains of Z, one for each t mod h, so that every hop spans h. Z is not stored: the pairs of a chain are
    read off the trace, group by group back in time, and Z of a group is (λγ) to the number of hops, or 0 for goals
    whose trace was cut since (π = 0). Goals with δ = 0 or Z = 0 drop out, and when none is left the walk ends.

    Args:
        level: the level that learns.
        rules: the agent's rules.
        world: the world.
        trace: S_0 … S_{t+1}, as this level sees it.
        returns: room for G.
        travellers: room for δ and Z.
    """
    h, t = level.span, trace.t
    oldest = max(0, t - h + 1)
    s, action = S(trace, oldest), A(trace, t)
    one_step_return(level, rules, world, S(trace, t + 1), returns)
    travellers.backups[0] += 1
    fade, alive = rules.decay * rules.discount, 0
    if fade > CUT_OFF:  # otherwise no error gets as far as the next group
        alive = cut_and_list(level, rules, s, action, t, returns, travellers)
    add_own_error(level, rules, s, action, returns, travellers)
    for earlier in groups_back(t, h):
        if alive == 0:
            break
        alive = fade_and_drop(level, rules, earlier, fade, alive, travellers)
        for j in trailing(earlier, h):
            add_errors(level, rules, S(trace, j), A(trace, earlier), alive, travellers)
    for j in range(oldest + 1, t + 1):
        blend(level, rules, S(trace, j), action, returns)


@inlined
def cut_and_list(
    level: Level, rules: Rules, s: int, action: int, t: int, returns: Returns, travellers: Travellers
) -> int:
    """Cuts the traces that (s, A) does not continue, and lists the goals whose error δ travels on."""
    moment, chain = travellers.episode_offset[0] + t, t % level.span
    refresh(level, rules, s)
    row = row_for_writing(level, s, action)
    if row == NO_ACTION:  # the hop led back to where it began: it continues no trace
        level.all_cut_at[chain] = moment
        note_pi(level, rules, s, row, t)
        return 0
    list_goals(level, s, returns)
    q, best, cut_at, greedy_only = level.q[row], level.best[s], level.cut_at[chain], is_maximum(rules)
    note_pi(level, rules, s, row, t)
    for place in range(width(level, s)):
        g = column_at(level, s, place)
        continues = (not greedy_only) | (q[place] == best[place])
        delta, before = returns.value[g] - q[place], cut_at[g]  # read in any case: reading on condition is slower
        travellers.delta[place] = delta if continues else 0.0
        cut_at[g] = before if continues else moment
    if level.column[s] >= 0:  # the step starts at that goal
        cut_at[level.column[s]] = moment
    return list_travellers(level, s, travellers)


def _note_nothing(level: Level, rules: Rules, s: int, row: int, t: int) -> None:
    """Keeps π(A_t | s, g) of a target that is not greedy; 0 for the goal g = s."""


def _note_pi(level: Level, rules: Rules, s: int, row: int, t: int) -> None:
    pi = level.recent_pi[t % len(level.recent_pi)]
    for g in range(level.known[0]):
        pi[g] = probability(level, rules, s, row, g)
    if level.column[s] >= 0:
        pi[level.column[s]] = 0.0


note_pi = picked("target", _note_nothing, position=1, soft=_note_pi)


@inlined
def list_travellers(level: Level, s: int, travellers: Travellers) -> int:
    """Gathers the goals with δ ≠ 0 at the front; a block at a time, as most have none."""
    alive, places = 0, width(level, s)
    for begin in range(0, places, BLOCK):
        end, count = min(begin + BLOCK, places), 0
        for place in range(begin, end):
            count += travellers.delta[place] != 0.0
        if count > 0:
            for place in range(begin, end):
                travellers.goal[alive] = column_at(level, s, place)
                travellers.delta[alive] = travellers.delta[place]
                travellers.z[alive] = 1.0
                alive += travellers.delta[place] != 0.0
    return alive


@inlined
def add_own_error(level: Level, rules: Rules, s: int, action: int, returns: Returns, travellers: Travellers) -> None:
    """Q(s, A, g) ← Q(s, A, g) + α δ[g] for all goals g."""
    row = row_for_writing(level, s, action)
    if row == NO_ACTION:
        return
    level.touched_by[row] = travellers.backups[0]
    list_goals(level, s, returns)
    q, best = level.q[row], level.best[s]
    dropped = np.int64(not is_maximum(rules))
    for place in range(width(level, s)):
        old = q[place]
        q[place] = old + rules.step_size * (returns.value[column_at(level, s, place)] - old)
        dropped |= keep_best(best, place, old, q[place])
    if dropped:
        level.stale[s] = 1


def _fade_uncut(level: Level, rules: Rules, t: int, fade: float, alive: int, travellers: Travellers) -> int:
    """Z[g] ← λγ π Z[g], one hop back to the group of time t; goals with Z = 0 drop out. Returns how many are left."""
    chain, moment = t % level.span, travellers.episode_offset[0] + t
    cut_at, all_cut_at = level.cut_at[chain], level.all_cut_at[chain]
    kept = 0
    for k in range(alive):
        g = travellers.goal[k]
        z = travellers.z[k] * fade if moment >= max(cut_at[g], all_cut_at) else 0.0
        travellers.goal[kept], travellers.delta[kept], travellers.z[kept] = g, travellers.delta[k], z
        kept += z > CUT_OFF
    return kept


def _fade_by_pi(level: Level, rules: Rules, t: int, fade: float, alive: int, travellers: Travellers) -> int:
    pi = level.recent_pi[(t + level.span) % len(level.recent_pi)]  # of the hop that follows
    kept = 0
    for k in range(alive):
        g = travellers.goal[k]
        z = travellers.z[k] * fade * pi[g]
        travellers.goal[kept], travellers.delta[kept], travellers.z[kept] = g, travellers.delta[k], z
        kept += z > CUT_OFF
    return kept


fade_and_drop = picked("target", _fade_uncut, position=1, soft=_fade_by_pi)


@inlined
def add_errors(level: Level, rules: Rules, s: int, action: int, alive: int, travellers: Travellers) -> None:
    """Q(s, A, g) ← Q(s, A, g) + α Z[g] δ[g] for the goals still alive, unless this backup has touched the pair."""
    row = row_of(level, s, action)
    if row == NO_ACTION or level.touched_by[row] == travellers.backups[0]:
        return
    level.touched_by[row] = travellers.backups[0]
    q, best = level.q[row], level.best[s]
    dropped = np.int64(not is_maximum(rules))
    for k in range(alive):
        place = place_of(level, s, travellers.goal[k])
        if place < 0:
            continue
        old = q[place]
        q[place] = old + rules.step_size * travellers.z[k] * travellers.delta[k]
        dropped |= keep_best(best, place, old, q[place])
    if dropped:
        level.stale[s] = 1
