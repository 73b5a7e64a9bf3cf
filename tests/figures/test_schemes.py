"""Figures that explain: episodes as trees, backups, and the worked example."""

import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

import hierq
from hierq.agents.outcomes import RecordedEpisode
from hierq.figures.backups import Hop, all_hops, backups_figure, flat_hops, hops_back, one_step_hops
from hierq.figures.hierarchy_tree import Errand, errands, hierarchy_tree_figure
from hierq.figures.policy import example_figure
from pictures import assert_readable

CORRIDOR = "########\n#S...G.#\n########\n"


@pytest.fixture
def corridor() -> hierq.World:
    return hierq.World.from_text(CORRIDOR, "corridor")


@pytest.fixture
def episode() -> RecordedEpisode:
    """Four steps east; level 1 sends level 0 to state 2, gives up after one more draw, and sends it to the goal."""
    return RecordedEpisode(
        states=np.array([0, 1, 2, 3, 4]),
        actions=np.array([3, 3, 3, 3]),
        goals=np.array([[2, 4], [2, 4], [5, 4], [4, 4]]),
        actors=np.array([1, 0, 1, 1]),
        reached=True,
    )


def test_errands_are_read_off_the_record(episode):
    assert errands(episode) == [
        Errand(1, 4, 0, 4, True),
        Errand(0, 2, 0, 2, True),
        Errand(0, 5, 2, 3, False),
        Errand(0, 4, 3, 4, True),
    ]


def test_tree(corridor, episode):
    figure = hierarchy_tree_figure(corridor, episode)
    assert_readable(figure)
    boxes = [patch for patch in figure.axes[1].patches if isinstance(patch, FancyBboxPatch)]
    assert len(boxes) == 4
    arrows = [patch for patch in figure.axes[1].patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == 3 + episode.steps  # goals handed down, and moves
    names = [text.get_text() for text in figure.axes[1].texts]
    assert "(1, 6)" in names  # a goal that was not reached has no time
    assert "goal $S_{4}$" in names


def test_tree_of_a_long_episode_is_refused(corridor, episode):
    long = RecordedEpisode(
        states=np.zeros(42, int), actions=np.zeros(41, int), goals=np.zeros((41, 2), int), actors=np.ones(41, int),
        reached=False,
    )  # fmt: skip
    with pytest.raises(hierq.InputError, match="1 to 40 steps"):
        hierarchy_tree_figure(corridor, long)


def test_hops_of_backups():
    assert flat_hops(2) == [Hop(0, 1, True), Hop(1, 2, False)]
    assert one_step_hops(3) == [Hop(0, 1, True), Hop(0, 2, True), Hop(0, 3, True)]
    forwards, back = all_hops(2, 2), hops_back(4, 2, 2)
    assert {hop for hop in forwards if hop.first} == {Hop(0, 1, True), Hop(0, 2, True)}
    assert {hop.end for hop in forwards if not hop.first} == {2, 3, 4}
    assert {hop.begin for hop in back if hop.first} == {0, 1, 2}
    assert all(hop.end == 4 for hop in back if not hop.first)


def paths(hops, begin, end, depth):
    """Number of ways from one state to another in so many hops, first ones first."""
    if depth == 0:
        return int(begin == end)
    steps = [hop for hop in hops if hop.begin == begin]
    return sum(paths([h for h in hops if not h.first], hop.end, end, depth - 1) for hop in steps)


def test_there_are_as_many_paths_as_are_counted():
    from hierq.figures.path_counts import paths_of_length

    hops = all_hops(2, 2)
    assert [paths(hops, 0, t, 2) for t in (2, 3, 4)] == [paths_of_length(t, 2, 2) for t in (2, 3, 4)]


def test_backups(corridor):
    figure = backups_figure(corridor, [0, 1, 2, 3, 4])
    assert_readable(figure)
    arrows = [sum(isinstance(patch, FancyArrowPatch) for patch in axes.patches) for axes in figure.axes]
    assert arrows == [2, 2, 6, 6]
    goal = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]
    assert len(goal) == 1 and goal[0].get_x() == pytest.approx(4.52)
    black = [[line for line in axes.lines if line.get_markersize() == 5.0] for axes in figure.axes]
    assert [len(states) for states in black] == [1, 1, 1, 3]


@pytest.mark.parametrize("states", [[0, 1, 2, 3], [0, 1, 0, 1, 2]])
def test_backups_need_a_trace_without_loops(corridor, states):
    with pytest.raises(hierq.InputError, match="all different"):
        backups_figure(corridor, states)


def test_worked_example():
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2, backup=hierq.Traces(1.0)))
    figure = example_figure(agent, agent.replay("ENSEESWEN"))
    assert_readable(figure)
    left, right = figure.axes
    assert [text.get_text() for text in left.texts] == [str(t) for t in range(1, 10)]
    assert sum(isinstance(patch, FancyArrowPatch) for patch in left.patches) == 9
    assert len(left.lines) == 1  # the bar of the blocked move
    assert sum(isinstance(patch, Rectangle) for patch in right.patches) == 7


def test_arrows_there_and_back_stand_side_by_side():
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2))
    figure = example_figure(agent, agent.replay("ENSEESWEN"))
    arrows = [patch for patch in figure.axes[0].patches if isinstance(patch, FancyArrowPatch)]
    there, back = (arrow._posA_posB for arrow in arrows[1:3])  # north and south between the same two cells
    assert there[0][0] == there[1][0] and back[0][0] == back[1][0]
    assert abs(there[0][0] - back[0][0]) > 0.2
