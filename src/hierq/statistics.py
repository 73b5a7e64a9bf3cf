"""Averages, differences and curves of many runs, each with an interval that says how certain they are.

    steps = numpy.array([...])                                  # one number per run
    interquartile_mean(steps, strata=worlds)                    # Interval(estimate=…, low=…, high=…)
    paired_difference(with_hierarchy, flat)                     # over the same seeds
    probability_of_improvement(flat, with_hierarchy)            # P(flat takes more steps)

The intervals are closed forms that hold with few runs, where bootstrap percentiles are too narrow: Student's interval,
corrected for skewness where runs may be skewed. Strata (the worlds of a study, say) contribute their own variances, so
the differences between worlds do not count as noise. docs/results.md has the measured coverage. Below ten runs the
functions warn: skewed runs are then covered less often than the confidence says. Functions take

    strata        the group of each run, e.g. its world; by default all runs are one group
    confidence    c, how often the interval should contain the true value

and raise InputError for anything but arrays of numbers, and for strata of fewer than two runs.

Agarwal et al., Deep Reinforcement Learning at the Edge of the Statistical Precipice, 2021, gives the reasons for the
interquartile mean, the strata and the probability of improvement.
"""

from __future__ import annotations  # so that help() shows short types

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.agents.outcomes import Episodes
from hierq.errors import InputError

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

LARGEST = 1e70  # of values whose fourth powers a number can hold
ENOUGH_RUNS = 10  # below that, intervals of skewed runs cover noticeably less than they say


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


def mean(values: npt.ArrayLike, *, strata: npt.ArrayLike | None = None, confidence: float = 0.95) -> Interval:
    """The mean of all runs, with Student's interval corrected for skewness.

        estimate = (1/N) Σ x_i
        e² = Σ_w (N_w/N)² s_w² / N_w,   s_w²: variance of the runs of stratum w, with N_w − 1
        ends = estimate − e · T(± q),   T(q) = (3/a) (∛(1 + a (q − a/6)) − 1)

    q is Student's quantile (1 + c)/2, with N − 1 degrees of freedom (with strata, Welch and Satterthwaite's); a is the
    skewness of the mean: Σ_w (N_w/N)³ μ₃_w / N_w² divided by the 3/2 power of the variance of the mean, both from plain
    central moments. Without skewness T(q) = q, and the interval is Student's. Hall, On the removal of skewness by
    transformation, 1992.
    """
    runs = _numbers("the values", values)
    groups = _strata(runs, strata)
    _check_confidence(confidence)
    warn_about_few_runs(map(len, groups.values()))
    low, high = mean_ends(groups.values(), confidence)
    return _interval(values, float(runs.mean()), float(low), float(high), confidence)


def interquartile_mean(
    values: npt.ArrayLike, *, strata: npt.ArrayLike | None = None, confidence: float = 0.95
) -> Interval:
    """The mean of the middle half of all runs, with Yuen's interval corrected for skewness.

        estimate = mean of x_(r+1) … x_(N−r),   r = ⌊N/4⌋,   h = N − 2r,   x_(1) ≤ … ≤ x_(N)
        u_i = x_i moved to the nearest of x_(r+1) and x_(N−r)
        e² = (N − 1) / (N h (h − 1)) Σ_w N_w s_w²,   s_w²: variance of the u_i of stratum w
        ends = estimate − e · T(± q),   T as in `mean`, with the skewness of the mean of the u_i

    q is Student's quantile (1 + c)/2 with h − 1 degrees of freedom; with strata, those of `mean` times (h − 1)/(N − 1).
    Single extreme runs move the estimate less than the mean, and it uses more of the runs than the median. The quarters
    are those of all runs together, whatever their stratum. Yuen, The two-sample trimmed t for unequal population
    variances, 1974; Guo and Luh, An invertible transformation two-sample trimmed t-statistic, 2000.
    """
    runs = _numbers("the values", values)
    groups = _strata(runs, strata)
    _check_confidence(confidence)
    warn_about_few_runs(map(len, groups.values()))
    ordered = np.sort(runs)
    count, cut = len(runs), len(runs) // 4
    middle = ordered[cut : count - cut]
    kept = len(middle)
    parts = [_moments(np.clip(group, middle[0], middle[-1]), count) for group in groups.values()]
    error = np.sqrt(sum(part.variance for part in parts) * count * (count - 1) / (kept * (kept - 1)))
    quantile = _student(_freedom(parts) * (kept - 1) / (count - 1), confidence)
    low, high = _skewed_ends(middle.mean(), error, quantile, _skewness(parts))
    return _interval(values, float(middle.mean()), float(low), float(high), confidence)


def paired_difference(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    first_seeds: npt.ArrayLike | None = None,
    second_seeds: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    confidence: float = 0.95,
) -> PairedDifference:
    """The mean difference between two configurations over the same seeds, with Student's interval and two tests.

        d_i = first_i − second_i
        estimate = (1/N) Σ d_i
        [low, high] = estimate ± q e,   e and q as in `mean`; with one stratum e = s_d / √N
        t_test: p of t = estimate / (s_d / √N) with N − 1 degrees of freedom, s_d² = Σ (d_i − estimate)² / (N − 1)
        wilcoxon: p of W = min(Σ ranks of |d_i| with d_i > 0, the same with d_i < 0); d_i = 0 are left out

    There is no correction for skewness: differences have little of it, and estimating it does more harm than good.
    Without strata the interval excludes 0 exactly where t_test < 1 − c. The tests take all pairs as one sample. If all
    differences are 0, both p-values are 1; if they are all equal but not 0, that of the t test is 0. Both arrays must
    have the same order of seeds (and worlds); if the seeds of both are given, they are checked to match.
    """
    one, other = _numbers("the first values", first), _numbers("the second values", second)
    if len(one) != len(other):
        raise InputError(f"pairs need as many first as second values; there are {len(one)} and {len(other)}")
    _check_seeds(first_seeds, second_seeds, len(one))
    _check_confidence(confidence)
    differences = one - other
    groups = _strata(differences, strata)
    warn_about_few_runs(map(len, groups.values()))
    low, high = mean_ends(groups.values(), confidence, skewed=False)
    t_test, wilcoxon = _paired_tests(differences)
    estimate = float(differences.mean())
    return PairedDifference(estimate, float(low), float(high), confidence, len(differences), t_test, wilcoxon)


def probability_of_improvement(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    first_strata: npt.ArrayLike | None = None,
    second_strata: npt.ArrayLike | None = None,
    confidence: float = 0.95,
) -> Interval:
    """How probable it is that a run of the first configuration exceeds one of the second, with a score interval.

        P_w = (1 / (N_w M_w)) Σ_i Σ_j (1 if x_i > y_j else ½ if x_i = y_j else 0)    x, y: the runs of stratum w
        estimate = mean of P_w over the strata
        [low_w, high_w] = all p with |P_w − p| ≤ q √v(p),   q: Student's, with N_w + M_w − 2 degrees of freedom
        v(p) = p (1 − p) (1 + (½(N_w + M_w) − 1) ((1 − p)/(2 − p) + p/(1 + p))) / (N_w M_w)
        low = estimate − √(Σ_w (P_w − low_w)²) / (number of strata), and high likewise

    0.5 means no difference. P_w is Mann and Whitney's U divided by N_w M_w. For steps, where fewer is better, exchange
    the two: `probability_of_improvement(baseline, candidate)` is the probability that the candidate needs fewer.
    The two may differ in length, but must have the same strata. Newcombe, Confidence intervals for an effect size
    measure based on the Mann–Whitney statistic, part 2, 2006, method 5.
    """
    if (first_strata is None) != (second_strata is None):
        raise InputError("give the strata of both the first and the second values, or of neither")
    ours = _strata(_numbers("the first values", first), first_strata)
    theirs = _strata(_numbers("the second values", second), second_strata)
    if ours.keys() != theirs.keys():
        lonely = sorted(map(str, ours.keys() ^ theirs.keys()))
        raise InputError(f"both must have runs in the same strata; only one has {', '.join(lonely)}")
    _check_confidence(confidence)
    warn_about_few_runs([*map(len, ours.values()), *map(len, theirs.values())])
    estimates, below, above = [], 0.0, 0.0
    for name, x in ours.items():
        y = theirs[name]
        wins = float(((x[:, None] > y) + 0.5 * (x[:, None] == y)).mean())
        low, high = _score_ends(wins, len(x), len(y), confidence)
        estimates.append(wins)
        below += (wins - low) ** 2
        above += (high - wins) ** 2
    estimate, strata = float(np.mean(estimates)), len(estimates)
    return Interval(estimate, estimate - below**0.5 / strata, estimate + above**0.5 / strata, confidence)


def learning_curve(curves: npt.ArrayLike, *, confidence: float = 0.95) -> CurveBand:
    """The mean learning curve over seeds, with a band.

        estimate_t = (1/N) Σ_i x_it
        [low_t, high_t] = the interval of `mean` at t

    The band holds for each episode by itself, not for all of them at once. For geometric means give the logarithms of
    the steps, and take the exponential of the result. Curves are an array [seeds, episodes].
    """
    runs = _numbers("the curves", curves, dimensions=2)
    if len(runs) < 2:
        raise InputError("a band needs the curves of at least 2 seeds; there is 1")
    _check_confidence(confidence)
    warn_about_few_runs([len(runs)])
    return curve_band(runs, confidence)


def curve_band(runs: Array, confidence: float = 0.95) -> CurveBand:
    """The band of `learning_curve`, of checked numbers; a single run has a band of no width."""
    estimate = runs.mean(axis=0)
    low, high = mean_ends([runs], confidence) if len(runs) > 1 else (estimate, estimate)
    return CurveBand(estimate, low, high, len(runs))


def warn_about_few_runs(counts: Iterable[int]) -> None:
    """Warns of an interval from fewer runs than ENOUGH_RUNS."""
    fewest = min(counts)
    if fewest < ENOUGH_RUNS:
        warnings.warn(
            f"an interval from {fewest} runs covers skewed results less often than it says; take at least "
            f"{ENOUGH_RUNS} seeds (docs/results.md has what was measured)",
            stacklevel=3,
        )


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
    if np.abs(numbers).max() > LARGEST:
        raise InputError(f"{what} must be at most {LARGEST:g}; divide them all by a large number")
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


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise InputError(f"the confidence must lie between 0 and 1, such as 0.95; it is {confidence}")


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


class _Moments(NamedTuple):
    """What a stratum contributes to the mean of all runs, each an array [] or [columns]."""

    variance: Array  # of the mean, unbiased
    plain_variance: Array  # the same from the plain second moment
    third: Array  # third central moment of the mean
    freedom: int  # of the variance


def _moments(runs: Array, total: int) -> _Moments:
    """The moments of Σ runs / total, for an array [runs] or [runs, columns]."""
    count = len(runs)
    away = runs - runs.mean(axis=0)
    second, third = (away**2).mean(axis=0), (away**3).mean(axis=0)
    plain = count * second / total**2
    return _Moments(plain * count / (count - 1), plain, count * third / total**3, count - 1)


def _freedom(parts: list[_Moments]) -> Array:
    """Degrees of freedom of the summed variance (Welch and Satterthwaite); those of the strata if it is 0."""
    total = np.asarray(sum(part.variance for part in parts))
    spread = np.asarray(sum(part.variance**2 / part.freedom for part in parts))
    fewest = float(sum(part.freedom for part in parts))
    return np.asarray(np.divide(total**2, spread, out=np.full_like(total, fewest), where=spread > 0), np.float64)


def _student(freedom: Any, confidence: float) -> Array:
    """Student's quantile (1 + c)/2."""
    from scipy.special import stdtrit

    return np.asarray(stdtrit(freedom, (1 + confidence) / 2), dtype=np.float64)


def mean_ends(groups: Iterable[Array], confidence: float, skewed: bool = True) -> tuple[Array, Array]:
    """The ends of the interval of `mean`, for strata of shape [runs] or [runs, columns]: arrays [] or [columns]."""
    strata = list(groups)
    count = sum(map(len, strata))
    parts = [_moments(group, count) for group in strata]
    error = np.sqrt(sum(part.variance for part in parts))
    quantile = _student(_freedom(parts), confidence)
    skewness = _skewness(parts) if skewed else np.zeros_like(error)
    return _skewed_ends(np.concatenate(strata).mean(axis=0), error, quantile, skewness)


def _skewness(parts: list[_Moments]) -> Array:
    """The skewness of the sum of what the strata contribute; 0 if they do not vary."""
    third = np.asarray(sum(part.third for part in parts))
    spread = np.asarray(sum(part.plain_variance for part in parts)) ** 1.5
    return np.asarray(np.divide(third, spread, out=np.zeros_like(third), where=spread > 0), np.float64)


def _skewed_ends(estimate: Array, error: Array, quantile: Array, skewness: Array) -> tuple[Array, Array]:
    """The ends of Student's interval, corrected for skewness; see `mean`."""
    low = estimate - error * _without_skewness(quantile, skewness)
    high = estimate - error * _without_skewness(-quantile, skewness)
    return low, high


def _without_skewness(quantile: Array, skewness: Array) -> Array:
    """Hall's transformation T(q) of a quantile; q itself where the skewness is next to nothing."""
    some = np.abs(skewness) > 1e-6
    a = np.where(some, skewness, 1.0)
    return np.where(some, 3 / a * (np.cbrt(1 + a * (quantile - a / 6)) - 1), quantile)


def _score_ends(wins: float, first: int, second: int, confidence: float) -> tuple[float, float]:
    """The ends of the score interval of one stratum; see `probability_of_improvement`."""
    from scipy.optimize import brentq

    quantile = float(_student(first + second - 2, confidence))
    inside = min(max(wins, 1e-9), 1 - 1e-9)  # at 0 and 1 themselves the variance would be 0

    def too_far(p: float) -> float:
        spread = 1 + ((first + second) / 2 - 1) * ((1 - p) / (2 - p) + p / (1 + p))
        return float((inside - p) ** 2 - quantile**2 * p * (1 - p) * spread / (first * second))

    low = 0.0 if wins <= 0 else brentq(too_far, 0.0, inside)
    high = 1.0 if wins >= 1 else brentq(too_far, inside, 1.0)
    return float(low), float(high)


def _interval(values: npt.ArrayLike, estimate: float, low: float, high: float, confidence: float) -> Interval:
    """The interval; of the steps of episodes, with how many reached the goal."""
    reached = int(values.reached.sum()) if isinstance(values, Episodes) and values.are_known else None
    return Interval(estimate, low, high, confidence, values=int(np.size(values)), reached=reached)


def _paired_tests(differences: Array) -> tuple[float, float]:
    """Two-sided p-values of the paired t test and of Wilcoxon's signed-rank test."""
    from scipy.stats import ttest_1samp, wilcoxon

    if not differences.any():
        return 1.0, 1.0
    constant = bool((differences == differences[0]).all())
    t_test = 0.0 if constant else float(ttest_1samp(differences, 0.0).pvalue)
    return t_test, float(wilcoxon(differences).pvalue)
