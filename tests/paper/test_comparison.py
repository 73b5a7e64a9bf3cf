"""Ours beside the published numbers: worked out by hand, and on a small reproduction."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from hierq.investigations import Results
from hierq.paper import agreement
from hierq.paper.comparison import (
    SCHEMA,
    compare_all,
    compare_first_episodes,
    compare_halves,
    compare_loss_curves,
    compare_marginals,
    summarise,
    summary_tables,
)
from hierq.paper.investigation import investigation
from hierq.paper.numbers import marginal_point
from hierq.paper.plan import every_part
from hierq.paper.published import published_loss_curves, published_marginals

MARGINAL = {"world": "rooms-4", "behaviour": "flat", "backup": "tree-backup", "parameter": 3.0, "levels": 2}
CURVE = {"world": "maze-10", "behaviour": "hierarchy", "backup": "traces", "parameter": 1.0, "levels": 3}
CELL = {"world": "rooms-4", "behaviour": "hierarchy", "backup": "tree-backup", "parameter": 3.0, "levels": 2}


class Canned(Results):
    """Runs of a single agent, made up."""

    def __init__(self, agent: dict[str, Any], steps: npt.ArrayLike) -> None:
        steps = np.asarray(steps)
        self.whole, self.parts = self, every_part()
        self.canned = pl.DataFrame(
            [
                {**agent, "seed": seed, "training": row.tolist(), "evaluation": row.tolist()}
                for seed, row in enumerate(steps)
            ]
        )

    def runs(self, name: str) -> pl.DataFrame | None:
        return self.canned if self.rules == "published" else None


def published(points: pl.DataFrame, **agent: Any) -> dict[str, Any]:
    return points.filter(pl.col(name) == value for name, value in agent.items()).row(0, named=True)


def halves(canned: Canned, seed: int = 0) -> dict[str, Any]:
    """The marginal point of one half of the seeds of one agent against the other."""
    return only(compare_halves(canned, "published", 32, seed).filter(source="marginal"))


def only(frame: pl.DataFrame) -> dict[str, Any]:
    assert len(frame) == 1
    return frame.row(0, named=True)


def steps_around(mean: float, seeds: int, iterations: int = 50) -> npt.NDArray[np.int64]:
    return np.random.default_rng(5).poisson(mean, (seeds, iterations))


def test_first_episodes_by_hand() -> None:
    row = only(compare_first_episodes(Canned(CELL, [[900, 7], [1100, 7], [1300, 7]]), "published"))
    assert {name: row[name] for name in CELL} == CELL
    assert (row["published"], row["published_error"]) == (1174, 75)
    assert (row["seeds"], row["ours"], row["difference"]) == (3, 1100, 1100 - 1174)
    assert row["error"] == pytest.approx(200 / math.sqrt(3))
    pooled = math.sqrt((2 * 200**2 + 199 * (75 * math.sqrt(200)) ** 2) / 201)
    assert row["z"] == pytest.approx(-74 / (pooled * math.sqrt(1 / 3 + 1 / 200)))
    assert (row["iterations"], row["episode"], row["at_limit"], row["discount"]) == (None, None, None, 0.95)


def test_a_single_first_episode_has_no_error_but_a_z() -> None:
    row = only(compare_first_episodes(Canned(CELL, [[1500]]), "published"))
    assert row["error"] is None
    assert row["z"] == pytest.approx((1500 - 1174) / (75 * math.sqrt(200) * math.sqrt(1 + 1 / 200)))


@pytest.mark.parametrize("iterations", [32, 50])
def test_marginal_points_by_hand(iterations: int) -> None:
    steps = steps_around(40, seeds=60)
    row = only(compare_marginals(Canned(MARGINAL, steps), "published", iterations))
    target = published(published_marginals(), **MARGINAL)["published"]
    ours = np.log(steps[:, :iterations].mean(axis=0)).mean()
    assert (row["published"], row["iterations"], row["seeds"], row["at_limit"]) == (target, iterations, 60, 0)
    assert row["ours"] == pytest.approx(ours)
    assert row["difference"] == pytest.approx(ours - target)
    assert row["z"] == pytest.approx((ours - target) / math.hypot(row["error"], row["published_error"]))


@pytest.mark.parametrize("seeds", [3, 60])
def test_bootstrap_errors_are_those_of_textbooks_where_tails_are_light(seeds: int) -> None:
    """ln(x) is all but straight over a spread of a few percent, so that the error is s / √n of the seeds' own means."""
    steps = steps_around(10_000, seeds)
    row = only(compare_marginals(Canned(MARGINAL, steps), "published", 32))
    deviation = (steps[:, :32] / steps[:, :32].mean(axis=0)).mean(axis=1).std(ddof=1)
    assert row["error"] == pytest.approx(deviation / math.sqrt(seeds), rel=0.08)
    rough = max(0, row["published_spread"] ** 2 - row["spread"] ** 2) / 32
    assert math.sqrt(row["published_error"] ** 2 - rough) == pytest.approx(deviation / math.sqrt(200), rel=0.08)


def test_marginal_points_of_a_single_run_have_no_z() -> None:
    row = only(compare_marginals(Canned(MARGINAL, steps_around(40, seeds=1)), "published", 32))
    assert row["error"] is row["published_error"] is row["z"] is None
    assert row["ours"] > 0


def test_episodes_at_the_limit_are_counted_where_they_count() -> None:
    steps = steps_around(40, seeds=4)
    steps[0, 3] = steps[2, 31] = steps[3, 32] = 100_000
    steps[1, 5] = 99_999
    canned = Canned(MARGINAL, steps)
    assert only(compare_marginals(canned, "published", 32))["at_limit"] == 2
    assert only(compare_marginals(canned, "published", 50))["at_limit"] == 3


def test_a_rough_published_curve_has_a_larger_error() -> None:
    """The band is ± ½ · std / √32 of its 32 iterations; what it has beyond ours counts as independent iterations."""
    steps = np.full((60, 50), 40)
    steps[:30] = 50
    row = only(compare_marginals(Canned(MARGINAL, steps), "published", 32))
    point = published(published_marginals(), **MARGINAL)
    assert row["spread"] == pytest.approx(0)
    assert row["published_spread"] == pytest.approx((point["high"] - point["low"]) * math.sqrt(32))
    alone = steps[:, 0].std() / 45 / math.sqrt(200)
    assert row["published_error"] == pytest.approx(math.hypot(alone, row["published_spread"] / math.sqrt(32)), rel=0.02)


def with_given_up_episodes(seeds: int, share: float, seed: int) -> npt.NDArray[np.int64]:
    """Steps of agents of which one episode in many is given up, each for itself."""
    generator = np.random.default_rng(seed)
    steps = generator.poisson(40, (seeds, 50))
    return np.where(generator.random(steps.shape) < share, 100_000, steps)


def test_halves_with_rare_given_up_episodes_agree_on_both_sides() -> None:
    """Whichever half has them: without the spread of the other half z would go down to −10, and never up so far."""
    z = []
    for seed in range(40):
        canned = Canned(MARGINAL, with_given_up_episodes(200, 2 / 200 / 32, seed))
        z.append(halves(canned, seed)["z"])
    assert min(z) > -3.5 and max(z) < 3.5
    assert 0.5 < np.sqrt(np.mean(np.square(z))) < 1.3
    assert min(z) < -0.5 and max(z) > 0.5


def correlated_curves(correlation: float, seeds: int, seed: int) -> npt.NDArray[np.int64]:
    """Steps of 20 episodes whose logarithms have the same correlation for every two of them."""
    generator = np.random.default_rng(seed)
    common, own = generator.normal(size=(seeds, 1)), generator.normal(size=(seeds, 20))
    return np.exp(8 + 0.3 * (math.sqrt(correlation) * common + math.sqrt(1 - correlation) * own)).astype(np.int64)


@pytest.mark.parametrize(("correlation", "worth"), [(0.0, 20), (0.5, 400 / (20 + 380 / 4)), (1.0, 1)])
def test_what_the_points_of_a_curve_are_worth(correlation: float, worth: float) -> None:
    frame = compare_loss_curves(Canned(CURVE, correlated_curves(correlation, 400, 3)), "published")
    assert frame["worth"].n_unique() == 1
    assert frame["worth"][0] == pytest.approx(worth, rel=0.1)


@pytest.mark.parametrize(
    "correlation", [pytest.param(0.0, marks=pytest.mark.long), 0.5, pytest.param(0.9, marks=pytest.mark.long)]
)
def test_curves_of_one_distribution_differ_as_rarely_as_they_should(correlation: float) -> None:
    """Point by point, the curves that have a correlation would all be far off, or none."""
    p = []
    for seed in range(150):
        canned = Canned(CURVE, correlated_curves(correlation, 60, seed))
        curve = compare_halves(canned, "published", 32, seed).filter(source="loss-curve")
        p.append(agreement.tests_of(curve)["p"].item())
    assert 0.01 < np.mean(np.array(p) < 0.05) < 0.12
    assert np.mean(np.array(p) < 0.5) == pytest.approx(0.5, abs=0.13)


def test_loss_curves_by_hand() -> None:
    steps = steps_around(40, seeds=9)
    steps[2, 7] = 100_000
    frame = compare_loss_curves(Canned(CURVE, steps), "published")
    assert frame["episode"].to_list() == list(range(20))
    row = frame.row(7, named=True)
    target = published(published_loss_curves(), **CURVE, episode=7)
    logs = np.log(steps[:, 7])
    error, band = logs.std(ddof=1) / 3, (target["high"] - target["low"]) / 2
    assert (row["published"], row["discount"]) == (target["published"], 0.85737)
    assert row["published_error"] == pytest.approx(band)
    assert (row["ours"], row["error"]) == (pytest.approx(logs.mean()), pytest.approx(error))
    assert row["z"] == pytest.approx((logs.mean() - target["published"]) / math.hypot(error, band))
    assert frame["at_limit"].to_list() == [int(episode == 7) for episode in range(20)]


def test_what_was_not_run_is_left_out() -> None:
    canned = Canned(MARGINAL, steps_around(40, seeds=3))
    for frame in (compare_first_episodes(canned, "text"), compare_marginals(canned, "text", 32)):
        assert frame.is_empty() and frame.schema == pl.Schema(SCHEMA)
    assert summarise(compare_marginals(canned, "text", 32)).is_empty()


def test_halves_have_no_seed_in_common_and_none_is_left_out() -> None:
    totals = 2 ** np.arange(7)  # the sum of any of them tells which they are
    row = halves(Canned(MARGINAL, np.repeat(totals[:, None], 50, axis=1)))
    assert row["seeds"] == 3
    assert 3 * math.exp(row["ours"]) + 4 * math.exp(row["published"]) == pytest.approx(totals.sum())


def test_halves_of_one_distribution_agree() -> None:
    steps = steps_around(40, seeds=200)
    z = [halves(Canned(MARGINAL, steps), seed)["z"] for seed in range(40)]
    assert 0.7 < np.sqrt(np.mean(np.square(z))) < 1.4


def test_a_reproduction_is_compared_number_by_number(tiny_reproduction: Path) -> None:
    reproduction = investigation.open(tiny_reproduction)
    frame = compare_all(reproduction)
    assert frame.schema == pl.Schema(SCHEMA)
    assert len(frame) == 2 * (2 * 32 + 2 * 2 * 64 + 2 * 200)
    for rules in ("published", "text"):
        assert len(frame.filter(source="first-episode", rules=rules)) == 2 * 32
        assert len(frame.filter(source="marginal", rules=rules, iterations=32)) == 2 * 64
        assert len(frame.filter(source="marginal", rules=rules, iterations=50)) == 2 * 64
        assert len(frame.filter(source="loss-curve", rules=rules)) == 2 * 200
    assert set(frame["seeds"]) == {3}
    some = ("iterations", "episode", "at_limit", "spread", "published_spread", "worth")
    assert frame.drop(some).null_count().sum_horizontal().item() == 0

    runs = reproduction.under("text").frame("main")
    agent = {"world": "maze-10", "behaviour": "flat", "backup": "traces", "parameter": 0.8, "levels": 3}
    evaluation = np.array(runs.filter(**agent)["evaluation"].to_list())
    row = only(frame.filter(source="marginal", rules="text", iterations=50, **agent))
    assert row["ours"] == pytest.approx(marginal_point(evaluation, 50))


def test_tables_for_readers_are_small_and_true(tiny_reproduction: Path) -> None:
    reproduction = investigation.open(tiny_reproduction)
    frame = compare_all(reproduction)
    tables = summary_tables(reproduction)
    assert 3 * sum(len(table.write_csv()) for table in tables.values()) < 300_000  # two of six worlds are in it
    assert set(tables) == {"comparison", "summary", "halves"}
    assert len(tables["summary"]) == len(summarise(frame))
    assert tables["halves"].is_empty()  # one seed against two has no error
    wide = tables["comparison"]
    assert len(wide) == len(frame) / 2
    agent = {"source": "loss-curve", **CURVE, "episode": 4}
    row = only(wide.filter(**agent))
    for rules in ("published", "text"):
        long = only(frame.filter(**agent, rules=rules))
        assert row["published"] == long["published"]
        assert row[f"ours_{rules}_rules"] == pytest.approx(long["ours"], abs=6e-5)
        assert row[f"z_{rules}_rules"] == pytest.approx(long["z"], abs=6e-3)
