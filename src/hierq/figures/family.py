"""The family of estimators: as a map, over levels, as depth of credit on one trace, and as biases."""

import math
from collections.abc import Mapping, Sequence
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

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
BRIGHT = 0.42  # of the colour scale, from which letters are dark
FACTORS = (0.1, 0.2, 0.5, 0.7, 1, 1.5, 2, 5, 10, 20)
DOTS_SCHEMA: Any = {  # of the frame of `dots_figure`
    **dict.fromkeys(("world", "agent", "series"), pl.String),
    **dict.fromkeys(("value", "low", "high"), pl.Float64),
}
LEVELS_SCHEMA: Any = {  # of the frame of `levels_figure`
    **{"world": pl.String, "agent": pl.String, "levels": pl.Int64},
    **dict.fromkeys(("value", "low", "high", "limit"), pl.Float64),
}


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
    frame: pl.DataFrame,
    agents: Sequence[str],
    optimum: Mapping[str, float],
    label: tuple[str, str],
    limit: str = "",
    dashed: str = "optimum",
) -> "Figure":
    """A panel per world: a number over k, a line for each kind of agent; colour tells k, marker and dash the kind.

    Args:
        frame: columns world, agent, levels; value, low and high, which are logarithms; and limit, the same for all
            rows of a world, drawn as a dotted line (null for none).
        agents: the kinds of agents in their order, which settles their markers; some may be missing in the frame.
        optimum: of each world, drawn dashed; nothing is, if it is empty.
        label: of the vertical axis, in two parts.
        limit: what the dotted line is.
        dashed: what the dashed line is.
    """
    figure, panels = world_panels(frame["world"])
    levels = sorted(frame["levels"].unique())
    steps = frame.with_columns(pl.col("value", "low", "high", "limit").exp(), x=pl.col("levels").cast(pl.Float64))
    for world, axes in panels.items():
        rows = steps.filter(pl.col("world") == world)
        _draw_lines(axes, rows, agents, apart=0.07)
        if (dotted := rows["limit"][0]) is not None:
            axes.axhline(dotted, color=INK, linestyle=":", linewidth=1.0)
        bottom, top = float(rows["low"].min()), float(rows["high"].max())  # type: ignore[arg-type]
        if world in optimum:
            draw_optimum(axes, optimum[world])
            bottom = min(bottom, optimum[world])
        axes.set(yscale="log", ylim=(bottom * 0.93, top * 1.08), xlim=(levels[0] - 0.5, levels[-1] + 0.5))
        ticks = round_ticks(bottom, top)
        fixed_ticks(axes.yaxis, ticks if len(ticks) > 1 else [1, 1.5, 2, 3, 5], "{x:,g}")
        axes.set_xticks(levels)
    figure.supxlabel("number of levels k")
    label_left(figure, *label)
    marks = _marks(frame, agents)
    marks += [handle(limit, color=INK, linestyle=":", linewidth=1.0)] if limit else []
    marks += [handle(dashed, **OPTIMUM)] if optimum else []
    legend_above(figure, marks, columns=min(len(marks), 4))
    return figure


@printed
def shares_figure(
    frame: pl.DataFrame, agents: Sequence[str], label: tuple[str, str], over: str, ticks: Sequence[float], log: bool
) -> "Figure":
    """A panel per world: a share over a number, a line for each kind of agent; colour tells k, the marker the kind.

    Args:
        frame: columns world, agent, levels, x; value, low and high, from 0 to 1.
        agents: the kinds of agents in their order, which settles their markers; some may be missing in the frame.
        label: of the vertical axis, in two parts.
        over: of the horizontal axis.
        ticks: of the horizontal axis.
        log: whether that axis is logarithmic.
    """
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
        look: dict[str, Any] = {"color": colour, "marker": MARKERS[place % 8], "linestyle": LINES[place % 4]}
        marks += [handle(agent, markersize=3.6, linewidth=0.8, **look)] if levels else []
    return marks


@printed
def credit_figure(values: Mapping[str, Mapping[str, Sequence[float]]]) -> "Figure":
    """How far credit came after one episode: a strip for each estimator, one panel for each kind of agent.

    Args:
        values: V(S_t, goal) along the trace, by panel and estimator, the state before the goal last.
    """
    rows = max(len(strips) for strips in values.values())
    figure, panels = new_panels(PAGE_WIDTH, 0.2 * rows + 1.0, 1, len(values), sharey=True)
    for (title, strips), axes in zip(values.items(), panels, strict=True):
        numbers = np.array([list(reversed(strip)) for strip in strips.values()], float)
        length = numbers.shape[1]
        masked = np.where(numbers > 0, numbers, np.nan)
        drawn = axes.imshow(
            masked, cmap="cividis", vmin=0, vmax=1, aspect="auto", extent=(0.5, length + 0.5, len(strips) - 0.5, -0.5)
        )
        for place, strip in enumerate(numbers):
            reached = int(np.flatnonzero(strip > 0).max(initial=-1)) + 1
            if reached < length:
                axes.text(reached + 1.2, place, str(reached), va="center", color=QUIET, fontsize=7)
        axes.set_yticks(range(len(strips)), list(strips))
        axes.tick_params(axis="y", length=0)
        axes.set_title(title)
        axes.set_xlabel("steps before the goal")
        for line in range(1, len(strips)):
            axes.axhline(line - 0.5, color="white", linewidth=1.5)
    figure.colorbar(drawn, ax=panels, shrink=0.9, pad=0.01).set_label("value of the state")
    return figure


@printed
def dots_figure(
    frame: pl.DataFrame,
    label: str,
    truth: float = 0.0,
    *,
    ratio: bool = False,
    most: int = 2,
    single: pl.DataFrame | None = None,
) -> "Figure":
    """A panel per world, a row per agent: dots with intervals, for each of some series.

    Args:
        frame: columns world, agent, series; value, low and high. A series called "k = 2" has the colour of its level.
        label: of the horizontal axis.
        truth: where a line stands; NaN for none.
        ratio: whether numbers are factors, on a logarithmic axis.
        most: panels in a row.
        single: the single numbers that the dots are means of, drawn behind them; the same columns without low and high.
    """
    agents = frame["agent"].unique(maintain_order=True).to_list()
    series = frame["series"].unique(maintain_order=True).to_list()
    height, apart = (0.1 + 0.1 * len(series)) * len(agents) + 0.4, min(0.3, 0.8 / len(series))
    figure, panels = world_panels(
        frame["world"], panel_height=height, most=most, as_given=True, sharey=True, sharex=True
    )
    for world, axes in panels.items():
        axes.axvline(truth, color=PALE, linewidth=1.2)
        for place, name in enumerate(series):
            rows = frame.filter(pl.col("world") == world, pl.col("series") == name)
            y = np.array([agents.index(agent) for agent in rows["agent"]]) + (place - (len(series) - 1) / 2) * apart
            value, low, high = (rows[end].to_numpy() for end in ("value", "low", "high"))
            look = _look_of(name, place)
            if single is not None:
                behind = single.filter(pl.col("world") == world, pl.col("series") == name)
                at = [agents.index(agent) + (place - (len(series) - 1) / 2) * apart for agent in behind["agent"]]
                axes.plot(behind["value"], at, "|", color=PALE, markersize=4, zorder=1)
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
