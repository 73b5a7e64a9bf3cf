"""Control or backup: agents that learnt from the same episodes, from a flat one to the whole hierarchy."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from hierq.figures.panels import draw_optimum, handle, label_left, legend_above, steps_axis, world_panels
from hierq.figures.style import level_colour, level_look, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEARNERS = {"flat": "level 0\nalone", "single": "hierarchy,\nspans of 1", "full": "hierarchy,\nfull spans"}
SPREAD = 0.13


@printed
def stitching_figure(frame: pl.DataFrame, optimum: Mapping[str, int]) -> "Figure":
    """A panel per world; from left to right first control is added, then the longer backup.

    Args:
        frame: a row per agent, with the columns world, backup, parameter, levels, learner ("flat", "single" or "full";
            the flat one has levels = 1); ours, low and high, the mean of ln(steps) and its interval.
        optimum: steps of the shortest path in each world.
    """
    figure, panels = world_panels(frame["world"], panel_height=2.1, room=0.6)
    kinds = list(frame.select("backup", "parameter").unique().sort("backup", "parameter").iter_rows())
    levels = [k for k in frame["levels"].unique().sort().to_list() if k > 1]
    for world, axes in panels.items():
        here = frame.filter(pl.col("world") == world)
        lines = [(kind, k) for kind in kinds for k in levels]
        for index, ((backup, parameter), k) in enumerate(lines):
            rows = here.filter((pl.col("backup") == backup) & (pl.col("parameter") == parameter))
            rows = rows.filter((pl.col("levels") == k) | (pl.col("learner") == "flat"))
            shift = (index - (len(lines) - 1) / 2) * SPREAD
            _draw_line(axes, rows, k, kinds.index((backup, parameter)), shift)
        highest, lowest = (float(here[name].exp().max()) for name in ("high", "low"))  # type: ignore[arg-type]
        steps_axis(axes, optimum[world] * 0.93, max(highest, lowest) * 1.15)
        draw_optimum(axes, optimum[world])
        axes.set_xlim(-0.45, len(LEARNERS) - 0.55)
        axes.set_xticks(range(len(LEARNERS)), list(LEARNERS.values()))
        axes.tick_params(axis="x", length=0)
    label_left(figure, "steps per evaluation episode", "(geometric mean, log scale)")
    _legend(figure, kinds, levels)
    return figure


def _draw_line(axes: "Axes", rows: pl.DataFrame, k: int, kind: int, shift: float) -> None:
    ordered = rows.sort(pl.col("learner").cast(pl.Enum(list(LEARNERS))))
    x = [list(LEARNERS).index(name) + shift for name in ordered["learner"]]
    steps, low, high = (ordered[end].exp().to_numpy() for end in ("ours", "low", "high"))
    axes.vlines(x, low, high, color=level_colour(k - 1), linewidth=1.0, zorder=3)
    axes.plot(x, steps, zorder=4, **_look(k, kind))


def _look(k: int, kind: int) -> dict[str, Any]:
    """Levels by colour and marker, backups by dashes and fill."""
    return {
        **level_look(k - 1),
        "linewidth": 1.0,
        "linestyle": "-" if kind == 0 else (0, (3.5, 1.6)),
        "markersize": 3.6,
        "markeredgewidth": 0.8,
        "markerfacecolor": level_colour(k - 1) if kind == 0 else "white",
    }


def _legend(figure: "Figure", kinds: list[tuple[Any, ...]], levels: list[int]) -> None:
    symbol = {"traces": "λ", "tree-backup": "n"}
    handles = [
        handle(f"k = {k}, {symbol.get(backup, backup)} = {parameter:g}", **_look(k, kind))
        for kind, (backup, parameter) in enumerate(kinds)
        for k in levels
    ]
    legend_above(figure, handles, optimum=True)
