import itertools
from collections.abc import Callable

import polars as pl
import pytest

from hierq import PAPER_WORLDS
from hierq.agents import AgentConfig, Traces, TreeBackup
from hierq.paper import plan
from hierq.paper.published import (
    first_episode_frame,
    published_first_episodes,
    published_loss_curves,
    published_marginals,
)

BACKUPS = [("traces", x) for x in (0.0, 0.5, 0.8, 1.0)] + [("tree-backup", x) for x in (1.0, 3.0, 5.0, 8.0)]


def test_the_table_is_whole() -> None:
    cells = published_first_episodes()
    assert len(set(cells)) == len(cells) == 192
    backups = [("lambda", x) for x in (0.0, 0.5, 0.8, 1.0)] + [("n", x) for x in (1.0, 3.0, 5.0, 8.0)]
    expected = {(w, b, x, k) for w, (b, x), k in itertools.product(PAPER_WORLDS, backups, (1, 2, 3, 4))}
    assert {(cell.world, cell.backup, cell.parameter, cell.levels) for cell in cells} == expected
    assert all(cell.mean > 100 and 0 < cell.error < cell.mean / 5 for cell in cells)


def test_cells_know_their_agents() -> None:
    cells = {(cell.world, cell.backup_name, cell.levels): cell for cell in published_first_episodes()}
    one = cells["maze-10", "λ = 0.8", 4]
    assert one.config() == AgentConfig.published(levels=4, backup=Traces(0.8))
    other = cells["gridworld-10", "n = 3", 2]
    assert other.config() == AgentConfig.published(levels=2, backup=TreeBackup(3))
    assert (cells["gridworld-10", "λ = 0", 1].mean, cells["gridworld-10", "λ = 0", 1].error) == (561, 37)


def test_the_table_is_the_same_as_a_frame() -> None:
    frame = first_episode_frame()
    names = {"lambda": "traces", "n": "tree-backup"}
    assert frame.select("world", "backup", "parameter", "levels", "published", "published_error").rows() == [
        (cell.world, names[cell.backup], cell.parameter, cell.levels, cell.mean, cell.error)
        for cell in published_first_episodes()
    ]


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
