"""Does Hierarchical Tree-Backup carry over to function approximation?"""

import hierq
from hierq.approximate import Levels, PointWorld, Tiles, random_walks
from hierq.figures import dots_figure, point_values_figure
from hierq.investigations import NamedFigure, Results, column, where

from .claims import CLAIMS
from .plan import ANEW, ARRIVED, GATE, ORDER, SAMPLES, STUDIES, TREE_BACKUP, WALKS, config

SERIES = {
    "main": "after-states",
    "joint": "the paper’s form",
    "bridge": "start at 0",
    "bridge-random": "start at random",
}


def figure(name: str, title: str, measure: str, *studies: str) -> NamedFigure:
    """A row for every agent, a dot for every study."""

    def draw(results: Results):
        rows = [
            (cell.world, f"k = {cell.levels}, {cell.method}", SERIES[study], *number.interval)
            for study in studies
            if results.runs(study) is not None
            for cell, number in where(column(results.table(study, fewest=1), measure), hops="stride").items()
        ]
        return dots_figure(sorted(rows, key=lambda row: row[:2]), measure, most=3)

    return NamedFigure(
        name, title, "A row for each agent with a dot and an interval for each series.", draw, studies[0]
    )


def draw_controls(results: Results):
    """Tree-Backup in every study of one control each, on maze-10."""
    rows = []
    for part in STUDIES:
        if part.name.startswith("bridge") or part.name in ("held-out", "joint") or results.runs(part.name) is None:
            continue
        table = results.table(part.name, fewest=1)
        anew = column(table, ANEW)
        for cell, number in where(column(table, ARRIVED), world="maze-10", method=TREE_BACKUP).items():
            control = part.name if cell.hops == "stride" else "hops of one step"
            rows.append((cell.world, control, f"k = {cell.levels}", *number.interval))
            if control == "main" and cell.levels > 1:
                rows.append((cell.world, "asked anew", f"k = {cell.levels}", *anew[cell].interval))
    return dots_figure(rows, ARRIVED)


def draw_values(results: Results):
    """Values of three levels on tiles over a map, and a walk; of one seed, made when the page is."""
    points = PointWorld("maze-10")
    levels = Levels(points, config(TREE_BACKUP, 3), Tiles(4), seed=0)
    levels.learn_from(random_walks(points, WALKS, seed=0), samples=SAMPLES)
    return point_values_figure(levels, (11, 11), walk=levels.walk((1, 1), (11, 11)))


MAPS = "Three maps coloured by value, and a walk from start to goal."
investigation = hierq.Investigation(
    title="Does Hierarchical Tree-Backup carry over?",
    question="The paper says that its Tree-Backup “should be readily applicable … even if (non-linear) function "
    "approximation is used”. Levels on tiles try it in continuous worlds.",
    studies=STUDIES,
    claims=CLAIMS,
    figures=(
        figure("arrived", "Far goals reached", ARRIVED, "main", "joint"),
        figure("order", "Order of values", ORDER, "main", "joint"),
        figure("gates", "Open gates above level 0", GATE, "main", "joint"),
        NamedFigure(
            "controls", "One thing changed", "A row for each control with a dot for each k.", draw_controls, "main"
        ),
        figure("bridge", "In tables", ARRIVED, "bridge", "bridge-random"),
        figure("bridge-gates", "Gates in tables", GATE, "bridge", "bridge-random"),
        NamedFigure("values", "Values over the map", MAPS, draw_values),
    ),
)
