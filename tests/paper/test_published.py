import itertools

from hierq import PAPER_WORLDS
from hierq.agents import AgentConfig, Traces, TreeBackup
from hierq.paper import published_first_episodes


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
