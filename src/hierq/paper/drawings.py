"""How each figure is drawn from a reproduction; figures that explain are drawn from small examples instead.

Each function takes a reproduction, or None where it needs none, and raises InputError if what it needs was not run.
"""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import polars as pl

from hierq.errors import InputError
from hierq.paper import figure_frames as frames
from hierq.paper.plan import STITCHING
from hierq.paper.rules import DEPARTURES, PUBLISHED_ITERATIONS, RuleSet
from hierq.worlds import PAPER_WORLDS, make_world, optimum, random_walk_steps

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hierq.paper.reproduction import Reproduction

SHOWN_CURVES = ("gridworld-20", "maze-10")
ITERATIONS_EXAMPLE = ("maze-10", "tree-backup", 3.0)


def _runs(reproduction: "Reproduction | None", study: str, rules: RuleSet | None) -> pl.DataFrame:
    """The runs of a study, or what to do to have some."""
    under = "" if rules is None else f" under the {'rules of the text' if rules == 'text' else 'published rules'}"
    option = "" if rules is None else f" --rules {rules}"
    folder = "reproduction" if reproduction is None else str(reproduction.folder)
    found: pl.DataFrame | None = None
    if reproduction is not None:
        if study == STITCHING:
            from hierq.paper.stitching import load_stitching

            found = load_stitching(reproduction.folder)
        else:
            found = reproduction.first_episodes(rules) if study == "first-episode" and rules else None
            found = reproduction.frame(study, rules) if found is None else found
    if found is None:
        raise InputError(
            f"this figure needs the {study} study{under}, which has no finished runs in {folder}; "
            f"make them with: hierq reproduce --study {study}{option} --out {folder}"
        )
    return found


@cache
def _optimum(world: str) -> int:
    return optimum(make_world(world))


def _optima(frame: pl.DataFrame) -> dict[str, int]:
    return {world: _optimum(world) for world in frame["world"].unique()}


def worlds(_: "Reproduction | None") -> "Figure":
    """The paper's six worlds in a row."""
    from hierq.figures.style import PAGE_WIDTH
    from hierq.figures.worlds import worlds_figure

    return worlds_figure([make_world(name) for name in PAPER_WORLDS], side=PAGE_WIDTH / len(PAPER_WORLDS))


def hierarchy_tree(_: "Reproduction | None") -> "Figure":
    """A short episode as a tree."""
    from hierq.figures.hierarchy_tree import hierarchy_tree_figure
    from hierq.paper.examples import shortest_episode

    return hierarchy_tree_figure(*shortest_episode())


def backups(_: "Reproduction | None") -> "Figure":
    """Four views of a backup on a part of that episode."""
    from hierq.figures.backups import backups_figure
    from hierq.paper.examples import straight_steps

    return backups_figure(*straight_steps())


def policy(_: "Reproduction | None") -> "Figure":
    """The worked example."""
    from hierq.figures.example import example_figure
    from hierq.paper.examples import worked_example

    return example_figure(*worked_example())


def path_counts(_: "Reproduction | None") -> "Figure":
    """Growth and lengths of backup paths."""
    from hierq.figures.path_counts import path_counts_figure

    return path_counts_figure()


def marginal(reproduction: "Reproduction | None", behaviour: str, rules: RuleSet, iterations: int) -> "Figure":
    """Marginal log-performance of the main study."""
    from hierq.figures.marginals import marginals_figure

    frame = frames.marginals(_runs(reproduction, "main", rules), behaviour, iterations)
    return marginals_figure(frame, _optima(frame))


def loss_curves(reproduction: "Reproduction | None", backup: str, rules: RuleSet, small: bool = False) -> "Figure":
    """Loss curves of the balanced study, of all worlds or of the paper's two."""
    from hierq.figures.loss_curves import loss_curves_figure

    frame = frames.loss_curves(_runs(reproduction, "balanced", rules), backup)
    if small:
        there = [world for world in SHOWN_CURVES if world in frame["world"].to_list()]
        chosen = pl.concat([frame.filter(pl.col("world") == world) for world in there]) if there else frame
        return loss_curves_figure(chosen, _optima(chosen), levels=(1, 3))
    return loss_curves_figure(frame, _optima(frame))


def first_episodes(reproduction: "Reproduction | None", rules: RuleSet) -> "Figure":
    """Lengths of first training episodes."""
    from hierq.figures.first_episodes import first_episodes_figure

    frame = frames.first_episodes(_runs(reproduction, "first-episode", rules))
    walks = {name: make_world(name) for name in frame["world"].unique()}
    return first_episodes_figure(
        frame, {name: float(random_walk_steps(world)[world.start]) for name, world in walks.items()}
    )


def violins(reproduction: "Reproduction | None", rules: RuleSet, everything: bool) -> "Figure":
    """The representation study, as the paper shows it or with all its variants."""
    from hierq.figures.violins import all_violins_figure, violins_figure

    frame = frames.representations(_runs(reproduction, "representation", rules))
    if everything:
        return all_violins_figure(frame, _optima(frame))
    cells = "grid" if rules == "published" else "free"
    return violins_figure(frame.filter(pl.col("subgoal_cells") == cells), _optima(frame))


def preference(_: "Reproduction | None") -> "Figure":
    """The preference slip."""
    from hierq.figures.departures import preference_figure
    from hierq.paper.examples import misread_preferences

    return preference_figure(*misread_preferences())


def walls(_: "Reproduction | None") -> "Figure":
    """Walls as sub-goals."""
    from hierq.figures.departures import walls_figure
    from hierq.paper.examples import walls_in_reach

    return walls_figure(*walls_in_reach())


def evaluation(_: "Reproduction | None") -> "Figure":
    """The evaluation rule."""
    from hierq.figures.timelines import timelines_figure
    from hierq.paper.examples import evaluated_by_both_rules

    return timelines_figure(evaluated_by_both_rules())


def iterations(reproduction: "Reproduction | None") -> "Figure":
    """32 of 50 iterations."""
    from hierq.figures.departures import iterations_figure

    runs = _runs(reproduction, "main", "published")
    world, backup, parameter = ITERATIONS_EXAMPLE
    world = world if world in runs["world"].to_list() else str(runs["world"][0])
    means = frames.mean_steps(runs, world, backup, parameter)
    return iterations_figure(means, _optimum(world), PUBLISHED_ITERATIONS, title=world)


def effects(reproduction: "Reproduction | None", first_episodes: bool) -> "Figure":
    """What each departure does to first episodes, or to marginal points."""
    from hierq.figures.effects import effects_figure
    from hierq.paper.audit import EVERYWHERE, FIRST_EPISODES, MARGINALS

    _runs(reproduction, "audit", None)
    assert reproduction is not None
    frame = _audit_effects(reproduction)
    measure = FIRST_EPISODES if first_episodes else MARGINALS
    rows = frame.filter((pl.col("measure") == measure) & (pl.col("world") != EVERYWHERE))
    names = [departure.name for departure in DEPARTURES if departure.switch is not None or not first_episodes]
    label = "mean steps of the first training episode, as a factor (log scale)"
    difference = "difference in mean ln(steps) per evaluation episode"
    return effects_figure(rows, [*names, "all four"], label if first_episodes else difference, first_episodes)


@lru_cache(maxsize=1)
def _audit_effects(reproduction: "Reproduction") -> pl.DataFrame:
    """Worked out once for the two figures that show them: it takes many draws of seeds."""
    from hierq.paper.audit import effects as audit_effects

    found = audit_effects(reproduction)
    assert found is not None
    return found


def stitching(reproduction: "Reproduction | None") -> "Figure":
    """Control or backup."""
    from hierq.figures.stitching import stitching_figure

    frame = frames.stitching(_runs(reproduction, STITCHING, None), "text")
    return stitching_figure(frame, _optima(frame))
