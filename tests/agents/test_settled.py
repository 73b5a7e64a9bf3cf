"""What is not written again would not have changed: agents that leave it out learn the same as agents that do not."""

import numpy as np
import pytest

import hierq
from hierq.agents import settled
from hierq.agents.layout import Layout

PENALTY, BINARY = "penalty", "binary"
ONE_STEP = [
    (hierq.OneStep(), PENALTY),
    (hierq.TreeBackup(1), PENALTY),
    (hierq.Traces(0.0), PENALTY),
    (hierq.Traces(0.0), BINARY),
]
WORLDS = ["gridworld-10", "maze-20", "slippery-rooms", "doors"]  # the larger ones have several blocks of goals


def everything(agent):
    """Action values in the order in which rows were given out, and V where it is known."""
    levels = agent._tables.levels
    rows = [level.q[: level.given[0], : level.known[0]] for level in levels]
    return [*rows, *(agent.values(i) for i in range(len(levels)))]


def learnt(world, config, iterations):
    agent = hierq.Agent(hierq.make_world(world), config, seed=3)
    return agent, [*agent.alternate(iterations), *everything(agent)]


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("behaviour", ["hierarchy", "flat"])
@pytest.mark.parametrize(("backup", "reward"), ONE_STEP, ids=str)
@pytest.mark.parametrize("world", WORLDS)
def test_the_same_is_learnt(world, backup, reward, behaviour, monkeypatch):
    config = hierq.AgentConfig(levels=3, backup=backup, pseudo_reward=reward, behaviour=behaviour, step_limit=2000)
    agent, results = learnt(world, config, 8)
    assert [level.settles for level in agent._tables.levels] == [True, True, False]
    monkeypatch.setattr(Layout, "settles", lambda self, level: False)
    other, expected = learnt(world, config, 8)
    assert not any(level.settles for level in other._tables.levels)
    assert all(np.array_equal(one, two) for one, two in zip(results, expected, strict=True))


@pytest.mark.parametrize(
    "settings",
    [
        {"backup": hierq.TreeBackup(2)},
        {"backup": hierq.Traces(0.1)},
        {"step_size": 0.5},
        {"target": hierq.EpsilonSoft(0.1)},
        {"tables": "local"},
        {"backup": hierq.TreeBackup(1)},  # tables of ranks
    ],
    ids=str,
)
def test_elsewhere_all_is_written(settings):
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=3, **settings))
    assert not any(level.settles for level in agent._tables.levels)


@pytest.mark.parametrize(("backup", "reward"), ONE_STEP[1:], ids=str)
def test_a_backup_that_would_change_nothing_is_left_out(backup, reward, monkeypatch):
    """Seen in plain Python only: compiled, nobody can look on."""
    if hierq.agents.compiled.JIT:
        pytest.skip("compiled")
    written = []
    real = settled.write_block
    monkeypatch.setattr(settled, "write_block", lambda *what: written.append(what) or real(*what))
    agent = hierq.Agent(
        hierq.World.from_text("S...G\n"), hierq.AgentConfig(levels=2, backup=backup, pseudo_reward=reward)
    )
    counts = []
    for _ in range(8):
        before = len(written)
        agent.replay("EEEE")
        counts.append(len(written) - before)
    assert counts[0] > 0 and counts[-1] == 0
    assert counts == sorted(counts, reverse=True)
