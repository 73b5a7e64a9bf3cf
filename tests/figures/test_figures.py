"""What is on the figures; how they look was judged by eye."""

import io
import itertools
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.image import imread
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle
from matplotlib.quiver import Quiver

import hierq
from hierq.figures import Curve, as_png, curves_figure, level_colour, policy_figure, worlds_figure
from hierq.figures.style import LEVEL_COLOURS, LEVEL_MARKERS, SUBGOAL_COLOURS

# How the green-blind see linear red, green and blue, after Machado, Oliveira and Fernandes (2009).
DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour: str) -> np.ndarray:
    shares = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def lab(light: np.ndarray) -> np.ndarray:
    """Lightness and the two opponent colours of CIELAB."""
    x, y, z = np.cbrt(np.maximum(TO_XYZ @ light / [0.9505, 1, 1.089], 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.fixture(scope="module")
def example() -> hierq.Agent:
    world = hierq.make_world("rooms-example")
    agent = hierq.Agent(world, hierq.AgentConfig(levels=2, backup=hierq.Traces(1.0)))
    agent.replay("ENSEESWEN")
    return agent


def test_levels_can_be_told_apart_in_grey_and_by_the_colour_blind() -> None:
    lightness = [lab(linear(colour))[0] for colour in LEVEL_COLOURS]
    assert min(np.diff(lightness)) > 10
    assert lightness[-1] < 75  # visible on white
    for one, other in itertools.combinations(LEVEL_COLOURS, 2):
        seen = [lab(np.clip(DEUTERANOPIA @ linear(colour), 0, 1)) for colour in (one, other)]
        assert np.linalg.norm(seen[0] - seen[1]) > 20, (one, other)
    assert len(set(LEVEL_MARKERS)) == len(LEVEL_COLOURS)
    assert level_colour(4) == level_colour(0)


def test_dark_letters_can_be_read_on_subgoal_colours() -> None:
    assert min(lab(linear(colour))[0] for colour in SUBGOAL_COLOURS) > 50


def test_png_is_the_same_every_time(example: hierq.Agent) -> None:
    first, second = (as_png(policy_figure(example, 1)) for _ in range(2))
    assert first == second
    assert imread(io.BytesIO(first)).shape[2] == 4


def test_drawing_touches_no_global_state(example: hierq.Agent) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    as_png(policy_figure(example))
    assert dict(matplotlib.rcParams) == before


def test_drawing_needs_no_pyplot() -> None:
    code = (
        "import sys, hierq\nfrom hierq.figures import as_png, worlds_figure\n"
        "as_png(worlds_figure([hierq.make_world('maze-10')]))\nprint('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.strip() == "False"


def test_row_of_worlds() -> None:
    worlds = [hierq.make_world(name) for name in hierq.PAPER_WORLDS]
    figure = worlds_figure(worlds)
    assert [axes.get_title() for axes in figure.axes] == list(hierq.PAPER_WORLDS)
    for axes, world in zip(figure.axes, worlds, strict=True):
        (image,) = axes.images
        drawn = np.asarray(image.get_array())
        assert drawn.shape[:2] == world.shape
        assert len(np.unique(drawn.reshape(-1, 3), axis=0)) == 4
        row, column = world.positions[world.goal]
        red, green, blue = drawn[row, column]
        assert green > red and green > blue
        assert list(axes.get_xticks()) == list(axes.get_yticks()) == []


def test_no_world_is_refused() -> None:
    with pytest.raises(hierq.InputError, match="no world"):
        worlds_figure([])


def test_moves_are_arrows(example: hierq.Agent) -> None:
    (axes,) = policy_figure(example, 0).axes
    (arrows,) = [artist for artist in axes.collections if isinstance(artist, Quiver)]
    drawn = {
        (round(y), round(x)): (float(np.sign(v)), float(np.sign(u)))
        for x, y, u, v in zip(arrows.X, arrows.Y, arrows.U, arrows.V, strict=True)
    }
    expected = {(2, 2): "E", (2, 3): "E", (1, 3): "S", (2, 4): "E", (2, 5): "S", (3, 5): "E", (3, 6): "N"}
    moves = {"N": (-1, 0), "S": (1, 0), "W": (0, -1), "E": (0, 1)}
    assert drawn == {cell: moves[letter] for cell, letter in expected.items()}


def test_subgoals_are_boxes_and_circles_of_one_colour(example: hierq.Agent) -> None:
    (axes,) = policy_figure(example, 1).axes
    boxes = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    circles = [patch for patch in axes.patches if isinstance(patch, Circle)]
    colour_of = {(round(c.center[1] + 0.25), round(c.center[0] - 0.25)): c.get_facecolor() for c in circles}
    assert set(colour_of) == {(1, 3), (2, 5), (2, 6)}
    assert len(set(colour_of.values())) == 3
    chosen = {(round(b.get_y() + 0.43), round(b.get_x() + 0.43)): b.get_facecolor() for b in boxes}
    assert chosen == {
        (2, 2): colour_of[1, 3],
        (1, 3): colour_of[2, 5],
        (2, 3): colour_of[2, 5],
        (2, 4): colour_of[2, 5],
        (2, 5): colour_of[2, 6],
        (3, 5): colour_of[2, 6],
        (3, 6): colour_of[2, 6],
    }
    assert "box: sub-goal" in axes.get_xlabel()


def test_only_asked_for_states_are_drawn(example: hierq.Agent) -> None:
    start = example.world.start
    (axes,) = policy_figure(example, 1, states=[start]).axes
    assert len([patch for patch in axes.patches if isinstance(patch, Rectangle)]) == 1


def test_many_subgoals_are_pointers() -> None:
    agent = hierq.Agent(hierq.make_world("gridworld-10"), hierq.AgentConfig(levels=2, backup=hierq.Traces(1.0)))
    agent.train(10)
    policy = agent.policy(1)
    assert len(set(policy[policy >= 0])) > len(SUBGOAL_COLOURS)
    (axes,) = policy_figure(agent, 1).axes
    pointers = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    assert len(pointers) == (policy >= 0).sum()


def test_another_goal_is_framed(example: hierq.Agent) -> None:
    (axes,) = policy_figure(example, 0, goal=(2, 5)).axes
    frames = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert len(frames) == 1
    assert axes.get_title() == "rooms-example: moves of level 0 towards (2, 5)"


def test_nothing_learnt_is_an_empty_map() -> None:
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2))
    for level in (0, 1):
        (axes,) = policy_figure(agent, level).axes
        assert len(axes.patches) == 2  # the letters of start and goal
        assert len(as_png(policy_figure(agent, level))) > 1000


def test_an_optimum_above_all_curves_is_on_the_axis() -> None:
    curve = Curve("flat", np.array([[9, 8, 7]]), 1)
    (axes,) = curves_figure([curve], optimum=48.7).axes
    assert axes.get_ylim()[1] > 48.7
    (axes,) = curves_figure([curve], optimum=np.inf).axes
    assert len(axes.lines) == 1, "a line that cannot be drawn"


def test_curves() -> None:
    steps = np.array([[100, 50, 20], [400, 50, 20]])
    figure = curves_figure([Curve("flat", steps, 1), Curve("two", steps[:1], 2)], optimum=18, title="maze")
    (axes,) = figure.axes
    line = axes.lines[0]
    assert line.get_ydata() == pytest.approx([200, 50, 20])  # geometric mean
    assert (line.get_color(), axes.lines[1].get_color()) == (level_colour(0), level_colour(1))
    (band,) = axes.collections  # one seed alone has none
    edges = band.get_paths()[0].vertices
    error = 12.7062 * np.log(4) / 2  # Student's quantile of two seeds, and the error of the mean of ln 100 and ln 400
    at_first = sorted({round(float(y), 3) for x, y in edges if x == 1})
    assert at_first == pytest.approx([200 * np.exp(-error), 200 * np.exp(error)], rel=0.05)
    assert axes.get_yscale() == "log"
    assert 18 in axes.lines[2].get_ydata()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["flat", "two", "best policy, 18 steps"]
    assert not axes.texts, "nothing is written between the curves"
    assert "20" in [label.get_text().replace("−", "-") for label in axes.get_yticklabels()]


@pytest.mark.parametrize("steps", [np.zeros((2, 3)), np.ones(3), np.ones((0, 3))])
def test_steps_that_are_none_are_refused(steps: np.ndarray) -> None:
    with pytest.raises(hierq.InputError, match="counts of 1 or more"):
        Curve("x", steps, 1)


def test_no_curve_is_refused() -> None:
    with pytest.raises(hierq.InputError, match="no curve"):
        curves_figure([], 10)


def test_curves_that_are_none_are_refused() -> None:
    """Steps of an agent, or a dictionary of them, are no curves yet."""
    for given in (np.ones(3), {"flat": np.ones((2, 3))}):
        with pytest.raises(hierq.InputError, match=r"given as a list of Curve\(label, steps\), not of"):
            curves_figure(given)
