"""How often each public interval contains the true value, with few runs: the numbers that docs/results.md states."""

import inspect
import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import hierq.statistics
from hierq.investigations.numbers import Measured, mean_of, means_over_runs
from hierq.statistics import Interval, interquartile_mean, learning_curve, mean, paired_difference
from hierq.statistics import probability_of_improvement as probability

Draw = Callable[[np.random.Generator, int], np.ndarray]
RUNS = (5, 10, 20)
SIMULATIONS, QUICK_SIMULATIONS = 4000, 400
DISTRIBUTIONS: dict[str, Draw] = {
    "normal": lambda rng, n: rng.normal(0.0, 1.0, n),
    "lognormal": lambda rng, n: rng.lognormal(0.0, 1.0, n),
}
MEANS = {"normal": 0.0, "lognormal": math.exp(0.5)}
UPPER_QUARTILE = scipy.stats.norm.ppf(0.75)
MEANS_OF_MIDDLE_HALF = {  # of e^z: 2 e^½ (Φ(z_¾ − 1) − Φ(z_¼ − 1)), by completing the square
    "normal": 0.0,
    "lognormal": 2 * math.exp(0.5) * float(np.diff(scipy.stats.norm.cdf([-UPPER_QUARTILE - 1, UPPER_QUARTILE - 1]))[0]),
}
STRATA = np.arange(3)  # three worlds, of very different steps
SCALES = np.array([1.0, 5.0, 20.0])


def _mean(draw: Draw, rng: np.random.Generator, n: int, name: str) -> bool:
    return _holds(mean(draw(rng, n)), MEANS[name])


def _stratified_mean(draw: Draw, rng: np.random.Generator, n: int, name: str) -> bool:
    runs = np.concatenate([100 * world + SCALES[world] * draw(rng, n) for world in STRATA])
    truth = float(np.mean(100 * STRATA + SCALES * MEANS[name]))
    return _holds(mean(runs, strata=np.repeat(STRATA, n)), truth)


def _interquartile_mean(draw: Draw, rng: np.random.Generator, n: int, name: str) -> bool:
    return _holds(interquartile_mean(draw(rng, n)), MEANS_OF_MIDDLE_HALF[name])


def _paired_difference(draw: Draw, rng: np.random.Generator, n: int, name: str) -> bool:
    shared = rng.normal(100.0, 50.0, n)  # what both owe to the seed
    return _holds(paired_difference(shared + draw(rng, n), shared + draw(rng, n) - 2.0), 2.0)


def _probability(draw: Draw, rng: np.random.Generator, n: int, name: str) -> bool:
    """P(X > Y) with ln X or X shifted by one standard deviation: Φ(1/√2), whatever the distribution."""
    shifted = draw(rng, n) + 1.0 if name == "normal" else draw(rng, n) * math.e
    return _holds(probability(shifted, draw(rng, n)), float(scipy.stats.norm.cdf(1 / math.sqrt(2))))


def _learning_curve(draw: Draw, rng: np.random.Generator, n: int, name: str) -> bool:
    """A geometric mean, as the figures have it: of the logarithms of steps that are lognormal."""
    steps = rng.lognormal(3.0, 1.0, (n, 1)) if name == "lognormal" else rng.normal(3.0, 1.0, (n, 1))
    band = learning_curve(np.log(steps) if name == "lognormal" else steps)
    return bool(band.low[0] <= 3.0 <= band.high[0])


def _investigation(draw: Draw, rng: np.random.Generator, n: int, name: str) -> bool:
    """The difference of two agents of an investigation, over two worlds."""

    def measured() -> Measured:
        runs = draw(rng, n)
        return means_over_runs({"runs": runs}, rng.integers(1 << 30))["runs"]

    value = mean_of([measured() - measured(), measured() - measured()])
    _, low, high = value.interval
    return low <= 0.0 <= high


def _holds(found: Interval, truth: float) -> bool:
    return found.low <= truth <= found.high


# The least coverage in percent that is promised for 5, 10 and 20 runs, of normal and of lognormal runs (σ = 1).
PROMISED = {
    "mean": (_mean, {"normal": (94, 94, 94), "lognormal": (86, 88, 90)}),
    "mean, three strata": (_stratified_mean, {"normal": (93, 94, 94), "lognormal": (85, 88, 90)}),
    "interquartile_mean": (_interquartile_mean, {"normal": (92, 93, 93), "lognormal": (90, 92, 92)}),
    "paired_difference": (_paired_difference, {"normal": (94, 94, 94), "lognormal": (95, 95, 94)}),
    "probability_of_improvement": (_probability, {"normal": (90, 94, 94), "lognormal": (90, 94, 94)}),
    "learning_curve": (_learning_curve, {"normal": (94, 94, 94), "lognormal": (94, 94, 94)}),
    "differences in investigations": (_investigation, {"normal": (94, 94, 94), "lognormal": (94, 94, 94)}),
}


def coverage(interval: str, name: str, n: int, simulations: int) -> float:
    """The share of simulations whose interval contains the true value, in percent."""
    rng = np.random.default_rng([n, len(name), len(interval)])
    trial, draw = PROMISED[interval][0], DISTRIBUTIONS[name]
    return 100 * sum(trial(draw, rng, n, name) for _ in range(simulations)) / simulations


@pytest.mark.long
@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize("interval", PROMISED)
def test_intervals_contain_the_true_value_as_often_as_the_page_says(interval: str, name: str) -> None:
    text = Path("docs/results.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| {interval} |"))
    stated = [[float(word) for word in cell.split(" / ")] for cell in re.findall(r"[\d.]+ / [\d.]+ / [\d.]+", row)]
    for place, n in enumerate(RUNS):
        found = coverage(interval, name, n, SIMULATIONS)
        assert found >= PROMISED[interval][1][name][place], (n, found)
        assert found == pytest.approx(stated[list(DISTRIBUTIONS).index(name)][place], abs=1.5), (n, found)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_true_values_are_those_of_very_many_runs(name: str) -> None:
    runs = np.sort(DISTRIBUTIONS[name](np.random.default_rng(1), 4_000_000))
    assert runs.mean() == pytest.approx(MEANS[name], abs=0.005)
    assert runs[1_000_000:3_000_000].mean() == pytest.approx(MEANS_OF_MIDDLE_HALF[name], abs=0.005)


@pytest.mark.parametrize("interval", PROMISED)
def test_intervals_of_ten_normal_runs_contain_the_true_value(interval: str) -> None:
    assert coverage(interval, "normal", 10, QUICK_SIMULATIONS) >= 91.5


def test_every_public_interval_is_measured() -> None:
    functions = {name for name in hierq.statistics.__all__ if inspect.isfunction(getattr(hierq.statistics, name))}
    assert functions - {"correct_p_values"} <= PROMISED.keys()
