"""Is hierarchical credit assignment better than the obvious alternatives?"""

import math
from collections.abc import Iterable, Mapping
from functools import partial
from operator import itemgetter
from typing import NamedTuple

import polars as pl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import hierq
from hierq import PAPER_WORLDS
from hierq.figures import dots_figure, level_colour, printed, shares_figure
from hierq.investigations import Contrast, Measured, Results, column, contrast, mean_by, read_claims, where

from . import plan
from .reaching import MARKS

DYNA_10, SWEEPING_1, SWEEPING_10 = f"{plan.DYNA}, N = 10", f"{plan.SWEEPING}, N = 1", f"{plan.SWEEPING}, N = 10"


class Against(NamedTuple):
    """The method that another is compared with, and where."""

    world: str
    method: str


def of_pairs(measure: str, pairs: Iterable[tuple[tuple[str, str], tuple[str, str]]]) -> Contrast:
    """The first method of each pair minus the second, in every world that both have; each by its study and name."""

    def of(results: Results) -> dict[Against, Measured]:
        found = {}
        for pair in pairs:
            columns = (where(column(results.table(study), measure), method=name) for study, name in pair)
            ours, theirs = (mean_by(numbers, "world") for numbers in columns)
            found |= {Against(world, pair[1][1]): ours[world] - theirs[world] for world in ours if world in theirs}
        return found

    return of


def between(study: str, measure: str, one: str, *others: str, against: str = "") -> Contrast:
    """One method minus others, from the same episodes; those of another study, if it is named."""
    return of_pairs(measure, [((study, one), (against or study, other)) for other in others])


def over_options(one: str) -> Contrast:
    """Evaluation steps of a method minus those of agents with options, all acting for themselves."""
    return of_pairs(plan.LOSS, [(("acting", one), (name, name)) for name in plan.OPTIONS])


def by_budget(study: str, one: str, other: str, budgets: Iterable[tuple[int, int]]) -> Contrast:
    """Two methods with a budget, for some pairs of budgets."""
    names = [(plan.with_budget(one, ours), plan.with_budget(other, theirs)) for ours, theirs in budgets]
    return of_pairs(plan.KNOWN, [((study, ours), (study, theirs)) for ours, theirs in names])


def with_slip(one: str, other: str) -> Contrast:
    """Evaluation steps of two methods where moves slip."""
    kinds = ({"method": name, "levels": plan.METHOD_OF[name].config.levels} for name in (one, other))
    return contrast("slip", plan.LOSS, *kinds)


SAME_BUDGETS = [(updates, updates) for updates in plan.BUDGETS]
SAME_ENTRIES = [(as_many, updates) for updates, as_many in plan.AS_MANY_ENTRIES.items()]
CLAIMS = read_claims(
    __file__,
    {
        "backward-beats-the-papers-flat": between("traces", plan.KNOWN, plan.BACKWARD, *plan.FLAT_OF_THE_PAPER),
        "levels-solve-more": between("traces", plan.KNOWN, plan.HIER_Q, plan.Q),
        "levels-solve-more-with-long-traces": between("traces", plan.KNOWN, plan.HIER_ONE, plan.WATKINS_ONE),
        "levels-for-the-same-rows": between("traces", plan.KNOWN, plan.HIER_Q, DYNA_10),
        "levels-for-the-same-steps-and-rows": between(
            "traces", plan.KNOWN, plan.HIER_Q, plan.BACKWARD, plan.Q, against="passes"
        ),
        "sweeping-beats-backward-within": between("within", plan.KNOWN_AT, SWEEPING_1, plan.BACKWARD),
        "sweeping-beats-backward-after": between("traces", plan.KNOWN, SWEEPING_1, plan.BACKWARD),
        "hindsight-for-the-same-entries": by_budget("entries", plan.HINDSIGHT, plan.DYNA, SAME_ENTRIES),
        "levels-beat-options": over_options(plan.HIER_ONE),
        "backward-beats-options": over_options(plan.BACKWARD),
        "levels-shorten-paths": between("traces", plan.STRETCH, plan.HIERARCHY_BACKWARD, plan.BACKWARD),
        "sweeping-solves-nearly-all": contrast("traces", plan.solved_after(1), {"method": SWEEPING_10}),
        "urgency-beats-chance": by_budget("traces", plan.SWEEPING, plan.DYNA, SAME_BUDGETS),
        "all-goals-beat-five": by_budget("traces", plan.DYNA, plan.HINDSIGHT, SAME_BUDGETS),
        "transitive-is-backward": between("traces", plan.KNOWN, plan.BACKWARD, plan.TRANSITIVE),
        "counting-shortens-training": contrast("counting", plan.TRAINING, {}, {}, against=("acting", plan.TRAINING)),
        "backward-helps-with-slip": with_slip(plan.BACKWARD, plan.Q),
        "levels-help-with-slip": with_slip(plan.HIER_Q, plan.Q),
        "levels-help-backward-with-slip": with_slip(plan.HIERARCHY_BACKWARD, plan.BACKWARD),
        "the-same-in-a-large-maze": between("large", plan.KNOWN, plan.BACKWARD, plan.Q, plan.TREE_BACKUP, DYNA_10),
    },
)


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
    rows, digits = [], {"rows a step": 1, "µs a step": 1}
    for method, known in means(results, "traces", plan.KNOWN).items():
        value, low, high = known.interval
        told = {"method": method, "k": plan.METHOD_OF[method].config.levels}
        told["solved"] = f"{value:.3f} ({low:.3f} to {high:.3f})"
        rows.append(
            told | {name: round(of[method].value, digits.get(name, 3)) for name, of in found.items() if method in of}
        )
    return {"at-a-glance": pl.DataFrame(rows, infer_schema_length=None)}


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
            side = {"xytext": (7, -5), "va": "top"} if number % 2 else {"xytext": (-4, 4), "ha": "right"}
            side = {"xytext": (0, 6), "ha": "center"} if name == front[-1] else side
            axes.annotate(name, (cost[name], known[name]), textcoords="offset points", fontsize=6.5, **side)
        axes.set(xscale="log", xlabel=f"{measure} (log scale)", xlim=(0.08, 400), ylim=(0, 1.12))
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
    marks, unit = (MARKS, "steps") if by_steps else (plan.AFTER, "episodes")
    rows = []
    for x in marks:
        measure = plan.solved_after(x, unit)
        rows += results.rows("traces", measure, lambda c, x=x: (c.world, c.method, c.levels, x), method=IN_CURVES)
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
    rows = results.rows("slip", plan.LOSS, lambda cell: (cell.world, cell.method, f"α = {cell.step_size:g}"))
    return dots_figure(_in_one_order(rows), plan.LOSS)


def _in_one_order(rows: list[tuple]) -> list[tuple]:
    """By panel, series and method."""
    return sorted(rows, key=itemgetter(0, 2, 1))


investigation = hierq.Investigation(
    title="Which methods assign credit fastest",
    question="Is hierarchical credit assignment better than the obvious alternatives? "
    f"{len(plan.METHODS)} methods, from one-step Q-learning to an oracle that knows all that was seen.",
    studies=plan.parts(),
    claims=CLAIMS,
    figures={
        "pareto": draw_pareto,
        "curves": draw_curves,
        "by-steps": partial(draw_curves, by_steps=True),
        "budgets": draw_budgets,
        "acting": draw_acting,
        "slip": draw_slip,
    },
    tables=at_a_glance,
)
