"""The figures of the reproduction by name: what each shows, what it needs, and how it is drawn.

investigation.figure("marginal-hierarchy").draw(Reproduction("reproduction/").under("published"))
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import polars as pl

from hierq.figures.agreement import agreement_figure
from hierq.figures.backups import backups_figure
from hierq.figures.departures import effects_figure, iterations_figure, preference_figure, walls_figure
from hierq.figures.first_episodes import first_episodes_figure
from hierq.figures.hierarchy_tree import hierarchy_tree_figure, timelines_figure
from hierq.figures.loss_curves import loss_curves_figure
from hierq.figures.marginals import marginals_figure
from hierq.figures.path_counts import path_counts_figure
from hierq.figures.policy import example_figure
from hierq.figures.stitching import stitching_figure
from hierq.figures.style import PAGE_WIDTH
from hierq.figures.violins import all_violins_figure, violins_figure
from hierq.figures.worlds import worlds_figure
from hierq.investigations.investigation import NamedFigure
from hierq.investigations.results import NotRun
from hierq.paper import audit, examples
from hierq.paper import figure_frames as frames
from hierq.paper.comparison import compare_all
from hierq.paper.plan import BEHAVIOURS, STITCHING
from hierq.paper.published import backup_name
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import ALGORITHM, ALL, CHOICES, PUBLISHED_ITERATIONS, RULES, TEXT_ITERATIONS, RuleSet
from hierq.worlds import PAPER_WORLDS, make_world, random_walk_steps, shortest_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN_CURVES = ("gridworld-20", "maze-10")
ITERATIONS_EXAMPLE = ("maze-10", "tree-backup", 3.0)
MARGINAL_ALT = (
    "A panel per world: k from 1 to 4 for traces on the left and Tree-Backup on the right, a line for every λ and n, "
    "with grey markers of the published points behind and a dashed line at the shortest path."
)
CURVES_ALT = (
    "A panel per world: steps per evaluation episode over 20 training episodes, falling towards a dashed line at the "
    "shortest path; colours tell k, dashed lines were trained flat, hollow markers were published."
)
VIOLINS_ALT = (
    "A panel per world: violins of mean steps per evaluation episode for k = 2 and 3, by where sub-goals lie and what "
    "is rewarded."
)
FIRST_ALT = (
    "A panel per world: for each k eight vertical lines of the steps of first training episodes, with our mean and the "
    "published one; a dotted line is the exact mean of a random walk."
)
EFFECTS_ALT = "A panel per world with a row per departure; dots with intervals for each k beside a line at no effect."
Z_ALT = (
    "A panel per world of coloured squares: z of every published number, blue where ours is lower, red where higher."
)


@cache
def _optimum(world: str) -> int:
    return shortest_path(make_world(world))


def _optima(frame: pl.DataFrame) -> dict[str, int]:
    return {world: _optimum(world) for world in frame["world"].unique()}


def _marginal(results: Reproduction, behaviour: str, iterations: int) -> "Figure":
    frame = frames.marginals(results, behaviour, iterations)
    return marginals_figure(frame, _optima(frame))


def _loss_curves(results: Reproduction, backup: str, small: bool = False) -> "Figure":
    """Of all worlds, or of the paper's two."""
    frame = frames.loss_curves(results.frame("balanced"), backup)
    if small:
        there = [world for world in SHOWN_CURVES if world in frame["world"].to_list()]
        chosen = pl.concat([frame.filter(pl.col("world") == world) for world in there]) if there else frame
        return loss_curves_figure(chosen, _optima(chosen), levels=(1, 3))
    return loss_curves_figure(frame, _optima(frame))


def _first_episodes(results: Reproduction) -> "Figure":
    frame = frames.first_episodes(results.frame("first-episode"))
    walks = {name: make_world(name) for name in frame["world"].unique()}
    return first_episodes_figure(
        frame, {name: float(random_walk_steps(world)[world.start]) for name, world in walks.items()}
    )


def _violins(results: Reproduction, cells: str) -> "Figure":
    """As the paper shows them: with walls as sub-goals ("grid") or without ("free")."""
    frame = frames.representations(results)
    return violins_figure(frame.filter(pl.col("subgoal_cells") == cells), _optima(frame))


def _all_violins(results: Reproduction) -> "Figure":
    frame = frames.representations(results)
    return all_violins_figure(frame, _optima(frame))


def _stitching(results: Reproduction) -> "Figure":
    frame = frames.stitching(results, "text")
    return stitching_figure(frame, _optima(frame))


def _iterations(results: Reproduction) -> "Figure":
    world, backup, parameter = ITERATIONS_EXAMPLE
    runs = results.frame("main")
    world = world if world in runs["world"].to_list() else str(runs["world"][0])
    means = frames.mean_steps(runs, world, backup, parameter)
    return iterations_figure(means, _optimum(world), PUBLISHED_ITERATIONS, title=world)


def _effects(results: Reproduction, first_episodes: bool) -> "Figure":
    """What each departure does to first episodes, or to marginal points."""
    frame = audit.effects(results)
    assert frame is not None
    measure = audit.FIRST_EPISODES if first_episodes else audit.MARGINALS
    rows = frame.filter(
        (pl.col("measure") == measure) & (pl.col("world") != audit.EVERYWHERE) & (pl.col("backup") == audit.EVERYWHERE)
    )
    names = [name for name in CHOICES if name not in (ALGORITHM, ALL) and not name.startswith("all but")]
    names += [ALL] if first_episodes else [audit.FEWER_ITERATIONS, ALL]
    label = "mean steps of the first training episode, as a factor (log scale)"
    difference = "difference in mean ln(steps) per evaluation episode"
    return effects_figure(rows, names, label if first_episodes else difference, first_episodes)


def _agreement(results: Reproduction, source: str) -> "Figure":
    """Z of every published number of one kind."""
    rules = results.rules or "published"
    frame = compare_all(results).filter(pl.col("source") == source, pl.col("rules") == rules)
    if source == "marginal":
        wanted = PUBLISHED_ITERATIONS if rules == "published" else TEXT_ITERATIONS
        frame = frame.filter(pl.col("iterations") == wanted)
    if not len(frame):
        raise NotRun(f"there are no {source} numbers to compare; run: {results.command(rules=rules)}")
    lines, columns = [], []
    for row in frame.iter_rows(named=True):
        backup = backup_name(row["backup"], row["parameter"])
        if source == "loss-curve":
            lines.append(f"k = {row['levels']}, {backup}" + (", flat" if row["behaviour"] == "flat" else ""))
            columns.append(str(row["episode"] + 1))
        else:
            lines.append(backup)
            columns.append(f"{row['levels']}" if row["behaviour"] == "hierarchy" else f"{row['levels']} flat")
    told = frame.with_columns(pl.Series("line", lines), pl.Series("column", columns))
    return agreement_figure(told, "training episode" if source == "loss-curve" else "number of levels k")


def _alone(name: str, title: str, alt: str, draw: Callable[[], "Figure"]) -> NamedFigure:
    """A figure that explains: it is drawn from a small example."""
    return NamedFigure(name, title, alt, lambda _: draw())


def _examples() -> Iterator[NamedFigure]:
    side = PAGE_WIDTH / len(PAPER_WORLDS)
    yield _alone(
        "worlds",
        "The six worlds (Figure 3)",
        "Six square maps: two open fields, four and nine rooms, and two mazes; start blue, goal green, walls dark.",
        lambda: worlds_figure([make_world(name) for name in PAPER_WORLDS], side=side),
    )
    yield _alone(
        "hierarchy-tree",
        "The hierarchy as a tree (Figure 1)",
        "A map with a path of red arrows; beside it a tree of one box of level 2 over two of level 1 over six of level "
        "0 over sixteen moves.",
        lambda: hierarchy_tree_figure(*examples.shortest_episode()),
    )
    yield _alone(
        "backups",
        "Four views of a backup (Figure 2)",
        "Four times the same stretch of a map with a dashed goal tile; arrows show the hops of four backups.",
        lambda: backups_figure(*examples.straight_steps()),
    )
    yield _alone(
        "path-counts",
        "How many paths a backup could take",
        "Three lines rise steeply with n while three dashed lines stay almost level; beside them path lengths.",
        path_counts_figure,
    )
    yield _alone(
        "policy",
        "What one episode teaches a flat agent and a hierarchy (Figure 6)",
        "Two maps of four rooms: nine numbered arrows from start to goal; greedy moves and lettered sub-goals.",
        lambda: example_figure(*examples.worked_example()),
    )
    yield _alone(
        "audit-preference",
        "The preference slip",
        "Three maps of a maze; a green arrow leads to the goal, a red one to the cell that the program preferred.",
        lambda: preference_figure(*examples.misread_preferences()),
    )
    yield _alone(
        "audit-walls",
        "Walls as sub-goals",
        "Three maps of a maze, in each a dashed diamond of cells within reach; dots mark free cells, crosses walls.",
        lambda: walls_figure(*examples.walls_in_reach()),
    )
    yield _alone(
        "audit-evaluation",
        "The evaluation rule",
        "Two timelines of goals of levels 0 and 1: above long bars, below many short ones.",
        lambda: timelines_figure(examples.evaluated_by_both_rules()),
    )


def _of_results() -> Iterator[NamedFigure]:
    averages: tuple[tuple[RuleSet, int, str, str], ...] = (
        ("published", PUBLISHED_ITERATIONS, "", ""),
        ("published", TEXT_ITERATIONS, "-50", ", all 50 iterations"),
        ("text", TEXT_ITERATIONS, "-text", ", rules of the text"),
    )
    for rules, iterations, ending, said in averages:
        for behaviour, number in zip(BEHAVIOURS, (4, 7), strict=True):
            trained = "with the hierarchy" if behaviour == "hierarchy" else "flat"
            title = f"Marginal log-performance, trained {trained}{said} (Figure {number})"
            draw = partial(_marginal, behaviour=behaviour, iterations=iterations)
            yield NamedFigure(f"marginal-{behaviour}{ending}", title, MARGINAL_ALT, draw, "main", rules)
    for each in RULES:
        ending, said = ("", "") if each == "published" else ("-text", ", rules of the text")
        yield from _under(each, ending, said)
    yield NamedFigure(
        "stitching",
        "Control or backup",
        "A panel per world with lines over level 0 alone, a hierarchy with spans of one step, and one with full spans.",
        _stitching,
        STITCHING,
    )
    yield NamedFigure(
        "audit-iterations",
        "32 of 50 iterations",
        "Four curves over 50 iterations, the first 32 shaded; two averages of each curve at the right.",
        _iterations,
        "main",
        "published",
    )
    titles = {True: "What each departure does to first episodes", False: "What each departure does to marginal points"}
    for first, name in ((True, "audit-first-episodes"), (False, "audit-marginals")):
        yield NamedFigure(name, titles[first], EFFECTS_ALT, partial(_effects, first_episodes=first), "audit")


def _under(rules: RuleSet, ending: str, said: str) -> Iterator[NamedFigure]:
    """The figures that exist under both sets of rules."""
    cells = "grid" if rules == "published" else "free"
    curves: Any = partial(_loss_curves, backup="traces")
    drawn: tuple[tuple[str, str, str, Any, str], ...] = (
        (
            "loss-curves",
            "Loss curves of two worlds, λ = 1 (Figure 5)",
            CURVES_ALT,
            partial(curves, small=True),
            "balanced",
        ),
        (
            "loss-curves-n",
            "Loss curves, Tree-Backup (Figure 9)",
            CURVES_ALT,
            partial(curves, backup="tree-backup"),
            "balanced",
        ),
        ("loss-curves-lambda", "Loss curves, λ = 1 (Figure 10)", CURVES_ALT, curves, "balanced"),
        ("first-episodes", "First training episodes (Tables 1 and 3)", FIRST_ALT, _first_episodes, "first-episode"),
        ("violins", "Sub-goals and rewards (Figure 8)", VIOLINS_ALT, partial(_violins, cells=cells), "representation"),
        ("violins-all", "Sub-goals and rewards, all variants", VIOLINS_ALT, _all_violins, "representation"),
        (
            "z-first-episodes",
            "z of the first-episode table",
            Z_ALT,
            partial(_agreement, source="first-episode"),
            "first-episode",
        ),
        ("z-marginals", "z of the marginal points", Z_ALT, partial(_agreement, source="marginal"), "main"),
        ("z-loss-curves", "z of the loss curves", Z_ALT, partial(_agreement, source="loss-curve"), "balanced"),
    )
    for name, title, alt, draw, study in drawn:
        yield NamedFigure(f"{name}{ending}", f"{title}{said}", alt, draw, study, rules)


FIGURES: tuple[NamedFigure, ...] = (*_examples(), *_of_results())
