import gymnasium
import numpy as np
import pytest

import hierq
from hierq.worlds.chances import MAX_RANDOM_STATES, best_episodes
from hierq.worlds.facts import steps_to_goal


@pytest.mark.parametrize(("name", "steps"), [("maze-10", 20), ("gridworld-20", 38), ("holes", 11.5)])
def test_without_chance_it_is_the_mean_shortest_path_over_the_starts(name, steps):
    assert best_episodes(hierq.make_world(name)) == (steps, 1.0)


@pytest.mark.parametrize(
    ("name", "steps", "success"),
    [("Taxi-v4", 13.07, 1.0), ("FrozenLake-v1", 48.7059, 0.8235), ("CliffWalking-v1", 13, 1)],
)
def test_environments_of_gymnasium(name, steps, success):
    """Their shortest paths have 6, 6 and 13 steps; the first two are out of reach on average."""
    world = hierq.World.from_gymnasium(gymnasium.make(name))
    best = best_episodes(world)
    assert best is not None and best.steps == hierq.optimum(world)
    assert best.steps == pytest.approx(steps, abs=1e-3) and best.success == pytest.approx(success, abs=1e-4)


def test_with_slip_every_step_of_a_corridor_is_tried_until_it_succeeds():
    """A slip goes sideways, into the wall: four steps that succeed four times in five take 4 / 0.8 on average."""
    best = best_episodes(hierq.World.from_text("slip: 0.2\nS...G\n"))
    assert best is not None and best.steps == pytest.approx(5) and best.success == pytest.approx(1)


def test_a_large_world_with_chance_has_none():
    world = hierq.World.from_text(f"slip: 0.1\nS{'.' * MAX_RANDOM_STATES}G\n")
    assert best_episodes(world) is None


def test_steps_to_the_nearest_goal():
    world = hierq.World.from_text("S..G..H.G\n")
    assert steps_to_goal(world).tolist()[:6] == [3, 2, 1, 0, 1, 2]
    assert steps_to_goal(world)[6:].tolist() == [np.inf, 1, 0]
