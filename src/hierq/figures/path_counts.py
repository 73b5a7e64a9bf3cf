"""How many paths a multi-step hierarchical backup could take: growth with n, and their lengths."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hierq.agents.estimators.paths import paths_of_length, sparsified_paths, total_paths
from hierq.figures.panels import new_panels
from hierq.figures.style import PAGE_WIDTH, PARAMETER_COLOURS, PARAMETER_MARKERS, level_colour, level_marker, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@printed
def path_counts_figure(
    spans: Sequence[int] = (3, 9, 27), depths: Sequence[int] = (1, 3, 5, 8), most: int = 8
) -> "Figure":
    """Left: h^n paths against the n · h of the sparsified backup. Right: how the paths' lengths are spread.

    The spans h, of levels 1, 2, …, go up to n = most; the depths are those n that the right shows for the first span.
    """
    figure, (left, right) = new_panels(PAGE_WIDTH, 2.6, columns=2)
    _draw_growth(left, spans, most)
    _draw_lengths(right, spans[0], depths)
    return figure


def _draw_growth(axes: "Axes", spans: Sequence[int], most: int) -> None:
    steps = range(1, most + 1)
    for level, span in enumerate(spans, start=1):
        colour, marker = level_colour(level), level_marker(level)
        every, kept = [total_paths(span, n) for n in steps], [sparsified_paths(span, n) for n in steps]
        look: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 3.5, "linewidth": 1.2}
        axes.plot(steps, every, label=f"all, {span}$^n$", **look)
        look |= {"markerfacecolor": "white", "linestyle": (0, (3.5, 1.6))}
        axes.plot(steps, kept, label=f"sparsified, {span} n", **look)
    axes.set_yscale("log")
    axes.set(xlabel="depth of the backup n", ylabel="number of paths (log scale)", xticks=list(steps))
    axes.set_title("All paths, and those that are backed up")
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.5)
    axes.minorticks_off()
    axes.legend(loc="upper left", ncols=1)


def _draw_lengths(axes: "Axes", span: int, depths: Sequence[int]) -> None:
    for rank, n in enumerate(depths):
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
