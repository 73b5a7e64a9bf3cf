"""Maps by rule: the paper's open grids and rooms, in any size."""

import math
import operator

from hierq.errors import InputError
from hierq.worlds.map_text import FREE, GOAL, MOST_CELLS, START, WALL, shortened
from hierq.worlds.world import World


def gridworld(height: int, width: int) -> World:
    """An open grid inside a border wall; the start is its top left cell, the goal its bottom right cell.

    `gridworld(10, 10)` and `gridworld(20, 20)` are the paper's.

    Args:
        height: Rows of free cells, 1 or more.
        width: Columns of free cells, 1 or more.

    Raises:
        InputError: A size is no whole number above 0, the start would be the goal, or the grid is too large.
    """
    height = _whole_number("the height of a gridworld", height)
    width = _whole_number("the width of a gridworld", width)
    if height == width == 1:
        raise InputError("a gridworld of 1 × 1 has its start on its goal; make it at least 1 × 2")
    check_size(height + 2, width + 2)
    grid = [[FREE] * width for _ in range(height)]
    grid[0][0], grid[-1][-1] = START, GOAL
    name = f"gridworld-{height}" if height == width else f"gridworld-{height}x{width}"
    return World.from_text(_bordered(grid), name=name)


def rooms(count: int, size: int = 5, gap: int = 1) -> World:
    """Square rooms in a square, with a doorway in the middle of every wall between two of them.

    The start is the top left cell of the first room, the goal the top left cell of the last. `rooms(4, 5, 1)`
    and `rooms(9, 5, 1)` are the paper's. A doorway that cannot be centred lies half a cell up or left.

    Args:
        count: Number of rooms, a square number from 4 on.
        size: Rows and columns of free cells in each room.
        gap: Width of the doorways, at most `size`.

    Raises:
        InputError: An argument is no whole number in its range, or the grid is too large.
    """
    count = _whole_number("the number of rooms", count)
    size = _whole_number("the size of a room", size)
    gap = _whole_number("the gap of a doorway", gap)
    side = math.isqrt(count)
    if side**2 != count or side == 1:
        raise InputError(f"the number of rooms is a square from 4 on (4, 9, 16, …), not {count}")
    if gap > size:
        raise InputError(f"a doorway of {gap} does not fit a room of {size}; make the gap at most {size}")
    inside = side * (size + 1) - 1
    check_size(inside + 2, inside + 2)
    door = (size - gap) // 2
    in_wall = [place % (size + 1) == size for place in range(inside)]
    in_door = [door <= place % (size + 1) < door + gap for place in range(inside)]
    grid = [[_room_cell(in_wall, in_door, row, column) for column in range(inside)] for row in range(inside)]
    last = inside - size
    grid[0][0], grid[last][last] = START, GOAL
    name = f"rooms-{count}" if (size, gap) == (5, 1) else f"rooms-{count}-size-{size}-gap-{gap}"
    return World.from_text(_bordered(grid), name=name)


def _room_cell(in_wall: list[bool], in_door: list[bool], row: int, column: int) -> str:
    if in_wall[row]:
        return FREE if in_door[column] else WALL
    if in_wall[column]:
        return FREE if in_door[row] else WALL
    return FREE


def _bordered(grid: list[list[str]]) -> str:
    border = WALL * (len(grid[0]) + 2)
    return "\n".join([border, *(f"{WALL}{''.join(row)}{WALL}" for row in grid), border])


def _whole_number(what: str, given: int) -> int:
    try:
        number = operator.index(given)
    except TypeError:
        number = 0
    if number < 1:
        raise InputError(f"{what} is a whole number, 1 or more, not {shortened(given)}")
    return number


def check_size(rows: int, columns: int) -> None:
    """Refuses a map that would be too large, before it is made.

    Raises:
        InputError: It would have more than `MOST_CELLS` cells.
    """
    if rows * columns > MOST_CELLS:
        raise InputError(
            f"{rows:,} × {columns:,} cells are more than the limit of {MOST_CELLS:,}; make the world smaller"
        )
