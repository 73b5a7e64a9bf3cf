"""Every figure by its name: what it shows, what it needs, and how it is drawn from a reproduction.

named_figure("marginal-hierarchy").draw(Reproduction("reproduction/"))
"""

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

import polars as pl

from hierq.errors import InputError, did_you_mean
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
from hierq.investigations.investigation import NamedFigure, Need
from hierq.paper import audit, examples
from hierq.paper import figure_frames as frames
from hierq.paper.captions import CAPTIONS, origin
from hierq.paper.plan import BEHAVIOURS, STITCHING
from hierq.paper.reproduction import COMMAND, OUT, Reproduction
from hierq.paper.rules import DEPARTURES, PUBLISHED_ITERATIONS, RULES, TEXT_ITERATIONS, RuleSet
from hierq.worlds import PAPER_WORLDS, make_world, optimum, random_walk_steps

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Draw = Callable[[Reproduction | None], "Figure"]
SHOWN_CURVES = ("gridworld-20", "maze-10")
ITERATIONS_EXAMPLE = ("maze-10", "tree-backup", 3.0)


def named_figure(name: str) -> NamedFigure:
    """A figure by its name; it can be drawn without results (None) if it has no `needs`.

    Raises:
        InputError: There is no such figure; the message has the nearest name.
    """
    if name not in FIGURES:
        hint = did_you_mean(name, FIGURES, 0.4)
        raise InputError(f"there is no figure {name!r}; {hint}hierq figure --list names them all")
    return FIGURES[name]


def _runs(reproduction: Reproduction | None, study: str, rules: RuleSet | None) -> pl.DataFrame:
    """The runs of a study, or what to do to have some."""
    if reproduction is None:
        chosen = f"--study {study}" + (f" --rules {rules}" if rules else "")
        raise InputError(f"this figure needs the {study} study; make its runs with: {COMMAND} {chosen} --out {OUT}")
    return reproduction.needed(study, rules)


@cache
def _optimum(world: str) -> int:
    return optimum(make_world(world))


def _optima(frame: pl.DataFrame) -> dict[str, int]:
    return {world: _optimum(world) for world in frame["world"].unique()}


def _marginal(runs: pl.DataFrame, behaviour: str, iterations: int) -> "Figure":
    frame = frames.marginals(runs, behaviour, iterations)
    return marginals_figure(frame, _optima(frame))


def _loss_curves(runs: pl.DataFrame, backup: str, small: bool = False) -> "Figure":
    """Of all worlds, or of the paper's two."""
    frame = frames.loss_curves(runs, backup)
    if small:
        there = [world for world in SHOWN_CURVES if world in frame["world"].to_list()]
        chosen = pl.concat([frame.filter(pl.col("world") == world) for world in there]) if there else frame
        return loss_curves_figure(chosen, _optima(chosen), levels=(1, 3))
    return loss_curves_figure(frame, _optima(frame))


def _first_episodes(runs: pl.DataFrame) -> "Figure":
    frame = frames.first_episodes(runs)
    walks = {name: make_world(name) for name in frame["world"].unique()}
    return first_episodes_figure(
        frame, {name: float(random_walk_steps(world)[world.start]) for name, world in walks.items()}
    )


def _violins(runs: pl.DataFrame, cells: str) -> "Figure":
    """As the paper shows them: with walls as sub-goals ("grid") or without ("free")."""
    frame = frames.representations(runs)
    return violins_figure(frame.filter(pl.col("subgoal_cells") == cells), _optima(frame))


def _all_violins(runs: pl.DataFrame) -> "Figure":
    frame = frames.representations(runs)
    return all_violins_figure(frame, _optima(frame))


def _stitching(runs: pl.DataFrame) -> "Figure":
    frame = frames.stitching(runs, "text")
    return stitching_figure(frame, _optima(frame))


def _iterations(runs: pl.DataFrame) -> "Figure":
    world, backup, parameter = ITERATIONS_EXAMPLE
    world = world if world in runs["world"].to_list() else str(runs["world"][0])
    means = frames.mean_steps(runs, world, backup, parameter)
    return iterations_figure(means, _optimum(world), PUBLISHED_ITERATIONS, title=world)


def _effects(reproduction: Reproduction | None, first_episodes: bool) -> "Figure":
    """What each departure does to first episodes, or to marginal points."""
    _runs(reproduction, "audit", None)
    assert reproduction is not None
    frame = audit.effects(reproduction)
    assert frame is not None
    measure = audit.FIRST_EPISODES if first_episodes else audit.MARGINALS
    rows = frame.filter((pl.col("measure") == measure) & (pl.col("world") != audit.EVERYWHERE))
    names = [departure.name for departure in DEPARTURES if departure.switch is not None or not first_episodes]
    label = "mean steps of the first training episode, as a factor (log scale)"
    difference = "difference in mean ln(steps) per evaluation episode"
    return effects_figure(rows, [*names, "all four"], label if first_episodes else difference, first_episodes)


_Drawing = tuple[tuple[Need, ...], Draw]


def _alone(draw: Callable[[], "Figure"]) -> _Drawing:
    """A figure that explains: it is drawn from a small example."""
    return (), lambda _: draw()


def _of(study: str, rules: RuleSet | None, draw: Callable[[pl.DataFrame], "Figure"]) -> _Drawing:
    """A figure that is drawn from the runs of a study."""
    return ((study, rules),), lambda reproduction: draw(_runs(reproduction, study, rules))


def _drawings() -> dict[str, _Drawing]:
    """Needs and functions by name, in the order of the paper; then the audit and the open question."""
    side = PAGE_WIDTH / len(PAPER_WORLDS)
    listed = {
        "worlds": _alone(lambda: worlds_figure([make_world(name) for name in PAPER_WORLDS], side=side)),
        "hierarchy-tree": _alone(lambda: hierarchy_tree_figure(*examples.shortest_episode())),
        "backups": _alone(lambda: backups_figure(*examples.straight_steps())),
        "path-counts": _alone(path_counts_figure),
        "policy": _alone(lambda: example_figure(*examples.worked_example())),
    }
    averages: tuple[tuple[RuleSet, int, str], ...] = (
        ("published", PUBLISHED_ITERATIONS, ""),
        ("published", TEXT_ITERATIONS, "-50"),
        ("text", TEXT_ITERATIONS, "-text"),
    )
    for rules, iterations, ending in averages:
        for behaviour in BEHAVIOURS:
            draw = partial(_marginal, behaviour=behaviour, iterations=iterations)
            listed[f"marginal-{behaviour}{ending}"] = _of("main", rules, draw)
    for each in RULES:
        ending, cells = ("", "grid") if each == "published" else ("-text", "free")
        listed |= {
            f"loss-curves{ending}": _of("balanced", each, partial(_loss_curves, backup="traces", small=True)),
            f"loss-curves-n{ending}": _of("balanced", each, partial(_loss_curves, backup="tree-backup")),
            f"loss-curves-lambda{ending}": _of("balanced", each, partial(_loss_curves, backup="traces")),
            f"first-episodes{ending}": _of("first-episode", each, _first_episodes),
            f"violins{ending}": _of("representation", each, partial(_violins, cells=cells)),
            f"violins-all{ending}": _of("representation", each, _all_violins),
        }
    return {
        **listed,
        "stitching": _of(STITCHING, None, _stitching),
        "audit-preference": _alone(lambda: preference_figure(*examples.misread_preferences())),
        "audit-walls": _alone(lambda: walls_figure(*examples.walls_in_reach())),
        "audit-evaluation": _alone(lambda: timelines_figure(examples.evaluated_by_both_rules())),
        "audit-iterations": _of("main", "published", _iterations),
        "audit-first-episodes": ((("audit", None),), partial(_effects, first_episodes=True)),
        "audit-marginals": ((("audit", None),), partial(_effects, first_episodes=False)),
    }


FIGURES: dict[str, NamedFigure] = {
    name: NamedFigure(name, title, f"{origin(name)} {caption}", alt, needs, draw)
    for name, (needs, draw) in _drawings().items()
    for title, caption, alt in (CAPTIONS[name],)
}
