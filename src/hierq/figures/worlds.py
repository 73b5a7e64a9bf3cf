"""Worlds side by side: walls grey, free cells light grey, starts S blue, goals G green.

Holes are black discs, one-way doors yellow with an arrow, teleports pink with their digit.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.figures.style import INK, new_figure, styled
from hierq.worlds import World
from hierq.worlds.map_text import DOORS, GOAL, HOLE, START, TELEPORTS
from hierq.worlds.pictures import (
    FREE_COLOUR,
    HOLE_COLOUR,
    SIGN_COLOUR,
    TELEPORT_COLOUR,
    action_directions,
    cell_colours,
    drawn_map,
)
from hierq.worlds.world import ACTION_MOVES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# An arrow head and a bar behind it, as places (right, down) from the middle of a tile.
DOOR_SIGN = (
    ((0.36, 0.0), (-0.18, 0.36), (-0.18, -0.36)),
    ((-0.36, 0.36), (-0.26, 0.36), (-0.26, -0.36), (-0.36, -0.36)),
)
MAX_SEAMS = 100  # cells in a row, beyond which seams are too fine to be seen


@styled
def worlds_figure(worlds: Sequence[World], side: float = 2.0) -> "Figure":
    """A row of worlds, each under its name.

    Args:
        worlds: the worlds, left to right.
        side: width of each in inches.
    """
    if not worlds:
        raise InputError("there is no world to draw; name at least one")
    worlds = [check_map(world) for world in worlds]
    tallest = max(world.shape[0] / world.shape[1] for world in worlds)
    figure, axes = new_figure(side * len(worlds), side * min(tallest, 4) + 0.35, columns=len(worlds))
    for world, panel in zip(worlds, axes, strict=True):
        draw_tiles(panel, world)
        panel.set_title(world.name, fontsize=min(11.0, 7.2 * side))  # narrow panels have room for small letters only
    return figure


@styled
def draw_tiles(axes: "Axes", world: World) -> None:
    """Draws the cells of a world as square tiles; cell (row, column) is centred at x = column, y = row."""
    world = check_map(world)
    rows, columns = world.shape
    axes.imshow(cell_colours(world) / 255, interpolation="nearest")
    if max(world.shape) <= MAX_SEAMS:
        for row, column in np.argwhere(np.isin(world.letters, [ord(sign) for sign in HOLE + DOORS + TELEPORTS])):
            _draw_sign(axes, int(row), int(column), chr(world.letters[row, column]))
        for row, column in np.argwhere(np.isin(world.letters, [ord(sign) for sign in START + GOAL])):
            # In a corner, because figures draw moves in the middle.
            draw_letter(axes, column + 0.29, row + 0.27, chr(world.letters[row, column]), 0.34)
        _draw_seams(axes, world)
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), xticks=[], yticks=[], aspect="equal")
    for spine in axes.spines.values():
        spine.set_visible(False)


def check_map(world: World) -> World:
    """The map that is drawn for a world, which is its own; refuses a table without one."""
    drawn = drawn_map(world)
    if drawn is None:
        raise InputError(f"{world.name} is a table without a map, so it cannot be drawn")
    return drawn


class StateMap(NamedTuple):
    """A map on which every state of a world has a place of its own."""

    drawn: World
    positions: npt.NDArray[np.int64]  # [cells, 2], row and column of every state, and of the walls of a map
    moves: npt.NDArray[np.int64]  # [actions, 2], the step (down, right) of each action


def state_map(world: World) -> StateMap:
    """Where the states of a world are drawn."""
    drawn = check_map(world)
    if world.is_grid:
        return StateMap(world, world.positions, np.array(ACTION_MOVES))
    rows, columns = world.picture
    if world.states > rows * columns:
        each = world.states // (rows * columns)
        raise InputError(f"{world.name} has {each} states in every cell, so that a policy cannot be drawn on its map")
    return StateMap(drawn, np.stack(np.divmod(np.arange(world.states), columns), axis=1), action_directions(world))


def _draw_sign(axes: "Axes", row: int, column: int, letter: str) -> None:
    """Holes as discs, teleports as discs with their digit, doors as a bar with an arrow head."""
    from matplotlib.patches import Circle, Polygon, Rectangle

    if letter in DOORS:
        down, right = ACTION_MOVES[DOORS.index(letter)]
        turn = np.array([[right, down], [-down, right]])  # of a sign that points east
        look: Any = {"facecolor": _shares(SIGN_COLOUR), "linewidth": 0, "zorder": 3}
        for corners in DOOR_SIGN:
            axes.add_patch(Polygon(np.array(corners) @ turn + np.array([column, row]), **look))
        return
    axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=_shares(FREE_COLOUR), linewidth=0))
    colour = HOLE_COLOUR if letter == HOLE else TELEPORT_COLOUR
    axes.add_patch(Circle((column, row), 0.42, facecolor=_shares(colour), linewidth=0, zorder=3))
    if letter in TELEPORTS:
        draw_letter(axes, column, row, letter, 0.5)


def draw_letter(axes: "Axes", x: float, y: float, letter: str, size: float) -> None:
    """A letter as large as this share of a tile, whatever the size of the figure."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.patches import PathPatch
    from matplotlib.textpath import TextPath
    from matplotlib.transforms import Affine2D

    path = TextPath((0, 0), letter, size=1, prop=FontProperties(family="DejaVu Sans", weight="bold"))
    box = path.get_extents()
    centred = Affine2D().translate(-(box.x0 + box.x1) / 2, -(box.y0 + box.y1) / 2).scale(size, -size).translate(x, y)
    axes.add_patch(PathPatch(centred.transform_path(path), facecolor=INK, linewidth=0, zorder=6))


def _shares(colour: tuple[int, int, int]) -> tuple[float, float, float]:
    return colour[0] / 255, colour[1] / 255, colour[2] / 255


def _draw_seams(axes: "Axes", world: World) -> None:
    """White lines between free cells only, so that walls stay one mass."""
    from matplotlib.collections import LineCollection

    free = world.cell_at < world.states
    below = [((c - 0.5, r + 0.5), (c + 0.5, r + 0.5)) for r, c in np.argwhere(free[:-1] & free[1:])]
    right = [((c + 0.5, r - 0.5), (c + 0.5, r + 0.5)) for r, c in np.argwhere(free[:, :-1] & free[:, 1:])]
    width = min(1.0, 12 / max(world.shape))
    axes.add_collection(LineCollection([*below, *right], colors="white", linewidths=width))
