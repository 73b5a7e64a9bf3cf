"""The comparisons behind the claims of rules.md: those of the paper, then our own about it.

Under the published rules marginal points are averaged over 32 iterations, under the text's over 50.
"""

import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from hierq.agents import AgentConfig, Backup, Traces, TreeBackup
from hierq.agents.agent import Agent
from hierq.figures.path_counts import paths_of_length, sparsified_paths, total_paths
from hierq.investigations.claims import Claim, Contrast
from hierq.investigations.markdown_tables import read_claims
from hierq.investigations.numbers import Column, Measured, Table, column, exactly, mean_by, mean_of, minus, where
from hierq.investigations.results import NotRun, Results
from hierq.paper.audit import number_of
from hierq.paper.examples import WORKED_MOVES, WORKED_WORLD
from hierq.paper.numbers import FIRST, FIRST_FEW, LOGS_OF, MARGINAL, OVER_OTHERS, SEED_MEANS, UNREWARDED, VARIANCES
from hierq.paper.plan import BEHAVIOURS, LEVELS, STITCHING
from hierq.paper.rules import AGGREGATIONS, ALGORITHM, ALL, BOTH, settings_of
from hierq.worlds import World, make_world

MORE = {"levels": (2, 3, 4)}
FLAT = {"levels": 1}
SMALL_WORLDS = ("gridworld-10", "rooms-4", "maze-10")
MAZE, SHOWN = "maze-10", ("gridworld-20", "maze-10")
EPISODES, SEEDS = 5, 2  # of the agents whose trajectories are compared
WALK, SMALL = 40, 1e-12  # steps down a corridor; the largest difference that is rounding


def iterations(results: Results) -> int:
    """How many iterations marginal points are averaged over."""
    return AGGREGATIONS[results.rules or "text"]


def marginals(results: Results, study: str = "main", **fields: object) -> Column[Any]:
    """The marginal points of a study, those of some agents."""
    return where(column(results.table(study), MARGINAL[iterations(results)]), **fields)


def over_flat(behaviour: str) -> Callable[[Results], Column[Any]]:
    """Agents with k > 1 minus the flat agent with the same backup in the same world."""
    return lambda results: minus(marginals(results, behaviour=behaviour), MORE, FLAT)


def one_level_more(results: Results, behaviour: str = "hierarchy") -> Column[Any]:
    """What level k changes against k − 1 levels, with the same backup in the same world."""
    return by_one_level(marginals(results, behaviour=behaviour))


def by_one_level(numbers: Column[Any]) -> Column[Any]:
    """Agents with k levels minus the same with k − 1."""
    fewer = {cell: cell._replace(levels=cell.levels - 1) for cell in numbers if cell.levels > 1}
    return {cell: numbers[cell] - numbers[other] for cell, other in fewer.items() if other in numbers}


def shrinking(results: Results) -> dict[str, Measured]:
    """What a further level changes minus what the one before it changed, trained flat; above 0 it adds less."""
    changes = mean_by(one_level_more(results, "flat"), "levels")
    return {f"k = {k} after k = {k - 1}": changes[k] - changes[k - 1] for k in changes if k - 1 in changes}


def beyond_the_second(results: Results) -> Column[Any]:
    """What the third and the fourth level change, trained flat."""
    return where(one_level_more(results, "flat"), levels=(3, 4))


def with_hierarchy(results: Results) -> Table[Any]:
    """The agents of the main study that train with the hierarchy."""
    return where(results.table("main"), behaviour="hierarchy")


def first_episodes(measure: str) -> Callable[[Results], Column[Any]]:
    """First episodes of agents with k > 1 against those of flat ones, trained with the hierarchy."""
    return lambda results: minus(column(with_hierarchy(results), measure), MORE, FLAT)


def on_the_maze(results: Results) -> dict[str, Measured]:
    """First episodes on maze-10, averaged over backups: k = 3 and 4 against k = 2, and k = 4 against k = 1."""
    first = mean_by(where(column(with_hierarchy(results), FIRST), world=MAZE), "levels")
    pairs = ((3, 2), (4, 2), (4, 1))
    return {f"k = {k} over k = {fewer}": first[k] - first[fewer] for k, fewer in pairs if k in first}


def the_slip(results: Results) -> dict[str, Measured]:
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


def flat_shortest(results: Results) -> dict[str, Measured]:
    """First episodes of the flat agent with λ = 1 minus the mean of all other flat agents, by world."""
    flat = where(column(with_hierarchy(results), FIRST), levels=1)
    ours = where(flat, backup="traces", parameter=1.0)
    others = mean_by({cell: number for cell, number in flat.items() if cell not in ours}, "world")
    return {cell.world: number - others[cell.world] for cell, number in ours.items()}


def unrewarded(results: Results) -> dict[str, Measured]:
    """How many first training episodes were given up at the step limit."""
    table, seeds = with_hierarchy(results), results.frame("main")["seed"].n_unique()
    lost = column(table, UNREWARDED)
    if not lost:
        raise NotRun("the results do not know how episodes ended")
    return {"episodes given up": exactly(round(seeds * sum(number.value for number in lost.values())))}


def flat_against_the_median(results: Results) -> dict[str, Measured]:
    """The flat agent with λ = 1 minus the median of all hierarchies, on each small world."""
    points = marginals(results, behaviour="hierarchy", world=SMALL_WORLDS)
    flat = where(points, backup="traces", parameter=1.0, levels=1)
    above = {world: where(points, world=world, **MORE).values() for world in SMALL_WORLDS}
    return {cell.world: number - mean_of(above[cell.world], np.median) for cell, number in flat.items()}


def balanced(results: Results, **fields: object) -> Column[Any]:
    """Agents of the balanced study with k > 1 minus its flat agent."""
    points = marginals(results, "balanced")
    flat = {(cell.world, cell.backup): number for cell, number in where(points, levels=1).items()}
    return {cell: n - flat[cell.world, cell.backup] for cell, n in where(points, levels=(2, 3), **fields).items()}


def trained_flat_or_not(results: Results, backup: str) -> dict[str, Measured]:
    """K = 3: trained flat minus trained with the hierarchy; slower on the gridworld, faster on the maze."""
    points = where(marginals(results, "balanced"), levels=3, backup=backup, world=SHOWN)
    change = minus(points, {"behaviour": "flat"}, {"behaviour": "hierarchy"})
    sign = {"gridworld-20": 1, "maze-10": -1}
    words = {"gridworld-20": "slower on gridworld-20", "maze-10": "faster on maze-10"}
    return {words[cell.world]: n if sign[cell.world] > 0 else -n for cell, n in change.items()}


def variances(scale: str) -> Callable[[Results], dict[str, Measured]]:
    """ln(variance over seeds), k > 1 minus k = 1, in the first and the first few episodes of both kinds."""

    def of(results: Results) -> dict[str, Measured]:
        table = with_hierarchy(results)
        chosen = {key: name for key, name in VARIANCES.items() if key[2] == scale}
        return {
            f"{kind}, first {episodes}": mean_of(minus(column(table, name), MORE, FLAT).values())
            for (kind, episodes, _), name in chosen.items()
        }

    return of


NEAR_AND_BINARY = {"subgoals": "nearby", "reward": "binary", "start": "0"}


def representations(results: Results, **fields: object) -> Column[Any]:
    """Nearby and binary minus each other choice, in every world with as many levels."""
    numbers = where(column(results.table("representation"), SEED_MEANS), **fields)
    best = {cell._replace(subgoals="", reward="", start=""): n for cell, n in where(numbers, **NEAR_AND_BINARY).items()}
    others = {cell: n for cell, n in numbers.items() if (cell.subgoals, cell.reward) != ("nearby", "binary")}
    return {cell: best[cell._replace(subgoals="", reward="", start="")] - n for cell, n in others.items()}


def as_in_the_paper(results: Results) -> Column[Any]:
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


def path_counts(_: Results) -> dict[str, Measured]:
    """Numbers of paths that differ from the formulas, for the main study's h and n."""
    cases = itertools.product((1, 3, 9, 27), (1, 3, 5, 8))
    return {"formulas that fail": exactly(float(sum(counts_differ(h, n) for h, n in cases)))}


def stitched(results: Results, one: str, other: str, backup: str = "tree-backup", levels: int = 3) -> Column[Any]:
    """What one learner needs more than another, from the same episodes of a flat agent."""
    rules = results.rules or "text"
    numbers = where(column(results.table(STITCHING), LOGS_OF[iterations(results)]), backup=backup)
    learners = {
        "flat": {"learner": "flat", "levels": 1, "rules": rules},
        "single": {"learner": "single", "levels": levels, "rules": rules},
        "full": {"learner": "full", "levels": levels, "rules": rules},
    }
    return minus(numbers, learners[one], learners[other])


def control_and_backup(results: Results) -> dict[str, Measured]:
    """What control gains without longer credit, and what longer credit adds to it, world by world; n = 1, k = 3."""
    parts = {"control": ("flat", "single"), "backup": ("single", "full")}
    return {
        f"{name}, {cell.world}": number
        for name, (one, other) in parts.items()
        for cell, number in stitched(results, one, other).items()
    }


def walls(results: Results) -> dict[str, Measured]:
    """Agents with walls as sub-goals minus those without, all else alike: marginal points and first episodes."""
    table = results.table("audit")
    found: dict[str, Measured] = {}
    for name, measure in (("marginal points", MARGINAL[iterations(results)]), ("first episodes", FIRST)):
        with_walls, without = (number_of(table, choice, measure) for choice in ("walls as sub-goals", ALGORITHM))
        above = [with_walls[cell] - without[cell] for cell in with_walls if cell.levels > 1]
        found |= {name: mean_of(above)} if above else {}
    return found


def gain_without_thresholds(results: Results) -> dict[str, Measured]:
    """The gain of k > 1 over flat with traces: without the two thresholds over with them, no other departures.

    By the paper's marginal points, where a few long episodes weigh most, and by mean ln(steps), where all count alike.
    """
    table = results.table("audit")
    found: dict[str, Measured] = {}
    for name, measure in (("", MARGINAL[iterations(results)]), (", mean ln", LOGS_OF[iterations(results)])):
        gains = {}
        for choice in (ALGORITHM, BOTH):
            points = where(number_of(table, choice, measure), backup="traces", behaviour="hierarchy")
            gains[choice] = mean_by(minus(points, MORE, FLAT), "parameter")
        without, with_them = gains[ALGORITHM], gains[BOTH]
        found |= {f"λ = {decay:g}{name}": without[decay] / with_them[decay] for decay in without}
    return found


def gain_of_traces(choice: str, behaviour: str) -> Callable[[Results], Column[Any]]:
    """What k > 1 changes against flat with traces, for a choice of departures."""

    def of(results: Results) -> Column[Any]:
        points = number_of(results.table("audit"), choice, MARGINAL[iterations(results)])
        return minus(where(points, backup="traces", behaviour=behaviour), MORE, FLAT)

    return of


def further_levels(results: Results) -> Column[Any]:
    """What level k changes against k − 1 levels with traces, exact ties and no cut-off."""
    points = number_of(results.table("audit"), ALGORITHM, MARGINAL[iterations(results)])
    return by_one_level(where(points, backup="traces", behaviour="hierarchy"))


def most_likely(results: Results) -> dict[str, Measured]:
    """How much more likely first episodes are under a Gamma distribution than under others; mean over agents."""
    table = with_hierarchy(results)
    return {f"over the {name} one": mean_of(column(table, measure).values()) for name, measure in OVER_OTHERS.items()}


def less_reliable(results: Results) -> Column[Any]:
    """What level k adds to ln(variance of ln(steps)) of the first training episode, beside k − 1 levels."""
    return by_one_level(column(with_hierarchy(results), VARIANCES["training", 1, "ln(steps)"]))


def penalties(results: Results) -> Column[Any]:
    """First training episodes with penalties minus those with binary rewards, sub-goals nearby."""
    cells = settings_of(results.rules or "text")["subgoal_cells"]
    first = where(column(results.table("representation"), FIRST), subgoals="nearby", cells=cells)
    return minus(first, {"reward": "penalty"}, {"reward": "binary", "start": "0"})


@cache
def example_steps(rules: str) -> float:
    """Appendix B: steps of the greedy hierarchy minus those of the flat agent, after the episode of the example."""
    world = make_world(WORKED_WORLD)
    steps = []
    for levels in (2, 1):
        config = AgentConfig(levels=levels, backup=Traces(1.0), explore_eval=0.0, **settings_of(rules))
        agents = [Agent(world, config, seed) for seed in range(20)]
        for agent in agents:
            agent.replay(WORKED_MOVES)
        steps.append(float(np.mean([agent.evaluate(1)[0] for agent in agents])))
    return steps[0] - steps[1]


@cache
def different_entries(decay: float, rules: str) -> int:
    """Entries of the forward view of TB(λ) that disjoint traces have otherwise, after some steps down a corridor.

    The forward view of four hops, which waits for them, has values of the states that were left so long ago only.
    """
    world = World.from_text("S" + "." * 2 * WALK + "G\n", name="corridor")
    different = 0
    for levels in (1, 2, 3):
        settings: dict[str, Any] = {"levels": levels, "universal_top": True, **settings_of(rules)}
        backups = (Traces(decay), Backup("tree-backup", n=4, decay=decay))
        backward, forward = (Agent(world, AgentConfig(backup=one, **settings)) for one in backups)
        for agent in (backward, forward):
            agent.replay("E" * WALK)
        for level, goal in itertools.product(range(levels), range(WALK)):
            ours, theirs = backward.q_values(level, goal), forward.q_values(level, goal)
            different += int(((theirs != 0) & (abs(ours - theirs) > SMALL)).sum())
    return different


CONTRASTS: dict[str, Contrast] = {
    "hierarchy-improves": over_flat("hierarchy"),
    "near-monotone": one_level_more,
    "improves-trained-flat": over_flat("flat"),
    "less-with-levels": shrinking,
    "benefit-shrinks": beyond_the_second,
    "prolongs-first-episodes": first_episodes(FIRST),
    "prolongs-first-few": first_episodes(FIRST_FEW),
    "reverses-on-maze": on_the_maze,
    "flat-shortest": flat_shortest,
    "first-reward": unrewarded,
    "gamma-distributed": most_likely,
    "less-reliable-with-coarser-time": less_reliable,
    "flat-traces-competitive": flat_against_the_median,
    "balanced-depth": balanced,
    "flat-worse-than-both": lambda results: balanced(results, backup="traces", world=SHOWN),
    "trained-flat-slower-and-faster": lambda results: trained_flat_or_not(results, "traces"),
    "trained-flat-slower-and-faster-tree-backup": lambda results: trained_flat_or_not(results, "tree-backup"),
    "early-variance": variances("steps"),
    "early-variance-of-logs": variances("ln(steps)"),
    "best-representation": as_in_the_paper,
    "penalties-act-like-counts": penalties,
    "reward-assignment-alone": lambda results: stitched(results, "flat", "single"),
    "one-step-is-traces-without-decay": lambda results: {
        "episodes that differ": exactly(float(different_episodes(results.rules or "text")))
    },
    "traces-generalise-tree-backup": lambda results: {
        f"entries that differ, λ = {decay:g}": exactly(float(different_entries(decay, results.rules or "text")))
        for decay in (0.5, 0.8, 1.0)
    },
    "number-of-paths": path_counts,
    "greedy-resampling-supersedes": lambda results: {
        "steps of the hierarchy minus flat": exactly(example_steps(results.rules or "text"))
    },
    "reversal-is-the-slip": the_slip,
    "best-representation-robust": representations,
    "control-and-backup": control_and_backup,
    "walls-as-subgoals": walls,
    "traces-without-thresholds": gain_of_traces(ALGORITHM, "hierarchy"),
    "traces-trained-flat-without-thresholds": gain_of_traces(ALGORITHM, "flat"),
    "further-levels-without-thresholds": further_levels,
    "thresholds-explain-traces": gain_without_thresholds,
}
CLAIMS: tuple[Claim, ...] = read_claims(__file__, CONTRASTS)
