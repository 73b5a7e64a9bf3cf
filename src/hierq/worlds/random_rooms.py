"""Rooms of random sizes: a map cut by walls again and again, with doors in some of them."""

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.map_text import FREE, WALL, Grid
from hierq.worlds.random_maps import (
    Draws,
    Ends,
    check_ends,
    finished,
    map_sizes,
    share,
    size_name,
    whole_number,
)
from hierq.worlds.world import World

_IN_WALL = -1


def random_rooms(
    rows: int,
    columns: int,
    *,
    seed: int,
    smallest: int = 3,
    largest: int = 9,
    loops: float = 0.0,
    ends: Ends = "corners",
) -> World:
    """Rectangular rooms of random sizes inside a border wall, with walls one cell thick and doors in them.

    A wall cuts the map in two, across its longer side, at a random place; the parts are cut in the same way, until no
    side is longer than `largest`. Doors, one cell wide, lie at random places of the walls between two rooms.

    Args:
        rows: Rows of the map, border included, `smallest` + 2 or more.
        columns: Columns of the map, likewise.
        seed: Seed of the random numbers, 0 or more.
        smallest: Free cells of the shortest side a room may have, 2 or more.
        largest: Free cells of the longest, at least twice `smallest`.
        loops: Share of the doors beyond those that are needed, 0 to 1. At 0 exactly one path leads from room to
            room; at 1 there is a door between any two rooms that share a wall. The same seed with more loops
            gives the same rooms with more doors.
        ends: "corners", start at the top left and goal at the bottom right; or "farthest", a cell farthest from
            the top left, and one farthest from it.
    """
    smallest = whole_number("the shortest side of a room (smallest)", smallest, least=2)
    largest = whole_number("the longest side of a room (largest)", largest, least=2)
    if largest < 2 * smallest:
        raise InputError(
            f"the longest side of a room is at least twice the shortest, so that every part can be cut; "
            f"with smallest = {smallest} make largest {2 * smallest} or more, not {largest}"
        )
    rows, columns = map_sizes(f"rooms of {smallest} or more", rows, columns, smallest + 2)
    loops = share("the share of further doors (loops)", loops)
    check_ends(ends)
    draws = Draws(seed)
    room_at = _cut(rows, columns, smallest, largest, draws)
    grid = np.where(room_at == _IN_WALL, ord(WALL), ord(FREE)).astype(np.uint8)
    _open_doors(grid, room_at, draws, loops)
    words = [size_name("rooms", rows, columns), *([f"loops-{loops:g}"] if loops else []), f"seed-{seed}"]
    return finished(grid, ends, "-".join(words))


def _cut(rows: int, columns: int, smallest: int, largest: int, draws: Draws) -> npt.NDArray[np.int32]:
    """Array [rows, columns], the number of the room each cell lies in; −1 in walls."""
    room_at = np.full((rows, columns), _IN_WALL, np.int32)
    parts, rooms = [(1, 1, rows - 2, columns - 2)], 0
    while parts:
        top, left, high, wide = parts.pop()
        if max(high, wide) <= largest:
            room_at[top : top + high, left : left + wide] = rooms
            rooms += 1
            continue
        # The wall lies `before` cells into the part, with `smallest` or more cells on both sides of it.
        before = smallest + draws.below(max(high, wide) - 2 * smallest)
        if high > wide or (high == wide and draws.below(2)):
            parts += [(top, left, before, wide), (top + before + 1, left, high - before - 1, wide)]
        else:
            parts += [(top, left, high, before), (top, left + before + 1, high, wide - before - 1)]
    return room_at


def _open_doors(grid: Grid, room_at: npt.NDArray[np.int32], draws: Draws, loops: float) -> None:
    """Opens just enough walls, in random order, to join all rooms, and this share of the others."""
    walls = _walls_between(room_at)
    order = list(range(len(walls)))
    draws.shuffle(order)
    joined_to = list(range(int(room_at.max()) + 1))
    needed: list[int] = []
    further: list[int] = []
    for index in order:
        one, other, _ = walls[index]
        one, other = _first_of(joined_to, one), _first_of(joined_to, other)
        (further if one == other else needed).append(index)
        joined_to[one] = other
    for index in needed + further[: int(loops * len(further) + 0.5)]:
        places = walls[index][2]
        grid.flat[places[draws.below(len(places))]] = ord(FREE)


def _walls_between(room_at: npt.NDArray[np.int32]) -> list[tuple[int, int, npt.NDArray[np.int64]]]:
    """Any two rooms that share a wall, and the places for a door in it, in reading order.

    They suffice to join all rooms: as no room is narrower than two cells, every cut has a place that no other
    wall meets from either side.
    """
    places, pairs = [], []
    rooms, columns = int(room_at.max()) + 1, room_at.shape[1]
    for one, other, offset in ((room_at[:-2], room_at[2:], columns), (room_at[:, :-2], room_at[:, 2:], 1)):
        row, column = np.nonzero((one >= 0) & (other >= 0) & (one != other))
        places.append(row * columns + column + offset)
        pairs.append(one[row, column].astype(np.int64) * rooms + other[row, column])
    place, pair = np.concatenate(places), np.concatenate(pairs)
    order = np.argsort(pair, kind="stable")
    keys, begins = np.unique(pair[order], return_index=True)
    groups = np.split(place[order], begins[1:])
    # A single room has no inner walls, but np.split gives one empty part even then.
    return [(int(key) // rooms, int(key) % rooms, group) for key, group in zip(keys, groups, strict=False)]


def _first_of(joined_to: list[int], part: int) -> int:
    """The representative of all parts that are joined with a part: the one that is joined to itself.

    Shortens the chain of links on the way, for later calls (union-find with path halving).
    """
    while joined_to[part] != part:
        joined_to[part] = joined_to[joined_to[part]]
        part = joined_to[part]
    return part
