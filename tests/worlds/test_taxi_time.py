"""What docs/worlds.md says of Taxi: a second level makes episodes longer, not steps slower."""

import time

import gymnasium
import pytest

import hierq


@pytest.mark.usefixtures("compiler")
def test_a_step_of_two_levels_takes_less_than_twice_that_of_one():
    cost = {}
    for levels in (1, 2):
        taxi = gymnasium.make("Taxi-v4", max_episode_steps=5000)
        learner = hierq.learn(taxi, hierq.AgentConfig(levels=levels, backup=hierq.Traces(0.8)), episodes=3, seed=0)
        begun = time.process_time()  # of this process alone, however busy the machine is
        steps = learner.train(50).sum()
        cost[levels] = (time.process_time() - begun) / steps
    assert cost[2] < 2 * cost[1]
