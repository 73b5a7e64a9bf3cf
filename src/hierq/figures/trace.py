"""An episode on the map: red arrows from cell to cell, as far as possible without one hiding another."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hierq.figures.style import INK, RED
from hierq.worlds import World
from hierq.worlds.world import ACTION_MOVES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BUMP = 0.42  # how far a blocked move gets


def draw_trace(
    axes: "Axes",
    world: World,
    states: Sequence[int],
    actions: Sequence[int],
    numbers: bool = False,
    width: float = 1.1,
) -> None:
    """Draws the moves of an episode, S_0 … S_T and A_0 … A_{T−1}, into a map, as `draw_tiles` leaves it.

    Where a pair of cells is crossed more than once the arrows stand side by side. A blocked move is a short arrow that
    ends at a bar. With numbers each arrow has that of its step beside it, from 1.
    """
    pairs = [frozenset((states[t], states[t + 1])) for t in range(len(actions))]
    for t, action in enumerate(actions):
        start = world.positions[states[t]].astype(float)
        step = np.array(ACTION_MOVES[action], float)
        blocked = states[t] == states[t + 1]
        went = world.positions[states[t + 1]] - start
        if np.abs(went).sum() == 1:  # after a slip the move went elsewhere; of a teleport only the entrance is drawn
            step = went
        side = np.array([step[1], -step[0]]) * (0.0 if pairs.count(pairs[t]) == 1 or blocked else 0.17)
        begin = start + side + (0 if blocked else 0.12 * step)
        end = start + side + step * (BUMP if blocked else 0.9)
        draw_arrow(axes, begin, end, RED, width)
        if blocked:
            across = np.array([step[1], step[0]]) * 0.16
            ends = np.array([end - across, end + across])
            axes.plot(ends[:, 1], ends[:, 0], color=RED, linewidth=width * 1.4, zorder=6)
        if numbers:
            beside = np.array([step[1], -step[0]]) * (0.34 if side.any() else 0.24)
            row, column = start + step * (0.25 if blocked else 0.5) + (-beside if blocked else beside)
            axes.text(column, row, str(t + 1), ha="center", va="center", fontsize=7, color=INK, zorder=8)


def draw_arrow(
    axes: "Axes",
    begin: Iterable[float],
    end: Iterable[float],
    colour: str,
    width: float,
    bend: float = 0.0,
    gap: float = 0.0,
    head: tuple[float, float] | None = None,
    **look: Any,
) -> None:
    """An arrow between two places (row, column) of a map, which ends some points before the second.

    Its head, width and length in points, grows with the line if it is not given.
    """
    from matplotlib.patches import FancyArrowPatch

    (row, column), (to_row, to_column) = begin, end
    head_width, head_length = head or (1.2 + width, 2.2 + 1.4 * width)
    axes.add_patch(
        FancyArrowPatch(
            (column, row),
            (to_column, to_row),
            connectionstyle=f"arc3,rad={bend}",
            arrowstyle=f"-|>,head_width={head_width:.2f},head_length={head_length:.2f}",
            linewidth=width,
            color=colour,
            **{"shrinkA": 0, "shrinkB": gap, "zorder": 6, **look},
        )
    )
