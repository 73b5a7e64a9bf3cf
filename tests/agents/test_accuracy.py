"""How far agents are from the truth: errors that are known without learning, and learning that makes them vanish."""

import itertools
import math

import numpy as np
import pytest

import hierq
from hierq.agents.accuracy import greedy_moves

FORK = "S..G\n.H..\n"


def test_errors_of_an_agent_that_knows_nothing():
    world = hierq.World.from_text("S.G\n")
    agent = hierq.Agent(world, hierq.AgentConfig(levels=1, discount=0.5))
    assert hierq.value_error(agent) == pytest.approx(math.sqrt((0.5**2 + 1**2) / 2))
    assert np.array_equal(greedy_moves(agent)[:2], np.full((2, 4), 0.25))
    walk = hierq.policy_values(world, greedy_moves(agent), 0.5)
    assert hierq.value_lost(agent) == pytest.approx(0.5 - walk[0])
    assert hierq.value_lost(agent, discount=1) == pytest.approx(0)  # it gets there in the end


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("levels", [1, 3])
@pytest.mark.parametrize("name", ["rooms-4", "doors"])
def test_errors_vanish_without_chance(name, levels):
    """One-step Q-learning with every action tried often has the exact values, at level 0 of any agent."""
    world = hierq.make_world(name)
    agent = hierq.Agent(world, hierq.AgentConfig(levels=levels, behaviour="flat", explore_train=1.0), seed=1)
    before = hierq.value_error(agent)
    agent.train(300)
    assert hierq.value_error(agent) < 1e-12 < before
    assert hierq.value_lost(agent) == pytest.approx(0, abs=1e-12)


def test_only_states_that_can_be_visited_count():
    """Behind the goal and in the hole nothing is learnt, and nothing is missed."""
    shut = hierq.World.from_text("S.G.....\n")
    whole = hierq.World.from_text("S.G\n")
    errors = [hierq.value_error(hierq.Agent(world, hierq.AgentConfig(levels=1))) for world in (shut, whole)]
    assert errors[0] == errors[1]


def test_several_starts_are_averaged():
    world = hierq.World.from_text("S.S.G\n")
    agent = hierq.Agent(world, hierq.AgentConfig(levels=1))
    agent.replay("EE", [2, 3, 4])
    policy, best = greedy_moves(agent), hierq.best_values(world)
    lost = best - hierq.policy_values(world, policy)
    assert hierq.value_lost(agent) == pytest.approx((lost[0] + lost[2]) / 2)
    assert policy[3].tolist() == [0, 0, 0, 1]


def test_a_greedy_policy_that_never_ends():
    world = hierq.World.from_text("S..G\n")
    agent = hierq.Agent(world, hierq.AgentConfig(levels=1, initial_value=-1.0, pseudo_reward="penalty"))
    for state, (move, value) in itertools.product(range(4), zip("NSWE", (0, -9, -9, -9), strict=True)):
        agent.set_value(0, state, move, value)  # north, for ever
    assert hierq.value_lost(agent) == pytest.approx(0.95**2)


def test_penalties_have_no_value_error():
    agent = hierq.Agent(hierq.World.from_text(FORK), hierq.AgentConfig(pseudo_reward="penalty"))
    with pytest.raises(hierq.InputError, match="compares with values of a binary reward"):
        hierq.value_error(agent)
    assert hierq.value_lost(agent) > 0


@pytest.mark.usefixtures("compiler")
def test_small_steps_get_close_where_there_is_chance():
    world = hierq.World.from_text("slip: 0.2\n" + FORK)
    errors = {}
    for step_size in (0.02, 1.0):
        agent = hierq.Agent(world, hierq.AgentConfig(levels=1, step_size=step_size, explore_train=1.0), seed=0)
        agent.train(20_000)
        errors[step_size] = hierq.value_error(agent)
    assert errors[0.02] < 0.03 < 0.1 < errors[1.0]
