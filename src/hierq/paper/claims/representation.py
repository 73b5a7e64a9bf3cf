"""Which sub-goals and which pseudo-reward learn best, and what that depends on."""

import itertools

import numpy as np
import polars as pl

from hierq.investigations.claims import Judgement, claimed, counted, runs_to_judge_by
from hierq.investigations.measures import Measured, draw_shares, mean_of
from hierq.investigations.results import Runs, runs_by, with_settings
from hierq.investigations.words import listed, signed
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RuleSet, settings_of

CELLS = {"grid": "walls as sub-goals", "free": "free cells only"}
STARTS = {"pessimistic": "pessimistic start", "0.0": "start at 0"}
UNIT = "mean difference of ln(a seed's mean steps)"

_Choice = tuple[str, str]  # sub-goals and pseudo-reward
OURS: _Choice = ("nearby", "binary")
OTHERS: tuple[_Choice, ...] = (("anywhere", "binary"), ("nearby", "penalty"), ("anywhere", "penalty"))


@claimed(
    "best-representation",
    "Nearby sub-goals with binary rewards are the best representation.",
    "Figure 8; Appendix D.4",
    "representation",
    by_iterations=False,
)
def best_representation(reproduction: Reproduction, rules: RuleSet) -> Judgement:
    """Nearby and binary against each other choice, on the same world with as many levels, penalties starting low.

    Each comparison is a test: that nearby and binary take fewer steps. Each seed counts with the logarithm of its mean
    steps over all 50 iterations, as in the violins.
    """
    compared = _comparisons(reproduction, rules, settings_of(rules)["subgoal_cells"], "pessimistic")
    every = [difference for group in compared.values() for difference in group]
    counts, better = counted(every, "below"), sum(each.value < 0 for each in every)
    each = listed([f"{signed(mean_of(group).value)} to {' + '.join(choice)}" for choice, group in compared.items()])
    return Judgement.by(
        counts,
        f"better in {better} of {counts.tests} comparisons, surely so in {counts.sure}, surely worse in "
        f"{counts.against} (Holm, 5 %)",
        f"Difference to the others, mean over worlds and k: {each}.",
        mean_of(every).interval,
        UNIT,
    )


@claimed(
    "best-representation-robust",
    "Nearby and binary are the best whether sub-goals may be walls or not, and wherever penalties start.",
    "not in the paper; tests Figure 8",
    "representation",
    by_iterations=False,
    ours=True,
)
def best_representation_robust(reproduction: Reproduction, rules: RuleSet) -> Judgement:
    """As `best_representation`, with walls as sub-goals and without, and with both start values of the penalty.

    The tests are those of all four cases together. The effect is the difference to the best rival in the case where
    nearby and binary do worst.
    """
    tests: list[Measured] = []
    said: list[str] = []
    worst: list[Measured] = []
    for cells, start in itertools.product(CELLS, STARTS):
        compared = _comparisons(reproduction, rules, cells, start)
        tests += [difference for group in compared.values() for difference in group]
        means = [mean_of(group) for group in compared.values()]
        worst.append(max(means, key=lambda mean: mean.value))
        said.append(f"{CELLS[cells]}, {STARTS[start]}: {' / '.join(signed(mean.value) for mean in means)}")
    counts = counted(tests, "below")
    others = " / ".join(" + ".join(choice) for choice in OTHERS)
    return Judgement.by(
        counts,
        f"surely better in {counts.sure} of {counts.tests} comparisons in {len(said)} cases, surely worse in "
        f"{counts.against} (Holm, 5 %)",
        f"Difference to {others}: {'; '.join(said)}.",
        max(worst, key=lambda mean: mean.value).interval,
        f"{UNIT}, to the best rival in the worst case",
    )


def _comparisons(reproduction: Reproduction, rules: RuleSet, cells: str, start: str) -> dict[_Choice, list[Measured]]:
    """Nearby and binary less each other choice, for every world and number of levels."""
    frame = runs_to_judge_by(reproduction, "representation", rules)
    settings = with_settings(frame, "subgoals", "pseudo_reward", "initial_value", "subgoal_cells").filter(
        pl.col("setting_subgoal_cells") == cells,
        (pl.col("setting_pseudo_reward") == "binary") | (pl.col("setting_initial_value") == start),
    )
    columns = ("setting_subgoals", "setting_pseudo_reward", "world", "levels")
    measured = {key: _log_of_seed_means(runs) for key, runs in runs_by(settings, *columns)}
    places = [key[2:] for key in measured if key[:2] == OURS]
    return {other: [measured[*OURS, *place] - measured[*other, *place] for place in places] for other in OTHERS}


def _log_of_seed_means(runs: Runs) -> Measured:
    """The mean over seeds of ln(mean steps of a seed)."""
    logs = np.log(runs.evaluation.mean(axis=1))
    return Measured.of_runs(float(logs.mean()), draw_shares(len(logs), runs.evaluation.sum()) @ logs, len(logs))
