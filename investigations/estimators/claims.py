"""What is claimed about the family. All rules were settled while looking at runs of a few seeds: exploratory."""

from functools import partial
from itertools import pairwise
from typing import Any

from hierq.investigations import (
    ABOVE,
    BELOW,
    WITHIN,
    Claim,
    Measured,
    Results,
    column,
    contrast,
    exactly,
    mean_of,
    minus,
    where,
)
from hierq.studies.measuring import exact_values
from hierq.worlds import best_values

from .plan import (
    BACKWARD,
    BIAS,
    LUCK,
    MEMBERS,
    OTHERS,
    Q_ONE,
    SLIPPERY,
    STEP_SIZES,
    TRACES,
    slippery_world,
)

ONE_STEP = {"operator": "one step", "hops": "stride"}
THREE_HOPS = {"operator": "Tree-Backup", "hops": "stride"}
BACKWARD_REPLAY = {"operator": "one step", "hops": BACKWARD}
# From credit that travels one hop to credit that travels along the whole trace.
REACHES = {
    "one step": ONE_STEP,
    "Tree-Backup(3)": THREE_HOPS,
    "Watkins’ Q(.8)": {"operator": "Watkins’ Q(λ)", "hops": TRACES},
    "Watkins’ Q(1)": {"operator": Q_ONE, "hops": TRACES},
    "backward": BACKWARD_REPLAY,
}
STEPS, FIRST_EVALUATION, FIRST_EPISODE = "log_steps", "first_evaluation", "first_episode"
RIGHT = 0.01  # the largest bias of a value that counts as right
explored = partial(Claim, exploratory=True)
MORE = {"levels": (2, 3, 4)}
QUESTION = "the question of this investigation"


def levels_over_flat(name: str, title: str, measure: str, kind: dict[str, str], source: str = QUESTION) -> Claim:
    """That agents of a kind need fewer steps with more levels than with one."""
    study = "goals" if measure == OTHERS else "family"
    return explored(
        name, title, source, study, contrast(study, measure, {**kind, **MORE}, {"levels": 1}), BELOW, by="levels"
    )


def best_of_the_paper(results: Results) -> dict[str, Measured]:
    """Flat backward replay minus the best of the paper's agents in each world, chosen by the same seeds."""
    ours = where(column(results.table("family"), STEPS), **BACKWARD_REPLAY, levels=1)
    paper = column(results.table("paper"), STEPS)
    best = {}
    for cell, number in paper.items():
        if cell.world not in best or number.value < best[cell.world].value:
            best[cell.world] = number
    return {cell.world: number - best[cell.world] for cell, number in ours.items() if cell.world in best}


def falling_gains(results: Results) -> dict[str, Measured]:
    """What three levels gain over one with an estimator, minus the gain with the one before it in REACHES."""
    numbers = column(results.table("family"), STEPS)
    gains = {
        name: mean_of(minus(numbers, {**kind, "levels": 1}, {"levels": 3}).values()) for name, kind in REACHES.items()
    }
    names = list(gains)
    return {f"{after} after {before}": gains[after] - gains[before] for before, after in pairwise(names)}


def biases(results: Results) -> dict[str, Measured]:
    """Mean of values minus exact ones, flat agents with step size 0.1 that walk at random."""
    found = where(column(results.table("chance"), f"{BIAS} 0"), levels=1, step_size=STEP_SIZES[1])
    return {f"{cell.operator}, {cell.hops}, {cell.world}": number for cell, number in found.items()}


def skill(world: str) -> float:
    """The best values that level 1 can have without luck, as a share of those of the luckiest path."""
    config = MEMBERS["chance"][-1].config
    slip, span = float(world.rsplit("-", 1)[-1]), config.reaches[1]
    map_ = slippery_world(SLIPPERY, slip)
    _, luckiest, visited = exact_values(map_, config.discount, span)
    return float(best_values(map_, config.discount, span)[visited].mean() / luckiest.mean())


def over_estimates(results: Results) -> dict[Any, Measured]:
    """Values of level 1, which learns in hindsight, minus the best that skill could make them; as shares."""
    found = where(column(results.table("chance"), f"{LUCK} 1"), levels=2, hops=("stride", BACKWARD))
    return {cell: number - exactly(skill(cell.world)) for cell, number in found.items()}


def never_cut(results: Results) -> dict[str, Measured]:
    """The share of runs in which values that are never cut exceed what is possible, hops by hops, k > 1."""
    numbers = results.table("uncut")
    found = {}
    for cell, measured in where(numbers, levels=(2, 3)).items():
        biases = [measured[f"{BIAS} {level}"] for level in range(cell.levels) if f"{BIAS} {level}" in measured]
        if biases:
            found[f"{cell.hops}, k = {cell.levels}, {cell.world}"] = max(biases, key=lambda each: each.value)
    return found


CLAIMS = (
    explored(
        "backward-beats-the-paper",
        "A flat agent that replays each episode backward needs fewer steps than the best agent of the paper.",
        "found while this investigation was planned",
        "paper",
        best_of_the_paper,
        BELOW,
    ),
    levels_over_flat(
        "levels-online", "With one-step backups, more levels need fewer steps.", STEPS, ONE_STEP, "the paper"
    ),
    levels_over_flat("levels-tree-backup", "With Tree-Backup(3), more levels need fewer steps.", STEPS, THREE_HOPS),
    levels_over_flat(
        "levels-traces", "With Watkins’ Q(.8), more levels need fewer steps.", STEPS, REACHES["Watkins’ Q(.8)"]
    ),
    levels_over_flat(
        "levels-long-traces", "With Watkins’ Q(1), more levels need fewer steps.", STEPS, REACHES["Watkins’ Q(1)"]
    ),
    levels_over_flat("levels-backward", "With backward replay, more levels need fewer steps.", STEPS, BACKWARD_REPLAY),
    explored(
        "less-to-gain",
        "The farther credit travels along the trace, the less three levels gain over one.",
        QUESTION,
        "family",
        falling_gains,
        BELOW,
    ),
    levels_over_flat(
        "levels-after-one-episode",
        "After one episode that was replayed backward, more levels need fewer steps.",
        FIRST_EVALUATION,
        BACKWARD_REPLAY,
    ),
    levels_over_flat(
        "levels-within-the-first-episode",
        "Within the first episode, more levels with Tree-Backup(3) need fewer steps.",
        FIRST_EPISODE,
        THREE_HOPS,
    ),
    levels_over_flat(
        "levels-for-other-goals",
        "Trained for one goal with backward replay, more levels reach other goals in fewer steps.",
        OTHERS,
        BACKWARD_REPLAY,
    ),
    explored(
        "backward-for-other-goals",
        "Trained for one goal, flat backward replay needs fewer steps to other goals than flat Tree-Backup(3).",
        "found while looking at the results",
        "goals",
        contrast("goals", OTHERS, {**BACKWARD_REPLAY, "levels": 1}, THREE_HOPS),
        BELOW,
        by="world",
    ),
    explored(
        "levels-with-slip",
        "Where moves slip and agents act for themselves, two levels need fewer steps than one.",
        QUESTION,
        "acting",
        contrast("acting", STEPS, {"levels": 2}, {"levels": 1}),
        BELOW,
        by=("operator", "hops", "step_size"),
    ),
    explored(
        "levels-with-slip-after-random-walks",
        "Where moves slip, two levels that learnt from random walks by backward replay need fewer steps than one.",
        QUESTION,
        "chance",
        contrast("chance", STEPS, {**BACKWARD_REPLAY, "levels": 2}, {"levels": 1}),
        BELOW,
        by=("world", "step_size"),
    ),
    explored(
        "hindsight-over-estimates",
        "Where moves slip, levels above the lowest over-estimate, because hindsight credits lucky transitions.",
        "what hindsight implies",
        "chance",
        over_estimates,
        ABOVE,
        by=("world", "step_size"),
        unit="share of the luckiest path’s value",
    ),
    explored(
        "right-with-slip",
        "With step size 0.1 the values of flat agents are right within 0.01 where moves slip, whatever the estimator.",
        "folklore",
        "chance",
        biases,
        WITHIN,
        limit=RIGHT,
        unit="mean of values minus exact values",
    ),
    explored(
        "never-cut-grows",
        "Returns that are never cut, Q*(.2), make the values of some level of a hierarchy too high.",
        "Harutyunyan et al. 2016 prove convergence for small λ only",
        "uncut",
        never_cut,
        ABOVE,
        unit="mean of values minus exact values",
    ),
    explored(
        "all-paths-best",
        "To look at all paths and take the best needs fewer steps than the paper’s strides.",
        "the paper’s conclusion asks for the family",
        "family",
        contrast("family", STEPS, {"hops": "all-max", **MORE}, {"hops": "stride"}),
        BELOW,
        by="operator",
    ),
    explored(
        "best-path-beats-mean",
        "The best path needs fewer steps than the mean over hops.",
        "the paper’s conclusion asks for the family",
        "family",
        contrast("family", STEPS, {"hops": "all-max", **MORE}, {"hops": "all-mean"}),
        BELOW,
        by="operator",
    ),
    explored(
        "sarsa-worse-than-q-learning",
        "Flat SARSA(.8) needs more steps than one-step Q-learning.",
        "the paper, Section 6",
        "family",
        contrast("family", STEPS, {"operator": "SARSA(λ)", "hops": "stride", "levels": 1}, {"operator": "one step"}),
        ABOVE,
        by="world",
    ),
    explored(
        "sarsa-worse-than-tree-backup",
        "SARSA(.8) needs more steps than Tree-Backup(3) over the same hops.",
        "the paper, Section 6",
        "family",
        contrast("family", STEPS, {"operator": "SARSA(λ)"}, {"operator": "Tree-Backup"}),
        ABOVE,
        by=("hops", "levels"),
    ),
    explored(
        "printed-line",
        "Algorithm 3 as it is printed needs as many steps as the equation, within 2 %, for a soft target.",
        "the paper, Algorithm 3",
        "soft",
        contrast("soft", STEPS, {"operator": "Tree-Backup as printed"}, {"operator": "Tree-Backup"}),
        WITHIN,
        by="levels",
        limit=0.02,
    ),
)
