"""Values of approximate levels over the map, and walks of points."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hierq.figures.style import INK, new_figure, styled
from hierq.figures.worlds import draw_tiles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hierq.approximate import Levels, PointWorld, Walk

FINENESS = 5  # points along the side of a cell


@styled
def point_values_figure(
    levels: "Levels", goal: npt.ArrayLike, walk: "Walk | None" = None, side: float = 2.6
) -> "Figure":
    """V of every level over the map for one goal, level 0 first, and a walk, if there is one.

    Each level has its own scale, from its lowest value, dark, to its highest, bright; its title has both.

    Args:
        levels: the approximate levels.
        goal: a point, (row, column).
        walk: drawn over every map.
        side: width of each map in inches.
    """
    points, count = levels.world, levels.config.levels
    rows, columns = points.world.shape
    offsets = (np.arange(FINENESS) - FINENESS // 2) / FINENESS
    grid = np.stack(np.meshgrid(offsets, offsets, indexing="ij"), axis=-1).reshape(-1, 2)
    where = (points.middles[:, None] + grid).reshape(-1, 2)
    figure, axes = new_figure(side * count, side * min(rows / columns, 4) + 0.35, columns=count)
    for level, panel in enumerate(np.atleast_1d(np.asarray(axes, object))):
        picture = np.full((rows * FINENESS, columns * FINENESS), np.nan)
        at = np.rint((where + 0.5) * FINENESS - 0.5).astype(int)
        picture[at[:, 0], at[:, 1]] = levels.values(level, where, goal)
        draw_tiles(panel, points.world)
        panel.imshow(picture, extent=(-0.5, columns - 0.5, rows - 0.5, -0.5), cmap="viridis", zorder=4)
        _draw_walks(panel, [] if walk is None else [walk], halo=True)
        panel.set_title(f"level {level}: {np.nanmin(picture):.2f} to {np.nanmax(picture):.2f}")
    return figure


@styled
def point_walks_figure(points: "PointWorld", walks: "Sequence[Walk]", side: float = 3.2) -> "Figure":
    """Walks of a point over its map; a dot where each begins.

    Args:
        points: the world.
        walks: the walks.
        side: width in inches.
    """
    rows, columns = points.world.shape
    figure, (panel,) = new_figure(side, side * min(rows / columns, 4) + 0.35, columns=1)
    draw_tiles(panel, points.world)
    _draw_walks(panel, walks)
    panel.set_title(points.world.name)
    return figure


def _draw_walks(axes: "Axes", walks: "Sequence[Walk]", halo: bool = False) -> None:
    """Lines with a dot at their beginning; over dark colours white ones with a dark edge."""
    from matplotlib.patheffects import Normal, Stroke

    look: Any = {"color": INK, "linewidth": 1.0, "zorder": 5}
    if halo:
        edge = [Stroke(linewidth=2.6, foreground=INK), Normal()]
        look |= {"color": "white", "linewidth": 1.2, "path_effects": edge}
    for walk in walks:
        axes.plot(walk.points[:, 1], walk.points[:, 0], **look)
        axes.plot(*walk.points[0, 1::-1], marker="o", markersize=3.5, **look)
