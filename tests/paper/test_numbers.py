"""Numbers as the paper aggregates them, on small arrays worked out by hand."""

import math

import numpy as np
import polars as pl
import pytest

from hierq.paper.numbers import episodes_at_limit, loss_curve, marginal_point, runs_by_setting

EVALUATION = np.array([[10, 20, 5], [30, 20, 5]])


def test_a_marginal_point_is_the_mean_of_logarithms_of_means() -> None:
    assert marginal_point(EVALUATION, 2) == pytest.approx((math.log(20) + math.log(20)) / 2)
    assert marginal_point(EVALUATION, 3) == pytest.approx((2 * math.log(20) + math.log(5)) / 3)


def test_a_loss_curve_is_a_mean_of_logarithms() -> None:
    mean, error = loss_curve(EVALUATION)
    assert mean[0] == pytest.approx((math.log(10) + math.log(30)) / 2)
    assert error[0] == pytest.approx(math.log(3) / 2)  # two values: half their distance
    assert error[1] == error[2] == 0
    assert np.isnan(loss_curve(EVALUATION[:1])[1]).all()


def test_given_up_episodes_are_counted() -> None:
    assert episodes_at_limit(np.array([[100_000, 3], [7, 100_000]])) == 2


def test_runs_are_gathered_by_setting_and_ordered_by_seed() -> None:
    frame = pl.DataFrame(
        {
            "world": ["w"] * 3,
            "behaviour": ["flat"] * 3,
            "backup": ["traces"] * 3,
            "parameter": [0.5, 0.5, 1.0],
            "levels": [2, 2, 2],
            "seed": [1, 0, 0],
            "training": [[11], [10], [12]],
            "evaluation": [[21], [20], [22]],
        }
    )
    runs = runs_by_setting(frame)
    assert [key.parameter for key in runs] == [0.5, 1.0]
    first = next(iter(runs.values()))
    assert first.seeds.tolist() == [0, 1]
    assert first.training.tolist() == [[10], [11]]
    assert first.evaluation.tolist() == [[20], [21]]
