"""Does Hierarchical Tree-Backup carry over to function approximation?"""

from functools import partial

import hierq
from hierq.approximate import Levels, PointWorld, Tiles, random_walks
from hierq.figures import dots_figure, point_values_figure
from hierq.investigations import Measured, Results, column, contrast, exactly, read_claims, where

from .plan import ANEW, ARRIVED, FAR_ORDER, GATE, MATCHED, ORDER, PENG, SAMPLES, STUDIES, TREE_BACKUP, WALKS, config

CHANCE = 1 / 17  # 16 candidates and the hop itself
ABOVE_0 = {"levels": (2, 3)}
TB, ONE = {"method": TREE_BACKUP}, {"method": MATCHED}
STRIDE, ONE_STEP = {**TB, "hops": "stride"}, {"hops": "single"}
reached = partial(contrast, measure=ARRIVED)


def over_flat(results: Results) -> dict[object, Measured]:
    """Three levels with Tree-Backup minus the best flat agent that had as many samples in all."""
    flat = column(results.table("thrice"), ARRIVED)
    ours = where(column(results.table("main"), ARRIVED), **STRIDE, levels=3)
    best = {cell.world: max(where(flat, world=cell.world).values(), key=lambda each: each.value) for cell in ours}
    return {cell: number - best[cell.world] for cell, number in ours.items()}


def gate_at_chance(results: Results) -> dict[str, Measured]:
    """Open gates above level 0 minus chance, with both forms."""
    found = {}
    for study in ("main", "joint"):
        rates = contrast(study, GATE, STRIDE, lambda _: exactly(CHANCE))(results)
        found |= {f"{study}, {cell.world}, k = {cell.levels}": rate for cell, rate in rates.items()}
    return found


CLAIMS = read_claims(
    __file__,
    {
        "tree-backup-joint": reached("joint", one=STRIDE, other=ONE),
        "tree-backup-after": reached("main", one={**STRIDE, **ABOVE_0}, other=ONE),
        "span-carries-order": contrast("main", FAR_ORDER, {**STRIDE, **ABOVE_0}, ONE_STEP),
        "levels-beat-flat": over_flat,
        "third-level": reached("main", one={**STRIDE, "levels": 3}, other={"levels": 2}),
        "gate-at-chance": gate_at_chance,
        "peng-over-tree-backup": reached("main", one={"method": PENG, "hops": "stride"}, other=TB),
        "form-matters": reached("main", one=TB, other=TB, against=("joint", ARRIVED)),
        "acting-matters": reached("main", one={**STRIDE, **ABOVE_0}, other=STRIDE, against=("main", ANEW)),
        "ties-vanish": contrast("bridge-random", GATE, TB, TB, against=("bridge", GATE)),
        "tables-tree-backup": reached("bridge", one=TB, other=ONE),
        "random-tables-tree-backup": reached("bridge-random", one=TB, other=ONE),
    },
)


SERIES = {
    "main": "after-states",
    "joint": "the paper’s form",
    "bridge": "start at 0",
    "bridge-random": "start at random",
}
CONTROLS = {"main": "as above", "thrice": "three times the samples", "untaught": "upper levels learn nothing"}
CONTROLS |= {"cells": "tables over cells", "velocity": "with velocity", "random-weights": "random weights at first"}
CONTROLS |= {"candidates-4": "4 candidates", "candidates-64": "64 candidates"}
CONTROLS |= {"noise-0": "no noise", "noise-0.6": "twice the noise"}
IN_TABLES = ("bridge", "bridge-random")


def draw(results: Results, measure: str, studies: tuple[str, ...] = ("main", "joint"), line: float | None = None):
    """A row for every agent, a dot for every study; the first study must be there."""
    rows = []
    for study in studies:
        if study == studies[0] or results.runs(study) is not None:
            said = SERIES[study]
            rows += results.rows(
                study, measure, lambda c, said=said: (c.world, f"k = {c.levels}, {c.method}", said), hops="stride"
            )
    return dots_figure(sorted(rows, key=lambda row: row[:2]), measure, line, most=3)


def draw_controls(results: Results):
    """Tree-Backup in every study of one control each, on maze-10."""
    rows = []
    for part in STUDIES:
        if part.name.startswith("bridge") or part.name in ("held-out", "joint") or results.runs(part.name) is None:
            continue
        table = results.table(part.name, fewest=1)
        anew = column(table, ANEW)
        for cell, number in where(column(table, ARRIVED), world="maze-10", method=TREE_BACKUP).items():
            control = CONTROLS[part.name] if cell.hops == "stride" else "hops of one step"
            rows.append((cell.world, control, f"k = {cell.levels}", *number.interval))
            if part.name == "main" and cell.hops == "stride" and cell.levels > 1:
                rows.append((cell.world, "sub-goals chosen at every step", f"k = {cell.levels}", *anew[cell].interval))
    return dots_figure(rows, ARRIVED)


def draw_values(results: Results):
    """Values of three levels on tiles over a map, and a walk; of one seed, made when the page is."""
    points = PointWorld("maze-10")
    levels = Levels(points, config(TREE_BACKUP, 3), Tiles(4), seed=0)
    levels.learn_from(random_walks(points, WALKS, seed=0), samples=SAMPLES)
    return point_values_figure(levels, (11, 11), walk=levels.walk((1, 1), (11, 11)))


investigation = hierq.Investigation(
    title="Does Hierarchical Tree-Backup carry over?",
    question="De Vries, Moerland and Plaat (2022) say that their Tree-Backup “should be readily applicable … even if "
    "(non-linear) function approximation is used”. Levels on tiles try it in continuous worlds.",
    studies=STUDIES,
    claims=CLAIMS,
    figures={
        "arrived": partial(draw, measure=ARRIVED),
        "order": partial(draw, measure=ORDER),
        "gates": partial(draw, measure=GATE, line=CHANCE),
        "controls": draw_controls,
        "bridge": partial(draw, measure=ARRIVED, studies=IN_TABLES),
        "bridge-gates": partial(draw, measure=GATE, studies=IN_TABLES),
        "values": draw_values,
    },
)
