"""The figures of the family."""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import polars as pl

from hierq.agents import AgentConfig
from hierq.figures.family import LEVELS_SCHEMA, biases_figure, credit_figure, levels_figure, map_figure
from hierq.investigations.cells import Numbers, chosen
from hierq.investigations.claims import Untestable
from hierq.investigations.estimators.claims import estimator_name, shares_too_high, step_size_name
from hierq.investigations.estimators.plan import (
    BACKWARD,
    CELLS,
    DECAY,
    EPISODES_UNCUT,
    MEMBERS,
    OPERATORS,
    SHOWN,
    TRACES,
    UNCUT,
    UNCUT_DECAY,
    backup_of,
)
from hierq.investigations.estimators.tables import (
    BIAS,
    FIRST_EPISODE,
    FIRST_EVALUATION,
    LEARNING,
    LUCK,
    OTHERS,
    Cell,
    above_optimum,
    best_of_the_paper,
    numbers,
)
from hierq.investigations.investigation import NamedFigure
from hierq.investigations.measures import Measured
from hierq.investigations.results import Results
from hierq.reference import ReferenceAgent
from hierq.worlds import World, make_world, optimum

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = {
    "one step": ("one step", "stride"),
    "Tree-Backup, three hops": ("Tree-Backup", "stride"),
    "Watkins’ traces": ("Watkins’ Q(λ)", TRACES),
    "best of all paths": ("max", "all-max"),
    "backward": ("one step", BACKWARD),
}
MEASURES = {
    LEARNING: "over 50 evaluations",
    FIRST_EVALUATION: "of the first evaluation",
    FIRST_EPISODE: "of the first training episode",
}
THREE = "three levels"  # SHOWN, in words
TRACE = 40  # steps of the one trace


def draw_map(results: Results) -> "Figure":
    """Operators × hops, for flat agents and for three levels."""
    found = numbers(results, "family")
    times = above_optimum(found, sorted({cell.world for cell in found}))
    groups = {1: "one level", SHOWN: THREE}
    columns = {groups[1]: ["each step", BACKWARD, TRACES], THREE: list(CELLS)}
    values = {
        (operator, groups[levels], "each step" if (levels, hops) == (1, "stride") else hops): number
        for (operator, hops, levels), number in times.items()
        if levels in groups
    }
    if (uncut := results.runs("uncut")) is not None:
        for (hops, levels), share in shares_too_high(uncut).items():
            if levels == SHOWN:
                values[UNCUT, THREE, hops] = math.inf if share > 0.5 else -math.inf
    return map_figure(values, list(OPERATORS), columns)


def draw_levels(results: Results, measure: str = LEARNING) -> "Figure":
    """Steps over the number of levels, world by world."""
    found = numbers(results, "family")
    try:
        best: Mapping[str, tuple[str, Measured]] = best_of_the_paper(results) if measure == LEARNING else {}
    except Untestable:
        best = {}
    worlds = {cell.world for cell in found} if measure != FIRST_EPISODE else set()  # where the optimum means little
    optima = {world: float(optimum(make_world(world))) for world in worlds}
    limits = {world: number.value for world, (_, number) in best.items()}
    label = (f"geometric mean of steps {MEASURES[measure]},", "with 95 % intervals")
    return levels_figure(
        _lines(found, measure, limits), list(KINDS), optima, label, "best agent of the paper" if best else ""
    )


def draw_goals(results: Results) -> "Figure":
    """Steps towards goals that the agent was not trained for."""
    found = numbers(results, "goals")
    worlds = {cell.world for cell in found}
    label = ("steps towards other goals /", "shortest path")
    return levels_figure(_lines(found, OTHERS, {}), list(KINDS), dict.fromkeys(worlds, 1.0), label)


def _lines(found: dict[Cell, Numbers], measure: str, limits: Mapping[str, float]) -> pl.DataFrame:
    rows = []
    for name, (operator, hops) in KINDS.items():
        for cell in chosen(found, operator=operator):
            if cell.hops == hops or (cell.levels == 1 and cell.hops == "stride" and hops == "all-max"):
                rows.append((cell.world, name, cell.levels, *found[cell][measure].interval, limits.get(cell.world)))
    return pl.DataFrame(rows, LEVELS_SCHEMA, orient="row")


def draw_credit(_: Results | None) -> "Figure":
    """What one walk down a corridor teaches each estimator, one level and three."""
    corridor = World.from_text(f"{'#' * (TRACE + 3)}\n#S{'.' * (TRACE - 1)}G#\n{'#' * (TRACE + 3)}", name="corridor")
    shown = {
        f"{member.operator}, {member.hops}": (member.operator, member.hops)
        for member in MEMBERS["family"]
        if member.config.levels == SHOWN and "executed" not in member.hops  # in a replay no level asks for anything
        if member.hops == "stride" or member.operator in ("max", "one step") or member.hops == TRACES
    }
    values = {}
    for levels, title in ((1, "one level"), (SHOWN, f"the highest of {THREE}")):
        strips = {}
        for name, (operator, hops) in shown.items():
            agent = ReferenceAgent(corridor, AgentConfig(levels=levels, backup=backup_of(operator, hops)))
            agent.replay("E" * TRACE)
            strips[name] = agent.values(levels - 1)[:TRACE].tolist()
        values[title] = strips
    return credit_figure(values)


def draw_biases(results: Results, measure: str, level: int, label: str, truth: float) -> "Figure":
    """How right values are where moves go astray, for both step sizes."""
    found = numbers(results, "chance")
    rows = []
    for cell in chosen(found, levels=level + 1):
        interval = found[cell][f"{measure} {level}"].interval
        rows.append((cell.world, estimator_name(cell), step_size_name(cell), *interval))
    names = ("world", "agent", "series", "value", "low", "high")
    frame = pl.DataFrame(rows, names, orient="row").sort("series", descending=True, maintain_order=True)
    return biases_figure(frame, label, truth)


def _needs(*studies: str) -> tuple[tuple[str, None], ...]:
    return tuple((study, None) for study in studies)


def figures() -> Iterable[NamedFigure]:
    """All figures, the map first."""
    panel = "A panel per world. Lines over the number of levels, one for each kind of estimator, with intervals; "
    key = "Best of all paths is the operator max over all-max; backward is one step, backward."
    yield NamedFigure(
        "map",
        "The family as a map",
        "Rows say what passes through a hop, columns which hops there are, or when credit is sent. A number is how "
        "many times the shortest path an evaluation episode takes, as the geometric mean over 50 evaluations and all "
        f"worlds; light is good. λ is {DECAY}, but {UNCUT_DECAY} for values that are never cut. Those were tried in a "
        f"hierarchy for {EPISODES_UNCUT} episodes only: ∞ says that they grew beyond what is possible in most runs, ok "
        "that they did in fewer. Cells without a word are the same as another one, or were not run.",
        "Two grids of coloured cells with numbers, one for flat agents with three columns, one for three levels with "
        "nine columns; eight rows of operators.",
        _needs("family"),
        draw_map,
    )
    yield NamedFigure(
        "credit",
        "How far credit comes on one trace",
        f"A walk of {TRACE} steps down a corridor, once, with nothing known before. A strip is the value of the states "
        "before the goal, as the highest level has them; a number says where credit ended, if it did not come to the "
        "beginning. Values shrink by γ = 0.95 for each action, which is a step for one level and up to nine for the "
        f"highest of three; those of eligibility traces by λ = {DECAY} as well. Shown are all operators over "
        "strides, and max over all hops: with nothing known before, other operators would look the same over them.",
        "Two panels of horizontal strips, a row for each estimator. Left most strips are very short and three are "
        "full; right most are longer.",
        (),
        draw_credit,
    )
    yield NamedFigure(
        "levels",
        "What levels add",
        "Steps of the 50 evaluations. Lower is better; dotted is the best of the paper’s own agents in each world. "
        + key,
        panel + "a dashed line at the optimum and a dotted one at the best agent of the paper.",
        _needs("family"),
        draw_levels,
    )
    yield NamedFigure(
        "first-evaluation",
        "After a single episode",
        "Steps of the first evaluation, after one training episode. Lower is better. " + key,
        panel + "a dashed line at the optimum.",
        _needs("family"),
        lambda results: draw_levels(results, FIRST_EVALUATION),
    )
    yield NamedFigure(
        "first-episode",
        "Within the first episode",
        "Steps of the first training episode, until the goal is found at all. Backward agents learn nothing before its "
        "end. Nobody can know where the goal is; what differs is how agents wander. Lower is better. " + key,
        panel.replace("; ", "."),
        _needs("family"),
        lambda results: draw_levels(results, FIRST_EPISODE),
    )
    yield NamedFigure(
        "goals",
        "Goals that were not trained for",
        "Five training episodes for the world’s goal, then one evaluation towards each of 40 others, all levels having "
        "learnt about all goals they passed. Lower is better; dashed is the shortest path. Traces were not tried. "
        + key,
        panel + "a dashed line at the shortest path.",
        _needs("goals"),
        draw_goals,
    )
    yield NamedFigure(
        "chance",
        "Values where moves go astray",
        "Values of flat agents minus exact ones, mean over states, after 200 random walks through four rooms in which "
        "moves go sideways with probability 0.1 or 0.2. Right of the line they are too high.",
        "Two panels, a row for each estimator with two dots and their intervals left or right of a line at zero.",
        _needs("chance"),
        lambda results: draw_biases(results, BIAS, 0, "mean of values minus exact values, level 0", 0.0),
    )
    yield NamedFigure(
        "luck",
        "The luckiest path",
        "Values of level 1 of two, as a share of what the luckiest path is worth, which no value can exceed. Hindsight "
        "learns from what happened as if it had been asked for; over hops as they were executed, what was asked for is "
        "credited with where it really led, while level 0 walked at random.",
        "Two panels, a row for each estimator with two dots and their intervals near a line at one.",
        _needs("chance"),
        lambda results: draw_biases(results, LUCK, 1, "values of level 1 / values of the luckiest path", 1.0),
    )
