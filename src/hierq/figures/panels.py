"""A panel per world: where the panels stand, their axes of steps, and legends above them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from hierq.errors import InputError
from hierq.figures.style import INK, PAGE_WIDTH, QUIET, blank_figure, level_colour, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

OPTIMUM: dict[str, Any] = {"color": QUIET, "linestyle": (0, (4, 3)), "linewidth": 0.9}
# As the paper has them: the small worlds above the large ones.
PANEL_ORDER = ("gridworld-10", "rooms-4", "maze-10", "gridworld-20", "rooms-9", "maze-20")


def panel_order(worlds: Iterable[str]) -> list[str]:
    """Worlds in the order of the panels; those the paper does not have come last."""
    given = list(dict.fromkeys(worlds))
    return [name for name in PANEL_ORDER if name in given] + [name for name in given if name not in PANEL_ORDER]


@printed
def world_panels(
    worlds: Iterable[str],
    panel_height: float = 2.0,
    room: float = 0.55,
    most: int = 3,
    as_given: bool = False,
    **options: Any,
) -> tuple["Figure", dict[str, "Axes"]]:
    """A figure as wide as a page with one panel per world, each under its name.

    Args:
        worlds: names, some perhaps many times.
        panel_height: inches.
        room: inches above all panels, for a legend.
        most: panels in a row.
        as_given: whether the worlds stay in their order, or come in that of `panel_order`.
        options: for `Figure.subplots`.
    """
    names = list(dict.fromkeys(worlds)) if as_given else panel_order(worlds)
    if not names:
        raise InputError("there are no results to draw; give at least one world's")
    columns = min(most, len(names))
    rows = -(-len(names) // columns)
    figure, axes = new_panels(PAGE_WIDTH, panel_height * rows + room, rows, columns, **options)
    for unused in axes[len(names) :]:
        unused.remove()
    for lowest in axes[max(len(names) - columns, 0) : len(names)]:
        lowest.tick_params(axis="x", labelbottom=True)  # also above a place that stays empty
    for name, panel in zip(names, axes, strict=False):
        panel.set_title(name)
    return figure, dict(zip(names, axes, strict=False))


@printed
def new_panels(
    width: float, height: float, rows: int = 1, columns: int = 1, **options: Any
) -> tuple["Figure", list["Axes"]]:
    """A figure of a printed size with its axes, row by row; sizes in inches."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    between = ConstrainedLayoutEngine(w_pad=0.03, h_pad=0.04, wspace=0.03, hspace=0.04)
    figure = blank_figure(width, height, between)
    return figure, list(figure.subplots(rows, columns, squeeze=False, **options).flat)


def steps_axis(axes: "Axes", low: float, high: float) -> None:
    """A logarithmic axis of steps, with ticks at round numbers that are written out, and lines across."""
    axes.set(yscale="log", ylim=(low, high))
    fixed_ticks(axes.yaxis, round_ticks(low, high))
    lines_across(axes)


def fixed_ticks(axis: "Axis", ticks: Sequence[float], written: str = "{x:,.0f}") -> None:
    """Ticks at these places and nowhere else."""
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    axis.set_major_locator(FixedLocator([float(tick) for tick in ticks]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(StrMethodFormatter(written))


def lines_across(axes: "Axes", axis: Literal["y", "both"] = "y") -> None:
    """Pale lines at the ticks of the vertical axis, or of both, behind all else."""
    axes.grid(axis=axis, color="#e6e6e6", linewidth=0.5)
    axes.set_axisbelow(True)


def colour_levels(labels: Iterable["Text"], levels: Iterable[int]) -> None:
    """Tick labels in the colours of levels 0, 1, …."""
    for label, level in zip(labels, levels, strict=True):
        label.set(color=level_colour(level), fontweight="bold")


def round_ticks(low: float, high: float) -> list[int]:
    """About three to six round numbers between two bounds."""
    inside: list[int] = []
    for digits in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7), (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)):
        ticks = [round(digit * 10**power) for power in range(9) for digit in digits]
        inside = [tick for tick in dict.fromkeys(ticks) if low <= tick <= high]
        if len(inside) >= 3:
            return inside
    return inside


def draw_optimum(axes: "Axes", steps: float, label: str | None = None) -> None:
    """The steps of the best policy as a dashed line; what it is called in a legend of the axes."""
    axes.axhline(steps, **OPTIMUM, zorder=1.5, label=label)


def handle(label: str, **look: Any) -> "Line2D":
    """A line or a marker in a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=label, **look)


def label_left(figure: "Figure", first: str, second: str) -> None:
    """What all vertical axes show: on one line where the figure is high enough, on two where it is not."""
    joint = " " if figure.get_figheight() > 3.6 else "\n"
    figure.supylabel(f"{first}{joint}{second}", multialignment="center")


def legend_above(
    figure: "Figure", handles: Sequence[Any], columns: int | None = None, optimum: bool = False, **options: Any
) -> None:
    """A legend over all panels; with the line of `draw_optimum` at its end, if wanted."""
    shown = [*handles, handle("optimum", **OPTIMUM)] if optimum else list(handles)
    figure.legend(
        handles=shown,
        loc="outside upper center",
        ncols=columns or len(shown),
        labelcolor=INK,
        borderaxespad=0.2,
        **options,
    )
