"""FrozenLake, CliffWalking and Taxi are tables, and can be drawn all the same."""

import numpy as np
import pytest

import hierq
from hierq.figures import policy_figure, worlds_figure
from hierq.figures.terminal import map_text, moves_text
from hierq.worlds.pictures import action_directions, drawn_map

LAKE = "S...\n.H.H\n...H\nH..G\n"
CLIFF = "............\n" * 3 + "S##########G\n"
TAXI_PASSAGES = "###########\n#G.S#S.S.G#\n#.#.#.#.#.#\n#S.S#S.S.S#\n#.#.#.#.#.#\n#S.S.S.S.S#\n"


@pytest.mark.parametrize(
    ("name", "text"), [("FrozenLake-v1", LAKE), ("CliffWalking-v1", CLIFF), ("Taxi-v4", TAXI_PASSAGES)]
)
def test_tables_of_gymnasium_have_a_map(name, text):
    world = hierq.make_world(f"gym:{name}")
    drawn = drawn_map(world)
    assert drawn is not None and drawn.text.startswith(text) and drawn.name == name
    assert map_text(world).splitlines()[0].startswith(text[:1].replace("#", "█"))
    assert worlds_figure([world]).axes[0].get_title() == name
    assert "<svg" in world._repr_html_() and name in world._repr_html_()


def test_a_table_without_cells_is_not_drawn():
    world = hierq.World.from_table([[1], [1]], goals=[1])
    assert drawn_map(world) is None and "<svg" not in world._repr_html_()
    with pytest.raises(hierq.InputError, match="is a table without a map"):
        worlds_figure([world])


def test_notebooks_show_maps_and_no_huge_ones():
    shown = hierq.make_world("maze-10")._repr_html_()
    assert shown.count("<rect") == 1 + 13 * 13 - 71 and "World maze-10" in shown and shown.count("<text") == 2
    assert "<svg" not in hierq.gridworld(200, 200)._repr_html_()
    assert "&lt;" in hierq.World.from_text("S<G.\n....\n".replace("<", ">"), name="<b>")._repr_html_()


@pytest.mark.parametrize(
    ("name", "steps"), [("FrozenLake-v1", "←↓→↑"), ("CliffWalking-v1", "↑→↓←"), ("Taxi-v4", "↓↑→←  ")]
)
def test_directions_of_actions(name, steps):
    arrows = {(-1, 0): "↑", (1, 0): "↓", (0, -1): "←", (0, 1): "→", (0, 0): " "}
    world = hierq.make_world(f"gym:{name}")
    assert "".join(arrows[tuple(step)] for step in action_directions(world).tolist()) == steps


def test_the_policy_of_a_lake_is_drawn_on_its_map():
    world = hierq.make_world("gym:FrozenLake-v1,is_slippery=false")
    agent = hierq.Agent(world, hierq.AgentConfig(levels=1), seed=0)
    down, right = 1, 2
    agent.replay([down, down, right, right, down, right])
    assert moves_text(world, agent.policy(0), world.goal) == "·S· · ·\n· H · H\n· · · H\nH · → G"
    assert len(policy_figure(agent).axes) == 1
    taxi = hierq.Agent(hierq.make_world("gym:Taxi-v4"), hierq.AgentConfig(levels=1), seed=0)
    with pytest.raises(hierq.InputError, match="Taxi-v4 has 20 states in every cell"):
        policy_figure(taxi)
    assert np.count_nonzero(agent.policy(0) >= 0) == 1
