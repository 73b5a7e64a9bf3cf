"""Caves: random cells, smoothed by a cellular automaton; the largest connected part is kept."""

import numpy as np
import numpy.typing as npt

from hierq.worlds.map_text import FREE, WALL
from hierq.worlds.random_maps import Draws, finished, map_sizes, size_name
from hierq.worlds.world import World

LEAST_SIZE = 8  # smaller caves close up too often
WALLS = 0.43  # the chance that a cell begins as a wall
ROUNDS = 4  # of smoothing


def cave(rows: int, columns: int, *, seed: int) -> World:
    """A random cave inside a border wall: wide halls, narrow passages, ragged edges.

    At first every cell is a wall with probability 0.43. Then, four times, each cell takes the majority among the nine
    cells of its 3 × 3 neighbourhood, where everything outside counts as wall. Of the free cells only the largest
    connected part is kept. If it has fewer cells than a tenth of the square of the shorter side of the map, the cave
    is drawn again, with the next random numbers. The start is a cell farthest from the top left of the cave, the goal
    one farthest from the start.

    Args:
        rows: Rows of the map, border included, 8 or more.
        columns: Columns of the map, likewise.
        seed: Seed of the random numbers, 0 or more.
    """
    rows, columns = map_sizes(rows, columns, LEAST_SIZE)
    draws = Draws(seed)
    is_free = np.zeros((rows - 2, columns - 2), np.bool_)
    while 10 * np.count_nonzero(is_free) < min(rows, columns) ** 2:
        is_free = _largest_part(_smoothed(~draws.happens(WALLS, is_free.shape)))
    grid = np.where(np.pad(is_free, 1), ord(FREE), ord(WALL)).astype(np.uint8)
    return finished(grid, f"{size_name('cave', rows, columns)}-seed-{seed}", far_apart=True)


def _smoothed(is_free: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Every cell takes the majority of its 3 × 3 neighbourhood, several times."""
    for _ in range(ROUNDS):
        padded = np.pad(is_free, 1).astype(np.uint8)
        in_column = padded[:-2] + padded[1:-1] + padded[2:]
        is_free = in_column[:, :-2] + in_column[:, 1:-1] + in_column[:, 2:] >= 5
    return is_free


def _largest_part(is_free: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The largest part whose cells are connected by moves; the first in reading order of several."""
    from scipy.ndimage import label

    part_of_cell, count = label(is_free)
    if count == 0:
        return is_free
    largest = 1 + int(np.argmax(np.bincount(part_of_cell.ravel())[1:]))
    kept: npt.NDArray[np.bool_] = part_of_cell == largest
    return kept
