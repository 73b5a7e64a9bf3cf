import itertools
from collections.abc import Callable

import polars as pl
import pytest

from hierq import PAPER_WORLDS
from hierq.agents import Traces
from hierq.paper import plan
from hierq.paper.published import (
    first_episode_frame,
    published_loss_curves,
    published_marginals,
)

BACKUPS = [("traces", x) for x in (0.0, 0.5, 0.8, 1.0)] + [("tree-backup", x) for x in (1.0, 3.0, 5.0, 8.0)]


def test_the_table_is_whole() -> None:
    frame = first_episode_frame()
    found = frame.select("world", "backup", "parameter", "levels").rows()
    expected = {(world, *backup, k) for world, backup, k in itertools.product(PAPER_WORLDS, BACKUPS, (1, 2, 3, 4))}
    assert len(found) == 192 and set(found) == expected
    assert (
        frame.filter((pl.col("published") > 100) & (pl.col("published_error") < pl.col("published") / 5)).height == 192
    )
    one = frame.row(
        by_predicate=(pl.col("world") == "gridworld-10") & (pl.col("levels") == 1) & (pl.col("parameter") == 0)
    )
    assert one[-2:] == (561, 37)


def test_the_marginal_points_are_whole() -> None:
    frame = published_marginals()
    found = frame.select("behaviour", "world", "backup", "parameter", "levels").rows()
    expected = itertools.product(("hierarchy", "flat"), PAPER_WORLDS, BACKUPS, (1, 2, 3, 4))
    assert len(found) == 384
    assert set(found) == {(behaviour, world, *backup, levels) for behaviour, world, backup, levels in expected}
    first = frame.row(0, named=True)
    assert (first["published"], first["low"], first["high"]) == (4.7127, 4.6493, 4.776)


def test_the_loss_curves_are_those_of_the_balanced_study() -> None:
    frame = published_loss_curves()
    agents = {
        (
            "traces" if isinstance(config.backup, Traces) else "tree-backup",
            config.backup.decay if isinstance(config.backup, Traces) else config.backup.n,
            round(config.discount, 5),
            config.levels,
            config.behaviour,
        )
        for config in plan.balanced_agents("published")
    }
    found = frame.select("world", "backup", "parameter", "discount", "levels", "behaviour", "episode").rows()
    assert len(found) == 1200
    assert set(found) == {
        (world, *agent, episode) for world, agent, episode in itertools.product(PAPER_WORLDS, agents, range(20))
    }


@pytest.mark.parametrize("read", [published_marginals, published_loss_curves])
def test_points_lie_in_the_middle_of_their_bands(read: Callable[[], pl.DataFrame]) -> None:
    frame = read()
    middle = (frame["low"] + frame["high"]) / 2
    assert (frame["published"] - middle).abs().max() < 2e-4
    assert (frame["high"] > frame["low"]).all()
