"""Worlds side by side: walls grey, free cells light grey, the start blue, the goal green."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hierq.errors import InputError
from hierq.figures.style import new_figure, styled, tile_colours
from hierq.worlds import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_SEAMS = 100  # cells in a row, beyond which seams are too fine to be seen


@styled
def worlds_figure(worlds: Sequence[World], side: float = 2.0) -> "Figure":
    """A row of worlds, each under its name.

    Args:
        worlds: the worlds, left to right.
        side: width of each in inches.
    """
    if not worlds:
        raise InputError("there is no world to draw; name at least one")
    tallest = max(world.shape[0] / world.shape[1] for world in worlds)
    figure, axes = new_figure(side * len(worlds), side * min(tallest, 4) + 0.35, columns=len(worlds))
    for world, panel in zip(worlds, axes, strict=True):
        draw_tiles(panel, world)
        panel.set_title(world.name, fontsize=min(11.0, 7.2 * side))  # narrow panels have room for small letters only
    return figure


@styled
def draw_tiles(axes: "Axes", world: World) -> None:
    """Draws the cells of a world as square tiles; cell (row, column) is centred at x = column, y = row."""
    rows, columns = world.shape
    look = tile_colours()
    colours = np.empty((world.cells, 3))
    colours[: world.states], colours[world.states :] = look["free"], look["wall"]
    colours[world.start], colours[world.goal] = look["start"], look["goal"]
    axes.imshow(colours[world.cell_at], interpolation="nearest")
    if max(world.shape) <= MOST_SEAMS:
        _draw_seams(axes, world)
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), xticks=[], yticks=[], aspect="equal")
    for spine in axes.spines.values():
        spine.set_visible(False)


def _draw_seams(axes: "Axes", world: World) -> None:
    """White lines between free cells only, so that walls stay one mass."""
    from matplotlib.collections import LineCollection

    free = world.cell_at < world.states
    below = [((c - 0.5, r + 0.5), (c + 0.5, r + 0.5)) for r, c in np.argwhere(free[:-1] & free[1:])]
    right = [((c + 0.5, r - 0.5), (c + 0.5, r + 0.5)) for r, c in np.argwhere(free[:, :-1] & free[:, 1:])]
    width = min(1.0, 12 / max(world.shape))
    axes.add_collection(LineCollection([*below, *right], colors="white", linewidths=width))
