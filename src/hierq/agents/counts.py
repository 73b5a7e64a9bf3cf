"""What an explorer counts: it lives as long as the agent, and is saved with it."""

import numpy as np

from hierq.agents.choosing import Counts
from hierq.agents.explorers import UNTRIED, Explorer
from hierq.tables import aligned


def make_counts(explorer: Explorer, states: int, cells: int, actions: int) -> Counts:
    """Counts for an explorer; of one entry each if it counts nothing."""
    if not explorer.counts:
        states = cells = actions = 1
    return Counts(
        visits=aligned.zeros(states, np.int64),
        asked=aligned.zeros(cells, np.int64),
        successors=aligned.full((states, actions), UNTRIED, np.int32),
    )


def clear_counts(counts: Counts) -> None:
    """Forgets what was counted."""
    counts.visits[:] = counts.asked[:] = 0
    counts.successors[:] = UNTRIED


def grown_counts(counts: Counts, larger: Counts) -> Counts:
    """Larger counts that hold the same."""
    for name in Counts._fields:
        old = getattr(counts, name)
        getattr(larger, name)[tuple(slice(length) for length in old.shape)] = old
    return larger
