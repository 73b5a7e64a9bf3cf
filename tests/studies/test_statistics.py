"""Statistics against closed forms, scipy, brute force, and known distributions."""

import inspect
import itertools
import math

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

SIMULATIONS = 400


def normal(seed: int, count: int = 40) -> np.ndarray:
    return np.random.default_rng(seed).normal(10.0, 3.0, count)


def every_draw(values: list[float]) -> list[tuple[float, ...]]:
    """All draws with replacement, each as probable as the next."""
    return list(itertools.product(values, repeat=len(values)))


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


def test_interval_is_that_of_all_draws() -> None:
    """With four values there are 256 draws; the quantiles over them all are what the bootstrap estimates."""
    values = [1.0, 2.0, 4.0, 9.0]
    for statistic, own in ((np.mean, mean), (lambda draw: scipy.stats.trim_mean(draw, 0.25), interquartile_mean)):
        exact = np.quantile([statistic(draw) for draw in every_draw(values)], [0.1, 0.9])
        found = own(values, confidence=0.8, resamples=40_000)
        assert [found.low, found.high] == pytest.approx(exact, abs=0.02)


def test_stratified_interval_is_that_of_all_draws_within_strata() -> None:
    small, large = [1.0, 2.0, 4.0], [100.0, 103.0, 110.0]
    means = [np.mean(one + other) for one in every_draw(small) for other in every_draw(large)]
    found = mean([1, 100, 2, 103, 4, 110], strata=list("ababab"), confidence=0.8, resamples=40_000)
    assert [found.low, found.high] == pytest.approx(np.quantile(means, [0.1, 0.9]), abs=0.1)
    assert mean(small + large).high - mean(small + large).low > 3 * (found.high - found.low)


@pytest.mark.parametrize("own", [mean, interquartile_mean])
def test_interval_agrees_with_scipy(own: object) -> None:
    def statistic(*strata: np.ndarray, axis: int) -> np.ndarray:
        together = np.concatenate(strata, axis=axis)
        return together.mean(axis=axis) if own is mean else scipy.stats.trim_mean(together, 0.25, axis=axis)

    strata = [normal(1, 30), normal(2, 50) + 20]
    theirs = scipy.stats.bootstrap(
        strata, statistic, n_resamples=20_000, method="percentile", rng=np.random.default_rng(3)
    ).confidence_interval
    found = own(np.concatenate(strata), strata=[0] * 30 + [1] * 50, resamples=20_000)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.06)


def test_long_lists_are_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = mean(normal(1))
    monkeypatch.setattr("hierq.studies.statistics._ENTRIES_AT_ONCE", 40 * 7)
    parts = mean(normal(1))
    assert (parts.low, parts.high) == (whole.low, whole.high)


def test_seed_decides_the_interval_and_strata_may_be_shuffled() -> None:
    values, strata = normal(1), np.arange(40) % 4
    assert mean(values, strata=strata) == mean(values, strata=strata)
    assert mean(values, strata=strata).low != mean(values, strata=strata, seed=1).low
    assert mean(values, strata=strata.astype(str)) == mean(values, strata=strata)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=12), st.floats(0.5, 0.99))
def test_interval_lies_among_the_values(values: list[float], confidence: float) -> None:
    for own in (mean, interquartile_mean):
        found = own(values, confidence=confidence, resamples=100)
        slack = 1e-9 * (1 + max(map(abs, values)))
        assert min(values) - slack <= found.low <= found.high <= max(values) + slack


def covered(interval_of: object, truth: float) -> float:
    found = [interval_of(np.random.default_rng(1000 + simulation)) for simulation in range(SIMULATIONS)]
    return sum(one.low <= truth <= one.high for one in found) / SIMULATIONS


def test_coverage_of_the_mean_of_normal_and_skewed_runs() -> None:
    assert 0.91 < covered(lambda draw: mean(draw.normal(3, 2, 50), resamples=1000), 3.0) < 0.98
    assert 0.91 < covered(lambda draw: mean(draw.exponential(5.0, 100), resamples=1000), 5.0) < 0.98


def test_coverage_of_the_stratified_mean() -> None:
    strata = np.repeat([0, 1, 2], 30)
    centre = np.array([0.0, 50.0, 400.0])[strata]
    spread = np.array([1.0, 5.0, 20.0])[strata]
    own = covered(lambda draw: mean(draw.normal(centre, spread), strata=strata, resamples=1000), 150.0)
    assert 0.91 < own < 0.98
    # Without strata the differences between the worlds are taken for noise, and the interval is far too wide.
    assert covered(lambda draw: mean(draw.normal(centre, spread), resamples=200), 150.0) == 1.0


def test_coverage_of_the_interquartile_mean() -> None:
    # Of Exp(1): the mean of the middle half is 2 ∫_{1/4}^{3/4} −ln(1 − u) du.
    truth = 2 * ((0.25 * math.log(0.25) - 0.25) - (0.75 * math.log(0.75) - 0.75))
    assert 0.91 < covered(lambda draw: interquartile_mean(draw.exponential(1.0, 60), resamples=1000), truth) < 0.98


def test_coverage_of_the_paired_difference() -> None:
    def pairs(draw: np.random.Generator) -> object:
        common = draw.normal(100, 50, 40)
        return paired_difference(common + draw.normal(2, 1, 40), common, resamples=1000)

    assert 0.91 < covered(pairs, 2.0) < 0.98


def test_coverage_of_the_probability_of_improvement() -> None:
    # X ~ N(1, 1), Y ~ N(0, 1): P(X > Y) = Φ(1/√2).
    truth = scipy.stats.norm.cdf(1 / math.sqrt(2))
    own = covered(
        lambda draw: probability_of_improvement(draw.normal(1, 1, 40), draw.normal(0, 1, 50), resamples=1000), truth
    )
    assert 0.91 < own < 0.98


def test_coverage_of_the_bands_of_curves() -> None:
    truth = np.array([30.0, 20.0, 10.0])
    inside = {"bootstrap": 0, "standard error": 0}
    for simulation in range(SIMULATIONS):
        curves = np.random.default_rng(simulation).normal(truth, [9, 6, 3], (40, 3))
        for band in inside:
            found = learning_curve(curves, band=band, resamples=500)
            inside[band] += np.mean((found.low <= truth) & (truth <= found.high)) / SIMULATIONS
    assert 0.91 < inside["bootstrap"] < 0.98
    assert 0.64 < inside["standard error"] < 0.71  # one standard error: 68 %


# Pairs


def test_paired_difference_agrees_with_scipy() -> None:
    first, second = normal(1), normal(2) - 1
    found = paired_difference(first, second, first_seeds=range(40), second_seeds=range(40))
    assert found.estimate == pytest.approx(first.mean() - second.mean())
    assert found.t_test == pytest.approx(scipy.stats.ttest_rel(first, second).pvalue)
    assert found.wilcoxon == pytest.approx(scipy.stats.wilcoxon(first, second).pvalue)
    assert (found.pairs, found.confidence) == (40, 0.95)
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
    found = probability_of_improvement(first, second, resamples=100)
    assert found.estimate == pytest.approx(np.mean(wins))
    assert 0 <= found.low <= found.high <= 1
    assert probability_of_improvement(second, first, resamples=100).estimate == pytest.approx(1 - found.estimate)
    statistic = scipy.stats.mannwhitneyu(first, second).statistic
    assert found.estimate == pytest.approx(statistic / (len(first) * len(second)))


def test_probability_of_improvement_is_the_mean_over_strata() -> None:
    found = probability_of_improvement(
        [3, 4, 1, 1, 1], [1, 2, 2, 2], first_strata=list("aabbb"), second_strata=list("aabb")
    )
    assert (found.estimate, found.low, found.high) == (0.5, 0.5, 0.5)  # always in a, never in b


def test_interval_of_the_probability_of_improvement_is_that_of_all_draws() -> None:
    first, second = [1.0, 3.0, 5.0], [2.0, 3.0, 6.0]
    exact = [
        np.mean([(x > y) + 0.5 * (x == y) for x in one for y in other])
        for one in every_draw(first)
        for other in every_draw(second)
    ]
    found = probability_of_improvement(first, second, confidence=0.8, resamples=40_000)
    assert [found.low, found.high] == pytest.approx(np.quantile(exact, [0.1, 0.9]), abs=0.02)


# Curves


def test_standard_error_band() -> None:
    found = learning_curve([[1, 10], [3, 10], [5, 10]])
    error = 2 / math.sqrt(3)
    assert found.estimate == pytest.approx([3, 10])
    assert found.low == pytest.approx([3 - error, 10])
    assert found.high == pytest.approx([3 + error, 10])
    assert found.seeds == 3


def test_bootstrap_band_of_an_episode_is_the_interval_of_its_mean() -> None:
    curves = np.stack([normal(1), normal(2) * 5], axis=1)
    band = learning_curve(curves, band="bootstrap", resamples=20_000)
    for episode in range(2):
        alone = mean(curves[:, episode], resamples=20_000)
        assert band.low[episode] == pytest.approx(alone.low, rel=0.02)
        assert band.high[episode] == pytest.approx(alone.high, rel=0.02)


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
        (lambda: mean(["a", "b"]), "must be numbers"),
        (lambda: mean([[1, 2], [3]]), "different lengths"),
        (lambda: mean([[1, 2], [3, 4]]), r"an array \[runs\]; this one has shape \(2, 2\)"),
        (lambda: mean([1.0]), "at least 2 runs in each stratum; all runs has 1"),
        (lambda: mean([1, 2, 3], strata=["a", "a", "maze"]), "maze has 1"),
        (lambda: mean([1, 2, 3], strata=["a", "a"]), "one stratum per run"),
        (lambda: mean([1, 2], confidence=95), "between 0 and 1, such as 0.95; it is 95"),
        (lambda: mean([1, 2], resamples=5), "at least 100 resamples"),
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
        (lambda: learning_curve([[1], [2]], band="sd"), "not 'sd'"),
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
