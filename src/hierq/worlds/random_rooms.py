"""Rooms of random sizes: a map cut by walls again and again, with doors in some of them."""

import numpy as np
import numpy.typing as npt

from hierq.checks import number_between
from hierq.worlds.map_text import FREE, WALL, Grid
from hierq.worlds.random_maps import Draws, finished, map_sizes, size_name
from hierq.worlds.world import World

_IN_WALL = -1
_SHORTEST, _LONGEST = 3, 9  # sides of a room


def random_rooms(rows: int, columns: int, *, seed: int, loops: float = 0.0) -> World:
    """Rectangular rooms of random sizes inside a border wall, with walls one cell thick and doors in them.

    A wall cuts the map in two, across its longer side, at a random place; the parts are cut in the same way, until no
    side is longer than 9 cells; none is shorter than 3. Doors, one cell wide, lie at random places of the walls
    between two rooms. The start is at the top left, the goal at the bottom right.

    Args:
        rows: Rows of the map, border included, 5 or more.
        columns: Columns of the map, likewise.
        seed: Seed of the random numbers, 0 or more.
        loops: Share of the doors beyond those that are needed, 0 to 1. At 0 exactly one path leads from room to
            room; at 1 there is a door between any two rooms that share a wall. The same seed with more loops
            gives the same rooms with more doors.
    """
    rows, columns = map_sizes(rows, columns, _SHORTEST + 2)
    loops = number_between("the share of further doors (loops)", loops, 0, 1)
    draws = Draws(seed)
    room_at = _cut(rows, columns, draws)
    grid = np.where(room_at == _IN_WALL, ord(WALL), ord(FREE)).astype(np.uint8)
    _open_doors(grid, room_at, draws, loops)
    words = [size_name("rooms", rows, columns), *([f"loops-{loops:g}"] if loops else []), f"seed-{seed}"]
    return finished(grid, "-".join(words))


def _cut(rows: int, columns: int, draws: Draws) -> npt.NDArray[np.int32]:
    """Array [rows, columns], the number of the room each cell lies in; −1 in walls."""
    room_at = np.full((rows, columns), _IN_WALL, np.int32)
    parts, rooms = [(1, 1, rows - 2, columns - 2)], 0
    while parts:
        top, left, high, wide = parts.pop()
        if max(high, wide) <= _LONGEST:
            room_at[top : top + high, left : left + wide] = rooms
            rooms += 1
            continue
        # The wall lies `before` cells into the part, with three or more cells on both sides of it.
        before = _SHORTEST + draws.below(max(high, wide) - 2 * _SHORTEST)
        if high > wide or (high == wide and draws.below(2)):
            parts += [(top, left, before, wide), (top + before + 1, left, high - before - 1, wide)]
        else:
            parts += [(top, left, high, before), (top, left + before + 1, high, wide - before - 1)]
    return room_at


def _open_doors(grid: Grid, room_at: npt.NDArray[np.int32], draws: Draws, loops: float) -> None:
    """Opens just enough walls, in random order, to join all rooms, and this share of the others."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    walls = _walls_between(room_at)
    order = list(range(len(walls)))
    draws.shuffle(order)
    # Rooms are joined by the walls that come first: a spanning tree of the least ranks, which count from 1.
    ends = np.array([walls[index][:2] for index in order]).reshape(-1, 2).T
    rooms = int(room_at.max()) + 1
    tree = minimum_spanning_tree(csr_array((np.arange(1.0, len(order) + 1), tuple(ends)), shape=(rooms, rooms)))
    needed = sorted(tree.data.astype(int) - 1)
    further = sorted(set(range(len(order))) - set(needed))
    for rank in needed + further[: int(loops * len(further) + 0.5)]:
        places = walls[order[rank]][2]
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
