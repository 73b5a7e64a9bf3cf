"""Runs drawn again with replacement."""

import hashlib

import numpy as np
import pytest

from hierq.investigations.bootstrap import draw_counts, picks


def test_counts_are_those_of_the_picks() -> None:
    picked = picks(np.random.default_rng(3), runs=5, draws=7)
    counts = draw_counts(np.random.default_rng(3), runs=5, draws=7)
    assert counts.tolist() == [np.bincount(row, minlength=5).tolist() for row in picked]


@pytest.mark.parametrize("size", [None, 50, 800])
def test_the_means_of_draws_spread_as_means_of_as_many_runs(size: int | None) -> None:
    values = np.random.default_rng(1).normal(1000, 60, 200)
    counts = draw_counts(np.random.default_rng(2), len(values), 2000, size)
    assert set(counts.sum(axis=1)) == {size or 200}
    means = counts @ values / (size or 200)
    assert means.mean() == pytest.approx(values.mean(), rel=0.002)
    assert means.std() == pytest.approx(values.std() / np.sqrt(size or 200), rel=0.1)


@pytest.mark.parametrize(("size", "digest"), [(None, "880335016d004805"), (200, "21ce9292e163cae8")])
def test_equal_seeds_give_equal_draws_in_every_version(size: int | None, digest: str) -> None:
    """Published intervals depend on them."""
    counts = draw_counts(np.random.default_rng(20220801), 20, 1000, size)
    assert hashlib.sha256(counts.astype(np.int16).tobytes()).hexdigest()[:16] == digest
