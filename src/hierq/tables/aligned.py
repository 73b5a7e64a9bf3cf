"""Arrays that begin with a cache line and share none with any other array.

Processors move memory in lines of 64 bytes. Kernels work on four numbers at a time, and half of these would lie across
two lines in an array that begins anywhere. And two agents that learn in two threads, with their counters in the same
line by chance, would take it from each other at every step.

What an agent needs is said by shapes, so that its memory is estimated from what it is allocated by.
"""

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

LINE = 64  # bytes

Array = npt.NDArray[Any]
Shapes: TypeAlias = Mapping[str, tuple[tuple[int, ...], Any]]  # shape and type of each array, by name


def nbytes(shapes: Shapes) -> int:
    """Bytes of all these arrays."""
    return sum(math.prod(shape) * np.dtype(kind).itemsize for shape, kind in shapes.values())


def arrays(shapes: Shapes) -> dict[str, Array]:
    """Arrays of zeros, by name, which take no memory until they are written to.

    They are cut out of one block of bytes, which is kept as long as one of them is.
    """
    sizes = [-(-math.prod(shape) * np.dtype(kind).itemsize // LINE) * LINE for shape, kind in shapes.values()]
    block = np.zeros(sum(sizes) + 2 * LINE, np.uint8)  # a line to spare before and after them
    begin = -block.__array_interface__["data"][0] % LINE
    made = {}
    for (name, (shape, kind)), size in zip(shapes.items(), sizes, strict=True):
        made[name] = np.ndarray(shape, kind, block, begin)
        begin += size
    return made


def copy_into(larger: Any, smaller: Any) -> None:
    """Copies an array into the beginning of a larger one, or all arrays of a tuple into those of another."""
    if isinstance(smaller, tuple):
        for into, part in zip(larger, smaller, strict=True):
            copy_into(into, part)
    elif isinstance(smaller, np.ndarray) and larger.flags.writeable:
        larger[tuple(slice(length) for length in smaller.shape)] = smaller
