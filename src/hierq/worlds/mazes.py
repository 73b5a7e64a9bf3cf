"""Mazes: perfect ones, and braided ones, whose dead ends are opened.

A maze is drawn on a `_Ground`: every second cell of the map is a chamber, and the cells between two chambers are walls
until they are opened. In a perfect maze exactly one path connects any two chambers.
"""

import numpy as np

from hierq.checks import number_between
from hierq.errors import InputError
from hierq.worlds.map_text import FREE, WALL, Grid
from hierq.worlds.random_maps import Draws, finished, map_sizes, size_name
from hierq.worlds.world import World

_OUTSIDE, _CLOSED, _WALL, _FREE = 0, 1, ord(WALL), ord(FREE)


def maze(rows: int, columns: int, *, seed: int, loops: float = 0.0) -> World:
    """A random maze inside a border wall; the start is at the top left, the goal at the bottom right.

    A walk opens walls at random and steps back where it is stuck (a backtracker), which makes long winding corridors
    with few dead ends.

    Args:
        rows: Rows of the map, border included: an odd number, 3 or more.
        columns: Columns of the map, likewise.
        seed: Seed of the random numbers, 0 or more.
        loops: Share of the dead ends that are opened into a neighbouring corridor, 0 to 1. At 0 the maze is perfect,
            at 1 it has no dead end (in a maze of one corridor there is nothing to open). The same seed with more
            loops gives the same maze with more openings.
    """
    rows, columns = _maze_sizes(rows, columns)
    loops = number_between("the share of dead ends that become loops", loops, 0, 1)
    draws, ground = Draws(seed), _Ground(rows, columns)
    _open_corridors(ground, draws)
    _open_dead_ends(ground, draws, loops)
    words = [size_name("maze", rows, columns), "backtracker", *([f"loops-{loops:g}"] if loops else []), f"seed-{seed}"]
    return finished(ground.map(), "-".join(words))


def _maze_sizes(rows: int, columns: int) -> tuple[int, int]:
    rows, columns = map_sizes(rows, columns)
    for what, number in (("rows", rows), ("columns", columns)):
        if number % 2 == 0:
            raise InputError(
                f"the {what} of a maze must be odd, because its passages lie between walls; "
                f"use {number - 1} or {number + 1}, not {number}"
            )
    if rows == columns == 3:
        raise InputError("a maze of 3 × 3 has its start on its goal; make it at least 3 × 5")
    return rows, columns


class _Ground:
    """A map to carve corridors in: a flat array with a ring around it, so that steps of two need no bounds check."""

    def __init__(self, rows: int, columns: int) -> None:
        ground = np.full((rows + 2, columns + 2), _OUTSIDE, np.uint8)
        ground[1:-1, 1:-1] = _WALL
        ground[2:-2:2, 2:-2:2] = _CLOSED
        self._shape = ground.shape
        # What is at each place: outside, wall, free, or a closed chamber.
        self.grid = bytearray(ground.tobytes())
        self.steps = (-ground.shape[1], ground.shape[1], -1, 1)  # to the places north, south, west and east
        self.chambers: list[int] = np.flatnonzero(ground == _CLOSED).tolist()  # in reading order

    def map(self) -> Grid:
        """The map without the ring, as a grid of characters."""
        ground = np.frombuffer(bytes(self.grid), np.uint8).reshape(self._shape)
        return ground[1:-1, 1:-1].copy()


def _open_corridors(ground: _Ground, draws: Draws) -> None:
    """Goes from the end of the trail into a closed chamber beside it, or one chamber back where there is none."""
    grid, steps = ground.grid, ground.steps
    trail = [ground.chambers[draws.below(len(ground.chambers))]]
    grid[trail[0]] = _FREE
    while trail:
        chamber = trail[-1]
        onward = [step for step in steps if grid[chamber + 2 * step] == _CLOSED]
        if not onward:
            trail.pop()
            continue
        step = onward[draws.below(len(onward))]
        grid[chamber + step] = grid[chamber + 2 * step] = _FREE
        trail.append(chamber + 2 * step)


def _open_dead_ends(ground: _Ground, draws: Draws, loops: float) -> None:
    """Opens dead ends in random order until this share of them is gone; an opening may remove two at once."""
    grid = ground.grid
    dead_ends = [chamber for chamber in ground.chambers if _is_dead_end(ground, chamber)]
    draws.shuffle(dead_ends)
    to_open = int(loops * len(dead_ends) + 0.5)
    for chamber in dead_ends:
        # Only walls with a chamber behind them: the border stays closed.
        walls = [step for step in ground.steps if grid[chamber + step] == _WALL and grid[chamber + 2 * step] == _FREE]
        if to_open > 0 and walls and _is_dead_end(ground, chamber):
            step = walls[draws.below(len(walls))]
            to_open -= 1 + _is_dead_end(ground, chamber + 2 * step)
            grid[chamber + step] = _FREE


def _is_dead_end(ground: _Ground, chamber: int) -> bool:
    return sum(ground.grid[chamber + step] == _FREE for step in ground.steps) == 1
