"""What an explorer counts: it lives as long as the agent, and is saved with it."""

from typing import NamedTuple

import numpy as np

from hierq.agents.explorers import GREEDY, UNTRIED, Explorer
from hierq.errors import InputError
from hierq.tables import aligned
from hierq.tables.level import Ints, Longs


class Counts(NamedTuple):
    """What explorers ask to be counted over all training episodes; arrays of one entry if this one does not."""

    visits: Longs  # [states]: how often a state was entered
    asked: Longs  # [cells]: how often the explorer asked for a cell
    successors: Ints  # [states, actions]: where a move last led to, or UNTRIED
    refused: Longs  # [1]: what it returned that is no action, or GREEDY


def make_counts(explorer: Explorer, states: int, cells: int, actions: int) -> Counts:
    """Counts for an explorer; of one entry each if it counts nothing."""
    if not explorer.counts:
        states = cells = actions = 1
    return Counts(
        visits=aligned.zeros(states, np.int64),
        asked=aligned.zeros(cells, np.int64),
        successors=aligned.full((states, actions), UNTRIED, np.int32),
        refused=aligned.full(1, GREEDY, np.int64),
    )


def clear_counts(counts: Counts) -> None:
    """Forgets what was counted."""
    counts.visits[:] = counts.asked[:] = 0
    counts.successors[:] = UNTRIED


def check_explorer(explorer: Explorer, counts: Counts) -> None:
    """Refuses to go on with an explorer that returned something else than an action."""
    returned, counts.refused[0] = int(counts.refused[0]), GREEDY
    if returned != GREEDY:
        raise InputError(
            f"the explorer {explorer.name} returned {returned}, which is no action there; at level 0 it may return "
            "one of `actions`, above any cell, or hierq.GREEDY"
        )


def grown_counts(counts: Counts, larger: Counts) -> Counts:
    """Larger counts that hold the same."""
    for name in Counts._fields:
        old = getattr(counts, name)
        getattr(larger, name)[tuple(slice(length) for length in old.shape)] = old
    return larger
