"""Partitions and schedules: which hops a backup goes back over, and when backups are done.

A level's trace so far is S_0 A_0 … S_t A_t S_{t+1}. A hop is one action of the level as a backup sees it: at most h
steps of this trace. Most index arithmetic of the backups is here: kernels, the reference, the credit view and the
allocation of memory use it alike.

A backup updates the values of one action, A_first, and looks ahead as far as a state S_last. Between S_{first+1} and
S_last lie many paths of hops. A partition takes one of them, or joins the returns of all of them.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hierq.agents.random_numbers import Words, below


@dataclass(frozen=True)
class Partition:
    """How a trace is cut into hops."""

    name: str
    most_steps: int | None  # of a hop; None: as many as an action of the level may take
    about: str  # one line about it
    joins: str = ""  # how the returns of several paths are joined: "max" or "mean"; "" if there is one path

    def hop_length(self, reach: int) -> int:
        """The number h, for a level whose actions take up to H^a environment steps, its reach."""
        return self.most_steps or reach


PARTITIONS = {
    partition.name: partition
    for partition in (
        Partition("stride", None, "as many steps as an action of the level may take (the paper)"),
        Partition("single", 1, "one step, so that a level loses its longer credit"),
        Partition("random", None, "from 1 to that many steps, drawn anew for each hop"),
        Partition("executed", 1, "an action as it was taken: from where a sub-goal was chosen to where it ended"),
        Partition("all-max", None, "1 to that many steps, over all paths; at each state the best hop counts", "max"),
        Partition("all-mean", None, "the same; at each state the mean over the hops counts", "mean"),
        Partition("all-paths", None, "the same; the mean over all paths counts", "mean"),
    )
}
SCHEDULES = {"step": "after every step (the paper)", "episode": "backward, when the episode is over"}


def first_step(t: int, n: int, h: int) -> int:
    """t_n = t − h (n − 1), the step whose action a backup over n hops updates; below 0 if the trace is too short."""
    return t - h * (n - 1)


def last_state(first: int, length: int, n: int, h: int, strides: bool) -> int:
    """The time of the state S_last that a backup of A_first looks ahead to, at most n hops.

    last = min(T, first + 1 + h (n − 1)), where T is the `length` of the trace in steps. With strides, the largest time
    up to there for which last − first − 1 is a multiple of h, so that every hop has h steps.
    """
    last = min(length, first + 1 + h * (n - 1))
    return last - (last - first - 1) % h if strides else last


def cut_path(first: int, last: int, h: int, is_random: bool, rng: Words, path: npt.NDArray[np.int64]) -> int:
    """Writes the times of the states on a path from S_{first+1} to S_last, oldest first; returns their number.

    Hops have h steps, or 1 … h steps drawn at random; the last one takes at most the steps that are left.
    """
    path[0], count = first + 1, 1
    while path[count - 1] < last:
        most = min(h, last - path[count - 1])
        path[count] = path[count - 1] + (1 + below(rng, most) if is_random and most > 1 else most)
        count += 1
    return count


def trailing(t: int, h: int) -> range:
    """The times t − h + 1 … t, from 0 on: start states of hops of at most h steps that end at S_{t+1}."""
    return range(max(0, t - h + 1), t + 1)


def groups_back(t: int, h: int) -> range:
    """The times t − h, t − 2h, … of the earlier actions in the chain of traces that A_t belongs to."""
    return range(t - h, -1, -h)


def depths_due(t: int, n: int, has_ended: bool) -> range:
    """The depths of the backups due after step t: n; at the end of an episode 1 … n, the shorter ones as well.

    Each works on the tables that the one before it left; the published program has this order.
    """
    return range(1 if has_ended else n, min(n, t + 1) + 1)
