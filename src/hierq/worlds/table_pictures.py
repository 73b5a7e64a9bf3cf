"""The map of a table whose states lie in cells, as those of FrozenLake, CliffWalking and Taxi do."""

import numpy as np

from hierq.errors import InputError
from hierq.worlds.layout import GOES_ON, Integers, moves_between, reached_from
from hierq.worlds.map_text import FREE, GOAL, HOLE, START, WALL, canonical_text
from hierq.worlds.world import World


def drawn_map(world: World) -> World | None:
    """A map that looks like the world: itself, the cells of a table with a picture, or None.

    A cell that no episode enters is a wall. With several states in a cell, as in Taxi, cells stand apart, and there is
    a passage between two of them where an action leads from one to the other.
    """
    if world.is_grid:
        return world
    rows, columns = world.picture
    if rows == 0:
        return None
    cell = cell_of_states(world)
    moves = moves_between(world.outcomes, world.chances, world.ending == GOES_ON)
    letters = np.full(rows * columns, ord(WALL), dtype=np.uint8)
    visited = np.flatnonzero(reached_from(moves, world.starts))
    for states, letter in ((visited, FREE), (world.starts, START), (world.holes, HOLE), (world.goals, GOAL)):
        letters[cell[states]] = ord(letter)
    grid = letters.reshape(rows, columns)
    if world.states > len(letters):
        grid = np.full((2 * rows + 1, 2 * columns + 1), ord(WALL), dtype=np.uint8)
        grid[1::2, 1::2] = letters.reshape(rows, columns)
        one, other = (cell[ends] for ends in moves.nonzero())
        (row, column), (to_row, to_column) = np.divmod(one, columns), np.divmod(other, columns)
        beside = np.abs(row - to_row) + np.abs(column - to_column) == 1
        grid[(row + to_row + 1)[beside], (column + to_column + 1)[beside]] = ord(FREE)
    try:
        return World.from_text(canonical_text(grid), name=world.name)
    except InputError:  # the table has ways that a map cannot show
        return None


def cell_of_states(world: World) -> Integers:
    """Array [states], the cell of the picture in which each state of a table lies, in reading order."""
    return np.arange(world.states) // (world.states // (world.picture[0] * world.picture[1]))


def action_directions(world: World) -> Integers:
    """Array [actions, 2], the step (down, right) that each action of a table with a picture makes on average."""
    places = np.stack(np.divmod(cell_of_states(world), world.picture[1]), axis=1)
    went = (world.chances[..., np.newaxis] * (places[world.outcomes] - places[:, np.newaxis, np.newaxis])).sum(axis=2)
    is_step = np.abs(went).sum(axis=2) <= 1  # and not a fall back to the start
    mean = (went * is_step[..., np.newaxis]).mean(axis=0)
    directions: Integers = np.sign(np.rint(mean / max(np.abs(mean).max(), 1e-9))).astype(np.int64)
    return directions
