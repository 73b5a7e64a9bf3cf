import subprocess
import sys

import gymnasium
import numpy as np
import pytest

import hierq
from hierq.worlds import layout
from hierq.worlds.chances import MAX_RANDOM_STATES, best_episodes


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


@pytest.mark.parametrize("largest", [layout.MAX_PLAIN_STATES, 0])
def test_steps_to_the_nearest_goal_in_plain_python_and_with_scipy(largest, monkeypatch):
    world = hierq.World.from_text("S..G..H.G\n")
    monkeypatch.setattr(layout, "MAX_PLAIN_STATES", largest)
    steps = layout.steps_to_goal(world)
    assert steps.tolist() == [3, 2, 1, 0, 1, 2, np.inf, 1, 0]


def test_a_small_world_and_its_shortest_path_need_no_scipy():
    """Importing it would take longer than an idea in a small world takes to try."""
    code = "import sys, hierq; hierq.shortest_path('maze-10'); hierq.optimum('holes'); print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
