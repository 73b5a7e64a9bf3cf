"""Partitions and schedules: which hops a backup goes back over, and when backups are done.

A level's trace so far is S_0 A_0 … A_{L−1} S_L, and h is the number of steps that one of its hops spans. All index
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
    if name not in PARTITIONS:
        raise InputError(f"hops must be one of {', '.join(PARTITIONS)}; not {name!r}")
    return PARTITIONS[name]


def first_step(last: int, n: int, h: int) -> int:
    """τ = L − 1 − h (n − 1): where the last hop of a backup over n hops begins at the latest; < 0 if too early."""
    return last - 1 - h * (n - 1)


def hops_back(last: int, n: int, h: int) -> range:
    """j = L − 1 − h, L − 1 − 2h, … ≥ τ: the hops from S_{j+1} to S_{j+1+h} that a backup goes back over, newest first."""
    return range(last - 1 - h, last - 2 - h * (n - 1), -h)


def trailing(tau: int, h: int) -> range:
    """The times of the states from which A_τ spans at most h steps, oldest first: τ − h + 1 … τ."""
    return range(max(0, tau + 1 - h), tau + 1)


def groups_back(now: int, h: int) -> range:
    """The times now − h, now − 2h, …: the earlier actions of the chain of traces that the action at `now` is in."""
    return range(now - h, -1, -h)


def depths_due(n: int, last: int, has_ended: bool) -> range:
    """The depths of the backups due after a step: n; at the end of an episode 1 … n, to catch up on the shorter ones."""
    return range(1 if has_ended else n, min(n, last) + 1)
