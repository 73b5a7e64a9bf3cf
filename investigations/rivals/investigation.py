"""Is hierarchical credit assignment better than the obvious alternatives?"""

import math
from collections.abc import Mapping
from functools import partial
from operator import itemgetter

import polars as pl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import hierq
from hierq import PAPER_WORLDS
from hierq.figures import dots_figure, level_colour, printed, shares_figure
from hierq.investigations import Measured, NamedFigure, Results, column, mean_by, where

from . import plan
from .claims import CLAIMS
from .reaching import MARKS

MARKERS = {
    "oracle": "*",
    "backward replay": "s",
    "hierarchy": "^",
    "flat agent": "o",
    "other rival": "D",
    "rival with a budget": "v",
}
IN_CURVES = (plan.ORACLE, plan.BACKWARD, plan.HIERARCHY_BACKWARD, plan.HIER_Q, plan.HIER_ONE, plan.Q, plan.WATKINS_ONE)
IN_CURVES += (plan.with_budget(plan.DYNA, 10), plan.with_budget(plan.SWEEPING, 10))
SOLVED = ("share of reachable", "pairs solved")


def means(results: Results, study: str, measure: str) -> dict[str, Measured]:
    """Means over the paper's worlds by method, the best first, of those that have the measure in all of them."""
    numbers = where(column(results.table(study, fewest=1), measure), world=PAPER_WORLDS)
    worlds, methods = {cell.world for cell in numbers}, [cell.method for cell in numbers]
    found = {name: mean for name, mean in mean_by(numbers, "method").items() if methods.count(name) == len(worlds)}
    return dict(sorted(found.items(), key=lambda item: -item[1].value))


def at_a_glance(results: Results) -> dict[str, pl.DataFrame]:
    """All methods from the same episodes: what they solve, how they act on it, and what that costs."""
    if results.runs("traces") is None:
        return {}
    columns = {
        "after 1 episode": plan.solved_after(1),
        "after 10": plan.solved_after(plan.EPISODES),
        "stretch": plan.STRETCH,
        "ln(steps / shortest)": plan.LOSS,
        "evaluations that arrive": plan.REACHED,
        "rows a step": plan.WRITTEN,
        "µs a step": plan.TIME,
    }
    found = {name: means(results, "traces", measure) for name, measure in columns.items()}
    rows = []
    for method, known in means(results, "traces", plan.KNOWN).items():
        value, low, high = known.interval
        told = {"method": method, "k": plan.METHOD_OF[method].config.levels}
        told["solved"] = f"{value:.3f} ({low:.3f} to {high:.3f})"
        rows.append(
            told | {name: round(numbers[method].value, 3) for name, numbers in found.items() if method in numbers}
        )
    return {"at-a-glance": pl.DataFrame(rows, infer_schema_length=None)}


def values(results: Results) -> dict[str, object]:
    """For the page: the share of pairs that a method solves."""
    known = means(results, "traces", plan.KNOWN) if results.runs("traces") is not None else {}
    return {"share": lambda name: f"{known[name].value:.3f}" if name in known else "(not run)"}


@printed
def draw_pareto(results: Results) -> Figure:
    """What is solved against what it costs: colour tells k, the marker the kind; the Pareto front is named."""
    known = {name: number.value for name, number in means(results, "traces", plan.KNOWN).items()}
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for axes, measure in zip(panels, (plan.TIME, plan.WRITTEN), strict=True):
        cost = {name: number.value for name, number in means(results, "traces", measure).items()}
        front = pareto_front({name: known[name] for name in known if name in cost}, cost)
        axes.plot([cost[name] for name in front], [known[name] for name in front], color="#6e6e6e", linewidth=0.8)
        for name in cost:
            method = plan.METHOD_OF[name]
            look = {"color": level_colour(method.config.levels - 1), "marker": MARKERS[method.family]}
            axes.plot([cost[name]], [known[name]], markersize=4.5, linestyle="none", **look)
        for number, name in enumerate(name for name in front if known[name] > 0.5):
            side = {"xytext": (5, -3), "va": "top"} if number % 2 else {"xytext": (-4, 4), "ha": "right"}
            axes.annotate(name, (cost[name], known[name]), textcoords="offset points", fontsize=6.5, **side)
        axes.set(xscale="log", xlabel=f"{measure} (log scale)", xlim=(0.15, 400), ylim=(0, 1.12))
    panels[0].set_ylabel(plan.KNOWN)
    looks = {f"k = {k}": {"marker": "o", "color": level_colour(k - 1)} for k in (1, 2, 3)}
    looks |= {kind: {"marker": marker, "color": "#6e6e6e"} for kind, marker in MARKERS.items()}
    marks = [Line2D([], [], label=name, linestyle="none", markersize=4, **look) for name, look in looks.items()]
    figure.legend(handles=marks, loc="outside upper center", ncols=5)
    return figure


def pareto_front(known: Mapping[str, float], cost: Mapping[str, float]) -> list[str]:
    """The methods that no other beats at the same cost or less, the cheapest first."""
    front, best = [], -math.inf
    for name in sorted(known, key=lambda name: (cost[name], -known[name])):
        if known[name] > best:
            front.append(name)
            best = known[name]
    return front


def draw_curves(results: Results, by_steps: bool = False) -> Figure:
    """How the share of pairs that are solved grows with episodes or with steps, in every world."""
    table = results.table("traces", fewest=1)
    marks, unit = (MARKS, "steps") if by_steps else (plan.AFTER, "episodes")
    rows = [
        (cell.world, cell.method, cell.levels, x, *number.interval)
        for x in marks
        for cell, number in where(column(table, plan.solved_after(x, unit)), method=IN_CURVES).items()
    ]
    return shares_figure(rows, IN_CURVES, SOLVED, f"{unit} learnt from (log scale)", marks[::2], log=True)


def draw_budgets(results: Results) -> Figure:
    """What a number of updates buys; backward replay and HierQ₃, which have no such number, as level lines."""
    shown, rows = (plan.DYNA, plan.SWEEPING, plan.HINDSIGHT, plan.BACKWARD, plan.HIER_Q), []
    for cell, number in column(results.table("traces", fewest=1), plan.KNOWN).items():
        name, _, updates = cell.method.partition(", N = ")
        if name in shown:
            at = (int(updates),) if updates else plan.BUDGETS
            rows += [(cell.world, name, cell.levels, x, *number.interval) for x in at]
    return shares_figure(rows, shown, SOLVED, "updates per step, N", plan.BUDGETS, log=True)


def draw_acting(results: Results) -> Figure:
    """What each method needs when it acts for itself, ε-greedily and with the explorer that counts."""
    rows = []
    for said, measure in (("evaluation, ln(steps / shortest path)", plan.LOSS), ("training, ln(steps)", plan.TRAINING)):
        for study, series in (("acting", "ε-greedy"), ("counting", "counting")):
            if results.runs(study) is not None:
                rows += [(said, n, series, *m.interval) for n, m in means(results, study, measure).items()]
    return dots_figure(_in_one_order(rows), "logarithms of steps")


def draw_slip(results: Results) -> Figure:
    """Evaluation steps where moves slip, by step size."""
    numbers = column(results.table("slip", fewest=1), plan.LOSS)
    rows = [(c.world, c.method, f"α = {c.step_size:g}", *number.interval) for c, number in numbers.items()]
    return dots_figure(_in_one_order(rows), plan.LOSS)


def _in_one_order(rows: list[tuple]) -> list[tuple]:
    """By panel, series and method."""
    return sorted(rows, key=itemgetter(0, 2, 1))


DOTS = "Two panels of dots, the share solved against µs and rows per step; a line joins the Pareto front."
PANELS = "A panel per world: the share of reachable pairs that are solved, a line for each method."
ROWS = "A row for each method with a dot for each way of acting or step size."
investigation = hierq.Investigation(
    title="Which methods assign credit fastest",
    question="Is hierarchical credit assignment better than the obvious alternatives? "
    f"{len(plan.METHODS)} methods on the same worlds and from the same episodes, from one-step Q-learning to an oracle "
    "that knows all that was seen.",
    studies=plan.parts(),
    claims=CLAIMS,
    figures=(
        NamedFigure("pareto", "What is solved, and what it costs", DOTS, draw_pareto, "traces"),
        NamedFigure("curves", "Episode by episode", PANELS, draw_curves, "traces"),
        NamedFigure("by-steps", "Step by step", PANELS, partial(draw_curves, by_steps=True), "traces"),
        NamedFigure("budgets", "What updates buy", PANELS, draw_budgets, "traces"),
        NamedFigure("acting", "Every method acts for itself", ROWS, draw_acting, "acting"),
        NamedFigure("slip", "Where moves slip", ROWS, draw_slip, "slip"),
    ),
    tables=at_a_glance,
    values=values,
)
