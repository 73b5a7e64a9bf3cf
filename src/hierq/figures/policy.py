"""What a level would do for a goal, state by state, as the paper draws it.

Arrows are the greedy moves of level 0. For a level above, a small lettered box in the upper left of a tile
is the greedy sub-goal there, and a circle of the same letter and colour in the upper right marks the tile
that is that sub-goal. Where a level uses more sub-goals than letters can tell apart, each state points at
its sub-goal instead.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.figures.panels import new_panels
from hierq.figures.style import INK, PAGE_WIDTH, QUIET, SUBGOAL_COLOURS, level_colour, new_figure, printed, styled
from hierq.figures.terminal import LETTERS, place
from hierq.figures.trace import draw_arrow, draw_trace
from hierq.figures.worlds import StateMap, draw_letter, draw_tiles, state_map

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hierq.agents.agent import Agent
    from hierq.agents.outcomes import RecordedEpisode
    from hierq.environments.learner import Learner
    from hierq.worlds import World

LETTER_SIZE = 0.3  # of a tile

Actions = npt.NDArray[np.int64]


@styled
def policy_figure(
    agent: "Agent | Learner",
    level: int = 0,
    goal: tuple[int, int] | int | None = None,
    states: Iterable[int] | None = None,
) -> "Figure":
    """The greedy policy of a level for a goal; for a level above 0 the moves of level 0 are drawn, too.

    Args:
        agent: the agent that learnt. A Learner is drawn where its environment has a map: FrozenLake, CliffWalking, and
            the environments of hierq.
        level: 0 … k − 1.
        goal: a cell as (row, column) or cell number; the environment's goal if left out.
        states: the state numbers to draw; by default all states about which something is known.
    """
    rows, columns = state_map(_world_of(agent)).drawn.shape
    scale = min(0.5, 10 / max(rows, columns))
    figure, (axes,) = new_figure(max(4.4, columns * scale + 0.2), rows * scale + 0.75)
    draw_policy(axes, agent, level, goal, states)
    return figure


def _world_of(agent: "Agent | Learner") -> "World":
    if not hasattr(agent, "policy"):
        raise InputError(
            f"a policy is drawn of an agent that has learnt one, such as hierq.Agent, not of {agent!r:.60}"
        )
    return agent.world


@styled
def draw_policy(
    axes: "Axes",
    agent: "Agent | Learner",
    level: int = 0,
    goal: tuple[int, int] | int | None = None,
    states: Iterable[int] | None = None,
) -> None:
    """Draws the policy into existing axes."""
    world = _world_of(agent)
    target = world.goal if goal is None else world.cell_number(goal)
    policy = greedy_actions(agent, level, target)
    shown = list(range(world.states) if states is None else dict.fromkeys(states))
    known = [state for state in shown if policy[state] >= 0]
    subgoals = list(dict.fromkeys(int(policy[state]) for state in known)) if level > 0 else []
    layout = state_map(world)
    draw_tiles(axes, world)
    if target != world.goal:
        _mark_goal(axes, layout, target)
    if len(subgoals) <= len(SUBGOAL_COLOURS):
        moves = greedy_actions(agent, 0, target)
        _draw_moves(axes, layout, moves, [state for state in shown if moves[state] >= 0], lowered=level > 0)
        _draw_boxes(axes, layout, policy, known, subgoals)
        caption = "box: sub-goal chosen here · circle: that sub-goal · arrow: move of level 0" if level > 0 else ""
    else:
        _draw_pointers(axes, layout, policy, known, level)
        caption = "arrow: from a state to the sub-goal chosen there"
    axes.set_xlabel(caption, fontsize="x-small", color=QUIET)
    what = "moves of level 0" if level == 0 else f"sub-goals of level {level}"
    axes.set_title(f"{world.name[:24]}: {what} towards {place(world, target)}")


def greedy_actions(agent: "Agent | Learner", level: int, goal: int) -> Actions:
    """A best action in every state of the world that is drawn, −1 where nothing is known."""
    world = agent.world
    found = agent.policy(level, None if goal == world.goal else goal)
    if not isinstance(found, dict):
        return found
    first = int(agent.action_names[0]) if level == 0 else 0
    actions = np.full(world.states, -1, np.int64)
    for state, action in found.items():  # a learner's, by the environment's own numbers
        actions[state] = action - first
    return actions


@printed
def example_figure(agent: "Agent", episode: "RecordedEpisode", level: int = 1) -> "Figure":
    """The paper's worked example. Left: the moves of an episode. Right: what is greedy in the states it visited.

    The agent learnt from the episode, and from nothing else; the level is whose sub-goals are drawn.
    """
    states = episode.states.tolist()
    figure, (left, right) = new_panels(PAGE_WIDTH, 3.98, columns=2)
    draw_tiles(left, agent.world)
    draw_trace(left, agent.world, states, episode.actions.tolist(), numbers=True)
    left.set_title(f"One episode of {episode.steps} moves")
    left.set_xlabel("arrows: the moves in their order\nbar: a blocked move", color=QUIET, fontsize=7.5)
    draw_policy(right, agent, level, states=states)
    right.set_title("What is greedy after it", fontsize=8.5)
    caption = "arrow: flat move · box: sub-goal chosen here\ncircle of its letter: the cell that is this sub-goal"
    right.set_xlabel(caption, color=QUIET, fontsize=7.5)
    return figure


def _mark_goal(axes: "Axes", layout: StateMap, target: int) -> None:
    from matplotlib.patches import Rectangle

    row, column = layout.positions[target]
    axes.add_patch(Rectangle((column - 0.44, row - 0.44), 0.88, 0.88, fill=False, edgecolor=INK, linewidth=2))


def _draw_moves(axes: "Axes", layout: StateMap, moves: Actions, states: list[int], lowered: bool) -> None:
    """An arrow per state; lower in its tile where boxes and circles need the upper half."""
    if not states:
        return
    places = layout.positions[states].astype(float)
    steps = layout.moves[moves[states]]
    if lowered:
        places[:, 0] += 0.18
    length = 0.42 if lowered else 0.56
    axes.quiver(
        places[:, 1],
        places[:, 0],
        steps[:, 1] * length,
        steps[:, 0] * length,
        pivot="middle",
        angles="xy",
        scale_units="xy",
        scale=1,
        units="x",
        width=0.075,
        headwidth=3.4,
        headlength=3.2,
        headaxislength=3.0,
        color=level_colour(0),
        zorder=4,
    )


def _draw_boxes(axes: "Axes", layout: StateMap, policy: Actions, states: list[int], subgoals: list[int]) -> None:
    from matplotlib.patches import Circle, Rectangle

    labels = zip(LETTERS, SUBGOAL_COLOURS, strict=False)
    names = dict(zip(subgoals, labels, strict=False))
    outline: dict[str, Any] = {"edgecolor": INK, "linewidth": 0.9, "zorder": 5}
    for state in states if subgoals else ():
        letter, colour = names[int(policy[state])]
        row, column = layout.positions[state]
        axes.add_patch(Rectangle((column - 0.43, row - 0.43), 0.34, 0.34, facecolor=colour, **outline))
        draw_letter(axes, column - 0.26, row - 0.26, letter, LETTER_SIZE)
    for subgoal, (letter, colour) in names.items():
        row, column = layout.positions[subgoal]
        axes.add_patch(Circle((column + 0.25, row - 0.25), 0.2, facecolor=colour, **outline))
        draw_letter(axes, column + 0.25, row - 0.25, letter, LETTER_SIZE)


def _draw_pointers(axes: "Axes", layout: StateMap, policy: Actions, states: list[int], level: int) -> None:
    """A curved arrow from a dot in every state to its sub-goal, which is circled."""
    from matplotlib.patches import Circle

    colour = level_colour(level)
    for state in states:
        begin, end = layout.positions[state], layout.positions[policy[state]]
        draw_arrow(axes, begin, end, colour, 1.1, bend=0.22, gap=5, head=(2.4, 4), alpha=0.8, zorder=5)
        row, column = begin
        axes.add_patch(Circle((column, row), 0.1, facecolor=colour, edgecolor="white", linewidth=0.8, zorder=6))
    for subgoal in {int(policy[state]) for state in states}:
        row, column = layout.positions[subgoal]
        axes.add_patch(Circle((column, row), 0.24, fill=False, edgecolor=colour, linewidth=1.4, zorder=6))
