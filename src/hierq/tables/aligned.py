"""Arrays that begin with a cache line and share none with any other array.

Processors move memory in lines of 64 bytes. Kernels work on four numbers at a time, and half of these would lie across
two lines in an array that begins anywhere. And two agents that learn in two threads, with their counters in the same
line by chance, would take it from each other at every step.
"""

import contextlib
import math
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.tables.available_memory import memory_available

LINE = 64  # bytes
MAX_KEPT = 2**28  # bytes a thread keeps for its next agent, if that is not more than a hundredth of the memory

Shape = int | tuple[int, ...]


class _Kept(threading.local):
    """The memory that a thread keeps, and how much of it is in use."""

    memory = np.empty(0, np.uint8)
    in_use = 0
    wanted = 0
    is_on = False


_kept = _Kept()


@contextlib.contextmanager
def reuse_memory() -> Iterator[None]:
    """In this block, arrays come from memory that the thread keeps for the next such block.

    Fresh memory has to be cleared by the system, which takes a good part of the time of a short run. The arrays must
    not be used once the next block has begun, because that will write there.
    """
    if _kept.is_on:
        raise RuntimeError("this thread's memory is in use already")
    _kept.in_use, _kept.wanted, _kept.is_on = 0, 0, True
    try:
        yield
    finally:
        _kept.is_on = False
        if len(_kept.memory) < _kept.wanted <= MAX_KEPT and _kept.wanted < memory_available() / 100:
            _kept.memory = np.empty(0, np.uint8)
            with contextlib.suppress(MemoryError):
                _kept.memory = np.empty(_kept.wanted, np.uint8)


def kept_bytes() -> int:
    """Bytes that this thread keeps, and that its next agent may use."""
    return len(_kept.memory)


def zeros(shape: Shape, kind: Any = np.float64) -> npt.NDArray[Any]:
    """An array of zeros; outside `reuse_memory` they take no memory until they are written to."""
    if _kept.is_on and _kept.in_use + _room_for(shape, kind) <= len(_kept.memory):
        array = empty(shape, kind)
        array.view(np.uint8)[...] = 0
        return array
    if _kept.is_on:
        _kept.wanted += _room_for(shape, kind)
    return _cut_out(np.zeros(_room_for(shape, kind), np.uint8), shape, kind)


def empty(shape: Shape, kind: Any = np.float64) -> npt.NDArray[Any]:
    """An array with anything in it."""
    room = _room_for(shape, kind)
    if _kept.is_on:
        _kept.wanted += room
        if _kept.in_use + room <= len(_kept.memory):
            _kept.in_use += room
            return _cut_out(_kept.memory[_kept.in_use - room : _kept.in_use], shape, kind)
    return _cut_out(np.empty(room, np.uint8), shape, kind)


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
