"""The parts that all generators of maps share: random numbers, sizes, starts and goals.

A random map depends on its arguments and its seed alone. All chance comes from the raw 64-bit words of PCG64, a stream
that NumPy promises never to change, and is used as whole numbers: every platform and version makes the same map.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from hierq.checks import MAX_SEED, whole_number
from hierq.errors import InputError
from hierq.worlds.map_text import FREE, GOAL, MAX_CELLS, START, WALL, Grid, canonical_text
from hierq.worlds.world import World

WORDS_AT_ONCE = 4096


class Draws:
    """Random whole numbers, the same for a seed everywhere; a seed is a whole number, 0 or more."""

    def __init__(self, seed: int) -> None:
        self._source = np.random.PCG64(whole_number("the seed", seed, MAX_SEED, least=0))
        self._words = self._stream()

    def below(self, count: int) -> int:
        """A number from 0 … count − 1; the bias of the remainder, count / 2⁶⁴, is negligible."""
        return next(self._words) % count

    def shuffle(self, things: list[int]) -> None:
        """Puts a list in random order (Fisher and Yates)."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]

    def happens(self, chance: float, shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
        """An array of independent events that happen with this chance, in steps of 2⁻⁵³."""
        words: npt.NDArray[np.uint64] = self._source.random_raw(shape[0] * shape[1])
        return (words.reshape(shape) >> np.uint64(11)) < np.uint64(int(chance * 2**53))

    def _stream(self) -> Iterator[int]:
        while True:
            yield from self._source.random_raw(WORDS_AT_ONCE).tolist()


def map_sizes(rows: int, columns: int, least: int = 3) -> tuple[int, int]:
    """The rows and columns of a map, border included, checked before anything is made."""
    rows = whole_number("the number of rows", rows, least=least)
    columns = whole_number("the number of columns", columns, least=least)
    if rows * columns > MAX_CELLS:
        raise InputError(
            f"{rows:,} × {columns:,} cells are more than the limit of {MAX_CELLS:,}; make the world smaller"
        )
    return rows, columns


def finished(grid: Grid, name: str, far_apart: bool = False) -> World:
    """The world of a grid of walls and at least two free cells, all connected, with a start and a goal added.

    The start is the free cell nearest to the top left corner, the goal the one nearest to the bottom right corner. Far
    apart, the start is a free cell as many steps as possible from the top left one, and the goal as many steps as
    possible from the start.
    """
    rows, columns = np.nonzero(grid == ord(FREE))
    places = rows * grid.shape[1] + columns
    start, goal = int(places[np.argmin(rows + columns)]), int(places[np.argmax(rows + columns)])
    if far_apart:
        start = farthest(grid, start)
        goal = farthest(grid, start)
    grid.flat[start], grid.flat[goal] = ord(START), ord(GOAL)
    return World.from_text(canonical_text(grid), name=name)


def farthest(grid: Grid, start: int) -> int:
    """A free cell as far as possible from another, both as indices in reading order; walls surround the grid."""
    columns = grid.shape[1]
    unseen = bytearray((grid != ord(WALL)).tobytes())
    unseen[start] = 0
    reached = [start]
    for cell in reached:  # it grows during the loop
        for neighbour in (cell - columns, cell - 1, cell + 1, cell + columns):
            if unseen[neighbour]:
                unseen[neighbour] = 0
                reached.append(neighbour)
    return reached[-1]


def size_name(kind: str, rows: int, columns: int) -> str:
    """The name of a world of a kind and size."""
    return f"{kind}-{rows}" if rows == columns else f"{kind}-{rows}x{columns}"
