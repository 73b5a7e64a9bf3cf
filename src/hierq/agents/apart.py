"""Small arrays that kernels write to at every step, each in cache lines of its own.

Processors lend each other memory in lines of 64 bytes. Two agents that learn in two threads and happen to have their
counters in the same line would take it from each other at every step, which made both a third slower.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

LINE = 64  # bytes


def zeros_apart(shape: int | tuple[int, ...], kind: Any = np.float64) -> npt.NDArray[Any]:
    """An array of zeros that shares no cache line with any other array."""
    size = np.dtype(kind).itemsize * math.prod(shape if isinstance(shape, tuple) else (shape,))
    room = np.zeros(LINE * (2 + size // LINE), np.uint8)
    begin = -room.__array_interface__["data"][0] % LINE
    array: npt.NDArray[Any] = room[begin : begin + size].view(kind).reshape(shape)
    return array
