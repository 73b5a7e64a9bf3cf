"""The claims of the paper as data, each with its comparison; then our own about it. `hierq.investigations` judges them.

Under the published rules marginal points are averaged over 32 iterations, under the text's over 50.
"""

import itertools
import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from hierq.agents import Agent, AgentConfig, Traces, TreeBackup
from hierq.agents.estimators.paths import paths_of_length, sparsified_paths, total_paths
from hierq.investigations.claims import ABOVE, BELOW, WITHIN, Claim
from hierq.investigations.numbers import Column, Measured, column, exactly, mean_by, mean_of, minus, where
from hierq.investigations.results import NotRun
from hierq.paper.audit import number_of
from hierq.paper.numbers import EARLY, FIRST, FIRST_FEW, LOGS_OF, MARGINAL, SEED_MEANS, UNREWARDED, VARIANCES
from hierq.paper.plan import BEHAVIOURS, LEVELS, STITCHING
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import AGGREGATIONS, ALGORITHM, ALL, BOTH, settings_of
from hierq.worlds import make_world

MORE = {"levels": (2, 3, 4)}
FLAT = {"levels": 1}
SMALL_WORLDS = ("gridworld-10", "rooms-4", "maze-10")
MAZE, SHOWN = "maze-10", ("gridworld-20", "maze-10")
LOG_STEPS, VARIANCE, SHARE, COUNT = "ln(ratio of steps)", "ln(ratio of variances)", "share", "number"
NO_GAIN = 0.05  # a gain in ln(steps) below this is called none
EPISODES, SEEDS = 5, 2  # of the agents whose trajectories are compared


def iterations(results: Reproduction) -> int:
    """How many iterations marginal points are averaged over."""
    return AGGREGATIONS[results.rules or "text"]


def marginals(results: Reproduction, study: str = "main", **fields: object) -> Column[Any]:
    """The marginal points of a study, those of some agents."""
    return where(column(results.table(study), MARGINAL[iterations(results)]), **fields)


def over_flat(behaviour: str) -> Callable[[Reproduction], Column[Any]]:
    """Agents with k > 1 minus the flat agent with the same backup in the same world."""
    return lambda results: minus(marginals(results, behaviour=behaviour), MORE, FLAT)


def one_level_more(results: Reproduction, behaviour: str = "hierarchy") -> Column[Any]:
    """What level k changes against k − 1 levels, with the same backup in the same world."""
    points = marginals(results, behaviour=behaviour)
    fewer = {cell: cell._replace(levels=cell.levels - 1) for cell in points if cell.levels > 1}
    return {cell: points[cell] - points[less] for cell, less in fewer.items() if less in points}


def shrinking(results: Reproduction) -> dict[str, Measured]:
    """What a further level changes minus what the one before it changed, trained flat; above 0 it adds less."""
    changes = mean_by(one_level_more(results, "flat"), "levels")
    return {f"k = {k} after k = {k - 1}": changes[k] - changes[k - 1] for k in changes if k - 1 in changes}


def beyond_the_second(results: Reproduction) -> Column[Any]:
    """What the third and the fourth level change, trained flat."""
    return where(one_level_more(results, "flat"), levels=(3, 4))


def first_episodes(measure: str, study: str = "first-episode") -> Callable[[Reproduction], Column[Any]]:
    """First episodes of agents with k > 1 against those of flat ones, trained with the hierarchy."""
    return lambda results: minus(column(where(results.table(study), behaviour="hierarchy"), measure), MORE, FLAT)


def on_the_maze(results: Reproduction) -> dict[str, Measured]:
    """First episodes on maze-10, averaged over backups: k = 3 and 4 against k = 2, and k = 4 against k = 1."""
    first = mean_by(where(column(results.table("first-episode"), FIRST), world=MAZE), "levels")
    pairs = ((3, 2), (4, 2), (4, 1))
    return {f"k = {k} over k = {less}": first[k] - first[less] for k, less in pairs if k in first}


def the_slip(results: Reproduction) -> dict[str, Measured]:
    """First episodes on maze-10 with the preference slip and without, all else equal.

    That as published k = 4 is shorter than k = 2 more than without the slip, and by the text less than with it.
    """
    table = where(results.table("audit"), world=MAZE)
    pairs = {"as published": (ALL, "all but preference slip"), "by the algorithm": ("preference slip", ALGORITHM)}
    found = {}
    for name, choices in pairs.items():
        by_levels = [mean_by(number_of(table, choice, FIRST), "levels") for choice in choices]
        if all(by_levels):
            with_slip, without = (each[4] - each[2] for each in by_levels)
            found[name] = with_slip - without
    return found


def flat_shortest(results: Reproduction) -> dict[str, Measured]:
    """First episodes of the flat agent with λ = 1 minus the mean of all other flat agents, by world."""
    flat = where(column(results.table("first-episode"), FIRST), levels=1)
    ours = where(flat, backup="traces", parameter=1.0)
    others = mean_by({cell: number for cell, number in flat.items() if cell not in ours}, "world")
    return {cell.world: number - others[cell.world] for cell, number in ours.items()}


def unrewarded(results: Reproduction) -> dict[str, Measured]:
    """How many first training episodes were given up at the step limit."""
    table, seeds = results.table("first-episode"), results.frame("first-episode")["seed"].n_unique()
    lost = column(table, UNREWARDED)
    if not lost:
        raise NotRun("the results do not know how episodes ended")
    return {"episodes given up": exactly(round(seeds * sum(number.value for number in lost.values())))}


def flat_against_the_median(results: Reproduction) -> dict[str, Measured]:
    """The flat agent with λ = 1 minus the median of all hierarchies, on each small world."""
    points = marginals(results, behaviour="hierarchy", world=SMALL_WORLDS)
    flat = where(points, backup="traces", parameter=1.0, levels=1)
    above = {world: where(points, world=world, **MORE).values() for world in SMALL_WORLDS}
    return {cell.world: number - mean_of(above[cell.world], np.median) for cell, number in flat.items()}


def balanced(results: Reproduction, **fields: object) -> Column[Any]:
    """Agents of the balanced study with k > 1 minus its flat agent."""
    points = marginals(results, "balanced")
    flat = {(cell.world, cell.backup): number for cell, number in where(points, levels=1).items()}
    return {cell: n - flat[cell.world, cell.backup] for cell, n in where(points, levels=(2, 3), **fields).items()}


def trained_flat_or_not(results: Reproduction) -> dict[str, Measured]:
    """K = 3, λ = 1: trained flat minus trained with the hierarchy; slower on the gridworld, faster on the maze."""
    points = where(marginals(results, "balanced"), levels=3, backup="traces", world=SHOWN)
    change = minus(points, {"behaviour": "flat"}, {"behaviour": "hierarchy"})
    sign = {"gridworld-20": 1, "maze-10": -1}
    words = {"gridworld-20": "slower on gridworld-20", "maze-10": "faster on maze-10"}
    return {words[cell.world]: n if sign[cell.world] > 0 else -n for cell, n in change.items()}


def variances(scale: str) -> Callable[[Reproduction], dict[str, Measured]]:
    """ln(variance over seeds), k > 1 minus k = 1, in the first and the first few episodes of both kinds."""

    def of(results: Reproduction) -> dict[str, Measured]:
        table = where(results.table("main"), behaviour="hierarchy")
        chosen = {key: name for key, name in VARIANCES.items() if key[2] == scale}
        return {
            f"{kind}, first {episodes}": mean_of(minus(column(table, name), MORE, FLAT).values())
            for (kind, episodes, _), name in chosen.items()
        }

    return of


NEAR_AND_BINARY = {"subgoals": "nearby", "reward": "binary", "start": "0"}


def representations(results: Reproduction, **fields: object) -> Column[Any]:
    """Nearby and binary minus each other choice, in every world with as many levels."""
    numbers = where(column(results.table("representation"), SEED_MEANS), **fields)
    best = {cell._replace(subgoals="", reward="", start=""): n for cell, n in where(numbers, **NEAR_AND_BINARY).items()}
    others = {cell: n for cell, n in numbers.items() if (cell.subgoals, cell.reward) != ("nearby", "binary")}
    return {cell: best[cell._replace(subgoals="", reward="", start="")] - n for cell, n in others.items()}


def as_in_the_paper(results: Reproduction) -> Column[Any]:
    """The same with penalties that start low, and with the sub-goals of the rules."""
    cells = settings_of(results.rules or "text")["subgoal_cells"]
    found = representations(results, cells=cells)
    return {cell: n for cell, n in found.items() if cell.reward == "binary" or cell.start == "low"}


@cache
def different_episodes(rules: str) -> int:
    """How many episodes of agents with n = 1 and with λ = 0 and the same random numbers are not the same."""
    different = 0
    for name, levels, behaviour, seed in itertools.product(SMALL_WORLDS, LEVELS, BEHAVIOURS, range(SEEDS)):
        settings = {"levels": levels, "behaviour": behaviour, **settings_of(rules)}
        world = make_world(name)
        one, other = (Agent(world, AgentConfig(backup=b, **settings), seed) for b in (TreeBackup(1), Traces(0.0)))
        for play in (Agent.train, Agent.evaluate) * EPISODES:
            play(one)
            play(other)
            different += not np.array_equal(one.last_episode.states, other.last_episode.states)
    return different


def counts_differ(h: int, n: int) -> bool:
    """Whether the paper's formulas for the number of paths give something else than counting does."""
    coefficients = [1]
    for _ in range(n):
        longer = [0] * (len(coefficients) + h)
        for length, count in enumerate(coefficients):
            for span in range(1, h + 1):
                longer[length + span] += count
        coefficients = longer
    sparse = {(first, *([h] * hops)) for hops in range(n) for first in range(1, h + 1)}
    lengths = all(paths_of_length(t, h, n) == count for t, count in enumerate(coefficients))
    return not (lengths and sum(coefficients) == total_paths(h, n) and len(sparse) == sparsified_paths(h, n))


def path_counts(_: Reproduction) -> dict[str, Measured]:
    """Numbers of paths that differ from the formulas, for the main study's h and n."""
    cases = itertools.product((1, 3, 9, 27), (1, 3, 5, 8))
    return {"formulas that fail": exactly(float(sum(counts_differ(h, n) for h, n in cases)))}


def stitched(results: Reproduction, one: str, other: str, backup: str = "tree-backup", levels: int = 3) -> Column[Any]:
    """What one learner needs more than another, from the same episodes of a flat agent."""
    rules = results.rules or "text"
    numbers = where(column(results.table(STITCHING), LOGS_OF[iterations(results)]), backup=backup)
    learners = {
        "flat": {"learner": "flat", "levels": 1, "rules": rules},
        "single": {"learner": "single", "levels": levels, "rules": rules},
        "full": {"learner": "full", "levels": levels, "rules": rules},
    }
    return minus(numbers, learners[one], learners[other])


def control_and_backup(results: Reproduction) -> dict[str, Measured]:
    """What control gains without longer credit, and what longer credit adds to it, world by world; n = 1, k = 3."""
    parts = {"control": ("flat", "single"), "backup": ("single", "full")}
    return {
        f"{name}, {cell.world}": number
        for name, (one, other) in parts.items()
        for cell, number in stitched(results, one, other).items()
    }


def walls(results: Reproduction) -> dict[str, Measured]:
    """Agents with walls as sub-goals minus those without, all else alike: marginal points and first episodes."""
    table = results.table("audit")
    found: dict[str, Measured] = {}
    for name, measure in (("marginal points", MARGINAL[iterations(results)]), ("first episodes", FIRST)):
        with_walls, without = (number_of(table, choice, measure) for choice in ("walls as sub-goals", ALGORITHM))
        above = [with_walls[cell] - without[cell] for cell in with_walls if cell.levels > 1]
        found |= {name: mean_of(above)} if above else {}
    return found


def gain_without_thresholds(results: Reproduction) -> dict[str, Measured]:
    """Published program: what k > 1 changes against flat with traces, without the two thresholds over with them."""
    table = results.table("audit")
    gains = {}
    for choice in (ALGORITHM, BOTH):
        points = where(number_of(table, choice, MARGINAL[iterations(results)]), backup="traces")
        gains[choice] = mean_by(minus(points, MORE, FLAT), "parameter")
    without, with_them = gains[ALGORITHM], gains[BOTH]
    return {f"λ = {decay:g}": without[decay] / with_them[decay] for decay in without}


def gain_of_traces(choice: str) -> Callable[[Reproduction], Column[Any]]:
    """What k > 1 changes against flat with traces, for a choice of departures."""

    def of(results: Reproduction) -> Column[Any]:
        points = number_of(results.table("audit"), choice, MARGINAL[iterations(results)])
        return minus(where(points, backup="traces"), MORE, FLAT)

    return of


def _paper(name: str, title: str, source: str, study: str | None, contrast: Any, expects: Any, **options: Any) -> Claim:
    return Claim(name, title, source, study, contrast, expects, **{"unit": LOG_STEPS, **options})


def _ours(name: str, title: str, study: str, contrast: Any, expects: Any, **options: Any) -> Claim:
    return _paper(name, title, "our own", study, contrast, expects, ours=True, **options)


RESULTS = "Section 5"
CLAIMS: tuple[Claim, ...] = (
    _paper(
        "hierarchy-improves",
        "Hierarchy improves on the flat agent at any setting.",
        f"Figure 4; {RESULTS}",
        "main",
        over_flat("hierarchy"),
        BELOW,
        by=("backup", "parameter", "levels"),
    ),
    _paper(
        "near-monotone",
        "Every further level improves performance, in the mean over settings.",
        f"Figure 4; {RESULTS}",
        "main",
        one_level_more,
        BELOW,
        by="levels",
    ),
    _paper(
        "improves-trained-flat",
        "Hierarchy also improves on the flat agent when all are trained flat.",
        "Figure 7; Section 6",
        "main",
        over_flat("flat"),
        BELOW,
        by=("backup", "parameter", "levels"),
    ),
    _paper(
        "less-with-levels",
        "Trained flat, each level adds less than the one before.",
        "Section 6; Figure 7",
        "main",
        shrinking,
        ABOVE,
    ),
    _paper(
        "benefit-shrinks",
        "Trained flat, the benefit over the flat agent shrinks beyond two levels.",
        "Section 6; Figure 7",
        "main",
        beyond_the_second,
        ABOVE,
        by="levels",
    ),
    _paper(
        "prolongs-first-episodes",
        "Hierarchy prolongs the first training episode.",
        f"Tables 1 and 3; {RESULTS}",
        "first-episode",
        first_episodes(FIRST),
        ABOVE,
        by=("world", "levels"),
    ),
    _paper(
        "prolongs-first-few",
        f"Hierarchy prolongs the first few training episodes (here {EARLY}).",
        RESULTS,
        "main",
        first_episodes(FIRST_FEW, "main"),
        ABOVE,
        by=("world", "levels"),
    ),
    _paper(
        "reverses-on-maze",
        "On the 10 × 10 maze that pattern reverses at k > 2.",
        f"Table 1; {RESULTS}",
        "first-episode",
        on_the_maze,
        BELOW,
    ),
    _paper(
        "flat-shortest",
        "The flat agent with λ = 1 spends the least time in the first episode of all flat agents.",
        f"{RESULTS}; Table 3",
        "first-episode",
        flat_shortest,
        BELOW,
    ),
    _paper(
        "first-reward",
        "Every agent sees a reward in its first episode.",
        "Section 5, Experimental Setup",
        "first-episode",
        unrewarded,
        WITHIN,
        limit=0.5,
        unit=COUNT,
    ),
    _paper(
        "flat-traces-competitive",
        "On the small worlds the flat agent with λ = 1 needs less than 10 % more steps than the median hierarchy.",
        f"Figure 4; {RESULTS}",
        "main",
        flat_against_the_median,
        BELOW,
        limit=math.log(1.1),
    ),
    _paper(
        "balanced-depth",
        "With balanced depth of credit the benefit of hierarchy stays.",
        f"Figures 5, 9 and 10; {RESULTS}",
        "balanced",
        balanced,
        BELOW,
        by=("behaviour", "backup", "levels"),
    ),
    _paper(
        "flat-worse-than-both",
        "With balanced depth and λ = 1, flat is worse than both hierarchies on 20 × 20 Gridworld and 10 × 10 maze.",
        "Figure 5",
        "balanced",
        lambda results: balanced(results, backup="traces", world=SHOWN),
        BELOW,
        by=("world", "behaviour", "levels"),
    ),
    _paper(
        "trained-flat-slower-and-faster",
        "A hierarchy that is trained flat improves slower on the 20 × 20 Gridworld and faster on the 10 × 10 maze.",
        f"Figure 5; {RESULTS}",
        "balanced",
        trained_flat_or_not,
        ABOVE,
    ),
    _paper(
        "early-variance",
        "Hierarchies vary more in the first episodes: in steps.",
        f"{RESULTS}; Section 6",
        "main",
        variances("steps"),
        ABOVE,
        unit=VARIANCE,
    ),
    _paper(
        "early-variance-of-logs",
        "Hierarchies vary more in the first episodes: in ln(steps).",
        f"{RESULTS}; Section 6",
        "main",
        variances("ln(steps)"),
        ABOVE,
        unit=VARIANCE,
    ),
    _paper(
        "best-representation",
        "Nearby sub-goals with binary rewards are the best representation.",
        "Figure 8; Appendix D.4",
        "representation",
        as_in_the_paper,
        BELOW,
        by=("world", "levels", "subgoals", "reward"),
    ),
    _paper(
        "reward-assignment-alone",
        "The gain comes from reward assignment alone: without longer credit a hierarchy gains less than 5 %.",
        "Abstract; Section 1",
        STITCHING,
        lambda results: stitched(results, "flat", "single"),
        BELOW,
        by="world",
        limit=NO_GAIN,
    ),
    _paper(
        "one-step-is-traces-without-decay",
        "Tree-Backup with n = 1 is traces with λ = 0: the same trajectories from the same random numbers.",
        "Section 4.2",
        None,
        lambda results: {"episodes that differ": exactly(float(different_episodes(results.rules or "text")))},
        WITHIN,
        limit=0.5,
        unit=COUNT,
    ),
    _paper(
        "number-of-paths",
        "A backup over n actions of up to h steps has hⁿ paths, the sparsified one n·h.",
        "Appendix A, Equations 9 and 11",
        None,
        path_counts,
        WITHIN,
        limit=0.5,
        unit=COUNT,
        by_rules=False,
    ),
    _ours(
        "reversal-is-the-slip",
        "The reversal on the 10 × 10 maze comes from the preference slip of the published program.",
        "audit",
        the_slip,
        BELOW,
        by_rules=False,
    ),
    _ours(
        "best-representation-robust",
        "Nearby and binary are best whether sub-goals may be walls or not, and wherever penalties start.",
        "representation",
        representations,
        BELOW,
        by=("cells", "subgoals", "reward", "start", "levels"),
    ),
    _ours(
        "control-and-backup",
        "Both control and longer credit gain, in every world (n = 1, k = 3, trained flat).",
        STITCHING,
        control_and_backup,
        ABOVE,
    ),
    _ours("walls-as-subgoals", "Walls as sub-goals cost steps.", "audit", walls, ABOVE),
    _ours(
        "traces-without-thresholds",
        "With exact ties and no trace cut-off, HierQ_k(λ) still needs fewer steps than Watkins’ Q(λ).",
        "audit",
        gain_of_traces(ALGORITHM),
        BELOW,
        by=("parameter", "levels"),
    ),
    _ours(
        "thresholds-explain-traces",
        "Less than half of the gain of HierQ_k(λ) over Watkins’ Q(λ) is left without the two thresholds of 1e-8.",
        "audit",
        gain_without_thresholds,
        BELOW,
        limit=0.5,
        unit="share of the gain that is left",
    ),
)
