"""Pictures of maps: as arrays of bytes, where the colour of a tile says what the cell is, and as SVG for notebooks.

Tables whose states lie in cells, such as those of FrozenLake, CliffWalking and Taxi, are drawn as maps, too.
"""

import html

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import Integers, moves_between, reached_from
from hierq.worlds.map_text import DOORS, FREE, GOAL, HOLE, START, TELEPORTS, WALL, canonical_text
from hierq.worlds.world import World

PICTURE_SIZE = 480
FREE_COLOUR = (236, 236, 236)
HOLE_COLOUR = (18, 18, 24)
TELEPORT_COLOUR = (204, 121, 167)
SIGN_COLOUR = (60, 40, 0)
AGENT_COLOUR = (213, 94, 0)
LETTER_COLOURS = {
    WALL: (84, 84, 88),
    FREE: FREE_COLOUR,
    START: (86, 156, 214),
    GOAL: (0, 158, 115),
    HOLE: HOLE_COLOUR,
    **dict.fromkeys(DOORS, (240, 200, 90)),
    **dict.fromkeys(TELEPORTS, TELEPORT_COLOUR),
}

Picture = npt.NDArray[np.uint8]


def cell_colours(world: World) -> Picture:
    """Array [rows, columns, 3], the colour of every cell of a map."""
    colours = np.zeros((128, 3), dtype=np.uint8)
    for letter, colour in LETTER_COLOURS.items():
        colours[ord(letter)] = colour
    return colours[world.letters]


def map_picture(world: World, agent: tuple[int, int] | None = None) -> Picture:
    """Array [height, width, 3]: a map of square tiles; an agent at (row, column) is a square in its tile."""
    tile = max(1, PICTURE_SIZE // max(world.shape))
    picture = cell_colours(world).repeat(tile, axis=0).repeat(tile, axis=1)
    if agent is not None:
        margin = tile // 4
        top, left = (place * tile + margin for place in agent)
        side = tile - 2 * margin
        picture[top : top + side, left : left + side] = AGENT_COLOUR
    return picture


def map_svg(world: World) -> str:
    """The map as the text of an SVG picture, for notebooks."""
    rows, columns = world.shape
    side = max(2, min(24, PICTURE_SIZE // max(world.shape)))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side * columns}" height="{side * rows}" '
        f'viewBox="0 0 {columns} {rows}" font-size="0.7" font-family="sans-serif" text-anchor="middle">',
        f'<rect width="{columns}" height="{rows}" fill="rgb{FREE_COLOUR}"/>',
    ]
    for row, column in np.argwhere(world.letters != ord(FREE)):
        letter = chr(world.letters[row, column])
        parts.append(f'<rect x="{column}" y="{row}" width="1.02" height="1.02" fill="rgb{LETTER_COLOURS[letter]}"/>')
        if letter not in WALL + HOLE:
            parts.append(f'<text x="{column + 0.5}" y="{row + 0.75}">{html.escape(letter)}</text>')
    return "".join([*parts, "</svg>"])


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
    moves = moves_between(world)
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
