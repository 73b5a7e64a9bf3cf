"""V(s, g), the value of a state under the target policy: kept along as Q changes, and looked for where that is lost.

For the greedy target V(s, g) = max_a Q(s, a, g), and `best` is the same array as `v`. For an ε-soft or softmax target
V(s, g) = Σ_a π(a | s, g) Q(s, a, g), and `best` has the maximum, which both policies need.
"""

import math

from hierq.agents.kernel_config import KernelConfig
from hierq.compiling.static_choice import Cases, StaticChoice, dispatch_on, static_flag
from hierq.tables.entries import is_lost, value_of
from hierq.tables.level import NO_ACTION, Entries, Level
from hierq.tables.rows import width
from hierq.tables.ties import is_tied


@static_flag
def target_is_greedy(target: StaticChoice) -> bool:
    """Whether V is the maximum of Q."""
    return target.label == "greedy"


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
    refresh(level, config, state)
    return value_of(level, level.best[state, place])


def maximum(level: Level, state: int, place: int) -> float:
    """max_a Q(s, a, g), untried actions counting with the start value; where there is no action, that value."""
    used = level.used[state]
    best = level.start_value if used < level.legal_count[state] or used == 0 else -math.inf
    for k in range(used):
        best = max(best, level.q[level.tried[state, k], place])
    return best


def find_expectations(level: Level, config: KernelConfig, state: int) -> None:
    """V(s, g) ← Σ_a π(a | s, g) Q(s, a, g) for an ε-soft or softmax target, with what `find_probabilities` needs."""
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


def find_probabilities(level: Level, config: KernelConfig, state: int, row: int, pi: Entries) -> None:
    """Writes π(a | s, g) of an ε-soft or softmax target for the action in a row, for all goals g; V must be fresh.

    What is no action has probability 0.
    """
    for g in range(level.columns_used[0]):
        share = 0.0
        if row != NO_ACTION:
            share = weight(config, level.q[row, g], level.best[state, g]) / level.norm[state, g]
            if not config.is_softmax:
                share = config.softness / float(level.legal_count[state]) + (1.0 - config.softness) * share
        pi[g] = share
