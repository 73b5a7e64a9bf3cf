"""The trace that a level learns from, as the kernels read it."""

from typing import NamedTuple

from hierq.tables.level import Floats, Longs
from hierq.tables.ring_buffer import recall


class Trace(NamedTuple):
    """S_0 A_0 S_1 … S_t A_t S_{t+1}: a level's steps up to the newest, as far as they are kept."""

    states: Longs  # a ring buffer
    actions: Longs  # another; above level 0 the actions are the states reached, A_j = S_{j+1}
    chances: Floats  # another: μ(A_j | S_j), where an operator uses it; else a single 1
    t: int  # the time of the newest step


class Stretch(NamedTuple):
    """The part of a trace that a backup uses: from A_first, whose values are updated, to S_last, where it begins."""

    trace: Trace
    first: int
    last: int


def S(trace: Trace, j: int) -> int:
    """S_j."""
    return recall(trace.states, j)


def A(trace: Trace, j: int) -> int:
    """A_j."""
    return recall(trace.actions, j)


def mu(trace: Trace, j: int) -> float:
    """μ(A_j | S_j)."""
    return float(trace.chances[j & (len(trace.chances) - 1)])
