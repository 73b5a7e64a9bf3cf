"""Tables of ranks: an entry says which power of the discount a value is, in two bytes instead of eight.

With a reward of 1 at the goal, tables that start at 0, a greedy target policy, step size 1 and Tree-Backup, every value
is 0 or 1 · γ · γ · … · γ: how far the goal is. There are so few different ones that they can be numbered, in ascending
order: rank 0 is the value 0, the highest rank the value 1, and to discount is to go down by one rank. So a backup and
the maximum over actions are the same for ranks as for values, exactly, and sixteen goals are dealt with at a time.
Since rank 0 is the value 0, tables, returns and holes start alike.

Powers do not get smaller for ever: computers know a smallest number, and γ times the last of them is itself once more.
"""

from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

TableKind = Literal["values", "ranks", "local"]  # local tables hold values, too
Powers = npt.NDArray[np.float64]

RANK = np.int16
LOST = 2**15 - 1  # no rank, but stands for a maximum that has to be looked for, as NaN does among values
LOWEST = 1  # above 0; discounting leaves it as it is


@lru_cache(maxsize=64)
def powers_of(discount: float) -> Powers | None:
    """The values by rank: 0 and all powers of γ, each γ times the next one; None if they are too many or reach 0."""
    powers = [1.0]
    while discount * powers[-1] < powers[-1]:
        powers.append(discount * powers[-1])
        if powers[-1] == 0.0 or len(powers) == LOST:
            return None
    values = np.array([*powers, 0.0])[::-1].copy()
    values.flags.writeable = False
    return values
