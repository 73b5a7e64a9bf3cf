"""A panel per world: where the panels stand, their axes of steps, and legends above them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hierq.errors import InputError
from hierq.figures.style import INK, PAGE_WIDTH, QUIET, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# As the paper has them: the small worlds above the large ones.
PANEL_ORDER = ("gridworld-10", "rooms-4", "maze-10", "gridworld-20", "rooms-9", "maze-20")


def panel_order(worlds: Iterable[str]) -> list[str]:
    """Worlds in the order of the panels; those the paper does not have come last."""
    given = list(dict.fromkeys(worlds))
    return [name for name in PANEL_ORDER if name in given] + [name for name in given if name not in PANEL_ORDER]


@printed
def world_panels(
    worlds: Iterable[str], panel_height: float = 2.0, room: float = 0.55, most: int = 3, **options: Any
) -> tuple["Figure", dict[str, "Axes"]]:
    """A figure as wide as a page with one panel per world, each under its name.

    Args:
        worlds: names, in the order of the panels; see `panel_order` for the paper's.
        panel_height: inches.
        room: inches above all panels, for a legend.
        most: panels in a row.
        options: for `Figure.subplots`.
    """
    names = list(worlds)
    if not names:
        raise InputError("there are no results to draw; give at least one world's")
    columns = min(most, len(names))
    rows = -(-len(names) // columns)
    figure, axes = new_panels(PAGE_WIDTH, panel_height * rows + room, rows, columns, **options)
    for unused in axes[len(names) :]:
        unused.remove()
    for name, panel in zip(names, axes, strict=False):
        panel.set_title(name)
    return figure, dict(zip(names, axes, strict=False))


@printed
def new_panels(
    width: float, height: float, rows: int = 1, columns: int = 1, **options: Any
) -> tuple["Figure", list["Axes"]]:
    """A figure of a printed size with its axes, row by row; sizes in inches."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    between = ConstrainedLayoutEngine(w_pad=0.03, h_pad=0.04, wspace=0.03, hspace=0.04)
    figure = Figure(figsize=(width, height), layout=between)
    return figure, list(figure.subplots(rows, columns, squeeze=False, **options).flat)


def steps_axis(axes: "Axes", low: float, high: float, which: str = "y") -> None:
    """A logarithmic axis of steps, with ticks at round numbers that are written out."""
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    axis = axes.yaxis if which == "y" else axes.xaxis
    axes.set(**{f"{which}scale": "log", f"{which}lim": (low, high)})
    axis.set_major_locator(FixedLocator([float(tick) for tick in round_ticks(low, high)]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.grid(axis="y" if which == "y" else "x", color="#e6e6e6", linewidth=0.5)
    axes.set_axisbelow(True)


def round_ticks(low: float, high: float) -> list[int]:
    """About three to six round numbers between two bounds."""
    inside: list[int] = []
    for digits in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7), (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)):
        ticks = [round(digit * 10**power) for power in range(9) for digit in digits]
        inside = [tick for tick in dict.fromkeys(ticks) if low <= tick <= high]
        if len(inside) >= 3:
            return inside
    return inside


def draw_optimum(axes: "Axes", steps: float) -> None:
    """The shortest path as a dashed line."""
    axes.axhline(steps, color=QUIET, linestyle=(0, (4, 3)), linewidth=0.9, zorder=1.5)


def label_left(figure: "Figure", first: str, second: str) -> None:
    """What all vertical axes show: on one line where the figure is high enough, on two where it is not."""
    joint = " " if figure.get_figheight() > 3.6 else "\n"
    figure.supylabel(f"{first}{joint}{second}", multialignment="center")


def legend_above(figure: "Figure", handles: Sequence[Any], columns: int | None = None, **options: Any) -> None:
    """A legend over all panels."""
    figure.legend(
        handles=list(handles),
        loc="outside upper center",
        ncols=columns or len(handles),
        labelcolor=INK,
        borderaxespad=0.2,
        **options,
    )
