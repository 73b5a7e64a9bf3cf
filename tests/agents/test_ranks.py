"""Tables of ranks hold the same values as tables of values, to the last bit."""

import copy
import math

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

import hierq
from hierq.agents import layout
from hierq.agents.layout import Layout
from hierq.agents.value_warnings import UnderflowWarning
from hierq.files import BLANK_SEAL, sealed
from hierq.tables.entries import discounted
from hierq.tables.ranks import LOST, RANK, powers_of

WORLDS = ["gridworld-10", "maze-20", "slippery-rooms", "doors"]
BACKUPS = [hierq.OneStep(), hierq.TreeBackup(3), hierq.TreeBackup(8)]


def holds_ranks(agent):
    return agent.layout.kind == "ranks" and {level.q.dtype == RANK for level in agent.levels} == {True}


@pytest.fixture
def values_only(monkeypatch):
    """From here on, all agents have tables of values."""
    return lambda: monkeypatch.setattr(Layout, "powers", None)


def everything(agent, path):
    """All that an agent has learnt: its values, and what it would save."""
    agent.save(path)
    saved = load_file(path)
    return [*(agent.values(i) for i in range(agent.config.levels)), *(saved[name] for name in sorted(saved))]


def same(results, expected):
    return all(np.array_equal(one, two) for one, two in zip(results, expected, strict=True))


@pytest.mark.parametrize("discount", [1.0, 0.97, 0.95, 0.9, 0.6])
def test_to_discount_is_to_go_down_by_one_rank(discount):
    """For every rank there is: so no tables of ranks can hold anything else than tables of values would."""
    powers = powers_of(discount)
    assert powers[0] == 0.0 and powers[-1] == 1.0 and (np.diff(powers) > 0).all() and len(powers) <= LOST
    down = [discounted(0.0, discount, RANK(rank)) for rank in range(len(powers))]
    assert np.array_equal(powers[down], discount * powers)


@pytest.mark.parametrize("discount", [0.999, 0.98, 0.5, 0.1], ids=["many", "too many", "to 0", "soon to 0"])
def test_other_discounts_have_no_ranks(discount):
    assert powers_of(discount) is None
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2, discount=discount))
    assert not holds_ranks(agent)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("levels", [1, 2, 3])
@pytest.mark.parametrize("behaviour", ["hierarchy", "flat"])
@pytest.mark.parametrize("backup", BACKUPS, ids=str)
@pytest.mark.parametrize("world", WORLDS)
def test_the_same_is_learnt(world, backup, behaviour, levels, tmp_path, values_only):
    config = hierq.AgentConfig(levels=levels, backup=backup, behaviour=behaviour, step_limit=2000)
    agent = hierq.Agent(hierq.make_world(world), config, seed=3)
    results = [*agent.alternate(8), *everything(agent, tmp_path / "ranks")]
    values_only()
    other = hierq.Agent(hierq.make_world(world), config, seed=3)
    expected = [*other.alternate(8), *everything(other, tmp_path / "values")]
    assert holds_ranks(agent) and not holds_ranks(other)
    assert same(results, expected)
    assert sum(agent.table_bytes) < sum(other.table_bytes) or levels == 1


@pytest.mark.usefixtures("compiler")
def test_values_too_small_for_a_computer(tmp_path, values_only):
    """In a long corridor they end at the smallest one, which is not 0."""
    text, moves = "S" + "." * 1500 + "G\n", "E" * 1501
    config = hierq.AgentConfig(levels=1, discount=0.6, backup=hierq.TreeBackup(1600), step_limit=2000)
    found = []
    for change in (lambda: None, values_only):
        change()
        agent = hierq.Agent(hierq.World.from_text(text), config)
        with pytest.warns(UnderflowWarning, match="take a larger discount"):
            agent.replay(moves)
        found.append(agent.values(0))
    assert np.array_equal(*found)
    assert found[0][0] == math.ulp(0.0) and found[0][1499] == 0.6


@pytest.mark.parametrize(
    "settings",
    [
        {"backup": hierq.Traces(0.0)},
        {"step_size": 0.5},
        {"target": hierq.EpsilonSoft(0.1)},
        {"pseudo_reward": "penalty"},
        {"initial_value": 0.5},
        {"tables": "local"},
    ],
    ids=str,
)
def test_where_values_are_not_powers_they_are_held_themselves(settings):
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=3, **settings))
    assert not holds_ranks(agent)


def test_a_saved_agent_does_not_know_what_tables_it_had(tmp_path, values_only):
    """It goes on from values with ranks, and from ranks with values."""
    config, path = hierq.AgentConfig(levels=3, backup=hierq.TreeBackup(3)), tmp_path / "agent.safetensors"
    agent = hierq.Agent(hierq.make_world("rooms-example"), config, seed=1)
    agent.train(3)
    agent.save(path)
    with_ranks = hierq.Agent.load(path)
    values_only()
    with_values = hierq.Agent.load(path)
    assert holds_ranks(with_ranks) and not holds_ranks(with_values)
    lengths = agent.train(3)
    assert np.array_equal(with_ranks.train(3), lengths) and np.array_equal(with_values.train(3), lengths)
    assert same(everything(with_ranks, path), everything(agent, path))
    assert same(everything(with_values, path), everything(agent, path))


def test_a_forged_value_is_refused(tmp_path):
    path = tmp_path / "agent.safetensors"
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2))
    agent.train(3)
    agent.save(path)
    with safe_open(path, "numpy") as file:
        metadata = file.metadata()
    tensors = load_file(path)
    tensors["rows_0"][0, 0] = 0.123
    save_file(tensors, path, {**metadata, "seal": BLANK_SEAL})
    path.write_bytes(sealed(path.read_bytes()))
    with pytest.raises(hierq.InputError, match="rows_0 is not what an agent with these settings saves"):
        hierq.Agent.load(path)


def test_copies_and_restarts(tmp_path):
    """Ranks, and not the values of the ranks, are what is copied and cleared."""
    world, config = hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2)
    agent = hierq.Agent(world, config, seed=1)
    fresh = everything(agent, tmp_path / "a")
    agent.train(5)
    assert same(everything(copy.deepcopy(agent), tmp_path / "a"), everything(agent, tmp_path / "a"))
    agent.restart(1)
    assert same(everything(agent, tmp_path / "a"), fresh)


@pytest.mark.parametrize("share", [0.99, 1.01])
def test_whether_tables_are_dense_does_not_depend_on_what_they_hold(share, monkeypatch):
    """Local tables learn something else, so that would change results."""
    world = hierq.make_world("rooms-example")
    with_ranks, with_values = (hierq.AgentConfig(levels=3, discount=discount) for discount in (0.95, 0.98))
    monkeypatch.setattr(layout, "COMFORTABLE", share * layout.dense_bytes(layout.layout_of(world, with_values)))
    assert [layout.layout_of(world, each).local for each in (with_ranks, with_values)] == [share < 1] * 2
