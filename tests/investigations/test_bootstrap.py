"""Runs drawn again with replacement."""

import hashlib
from functools import partial

import numpy as np
import pytest

from hierq.investigations import draw_shares
from hierq.paper.comparison import batch_shares


@pytest.mark.parametrize("size", [200, 50, 800])
def test_the_means_of_draws_spread_as_means_of_as_many_runs(size: int) -> None:
    values = np.random.default_rng(1).normal(1000, 60, 200)
    for shares in (draw_shares(200), draw_shares(200, 12345)) if size == 200 else (batch_shares(200, size),):
        assert np.allclose(shares.sum(axis=1), 1) and np.allclose(shares * size, np.rint(shares * size))
        means = shares @ values
        assert means.mean() == pytest.approx(values.mean(), rel=0.002)
        assert means.std() == pytest.approx(values.std() / np.sqrt(size), rel=0.1)


@pytest.mark.parametrize(
    ("draw", "size", "digest"),
    [(partial(draw_shares, 20, 7), 20, "4ae86d06fc9af281"), (partial(batch_shares, 20, 200), 200, "21ce9292e163cae8")],
)
def test_equal_seeds_give_equal_draws_in_every_version(draw: partial, size: int, digest: str) -> None:
    """Published intervals depend on them."""
    counts = np.rint(draw() * size)
    assert hashlib.sha256(counts.astype(np.int16).tobytes()).hexdigest()[:16] == digest
