"""The figures of the rivals."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hierq.figures.panels import fixed_ticks, handle, label_left, legend_above, lines_across, new_panels, world_panels
from hierq.figures.style import INK, LINES, PAGE_WIDTH, QUIET, printed
from hierq.investigations.investigation import NamedFigure
from hierq.investigations.measures import Measured
from hierq.investigations.results import Results
from hierq.investigations.rivals.plan import (
    BACKWARD,
    BUDGETS,
    DYNA,
    EPISODES,
    EPISODES_ACTING,
    HIER_Q,
    HIER_TB,
    HIERARCHY_BACKWARD,
    HINDSIGHT,
    LIMIT,
    ROW_OF,
    SWEEPING,
    TRANSITIVE,
    Q,
    rows_of,
    with_budget,
)
from hierq.investigations.rivals.tables import (
    KNOWN,
    LOSS,
    REACHED,
    TIME,
    TRAINING,
    WORLDS,
    megabytes,
    numbers,
    over_worlds,
    worlds_of_the_paper,
)
from hierq.studies.reaching import MARKS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STUDY = "traces"
COLOURS = {
    "limit": INK,
    "family": "#b0487c",
    "hierarchy": "#2f8fd0",
    "flat": "#7a7a7a",
    "rivals": "#3a9d77",
    "model": "#d98200",
}
FAMILIES = {
    "limit": "the limit",
    "family": "backward replay",
    "hierarchy": "hierarchies",
    "flat": "flat agents of the paper and their like",
    "rivals": "other rivals",
    "model": "rivals with a budget",
}
BUDGET_COLOURS = ("#d98200", "#8a4b00", "#3a9d77")
MARKERS = {"limit": "*", "family": "s", "hierarchy": "^", "flat": "o", "rivals": "D", "model": "v"}
NAME_SIDES: tuple[dict[str, Any], ...] = (
    {"xytext": (6, -2), "va": "top"},
    {"xytext": (-4, 4), "va": "bottom", "ha": "right"},
)
IN_CURVES = (
    LIMIT,
    BACKWARD,
    HIERARCHY_BACKWARD,
    HIER_Q,
    HIER_TB,
    Q,
    TRANSITIVE,
    with_budget(DYNA, 10),
    with_budget(SWEEPING, 10),
)


def _look(row: str) -> dict[str, Any]:
    family = ROW_OF[row].family
    return {"color": COLOURS[family], "marker": MARKERS[family]}


def _legend(figure: "Figure") -> None:
    handles = [
        handle(FAMILIES[family], color=COLOURS[family], marker=MARKERS[family], linestyle="none", markersize=4)
        for family in FAMILIES
    ]
    legend_above(figure, handles, columns=3)


@printed
def draw_glance(results: Results) -> "Figure":
    """All rows at a glance: what they know, how well they act on it, and what that costs."""
    found = numbers(results, STUDY)
    means = {name: over_worlds(found, name) for name in (KNOWN, LOSS, TIME)}
    order = sorted(means[KNOWN], key=lambda row: means[KNOWN][row].value)
    sizes = {row: megabytes(row, worlds_of_the_paper(found)) for row in order}
    titles = (
        "share of ways\nthat are known",
        "evaluation steps\n/ optimum",
        "µs of learning\nper step",
        "MB of tables\nand memory",
    )
    figure, panels = _row_panels(order, titles)
    for y, row in enumerate(order):
        value, low, high = means[KNOWN][row].interval
        _dot(panels[0], y, row, (value, max(low, 0.0), min(high, 1.0)))
        value, low, high = means[LOSS][row].interval
        _dot(panels[1], y, row, [math.exp(end) for end in (value, max(low, 0.0), high)])
        value, low, high = means[TIME][row].interval
        _dot(panels[2], y, row, (value, max(low, value / 3), high))
        _dot(panels[3], y, row, [sizes[row]] * 3)
    panels[0].set_xlim(0, 1.05)
    values = [
        [math.exp(means[LOSS][row].value) for row in order],
        [means[TIME][row].value for row in order],
        sizes.values(),
    ]
    for axes, numbers_there in zip(panels[1:], values, strict=True):
        _logarithmic(axes, numbers_there)
    _legend(figure)
    return figure


def _row_panels(rows: Sequence[str], titles: Sequence[str]) -> tuple["Figure", list["Axes"]]:
    """Panels side by side, a line in each for every row, from the bottom up."""
    figure, panels = new_panels(PAGE_WIDTH, 0.2 * len(rows) + 1.2, 1, len(titles), sharey=True)
    for axes, title in zip(panels, titles, strict=True):
        axes.set_title(title)
        lines_across(axes, "both")
    panels[0].set_yticks(range(len(rows)), rows)
    return figure, panels


def _dot(axes: "Axes", y: float, row: str, interval: Sequence[float], hollow: bool = False) -> None:
    value, low, high = interval
    face: dict[str, Any] = {"markerfacecolor": "white"} if hollow else {}
    axes.hlines(y, low, high, color=_look(row)["color"], linewidth=1.2)
    axes.plot([value], [y], markersize=4, linestyle="none", **_look(row), **face)


def _logarithmic(axes: "Axes", values: Iterable[float]) -> None:
    """A logarithmic axis for some numbers, with a few that are written out."""
    there = list(values)
    low, high = 0.75 * min(there), 1.5 * max(there)
    ticks = [digit * 10.0**power for power in range(-3, 7) for digit in (1, 3)]
    inside = [tick for tick in ticks if low <= tick <= high]
    axes.set(xscale="log", xlim=(low, high))
    fixed_ticks(axes.xaxis, inside if len(inside) <= 4 else inside[::2], "{x:g}")


@printed
def draw_curves(results: Results) -> "Figure":
    """How the share of ways that are known grows with episodes, in every world."""
    return _curves(results, "informed", range(1, EPISODES + 1), "episodes learnt from")


@printed
def draw_by_steps(results: Results) -> "Figure":
    """The same after fixed numbers of steps."""
    return _curves(results, "known_at", MARKS, "steps learnt from (log scale)")


def _curves(results: Results, column: str, x: Sequence[int], label: str) -> "Figure":
    """Lines over what was learnt from, with bands; a panel for each world."""
    frame, rows = results.needed(STUDY), rows_of(STUDY)
    names = {row.name: agent for agent, row in rows.items()}
    figure, panels = world_panels(frame["world"])
    for world, axes in panels.items():
        for place, row in enumerate(IN_CURVES):
            runs = frame.filter((pl.col("world") == world) & (pl.col("agent") == names[row]))
            if runs.is_empty():
                continue
            shares = np.array(runs[column].to_list(), float)
            mean, error = shares.mean(axis=0), shares.std(axis=0, ddof=min(1, len(shares) - 1)) / math.sqrt(len(shares))
            there, colour = list(x)[: len(mean)], _look(row)["color"]
            axes.fill_between(there, mean - 1.96 * error, mean + 1.96 * error, color=colour, alpha=0.15, linewidth=0)
            axes.plot(there, mean, markersize=2.6, linewidth=1.1, linestyle=_line(place), **_look(row))
        axes.set(ylim=(0, 1.04))
        if x is MARKS:
            axes.set(xscale="log", xlim=(0.8 * x[0], 1.25 * x[-1]))
            fixed_ticks(axes.xaxis, (100, 1_000, 10_000), "{x:,.0f}")
        else:
            axes.set(xlim=(x[0] - 0.3, x[-1] + 0.3))
            fixed_ticks(axes.xaxis, (1, 5, 10))
        lines_across(axes)
    label_left(figure, "share of ways", "that are known")
    figure.supxlabel(label)
    handles = [
        handle(row, linestyle=_line(place), markersize=3.4, linewidth=1.1, **_look(row))
        for place, row in enumerate(IN_CURVES)
    ]
    legend_above(figure, handles, columns=3)
    return figure


def _line(place: int) -> Any:
    """Rows of one family that are drawn together have different lines."""
    family = ROW_OF[IN_CURVES[place]].family
    before = sum(ROW_OF[row].family == family for row in IN_CURVES[:place])
    return LINES[before % len(LINES)]


@printed
def draw_pareto(results: Results) -> "Figure":
    """What is known against what it costs; rows on the edge are named."""
    found = numbers(results, STUDY)
    known, spent = over_worlds(found, KNOWN), over_worlds(found, TIME)
    costs = {
        "µs of learning per step": {row: spent[row].value for row in known},
        "MB of tables and memory": {row: megabytes(row, worlds_of_the_paper(found)) for row in known},
    }
    figure, panels = new_panels(PAGE_WIDTH, 3.3, 1, 2, sharey=True)
    for axes, (label, cost) in zip(panels, costs.items(), strict=True):
        edge = on_the_edge(known, cost)
        axes.plot([cost[row] for row in edge], [known[row].value for row in edge], color=QUIET, linewidth=0.8, zorder=1)
        for row in known:
            axes.plot([cost[row]], [known[row].value], markersize=4.5, linestyle="none", **_look(row))
        for number, row in enumerate(edge):  # the names of neighbours stand on different sides of the line
            place, side = (cost[row], known[row].value), NAME_SIDES[number % 2]
            axes.annotate(row, place, textcoords="offset points", fontsize=7, **side)
        _logarithmic(axes, cost.values())
        axes.set(xlabel=f"{label} (log scale)", ylim=(0, 1.1))
        lines_across(axes)
    panels[0].set_ylabel("share of ways that are known")
    _legend(figure)
    return figure


def on_the_edge(known: Mapping[str, Measured], cost: Mapping[str, float]) -> list[str]:
    """The rows that no other row beats at the same cost or less, the cheapest first."""
    edge, best = [], -math.inf
    for row in sorted(known, key=lambda row: (cost[row], -known[row].value)):
        if known[row].value > best:
            edge.append(row)
            best = known[row].value
    return edge


@printed
def draw_budgets(results: Results) -> "Figure":
    """What a budget of updates buys."""
    found = numbers(results, STUDY)
    worlds = [world for world in WORLDS if any(cell.world == world for cell in found)]
    figure, panels = world_panels(worlds)
    by_name = {(cell.world, cell.row): each[KNOWN] for cell, each in found.items()}
    rivals: dict[str, dict[str, Any]] = {
        name: {"color": colour, "marker": marker, "linestyle": line, "markersize": 3.4}
        for name, colour, marker, line in zip((DYNA, SWEEPING, HINDSIGHT), BUDGET_COLOURS, "os^", LINES, strict=False)
    }
    beside: dict[str, dict[str, Any]] = {
        row: {"color": COLOURS[ROW_OF[row].family], "linestyle": line}
        for row, line in ((BACKWARD, LINES[1]), (HIER_Q, LINES[2]))
    }
    for world, axes in panels.items():
        for place, (name, look) in enumerate(rivals.items()):
            ends = np.array([by_name[world, with_budget(name, updates)].interval for updates in BUDGETS])
            x = np.array(BUDGETS) * 1.06 ** (place - 1)
            axes.vlines(x, ends[:, 1], ends[:, 2], linewidth=1.0, color=look["color"])
            axes.plot(x, ends[:, 0], linewidth=1.0, **look)
        for row, look in beside.items():
            axes.axhline(by_name[world, row].value, linewidth=1.0, **look)
        axes.set(xscale="log", ylim=(0, 1.04))
        fixed_ticks(axes.xaxis, BUDGETS, "{x:g}")
        lines_across(axes)
    label_left(figure, "share of ways", "that are known")
    figure.supxlabel("updates per step, N")
    legend_above(figure, [handle(name, **look) for name, look in (rivals | beside).items()], columns=3)
    return figure


@printed
def draw_acting(results: Results) -> "Figure":
    """What each row needs when it acts for itself, ε-greedily and with the explorer that counts."""
    explorers = {"ε-greedy": numbers(results, "acting"), "counting": numbers(results, "counting")}
    means = {
        (name, measure): over_worlds(found, measure)
        for name, found in explorers.items()
        for measure in (LOSS, TRAINING)
    }
    order = sorted(means["ε-greedy", LOSS], key=lambda row: -means["ε-greedy", LOSS][row].value)
    titles = {LOSS: "evaluation steps / optimum", TRAINING: f"training steps of {EPISODES_ACTING} episodes"}
    figure, panels = _row_panels(order, [f"{title} (log scale)" for title in titles.values()])
    for axes, measure in zip(panels, titles, strict=True):
        drawn = []
        for place, name in enumerate(explorers):
            for y, row in enumerate(order):
                ends = [math.exp(end) for end in means[name, measure][row].interval]
                _dot(axes, y + 0.16 * (1 - 2 * place), row, ends, hollow=place == 1)
                drawn.append(ends[0])
        _logarithmic(axes, drawn)
    fills = zip(explorers, (INK, "none"), strict=True)
    look: dict[str, Any] = {"color": INK, "marker": "o", "linestyle": "none", "markersize": 4}
    legend_above(figure, [handle(name, markerfacecolor=fill, **look) for name, fill in fills], columns=2)
    return figure


@printed
def draw_chance(results: Results) -> "Figure":
    """Evaluation in worlds where moves go astray; where there are holes, the share that reaches the goal."""
    found = numbers(results, "chance")
    worlds = list(dict.fromkeys(cell.world for cell in found))
    rows = list(dict.fromkeys(cell.row for cell in found))[::-1]
    by_name = {(cell.world, cell.row): each for cell, each in found.items()}
    measures = {world: LOSS if LOSS in by_name[world, rows[0]] else REACHED for world in worlds}
    said = {LOSS: "steps / optimum", REACHED: "share at the goal"}
    names = {world: world.replace("-slip-", "\nslip ").replace("-slippery", "\nslippery") for world in worlds}
    titles = [f"{names[world]}\n{said[measure]}" for world, measure in measures.items()]
    figure, panels = _row_panels(rows, titles)
    for axes, (world, measure) in zip(panels, measures.items(), strict=True):
        scaled = math.exp if measure == LOSS else float
        drawn = []
        for y, row in enumerate(rows):
            if (world, row) in by_name:
                drawn.append([scaled(end) for end in by_name[world, row][measure].interval])
                _dot(axes, y, row, drawn[-1])
        if measure == LOSS:
            _logarithmic(axes, [value for value, _, _ in drawn])
        else:
            axes.set_xlim(-0.04, 1.04)
    return figure


def figures() -> Iterable[NamedFigure]:
    """All figures."""
    needs = ((STUDY, None),)
    yield NamedFigure(
        "at-a-glance",
        "All rows at a glance",
        "From the same episodes, means over the paper’s worlds: the share of ways between seen states that are known, "
        "over ten episodes; evaluation steps over the optimum; time and memory of learning.",
        "A line for each row, the one that knows most above, with a dot and its interval in four panels.",
        needs,
        draw_glance,
    )
    yield NamedFigure(
        "curves",
        "How soon ways are known",
        "The share of pairs of the seen graph between which a greedy walk arrives, every choice of which had a value "
        "that was learnt. All learn from the same episodes; the limit knows all.",
        "A panel per world, lines over ten episodes with bands, that of the limit at 1.",
        needs,
        draw_curves,
    )
    yield NamedFigure(
        "steps",
        "The same, step by step",
        "The same share, had everything ended after exactly so many steps of the same episodes. Who learns when an "
        "episode is over learns then from the part there is. Where ten episodes have fewer steps, all of them count.",
        "A panel per world, lines over 100 to 10,000 steps with bands, that of the limit at 1.",
        needs,
        draw_by_steps,
    )
    yield NamedFigure(
        "pareto",
        "What it costs to know",
        "The same share, mean over episodes and the paper’s worlds, against time per step and memory. The line joins "
        "those than whom nobody knows more for less.",
        "Two panels of dots over logarithmic axes; a line along the upper left edge, whose dots are named.",
        needs,
        draw_pareto,
    )
    yield NamedFigure(
        "budgets",
        "What a budget of updates buys",
        "The same share for Dyna-Q, prioritised sweeping and hindsight replay with 1, 10 and 100 updates per step; "
        "backward replay and HierQ_3 as lines.",
        "A panel per world, three lines over the budget and two level ones.",
        needs,
        draw_budgets,
    )
    yield NamedFigure(
        "acting",
        "Everyone acts for itself",
        "Evaluation steps over the optimum and all training steps, means over the paper’s worlds, ε-greedily (full) "
        "and with the explorer that counts (hollow).",
        "A line for each row, the one that needs fewest evaluation steps above, with two dots in two panels.",
        (("acting", None), ("counting", None)),
        draw_acting,
    )
    yield NamedFigure(
        "chance",
        "Where moves go astray",
        "Mean evaluation steps over the optimum without chance, with a step size of 0.1, over fifty episodes; on the "
        "frozen lake, where holes end an episode, the share of evaluations that reach the goal.",
        "A line for each row that can learn there, with a dot for each of five worlds.",
        (("chance", None),),
        draw_chance,
    )
