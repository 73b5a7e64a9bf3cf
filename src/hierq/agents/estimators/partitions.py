"""Partitions and schedules: which hops a backup goes back over, and when backups are done.

A level's trace so far is S_0 A_0 … S_t A_t S_{t+1}, and h is the number of steps that one of its hops spans. All index
arithmetic of the backups is here: kernels, the reference, the credit view and the allocation of memory use it alike.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hierq.errors import InputError


@dataclass(frozen=True)
class Partition:
    """How a trace is cut into hops.

    Attributes:
        name: what it is called.
        span: h, the steps of a hop, for a level whose actions may take so many environment steps (H^a).
        about: one line about it.
    """

    name: str
    span: Callable[[int], int]
    about: str


PARTITIONS = {
    partition.name: partition
    for partition in (
        Partition("stride", lambda reach: reach, "as many steps as an action of the level may take, H^a (the paper)"),
        Partition("single", lambda reach: 1, "one step, which takes a level its longer credit away"),
    )
}
SCHEDULES = {"step": "after every step (the paper)"}


def named_partition(name: Any) -> Partition:
    """A partition by its name."""
    if not isinstance(name, str) or name not in PARTITIONS:
        raise InputError(f"hops must be one of {', '.join(PARTITIONS)}; not {name!r}")
    return PARTITIONS[name]


def first_step(t: int, n: int, h: int) -> int:
    """t_n = t − h (n − 1): the step whose action a backup over n hops is about; below 0 if the trace is too short."""
    return t - h * (n - 1)


def hops_back(t: int, n: int, h: int) -> range:
    """K = t − h + 1, t − 2h + 1, … > t_n: where the hops begin that a backup goes back over, newest first."""
    return range(t - h + 1, t - h * (n - 1), -h)


def trailing(t: int, h: int) -> range:
    """The times of the states from which A_t spans at most h steps, oldest first: t − h + 1 … t."""
    return range(max(0, t - h + 1), t + 1)


def groups_back(t: int, h: int) -> range:
    """T − h, t − 2h, …: the times of the earlier actions in the chain of traces that A_t belongs to."""
    return range(t - h, -1, -h)


def depths_due(t: int, n: int, has_ended: bool) -> range:
    """The depths of the backups due after step t: n; at the end of an episode 1 … n, the shorter ones as well."""
    return range(1 if has_ended else n, min(n, t + 1) + 1)
