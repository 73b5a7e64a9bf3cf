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
    """An array of zeros, which take no memory until they are written to."""
    return _cut_out(np.zeros(_room_for(shape, kind), np.uint8), shape, kind)


def empty(shape: Shape, kind: Any = np.float64) -> npt.NDArray[Any]:
    """An array with anything in it."""
    return _cut_out(np.empty(_room_for(shape, kind), np.uint8), shape, kind)


def full(shape: Shape, value: float, kind: Any = np.float64) -> npt.NDArray[Any]:
    """An array of one value."""
    if value == 0:
        return zeros(shape, kind)
    array = empty(shape, kind)
    array[...] = value
    return array


def _size(shape: Shape, kind: Any) -> int:
    return int(np.dtype(kind).itemsize) * math.prod(shape if isinstance(shape, tuple) else (shape,))


def _room_for(shape: Shape, kind: Any) -> int:
    return LINE * (2 + _size(shape, kind) // LINE)


def _cut_out(room: npt.NDArray[np.uint8], shape: Shape, kind: Any) -> npt.NDArray[Any]:
    begin = -room.__array_interface__["data"][0] % LINE
    array: npt.NDArray[Any] = room[begin : begin + _size(shape, kind)].view(kind).reshape(shape)
    return array
