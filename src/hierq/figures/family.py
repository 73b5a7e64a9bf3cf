"""Numbers of many agents: as a map of estimators, over levels or another number, and as dots with intervals."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hierq.figures.panels import (
    OPTIMUM,
    draw_optimum,
    fixed_ticks,
    handle,
    label_left,
    legend_above,
    lines_across,
    new_panels,
    round_ticks,
    world_panels,
)
from hierq.figures.style import INK, LINES, PAGE_WIDTH, PALE, QUIET, level_colour, level_look, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<")
BRIGHT = 0.42  # of the colour scale, from which letters are dark
DOTTED: dict[str, Any] = {"color": INK, "linestyle": ":", "linewidth": 1.0}
FACTORS = (0.1, 0.2, 0.5, 0.7, 1, 1.5, 2, 5, 10, 20)
Rows = Iterable[tuple[Any, ...]]


def _frame(rows: Rows, *columns: str) -> pl.DataFrame:
    """Rows of some words and numbers, the last three of which are a value and the ends of its interval."""
    ends = {name: pl.Float64 for name in ("value", "low", "high")}
    return pl.DataFrame(list(rows), (*columns, *ends), schema_overrides=ends, orient="row", infer_schema_length=None)


@printed
def map_figure(
    values: Mapping[tuple[str, str, str], float], rows: Sequence[str], groups: Mapping[str, Sequence[str]]
) -> "Figure":
    """Operators × hops, coloured and labelled by how many times the shortest path an evaluation episode takes.

    Args:
        values: mean ln(steps / optimum) by row, group and column; what is missing stays white, infinite is
            said, and −∞ says that values stayed finite.
        rows: operators, from top to bottom.
        groups: the columns of each block, such as flat agents and agents with three levels.
    """
    shares = [len(columns) for columns in groups.values()]
    figure, panels = new_panels(PAGE_WIDTH, 0.34 * len(rows) + 1.1, 1, len(groups), width_ratios=shares, sharey=True)
    low, high = 0.0, max((value for value in values.values() if math.isfinite(value)), default=1.0)
    for (group, columns), axes in zip(groups.items(), panels, strict=True):
        numbers = np.array([[values.get((row, group, column), np.nan) for column in columns] for row in rows])
        drawn = axes.imshow(
            np.where(np.isinf(numbers), np.nan, numbers), cmap="cividis_r", vmin=low, vmax=high, aspect="auto"
        )
        for (i, j), number in np.ndenumerate(numbers):
            if np.isinf(number):
                axes.text(j, i, "∞" if number > 0 else "ok", ha="center", va="center", color=INK)
            elif not np.isnan(number):
                light = (number - low) / (high - low or 1) < BRIGHT
                text = f"{math.exp(number):.2f}" if number < math.log(10) else f"{math.exp(number):.0f}"
                axes.text(j, i, text, ha="center", va="center", color=INK if light else "white", fontsize=7)
        axes.set_xticks(range(len(columns)), columns, rotation=35, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(len(rows)), rows)
        axes.tick_params(length=0)
        axes.set_title(group)
        axes.spines[:].set_visible(False)
    ticks = [math.log(times) for times in (1, 1.5, 2, 3, 5, 10, 20, 50, 100) if math.log(times) <= high]
    bar = figure.colorbar(drawn, ax=panels, ticks=ticks, shrink=0.9, pad=0.01)
    bar.ax.set_yticklabels([f"{math.exp(tick):g}" for tick in ticks])
    bar.set_label("steps / shortest path")
    return figure


@printed
def levels_figure(
    rows: Rows,
    agents: Sequence[str],
    label: tuple[str, str],
    dashed: Mapping[str, float] | None = None,
    dotted: Mapping[str, float] | None = None,
    *,
    called: tuple[str, str] = ("optimum", ""),
) -> "Figure":
    """A panel per world: a number over k, a line for each kind of agent; colour tells k, marker and dash the kind.

    Args:
        rows: world, agent, levels; value, low and high, which are logarithms.
        agents: the kinds of agents in their order, which settles their markers; some may be missing in the rows.
        label: of the vertical axis, in two parts.
        dashed: a number for each world, drawn as a dashed line.
        dotted: another, drawn as a dotted line.
        called: what the dashed and the dotted lines are.
    """
    frame = _frame(rows, "world", "agent", "levels")
    figure, panels = world_panels(frame["world"])
    levels = sorted(frame["levels"].unique())
    steps = frame.with_columns(pl.col("value", "low", "high").exp(), x=pl.col("levels").cast(pl.Float64))
    for world, axes in panels.items():
        here = steps.filter(pl.col("world") == world)
        _draw_lines(axes, here, agents, apart=0.07)
        bottom, top = float(here["low"].min()), float(here["high"].max())  # type: ignore[arg-type]
        if dotted:
            axes.axhline(dotted[world], **DOTTED)
        if dashed:
            draw_optimum(axes, dashed[world])
            bottom = min(bottom, dashed[world])
        axes.set(yscale="log", ylim=(bottom * 0.93, top * 1.08), xlim=(levels[0] - 0.5, levels[-1] + 0.5))
        ticks = round_ticks(bottom, top)
        fixed_ticks(axes.yaxis, ticks if len(ticks) > 1 else [1, 1.5, 2, 3, 5], "{x:,g}")
        axes.set_xticks(levels)
    figure.supxlabel("number of levels k")
    label_left(figure, *label)
    marks = _marks(frame, agents)
    marks += [handle(called[1], **DOTTED)] if dotted else []
    marks += [handle(called[0], **OPTIMUM)] if dashed else []
    legend_above(figure, marks, columns=min(len(marks), 4))
    return figure


@printed
def shares_figure(
    rows: Rows, agents: Sequence[str], label: tuple[str, str], over: str, ticks: Sequence[float], log: bool
) -> "Figure":
    """A panel per world: a share over a number, a line for each kind of agent; colour tells k, the marker the kind.

    Args:
        rows: world, agent, levels, x; value, low and high, from 0 to 1.
        agents: the kinds of agents in their order, which settles their markers; some may be missing in the rows.
        label: of the vertical axis, in two parts.
        over: of the horizontal axis.
        ticks: of the horizontal axis.
        log: whether that axis is logarithmic.
    """
    frame = _frame(rows, "world", "agent", "levels", "x")
    figure, panels = world_panels(frame["world"])
    for world, axes in panels.items():
        _draw_lines(axes, frame.filter(pl.col("world") == world), agents)
        axes.set(ylim=(0, 1.04), xscale="log" if log else "linear")
        fixed_ticks(axes.xaxis, ticks)
    figure.supxlabel(over)
    label_left(figure, *label)
    legend_above(figure, _marks(frame, agents), columns=3)
    return figure


def _draw_lines(axes: "Axes", rows: pl.DataFrame, agents: Sequence[str], apart: float = 0.0) -> None:
    """A line of points with intervals for each kind of agent, side by side."""
    for place, agent in enumerate(agents):
        line = rows.filter(pl.col("agent") == agent).sort("x")
        x = line["x"].to_numpy() + (place - (len(agents) - 1) / 2) * apart
        axes.plot(x, line["value"], color=QUIET, linewidth=0.8, linestyle=LINES[place % len(LINES)], zorder=2)
        colours = [level_colour(int(k) - 1) for k in line["levels"]]
        axes.vlines(x, line["low"], line["high"], linewidth=1.0, color=colours, zorder=3)
        axes.scatter(x, line["value"], s=13, c=colours, marker=MARKERS[place % len(MARKERS)], linewidths=0, zorder=4)
    lines_across(axes)


def _marks(frame: pl.DataFrame, agents: Sequence[str]) -> list[Any]:
    """The legend of the kinds of agents that are there, in the colour of k where a kind has but one."""
    marks = []
    for place, agent in enumerate(agents):
        levels = frame.filter(pl.col("agent") == agent)["levels"].unique().to_list()
        colour = level_colour(levels[0] - 1) if len(levels) == 1 else QUIET
        look: dict[str, Any] = {"color": colour, "marker": MARKERS[place % len(MARKERS)], "linestyle": LINES[place % 4]}
        marks += [handle(agent, markersize=3.6, linewidth=0.8, **look)] if levels else []
    return marks


@printed
def dots_figure(
    rows: Rows,
    label: str,
    truth: float | None = None,
    *,
    ratio: bool = False,
    most: int = 2,
    single: Mapping[tuple[str, str, str], Sequence[float]] | None = None,
) -> "Figure":
    """A panel per world, a row per agent: dots with intervals, for each of some series.

    Args:
        rows: world, agent, series; value, low and high. A series called "k = 2" has the colour of its level.
        label: of the horizontal axis.
        truth: where a line stands, if there is one.
        ratio: whether numbers are factors, on a logarithmic axis.
        most: panels in a row.
        single: the single numbers that a dot is the mean of, drawn behind it; by world, agent and series.
    """
    frame = _frame(rows, "world", "agent", "series")
    agents = frame["agent"].unique(maintain_order=True).to_list()
    series = frame["series"].unique(maintain_order=True).to_list()
    height, apart = (0.1 + 0.1 * len(series)) * len(agents) + 0.4, min(0.3, 0.8 / len(series))
    figure, panels = world_panels(
        frame["world"], panel_height=height, most=most, as_given=True, sharey=True, sharex=True
    )
    for world, axes in panels.items():
        if truth is not None:
            axes.axvline(truth, color=PALE, linewidth=1.2)
        for place, name in enumerate(series):
            here = frame.filter(pl.col("world") == world, pl.col("series") == name)
            y = np.array([agents.index(agent) for agent in here["agent"]]) + (place - (len(series) - 1) / 2) * apart
            value, low, high = (here[end].to_numpy() for end in ("value", "low", "high"))
            look = _look_of(name, place)
            for agent, at in zip(here["agent"], y, strict=True):
                if single is not None:
                    behind = single[world, agent, name]
                    axes.plot(behind, np.full(len(behind), at), "|", color=PALE, markersize=4, zorder=1)
            axes.hlines(y, low, high, linewidth=1.0, color=look["color"])
            axes.plot(value, y, linestyle="none", markersize=3.4, **look)
        axes.set_yticks(range(len(agents)), agents)
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(len(agents) - 0.5, -0.5)
        for edge in range(1, len(agents)):
            axes.axhline(edge - 0.5, color="#e6e6e6", linewidth=0.5, zorder=0)
    if ratio:
        lowest = min(0.8, *(float(end) / 1.15 for end in frame["low"]))
        highest = max(1.25, *(float(end) * 1.15 for end in frame["high"]))
        axes.set(xscale="log", xlim=(lowest, highest))
        wanted = FACTORS if highest / lowest > 3 else (0.5, 0.8, 0.9, 1, 1.1, 1.25, 1.5)
        inside = [factor for factor in wanted if lowest <= factor <= highest]
        fixed_ticks(axes.xaxis, _apart(inside, 0.25 * np.log(highest / lowest)), "{x:g}")
    figure.supxlabel(label)
    looks = [(name, _look_of(name, place)) for place, name in enumerate(series)]
    legend_above(figure, [handle(name, markersize=4, linestyle="none", **look) for name, look in looks])
    return figure


def _apart(factors: Sequence[float], least: float) -> list[float]:
    """Those of some factors whose logarithms keep a distance; the nearest to 1 come first."""
    kept: list[float] = []
    for factor in sorted(factors, key=lambda each: abs(np.log(each))):
        if all(abs(np.log(factor / other)) >= least for other in kept):
            kept.append(factor)
    return kept


def _look_of(series: str, place: int) -> dict[str, Any]:
    """Colour and marker of its level for a series "k = 2"; shades of grey for all else."""
    if series.startswith("k = ") and series[4:].isdigit():
        return level_look(int(series[4:]) - 1)
    return {"color": (INK, QUIET, PALE)[place % 3], "marker": MARKERS[place % len(MARKERS)]}
