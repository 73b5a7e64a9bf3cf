"""Worlds of points: no walk crosses a wall, and Gymnasium's checker finds nothing."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import hierq
from hierq.approximate import PointWorld, random_walks
from hierq.worlds.points import PointEnv

ENVIRONMENTS = ("hierq/Point-v0", "hierq/PointVelocity-v0")


def check_walls(points, steps, seed):
    """Every move leads to a cell that the moves of the map lead to in as many steps as cells were crossed."""
    for walk in random_walks(points, max(1, steps // 100), 100, seed):
        cells = points.cells_of(walk.points)  # refuses points in walls
        crossed = np.abs(np.diff(points.world.positions[cells], axis=0)).sum(axis=1)
        between = points.distances[cells[:-1], cells[1:]]
        assert (between <= crossed).all() if points.world.is_geometric else np.isfinite(between).all()


@pytest.mark.parametrize("velocity", [False, True])
@pytest.mark.parametrize("name", hierq.WORLD_NAMES)
def test_no_walk_crosses_a_wall(name, velocity):
    check_walls(PointWorld(name, noise=0.6, velocity=velocity), 1_000, seed=1)
    check_walls(PointWorld(name, noise=2.0, step=3.0, velocity=velocity), 300, seed=2)


@pytest.mark.long
@pytest.mark.parametrize("name", hierq.WORLD_NAMES)
def test_no_walk_crosses_a_wall_in_a_million_steps(name):
    check_walls(PointWorld(name, noise=0.6), 500_000, seed=3)
    check_walls(PointWorld(name, noise=0.6, velocity=True), 500_000, seed=4)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_gymnasium_finds_nothing_to_say(name):
    check_env(gymnasium.make(name, render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_goals_can_be_given_anew(name):
    env = gymnasium.make(name, world="rooms-4", goal="random").unwrapped
    observation, _ = env.reset(seed=3)
    achieved = []
    for _ in range(50):
        observation, reward, ended, _, information = env.step(env.action_space.sample())
        assert reward == env.compute_reward(observation["achieved_goal"], observation["desired_goal"], {})
        assert information["is_success"] == (reward == 1)
        achieved.append(observation["achieved_goal"])
        if ended:
            observation, _ = env.reset()
    rewards = env.compute_reward(np.array(achieved), np.array(achieved), None)
    assert rewards.shape == (50,) and (rewards == 1).all()
    assert (env.compute_reward(np.array(achieved), np.array(achieved) + 1, None) == 0).all()


def test_the_same_seed_gives_the_same_walk():
    paths = []
    for _ in range(2):
        env = PointEnv("maze-10")
        env.reset(seed=7)
        paths.append([env.step(np.int64(action % 8))[0]["observation"] for action in range(30)])
    assert np.array_equal(*paths)


def test_start_and_goal_can_be_set():
    env = PointEnv("maze-10", noise=0)
    observation, _ = env.reset(options={"start": (1, 5), "goal": (1, 6.5)})
    assert observation["achieved_goal"].tolist() == [1, 5] and observation["desired_goal"].tolist() == [1, 6.5]
    *_, reward, ended, _, _ = env.step(np.int64(3))
    assert reward == 1 and ended


def test_walls_slide_holes_end_and_teleports_lead_elsewhere():
    env = PointEnv(hierq.World.from_text("#####\n#S.7#\n#H###\n#7.G#\n#####\n"), noise=0)
    env.reset()
    observation, *_ = env.step(np.int64(4))  # north-west, into the corner
    assert observation["observation"] == pytest.approx((0.5, 0.5), abs=1e-5)
    env.reset()
    *_, ended, _, _ = env.step(np.int64(1))
    assert ended
    env.reset(options={"start": (1, 2)})
    observation, *_ = env.step(np.int64(3))
    assert observation["observation"] == pytest.approx((3, 1))


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (lambda: PointEnv("maze-10", goal="somewhere"), "goal is"),
        (lambda: PointEnv("maze-10", render_mode="human"), "render mode"),
        (lambda: PointEnv("maze-10", step=0), "step"),
        (lambda: PointEnv(hierq.World.from_table([[1], [1]], goals=[1])), "without a map"),
        (lambda: PointEnv("maze-10").reset(options={"start": (0, 0)}), "wall"),
        (lambda: PointEnv("maze-10").reset(options={"begin": (1, 1)}), '"start" and "goal"'),
        (lambda: PointEnv("maze-10").step(8), "whole number from 0 to 7"),
        (lambda: PointWorld("maze-10", directions=6), "4 or 8"),
    ],
)
def test_bad_input_is_refused_in_words(what, message):
    with pytest.raises(hierq.InputError, match=message):
        what()
