"""What many runs say: averages, differences and curves, each with an interval that says how certain they are.

    steps = numpy.array([...])                                  # one number per run
    interquartile_mean(steps, strata=worlds)                    # Interval(estimate=…, low=…, high=…)
    paired_difference(with_hierarchy, flat)                     # over the same seeds
    probability_of_improvement(flat, with_hierarchy)            # P(flat takes more steps)

Intervals are bootstrap percentile intervals: the runs are drawn again with replacement, B times, the statistic is taken
of each draw, and the interval is the middle part of these B numbers. Strata (the worlds of a study, say) are drawn
from separately, so that every draw has as many runs of each world as the study had; the runs of one world differ far
less from each other than those of two. The same seed gives the same interval, always. So functions take

    strata        what each run is grouped by, e.g. its world; by default all runs are one group
    confidence    c, how often the interval is to contain the true value
    resamples     B, how many times the runs are drawn again
    seed          of the draws

and raise InputError for anything but arrays of numbers, and for strata of fewer than two runs.

Agarwal et al., Deep Reinforcement Learning at the Edge of the Statistical Precipice, 2021, gives the reasons for the
interquartile mean, the stratified bootstrap and the probability of improvement.
"""

from __future__ import annotations  # so that help() shows short types

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hierq.agents.outcomes import Episodes
from hierq.errors import InputError
from hierq.studies.bootstrap import draw_counts, picks

__all__ = [
    "Correction",
    "CurveBand",
    "Interval",
    "PairedDifference",
    "correct_p_values",
    "interquartile_mean",
    "learning_curve",
    "mean",
    "paired_difference",
    "probability_of_improvement",
]

Array = npt.NDArray[np.float64]
Statistic = Callable[[Array], Array]

_ENTRIES_AT_ONCE = 2_000_000  # numbers drawn at a time: 16 MB, however many runs there are


@dataclass(frozen=True)
class Interval:
    """An estimate and the interval around it."""

    estimate: float  # the statistic of the runs themselves
    low: float
    high: float
    confidence: float  # how often such an interval contains the true value, e.g. 0.95
    values: int = field(default=0, kw_only=True)  # how many values there were
    reached: int | None = field(default=None, kw_only=True)  # for episodes: how many reached the goal, if known

    def __str__(self) -> str:
        """The numbers; for steps of episodes also how many reached the goal, unless all did."""
        missed = self.reached is not None and self.reached < self.values
        goals = f"; goal reached in {self.reached:,} of {self.values:,}" if missed else ""
        return f"{self.estimate:,.4g} [{self.low:,.4g}, {self.high:,.4g}]{goals}"


@dataclass(frozen=True)
class PairedDifference(Interval):
    """The mean difference of pairs, its interval, and two tests of "there is no difference"."""

    pairs: int
    t_test: float  # two-sided p-value of the paired t test
    wilcoxon: float  # two-sided p-value of Wilcoxon's signed-rank test


@dataclass(frozen=True, eq=False)
class CurveBand:
    """A learning curve with a band around it, one entry per episode."""

    estimate: Array  # the mean over seeds
    low: Array
    high: Array
    seeds: int  # how many curves were averaged


@dataclass(frozen=True, eq=False)
class Correction:
    """p-values corrected for the number of tests, in the order they were given."""

    adjusted: Array
    rejected: npt.NDArray[np.bool_]  # where `adjusted` is at most `level`, so that the difference counts as found
    level: float  # the rate of errors that was allowed
    method: str


def mean(
    values: npt.ArrayLike,
    *,
    strata: npt.ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 5000,
    seed: int = 0,
) -> Interval:
    """The mean of all runs, with a stratified bootstrap interval.

    estimate = (1/N) Σ x_i
    [low, high] = quantiles (1 − c)/2 and (1 + c)/2 of the means of B draws
    """
    return _stratified_interval(values, strata, lambda drawn: drawn.mean(axis=-1), confidence, resamples, seed)


def interquartile_mean(
    values: npt.ArrayLike,
    *,
    strata: npt.ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 5000,
    seed: int = 0,
) -> Interval:
    """The mean of the middle half of all runs, with a stratified bootstrap interval.

        estimate = mean of x_(q+1) … x_(N−q),   q = ⌊N/4⌋,   x_(1) ≤ … ≤ x_(N)
        [low, high] = quantiles (1 − c)/2 and (1 + c)/2 of the interquartile means of B draws

    It is less moved by single extreme runs than the mean, and uses more of the runs than the median. The quarters are
    those of all runs together, of whatever stratum.
    """
    from scipy.stats import trim_mean

    statistic = partial(trim_mean, proportiontocut=0.25, axis=-1)
    return _stratified_interval(values, strata, statistic, confidence, resamples, seed)


def paired_difference(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    first_seeds: npt.ArrayLike | None = None,
    second_seeds: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 5000,
    seed: int = 0,
) -> PairedDifference:
    """The mean difference between two configurations over the same seeds, with interval and tests.

        d_i = first_i − second_i
        estimate = (1/N) Σ d_i
        [low, high] = quantiles (1 − c)/2 and (1 + c)/2 of the mean d of B draws of whole pairs
        t_test: p of t = estimate / (s_d / √N) with N − 1 degrees of freedom, s_d² = Σ (d_i − estimate)² / (N − 1)
        wilcoxon: p of W = min(Σ ranks of |d_i| with d_i > 0, the same with d_i < 0); d_i = 0 are left out

    The tests see all pairs as one sample, whatever the strata. Where all differences are 0, both p-values are 1; where
    they are all the same otherwise, the t test's is 0. Both must be in the same order of seeds (and worlds); if the
    seeds of both are given, they are checked to match.
    """
    one, other = _numbers("the first values", first), _numbers("the second values", second)
    if len(one) != len(other):
        raise InputError(f"pairs need as many first as second values; there are {len(one)} and {len(other)}")
    _check_seeds(first_seeds, second_seeds, len(one))
    differences = one - other
    found = mean(differences, strata=strata, confidence=confidence, resamples=resamples, seed=seed)
    t_test, wilcoxon = _paired_tests(differences)
    return PairedDifference(found.estimate, found.low, found.high, confidence, len(differences), t_test, wilcoxon)


def probability_of_improvement(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    first_strata: npt.ArrayLike | None = None,
    second_strata: npt.ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 5000,
    seed: int = 0,
) -> Interval:
    """How probable it is that a run of the first configuration exceeds one of the second, with an interval.

        P_w = (1 / (N_w M_w)) Σ_i Σ_j (1 if x_i > y_j else ½ if x_i = y_j else 0)    x, y: the runs of stratum w
        estimate = mean of P_w over the strata
        [low, high] = quantiles (1 − c)/2 and (1 + c)/2 of the estimates of B draws, x and y drawn separately

    0.5 means no difference. P_w is Mann and Whitney's U divided by N_w M_w. For steps, where fewer is better, exchange
    the two: `probability_of_improvement(baseline, candidate)` is the probability that the candidate needs fewer.
    The two may differ in length, but must have the same strata.
    """
    if (first_strata is None) != (second_strata is None):
        raise InputError("give the strata of both the first and the second values, or of neither")
    ours = _strata(_numbers("the first values", first), first_strata)
    theirs = _strata(_numbers("the second values", second), second_strata)
    if ours.keys() != theirs.keys():
        lonely = sorted(map(str, ours.keys() ^ theirs.keys()))
        raise InputError(f"both must have runs in the same strata; only one has {', '.join(lonely)}")
    _check_draws(confidence, resamples)
    generator = np.random.default_rng(seed)
    estimates, drawn = [], []
    for name, x in ours.items():
        y = theirs[name]
        wins = (x[:, None] > y) + 0.5 * (x[:, None] == y)
        estimates.append(wins.mean())
        first_counts, second_counts = (draw_counts(generator, len(runs), resamples) for runs in (x, y))
        drawn.append(((first_counts @ wins) * second_counts).sum(axis=1) / wins.size)
    low, high = _middle(np.mean(drawn, axis=0), confidence)
    return Interval(float(np.mean(estimates)), float(low), float(high), confidence)


def learning_curve(
    curves: npt.ArrayLike,
    *,
    band: Literal["standard error", "bootstrap"] = "standard error",
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> CurveBand:
    """The mean learning curve over seeds, with a band.

        estimate_t = (1/N) Σ_i x_it
        "standard error":  estimate_t ± s_t / √N,   s_t² = Σ_i (x_it − estimate_t)² / (N − 1)
        "bootstrap":       quantiles (1 − c)/2 and (1 + c)/2 of the mean curves of B draws of whole curves

    The band holds for each episode by itself, not for all of them at once. For geometric means give the logarithms of
    the steps, and take the exponential of what comes back. Curves are an array [seeds, episodes].
    """
    runs = _numbers("the curves", curves, dimensions=2)
    count = len(runs)
    if count < 2:
        raise InputError("a band needs the curves of at least 2 seeds; there is 1")
    estimate = runs.mean(axis=0)
    if band == "standard error":
        error = runs.std(axis=0, ddof=1) / np.sqrt(count)
        return CurveBand(estimate, estimate - error, estimate + error, count)
    if band == "bootstrap":
        _check_draws(confidence, resamples)
        drawn = draw_counts(np.random.default_rng(seed), count, resamples) @ runs / count
        low, high = _middle(drawn, confidence)
        return CurveBand(estimate, low, high, count)
    raise InputError(f'a band is "standard error" or "bootstrap", not {band!r}')


def correct_p_values(
    p_values: npt.ArrayLike,
    *,
    method: Literal["holm", "benjamini-hochberg"] = "holm",
    level: float = 0.05,
) -> Correction:
    """p-values of many tests, corrected for their number.

    With p_(1) ≤ … ≤ p_(m):

        "holm":                adjusted_(i) = min(1, max_{j ≤ i} (m − j + 1) p_(j))
        "benjamini-hochberg":  adjusted_(i) = min(1, min_{j ≥ i} (m / j) p_(j))

    Rejecting where adjusted ≤ level, Holm keeps the probability of even one false find at `level`, however the tests
    depend on each other. Benjamini and Hochberg keep the expected share of false finds among the finds at `level`, for
    tests that are independent or positively dependent.
    """
    given = _numbers("the p-values", p_values)
    if given.min() < 0 or given.max() > 1:
        raise InputError(f"p-values lie between 0 and 1; these go from {given.min():g} to {given.max():g}")
    if not 0 < level < 1:
        raise InputError(f"the level must lie between 0 and 1; it is {level}")
    if method == "holm":
        order = np.argsort(given, kind="stable")
        factors = np.arange(len(given), 0, -1)
        adjusted = np.empty_like(given)
        adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * given[order]))
    elif method == "benjamini-hochberg":
        from scipy.stats import false_discovery_control

        adjusted = np.asarray(false_discovery_control(given, method="bh"), dtype=np.float64)
    else:
        raise InputError(f'a correction is "holm" or "benjamini-hochberg", not {method!r}')
    return Correction(adjusted, adjusted <= level, level, method)


def _numbers(what: str, values: npt.ArrayLike, dimensions: int = 1) -> Array:
    """The values as floating-point numbers; refuses anything else."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{what} must be an array of numbers; its rows have different lengths") from None
    if array.dtype.kind not in "biuf":
        raise InputError(f"{what} must be numbers; these are of type {array.dtype}")
    if array.ndim != dimensions:
        shape = "[runs]" if dimensions == 1 else "[seeds, episodes]"
        raise InputError(f"{what} must be an array {shape}; this one has shape {array.shape}")
    if array.size == 0:
        raise InputError(f"{what} are empty; give at least two runs")
    numbers = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        place = tuple(int(index) for index in np.argwhere(~np.isfinite(numbers))[0])
        raise InputError(f"{what} must be finite; the one at {list(place)} is {numbers[place]}")
    return numbers


def _strata(values: Array, labels: npt.ArrayLike | None) -> dict[Any, Array]:
    """The values of each stratum, in sorted order of their names."""
    if labels is None:
        groups = {"all runs": values}
    else:
        names = np.asarray(labels)
        if names.shape != values.shape:
            raise InputError(f"there must be one stratum per run; there are {names.shape} for {values.shape} runs")
        groups = {name: values[names == name] for name in np.unique(names).tolist()}
    for name, group in groups.items():
        if len(group) < 2:
            raise InputError(f"an interval needs at least 2 runs in each stratum; {name} has {len(group)}")
    return groups


def _check_draws(confidence: float, resamples: int) -> None:
    if not 0 < confidence < 1:
        raise InputError(f"the confidence must lie between 0 and 1, such as 0.95; it is {confidence}")
    if resamples < 100:
        raise InputError(f"an interval needs at least 100 resamples; {resamples} were asked for")


def _check_seeds(first: npt.ArrayLike | None, second: npt.ArrayLike | None, pairs: int) -> None:
    if first is None and second is None:
        return
    if first is None or second is None:
        raise InputError("give the seeds of both the first and the second values, or of neither")
    one, other = np.asarray(first), np.asarray(second)
    if one.shape != (pairs,) or other.shape != (pairs,):
        raise InputError(f"there must be one seed per run; there are {one.shape} and {other.shape} for {pairs} pairs")
    if (different := np.flatnonzero(one != other)).size:
        place = int(different[0])
        raise InputError(
            f"pairs must have the same seeds; the pair at {place} has {one[place]} and {other[place]}; "
            "sort both by world and seed, and leave out what only one of them has"
        )


def _stratified_interval(
    values: npt.ArrayLike,
    strata: npt.ArrayLike | None,
    statistic: Statistic,
    confidence: float,
    resamples: int,
    seed: int,
) -> Interval:
    """The statistic of all values, and its percentile interval over draws within each stratum."""
    groups = _strata(_numbers("the values", values), strata)
    _check_draws(confidence, resamples)
    generator = np.random.default_rng(seed)
    at_once = max(1, _ENTRIES_AT_ONCE // sum(map(len, groups.values())))
    parts = []
    for begin in range(0, resamples, at_once):
        rows = min(at_once, resamples - begin)
        drawn = [group[picks(generator, len(group), rows)] for group in groups.values()]
        parts.append(statistic(np.concatenate(drawn, axis=1)))
    low, high = _middle(np.concatenate(parts), confidence)
    every = np.concatenate(list(groups.values()))
    reached = int(values.reached.sum()) if isinstance(values, Episodes) and values.are_known else None
    return Interval(float(statistic(every)), float(low), float(high), confidence, values=len(every), reached=reached)


def _middle(drawn: Array, confidence: float) -> tuple[Any, Any]:
    """The ends of the middle part of the draws, along the first axis."""
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return low, high


def _paired_tests(differences: Array) -> tuple[float, float]:
    """Two-sided p-values of the paired t test and of Wilcoxon's signed-rank test."""
    from scipy.stats import ttest_1samp, wilcoxon

    if not differences.any():
        return 1.0, 1.0
    constant = bool((differences == differences[0]).all())
    t_test = 0.0 if constant else float(ttest_1samp(differences, 0.0).pvalue)
    return t_test, float(wilcoxon(differences).pvalue)
