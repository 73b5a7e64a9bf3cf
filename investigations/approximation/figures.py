"""The figures: far goals reached by method and form, controls, open gates, and values over the map."""

import math

import polars as pl

from hierq.approximate import Levels, PointWorld, Tiles, random_walks
from hierq.figures import dots_figure, point_values_figure
from hierq.investigations import NamedFigure, NotRun, Results, column

from .plan import ANEW, ARRIVED, GATE, ORDER, SAMPLES, STUDIES, TREE_BACKUP, WALKS, config

DOTS = {"world": pl.String, "agent": pl.String, "series": pl.String, "value": float, "low": float, "high": float}
SERIES = {
    "main": "after-states",
    "joint": "the paper’s form",
    "bridge": "start at 0",
    "bridge-random": "start at random",
}


def dots(results: Results, studies: tuple[str, ...], measure: str, hops: str = "stride"):
    """A row for every agent, a dot for every study."""
    rows = []
    for study in studies:
        if results.runs(study) is None:
            continue
        for cell, number in column(results.table(study, fewest=1), measure).items():
            if cell.hops == hops:
                series = SERIES.get(study, study)
                rows.append((cell.world, f"k = {cell.levels}, {cell.method}", series, *number.interval))
    if not rows:
        raise NotRun(f"no study has {measure}")
    return dots_figure(
        pl.DataFrame(rows, DOTS, orient="row").sort("world", "agent", maintain_order=True), measure, math.nan
    )


def draw_controls(results: Results):
    """Tree-Backup in every study of one control each, on maze-10."""
    rows = []
    for part in STUDIES:
        if part.name.startswith("bridge") or part.name in ("held-out", "joint") or results.runs(part.name) is None:
            continue
        table = results.table(part.name, fewest=1)
        for cell, number in column(table, ARRIVED).items():
            if (cell.world, cell.method) == ("maze-10", TREE_BACKUP):
                control = part.name if cell.hops == "stride" else "hops of one step"
                rows.append((cell.world, control, f"k = {cell.levels}", *number.interval))
                if part.name == "main" and cell.levels > 1 and cell.hops == "stride":
                    anew = column(table, ANEW)[cell]
                    rows.append((cell.world, "asked anew", f"k = {cell.levels}", *anew.interval))
    return dots_figure(pl.DataFrame(rows, DOTS, orient="row"), ARRIVED, math.nan)


def draw_values(results: Results):
    """Values of three levels on tiles over a map, and a walk; of one seed, made when the page is."""
    points = PointWorld("maze-10")
    levels = Levels(points, config(TREE_BACKUP, 3), Tiles(4), seed=0)
    levels.learn_from(random_walks(points, WALKS, seed=0), samples=SAMPLES)
    return point_values_figure(levels, (11, 11), walk=levels.walk((1, 1), (11, 11)))


ROWS = "A row for each agent with a dot and an interval for each series."
FIGURES = (
    NamedFigure("arrived", "Far goals reached", ROWS, lambda r: dots(r, ("main", "joint"), ARRIVED), "main"),
    NamedFigure("order", "Order of values", ROWS, lambda r: dots(r, ("main", "joint"), ORDER), "main"),
    NamedFigure("gates", "Open gates above level 0", ROWS, lambda r: dots(r, ("main", "joint"), GATE), "main"),
    NamedFigure("controls", "One thing changed", ROWS, draw_controls, "main"),
    NamedFigure("bridge", "In tables", ROWS, lambda r: dots(r, ("bridge", "bridge-random"), ARRIVED), "bridge"),
    NamedFigure(
        "bridge-gates", "Gates in tables", ROWS, lambda r: dots(r, ("bridge", "bridge-random"), GATE), "bridge"
    ),
    NamedFigure(
        "values", "Values over the map", "Three maps coloured by value, and a walk from start to goal.", draw_values
    ),
)
