"""What differs, with one line each that says why as far as can be told."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hierq.paper.comparison import SCHEMA, compare_marginals
from hierq.paper.page.differing import differing_of, slow_agent
from hierq.paper.published import published_marginals
from hierq.paper.reproduction import Reproduction

AGENT = {"world": "maze-10", "behaviour": "flat", "backup": "tree-backup", "parameter": 5.0, "levels": 2}
FALLING = np.log(30 + 1000 * np.exp(-np.arange(32) / 2))


@pytest.mark.parametrize(("steps", "times"), [(20_000, 8), (100_000, 1), (90_000, 16)])
def test_a_slow_agent_is_found_from_mean_and_spread(steps: int, times: int) -> None:
    curve = FALLING.copy()
    curve[(np.arange(times) * 32) // times + 16 // times] = np.log(np.exp(FALLING) + steps / 200)[
        (np.arange(times) * 32) // times + 16 // times
    ]
    found = slow_agent(FALLING, curve.mean(), curve.std())
    assert found is not None
    assert found[0] == pytest.approx(steps, rel=0.3) and abs(found[1] - times) <= 1 + times // 4


def test_no_slow_agent_explains_a_shift_of_the_whole_curve_or_one_that_is_lower() -> None:
    assert slow_agent(FALLING, FALLING.mean() - 0.3, FALLING.std()) is None
    assert slow_agent(FALLING, FALLING.mean() + 5, FALLING.std()) is None


class Canned(Reproduction):
    """Runs of one agent that take as long as was published, less a difference."""

    def __init__(self, difference: float) -> None:
        self.folder = Path("nowhere")
        point = published_marginals().filter(**AGENT).row(0, named=True)
        steps = np.random.default_rng(1).poisson(np.exp(point["published"] - difference), (200, 50))
        self.runs = pl.DataFrame(
            [{**AGENT, "seed": seed, "evaluation": row.tolist()} for seed, row in enumerate(steps)]
        )
        self.runs = self.runs.with_columns(training="evaluation")

    def frame(self, name: str, rules: str | None) -> pl.DataFrame | None:
        return self.runs


def test_every_number_that_differs_has_its_line() -> None:
    assert differing_of(Canned(0.0), compare_marginals(Canned(0.0), "published")) == ()
    (found,) = differing_of(Canned(1.5), compare_marginals(Canned(1.5), "published"))
    assert found.name == "marginal point: maze-10, k = 2, n = 5, flat"
    assert found.z < -4 and found.published.startswith("3.808") and "spread over iterations 1.07 published" in found.why


def test_curves_and_first_episodes_have_theirs() -> None:
    usual = {"rules": "published", **AGENT, "published": 5.0, "published_error": 0.1, "ours": 4.0, "error": 0.1}
    usual |= {"difference": -1.0, "z": -7.0, "seeds": 200}
    curve = [{**usual, "source": "loss-curve", "episode": episode, "worth": 4.0} for episode in range(20)]
    rows = [{**usual, "source": "first-episode"}, *curve]
    frame = pl.DataFrame([{name: row.get(name) for name in SCHEMA} for row in rows], schema=SCHEMA)
    first, second = differing_of(Canned(0.0), frame)
    assert first.name.startswith("first episode: maze-10") and "no cause is known" in first.why
    assert "lower in 20 and higher in 0 episodes" in second.why and "worth 4.0 independent ones" in second.why
