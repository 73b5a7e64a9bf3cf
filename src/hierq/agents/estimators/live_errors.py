"""The goals whose error δ still travels back along a trace, and how their traces fade.

There are four kinds of traces, which differ in what they have for π, and in the error that travels:

    traces             Watkins' Q(λ), for the greedy target: a trace is cut at an action that is not greedy, π = 0
    soft traces        the same for other targets: it fades by π
    never-cut-traces   Q*(λ): 1 in place of π
    peng-traces        Peng's Q(λ): 1 in place of π, and G − V(s, g) for δ: the error of the state, not that of the hop

Goals whose error is 0, or whose trace was cut, are left out on the way, so that a walk along the trace soon ends.
"""

from typing import NamedTuple

from hierq.agents.estimators.state_values import find_probabilities
from hierq.agents.kernel_config import KernelConfig
from hierq.compiling.static_choice import OTHERWISE, Cases, StaticChoice, dispatch_on, static_flag
from hierq.tables.level import Floats, Level, Longs
from hierq.tables.rows import column_at, width

BLOCK = 64  # goals that are looked at together, to skip those without an error


class LiveErrors(NamedTuple):
    """The goals whose error δ still travels back along the trace, and what is counted over all backups."""

    goal: Longs  # g, as columns
    delta: Floats  # δ[g]
    z: Floats  # Z[g] of the pairs reached so far, for traces that fade by π; for others it is one number
    last_cut: Longs  # [1]: no trace of these goals was cut after this moment
    backups: Longs  # [1]: the number of this backup, which marks the pairs it has already updated
    rows: Longs  # [1]: pairs (s, a) that all backups were about
    episode_offset: Longs  # [1]: grows with every episode, so that offset + t, a `moment`, comes only once


@static_flag
def cuts_traces(estimator: StaticChoice) -> bool:
    """Whether a trace is cut at an action that is not greedy."""
    return estimator.label == "traces"


@static_flag
def fades_by_pi(estimator: StaticChoice) -> bool:
    """Whether π is any number from 0 to 1."""
    return estimator.label == "soft traces"


@static_flag
def sends_error_of_state(estimator: StaticChoice) -> bool:
    """Whether earlier pairs get G − V(s, g)."""
    return estimator.label == "peng-traces"


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


@dispatch_on("estimator", of="config")
def fade(level: Level, config: KernelConfig, t: int, z: float, alive: int, live_errors: LiveErrors) -> Cases:
    """Z[g] ← λγ π Z[g], one hop back to the group of time t; leaves out goals with Z = 0. Returns how many remain.

    z is λγ to the power of the hops so far: Z of the goals for which every π was 1.
    """
    return {"soft traces": fade_by_pi, OTHERWISE: leave_out_cut}


def leave_out_cut(level: Level, config: KernelConfig, t: int, z: float, alive: int, live_errors: LiveErrors) -> int:
    """Where π is 0 or 1, Z is 0 for goals whose trace was cut after the group of time t, and z for all others.

    While the group is later than every cut, no goal has to be looked at.
    """
    moment, chain = live_errors.episode_offset[0] + t, t % level.hop_length
    if z <= config.trace_cutoff or moment < level.all_cut_at[chain]:
        return 0
    if moment >= live_errors.last_cut[0]:
        return alive
    cut_at, kept, latest = level.cut_at[chain], 0, level.all_cut_at[chain]
    for k in range(alive):
        g = live_errors.goal[k]
        live_errors.goal[kept], live_errors.delta[kept] = g, live_errors.delta[k]
        kept += cut_at[g] <= moment
        latest = max(latest, cut_at[g] if cut_at[g] <= moment else latest)
    live_errors.last_cut[0] = latest
    return kept


def keep_pi(level: Level, config: KernelConfig, s: int, row: int, t: int) -> None:
    """Keeps π(A_t | s, g) of soft traces for later steps; 0 for the goal g = s. For others `cut_at` is enough."""
    pi = level.recent_pi[t % len(level.recent_pi)]
    find_probabilities(level, config, s, row, pi)
    if level.column[s] >= 0:
        pi[level.column[s]] = 0.0


def fade_by_pi(level: Level, config: KernelConfig, t: int, z: float, alive: int, live_errors: LiveErrors) -> int:
    """For soft traces: each goal has its own Z."""
    pi, kept = level.recent_pi[(t + level.hop_length) % len(level.recent_pi)], 0  # of the hop that follows
    for k in range(alive):
        g = live_errors.goal[k]
        z = live_errors.z[k] * (config.decay * config.discount) * pi[g]
        live_errors.goal[kept], live_errors.delta[kept], live_errors.z[kept] = g, live_errors.delta[k], z
        kept += z > config.trace_cutoff
    return kept
