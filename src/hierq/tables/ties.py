"""When a value ties for the best, and when an action is greedy: one definition, for kernels and for arrays alike.

Two values tie when they are equal up to rounding, however small they are: to act, only the order of values is needed,
and it survives down to the smallest number. `AgentConfig.tie_tolerance` makes ties wider for choosing. The published
program used 1e-8, so that a smaller value tied with "never tried".
"""

from typing import Any

ROUNDING = 1e-9  # relative: the same numbers, added up in another order, differ by less


def is_tied(best: Any, value: Any, tolerance: float) -> Any:
    """Whether a value ties with the best one in choosing: |best − value| ≤ tolerance + 1e-9 · |best|."""
    return abs(best - value) <= tolerance + ROUNDING * abs(best)


def is_greedy(best: Any, value: Any) -> Any:
    """Whether an action of this value is greedy in learning: its value is the maximum itself, as the paper has it.

    So a trace goes on, and a return passes through a hop; the tolerance is no part of this.
    """
    return value == best
