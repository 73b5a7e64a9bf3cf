"""Pictures of maps as arrays of bytes: square tiles, and signs for what colour alone does not show."""

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
OUTLINE_COLOUR = (255, 255, 255)
SEAM_COLOUR = (214, 214, 214)

LETTER_COLOURS = {
    WALL: WALL_COLOUR,
    FREE: FREE_COLOUR,
    START: START_COLOUR,
    GOAL: GOAL_COLOUR,
    HOLE: HOLE_COLOUR,
    **dict.fromkeys(DOORS, DOOR_COLOUR),
    **dict.fromkeys(TELEPORTS, TELEPORT_COLOUR),
}
# Digits of 3 × 5 dots, row by row, for 1 to 9.
DIGITS = ("26227", "71747", "71717", "55711", "74717", "74757", "71122", "75757", "75717")

Picture = npt.NDArray[np.uint8]
Shares = npt.NDArray[np.float64]


def cell_colours(world: World) -> Picture:
    """Array [rows, columns, 3], the colour of every cell of a map."""
    colours = np.zeros((128, 3), dtype=np.uint8)
    for letter, colour in LETTER_COLOURS.items():
        colours[ord(letter)] = colour
    return colours[world.letters]


def map_picture(world: World) -> Picture:
    """Array [height, width, 3]: the tiles of a map with thin seams between free cells, and signs.

    A hole is a black disc, a door a bar with an arrow in its direction, a teleport a disc with its digit.
    """
    tile = tile_size(world)
    picture = cell_colours(world).repeat(tile, axis=0).repeat(tile, axis=1)
    if tile >= 8:
        for row, column in np.argwhere(np.isin(world.letters, [ord(sign) for sign in HOLE + DOORS + TELEPORTS])):
            _draw_sign(_tile_of(picture, int(row), int(column), tile), chr(world.letters[row, column]))
        _draw_seams(picture, world, tile)
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


def draw_agent(picture: Picture, world: World, row: int, column: int) -> None:
    """Paints the agent into its tile, as an outlined disc."""
    tile = _tile_of(picture, row, column, tile_size(world))
    for radius, colour in ((0.43, OUTLINE_COLOUR), (0.35, AGENT_COLOUR)):
        _paint(tile, _disc(len(tile), radius), colour)


def tile_size(world: World) -> int:
    """The side of a tile in pixels."""
    return max(1, PICTURE_SIZE // max(world.shape))


def _tile_of(picture: Picture, row: int, column: int, tile: int) -> Picture:
    return picture[row * tile : (row + 1) * tile, column * tile : (column + 1) * tile]


def _draw_seams(picture: Picture, world: World, tile: int) -> None:
    """Thin lines at the top and left of free cells only, so that walls stay one mass."""
    is_free = (world.cell_at < world.states).repeat(tile, axis=0).repeat(tile, axis=1)
    picture[::tile][is_free[::tile]] = SEAM_COLOUR
    picture[:, ::tile][is_free[:, ::tile]] = SEAM_COLOUR


def _draw_sign(tile: Picture, letter: str) -> None:
    side = len(tile)
    if letter in DOORS:
        turns = (1, 3, 2, 0)[DOORS.index(letter)]  # of a sign that points east, counter-clockwise
        _paint(tile, np.rot90(_arrow(side), turns), SIGN_COLOUR)
        return
    tile[:] = FREE_COLOUR
    _paint(tile, _disc(side, 0.42), HOLE_COLOUR if letter == HOLE else TELEPORT_COLOUR)
    if letter in TELEPORTS and side >= 12:
        _draw_digit(tile, DIGITS[TELEPORTS.index(letter)])


def _draw_digit(tile: Picture, dots: str) -> None:
    size = len(tile) // 10
    shape = np.array([[int(row) >> bit & 1 for bit in (2, 1, 0)] for row in dots], dtype=bool)
    high, wide = 5 * size, 3 * size
    top, left = (len(tile) - high) // 2, (len(tile) - wide) // 2
    tile[top : top + high, left : left + wide][shape.repeat(size, axis=0).repeat(size, axis=1)] = SIGN_COLOUR


def _paint(tile: Picture, share: Shares, colour: tuple[int, int, int]) -> None:
    """Blends a colour into a tile; the share of each pixel that a shape covers smooths its edge."""
    parts = share[:, :, np.newaxis]
    tile[:] = np.rint(parts * np.array(colour) + (1 - parts) * tile).astype(np.uint8)


def _offsets(side: int) -> Shares:
    return np.arange(side, dtype=np.float64) - (side - 1) / 2


def _disc(side: int, radius: float) -> Shares:
    offsets = _offsets(side)
    distance = np.hypot(offsets[:, np.newaxis], offsets)
    return np.clip(radius * side - distance + 0.5, 0, 1)


def _arrow(side: int) -> Shares:
    """A bar with an arrow head to its right, in shares of a tile: the sign of a door to the east."""
    down, right = _offsets(side)[:, np.newaxis], _offsets(side)[np.newaxis, :]
    head = np.minimum(right + 0.18 * side, (0.36 * side - right - 1.5 * np.abs(down)) / np.hypot(1, 1.5))
    bar = np.minimum(0.36 * side - np.abs(down), 0.05 * side - np.abs(right + 0.31 * side))
    covered: Shares = np.clip(np.maximum(head, bar) + 0.5, 0, 1)
    return covered
