"""The study: explorers × what is near × estimators × levels, on the paper's worlds.

A flat agent with the same explorer stands beside every hierarchy. It has no sub-goals, so nothing is near it, and for
it "seek" is "pass".
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

from hierq import PAPER_WORLDS, AgentConfig, Backup, Protocol, Traces, TreeBackup, make_world, shortest_path
from hierq.investigations import Measured, Part, Runs, draw_shares, means_over_runs

STUDY = "explorers"
EPISODES = 60
LEVELS = (1, 2, 3)
FLAT = "flat"  # what is near a flat agent
NEARNESS = ("L1", "steps", "learnt")
ESTIMATORS = {
    "Tree-Backup(3)": TreeBackup(3),
    "Q(.8)": Traces(0.8),
    "Q(1)": Traces(1.0),
    "backward": Backup("one-step", when="episode"),
}
FIRST_ESTIMATOR = next(iter(ESTIMATORS))
EXPLORERS = {"epsilon": "ε-greedy", "pass": "pass", "seek": "seek", "optimism": "optimism", "epsilon-z": "εz-greedy"}
FIRST = "first_episode"  # ln of mean steps of the first training episode
TOTAL = "twenty_episodes"  # ln of mean steps of the first twenty training episodes together
NEARLY = "until_nearly_optimal"  # ln of training steps until half of the runs were within 10 % of the shortest path
FOUND = "share_nearly_optimal"  # of runs that came so far
UNREWARDED = "first_episodes_given_up"
WITHIN_OPTIMUM, FIRST_FEW = 1.1, 20


def members() -> Iterator[tuple[AgentConfig, dict[str, object]]]:
    """Every agent of the study, with what tells it apart.

    Whether a goal is found hardly depends on the estimator, so all explorers and kinds of nearness are tried with
    Tree-Backup(3); the other estimators where they are compared: nearness by steps, and learnt with "seek".
    """
    for (estimator, backup), explorer in product(ESTIMATORS.items(), EXPLORERS):
        # Greedy in evaluation, so that it can be told whether the agent knows a path that is nearly the shortest.
        flat = AgentConfig(levels=1, backup=backup, explore=explorer, explore_eval=0.0)
        if estimator != FIRST_ESTIMATOR and explorer in ("optimism", "epsilon-z"):
            continue
        if explorer != "seek":
            yield flat, {"explorer": explorer, "nearness": FLAT, "estimator": estimator, "levels": 1}
        for levels, nearness in product(LEVELS[1:], NEARNESS):
            if estimator == FIRST_ESTIMATOR or nearness == "steps" or (explorer, nearness) == ("seek", "learnt"):
                told = {"explorer": explorer, "nearness": nearness, "estimator": estimator, "levels": levels}
                yield flat.replace(levels=levels, nearness=nearness), told


def measures(runs: Runs) -> dict[str, Measured]:
    """What is measured of one agent in one world; steps as logarithms of means, so that differences are ratios."""
    training, evaluation = runs.training.astype(float), runs.evaluation
    is_near = evaluation <= WITHIN_OPTIMUM * shortest_path(make_world(runs.world))
    found = is_near.any(axis=1)
    needed = np.where(found, is_near.argmax(axis=1), training.shape[1] - 1)
    until = training.cumsum(axis=1)[np.arange(len(training)), needed]
    lost = [each[0] != "goal" for each in runs.frame["training_outcomes"]]
    columns = {FIRST: training[:, 0], TOTAL: training[:, :FIRST_FEW].sum(axis=1), FOUND: found, UNREWARDED: lost}
    sums = evaluation.sum(), training.sum()
    means = means_over_runs(columns, *sums) | {NEARLY: median_until(until, found, *sums)}
    shares = (FOUND, UNREWARDED)
    return {name: number if name in shares else number.logarithm() for name, number in means.items()}


def median_until(times: np.ndarray, has_happened: np.ndarray, *sums: float) -> Measured:
    """When something had happened in half of the runs, if some runs ended before it did (Kaplan and Meier).

    A run that ended counts until then, and for nothing after. Where it happened in fewer than half of the runs that
    went on, this is the time of the longest run, and the median is later.
    """
    order = np.lexsort((~has_happened, times))
    happened, ordered, runs = has_happened[order], times[order], len(times)

    def medians(shares: np.ndarray) -> np.ndarray:
        weights = shares[:, order]
        at_risk = weights[:, ::-1].cumsum(axis=1)[:, ::-1]
        hazards = np.divide(weights * happened, at_risk, out=np.zeros_like(weights), where=at_risk > 1e-12)
        is_past = (1 - hazards).cumprod(axis=1) <= 0.5 + 1e-9
        return np.where(is_past.any(axis=1), ordered[is_past.argmax(axis=1)], ordered[-1])

    value = float(medians(np.full((1, runs), 1 / runs))[0])
    return Measured.of_runs(value, medians(draw_shares(runs, *sums)), runs)


def parts() -> list[Part]:
    """All agents on the paper's worlds."""
    return [Part.labelled(STUDY, PAPER_WORLDS, dict(members()), Protocol(EPISODES), measures=measures)]
