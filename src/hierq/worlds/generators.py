"""Maps by rule: the paper's open grids and rooms, in any size; and what all generators of maps share."""

import math

import numpy as np

from hierq.checks import whole_number
from hierq.errors import InputError
from hierq.worlds.layout import Bytes
from hierq.worlds.map_text import FREE, GOAL, MAX_CELLS, START, WALL, canonical_text
from hierq.worlds.world import World

ROOM_SIDE = 5


def gridworld(height: int, width: int) -> World:
    """An open grid inside a border wall; the start is its top left cell, the goal its bottom right cell.

    `gridworld(10, 10)` and `gridworld(20, 20)` are the paper's: 10 and 20 rows and columns of free cells.
    """
    height = whole_number("the height of a gridworld", height)
    width = whole_number("the width of a gridworld", width)
    if height == width == 1:
        raise InputError("a gridworld of 1 × 1 has its start on its goal; make it at least 1 × 2")
    rows, columns = map_sizes(height + 2, width + 2)
    grid = np.full((rows, columns), ord(WALL), np.uint8)
    grid[1:-1, 1:-1] = ord(FREE)
    return finished(grid, size_name("gridworld", height, width))


def rooms(count: int) -> World:
    """Square rooms of 5 × 5 cells in a square, with a doorway in the middle of every wall between two of them.

    The start is the top left cell of the first room, the goal the top left cell of the last. `rooms(4)` and `rooms(9)`
    are the paper's; the number of rooms is a square number from 4 on.
    """
    count = whole_number("the number of rooms", count)
    side = math.isqrt(count)
    if side**2 != count or side == 1:
        raise InputError(f"the number of rooms is a square from 4 on (4, 9, 16, …), not {count}")
    inside = side * (ROOM_SIDE + 1) - 1
    map_sizes(inside + 2, inside + 2)
    tile = np.zeros((ROOM_SIDE + 1, ROOM_SIDE + 1), dtype=bool)  # a room, and its walls to the south and east
    tile[:ROOM_SIDE, :ROOM_SIDE] = tile[ROOM_SIDE, ROOM_SIDE // 2] = tile[ROOM_SIDE // 2, ROOM_SIDE] = True
    is_free = np.tile(tile, (side, side))[:inside, :inside]
    grid = np.where(np.pad(is_free, 1), ord(FREE), ord(WALL)).astype(np.uint8)
    last = inside - ROOM_SIDE + 1  # row and column of the top left cell of the last room
    return finished(grid, f"rooms-{count}", goal=last * (inside + 2) + last)


def map_sizes(rows: int, columns: int, least: int = 3) -> tuple[int, int]:
    """The rows and columns of a map, border included, checked before anything is made."""
    rows = whole_number("the number of rows", rows, least=least)
    columns = whole_number("the number of columns", columns, least=least)
    if rows * columns > MAX_CELLS:
        raise InputError(
            f"{rows:,} × {columns:,} cells are more than the limit of {MAX_CELLS:,}; make the world smaller"
        )
    return rows, columns


def size_name(kind: str, rows: int, columns: int) -> str:
    """The name of a world of a kind and size."""
    return f"{kind}-{rows}" if rows == columns else f"{kind}-{rows}x{columns}"


def finished(grid: Bytes, name: str, start: int | None = None, goal: int | None = None) -> World:
    """The world of a grid of walls and at least two free cells, all connected, with a start and a goal added.

    Start and goal are given as indices in reading order. If they are not given, they are the free cells nearest to the
    top left and to the bottom right corner.
    """
    first, last = ends(grid)
    grid.flat[first if start is None else start] = ord(START)
    grid.flat[last if goal is None else goal] = ord(GOAL)
    return World.from_text(canonical_text(grid), name=name)


def ends(grid: Bytes) -> tuple[int, int]:
    """The free cells nearest to the top left and to the bottom right corner, as indices in reading order."""
    rows, columns = np.nonzero(grid == ord(FREE))
    places = rows * grid.shape[1] + columns
    return int(places[np.argmin(rows + columns)]), int(places[np.argmax(rows + columns)])
