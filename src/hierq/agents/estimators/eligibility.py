"""HierQ_k(λ): hierarchical Q-learning with eligibility traces (Algorithm 2 of the paper)."""

import numpy as np

from hierq.agents.estimators.live_errors import (
    LiveErrors,
    cuts_traces,
    fade,
    fades_by_pi,
    gather_live_errors,
    keep_pi,
    sends_error_of_state,
)
from hierq.agents.estimators.partitions import groups_back, trailing
from hierq.agents.estimators.state_values import refresh, target_is_greedy
from hierq.agents.estimators.trace import A, S, Trace
from hierq.agents.estimators.values import begin_returns, blend, one_step_return
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.world_arrays import WorldArrays
from hierq.tables.entries import keep_best
from hierq.tables.level import NO_ACTION, Level
from hierq.tables.rows import Returns, column_at, place_of, row_for_writing, row_of, width
from hierq.tables.ties import is_greedy


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

    Z is not stored, so line 8, Z ← 1, has no statement. A group is the pairs whose Z one step set to 1. The walk goes
    back along the chain, group by group; Z of a group is the product of λγ π over the hops after it. Goals with δ = 0
    or Z = 0 are left out, and the walk ends when none remains.
    """
    h, t = level.hop_length, trace.t
    oldest = max(0, t - h + 1)
    s, action = S(trace, oldest), A(trace, t)
    begin_returns(level, trace, trailing(t, h), returns)
    one_step_return(level, config, world, S(trace, t + 1), returns)  # G
    live_errors.backups[0] += 1
    live_errors.rows[0] += t + 1 - oldest
    refresh(level, config, s)  # before a new action counts among those of s
    row = row_for_writing(level, s, action)
    z, lambda_gamma, alive = 1.0, config.decay * config.discount, 0
    if lambda_gamma > config.trace_cutoff:  # otherwise no error gets as far as the next group
        alive = cut_and_list(level, config, s, row, t, returns, live_errors)  # δ, and for which goals Z ← 0
    if row != NO_ACTION:
        add_own_error(level, config, s, row, returns, live_errors)  # Q(s, A, g) += α δ
    for earlier in groups_back(t, h):  # t − h, t − 2h, …
        z *= lambda_gamma
        alive = fade(level, config, earlier, z, alive, live_errors)  # Z ← λγ π Z
        if alive == 0:
            break
        for j in trailing(earlier, h):
            add_errors(level, config, S(trace, j), A(trace, earlier), z, alive, live_errors)  # Q += α δ Z
    for j in range(oldest + 1, t + 1):
        blend(level, config, S(trace, j), action, returns)


def cut_and_list(
    level: Level, config: KernelConfig, s: int, row: int, t: int, returns: Returns, live_errors: LiveErrors
) -> int:
    """Cuts the traces that (s, A) does not continue; lists the goals whose error δ reaches earlier pairs.

    `row` is that of (s, A); a goal g has a column in G, and a place in the rows of s. Returns how many are listed.
    """
    moment, chain = live_errors.episode_offset[0] + t, t % level.hop_length
    live_errors.last_cut[0] = moment
    if fades_by_pi(config.estimator):
        keep_pi(level, config, s, row, t)
    if row == NO_ACTION:  # the action is not legal at s, so all traces of the chain are cut
        level.all_cut_at[chain] = moment
        return 0
    q, best, v, cut_at = level.q[row], level.best[s], level.v[s], level.cut_at[chain]
    for place in range(width(level, s)):
        g = column_at(level, s, place)
        continues = (not cuts_traces(config.estimator)) | is_greedy(best[place], q[place])
        expected = v[place] if sends_error_of_state(config.estimator) else q[place]
        delta, before = returns.value[g] - expected, cut_at[g]  # read in any case: reading on condition is slower
        live_errors.delta[place] = delta if continues else 0.0
        cut_at[g] = before if continues else moment
    if level.column[s] >= 0:  # the step starts at that goal
        cut_at[level.column[s]] = moment
    return gather_live_errors(level, s, live_errors)


def add_own_error(
    level: Level, config: KernelConfig, s: int, row: int, returns: Returns, live_errors: LiveErrors
) -> None:
    """Q(s, A, g) ← Q(s, A, g) + α δ[g] for all goals g."""
    level.touched_by[row] = live_errors.backups[0]
    q, best = level.q[row], level.best[s]
    dropped = np.int64(not target_is_greedy(config.target))
    for place in range(width(level, s)):
        old = q[place]
        q[place] = old + config.step_size * (returns.value[column_at(level, s, place)] - old)
        dropped |= keep_best(best, place, old, q[place])
    if dropped:
        level.stale[s] = 1


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
        share = live_errors.z[k] if fades_by_pi(config.estimator) else z
        q[place] = old + config.step_size * share * live_errors.delta[k]
        dropped |= keep_best(best, place, old, q[place])
    if dropped:
        level.stale[s] = 1
