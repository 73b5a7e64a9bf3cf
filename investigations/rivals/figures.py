"""The figures of the methods, and the table at a glance."""

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from hierq import PAPER_WORLDS
from hierq.figures import dots_figure, level_colour
from hierq.figures.panels import fixed_ticks, handle, label_left, legend_above, lines_across, new_panels, world_panels
from hierq.figures.style import INK, LINES, PAGE_WIDTH, QUIET, printed
from hierq.investigations import Measured, Results, column, mean_by, read_figures, where

from .plan import (
    BACKWARD,
    BUDGETS,
    DYNA,
    EPISODES,
    FIRST_KNOWN,
    HIER_ONE,
    HIER_Q,
    HIERARCHY_BACKWARD,
    HINDSIGHT,
    KNOWN,
    LAST_KNOWN,
    LOSS,
    METHOD_OF,
    ORACLE,
    STRETCH,
    SWEEPING,
    TIME,
    TRAINING,
    WATKINS_ONE,
    WRITTEN,
    Q,
    methods_of,
    with_budget,
)
from .reaching import MARKS

DOTS = {"world": pl.String, "agent": pl.String, "series": pl.String, "value": float, "low": float, "high": float}
MARKERS = {"oracle": "*", "family": "s", "hierarchy": "^", "flat": "o", "rivals": "D", "model": "v"}
FAMILIES = {
    "oracle": "oracle",
    "family": "backward replay",
    "hierarchy": "hierarchies",
    "flat": "flat agents of the paper and their like",
    "rivals": "other rivals",
    "model": "rivals with a budget",
}
IN_CURVES = (ORACLE, BACKWARD, HIERARCHY_BACKWARD, HIER_Q, HIER_ONE, Q, WATKINS_ONE, with_budget(DYNA, 10))
IN_CURVES += (with_budget(SWEEPING, 10),)


def means(results: Results, study: str, measure: str) -> dict[str, Measured]:
    """Means over the paper's worlds by method, the best first, of those that have the measure in all of them."""
    numbers = where(column(results.table(study, fewest=1), measure), world=PAPER_WORLDS)
    worlds = {cell.world for cell in numbers}
    counts = {name: sum(cell.method == name for cell in numbers) for name in {cell.method for cell in numbers}}
    found = {name: mean for name, mean in mean_by(numbers, "method").items() if counts[name] == len(worlds)}
    return dict(sorted(found.items(), key=lambda item: -item[1].value))


def at_a_glance(results: Results) -> dict[str, pl.DataFrame]:
    """All methods from the same episodes: what they solve, how they act on it, and what that costs."""
    if results.runs("traces") is None:
        return {}
    measured = (KNOWN, FIRST_KNOWN, LAST_KNOWN, STRETCH, LOSS, WRITTEN, TIME)
    found = {measure: means(results, "traces", measure) for measure in measured}
    rows = []
    for name, known in found[KNOWN].items():
        value, low, high = known.interval
        row = {
            "method": name,
            "levels": METHOD_OF[name].config.levels,
            "solved": f"{value:.3f} ({low:.3f} to {high:.3f})",
        }
        row["after 1 episode"] = round(found[FIRST_KNOWN][name].value, 3)
        row["after 10"] = round(found[LAST_KNOWN][name].value, 3)
        row["stretch"] = round(found[STRETCH][name].value, 3) if name in found[STRETCH] else None
        row["steps / shortest"] = round(math.exp(found[LOSS][name].value), 2)
        row["rows a step"] = round(found[WRITTEN][name].value, 1)
        row["µs a step"] = round(found[TIME][name].value, 2)
        rows.append(row)
    return {"at-a-glance": pl.DataFrame(rows, infer_schema_length=None)}


def values(results: Results) -> dict[str, object]:
    """For the page: the share of pairs that a method solves."""
    known = means(results, "traces", KNOWN) if results.runs("traces") is not None else {}
    return {"share": lambda name: f"{known[name].value:.3f}" if name in known else "(not run)"}


def _look(name: str) -> dict[str, object]:
    """Colour tells the number of levels, the marker the kind of method."""
    method = METHOD_OF[name]
    return {"color": level_colour(method.config.levels - 1), "marker": MARKERS[method.family]}


@printed
def draw_pareto(results: Results):
    """What is solved against what it costs; methods on the Pareto front are named."""
    known = means(results, "traces", KNOWN)
    figure, panels = new_panels(PAGE_WIDTH, 3.6, 1, 2, sharey=True)
    for axes, measure in zip(panels, (TIME, WRITTEN), strict=True):
        cost = {name: number.value for name, number in means(results, "traces", measure).items()}
        front = pareto_front({name: known[name].value for name in known if name in cost}, cost)
        axes.plot([cost[n] for n in front], [known[n].value for n in front], color=QUIET, linewidth=0.8, zorder=1)
        for name in cost:
            axes.plot([cost[name]], [known[name].value], markersize=4.5, linestyle="none", **_look(name))
        for number, name in enumerate(front):
            side = {"xytext": (5, -3), "va": "top"} if number % 2 else {"xytext": (-4, 4), "ha": "right"}
            axes.annotate(name, (cost[name], known[name].value), textcoords="offset points", fontsize=6.5, **side)
        axes.set(xscale="log", xlabel=f"{measure} (log scale)", ylim=(0, 1.12))
        lines_across(axes)
    panels[0].set_ylabel(KNOWN)
    kinds = [
        handle(said, marker=MARKERS[k], linestyle="none", markersize=4, color=QUIET) for k, said in FAMILIES.items()
    ]
    levels = [
        handle(f"k = {k}", marker="o", linestyle="none", markersize=4, color=level_colour(k - 1)) for k in (1, 2, 3)
    ]
    legend_above(figure, [*levels, *kinds], columns=3)
    return figure


def pareto_front(known: Mapping[str, float], cost: Mapping[str, float]) -> list[str]:
    """The methods that no other beats at the same cost or less, the cheapest first."""
    front, best = [], -math.inf
    for name in sorted(known, key=lambda name: (cost[name], -known[name])):
        if known[name] > best:
            front.append(name)
            best = known[name]
    return front


@printed
def draw_curves(results: Results, by_steps: bool = False):
    """How the share of pairs that are solved grows with episodes or with steps, in every world."""
    frame, place_of = results.frame("traces"), range(1, EPISODES + 1)
    x, name = (MARKS, "known_at") if by_steps else (place_of, "informed")
    agents = dict(zip((each.name for each in methods_of("traces")), _agents("traces"), strict=True))
    figure, panels = world_panels(frame["world"])
    for world, axes in panels.items():
        for place, method in enumerate(IN_CURVES):
            runs = frame.filter((pl.col("world") == world) & (pl.col("agent") == agents[method]))
            if len(runs):
                mean = np.array(runs[name].to_list(), float).mean(axis=0)
                look = {"linestyle": LINES[place % 4], "markersize": 2.6, "linewidth": 1.0, **_look(method)}
                axes.plot(list(x)[: len(mean)], mean, **look)
        axes.set(ylim=(0, 1.04), **({"xscale": "log"} if by_steps else {}))
        fixed_ticks(axes.xaxis, (100, 1_000, 10_000) if by_steps else (1, 5, 10))
        lines_across(axes)
    label_left(figure, "share of reachable", "pairs solved")
    figure.supxlabel("steps learnt from (log scale)" if by_steps else "episodes learnt from")
    handles = [
        handle(method, linestyle=LINES[place % 4], markersize=3.4, linewidth=1.0, **_look(method))
        for place, method in enumerate(IN_CURVES)
    ]
    legend_above(figure, handles, columns=3)
    return figure


def _agents(study: str) -> list[str]:
    from hierq.studies.study import agent_id

    return [agent_id(each.config) for each in methods_of(study)]


@printed
def draw_budgets(results: Results):
    """What a number of updates buys."""
    numbers = column(results.table("traces", fewest=1), KNOWN)
    figure, panels = world_panels(cell.world for cell in numbers)
    names = dict(zip((DYNA, SWEEPING, HINDSIGHT), ("o", "s", "^"), strict=True))
    for world, axes in panels.items():
        here = {cell.method: number for cell, number in where(numbers, world=world).items()}
        for place, (name, marker) in enumerate(names.items()):
            ends = np.array([here[with_budget(name, updates)].interval for updates in BUDGETS])
            x = np.array(BUDGETS) * 1.06 ** (place - 1)
            axes.vlines(x, ends[:, 1], ends[:, 2], linewidth=1.0, color=level_colour(0))
            axes.plot(
                x,
                ends[:, 0],
                linewidth=1.0,
                color=level_colour(0),
                marker=marker,
                markersize=3.4,
                linestyle=LINES[place],
            )
        for method, line in ((BACKWARD, LINES[1]), (HIER_Q, LINES[2])):
            axes.axhline(here[method].value, linewidth=1.0, linestyle=line, color=_look(method)["color"])
        axes.set(xscale="log", ylim=(0, 1.04))
        fixed_ticks(axes.xaxis, BUDGETS, "{x:g}")
        lines_across(axes)
    label_left(figure, "share of reachable", "pairs solved")
    figure.supxlabel("updates per step, N")
    marks = [
        handle(name, marker=m, color=INK, linestyle=LINES[p], markersize=3.6)
        for p, (name, m) in enumerate(names.items())
    ]
    marks += [
        handle(m, linestyle=line, color=_look(m)["color"]) for m, line in ((BACKWARD, LINES[1]), (HIER_Q, LINES[2]))
    ]
    legend_above(figure, marks, columns=3)
    return figure


def draw_acting(results: Results):
    """What each method needs when it acts for itself, ε-greedily and with the explorer that counts."""
    rows = []
    for said, measure in (("evaluation, ln(steps / shortest path)", LOSS), ("training, ln(steps)", TRAINING)):
        for study, series in (("acting", "ε-greedy"), ("counting", "counting")):
            if results.runs(study) is not None:
                rows += [(said, n, series, *m.interval) for n, m in means(results, study, measure).items()]
    return dots_figure(_in_one_order(rows), "logarithms of steps", math.nan)


def draw_slip(results: Results):
    """Evaluation steps where moves slip, by step size."""
    numbers = column(results.table("slip", fewest=1), LOSS)
    rows = [(c.world, c.method, f"α = {c.step_size:g}", *number.interval) for c, number in numbers.items()]
    return dots_figure(_in_one_order(rows), LOSS, math.nan)


def _in_one_order(rows: list[tuple]) -> pl.DataFrame:
    return pl.DataFrame(rows, DOTS, orient="row").sort("world", "series", "agent", maintain_order=True)


FIGURES = read_figures(
    Path(__file__).with_name("figures.md").read_text(encoding="utf-8"),
    {
        "pareto": draw_pareto,
        "curves": draw_curves,
        "by-steps": lambda results: draw_curves(results, by_steps=True),
        "budgets": draw_budgets,
        "acting": draw_acting,
        "slip": draw_slip,
    },
)
