"""How long the first training episode takes: its distribution over seeds for every agent, and the published mean."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hierq.figures.panels import colour_levels, handle, label_left, legend_above, steps_axis, world_panels
from hierq.figures.style import INK, QUIET, level_colour, level_marker, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


RANDOM_WALK: dict[str, Any] = {"color": QUIET, "linestyle": (0, (1, 1.5)), "linewidth": 0.9}
PUBLISHED: dict[str, Any] = {
    "linestyle": "none",
    "marker": "o",
    "markersize": 5.0,
    "markerfacecolor": "none",
    "markeredgecolor": INK,
    "markeredgewidth": 0.6,
}


@printed
def first_episodes_figure(frame: pl.DataFrame, random_walk: Mapping[str, float]) -> "Figure":
    """A panel per world; in it, for every k, the agents with λ = 0 … 1 and n = 1 … 8 side by side.

    A thin line holds the middle 90 % of the seeds, a thick one the middle half; the filled marker is the mean. The
    published mean is a hollow marker with ± two standard errors.

    Args:
        frame: a row per run, with the columns world, backup, parameter, levels, steps; published and published_error
            may be null.
        random_walk: expected steps of a uniform random walk in each world, which is a flat agent's mean.
    """
    figure, panels = world_panels(frame["world"], room=0.6)
    kinds = list(
        frame.select("backup", "parameter").unique().sort(pl.col("backup") != "traces", "parameter").iter_rows()
    )
    levels = frame["levels"].unique().sort().to_list()
    for world, axes in panels.items():
        here = frame.filter(pl.col("world") == world)
        for (k, backup, parameter), runs in here.group_by("levels", "backup", "parameter", maintain_order=True):
            rank = kinds.index((backup, parameter))
            x = levels.index(k) * (len(kinds) + 2) + rank + (backup != "traces") * 0.6
            _draw_agent(axes, float(x), int(k), runs)
        axes.axhline(random_walk[world], **RANDOM_WALK, zorder=1.5)
        _settle_axes(axes, here, levels, len(kinds))
    figure.supxlabel(
        "number of levels k; within each, λ = "
        + _values(kinds, "traces")
        + ", then n = "
        + _values(kinds, "tree-backup")
    )
    label_left(figure, "steps of the first", "training episode (log scale)")
    handles = [
        handle("mean of our seeds", color=QUIET, marker="s", markersize=3, linestyle="none"),
        handle("middle half", color=QUIET, linewidth=2.4, alpha=0.5),
        handle("middle 90 %", color=QUIET, linewidth=0.6),
        handle("published mean ± 2 standard errors", **PUBLISHED),
        handle("random walk, exact mean", **RANDOM_WALK),
    ]
    legend_above(figure, handles, columns=3)
    return figure


def _values(kinds: list[tuple[Any, ...]], backup: str) -> str:
    return ", ".join(f"{parameter:g}" for kind, parameter in kinds if kind == backup)


def _draw_agent(axes: "Axes", x: float, k: int, runs: pl.DataFrame) -> None:
    colour = level_colour(k - 1)
    steps = runs["steps"].to_numpy()
    lowest, low, high, highest = np.quantile(steps, [0.05, 0.25, 0.75, 0.95])
    axes.vlines(x, lowest, highest, color=colour, linewidth=0.6, alpha=0.8, zorder=2)
    axes.vlines(x, low, high, color=colour, linewidth=2.4, alpha=0.35, zorder=2)
    published = runs["published"][0]
    if published is not None:
        error = 2 * runs["published_error"][0]
        axes.vlines(x, published - error, published + error, color=INK, linewidth=0.7, zorder=3)
        axes.plot([x], [published], **PUBLISHED, zorder=3.5)
    look: dict[str, Any] = {"marker": level_marker(k - 1), "markersize": 3.4, "markeredgecolor": "white"}
    axes.plot([x], [steps.mean()], color=colour, markeredgewidth=0.4, zorder=4, **look)


def _settle_axes(axes: "Axes", here: pl.DataFrame, levels: list[int], kinds: int) -> None:
    ends = here.group_by("levels", "backup", "parameter").agg(
        pl.col("steps").quantile(0.05).alias("low"),
        pl.col("steps").quantile(0.95).alias("high"),
        pl.col("published").max().alias("published"),
    )
    low = float(ends["low"].min())  # type: ignore[arg-type]
    high = float(ends.select(pl.max_horizontal("high", "published").max())[0, 0])
    steps_axis(axes, low / 1.4, high * 1.4)
    width = kinds + 2
    axes.set_xticks([index * width + (kinds - 1) / 2 + 0.3 for index in range(len(levels))], [str(k) for k in levels])
    axes.set_xlim(-2, len(levels) * width - 1)
    axes.tick_params(axis="x", length=0)
    colour_levels(axes.get_xticklabels(), [k - 1 for k in levels])
