"""An entry of a table is a value, or a rank where that is enough (see `ranks.py`).

These are all the operations of the kernels in which the two differ. The type of an entry says which of them it is when
a kernel is compiled, so the other costs nothing. The value 0 has the rank 0.

The functions take single numbers and not a `KernelConfig`: the compiler does not vectorise a loop that calls a function
with so large a tuple.
"""

import math
from typing import Any

import numpy as np

from hierq.tables.level import Entries, Level
from hierq.tables.ranks import LOST, LOWEST
from hierq.tables.ties import is_greedy

Entry = Any  # a float or a RANK


def value_of(level: Level, entry: Entry) -> float:
    """The value that an entry stands for."""
    return float(entry) if isinstance(entry, float) else float(level.powers[entry])


def discounted(reward: float, discount: float, entry: Entry) -> Entry:
    """R + γ · V; with ranks there is a reward at the goal only, and this is one rank down."""
    return reward + discount * entry if isinstance(entry, float) else entry - (entry > LOWEST)


def blended(step_size: float, old: Entry, new: Entry) -> Entry:
    """(1 − α) Q + α G; with ranks α = 1."""
    return (1.0 - step_size) * old + step_size * new if isinstance(old, float) else new


def greedy_share(value: Entry, highest: Entry) -> Entry:
    """π(a | s, g) of the greedy policy, for an action of this value: 1 if it is the highest, else 0."""
    if isinstance(value, float):
        return 1.0 if is_greedy(highest, value) else 0.0
    return np.int16(is_greedy(highest, value))


def as_entry(number: Any, entry: Entry) -> Entry:
    """A number as an entry like this one."""
    return float(number) if isinstance(entry, float) else np.int16(number)


def lost(entry: Entry) -> Entry:
    """The mark of a maximum that is not known, of the type of this entry."""
    return math.nan if isinstance(entry, float) else np.int16(LOST)


def lowest(entry: Entry) -> Entry:
    """A number below all entries of the type of this one."""
    return -math.inf if isinstance(entry, float) else np.int16(-1)


def is_lost(entry: Entry) -> bool:
    """Whether a maximum is not known."""
    return math.isnan(entry) if isinstance(entry, float) else entry == LOST


def keep_best(best: Entries, place: int, old: Entry, new: Entry) -> bool:
    """Keeps max_a Q(s, a, g) along when one of the values changes from old to new.

    When the maximum itself drops, these numbers do not determine the new one. Then it is lost until `refresh` or
    `highest_value` looks for it. Returns whether it dropped.
    """
    highest = best[place]
    dropped = (old == highest) & (new < highest)
    best[place] = lost(highest) if dropped else (new if new > highest else highest)  # what is lost stays lost
    return bool(dropped)


def either(one: Any, other: bool, entry: Entry) -> Any:
    """Logical or, in the width of an entry: the compiler vectorises a loop by its widest number."""
    return np.int64(one | other) if isinstance(entry, float) else np.int16(one | other)
