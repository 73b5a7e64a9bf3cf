"""Marginal log-performance: one number per agent, over k, for traces on the left and Tree-Backup on the right."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from hierq.figures.panels import (
    colour_levels,
    draw_optimum,
    fixed_ticks,
    handle,
    label_left,
    legend_above,
    lines_across,
    world_panels,
)
from hierq.figures.style import LINES, PARAMETER_MARKERS, QUIET, level_colour, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HALVES = (("traces", "λ"), ("tree-backup", "n"))
SPREAD = 0.19  # between the settings at one k, so that their intervals stand side by side

# Where the paper's axes end, in steps; the same for both behaviours, so that these can be compared.
HIGHEST = {"gridworld-10": 200, "rooms-4": 300, "maze-10": 700, "gridworld-20": 2000, "rooms-9": 3000, "maze-20": 7000}
TICKS = (15, 20, 30, 50, 100, 200, 500, 1000, 3000, 10000, 30000, 100000)

PUBLISHED: dict[str, Any] = {"markerfacecolor": "white", "markeredgecolor": "#8c8c8c", "markersize": 5.6}


@printed
def marginals_figure(frame: pl.DataFrame, optimum: Mapping[str, int]) -> "Figure":
    """A panel per world; in it k = 1, 2, … for every λ, then for every n.

    Args:
        frame: a row per agent, with the columns world, backup ("traces" or "tree-backup"), parameter, levels; ours,
            low and high, the mean of ln(steps) over the iterations and its interval; published, published_low and
            published_high, which may be null.
        optimum: steps of the shortest path in each world.
    """
    figure, panels = world_panels(frame["world"])
    most = int(frame["levels"].max())  # type: ignore[arg-type]
    for world, axes in panels.items():
        rows = frame.filter(pl.col("world") == world)
        for half, (backup, symbol) in enumerate(HALVES):
            part = rows.filter(pl.col("backup") == backup)
            parameters = part["parameter"].unique().sort().to_list()
            for rank, parameter in enumerate(parameters):
                line = part.filter(pl.col("parameter") == parameter).sort("levels")
                _draw_setting(axes, line, rank, len(parameters), shift=half * most)
            axes.text((half + 0.5) / 2, 0.97, symbol, transform=axes.transAxes, ha="center", va="top", style="italic")
        highest = float(rows.select(pl.max_horizontal("ours", "high").max())[0, 0]) + 0.1
        _settle_axis(axes, math.log(optimum[world]) - 0.1, max(math.log(HIGHEST.get(world, 1)), highest))
        draw_optimum(axes, math.log(optimum[world]))
        _label_levels(axes, most)
    figure.supxlabel("number of levels k")
    label_left(figure, "ln(mean steps) per evaluation episode,", "labelled in steps")
    _legend(figure, frame)
    return figure


def _draw_setting(axes: "Axes", line: pl.DataFrame, rank: int, count: int, shift: int) -> None:
    """One λ or one n: what was published behind, ours in front; colour tells k, marker and dash the parameter."""
    marker = PARAMETER_MARKERS[rank % 4]
    x = line["levels"].to_numpy() + shift + (rank - (count - 1) / 2) * SPREAD
    ours, low, high = (line[name].to_numpy() for name in ("ours", "low", "high"))
    known = line["published"].is_not_null().to_numpy()
    if known.any():
        band = [line[name].to_numpy()[known] for name in ("published_low", "published_high")]
        axes.vlines(x[known], *band, color="#d4d4d4", linewidth=4.2, zorder=2)
        look = PUBLISHED | {"linestyle": "none", "marker": marker, "markeredgewidth": 0.8}
        axes.plot(x[known], line["published"].to_numpy()[known], **look, zorder=3)
    axes.plot(x, ours, color=QUIET, linewidth=0.7, linestyle=LINES[rank % 4], zorder=2.5)
    for at, k, value, bottom, top in zip(x, line["levels"], ours, low, high, strict=True):
        colour = level_colour(int(k) - 1)
        axes.vlines(at, bottom, top, color=colour, linewidth=1.0, zorder=4)
        axes.plot([at], [value], color=colour, marker=marker, markersize=3.4, markeredgewidth=0, zorder=5)


def _settle_axis(axes: "Axes", low: float, high: float) -> None:
    """The paper's axis: the logarithm of ln(mean steps), which makes room for the good agents near the optimum."""
    ticks = [tick for tick in TICKS if low <= math.log(tick) <= high]
    axes.set(yscale="log", ylim=(low, high))
    fixed_ticks(axes.yaxis, [math.log(tick) for tick in ticks])
    axes.set_yticklabels([f"{tick:,}" for tick in ticks])
    lines_across(axes)


def _label_levels(axes: "Axes", most: int) -> None:
    """Ticks k = 1, 2, … twice, in the colours of the levels, with a line between the halves."""
    axes.axvline(most + 0.5, color=QUIET, linewidth=0.6)
    axes.set_xlim(0.5, 2 * most + 0.5)
    axes.set_xticks(range(1, 2 * most + 1), [str(k) for k in range(1, most + 1)] * 2)
    axes.tick_params(axis="x", length=0)
    colour_levels(axes.get_xticklabels(), [*range(most)] * 2)


def _legend(figure: "Figure", frame: pl.DataFrame) -> None:
    values = {
        symbol: frame.filter(pl.col("backup") == backup)["parameter"].unique().sort().to_list()
        for backup, symbol in HALVES
    }
    handles = []
    for rank in range(max(len(each) for each in values.values())):
        words = [f"{symbol} = {each[rank]:g}" for symbol, each in values.items() if rank < len(each)]
        look: dict[str, Any] = {"color": QUIET, "marker": PARAMETER_MARKERS[rank % 4], "linestyle": LINES[rank % 4]}
        handles.append(handle(", ".join(words), linewidth=0.8, markersize=3.6, markeredgewidth=0, **look))
    if frame["published"].is_not_null().any():
        handles.append(handle("published", marker="o", linewidth=4.2, color="#d4d4d4", **PUBLISHED))
    legend_above(figure, handles, optimum=True)
