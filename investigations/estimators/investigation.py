"""What does hierarchy add once credit travels freely along the trace?"""

import math
from functools import partial

import numpy as np

import hierq
from hierq import make_world, shortest_path
from hierq.figures import dots_figure, levels_figure, map_figure
from hierq.investigations import NamedFigure, Results, column, mean_by, minus, where

from .claims import CLAIMS, FIRST_EPISODE, FIRST_EVALUATION, FLAT, MORE, REACHES, STEPS
from .plan import BACKWARD, BIAS, CELLS, LUCK, OPERATORS, OTHERS, SHOWN, TRACES, parts

THREE = "three levels"  # SHOWN, in words
LABELS = {
    STEPS: ("steps per evaluation episode,", "geometric mean"),
    FIRST_EVALUATION: ("steps of the first evaluation,", "geometric mean"),
    FIRST_EPISODE: ("steps of the first training episode,", "geometric mean"),
    OTHERS: ("steps to other goals", "/ shortest path"),
}


def draw_levels(results: Results, measure: str, study: str = "levels"):
    """A measure over the number of levels, world by world, a line for each way in which credit travels."""
    numbers = column(results.table(study, fewest=1), measure)
    rows = [
        (cell.world, name, cell.levels, *number.interval)
        for name, kind in REACHES.items()
        for cell, number in where(numbers, **kind).items()
    ]
    if measure == FIRST_EPISODE:
        return levels_figure(rows, list(REACHES), LABELS[measure])
    shortest = {world: 1.0 if measure == OTHERS else float(shortest_path(make_world(world))) for world, *_ in rows}
    return levels_figure(rows, list(REACHES), LABELS[measure], shortest, called=("shortest path", ""))


def draw_gains(results: Results):
    """What k levels gain over one, against how far credit travels."""
    numbers = column(results.table("levels", fewest=1), STEPS)
    rows = [
        ("mean over the worlds", name, f"k = {k}", *(-gain).interval)
        for name, kind in REACHES.items()
        for k, gain in mean_by(minus(numbers, {**kind, **MORE}, FLAT), "levels").items()
    ]
    return dots_figure(rows, "ln(steps) of one level minus k levels", 0.0)


def draw_map(results: Results):
    """Operators × hops, for flat agents and for three levels."""
    numbers = where(column(results.table("family", fewest=1), STEPS), step_size=1.0)
    over = {cell: number.value - math.log(shortest_path(make_world(cell.world))) for cell, number in numbers.items()}
    groups = {1: "one level", SHOWN: THREE}
    columns = {groups[1]: ["each step", BACKWARD, TRACES], THREE: list(CELLS)}
    cells: dict[tuple[str, str, str], list[float]] = {}
    for cell, number in over.items():
        if cell.levels in groups:
            hops = "each step" if (cell.levels, cell.hops) == (1, "stride") else cell.hops
            cells.setdefault((cell.operator, groups[cell.levels], hops), []).append(number)
    return map_figure({key: float(np.mean(each)) for key, each in cells.items()}, list(OPERATORS), columns)


def draw_values(results: Results, measure: str, levels: int, label: str, truth: float):
    """How right values are where moves slip, for both step sizes."""
    numbers = where(column(results.table("chance", fewest=1), measure), levels=levels)
    rows = [
        (cell.world, f"{cell.operator}, {cell.hops}", f"step size {cell.step_size:g}", *number.interval)
        for cell, number in numbers.items()
    ]
    return dots_figure(rows, label, truth)


def draw_acting(results: Results):
    """Two levels and one where moves slip, by step size."""
    numbers = column(results.table("acting", fewest=1), STEPS)
    rows = [
        (cell.world, f"{cell.operator}, {cell.hops}, α = {cell.step_size:g}", f"k = {cell.levels}", *number.interval)
        for cell, number in numbers.items()
    ]
    return dots_figure(sorted(rows, key=lambda row: row[2]), "mean ln(steps) per evaluation")


PANELS = "A panel per world: steps over the number of levels, one line for each way in which credit travels."
GRIDS = "Two grids of coloured cells with numbers: flat agents, and three levels; a row for each operator."
ROWS = "A row for each kind of agent, with dots and their intervals."
BIASES = partial(draw_values, measure=f"{BIAS} 0", levels=1, label="values minus exact values, level 0", truth=0.0)
SHARES = partial(draw_values, measure=f"{LUCK} 1", levels=2, label="values of level 1 / luckiest path", truth=1.0)
investigation = hierq.Investigation(
    title="What hierarchy adds when credit travels freely",
    question="What do more levels add once credit travels freely along the trace? A family of return estimators: what "
    "passes through a hop, which hops there are, and when.",
    studies=parts(),
    claims=CLAIMS,
    figures=(
        NamedFigure("levels", "What levels add", PANELS, partial(draw_levels, measure=STEPS), "levels"),
        NamedFigure("gains", "Gain against how far credit travels", ROWS, draw_gains, "levels"),
        NamedFigure("map", "The family as a map", GRIDS, draw_map, "family"),
        NamedFigure(
            "first-evaluation", "After one episode", PANELS, partial(draw_levels, measure=FIRST_EVALUATION), "levels"
        ),
        NamedFigure(
            "first-episode", "Within the first episode", PANELS, partial(draw_levels, measure=FIRST_EPISODE), "levels"
        ),
        NamedFigure("goals", "Other goals", PANELS, partial(draw_levels, measure=OTHERS, study="goals"), "goals"),
        NamedFigure("acting", "Where moves slip", ROWS, draw_acting, "acting"),
        NamedFigure("bias", "Values where moves slip", ROWS, BIASES, "chance"),
        NamedFigure("luck", "Over-estimation in hindsight", ROWS, SHARES, "chance"),
    ),
)
