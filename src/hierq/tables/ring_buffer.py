"""The last steps of an episode, in arrays that are written around and around, so that an episode can be of any length.

A ring has a power of two of entries; that of time t stands at t modulo their number, until it is overwritten.
"""

from typing import Any

import numpy as np
import numpy.typing as npt


def ring_length(steps: int) -> int:
    """Entries of a ring that holds at least this many steps: a power of two."""
    return 1 << max(0, steps - 1).bit_length()


def slot(ring: npt.NDArray[Any], time: int) -> int:
    """Where the entry of a time stands."""
    return time & (len(ring) - 1)


def recall(ring: npt.NDArray[np.int64], time: int) -> int:
    """The entry of a time."""
    return int(ring[time & (len(ring) - 1)])


def unrolled(ring: npt.NDArray[Any], first: int, end: int) -> npt.NDArray[Any]:
    """The entries of the times first … end − 1, in order."""
    entries: npt.NDArray[Any] = ring[np.arange(first, end) & (len(ring) - 1)]
    return entries
