"""Agents beyond the paper's worlds against the reference.

Chance, holes, doors, teleports, several goals and starts; other ideas of what is near; tables that know only goals
nearby.
"""

import copy

import numpy as np
import pytest
from agreement import assert_same_tables
from drawn import configs_beyond_the_paper, maps, pair_of, stored_entries, strange_maps
from hypothesis import given
from hypothesis import strategies as st

import hierq
from hierq.agents import config as config_module


@given(maps(), configs_beyond_the_paper(), st.integers(0, 2**32))
def test_local_tables_of_full_radius_are_dense_ones(map_text, config, seed):
    nearness = "L1" if config.nearness == "learnt" else config.nearness
    config = config.replace(subgoals="nearby", radius=100, nearness=nearness)
    results = []
    for tables in ("dense", "local"):
        agent, _ = pair_of(map_text, config.replace(tables=tables), seed)
        results.append((agent.alternate(5), stored_entries(agent)))
    (dense, dense_entries), (local, local_entries) = results
    assert np.array_equal(dense, local)
    # By steps, a goal that cannot be reached from a state is not near it at any radius; nobody asks for it there.
    keys = dense_entries.keys() | local_entries.keys() if nearness == "L1" else local_entries.keys()
    for key in keys:
        start = config.start_value(key[0])
        assert dense_entries.get(key, start) == local_entries.get(key, start)


@pytest.mark.usefixtures("interpreter_first")
def test_the_first_row_of_local_tables_is_a_row_like_others():
    moves = [(min(s + 1, 6), max(s - 1, 0)) for s in range(7)]  # the first move of the first state leads on
    chain = hierq.World.from_table(moves, starts=[0], goals=[6])
    config = hierq.AgentConfig(levels=1, universal_top=True, backup=hierq.TreeBackup(4), step_size=0.5)
    dense, local = (
        hierq.Agent(chain, config.replace(tables=tables, radius=radius), 0)
        for tables, radius in (("dense", None), ("local", 6))
    )
    for agent in (dense, local):
        agent.replay([0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    assert all(np.array_equal(dense.q_values(0, goal), local.q_values(0, goal)) for goal in range(7))


@pytest.mark.parametrize("backup", [hierq.TreeBackup(4), hierq.Traces(1.0)], ids=["tree", "traces"])
@pytest.mark.parametrize("tables", [("dense", None), ("local", 1), ("local", 2), ("local", 4)], ids=str)
@pytest.mark.parametrize("reward", ["binary", "penalty"])
def test_hops_that_lead_back_to_where_they_began(reward, tables, backup):
    """With even spans a level may get back to where a hop began: that is no action, and continues nobody's trace."""
    config = hierq.AgentConfig(
        levels=3,
        horizons=2,
        pseudo_reward=reward,
        tables=tables[0],
        radius=tables[1],
        step_size=0.5,
        backup=backup,
    )
    agent, reference = pair_of("S......G\n", config)
    for moves in ([3, 3, 3, 2, 3, 3, 2, 2, 3, 3, 3, 2, 3, 3, 3], [3, 3, 3, 3, 2, 3, 2, 3, 3, 2, 3, 3, 3], [3] * 7):
        agent.replay(moves)
        reference.replay(moves)
        assert_same_tables(agent, reference)


@given(strange_maps(), configs_beyond_the_paper(most_levels=3), st.integers(0, 2**32), st.integers(0, 3))
def test_copies_and_saved_agents_go_on_exactly(tmp_path_factory, map_text, drawn, seed, episodes):
    agent, _ = pair_of(map_text, drawn, seed)
    agent.alternate(episodes)
    path = tmp_path_factory.mktemp("saved") / "agent.safetensors"
    agent.save(path)
    followers = [copy.deepcopy(agent), hierq.Agent.load(path)]
    expected, entries = agent.alternate(3), stored_entries(agent)
    for follower in followers:
        assert np.array_equal(follower.alternate(3), expected)
        assert stored_entries(follower) == entries


def test_rows_are_added_while_reach_is_learnt():
    """More pairs than there was room for at first."""
    config = hierq.AgentConfig(levels=3, nearness="learnt", backup=hierq.TreeBackup(5), step_limit=3000)
    agent = hierq.Agent(hierq.gridworld(5, 5), config, seed=2)
    first = [len(level.action) for level in agent.levels]
    agent.train(20)
    assert [len(level.action) for level in agent.levels] == [first[0], 2 * first[1], 2 * first[2]]
    assert agent.evaluate(5).mean() < 12


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("decay", [0.8, 1.0])
def test_long_episodes_need_no_more_room_than_what_is_alive(decay, monkeypatch):
    """A ring that is much shorter than the episode gives the same tables as one that holds all of it."""
    world, results = hierq.make_world("maze-20"), []  # a random walk takes 9 000 steps
    for remembered in (10, 50_000):
        monkeypatch.setattr(config_module, "REMEMBERED", remembered)
        config = hierq.AgentConfig(
            levels=3, backup=hierq.Traces(decay), step_limit=20_000, explore_train=1.0, trace_cutoff=1e-8
        )
        agent = hierq.Agent(world, config, seed=4)
        lengths = agent.train_for(50_000)
        results.append((agent.config.steps_kept, lengths, stored_entries(agent)))
    (short, lengths, entries), (long, others, same) = results
    assert short < max(lengths) < long
    assert np.array_equal(lengths, others) and entries == same


@pytest.mark.parametrize("nearness", ["L1", "steps"])
def test_local_tables_hold_what_is_near_and_the_goal(nearness):
    world = hierq.gridworld(9, 9)
    config = hierq.AgentConfig(levels=2, tables="local", radius=2, nearness=nearness)
    agent = hierq.Agent(world, config)
    level = agent.levels[0]
    middle = world.state_number((4, 4))
    near = set(level.near[middle, : level.near_count[middle]])
    distance = np.abs(world.positions[: world.states] - (4, 4)).sum(axis=1)
    assert near == {*np.flatnonzero(distance <= 2), world.goal}


def test_moves_with_long_names_are_replayed_as_they_were():
    outcomes = [[[min(a, 2)] for a in range(12)], [[2 if a == 10 else 0] for a in range(12)], [[2] for _ in range(12)]]
    world = hierq.World.from_table(outcomes, np.ones((3, 12, 1)), goals=[2])
    agent = hierq.Agent(world, hierq.AgentConfig(levels=1))
    moves = [1, 0, 0, 1, 10]
    episode = agent.replay(moves)
    assert episode.letters == "1,0,0,1,10" and list(agent.replay(episode.letters).actions) == moves
