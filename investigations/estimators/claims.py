"""The comparisons behind the claims of rules.md."""

from itertools import pairwise
from pathlib import Path

from hierq.investigations import (
    Contrast,
    Measured,
    Results,
    column,
    contrast,
    exactly,
    mean_of,
    minus,
    read_claims,
    where,
)
from hierq.worlds import best_values

from . import plan
from .measuring import exact_values
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


def levels_over_flat(measure: str, kind: dict[str, str], study: str = "levels") -> Contrast:
    """Agents of a kind with more levels minus those with one."""
    return contrast(study, measure, {**kind, **MORE}, FLAT)


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


def skill(world: str) -> float:
    """The best values that level 1 can have without luck, as a share of those of the luckiest path."""
    config = plan.MEMBERS["chance"][-1].config
    slip, span = float(world.rsplit("-", 1)[-1]), config.reaches[1]
    map_ = plan.slippery_world(plan.SLIPPERY, slip)
    _, luckiest, visited = exact_values(map_, config.discount, span)
    return float(best_values(map_, config.discount, span)[visited].mean() / luckiest.mean())


VALUES = {"levels": 1, "step_size": plan.STEP_SIZES[1]}  # of flat agents that walk at random
IN_HINDSIGHT = {"levels": 2, "hops": ("stride", plan.BACKWARD)}  # level 1 learns, and hopes for luck
CLAIMS = read_claims(
    Path(__file__).with_name("rules.md").read_text(encoding="utf-8"),
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
        "levels-for-other-goals": levels_over_flat(plan.OTHERS, BACKWARD_REPLAY, "goals"),
        "backward-for-other-goals": contrast("goals", plan.OTHERS, {**BACKWARD_REPLAY, **FLAT}, THREE_HOPS),
        "levels-with-slip": contrast("acting", STEPS, {"levels": 2}, FLAT),
        "levels-with-slip-after-random-walks": contrast("chance", STEPS, {**BACKWARD_REPLAY, "levels": 2}, FLAT),
        "levels-with-other-horizons": contrast("horizons", STEPS, {"levels": (2, 3)}, FLAT),
        "levels-with-random-values": contrast("random", STEPS, {"levels": 2}, FLAT),
        "random-values-close-gates": contrast("random", OPEN, {}),
        "hindsight-over-estimates": contrast(
            "chance", f"{plan.LUCK} 1", IN_HINDSIGHT, lambda cell: exactly(skill(cell.world))
        ),
        "right-with-slip": contrast("chance", f"{plan.BIAS} 0", VALUES),
        "all-paths-best": contrast("family", STEPS, {"hops": "all-max", "levels": 3}, {"hops": "stride"}),
        "best-path-beats-mean": contrast("family", STEPS, {"hops": "all-max", "levels": 3}, {"hops": "all-mean"}),
        "sarsa-worse-than-q-learning": contrast("levels", STEPS, {**SARSA, "hops": "stride", **FLAT}, ONE_STEP),
        "sarsa-worse-than-tree-backup": contrast("family", STEPS, SARSA, {"operator": "Tree-Backup"}),
        "printed-line": contrast("soft", STEPS, {"operator": "Tree-Backup as printed"}, {"operator": "Tree-Backup"}),
    },
)
