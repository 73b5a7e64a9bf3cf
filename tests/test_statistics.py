"""Statistics against closed forms, scipy, brute force, and known distributions."""

import inspect
import itertools
import math
import warnings

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import hierq.statistics
from hierq import Episodes, InputError
from hierq.statistics import (
    correct_p_values,
    interquartile_mean,
    learning_curve,
    mean,
    paired_difference,
    probability_of_improvement,
)


def normal(seed: int, count: int = 40) -> np.ndarray:
    return np.random.default_rng(seed).normal(10.0, 3.0, count)


# Estimates


def test_mean_and_interquartile_mean_of_known_values() -> None:
    assert mean([1, 2, 3, 6]).estimate == 3.0
    assert interquartile_mean([100, 1, 2, 3]).estimate == 2.5
    assert interquartile_mean([1, 2, 3]).estimate == 2.0  # ⌊3/4⌋ = 0: nothing is left out
    assert interquartile_mean(range(9)).estimate == 4.0


def test_interquartile_mean_takes_the_quarters_of_all_strata_together() -> None:
    found = interquartile_mean([0, 0, 4, 4, 6, 6, 100, 100], strata=list("aabbccdd"))
    assert found.estimate == 5.0


def test_equal_values_have_an_interval_of_no_width() -> None:
    for found in (mean([7.0] * 5), interquartile_mean([7.0] * 5)):
        assert (found.estimate, found.low, found.high) == (7.0, 7.0, 7.0)


# Intervals


def student(values: np.ndarray, confidence: float = 0.95) -> tuple[float, float]:
    error = scipy.stats.sem(values)
    return scipy.stats.t.interval(confidence, len(values) - 1, np.mean(values), error)


def test_interval_of_symmetric_runs_is_students() -> None:
    values = np.array([1.0, 2.0, 4.0, 7.0, 9.0, 10.0])  # 5.5 ± 4.5, 3.5 and 1.5
    found = mean(values, confidence=0.8)
    assert (found.low, found.high) == pytest.approx(student(values, 0.8))
    assert mean([1.0, 3.0]).high == pytest.approx(student(np.array([1.0, 3.0]))[1])


def test_interval_of_skewed_runs_solves_halls_equation() -> None:
    """g(T) = T + a T²/3 + a² T³/27 + a/6 turns T = (mean − μ) / e into Student's: at the ends it is ± q."""
    values = np.random.default_rng(3).lognormal(size=12)
    found, error = mean(values), scipy.stats.sem(values)
    a = scipy.stats.skew(values) / math.sqrt(12)
    for end, sign in ((found.low, 1), (found.high, -1)):
        t = (values.mean() - end) / error
        quantile = t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6
        assert quantile == pytest.approx(sign * scipy.stats.t.ppf(0.975, 11))
    assert found.high - found.estimate > 1.2 * (found.estimate - found.low)  # where the long tail is


def test_stratified_interval_is_that_of_welch() -> None:
    """Two strata of equal size: twice the mean is a sum, whose interval is Welch's for the difference with −y."""
    x, y = np.array([1.0, 2.0, 3.0]), np.array([100.0, 110.0, 120.0])
    welch = scipy.stats.ttest_ind(x, -y, equal_var=False).confidence_interval(0.9)
    found = mean([1, 100, 2, 110, 3, 120], strata=list("ababab"), confidence=0.9)
    assert (2 * found.low, 2 * found.high) == pytest.approx((welch.low, welch.high))
    apart = mean(np.concatenate([x, y]), confidence=0.9)
    assert apart.high - apart.low > 3 * (found.high - found.low)


def yuen(values: np.ndarray) -> tuple[float, float]:
    still = 1e-9 * normal(2, len(values))
    found = scipy.stats.ttest_ind(values, still, equal_var=False, trim=0.25).confidence_interval(0.95)
    return found.low, found.high


def test_interquartile_interval_of_symmetric_runs_is_yuens() -> None:
    away = normal(1, 6)
    values = np.concatenate([20 - away, [20.0], 20 + away])
    found = interquartile_mean(values)
    assert (found.low, found.high) == pytest.approx(yuen(values), rel=1e-5)


def test_interquartile_interval_of_skewed_runs_solves_halls_equation() -> None:
    values = np.random.default_rng(3).lognormal(size=13)  # r = 3, h = 7
    found, (low, high) = interquartile_mean(values), yuen(values)
    quantile = scipy.stats.t.ppf(0.975, 6)
    error = (high - low) / (2 * quantile)
    a = scipy.stats.skew(scipy.stats.mstats.winsorize(values, (3 / 13, 3 / 13))) / math.sqrt(13)
    for end, sign in ((found.low, 1), (found.high, -1)):
        t = (found.estimate - end) / error
        assert t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6 == pytest.approx(sign * quantile, rel=1e-5)
    assert found.high - found.estimate > 1.05 * (found.estimate - found.low)


def test_order_of_runs_and_names_of_strata_do_not_matter() -> None:
    values, strata = normal(1), np.arange(40) % 4
    for own in (mean, interquartile_mean):
        found, shuffled = own(values, strata=strata), np.random.default_rng(1).permutation(40)
        other = own(values[shuffled], strata=strata[shuffled].astype(str))
        assert (other.low, other.high) == pytest.approx((found.low, found.high))


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=12), st.floats(0.5, 0.99))
def test_interval_is_around_the_estimate(values: list[float], confidence: float) -> None:
    slack = 1e-6 * (1 + max(map(abs, values)))
    for own in (mean, interquartile_mean):
        found = own(values, confidence=confidence)
        assert found.low - slack <= found.estimate <= found.high + slack


def test_few_runs_are_warned_of_and_enough_are_not() -> None:
    few, enough = np.arange(9.0), np.arange(10.0)
    calls = (mean, interquartile_mean, lambda x: paired_difference(x, x**2), lambda x: probability_of_improvement(x, x))
    for call in (*calls, lambda x: learning_curve(x[:, None])):
        with pytest.warns(UserWarning, match="an interval from 9 runs"):
            call(few)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call(enough)
    with pytest.warns(UserWarning, match="from 4 runs"):
        mean(np.arange(30.0), strata=[0] * 26 + [1] * 4)


# Pairs


def test_paired_difference_agrees_with_scipy() -> None:
    first, second = normal(1), normal(2) - 1
    found = paired_difference(first, second, first_seeds=range(40), second_seeds=range(40))
    assert found.estimate == pytest.approx(first.mean() - second.mean())
    assert found.t_test == pytest.approx(scipy.stats.ttest_rel(first, second).pvalue)
    assert found.wilcoxon == pytest.approx(scipy.stats.wilcoxon(first, second).pvalue)
    assert (found.pairs, found.confidence) == (40, 0.95)
    assert (found.low, found.high) == pytest.approx(student(first - second))
    back = paired_difference(second, first)
    assert (back.estimate, back.t_test) == pytest.approx((-found.estimate, found.t_test))


def test_signed_ranks_by_brute_force() -> None:
    """All 2⁶ signs are equally probable when there is no difference."""
    differences = np.array([3.0, -1.0, 4.0, 2.0, 6.0, -5.0])
    ranks = np.arange(1, 7)
    sums = [sum(itertools.compress(ranks, signs)) for signs in itertools.product([0, 1], repeat=6)]
    positive = scipy.stats.rankdata(np.abs(differences))[differences > 0].sum()
    tail = np.mean([total <= 21 - positive for total in sums])
    assert paired_difference(differences, np.zeros(6)).wilcoxon == pytest.approx(2 * tail)


def test_pairs_without_noise() -> None:
    same = paired_difference([5, 6, 7], [5, 6, 7])
    assert (same.estimate, same.low, same.high, same.t_test, same.wilcoxon) == (0, 0, 0, 1, 1)
    shifted = paired_difference([6, 7, 8, 9], [5, 6, 7, 8])
    assert (shifted.estimate, shifted.low, shifted.high, shifted.t_test) == (1, 1, 1, 0)


# Probability of improvement


@given(st.lists(st.integers(0, 5), min_size=2, max_size=8), st.lists(st.integers(0, 5), min_size=2, max_size=8))
def test_probability_of_improvement_counts_pairs(first: list[int], second: list[int]) -> None:
    wins = [1.0 if x > y else 0.5 if x == y else 0.0 for x in first for y in second]
    found = probability_of_improvement(first, second)
    assert found.estimate == pytest.approx(np.mean(wins))
    assert 0 <= found.low <= found.high <= 1
    assert probability_of_improvement(second, first).estimate == pytest.approx(1 - found.estimate)
    statistic = scipy.stats.mannwhitneyu(first, second).statistic
    assert found.estimate == pytest.approx(statistic / (len(first) * len(second)))


def test_probability_of_improvement_is_the_mean_over_strata() -> None:
    found = probability_of_improvement(
        [3, 4, 1, 1, 1], [1, 2, 2, 2], first_strata=list("aabbb"), second_strata=list("aabb")
    )
    assert found.estimate == 0.5  # always in a, never in b
    assert found.low < 0.4 and found.high > 0.6


def test_ends_of_the_probability_of_improvement_are_just_compatible_with_what_was_seen() -> None:
    first, second = normal(1, 8) + 2, normal(2, 12)
    found = probability_of_improvement(first, second)
    quantile, half = scipy.stats.t.ppf(0.975, 18), (8 + 12) / 2 - 1
    for p in (found.low, found.high):
        variance = p * (1 - p) * (1 + half * ((1 - p) / (2 - p) + p / (1 + p))) / (8 * 12)
        assert abs(found.estimate - p) == pytest.approx(quantile * math.sqrt(variance))


def test_runs_that_always_win_leave_room_for_doubt() -> None:
    found = probability_of_improvement([6, 7, 8, 9, 10], [1, 2, 3, 4, 5])
    assert (found.estimate, found.high) == (1.0, 1.0) and 0.4 < found.low < 0.8
    back = probability_of_improvement([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])
    assert (back.low, back.high) == pytest.approx((0.0, 1 - found.low))


# Curves


def test_band_of_an_episode_is_the_interval_of_its_mean() -> None:
    curves = np.stack([normal(1), np.exp(normal(2) / 3)], axis=1)
    band = learning_curve(curves, confidence=0.9)
    assert band.seeds == 40
    for episode in range(2):
        alone = mean(curves[:, episode], confidence=0.9)
        found = band.estimate[episode], band.low[episode], band.high[episode]
        assert found == pytest.approx((alone.estimate, alone.low, alone.high))


# Many tests


def test_corrections_of_known_values() -> None:
    holm = correct_p_values([0.01, 0.04, 0.03, 0.005])
    assert holm.adjusted == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm.rejected.tolist() == [True, False, False, True]
    hochberg = correct_p_values([0.01, 0.04, 0.03, 0.005], method="benjamini-hochberg")
    assert hochberg.adjusted == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert hochberg.rejected.all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=15), st.floats(0.01, 0.5))
def test_corrections_reject_what_their_procedures_reject(p_values: list[float], level: float) -> None:
    """Holm steps down and stops at the first p that is too large; Benjamini-Hochberg takes the last small one."""
    count, ordered = len(p_values), sorted(p_values)
    down = list(itertools.takewhile(lambda at: ordered[at] * (count - at) <= level, range(count)))
    up = [at for at in range(count) if ordered[at] * (count / (at + 1)) <= level]
    assert correct_p_values(p_values, level=level).rejected.sum() == len(down)
    found = correct_p_values(p_values, method="benjamini-hochberg", level=level)
    assert found.rejected.sum() == (max(up) + 1 if up else 0)
    for corrected in (found, correct_p_values(p_values)):
        assert (corrected.adjusted >= np.array(p_values) - 1e-12).all()
        assert (corrected.adjusted <= 1).all()


def test_error_rates_by_simulation() -> None:
    """Without any difference, Holm finds one in 5 % of families; the plain p-values in 1 − 0.95¹⁰ = 40 %."""
    draws = np.random.default_rng(5).uniform(size=(2000, 10))
    finds = np.mean([correct_p_values(family).rejected.any() for family in draws])
    assert 0.035 < finds < 0.065
    assert np.mean((draws <= 0.05).any(axis=1)) > 0.35


# Bad input


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mean([]), "the values are empty"),
        (lambda: mean([1.0, math.nan]), r"must be finite; the one at \[1\] is nan"),
        (lambda: mean([1.0, math.inf]), "must be finite"),
        (lambda: mean([0.0, 2e200]), "must be at most 1e.70; divide"),
        (lambda: mean(["a", "b"]), "must be numbers"),
        (lambda: mean([[1, 2], [3]]), "different lengths"),
        (lambda: mean([[1, 2], [3, 4]]), r"an array \[runs\]; this one has shape \(2, 2\)"),
        (lambda: mean([1.0]), "at least 2 runs in each stratum; all runs has 1"),
        (lambda: mean([1, 2, 3], strata=["a", "a", "maze"]), "maze has 1"),
        (lambda: mean([1, 2, 3], strata=["a", "a"]), "one stratum per run"),
        (lambda: mean([1, 2], confidence=95), "between 0 and 1, such as 0.95; it is 95"),
        (lambda: interquartile_mean([]), "the values are empty"),
        (lambda: paired_difference([1, 2], [1, 2, 3]), "there are 2 and 3"),
        (lambda: paired_difference([], []), "the first values are empty"),
        (lambda: paired_difference([1, 2], [1, 2], first_seeds=[0, 1]), "or of neither"),
        (lambda: paired_difference([1, 2], [1, 2], first_seeds=[0], second_seeds=[0]), "one seed per run"),
        (
            lambda: paired_difference([1, 2], [1, 2], first_seeds=[0, 1], second_seeds=[0, 7]),
            "the pair at 1 has 1 and 7",
        ),
        (lambda: probability_of_improvement([1, 2], [math.nan, 2]), "the second values must be finite"),
        (lambda: probability_of_improvement([1, 2], [1, 2], first_strata=[0, 0]), "or of neither"),
        (
            lambda: probability_of_improvement([1, 2], [1, 2], first_strata=["a", "a"], second_strata=["b", "b"]),
            "only one has a, b",
        ),
        (lambda: learning_curve([1, 2]), r"\[seeds, episodes\]; this one has shape \(2,\)"),
        (lambda: learning_curve([[1, 2]]), "at least 2 seeds"),
        (lambda: learning_curve([[1], [math.nan]]), r"the one at \[1, 0\] is nan"),
        (lambda: correct_p_values([]), "the p-values are empty"),
        (lambda: correct_p_values([0.5, 1.5]), "go from 0.5 to 1.5"),
        (lambda: correct_p_values([0.5], level=0), "the level must lie"),
        (lambda: correct_p_values([0.5], method="bonferroni"), "not 'bonferroni'"),
    ],
)
def test_bad_input_is_refused_in_plain_words(call: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()


def test_every_public_function_documents_its_formula() -> None:
    for name in hierq.statistics.__all__:
        thing = getattr(hierq.statistics, name)
        assert thing.__doc__, name
        if name[0].islower():
            assert any(sign in thing.__doc__ for sign in ("=", "±")), name


def test_means_of_steps_say_how_many_episodes_reached_the_goal() -> None:
    steps = Episodes([10, 20, 30, 40], [1, 0, 2, 1])
    for statistic in (mean, interquartile_mean):
        found = statistic(steps)
        assert (found.reached, found.values) == (2, 4) and str(found).endswith("; goal reached in 2 of 4")
    assert mean(steps[steps.reached]).reached == 2 and "goal" not in str(mean(steps[steps.reached]))
    assert mean(steps.tolist()).reached is None and str(mean([1.0, 1.0])) == "1 [1, 1]"


@pytest.mark.parametrize("name", [name for name in hierq.statistics.__all__ if name[0].islower()])
def test_signatures_are_short_enough_to_read(name: str) -> None:
    signature = str(inspect.signature(getattr(hierq.statistics, name)))
    assert len(signature) < 400 and "_NestedSequence" not in signature


def test_the_largest_values_have_finite_intervals() -> None:
    runs = 1e70 * np.array([-1.0, 1.0, 0.5, 0.25, 1.0, -0.5, 0.125, 1.0, -1.0, 0.0])
    for found in (mean(runs), interquartile_mean(runs), paired_difference(runs, -runs)):
        assert found.low < found.estimate < found.high and math.isfinite(found.high - found.low)
