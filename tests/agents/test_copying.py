"""Copies go on as the original would, and neither disturbs the other."""

import copy

import numpy as np
import pytest
from drawn import configs, maps, pair_of, stored_entries
from hypothesis import given
from hypothesis import strategies as st

import hierq


def assert_same_future(first, second, iterations=3):
    assert stored_entries(first) == stored_entries(second)
    assert np.array_equal(first.alternate(iterations), second.alternate(iterations))
    assert stored_entries(first) == stored_entries(second)
    for ours, theirs in zip(first.last_episode.goals, second.last_episode.goals, strict=True):
        assert np.array_equal(ours, theirs)


@given(
    maps(),
    st.booleans().flatmap(lambda soft: configs(soft=soft, most_levels=3)),
    st.integers(0, 2**32),
    st.integers(0, 3),
)
def test_a_copy_goes_on_as_the_original_would(map_text, config, seed, episodes):
    agent, _ = pair_of(map_text, config, seed)
    agent.alternate(episodes)
    twin = copy.deepcopy(agent)
    assert np.array_equal(twin.last_episode.states, agent.last_episode.states)
    assert_same_future(agent, twin)


@given(
    maps(),
    st.booleans().flatmap(lambda soft: configs(soft=soft, most_levels=3)),
    st.integers(0, 2**32),
    st.lists(st.integers(0, 3), max_size=2),
)
def test_a_restarted_agent_is_a_new_one(map_text, config, seed, episodes):
    agent, _ = pair_of(map_text, config, seed + 1)
    fresh, _ = pair_of(map_text, config, seed)
    for count in episodes:
        agent.alternate(count)
        agent.restart(seed)
    agent.restart(seed)
    assert agent.learnt(0) == fresh.learnt(0) and agent.last_episode.steps == 0
    assert_same_future(agent, fresh)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("settings", [{"tables": "local"}, {"nearness": "learnt"}, {"subgoals": "anywhere"}], ids=str)
@pytest.mark.parametrize("world", ["rooms-example", "slippery-rooms"])
def test_agents_of_all_kinds_are_restarted(world, settings):
    config = hierq.AgentConfig(levels=3, backup=hierq.Traces(0.8), goal_preference="none", step_limit=300, **settings)
    agent, fresh = (hierq.Agent(hierq.make_world(world), config, seed) for seed in (1, 2))
    agent.alternate(5)
    agent.restart(2)
    assert agent.seed == 2
    assert_same_future(agent, fresh)


def test_a_restart_needs_a_seed_that_is_one():
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=1))
    with pytest.raises(hierq.InputError, match="seed must be at least 0, not -1"):
        agent.restart(-1)


def test_a_copy_leaves_the_original_alone():
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2), seed=1)
    agent.train(1)
    before = stored_entries(agent)
    copy.deepcopy(agent).train(5)
    assert stored_entries(agent) == before


def test_a_copy_goes_on_counting_backups():
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(backup=hierq.Traces(0.8)))
    agent.train(1)
    count = copy.deepcopy(agent).for_kernels().episode.live_errors.backups[0]
    assert count == agent.for_kernels().episode.live_errors.backups[0] > 0
