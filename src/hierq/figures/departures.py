"""The departures of the published program from the paper's text: small pictures that explain them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hierq.figures.panels import handle, legend_above, new_panels
from hierq.figures.style import INK, PAGE_WIDTH, RED, level_colour, printed
from hierq.figures.trace import draw_arrow
from hierq.figures.worlds import draw_tiles
from hierq.worlds import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TEXT_COLOUR = "#12706a"  # what the text asks for; what the program did is red
AGENT: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 4.5, "color": INK}
FREE = AGENT | {"markersize": 2.6, "color": TEXT_COLOUR}
WALL = AGENT | {"marker": "x", "markersize": 3.4, "color": "#ff8a8a", "markeredgewidth": 1.0}
MISREAD = AGENT | {"marker": "X", "markersize": 6.0, "color": RED, "markeredgecolor": "white"}
PREFERRED = AGENT | {"markersize": 6.5, "color": TEXT_COLOUR, "markerfacecolor": "white", "markeredgewidth": 1.4}


class Preference(NamedTuple):
    """A state whose goal is within reach, and the cell the published program took for that goal."""

    state: int  # where the agent is
    goal: int  # where it was told to go
    reach: int  # how far the level's sub-goals may lie
    level: int
    preferred: int  # the cell it preferred instead


@printed
def preference_figure(world: World, cases: Sequence[Preference]) -> "Figure":
    """A panel per case: the state, the goal that the text prefers, and the cell that was preferred."""
    figure, panels = new_panels(PAGE_WIDTH, PAGE_WIDTH / max(3, len(cases)) + 0.42, columns=len(cases))
    for axes, case in zip(panels, cases, strict=True):
        draw_tiles(axes, world)
        draw_reach(axes, world, case.state, case.reach, level_colour(case.level))
        here, goal, preferred = (world.positions[cell] for cell in (case.state, case.goal, case.preferred))
        draw_arrow(axes, here, goal, TEXT_COLOUR, 1.3, bend=-0.3, gap=5)
        draw_arrow(axes, here, preferred, RED, 1.3, gap=5)
        for (row, column), look in ((here, AGENT), (goal, PREFERRED), (preferred, MISREAD)):
            axes.plot([column], [row], **look, zorder=8)
        row, column = (int(part) for part in here)
        axes.set_title(f"level {case.level} at ({row}, {column})")
    _legend_of_preferences(figure, cases)
    return figure


def draw_reach(axes: "Axes", world: World, state: int, reach: int, colour: str) -> None:
    """The outline of the diamond of cells that are at most `reach` steps away, walls included."""
    row, column = world.positions[state]
    corners = np.array([(0, -reach - 0.5), (-reach - 0.5, 0), (0, reach + 0.5), (reach + 0.5, 0), (0, -reach - 0.5)])
    axes.plot(column + corners[:, 1], row + corners[:, 0], color=colour, linewidth=1.1, linestyle="--", zorder=5)


def _legend_of_preferences(figure: "Figure", cases: Sequence[Preference]) -> None:
    handles = [
        handle("the agent", **AGENT),
        handle("its goal: what the text prefers", **PREFERRED),
        handle("what the program preferred", **MISREAD),
    ]
    for level, reach in sorted({(case.level, case.reach) for case in cases}):
        look: dict[str, Any] = {"color": level_colour(level), "linestyle": "--", "linewidth": 1.1}
        handles.append(handle(f"reach of level {level}, {reach} steps", **look))
    legend_above(figure, handles, columns=3 if len(handles) > 4 else None)


@printed
def walls_figure(world: World, states: Sequence[int], reach: int, level: int) -> "Figure":
    """For some states the sub-goals of a level: free cells marked by dots, walls among them by crosses."""
    figure, panels = new_panels(PAGE_WIDTH, PAGE_WIDTH / max(3, len(states)) + 0.42, columns=len(states))
    every, counts = world.subgoals(reach, "grid")
    for axes, state in zip(panels, states, strict=True):
        draw_tiles(axes, world)
        draw_reach(axes, world, state, reach, level_colour(level))
        cells = every[state, : counts[state]]
        free, walls = cells[cells < world.states], cells[cells >= world.states]
        for chosen, look in ((free, FREE), (walls, WALL)):
            places = world.positions[chosen]
            axes.plot(places[:, 1], places[:, 0], **look, zorder=6)
        row, column = world.positions[state]
        axes.plot([column], [row], **AGENT, zorder=8)
        axes.set_title(f"{len(cells)} sub-goals, {len(walls)} of them walls")
    handles = [
        handle("the agent", **AGENT),
        handle("free sub-goal", **FREE),
        handle("wall as sub-goal", **WALL),
        handle(f"reach of level {level}, {reach} steps", color=level_colour(level), linestyle="--"),
    ]
    legend_above(figure, handles)
    return figure
