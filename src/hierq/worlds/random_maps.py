"""Random maps: mazes, caves, and rooms of random sizes.

A random map depends on its arguments and its seed alone. All chance comes from the raw 64-bit words of PCG64, a stream
that NumPy promises never to change, and is used as whole numbers: every platform and version makes the same map.
"""

from itertools import chain, count
from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.checks import MAX_SEED, number_between, whole_number
from hierq.errors import InputError
from hierq.worlds.generators import finished, map_sizes, size_name
from hierq.worlds.layout import Bytes, moves_between
from hierq.worlds.map_text import FREE, WALL
from hierq.worlds.world import World

_OUTSIDE, _CLOSED, _WALL, _FREE = 0, 1, ord(WALL), ord(FREE)  # the places of an unfinished maze
WORDS_AT_ONCE = 4096  # random ones
LEAST_CAVE = 8  # rows and columns; smaller caves close up too often
WALLS = 0.43  # the chance that a cell of a cave begins as a wall
ROUNDS = 4  # of smoothing a cave
SHORTEST, LONGEST = 3, 9  # sides of a room
_IN_WALL = -1


class Draws:
    """Random whole numbers, the same for a seed everywhere; a seed is a whole number, 0 or more."""

    def __init__(self, seed: int) -> None:
        self._source = np.random.PCG64(whole_number("the seed", seed, MAX_SEED, least=0))
        self._words = chain.from_iterable(self._source.random_raw(WORDS_AT_ONCE).tolist() for _ in count())

    def below(self, most: int) -> int:
        """A number from 0 … most − 1; the bias of the remainder, most / 2⁶⁴, is negligible."""
        return int(next(self._words)) % most

    def shuffle(self, things: list[Any]) -> None:
        """Puts a list in random order (Fisher and Yates)."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]

    def happens(self, chance: float, shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
        """An array of independent events that happen with this chance, in steps of 2⁻⁵³."""
        words: npt.NDArray[np.uint64] = self._source.random_raw(shape[0] * shape[1])
        return (words.reshape(shape) >> np.uint64(11)) < np.uint64(int(chance * 2**53))


def maze(rows: int, columns: int, *, seed: int, loops: float = 0.0) -> World:
    """A random maze inside a border wall; the start is at the top left, the goal at the bottom right.

    Every second cell of the map is a chamber. A walk opens walls between chambers at random and steps back where it is
    stuck (a backtracker), which makes long winding corridors with few dead ends.

    Args:
        rows: Rows of the map, border included: an odd number, 3 or more.
        columns: Columns of the map, likewise.
        seed: Seed of the random numbers, 0 or more.
        loops: Share of the dead ends that are opened into a neighbouring corridor, 0 to 1. At 0 the maze is perfect:
            exactly one path connects any two chambers. At 1 it has no dead end (in a maze of one corridor there is
            nothing to open). The same seed with more loops gives the same maze with more openings.
    """
    rows, columns = map_sizes(rows, columns)
    for what, number in (("rows", rows), ("columns", columns)):
        if number % 2 == 0:
            raise InputError(
                f"the {what} of a maze must be odd, because its passages lie between walls; "
                f"use {number - 1} or {number + 1}, not {number}"
            )
    if rows == columns == 3:
        raise InputError("a maze of 3 × 3 has its start on its goal; make it at least 3 × 5")
    loops = number_between("the share of dead ends that become loops", loops, 0, 1)
    draws = Draws(seed)
    # A ring of places lies around the map, so that a step to the next chamber needs no check of bounds.
    ground = np.full((rows + 2, columns + 2), _OUTSIDE, np.uint8)
    ground[1:-1, 1:-1] = _WALL
    ground[2:-2:2, 2:-2:2] = _CLOSED
    chambers: list[int] = np.flatnonzero(ground == _CLOSED).tolist()
    places, steps = bytearray(ground.tobytes()), (-columns - 2, columns + 2, -1, 1)
    _open_corridors(places, steps, chambers, draws)
    _open_dead_ends(places, steps, chambers, draws, loops)
    grid = np.frombuffer(bytes(places), np.uint8).reshape(ground.shape)[1:-1, 1:-1].copy()
    return finished(grid, f"{size_name('maze', rows, columns)}-backtracker{_loops_name(loops)}-seed-{seed}")


def _loops_name(loops: float) -> str:
    return f"-loops-{loops:g}" if loops else ""


def _open_corridors(places: bytearray, steps: tuple[int, ...], chambers: list[int], draws: Draws) -> None:
    """Goes from the end of the trail into a closed chamber beside it, or one chamber back if all are open."""
    trail = [chambers[draws.below(len(chambers))]]
    places[trail[0]] = _FREE
    while trail:
        chamber = trail[-1]
        onward = [step for step in steps if places[chamber + 2 * step] == _CLOSED]
        if not onward:
            trail.pop()
            continue
        step = onward[draws.below(len(onward))]
        places[chamber + step] = places[chamber + 2 * step] = _FREE
        trail.append(chamber + 2 * step)


def _open_dead_ends(places: bytearray, steps: tuple[int, ...], chambers: list[int], draws: Draws, loops: float) -> None:
    """Opens dead ends in random order until this share of them is gone; an opening may remove two at once."""

    def is_dead_end(chamber: int) -> bool:
        return sum(places[chamber + step] == _FREE for step in steps) == 1

    dead_ends = [chamber for chamber in chambers if is_dead_end(chamber)]
    draws.shuffle(dead_ends)
    to_open = int(loops * len(dead_ends) + 0.5)
    for chamber in dead_ends:
        # Only walls with a chamber behind them: the border stays closed.
        walls = [step for step in steps if places[chamber + step] == _WALL and places[chamber + 2 * step] == _FREE]
        if to_open > 0 and walls and is_dead_end(chamber):
            step = walls[draws.below(len(walls))]
            to_open -= 1 + is_dead_end(chamber + 2 * step)
            places[chamber + step] = _FREE


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
    from scipy.sparse.csgraph import breadth_first_order

    rows, columns = map_sizes(rows, columns, LEAST_CAVE)
    draws = Draws(seed)
    is_free = np.zeros((rows - 2, columns - 2), np.bool_)
    while 10 * np.count_nonzero(is_free) < min(rows, columns) ** 2:
        is_free = largest_part(smoothed(~draws.happens(WALLS, is_free.shape)))
    grid = np.where(np.pad(is_free, 1), _FREE, _WALL).astype(np.uint8)
    name = f"{size_name('cave', rows, columns)}-seed-{seed}"
    near_corners = finished(grid.copy(), name)
    paths = moves_between(near_corners, through_goal=True)
    start = breadth_first_order(paths, near_corners.start, return_predecessors=False)[-1]
    goal = breadth_first_order(paths, start, return_predecessors=False)[-1]
    places = np.flatnonzero(grid == _FREE)
    return finished(grid, name, places[start], places[goal])


def smoothed(is_free: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Every cell takes the majority of its 3 × 3 neighbourhood, several times."""
    from scipy.ndimage import median_filter

    for _ in range(ROUNDS):
        is_free = median_filter(is_free, size=3, mode="constant")
    return is_free


def largest_part(is_free: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The largest part whose cells are connected by moves; the first in reading order of several."""
    from scipy.ndimage import label

    part_of_cell, _ = label(is_free)
    sizes = np.bincount(part_of_cell[is_free], minlength=1)
    kept: npt.NDArray[np.bool_] = is_free & (part_of_cell == np.argmax(sizes))
    return kept


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
    rows, columns = map_sizes(rows, columns, SHORTEST + 2)
    loops = number_between("the share of further doors (loops)", loops, 0, 1)
    draws = Draws(seed)
    room_at = _cut(rows, columns, draws)
    grid = np.where(room_at == _IN_WALL, _WALL, _FREE).astype(np.uint8)
    _open_doors(grid, room_at, draws, loops)
    return finished(grid, f"{size_name('rooms', rows, columns)}{_loops_name(loops)}-seed-{seed}")


def _cut(rows: int, columns: int, draws: Draws) -> npt.NDArray[np.int32]:
    """Array [rows, columns], the number of the room each cell lies in; −1 in walls."""
    room_at = np.full((rows, columns), _IN_WALL, np.int32)
    parts, rooms = [(1, 1, rows - 2, columns - 2)], 0
    while parts:
        top, left, high, wide = parts.pop()
        if max(high, wide) <= LONGEST:
            room_at[top : top + high, left : left + wide] = rooms
            rooms += 1
            continue
        # The wall lies `before` cells into the part, with three or more cells on both sides of it.
        before = SHORTEST + draws.below(max(high, wide) - 2 * SHORTEST)
        if high > wide or (high == wide and draws.below(2)):
            parts += [(top, left, before, wide), (top + before + 1, left, high - before - 1, wide)]
        else:
            parts += [(top, left, high, before), (top, left + before + 1, high, wide - before - 1)]
    return room_at


def _open_doors(grid: Bytes, room_at: npt.NDArray[np.int32], draws: Draws, loops: float) -> None:
    """Opens just enough walls, in random order, to join all rooms, and this share of the others."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    walls = _walls_between(room_at)
    draws.shuffle(walls)
    # Rooms are joined by the walls that come first: a spanning tree of the least ranks, which count from 1.
    pairs = np.array([rooms for rooms, _ in walls], dtype=np.int64).reshape(-1, 2).T
    rooms = int(room_at.max()) + 1
    tree = minimum_spanning_tree(csr_array((np.arange(1.0, len(walls) + 1), tuple(pairs)), shape=(rooms, rooms)))
    needed = sorted(tree.data.astype(int) - 1)
    further = sorted(set(range(len(walls))) - set(needed))
    for rank in needed + further[: int(loops * len(further) + 0.5)]:
        places = walls[rank][1]
        grid.flat[places[draws.below(len(places))]] = _FREE


def _walls_between(room_at: npt.NDArray[np.int32]) -> list[tuple[tuple[int, int], list[int]]]:
    """Any two rooms that share a wall, and the places for a door in it, in reading order.

    They suffice to join all rooms: as no room is narrower than two cells, every cut has a place that no other
    wall meets from either side.
    """
    room, columns = room_at.ravel().tolist(), room_at.shape[1]
    is_wall = room_at == _IN_WALL
    is_wall[[0, -1]] = is_wall[:, [0, -1]] = False  # the border has no doors
    places: dict[tuple[int, int], list[int]] = {}
    for place in np.flatnonzero(is_wall).tolist():
        for step in (columns, 1):
            one, other = room[place - step], room[place + step]
            if _IN_WALL not in (one, other) and one != other:
                places.setdefault((one, other), []).append(place)
    return sorted(places.items())
