"""The paper's worked example: one episode, and what a flat agent and a hierarchy learn from it."""

from typing import TYPE_CHECKING

from hierq.figures.panels import new_panels
from hierq.figures.policy import draw_policy
from hierq.figures.style import PAGE_WIDTH, QUIET, printed
from hierq.figures.trace import draw_trace
from hierq.figures.worlds import draw_tiles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hierq.agents import Agent, RecordedEpisode


@printed
def example_figure(agent: "Agent", episode: "RecordedEpisode", level: int = 1) -> "Figure":
    """Left: the moves of an episode, numbered. Right: greedy moves and sub-goals in the states it visited.

    Args:
        agent: who learnt from the episode, and from nothing else.
        episode: the episode.
        level: whose sub-goals are drawn.
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
