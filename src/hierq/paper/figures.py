"""The figures of the reproduction by name: functions of its results, looked at under a set of rules.

investigation.figure("marginal-hierarchy")(investigation.open("reproduction/").under("published"))
"""

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import polars as pl

from hierq.figures.agreement import agreement_figure
from hierq.figures.backups import backups_figure
from hierq.figures.family import dots_figure
from hierq.figures.first_episodes import first_episodes_figure
from hierq.figures.hierarchy_tree import hierarchy_tree_figure
from hierq.figures.loss_curves import loss_curves_figure
from hierq.figures.marginals import marginals_figure
from hierq.figures.path_counts import path_counts_figure
from hierq.figures.policy import example_figure
from hierq.figures.style import PAGE_WIDTH
from hierq.figures.violins import violins_figure
from hierq.figures.worlds import worlds_figure
from hierq.investigations.investigation import Draw
from hierq.investigations.results import Results
from hierq.paper import audit, examples
from hierq.paper import figure_frames as frames
from hierq.paper.comparison import compare_all
from hierq.paper.numbers import LOGS_OF
from hierq.paper.plan import STITCHING
from hierq.paper.published import backup_name
from hierq.paper.rules import AGGREGATIONS, ALGORITHM, ALL, CHOICES, TEXT_ITERATIONS, settings_of
from hierq.worlds import PAPER_WORLDS, make_world, random_walk_steps, shortest_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN_CURVES = ("gridworld-20", "maze-10")
LEARNERS = {"flat": "level 0 alone", "single": "hops of one step", "full": "full hops"}
BACKUPS = {"tree-backup": "n = 1", "traces": "λ = 1"}


@cache
def _optimum(world: str) -> int:
    return shortest_path(make_world(world))


def _optima(frame: pl.DataFrame) -> dict[str, int]:
    return {world: _optimum(world) for world in frame["world"].unique()}


def _rules(results: Results) -> str:
    return results.rules or "published"


def _marginal(results: Results, behaviour: str) -> "Figure":
    frame = frames.marginals(results, behaviour, AGGREGATIONS[_rules(results)])
    return marginals_figure(frame, _optima(frame))


def _loss_curves(results: Results, backup: str, small: bool = False) -> "Figure":
    """Of all worlds, or of the paper's two."""
    frame = frames.loss_curves(results.frame("balanced"), backup)
    if small:
        there = [world for world in SHOWN_CURVES if world in frame["world"].to_list()]
        chosen = pl.concat([frame.filter(pl.col("world") == world) for world in there]) if there else frame
        return loss_curves_figure(chosen, _optima(chosen), levels=(1, 3))
    return loss_curves_figure(frame, _optima(frame))


def _first_episodes(results: Results) -> "Figure":
    frame = frames.first_episodes(results.frame("main"))
    walks = {name: make_world(name) for name in frame["world"].unique()}
    return first_episodes_figure(
        frame, {name: float(random_walk_steps(world)[world.start]) for name, world in walks.items()}
    )


def _violins(results: Results, variants: bool) -> "Figure":
    """All variants, or those of the paper; then walls are sub-goals ("grid") or not ("free"), as the rules say."""
    frame = frames.representations(results)
    if not variants:
        frame = frame.filter(pl.col("subgoal_cells") == settings_of(_rules(results))["subgoal_cells"])
    return violins_figure(frame, _optima(frame), variants)


def _stitching(results: Results) -> "Figure":
    """Rows from level 0 alone over control without longer credit to the whole hierarchy."""

    def words(cell: Any) -> tuple[str, ...]:
        return cell.world, f"{LEARNERS[cell.learner]}, {BACKUPS[cell.backup]}", f"k = {cell.levels}"

    rows = [
        row
        for learner in LEARNERS
        for row in results.rows(STITCHING, LOGS_OF[TEXT_ITERATIONS], words, rules="text", learner=learner)
    ]
    return dots_figure(rows, "mean ln(steps) per evaluation episode", most=3)


def _effects(results: Results, first_episodes: bool) -> "Figure":
    """What each departure does to first episodes, or to marginal points."""
    results.frame("audit")
    frame = audit.effects(results)
    assert frame is not None
    names = [name for name in CHOICES if name not in (ALGORITHM, ALL) and not name.startswith("all but")]
    names += [ALL] if first_episodes else [audit.FEWER_ITERATIONS, ALL]
    rows = frame.filter(
        pl.col("measure") == (audit.FIRST_EPISODES if first_episodes else audit.MARGINALS),
        pl.col("world") != audit.EVERYWHERE,
        pl.col("backup") == audit.EVERYWHERE,
        pl.col("levels").is_not_null(),
        pl.col("departures").is_in(names),
    ).sort(pl.col("departures").cast(pl.Enum(names)), "levels", maintain_order=True)
    dots = rows.select("world", "departures", pl.format("k = {}", "levels"), "effect", "low", "high").iter_rows()
    label = "mean steps of the first training episode, as a factor (log scale)"
    difference = "difference in ln(mean steps) per evaluation episode"
    return dots_figure(
        dots, label if first_episodes else difference, float(first_episodes), ratio=first_episodes, most=3
    )


def _agreement(results: Results, source: str) -> "Figure":
    """Z of every published number of one kind."""
    rules = _rules(results)
    results.frame("balanced" if source == "loss-curve" else "main")
    frame = compare_all(results).filter(pl.col("source") == source, pl.col("rules") == rules)
    if source == "marginal":
        frame = frame.filter(pl.col("iterations") == AGGREGATIONS[rules])
    lines, columns = [], []
    for row in frame.iter_rows(named=True):
        backup = backup_name(row["backup"], row["parameter"])
        if source == "loss-curve":
            lines.append(f"k = {row['levels']}, {backup}" + (", flat" if row["behaviour"] == "flat" else ""))
            columns.append(str(row["episode"] + 1))
        else:
            lines.append(backup)
            columns.append(f"{row['levels']}" if row["behaviour"] == "hierarchy" else f"{row['levels']}\nflat")
    told = frame.with_columns(pl.Series("line", lines), pl.Series("column", columns))
    return agreement_figure(told, "training episode" if source == "loss-curve" else "number of levels k")


EXAMPLES: dict[str, Draw] = {  # they explain, and need no results
    "worlds": lambda _: worlds_figure([make_world(name) for name in PAPER_WORLDS], side=PAGE_WIDTH / len(PAPER_WORLDS)),
    "hierarchy-tree": lambda _: hierarchy_tree_figure(*examples.shortest_episode()),
    "backups": lambda _: backups_figure(*examples.straight_steps()),
    "path-counts": lambda _: path_counts_figure(),
    "policy": lambda _: example_figure(*examples.worked_example()),
}
OF_RESULTS: dict[str, Draw] = {
    "marginal-hierarchy": partial(_marginal, behaviour="hierarchy"),
    "marginal-flat": partial(_marginal, behaviour="flat"),
    "loss-curves": partial(_loss_curves, backup="traces", small=True),
    "loss-curves-n": partial(_loss_curves, backup="tree-backup"),
    "loss-curves-lambda": partial(_loss_curves, backup="traces"),
    "first-episodes": _first_episodes,
    "violins": partial(_violins, variants=False),
    "violins-all": partial(_violins, variants=True),
    "z-first-episodes": partial(_agreement, source="first-episode"),
    "z-marginals": partial(_agreement, source="marginal"),
    "z-loss-curves": partial(_agreement, source="loss-curve"),
    "stitching": _stitching,
    "audit-first-episodes": partial(_effects, first_episodes=True),
    "audit-marginals": partial(_effects, first_episodes=False),
}
