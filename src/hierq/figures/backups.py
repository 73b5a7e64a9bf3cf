"""Four views of a backup on one trace: flat, hierarchical, all paths of a multi-step backup, and the way back."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hierq.errors import InputError
from hierq.figures.panels import handle, legend_above, new_panels
from hierq.figures.style import GOAL_BLUE, INK, PAGE_WIDTH, QUIET, RED, printed
from hierq.figures.trace import draw_arrow
from hierq.figures.worlds import draw_tiles
from hierq.worlds import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HOPS = 2  # n of the multi-step backups, and H^a of the hierarchical ones
LENGTH = 4  # transitions of the trace that they need


class Hop(NamedTuple):
    """A step of a backup, from one state of the trace to a later one, by their indices."""

    begin: int
    end: int
    first: bool  # whether it is the action that is learnt about; else it is inferred from the rest of the trace


def flat_hops(n: int = HOPS) -> list[Hop]:
    """A flat n-step backup from the start of the trace: one step after the other."""
    return [Hop(t, t + 1, t == 0) for t in range(n)]


def one_step_hops(span: int = HOPS) -> list[Hop]:
    """A hierarchical one-step backup: every state within the span is an action in hindsight."""
    return [Hop(0, t, True) for t in range(1, span + 1)]


def all_hops(n: int = HOPS, span: int = HOPS) -> list[Hop]:
    """Every hop of every path that takes n actions of 1 to `span` steps from the start of the trace."""
    hops, places = [], {0}
    for depth in range(n):
        new = [Hop(begin, begin + t, depth == 0) for begin in sorted(places) for t in range(1, span + 1)]
        hops += new
        places = {hop.end for hop in new}
    return hops


def hops_back(last: int, n: int = HOPS, span: int = HOPS) -> list[Hop]:
    """The same seen from the end: every hop of every path of n actions that ends in the last state."""
    hops, places = [], {last}
    for depth in range(n):
        new = [Hop(end - t, end, depth == n - 1) for end in sorted(places) for t in range(1, span + 1)]
        hops += new
        places = {hop.begin for hop in new}
    return hops


@printed
def backups_figure(world: World, states: Sequence[int], first: int = 0) -> "Figure":
    """Some steps of an episode towards a goal, in four panels.

    The states are five or more in a row, all different, the goal last; `first` is the time of the first, for names.
    """
    if len(states) <= LENGTH or len(set(states)) < len(states):
        raise InputError(f"the views need {LENGTH + 1} or more states, all different; these are {len(states)}")
    begin = len(states) - 1 - LENGTH
    views = (
        (f"(a) flat, n = {HOPS}", flat_hops()),
        (f"(b) n = 1, $H^a$ = {HOPS}", one_step_hops()),
        (f"(c) all paths, n = $H^a$ = {HOPS}", all_hops()),
        ("(d) the backward view of (c)", hops_back(LENGTH)),
    )
    figure, panels = new_panels(PAGE_WIDTH, 2.6, columns=4)
    for axes, (title, hops) in zip(panels, views, strict=True):
        _draw_map(axes, world, states)
        shifted = [Hop(hop.begin + begin, hop.end + begin, hop.first) for hop in hops]
        _draw_hops(axes, world, states, shifted)
        _draw_states(axes, world, states, first, {hop.begin for hop in shifted if hop.first})
        axes.set_title(title)
    _legend(figure)
    return figure


def _draw_map(axes: "Axes", world: World, states: Sequence[int]) -> None:
    """The neighbourhood of the trace, its goal as a light-blue dashed tile."""
    from matplotlib.patches import Rectangle

    draw_tiles(axes, world)
    places = world.positions[list(states)]
    (low_row, low_column), (high_row, high_column) = places.min(axis=0) - 1.5, places.max(axis=0) + 1.5
    more = max(0.0, (0.8 * (high_row - low_row - 1) - high_column + low_column) / 2)  # all panels are as wide
    axes.set(xlim=(low_column - more, high_column + more), ylim=(high_row - 0.5, low_row + 0.5))
    row, column = world.positions[states[-1]]
    look: dict[str, Any] = {"facecolor": GOAL_BLUE, "edgecolor": INK, "linestyle": (0, (3, 2)), "linewidth": 1.0}
    axes.add_patch(Rectangle((column - 0.48, row - 0.48), 0.96, 0.96, zorder=2, **look))


def _draw_hops(axes: "Axes", world: World, states: Sequence[int], hops: Sequence[Hop]) -> None:
    """Longer hops swing out, to one side or the other and by turns more and less, so that none is hidden."""
    for hop in hops:
        begin, end = (world.positions[states[at]] for at in (hop.begin, hop.end))
        is_full = hop.end - hop.begin == HOPS or all(each.end - each.begin == 1 for each in hops)
        swing = 0.0 if hop.end - hop.begin == 1 else 0.4 if hop.begin % 2 else 0.6
        bend = -swing if hop.first else swing
        _draw_hop(axes, begin, end, bend, "first" if hop.first else "inferred" if is_full else "left out")


def _draw_hop(axes: "Axes", begin: Any, end: Any, bend: float, kind: str) -> None:
    colour, width, zorder = {"first": (RED, 1.4, 6), "inferred": ("white", 1.4, 5), "left out": (QUIET, 1.0, 4)}[kind]
    look: dict[str, Any] = {"head": (1.7, 3.4), "shrinkA": 3.5, "gap": 3.5, "zorder": zorder}
    if kind == "left out":
        look["linestyle"] = (0, (2, 1.2))
    else:
        look["path_effects"] = _outline("white" if kind == "first" else INK)
    draw_arrow(axes, begin, end, colour, width, bend, **look)


def _outline(colour: str) -> list[Any]:
    from matplotlib.patheffects import Normal, Stroke

    return [Stroke(linewidth=3.0, foreground=colour), Normal()]


def _draw_states(axes: "Axes", world: World, states: Sequence[int], first: int, references: set[int]) -> None:
    """Those that learn are black. Names stand beside a trace that goes up or down, and below one that goes across."""
    places = world.positions[list(states)]
    down, right = (0.0, -0.95) if np.ptp(places[:, 0]) >= np.ptp(places[:, 1]) else (0.75, 0.0)
    for index, state in enumerate(states):
        row, column = world.positions[state]
        colour, size = (INK, 5.0) if index in references else ("#9a9a9a", 2.4)
        axes.plot([column], [row], "o", color=colour, markersize=size, zorder=7)
        on_wall = world.cell_at[round(row + down), round(column + right)] >= world.states
        axes.text(
            column + right,
            row + down,
            f"$S_{{{first + index}}}$",
            ha="center",
            va="center",
            fontsize=7.5,
            color="white" if on_wall else INK,
            zorder=8,
        )


def _legend(figure: "Figure") -> None:
    from matplotlib.patches import Patch

    handles = [
        handle("learns", color=INK, marker="o", linestyle="none", markersize=5),
        handle("one action of the level", color=RED, linewidth=1.5),
        handle("inferred from the trace", color="white", linewidth=1.4, path_effects=_outline(INK)),
        handle("left out when sparsified", color=QUIET, linewidth=0.9, linestyle=(0, (2, 1.4))),
        Patch(facecolor=GOAL_BLUE, edgecolor=INK, linestyle=(0, (3, 2)), label="goal"),
    ]
    legend_above(figure, handles)
