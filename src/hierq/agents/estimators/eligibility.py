"""HierQ_k(λ): hierarchical Q-learning with eligibility traces (Algorithm 2 of the paper)."""

from typing import NamedTuple

import numpy as np

from hierq.agents.estimators.partitions import groups_back, trailing
from hierq.agents.estimators.trace import A, S, Trace
from hierq.agents.estimators.values import blend, one_step_return, probability, refresh, target_is_greedy
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.world_arrays import WorldArrays
from hierq.compiling.static_choice import StaticChoice, static_flag
from hierq.tables.entries import keep_best
from hierq.tables.level import NO_ACTION, Floats, Level, Longs
from hierq.tables.rows import Returns, column_at, include_goals, place_of, row_for_writing, row_of, width
from hierq.tables.ties import is_greedy

BLOCK = 64  # goals that are looked at together, to skip those without an error


@static_flag
def cuts_traces(estimator: StaticChoice) -> bool:
    """Whether a trace is cut at an action that is not greedy, as Watkins's are."""
    return estimator.label == "traces"


@static_flag
def sends_error_of_state(estimator: StaticChoice) -> bool:
    """Whether earlier pairs get G − V(s, g), as Peng's Q(λ) has it, and not G − Q(s, a, g)."""
    return estimator.label == "peng-traces"


class LiveErrors(NamedTuple):
    """The goals whose error δ still travels back along the trace, and what is counted over all backups."""

    goal: Longs  # g, as columns
    delta: Floats  # δ[g]
    z: Floats  # Z[g] of the pairs reached so far, where it depends on g: for targets that are not greedy
    backups: Longs  # [1]: the number of this backup, which marks the pairs it has already updated
    rows: Longs  # [1]: rows that all backups have written
    episode_offset: Longs  # [1]: grows with every episode, so that offset + t, a `moment`, comes only once


def trace_backup(
    level: Level, config: KernelConfig, world: WorldArrays, trace: Trace, returns: Returns, live_errors: LiveErrors
) -> None:
    """A level learns from the newest step of its trace S_0 A_0 … S_t A_t S_{t+1}, for all goals g at once.

        s ← S_{t−h+1}, or S_0;  A ← A_t
        G ← 1 if g = S_{t+1} else γ · V(S_{t+1}, g)
        δ ← G − Q(s, A, g)
        Z(·, ·, g) ← λγ π(A | s, g) Z(·, ·, g), and 0 for the goal g = s
        Z(s, A, g) ← 1
        Q(·, ·, g) ← Q(·, ·, g) + α δ Z(·, ·, g)
        for the states S_j after s, up to S_t:
            Z(S_j, A, g) ← 1
            Q(S_j, A, g) ← (1 − α) Q(S_j, A, g) + α G

    h = H^a. There are h chains, each with its own Z; step t belongs to chain t mod h, which Algorithm 2 calls h. So
    every hop has h steps. Tied greedy actions all have π = 1. Where Algorithm 2 prints S_{t_min−j} it means S_{t−j}.
    Unlike the printed lines we set Z(s, A) to 1 before the update, so that (s, A) gets α δ once, even if it is on the
    chain already. Z of at most `trace_cutoff` counts as 0.

    That is Watkins' Q(λ). Q*(λ), "never-cut", has 1 in place of π. So has Peng's Q(λ), and the pairs before (s, A) get
    G − V(s, g) for δ: the error of the state, and not that of the hop.

    Z is not stored, so line 8, Z ← 1, has no statement. A group is the pairs whose Z one step set to 1. The walk goes
    back along the chain, group by group; Z of a group is the product of λγ π over the hops after it. It is 0 for a goal
    whose trace was cut after the group (π = 0). Goals with δ = 0 or Z = 0 are left out, and the walk ends when none
    remains. For the greedy target all goals that remain have the same Z, and cut goals are looked for only from the
    last moment back at which one of their traces was cut.
    """
    h, t = level.hop_length, trace.t
    oldest = max(0, t - h + 1)
    s, action = S(trace, oldest), A(trace, t)
    one_step_return(level, config, world, S(trace, t + 1), returns)  # G
    live_errors.backups[0] += 1
    live_errors.rows[0] += t + 1 - oldest
    lambda_gamma, alive = config.decay * config.discount, 0
    if lambda_gamma > config.trace_cutoff:  # otherwise no error gets as far as the next group
        alive = cut_and_list(level, config, s, action, t, returns, live_errors)  # δ, and for which goals Z ← 0
    add_own_error(level, config, s, action, returns, live_errors)  # Q(s, A, g) += α δ
    z, last_cut = 1.0, live_errors.episode_offset[0] + t
    for earlier in groups_back(t, h):  # t − h, t − 2h, …
        if alive == 0:
            break
        z *= lambda_gamma  # Z ← λγ π Z
        if fades_by_pi(config):
            alive = fade_by_pi(level, config, earlier, lambda_gamma, alive, live_errors)
        elif z <= config.trace_cutoff:
            alive = 0
        elif live_errors.episode_offset[0] + earlier < last_cut:
            alive, last_cut = drop_cut(level, earlier, alive, live_errors)
        for j in trailing(earlier, h):
            add_errors(level, config, S(trace, j), A(trace, earlier), z, alive, live_errors)  # Q += α δ Z
    for j in range(oldest + 1, t + 1):
        blend(level, config, S(trace, j), action, returns)


def cut_and_list(
    level: Level, config: KernelConfig, s: int, action: int, t: int, returns: Returns, live_errors: LiveErrors
) -> int:
    """Cuts the traces that (s, A) does not continue; lists the goals whose error δ reaches earlier pairs.

    A row of Q holds the values of a pair (s, a); a goal g has a column in G, and a place in the rows of s. Returns the
    number of goals listed.
    """
    moment, chain = live_errors.episode_offset[0] + t, t % level.hop_length
    refresh(level, config, s)
    row = row_for_writing(level, s, action)
    if row == NO_ACTION:  # the action is not legal at s, so all traces of the chain are cut
        level.all_cut_at[chain] = moment
        note_pi(level, config, s, row, t)
        return 0
    include_goals(level, s, returns)
    q, best, v, cut_at = level.q[row], level.best[s], level.v[s], level.cut_at[chain]
    greedy_only = target_is_greedy(config.target) and cuts_traces(config.estimator)
    note_pi(level, config, s, row, t)
    for place in range(width(level, s)):
        g = column_at(level, s, place)
        continues = (not greedy_only) | is_greedy(best[place], q[place])
        expected = v[place] if sends_error_of_state(config.estimator) else q[place]
        delta, before = returns.value[g] - expected, cut_at[g]  # read in any case: reading on condition is slower
        live_errors.delta[place] = delta if continues else 0.0
        cut_at[g] = before if continues else moment
    if level.column[s] >= 0:  # the step starts at that goal
        cut_at[level.column[s]] = moment
    return gather_live_errors(level, s, live_errors)


def note_pi(level: Level, config: KernelConfig, s: int, row: int, t: int) -> None:
    """Stores π(A_t | s, g) for traces that fade by it; 0 for the goal g = s. For others `cut_at` is enough."""
    if not fades_by_pi(config):
        return
    pi = level.recent_pi[t % len(level.recent_pi)]
    for g in range(level.columns_used[0]):
        pi[g] = probability(level, config, s, row, g)
    if level.column[s] >= 0:
        pi[level.column[s]] = 0.0


def fades_by_pi(config: KernelConfig) -> bool:
    """Whether traces fade by π: Watkins's for a target that is not greedy. For the greedy target π is 0 or 1."""
    return cuts_traces(config.estimator) and not target_is_greedy(config.target)


def gather_live_errors(level: Level, s: int, live_errors: LiveErrors) -> int:
    """Gathers the goals with δ ≠ 0 at the front; a block at a time, as most have none."""
    alive, places = 0, width(level, s)
    for begin in range(0, places, BLOCK):
        end, count = min(begin + BLOCK, places), 0
        for place in range(begin, end):
            count += live_errors.delta[place] != 0.0
        if count > 0:
            for place in range(begin, end):
                live_errors.goal[alive] = column_at(level, s, place)
                live_errors.delta[alive] = live_errors.delta[place]
                live_errors.z[alive] = 1.0
                alive += live_errors.delta[place] != 0.0
    return alive


def add_own_error(
    level: Level, config: KernelConfig, s: int, action: int, returns: Returns, live_errors: LiveErrors
) -> None:
    """Q(s, A, g) ← Q(s, A, g) + α δ[g] for all goals g."""
    row = row_for_writing(level, s, action)
    if row == NO_ACTION:
        return
    level.touched_by[row] = live_errors.backups[0]
    include_goals(level, s, returns)
    q, best = level.q[row], level.best[s]
    dropped = np.int64(not target_is_greedy(config.target))
    for place in range(width(level, s)):
        old = q[place]
        q[place] = old + config.step_size * (returns.value[column_at(level, s, place)] - old)
        dropped |= keep_best(best, place, old, q[place])
    if dropped:
        level.stale[s] = 1


def fade_by_pi(
    level: Level, config: KernelConfig, t: int, lambda_gamma: float, alive: int, live_errors: LiveErrors
) -> int:
    """Z[g] ← λγ π Z[g], one hop back to the group of time t; leaves out goals with Z = 0. Returns how many remain."""
    pi = level.recent_pi[(t + level.hop_length) % len(level.recent_pi)]  # of the hop that follows
    kept = 0
    for k in range(alive):
        g = live_errors.goal[k]
        z = live_errors.z[k] * lambda_gamma * pi[g]
        live_errors.goal[kept], live_errors.delta[kept], live_errors.z[kept] = g, live_errors.delta[k], z
        kept += z > config.trace_cutoff
    return kept


def drop_cut(level: Level, t: int, alive: int, live_errors: LiveErrors) -> tuple[int, int]:
    """Leaves out the goals whose trace was cut after the group of time t.

    Returns:
        How many remain, and the last moment at which the trace of one of them was cut.
    """
    moment, cut_at = live_errors.episode_offset[0] + t, level.cut_at[t % level.hop_length]
    kept, latest = 0, level.all_cut_at[t % level.hop_length]
    if moment < latest:
        return 0, int(moment)
    for k in range(alive):
        g = live_errors.goal[k]
        live_errors.goal[kept], live_errors.delta[kept] = g, live_errors.delta[k]
        kept += cut_at[g] <= moment
        latest = max(latest, cut_at[g] if cut_at[g] <= moment else latest)
    return kept, int(latest)


def add_errors(
    level: Level, config: KernelConfig, s: int, action: int, z: float, alive: int, live_errors: LiveErrors
) -> None:
    """Q(s, A, g) ← Q(s, A, g) + α Z[g] δ[g] for the goals still alive, unless this backup has updated the pair."""
    row = row_of(level, s, action)
    if row == NO_ACTION or level.touched_by[row] == live_errors.backups[0]:
        return
    level.touched_by[row] = live_errors.backups[0]
    live_errors.rows[0] += 1
    q, best = level.q[row], level.best[s]
    dropped = np.int64(not target_is_greedy(config.target))
    for k in range(alive):
        place = place_of(level, s, live_errors.goal[k])
        if place < 0:
            continue
        old = q[place]
        share = live_errors.z[k] if fades_by_pi(config) else z
        q[place] = old + config.step_size * share * live_errors.delta[k]
        dropped |= keep_best(best, place, old, q[place])
    if dropped:
        level.stale[s] = 1
