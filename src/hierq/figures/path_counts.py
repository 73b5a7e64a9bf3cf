"""How many paths a multi-step hierarchical backup could take: growth with n, and their lengths."""

import math
from typing import TYPE_CHECKING

from hierq.figures.panels import new_panels
from hierq.figures.style import PAGE_WIDTH, PARAMETER_COLOURS, PARAMETER_MARKERS, level_look, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


SPANS = (3, 9, 27)  # h of levels 1, 2 and 3
MOST = 8  # n
DEPTHS = (1, 3, 5, 8)  # the n whose path lengths are shown, for the first span


@printed
def path_counts_figure() -> "Figure":
    """Left: h^n paths against the n · h of the sparsified backup. Right: how the paths' lengths are spread."""
    figure, (left, right) = new_panels(PAGE_WIDTH, 2.6, columns=2)
    _draw_growth(left)
    _draw_lengths(right, SPANS[0])
    return figure


def _draw_growth(axes: "Axes") -> None:
    steps = range(1, MOST + 1)
    for level, span in enumerate(SPANS, start=1):
        every, kept = [total_paths(span, n) for n in steps], [sparsified_paths(span, n) for n in steps]
        look = level_look(level) | {"markersize": 3.5, "linewidth": 1.2}
        axes.plot(steps, every, label=f"all, {span}$^n$", **look)
        look |= {"markerfacecolor": "white", "linestyle": (0, (3.5, 1.6))}
        axes.plot(steps, kept, label=f"sparsified, {span} n", **look)
    axes.set_yscale("log")
    axes.set(xlabel="depth of the backup n", ylabel="number of paths (log scale)", xticks=list(steps))
    axes.set_title("All paths, and those that are backed up")
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.5)
    axes.minorticks_off()
    axes.legend(loc="upper left", ncols=1)


def _draw_lengths(axes: "Axes", span: int) -> None:
    for rank, n in enumerate(DEPTHS):
        lengths = range(n, n * span + 1)
        shares = [paths_of_length(t, span, n) / total_paths(span, n) for t in lengths]
        axes.plot(
            lengths,
            shares,
            color=PARAMETER_COLOURS[rank % 4],
            marker=PARAMETER_MARKERS[rank % 4],
            markersize=3.8,
            markeredgewidth=0,
            linewidth=1.0,
            label=f"n = {n}: {total_paths(span, n):,} paths",
        )
    axes.set(
        xlabel="environment steps t that a path covers", ylabel=f"share of the paths, α$_t$({span}, n) / {span}$^n$"
    )
    axes.set_ylim(bottom=0)
    axes.set_title(f"How long the paths are, for a span of h = {span}")
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.5)
    axes.legend(loc="upper right")


def paths_of_length(length: int, hop_length: int, steps: int) -> int:
    """The number of paths of n actions, of 1 to h environment steps each, that cover exactly t steps, the length.

        α_t(h, n) = Σ_j (−1)^j C(n, j) C(t − h·j − 1, n − 1)

    These are the compositions of t into n parts of at most h: C(t − 1, n − 1) of them have parts of any
    size, and those with j given parts above h are counted out by inclusion and exclusion. 0 unless n ≤ t ≤ n·h.
    """
    if not steps <= length <= steps * hop_length:
        return 0
    most = (length - steps) // hop_length
    return sum(
        (-1) ** j * math.comb(steps, j) * math.comb(length - hop_length * j - 1, steps - 1) for j in range(most + 1)
    )


def total_paths(hop_length: int, steps: int) -> int:
    """The number of paths of all lengths: Σ_{t=n}^{n·h} α_t(h, n) = h^n."""
    return int(hop_length**steps)


def sparsified_paths(hop_length: int, steps: int) -> int:
    """The number of paths of the backup in the paper, whose inner hops all have the full hop_length: n · h."""
    return steps * hop_length
