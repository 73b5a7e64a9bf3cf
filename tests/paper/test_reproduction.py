"""The first sign of the reproduction: first episodes under the published rules, against the printed table."""

import pytest

from hierq.paper.first_episode import compare, run_agents, summarise
from hierq.paper.published import published_first_episodes

SEEDS = 400


@pytest.mark.long
@pytest.mark.parametrize("world", ["maze-10", "rooms-4"])
def test_first_episodes_agree_with_the_published_table(world):
    """32 cells a world: |z| < 3.5 in each, and as a whole no farther off than chance would have it."""
    cells = [cell for cell in published_first_episodes() if cell.world == world]
    assert len(cells) == 32
    runs, interrupted = run_agents(cells, seeds=SEEDS, iterations=1)
    assert not interrupted and len(runs) == 32 * SEEDS
    table = compare(runs)
    assert all(abs(one.z) < 3.5 for one in table), [(one.cell, one.z) for one in table if abs(one.z) >= 3.5]
    assert 0.6 < summarise(table).root_mean_square < 1.4
