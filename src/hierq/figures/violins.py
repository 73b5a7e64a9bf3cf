"""Violins of the representation study: how sub-goals and rewards change the steps of one-step agents."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hierq.figures.panels import draw_optimum, handle, label_left, legend_above, steps_axis, world_panels
from hierq.figures.style import INK, QUIET, level_colour, printed
from hierq.worlds import PAPER_WORLDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUBGOALS = ("anywhere", "nearby")
REWARDS = {"binary": "binary reward", "penalty": "penalty"}
ALL_REWARDS = {
    "binary": "binary reward",
    "penalty": "penalty, low start",
    "penalty, optimistic": "penalty, start at 0",
}
CELLS = ("grid", "free")
RANGE = (12.0, 10_000.0)
HATCH = "/////"
MEAN: dict[str, Any] = {"marker": "D", "markersize": 3.0, "markerfacecolor": "white", "markeredgewidth": 0.8}


@printed
def violins_figure(frame: pl.DataFrame, optimum: Mapping[str, int], variants: bool = False) -> "Figure":
    """The representations of the paper, k = 2 and 3 each, a panel per world.

    Args:
        frame: a row per run, with the columns world, levels, subgoals ("anywhere" or "nearby"), reward ("binary" or
            "penalty") and steps, the mean over all iterations. For the variants also subgoal_cells ("grid" or "free"),
            and the reward "penalty, optimistic" for penalties that start at 0.
        optimum: steps of the shortest path in each world.
        variants: whether free cells stand beside all cells as sub-goals, and both start values of the penalty.
    """
    if variants:
        there = set(frame["world"])
        worlds = [name for name in PAPER_WORLDS if name in there]  # small and large side by side
        figure, panels = world_panels(worlds, panel_height=2.15, room=0.65, most=2, as_given=True, sharey=True)
        figure.supxlabel("where sub-goals may lie, what is rewarded, and what values start with")
    else:
        figure, panels = world_panels(frame["world"], room=0.5, sharey=True)
        figure.supxlabel("where sub-goals may lie, and what is rewarded")
    rewards = ALL_REWARDS if variants else REWARDS
    cells = CELLS if variants else (None,)
    places = [(reward, subgoals, kind) for reward in rewards for subgoals in SUBGOALS for kind in cells]
    each, width = len(SUBGOALS) * len(cells), len(cells)
    for world, axes in panels.items():
        _draw_groups(axes, frame.filter(pl.col("world") == world), places)
        _settle(axes, frame, optimum[world], len(places))
        for edge in range(each, len(places), each):
            axes.axvline(edge - 0.5, color=QUIET, linewidth=0.6)
        ticks = [first + (width - 1) / 2 for first in range(0, len(places), width)]
        axes.set_xticks(ticks, SUBGOALS * len(rewards))
        _name_rewards(axes, list(rewards.values()), each)
    label_left(figure, "mean steps per evaluation episode", "of a seed (log scale)")
    _legend(figure, frame["levels"].unique().sort().to_list(), cells=variants)
    return figure


def _name_rewards(axes: "Axes", names: Sequence[str], each: int) -> None:
    """Below the names of the sub-goals, in the middle of their part of the panel."""
    place: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "xytext": (0, -16), "textcoords": "offset points"}
    look: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": 7.5, "style": "italic"}
    for index, name in enumerate(names):
        axes.annotate(name, (index * each + (each - 1) / 2, 0), **place, **look)


def _draw_groups(axes: "Axes", here: pl.DataFrame, places: Sequence[tuple[str, str, str | None]]) -> None:
    """At every place, a reward, where sub-goals lie and what cells they are, one violin per k."""
    levels = here["levels"].unique().sort().to_list()
    for x, (reward, subgoals, cells) in enumerate(places):
        group = here.filter((pl.col("reward") == reward) & (pl.col("subgoals") == subgoals))
        if cells is not None:
            group = group.filter(pl.col("subgoal_cells") == cells)
        for index, k in enumerate(levels):
            steps = group.filter(pl.col("levels") == k)["steps"].to_numpy()
            if len(steps):
                middle = x + (index - (len(levels) - 1) / 2) * 0.44
                draw_violin(axes, middle, steps, level_colour(int(k) - 1), hatched=cells == "grid")


def draw_violin(axes: "Axes", x: float, steps: Any, colour: str, hatched: bool = False, width: float = 0.19) -> None:
    """The density of ln(steps), its extrema, and the mean of the steps."""
    low, high = float(steps.min()), float(steps.max())
    if len(steps) > 1 and high / low > 1 + 1e-6:
        from scipy.stats import gaussian_kde

        logs = np.log(steps)
        at = np.linspace(logs.min(), logs.max(), 80)
        density = gaussian_kde(logs)(at)
        half = width * density / density.max()
        shape = np.exp(at), x - half, x + half
        axes.fill_betweenx(*shape, facecolor=colour, edgecolor=colour, linewidth=0.5, alpha=0.45, zorder=2)
        if hatched:
            hatches: dict[str, Any] = {"facecolor": "none", "edgecolor": "white", "hatch": HATCH, "linewidth": 0}
            axes.fill_betweenx(*shape, **hatches, zorder=2.2)
    axes.vlines(x, low, high, color=colour, linewidth=0.7, zorder=3)
    axes.hlines([low, high], x - 0.1, x + 0.1, color=colour, linewidth=0.7, zorder=3)
    axes.plot([x], [steps.mean()], **MEAN, markeredgecolor=colour, zorder=4)


def _settle(axes: "Axes", frame: pl.DataFrame, optimum: int, places: int) -> None:
    highest, lowest = float(frame["steps"].max()), float(frame["steps"].min())  # type: ignore[arg-type]
    steps_axis(axes, min(RANGE[0], lowest / 1.1), max(RANGE[1], highest * 1.3))
    draw_optimum(axes, optimum)
    axes.set_xlim(-0.5, places - 0.5)
    axes.tick_params(axis="x", length=0)


def _legend(figure: "Figure", levels: Sequence[int], cells: bool = False) -> None:
    from matplotlib.patches import Patch

    places = ("left", "right") if len(levels) == 2 else ("",) * len(levels)
    handles: list[Any] = [
        Patch(facecolor=level_colour(k - 1), alpha=0.45, label=f"k = {k}" + (f" ({place})" if place else ""))
        for k, place in zip(levels, places, strict=True)
    ]
    if cells:
        handles += [
            Patch(facecolor="#b5b5b5", edgecolor="white", hatch=HATCH, linewidth=0, label="walls as sub-goals, too"),
            Patch(facecolor="#b5b5b5", label="free cells only"),
        ]
    mean = handle("mean", linestyle="none", markeredgecolor=INK, **MEAN)
    extrema = handle("extrema", color=INK, linestyle="none", marker="_", markersize=6)
    legend_above(figure, [*handles, mean, extrema], columns=4 if cells else None, optimum=True)
