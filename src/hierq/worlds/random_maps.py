"""Shared by all generators of maps: random numbers, checks of arguments, sizes, starts and goals.

A random map depends on its arguments and its seed alone. All chance comes from the raw 64-bit words of PCG64, a stream
that NumPy promises never to change, and is used as whole numbers: every platform and version makes the same map.
"""

import operator
from collections.abc import Iterator
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.map_text import FREE, GOAL, MAX_CELLS, START, WALL, Grid, canonical_text, shortened
from hierq.worlds.world import World

WORDS_AT_ONCE = 4096

Ends: TypeAlias = Literal["corners", "farthest"]


class Draws:
    """Random whole numbers, the same for a seed everywhere; a seed is a whole number, 0 or more."""

    def __init__(self, seed: int) -> None:
        self._source = np.random.PCG64(whole_number("the seed", seed, least=0))
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


def map_sizes(kind: str, rows: int, columns: int, least: int = 3) -> tuple[int, int]:
    """The rows and columns of a map such as "a maze", border included, checked before anything is made."""
    rows = whole_number(f"the number of rows of {kind}", rows, least)
    columns = whole_number(f"the number of columns of {kind}", columns, least)
    check_size(rows, columns)
    return rows, columns


def check_size(rows: int, columns: int) -> None:
    """Refuses a map that would be too large, before it is made."""
    if rows * columns > MAX_CELLS:
        raise InputError(
            f"{rows:,} × {columns:,} cells are more than the limit of {MAX_CELLS:,}; make the world smaller"
        )


def whole_number(what: str, given: int, least: int = 1, most: int | None = None) -> int:
    """A whole number from `least` on, and at most `most`; refuses everything else."""
    try:
        number = operator.index(given)
    except TypeError:
        number = least - 1
    if number < least or (most is not None and number > most):
        limits = f"{least} or more" if most is None else f"{least} to {most}"
        raise InputError(f"{what} is a whole number, {limits}, not {shortened(given)}")
    return number


def share(what: str, given: float, most: float = 1.0) -> float:
    """A number between 0 and `most`; refuses everything else."""
    if not isinstance(given, float | int | np.floating | np.integer) or not 0 <= given <= most:
        raise InputError(f"{what} is a number between 0 and {most:g}, not {shortened(given)}")
    return float(given)


def check_choice(what: str, given: str, choices: tuple[str, ...]) -> None:
    """Refuses anything but one of a few words."""
    if given not in choices:
        raise InputError(f"{what} is {', '.join(choices[:-1])} or {choices[-1]}, not {shortened(given)}")


def check_ends(ends: str) -> None:
    """Refuses a way to place start and goal that does not exist."""
    check_choice("the place of start and goal (ends)", ends, ("corners", "farthest"))


def finished(grid: Grid, ends: Ends, name: str) -> World:
    """The world of a connected grid of walls and free cells, two or more, with start and goal in it.

    "corners": the free cells nearest to the top left and to the bottom right corner. "farthest": the start is a
    free cell as far as possible from the top left one, the goal as far as possible from the start, in steps. In a
    world without loops these are the ends of the longest of all shortest paths.
    """
    rows, columns = np.nonzero(grid == ord(FREE))
    places = rows * grid.shape[1] + columns
    start, goal = int(places[np.argmin(rows + columns)]), int(places[np.argmax(rows + columns)])
    if ends == "farthest":
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
