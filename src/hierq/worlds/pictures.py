"""Pictures of maps: as arrays of bytes for Gymnasium, where colour tells what a cell is, and as SVG for notebooks."""

import html

import numpy as np
import numpy.typing as npt

from hierq.worlds.map_text import DOORS, FREE, GOAL, HOLE, START, TELEPORTS, WALL
from hierq.worlds.world import World

PICTURE_SIZE = 480
WALL_COLOUR = (84, 84, 88)
FREE_COLOUR = (236, 236, 236)
START_COLOUR = (86, 156, 214)
GOAL_COLOUR = (0, 158, 115)
HOLE_COLOUR = (18, 18, 24)
DOOR_COLOUR = (240, 200, 90)
TELEPORT_COLOUR = (204, 121, 167)
SIGN_COLOUR = (60, 40, 0)
AGENT_COLOUR = (213, 94, 0)

LETTER_COLOURS = {
    WALL: WALL_COLOUR,
    FREE: FREE_COLOUR,
    START: START_COLOUR,
    GOAL: GOAL_COLOUR,
    HOLE: HOLE_COLOUR,
    **dict.fromkeys(DOORS, DOOR_COLOUR),
    **dict.fromkeys(TELEPORTS, TELEPORT_COLOUR),
}

Picture = npt.NDArray[np.uint8]


def cell_colours(world: World) -> Picture:
    """Array [rows, columns, 3], the colour of every cell of a map."""
    colours = np.zeros((128, 3), dtype=np.uint8)
    for letter, colour in LETTER_COLOURS.items():
        colours[ord(letter)] = colour
    return colours[world.letters]


def map_picture(world: World) -> Picture:
    """Array [height, width, 3]: a map of square tiles."""
    tile = _tile_size(world)
    return cell_colours(world).repeat(tile, axis=0).repeat(tile, axis=1)


def draw_agent(picture: Picture, world: World, row: int, column: int) -> None:
    """Paints the agent into its tile: a square with a margin, where the tile is large enough for one."""
    tile = _tile_size(world)
    margin = tile // 4
    top, left, side = row * tile + margin, column * tile + margin, tile - 2 * margin
    picture[top : top + side, left : left + side] = AGENT_COLOUR


def _tile_size(world: World) -> int:
    """The side of a tile in pixels."""
    return max(1, PICTURE_SIZE // max(world.shape))


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
