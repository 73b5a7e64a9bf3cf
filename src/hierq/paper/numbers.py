"""From runs to the numbers that are plotted and printed, as the paper aggregates them.

marginal points   L[e] = ln(mean over seeds of the evaluation steps of iteration e); the mean of L over the
                  iterations: the first 32 as published, all 50 as the text says. Band ± ½ · std(L) / √iterations
loss curves       mean over seeds of ln(steps), per iteration, ± std / √seeds
first episodes    mean over seeds of the steps of the first training episode, ± std / √seeds
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from hierq.investigations.numbers import Floats, Measured, Runs, draw_shares, means_over_runs, runs_by
from hierq.paper.rules import AGGREGATIONS

FIRST, FIRST_FEW, UNREWARDED = "first episode", "first five episodes", "first episodes given up"
EARLY = 5  # episodes that count as the first few
SEED_MEANS, LOGS = "ln(mean steps of a seed)", "mean ln(steps)"
LOGS_OF = {iterations: f"{LOGS}, {iterations} iterations" for iterations in AGGREGATIONS.values()}
MARGINAL = {iterations: f"marginal, {iterations} iterations" for iterations in AGGREGATIONS.values()}
# ln(variance over seeds) of the first and of the first few episodes, by kind, number and scale.
VARIANCES = {
    (kind, episodes, scale): f"variance of {scale}, {kind}, first {episodes}"
    for scale in ("steps", "ln(steps)")
    for kind in ("training", "evaluation")
    for episodes in (1, EARLY)
}


# Mean ln(likelihood) of first episodes under a fitted Gamma distribution minus that under another one.
OVER_OTHERS = {name: f"Gamma over {name}" for name in ("exponential", "log-normal")}


class Setting(NamedTuple):
    """One agent of the main or balanced study on one world.

    backup is "traces" or "tree-backup", as in the results, and parameter λ or n.
    """

    world: str
    behaviour: str
    backup: str
    parameter: float
    levels: int


def runs_by_setting(frame: pl.DataFrame) -> dict[Setting, Runs]:
    """The runs of every agent of the main or balanced study."""
    return {Setting(*key): runs for key, runs in runs_by(frame, *Setting._fields)}


def marginal_point(evaluation: npt.NDArray[Any], iterations: int) -> float:
    """The paper's marginal log-performance: the mean of L over the first iterations."""
    return float(np.log(evaluation[:, :iterations].mean(axis=0)).mean())


def loss_curve(evaluation: npt.NDArray[Any]) -> tuple[Floats, Floats]:
    """Mean over seeds of ln(steps) in every iteration, and its standard error (NaN for a single run)."""
    logs = np.log(evaluation)
    if len(logs) < 2:
        return logs.mean(axis=0), np.full(logs.shape[1], np.nan)
    return logs.mean(axis=0), np.asarray(logs.std(axis=0, ddof=1) / np.sqrt(len(logs)), float)


def episodes_at_limit(evaluation: npt.NDArray[Any], step_limit: int = 100_000) -> int:
    """How many episodes were given up at the step limit; one of them moves a marginal point by up to 0.1."""
    return int((evaluation >= step_limit).sum())


def measures(runs: Runs) -> dict[str, Measured]:
    """What is measured of an agent of the main, balanced or audit study. The draws depend on its runs alone."""
    training, evaluation = runs.training.astype(float), runs.evaluation.astype(float)
    shares = draw_shares(len(training), evaluation.sum(), training[:, 0].sum())
    found = {name: _marginal(evaluation[:, :iterations], shares) for iterations, name in MARGINAL.items()}
    for iterations, name in LOGS_OF.items():
        logs = np.log(evaluation[:, :iterations]).mean(axis=1)
        found[name] = Measured.of_runs(float(logs.mean()), shares @ logs, len(logs))
    found[FIRST] = _log_of_mean(training[:, 0], shares)
    found[FIRST_FEW] = _log_of_mean(training[:, :EARLY].sum(axis=1), shares)
    steps = {"training": training, "evaluation": evaluation}
    for (kind, episodes, scale), name in VARIANCES.items():
        early = steps[kind][:, :episodes]
        found[name] = _log_variance(early if scale == "steps" else np.log(early), shares)
    return found | first_measures(runs)


def first_measures(runs: Runs) -> dict[str, Measured]:
    """What is measured of first training episodes."""
    first = runs.training[:, 0].astype(float)
    found = {FIRST: _log_of_mean(first, draw_shares(len(first), first.sum()))}
    found |= means_over_runs(_likelihoods(first), first.sum())
    if "training_outcomes" in runs.frame.columns and runs.frame["training_outcomes"].null_count() == 0:
        lost = [float(each[0] != "goal") for each in runs.frame["training_outcomes"]]
        found |= means_over_runs({UNREWARDED: lost}, first.sum())
    return found


def _likelihoods(steps: Floats) -> dict[str, Floats]:
    """How much more likely each first episode is under a Gamma distribution, a parameter more costing 1 / runs.

    The shape of the Gamma distribution is Minka's approximation of its most likely value.
    """
    from scipy.stats import expon, gamma, lognorm

    mean, logs = steps.mean(), np.log(steps)
    apart = max(float(np.log(mean) - logs.mean()), 1e-9)
    shape = (3 - apart + np.sqrt((apart - 3) ** 2 + 24 * apart)) / (12 * apart)
    ours = gamma.logpdf(steps, shape, scale=mean / shape)
    spread = max(float(logs.std()), 1e-9)
    others = (
        expon.logpdf(steps, scale=mean) + 1 / len(steps),
        lognorm.logpdf(steps, spread, scale=np.exp(logs.mean())),
    )
    return {name: ours - other for name, other in zip(OVER_OTHERS.values(), others, strict=True)}


def seed_measures(runs: Runs) -> dict[str, Measured]:
    """What is measured in the representation study: each seed counts with ln of its mean steps, as in the violins."""
    evaluation = runs.evaluation
    found = means_over_runs({SEED_MEANS: np.log(evaluation.mean(axis=1))}, evaluation.sum())
    return found | first_measures(runs)


def stitching_measures(runs: Runs) -> dict[str, Measured]:
    """Mean ln(steps), seed by seed; learners of the same episodes have the same draws of seeds."""
    logs = np.log(runs.evaluation)
    columns = {name: logs[:, :iterations].mean(axis=1) for iterations, name in LOGS_OF.items()}
    return means_over_runs(columns, runs.training.sum())


def _marginal(evaluation: Floats, shares: Floats) -> Measured:
    value = float(np.log(evaluation.mean(axis=0)).mean())
    return Measured.of_runs(value, np.log(shares @ evaluation).mean(axis=1), len(evaluation))


def _log_of_mean(steps: Floats, shares: Floats) -> Measured:
    return Measured.of_runs(float(np.log(steps.mean())), np.log(shares @ steps), len(steps))


def _log_variance(values: Floats, shares: Floats) -> Measured:
    """The logarithm of the variance over seeds, averaged over episodes; values are [seeds, episodes]."""

    def of(weights: Floats) -> Floats:
        variances = weights @ values**2 - (weights @ values) ** 2
        return np.asarray(np.log(np.maximum(variances, 1e-12).mean(axis=-1)), float)

    return Measured.of_runs(float(of(np.full(len(values), 1 / len(values)))), of(shares), len(values))
