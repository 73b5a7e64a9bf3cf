"""What each departure does to the numbers: a dot with an interval per departure, level and world."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from hierq.figures.panels import fixed_ticks, handle, legend_above, world_panels
from hierq.figures.style import INK, QUIET, level_colour, level_marker, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SPREAD = 0.22
FACTORS = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10)


@printed
def effects_figure(frame: pl.DataFrame, choices: Sequence[str], label: str, is_ratio: bool) -> "Figure":
    """A panel per world, a row per choice of departures; without them every dot would lie on the line.

    Args:
        frame: a row per choice, world and k, with the columns departures, world, levels, effect, low and high.
        choices: the departures that are drawn, from the top down.
        label: what an effect is, with its unit.
        is_ratio: whether an effect is a factor (1 is none, log axis) or a difference (0 is none).
    """
    shown = frame.filter(pl.col("departures").is_in(list(choices)) & pl.col("levels").is_not_null())
    levels = shown["levels"].unique().sort().to_list()
    height = 0.27 * len(choices) + 0.35
    figure, panels = world_panels(shown["world"], panel_height=height, room=0.55, sharey=True, sharex=True)
    for world, axes in panels.items():
        rows = shown.filter(pl.col("world") == world)
        axes.axvline(1 if is_ratio else 0, color=QUIET, linewidth=0.8, zorder=1)
        for row in rows.iter_rows(named=True):
            offset = (levels.index(row["levels"]) - (len(levels) - 1) / 2) * SPREAD
            _draw_effect(axes, choices.index(row["departures"]) + offset, row)
        axes.set_yticks(range(len(choices)), list(choices))
        axes.set_ylim(len(choices) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        for edge in range(1, len(choices)):
            axes.axhline(edge - 0.5, color="#e6e6e6", linewidth=0.5, zorder=0)
    _settle_axis(next(iter(panels.values())), shown, is_ratio)
    figure.supxlabel(label)
    _legend(figure, levels, is_ratio)
    return figure


def _draw_effect(axes: "Axes", y: float, row: dict[str, Any]) -> None:
    colour = level_colour(row["levels"] - 1)
    axes.hlines(y, row["low"], row["high"], color=colour, linewidth=1.1, zorder=2)
    look: dict[str, Any] = {"marker": level_marker(row["levels"] - 1), "markersize": 3.4, "markeredgewidth": 0}
    axes.plot([row["effect"]], [y], color=colour, zorder=3, **look)


def _settle_axis(axes: "Axes", shown: pl.DataFrame, is_ratio: bool) -> None:
    """One axis for all worlds."""
    from matplotlib.ticker import MaxNLocator

    low, high = float(shown["low"].min()), float(shown["high"].max())  # type: ignore[arg-type]
    if not is_ratio:
        room = 0.06 * (high - low)
        axes.set_xlim(min(low - room, -room), max(high + room, room))
        axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
        return
    low, high = min(low / 1.15, 0.8), max(high * 1.15, 1.25)
    axes.set(xscale="log", xlim=(low, high))
    wanted = FACTORS if high / low < 4 else tuple(factor for factor in FACTORS if factor not in (0.3, 0.7, 1.5, 3))
    fixed_ticks(axes.xaxis, [factor for factor in wanted if low <= factor <= high], "{x:g}")


def _legend(figure: "Figure", levels: Sequence[int], is_ratio: bool) -> None:
    look: dict[str, Any] = {"linewidth": 1.1, "markeredgewidth": 0, "markersize": 3.6}
    handles = [handle(f"k = {k}", color=level_colour(k - 1), marker=level_marker(k - 1), **look) for k in levels]
    none = "as the text says (factor 1)" if is_ratio else "as the text says (no difference)"
    handles.append(handle("95 % interval over seeds", color=INK, linewidth=1.1))
    handles.append(handle(none, color=QUIET, linewidth=0.8))
    legend_above(figure, handles)
