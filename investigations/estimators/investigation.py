"""What does hierarchy add once credit travels freely along the trace?"""

import math
from functools import partial
from itertools import pairwise

import numpy as np

import hierq
from hierq import make_world, shortest_path
from hierq.figures import dots_figure, levels_figure, map_figure
from hierq.investigations import (
    Contrast,
    Measured,
    Results,
    column,
    contrast,
    mean_by,
    mean_of,
    minus,
    read_claims,
    where,
)

from . import plan
from .plan import BACKWARD, CELLS, OPERATORS, SHOWN, TRACES, parts
from .random_start import OPEN

# From credit that travels one hop to credit that travels along the whole trace.
NAMES = ("one step", "Tree-Backup(3)", "Watkins’ Q(.8)", "Watkins’ Q(1)", "backward")
REACHES = {name: {"operator": cell[0], "hops": cell[1]} for name, cell in zip(NAMES, plan.BY_REACH, strict=True)}
ONE_STEP, THREE_HOPS, LAMBDA, LAMBDA_ONE, BACKWARD_REPLAY = REACHES.values()
SARSA = {"operator": "SARSA(λ)"}
THREE_LEVELS = {"levels": 3, "horizon": 3}
STEPS, FIRST_EVALUATION, FIRST_EPISODE = "log_steps", "first_evaluation", "first_episode"
MORE = {"levels": (2, 3, 4)}
FLAT = {"levels": 1, "horizon": 0}


def levels_over_flat(measure: str, kind: dict[str, str]) -> Contrast:
    """Agents of a kind with more levels minus those with one."""
    return contrast("levels", measure, {**kind, **MORE}, FLAT)


def best_of_the_paper(results: Results) -> dict[str, Measured]:
    """Flat backward replay minus the best of the paper's agents in each world, chosen by the same seeds."""
    ours = where(column(results.table("levels"), STEPS), **BACKWARD_REPLAY, levels=1)
    paper = column(results.table("paper"), STEPS)
    best = {}
    for cell, number in paper.items():
        if cell.world not in best or number.value < best[cell.world].value:
            best[cell.world] = number
    return {cell.world: number - best[cell.world] for cell, number in ours.items() if cell.world in best}


def falling_gains(results: Results) -> dict[str, Measured]:
    """What three levels gain over one with an estimator, minus the gain with the one before it in REACHES."""
    numbers = column(results.table("levels"), STEPS)
    gains = {name: mean_of(minus(numbers, {**kind, **FLAT}, THREE_LEVELS).values()) for name, kind in REACHES.items()}
    names = list(gains)
    return {f"{after} after {before}": gains[after] - gains[before] for before, after in pairwise(names)}


CLAIMS = read_claims(
    __file__,
    {
        "backward-beats-the-paper": best_of_the_paper,
        "levels-online": levels_over_flat(STEPS, ONE_STEP),
        "levels-tree-backup": levels_over_flat(STEPS, THREE_HOPS),
        "levels-traces": levels_over_flat(STEPS, LAMBDA),
        "levels-long-traces": levels_over_flat(STEPS, LAMBDA_ONE),
        "levels-backward": levels_over_flat(STEPS, BACKWARD_REPLAY),
        "less-to-gain": falling_gains,
        "levels-after-one-episode": levels_over_flat(FIRST_EVALUATION, BACKWARD_REPLAY),
        "levels-within-the-first-episode": levels_over_flat(FIRST_EPISODE, THREE_HOPS),
        "levels-with-slip": contrast("acting", STEPS, {"levels": 2}, FLAT),
        "levels-with-other-horizons": contrast("horizons", STEPS, {"levels": (2, 3)}, FLAT),
        "levels-with-random-values": contrast("random", STEPS, {"levels": 2}, FLAT),
        "random-values-close-gates": contrast("random", OPEN, {}),
        "all-paths-best": contrast("family", STEPS, {"hops": "all-max", "levels": 3}, {"hops": "stride"}),
        "best-path-beats-mean": contrast("family", STEPS, {"hops": "all-max", "levels": 3}, {"hops": "all-mean"}),
        "sarsa-worse-than-q-learning": contrast("levels", STEPS, {**SARSA, "hops": "stride", **FLAT}, ONE_STEP),
        "sarsa-worse-than-tree-backup": contrast("family", STEPS, SARSA, {"operator": "Tree-Backup"}),
    },
)


THREE = "three levels"  # SHOWN, in words
LABELS = {
    STEPS: ("steps per evaluation episode,", "geometric mean"),
    FIRST_EVALUATION: ("steps of the first evaluation,", "geometric mean"),
    FIRST_EPISODE: ("steps of the first training episode,", "geometric mean"),
}


def draw_levels(results: Results, measure: str):
    """A measure over the number of levels, world by world, a line for each way in which credit travels."""
    rows = [
        row
        for name, kind in REACHES.items()
        for row in results.rows("levels", measure, lambda cell, name=name: (cell.world, name, cell.levels), **kind)
    ]
    if measure == FIRST_EPISODE:
        return levels_figure(rows, list(REACHES), LABELS[measure])
    shortest = {world: float(shortest_path(make_world(world))) for world, *_ in rows}
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


def draw_acting(results: Results):
    """Two levels and one where moves slip, by step size."""

    def words(cell):
        return cell.world, f"{cell.operator}, {cell.hops}, α = {cell.step_size:g}", f"k = {cell.levels}"

    rows = sorted(results.rows("acting", STEPS, words), key=lambda row: row[2])
    return dots_figure(rows, "mean ln(steps) per evaluation")


investigation = hierq.Investigation(
    title="What hierarchy adds when credit travels freely",
    question="What do more levels add once flat agents, too, send credit far back along an episode?",
    studies=parts(),
    claims=CLAIMS,
    figures={
        "levels": partial(draw_levels, measure=STEPS),
        "gains": draw_gains,
        "map": draw_map,
        "first-evaluation": partial(draw_levels, measure=FIRST_EVALUATION),
        "first-episode": partial(draw_levels, measure=FIRST_EPISODE),
        "acting": draw_acting,
    },
)
