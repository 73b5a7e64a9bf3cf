"""Learning curves: steps per episode on a log axis, a line per configuration, the optimum dashed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.figures.panels import fixed_ticks
from hierq.figures.style import INK, QUIET, level_look, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROUND = [digit * 10**power for power in range(10) for digit in (1, 2, 5)]


@dataclass(frozen=True)
class Curve:
    """The runs of one configuration."""

    label: str  # what the legend says
    steps: npt.NDArray[np.int64]  # [seeds, episodes], the steps of each episode
    levels: int  # k, which settles colour and marker
    line: str = "-"  # its style, for two configurations of the same k: "-", "--", ":" or "-."

    def __post_init__(self) -> None:
        shape = np.shape(self.steps)
        if len(shape) != 2 or 0 in shape or np.min(self.steps) < 1:
            raise InputError(
                f"the steps of {self.label!r} must be counts of 1 or more, as an array [seeds, episodes]; "
                f"these have shape {shape}"
            )


@styled
def curves_figure(
    curves: Sequence[Curve], optimum: int, title: str = "", size: tuple[float, float] = (6, 4)
) -> "Figure":
    """Learning curves of several configurations, with a legend.

    A line is the geometric mean over seeds, exp(mean ln steps); its band is ± one standard error of the
    mean of ln steps. One seed has no band.

    Args:
        curves: one per configuration.
        optimum: steps of the shortest path, drawn as a dashed line.
        title: what stands above.
        size: width and height in inches.
    """
    figure, (axes,) = new_figure(*size)
    draw_curves(axes, curves, optimum)
    axes.set_title(title)
    return figure


@styled
def draw_curves(axes: "Axes", curves: Sequence[Curve], optimum: float) -> None:
    """Draws the curves into existing axes."""
    if not curves:
        raise InputError("there is no curve to draw; give at least one")
    longest = max(curve.steps.shape[1] for curve in curves)
    for index, curve in enumerate(curves):
        _draw_curve(axes, curve, index, len(curves))
    axes.axhline(optimum, color=QUIET, linestyle=(0, (5, 4)), linewidth=1.2, zorder=1)
    axes.annotate(
        f"optimum, {optimum:,.4g} steps",
        (1, optimum),
        xycoords=("axes fraction", "data"),
        xytext=(-2, -4),
        textcoords="offset points",
        ha="right",
        va="top",
        color=QUIET,
        fontsize="small",
    )
    axes.set_yscale("log")
    _plain_log_axis(axes, curves, optimum)
    axes.set_xlim(0.5, longest + 0.5)
    axes.set_xticks(episode_ticks(longest))
    axes.set_xlabel("episode")
    axes.set_ylabel("steps per episode (geometric mean)")
    axes.grid(axis="y", color="#e4e4e4", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.legend(loc="upper right", handlelength=2.6, labelcolor=INK)


def episode_ticks(longest: int) -> list[int]:
    """The first episode, and about five round numbers after it."""
    every = next(size for size in ROUND if size * 6 >= longest)
    return [1, *(tick for tick in range(every, longest + 1, every) if tick > 1)]


def _draw_curve(axes: "Axes", curve: Curve, index: int, count: int) -> None:
    logs = np.log(curve.steps)
    episode = np.arange(1, logs.shape[1] + 1)
    mean = logs.mean(axis=0)
    every = max(1, len(episode) // 8)
    look = level_look(curve.levels - 1) | {"linestyle": curve.line, "linewidth": 1.8, "markersize": 4.5}
    marked = (index * every // count, every)
    axes.plot(episode, np.exp(mean), label=curve.label, markevery=marked, zorder=3, **look)
    if len(logs) > 1:
        error = logs.std(axis=0, ddof=1) / np.sqrt(len(logs))
        ends = np.exp(mean - error), np.exp(mean + error)
        axes.fill_between(episode, *ends, color=look["color"], alpha=0.2, linewidth=0, zorder=2)


def _plain_log_axis(axes: "Axes", curves: Sequence[Curve], optimum: float) -> None:
    """Ticks at 1, 2 and 5 times powers of ten, written out in full."""
    lines = [np.exp(np.log(curve.steps).mean(axis=0)) for curve in curves]
    low, high = optimum / 1.3, max(float(line.max()) for line in lines) * 1.3
    axes.set_ylim(low, max(high, optimum * 2))
    fixed_ticks(axes.yaxis, [tick for tick in ROUND if low <= tick])
