"""The picture of benchmarks/scale.py: bytes and µs per step against the number of states."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hierq.figures.style import QUIET, level_colour, level_marker, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = Sequence[dict[str, float]]


@styled
def scale_figure(rows: Rows) -> "Figure":
    """Peak memory with that of dense tables beside it, and processor time of a step; both axes logarithmic."""
    figure, (left, right) = new_figure(9.6, 4, columns=2)
    for levels in (2, 3):
        some = [row for row in rows if row["levels"] == levels]
        states = [row["states"] for row in some]
        look: dict[str, Any] = {"color": level_colour(levels - 1), "marker": level_marker(levels - 1), "linewidth": 1.8}
        left.plot(states, [row["peak"] / 1e9 for row in some], label=f"k = {levels}, local tables", **look)
        right.plot(states, [row["microseconds"] for row in some], label=f"k = {levels}", **look)
    two = [row for row in rows if row["levels"] == 2]
    left.plot(
        [row["states"] for row in two],
        [row["dense"] / 1e9 for row in two],
        label="k = 2, dense tables (computed)",
        color=QUIET,
        linestyle=(0, (5, 4)),
    )
    _finish(left, "peak memory (GB)", "Memory grows with the world, not with its square")
    _finish(right, "processor time of a training step (µs)", "A step costs about the same everywhere")
    right.set_ylim(0, 1.3 * max(row["microseconds"] for row in rows))
    return figure


def _finish(axes: "Axes", label: str, title: str) -> None:
    from matplotlib.ticker import NullFormatter

    axes.set_xscale("log")
    if "memory" in label:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("states |S|")
    axes.set_ylabel(label)
    axes.set_title(title)
    axes.grid(color="#e4e4e4", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.legend(loc="upper left" if "memory" in label else "upper right")
