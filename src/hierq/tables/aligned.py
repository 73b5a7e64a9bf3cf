"""Arrays that begin with a cache line and share none with any other array.

Processors move memory in lines of 64 bytes. Kernels work on four numbers at a time, and half of these would lie across
two lines in an array that begins anywhere. And two agents that learn in two threads, with their counters in the same
line by chance, would take it from each other at every step.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

LINE = 64  # bytes

Shape = int | tuple[int, ...]


def zeros(shape: Shape, kind: Any = np.float64) -> npt.NDArray[Any]:
    """An array of zeros, which take no memory until they are written to.

    It is cut out of a larger one of bytes, which has a line to spare before and after it.
    """
    size = np.dtype(kind).itemsize * math.prod(np.atleast_1d(shape).tolist())
    room = np.zeros(LINE * (2 + size // LINE), np.uint8)
    begin = -room.__array_interface__["data"][0] % LINE
    array: npt.NDArray[Any] = room[begin : begin + size].view(kind).reshape(shape)
    return array


def full(shape: Shape, value: float, kind: Any = np.float64) -> npt.NDArray[Any]:
    """An array of one value."""
    array = zeros(shape, kind)
    array[...] = value
    return array
