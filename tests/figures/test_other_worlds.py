"""Figures and texts of worlds with holes, doors, teleports, several starts and goals, and of tables."""

from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest
from matplotlib.patches import Circle, Polygon

import hierq
from hierq.figures import as_png, policy_figure, worlds_figure
from hierq.figures.hierarchy_tree import errands, hierarchy_tree_figure
from hierq.figures.panels import world_panels
from hierq.figures.terminal import draw_cells, map_text, moves_text, place, subgoals_text
from hierq.figures.trace import draw_trace
from hierq.figures.worlds import draw_tiles
from hierq.worlds import GridEnv, pictures

RICH = hierq.World.from_text("######\n#S>.G#\n#SH1G#\n#1...#\n######\n", name="rich")
COIN = hierq.World.from_table([[1, 0], [2, 0], [2, 2]], goals=[2], name="coin")


def axes_of(world):
    figure = worlds_figure([world])
    return figure.axes[0]


def test_maps_keep_their_characters() -> None:
    assert map_text(RICH).splitlines()[1:4] == ["██S > . G ██", "██S H 1 G ██", "██1 . . . ██"]
    assert map_text(hierq.World.from_text("slip: 0.1\nS.G\n")) == "S . G"
    assert map_text(COIN) == "(a table has no map to be drawn)"


def test_labels_stand_beside_the_characters() -> None:
    assert draw_cells(RICH, {2: dict.fromkeys(range(RICH.states), "x")}).splitlines()[1:3] == [
        "██xSx>x xG██",
        "██xSxHx1xG██",
    ]


def test_a_policy_towards_any_of_several_goals() -> None:
    moves = np.full(RICH.states, 3)
    lines = moves_text(RICH, moves, RICH.goal).splitlines()
    assert lines[1] == "██→S→>→ G ██"
    assert lines[2] == "██→S→H→1G ██"
    assert moves_text(RICH, moves, 2).splitlines()[1] == "██→S→>* →G██"


def test_places_are_named_for_people() -> None:
    assert place(RICH, RICH.start) == "(1, 1)"
    assert place(RICH, RICH.goal) == "any goal"
    assert place(COIN, COIN.goal) == "state 2"
    several = hierq.World.from_table([[1], [2], [2]], goals=[1, 2])
    assert (place(several, several.goal), place(several, 1)) == ("any goal", "state 1")


def test_a_policy_is_drawn_of_an_agent_alone() -> None:
    with pytest.raises(hierq.InputError, match=r"drawn of an agent that has learnt one, .* not of .maze-10"):
        policy_figure("maze-10", 1)  # type: ignore[arg-type]


def test_the_policy_of_a_table_is_a_list() -> None:
    assert moves_text(COIN, np.array([1, 0, -1]), 2) == "  state 0      action 1\n  state 1      action 0"
    assert subgoals_text(COIN, np.array([2, -1, -1]), 2) == "  state 0      state 2"
    long = hierq.World.from_table(np.minimum(np.arange(50) + 1, 49)[:, np.newaxis], goals=[49])
    lines = moves_text(long, np.zeros(50, dtype=np.int64), 49).splitlines()
    assert (len(lines), lines[-1]) == (41, "  … and 10 states more")


def test_every_kind_of_cell_has_its_colour() -> None:
    drawn = axes_of(RICH).images[0].get_array()
    expected = {
        (1, 1): pictures.LETTER_COLOURS["S"],
        (2, 1): pictures.LETTER_COLOURS["S"],
        (1, 4): pictures.LETTER_COLOURS["G"],
        (2, 4): pictures.LETTER_COLOURS["G"],
        (1, 2): pictures.LETTER_COLOURS[">"],
        (3, 1): pictures.TELEPORT_COLOUR,
        (0, 0): pictures.LETTER_COLOURS["#"],
        (3, 3): pictures.FREE_COLOUR,
    }
    for where, colour in expected.items():
        assert tuple(np.rint(drawn[where] * 255).astype(int)) == colour, where


def test_holes_teleports_and_doors_have_signs() -> None:
    axes = axes_of(RICH)
    discs = {tuple(float(part) for part in patch.center) for patch in axes.patches if isinstance(patch, Circle)}
    assert discs == {(2, 2), (3, 2), (1, 3)}  # x, y


@pytest.mark.parametrize(("letter", "tip"), [("^", (0, -0.36)), ("v", (0, 0.36)), ("<", (-0.36, 0)), (">", (0.36, 0))])
def test_a_door_points_where_it_leads(letter: str, tip: tuple[float, float]) -> None:
    axes = axes_of(hierq.World.from_text(f"...\n.{letter}.\nS.G\n"))
    head, bar = (patch.get_xy()[:-1] - (1, 1) for patch in axes.patches if isinstance(patch, Polygon))
    assert head[0] == pytest.approx(tip)
    assert (bar @ tip).max() < (head @ tip).min() < 0


def test_a_large_map_has_colours_only() -> None:
    axes = axes_of(hierq.World.from_text("SG1>" + "." * 100 + "1H\n"))
    assert not axes.patches


def test_tables_are_not_drawn() -> None:
    with pytest.raises(hierq.InputError, match="coin is a table without a map, so it cannot be drawn"):
        worlds_figure([COIN])
    agent = SimpleNamespace(world=COIN, policy=lambda level, goal: np.zeros(3, dtype=np.int64))
    with pytest.raises(hierq.InputError, match="coin is a table"):
        policy_figure(agent)


def test_a_policy_figure_names_any_goal() -> None:
    agent = SimpleNamespace(world=RICH, policy=lambda level, goal: np.full(RICH.states, 3))
    figure = policy_figure(agent)
    assert figure.axes[0].get_title() == "rich: moves of level 0 towards any goal"
    assert as_png(figure).startswith(b"\x89PNG")


def test_who_slips_is_drawn_going_where_he_went() -> None:
    world = hierq.World.from_text("slip: 0.5\nS.\n.G\n")
    axes = axes_of(world)
    before = len(axes.patches)
    draw_trace(axes, world, [0, 1], [1])  # meant to go south, slipped to the east
    arrow = axes.patches[before]
    (x, y), (to_x, to_y) = arrow._posA_posB
    assert to_x > x + 0.5
    assert to_y == pytest.approx(y)


def test_the_tree_of_an_episode_with_several_goals() -> None:
    world = hierq.World.from_text("S.G\nG..\n")
    episode = SimpleNamespace(
        steps=2,
        states=np.array([0, 1, 2]),
        actions=np.array([3, 3]),
        goals=np.array([[1, world.goal], [2, world.goal]]),
        actors=np.array([2, 1]),
        reached=True,
    )
    top = errands(episode)[0]
    assert (top.level, top.goal, top.reached) == (1, world.cells, True)
    figure = hierarchy_tree_figure(world, episode)
    assert as_png(figure).startswith(b"\x89PNG")
    episode.reached = False
    words = [text.get_text() for axes in hierarchy_tree_figure(world, episode).axes for text in axes.texts]
    assert any("any goal" in text for text in words)


def test_tiles_are_drawn_into_given_axes() -> None:
    axes = axes_of(RICH)
    draw_tiles(axes, RICH)
    assert len(axes.images) == 2


@pytest.mark.parametrize("level", [0, 1])
def test_a_learner_is_drawn_as_an_agent_on_the_same_map(level) -> None:
    world, config = hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2, nearness="learnt")
    agent, learner = hierq.Agent(world, config), hierq.Learner(GridEnv(world), config)
    for moves in ("NSEEEE", "EEEE"):
        agent.replay(moves)
        learner.replay([int(action) for action in agent.last_episode.actions])
    assert agent.last_episode.reached
    ours, theirs = (as_png(policy_figure(each, level)) for each in (learner, agent))
    assert ours == theirs
    assert as_png(policy_figure(learner, 0, goal=world.start)) == as_png(policy_figure(agent, 0, goal=world.start))


def test_a_learner_without_a_map_is_refused() -> None:
    lake = gymnasium.make("FrozenLake-v1", is_slippery=False)
    learner = hierq.Learner(lake, hierq.AgentConfig(levels=1), key=lambda seen: (seen, 0))
    with pytest.raises(hierq.InputError, match="no map to draw FrozenLake-v1 on"):
        policy_figure(learner)
    assert len(policy_figure(hierq.Learner(lake, hierq.AgentConfig(levels=1))).axes) == 1


def test_a_panel_above_an_empty_place_has_its_own_numbers() -> None:
    _, panels = world_panels(["a", "b", "c"], most=2, as_given=True, sharex=True)
    shown = {name: any(label.get_visible() for label in axes.get_xticklabels()) for name, axes in panels.items()}
    assert shown == {"a": False, "b": True, "c": True}
