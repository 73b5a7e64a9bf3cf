"""One style for all figures, and one palette: a level has the same colour wherever it appears.

The colours of the levels differ in lightness as well as in hue, dark to light from the bottom up, so that
they stay apart in grey and for the colour-blind; each level also has a marker of its own.
"""

import functools
import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

LEVEL_COLOURS = ("#1d1d3b", "#a3297a", "#2f8fd0", "#e0a100")
LEVEL_MARKERS = ("o", "s", "^", "D")

# Light enough for a dark letter, which tells them apart in grey; none looks like a start or goal tile.
SUBGOAL_COLOURS = ("#e69f00", "#f0e442", "#cc79a7", "#b3d9f2", "#d9662b", "#b8e186", "#c2a5cf", "#ffffff")

# From the smallest to the largest λ or n, light to dark: another scale than that of the levels, and other markers.
PARAMETER_COLOURS = ("#74c0a4", "#2f9e86", "#12706a", "#07403f")
PARAMETER_MARKERS = ("v", "p", "P", "X")

# Lines of agents that have the same colour, one after the other.
LINES: Any = ("-", (0, (5, 1.8)), (0, (1.2, 1.6)), (0, (6, 1.6, 1.2, 1.6)))

INK = "#222222"
QUIET = "#6e6e6e"
PALE = "#c9c9c9"
DARK = "#0d0d0d"  # on light boxes: unlike ink it does not follow a dark page
RED = "#c8102e"  # environment actions, and what went wrong
GOAL_BLUE = "#8ecae6"  # the dashed goal tile of the paper's schemes

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "center",
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}

# For a figure at its printed size, across both columns of a page: nothing below 7 points.
PRINT: Any = {
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.titlepad": 4,
    "axes.labelpad": 3,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "legend.fontsize": 7.5,
    "legend.handlelength": 2.2,
    "legend.columnspacing": 1.4,
    "legend.handletextpad": 0.5,
    "figure.titlesize": 9,
    "figure.labelsize": 8,
    "hatch.linewidth": 0.6,
}
PAGE_WIDTH = 7.0  # inches
COLUMN_WIDTH = 3.4


def level_colour(level: int) -> str:
    """The colour of level i = 0, 1, …, and of the agents whose top it is (k = i + 1 levels)."""
    return LEVEL_COLOURS[level % len(LEVEL_COLOURS)]


def level_marker(level: int) -> str:
    """The marker that goes with the colour of a level."""
    return LEVEL_MARKERS[level % len(LEVEL_MARKERS)]


def level_look(level: int) -> dict[str, Any]:
    """Both, as options of matplotlib."""
    return {"color": level_colour(level), "marker": level_marker(level)}


def tinted(colour: str, white: float) -> tuple[float, ...]:
    """A colour that is mixed with this share of white."""
    from matplotlib.colors import to_rgb

    return tuple(white + (1 - white) * share for share in to_rgb(colour))


def parameter_colours(count: int) -> list[str]:
    """Colours for some values of a parameter, light to dark; four are the PARAMETER_COLOURS."""
    from matplotlib.colors import LinearSegmentedColormap, to_hex

    scale = LinearSegmentedColormap.from_list("parameters", PARAMETER_COLOURS)
    return [to_hex(scale(place / max(1, count - 1))) for place in range(count)]


def styled(draw: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Lets a function draw in the project's style, whatever matplotlib's settings are outside."""
    return _in_style(draw, STYLE)


def printed(draw: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The same for figures that are printed as large as they are made."""
    return _in_style(draw, {**STYLE, **PRINT})


def _in_style(draw: Callable[Arguments, Result], settings: Any) -> Callable[Arguments, Result]:
    @functools.wraps(draw)
    def drawn(*arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        from matplotlib import rc_context

        with rc_context(settings):
            return draw(*arguments, **options)

    return drawn


def blank_figure(width: float, height: float, layout: Any) -> "Figure":
    """A figure without axes, which notebooks show when it is the last line of a cell; sizes in inches."""
    return _notebook_figure()(figsize=(width, height), layout=layout)


@functools.cache
def _notebook_figure() -> "type[Figure]":
    from matplotlib.figure import Figure

    class NotebookFigure(Figure):
        """A figure that needs no pyplot to be shown."""

        def _repr_png_(self) -> bytes:
            return as_png(self, dots_per_inch=100)

    return NotebookFigure


@styled
def new_figure(width: float, height: float, columns: int = 1, **options: Any) -> tuple["Figure", list["Axes"]]:
    """An empty figure with a row of axes; sizes in inches.

    No pyplot: the figure belongs to the caller alone, and no window or global state is touched.
    """
    figure = blank_figure(width, height, "constrained")
    return figure, list(figure.subplots(1, columns, squeeze=False, **options)[0])


@styled
def as_png(figure: "Figure", dots_per_inch: int = 150) -> bytes:
    """A figure as the bytes of a PNG file; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dots_per_inch, metadata={"Software": None})
    return buffer.getvalue()
