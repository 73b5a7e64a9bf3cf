"""Learning curves: steps per episode on a log axis, a line per configuration, the best steps possible dashed."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.figures.panels import draw_optimum, steps_axis
from hierq.figures.style import (
    INK,
    LINES,
    PARAMETER_MARKERS,
    level_colour,
    level_marker,
    new_figure,
    parameter_colours,
    styled,
)
from hierq.statistics import curve_band
from hierq.wording import rounded

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROUND = [digit * 10**power for power in range(10) for digit in (1, 2, 5)]


@dataclass(frozen=True)
class Curve:
    """The runs of one configuration."""

    label: str  # what the legend says
    steps: npt.NDArray[np.int64]  # [seeds, episodes], the steps of each episode
    levels: int | None = None  # k, which settles colour and marker; left out, every curve gets its own
    line: str | None = None  # "-", "--", ":" or "-."; left out, curves of the same k get different ones

    def __post_init__(self) -> None:
        shape = np.shape(self.steps)
        if len(shape) != 2 or 0 in shape or np.min(self.steps) < 1:
            raise InputError(
                f"the steps of {self.label!r} must be counts of 1 or more, as an array [seeds, episodes]; "
                f"these have shape {shape}"
            )


@styled
def curves_figure(
    curves: Sequence[Curve], optimum: float | None = None, title: str = "", size: tuple[float, float] = (6, 4)
) -> "Figure":
    """Learning curves of several configurations, with a legend.

    A line is the geometric mean over seeds, exp(mean ln steps); its band is the 95 % interval of
    `hierq.statistics.learning_curve` of ln steps, as in `study_figure`. One seed has no band.

    Args:
        curves: one per configuration.
        optimum: steps of the best policy, drawn as a dashed line; `hierq.optimum(world)` has them.
        title: what stands above.
        size: width and height in inches.
    """
    figure, (axes,) = new_figure(*size)
    draw_curves(axes, curves, optimum)
    axes.set_title(title)
    return figure


@styled
def draw_curves(axes: "Axes", curves: Sequence[Curve], optimum: float | None = None) -> None:
    """Draws the curves into existing axes."""
    if wrong := [each for each in curves if not isinstance(each, Curve)]:
        raise InputError(
            f"curves are given as a list of Curve(label, steps), not of {type(wrong[0]).__name__}; "
            "study_figure(hierq.load_results(folder)) draws a study"
        )
    if not curves:
        raise InputError("there is no curve to draw; give at least one")
    longest = max(curve.steps.shape[1] for curve in curves)
    for index, (curve, look) in enumerate(zip(curves, _looks(curves), strict=True)):
        _draw_curve(axes, curve, look, index, len(curves))
    lines = [np.exp(np.log(curve.steps).mean(axis=0)) for curve in curves]
    lowest, highest = min(float(line.min()) for line in lines), max(float(line.max()) for line in lines)
    if optimum is not None and math.isfinite(optimum):
        draw_optimum(axes, optimum, f"best policy, {rounded(optimum)} steps")
        lowest, highest = min(lowest, optimum), max(highest, optimum)
    steps_axis(axes, lowest / 1.3, max(highest * 1.3, lowest * 2))
    axes.set_xlim(0.5, longest + 0.5)
    axes.set_xticks(episode_ticks(longest))
    axes.set_xlabel("episode")
    has_band = any(len(curve.steps) > 1 for curve in curves)
    axes.set_ylabel("steps per episode (geometric mean, 95 % band)" if has_band else "steps per episode")
    axes.legend(loc="upper right", handlelength=2.6, labelcolor=INK)


def episode_ticks(longest: int) -> list[int]:
    """The first episode, and about five round numbers after it."""
    every = next(size for size in ROUND if size * 6 >= longest)
    return [1, *(tick for tick in range(every, longest + 1, every) if tick > 1)]


def looks_of(by: str, levels: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """Agents of several k have the colour of their top level; lines and markers tell those of one k apart.

    Agents that are all of one k, and other values, go from light to dark.
    """
    counts = Counter(each[0] for each in levels)
    is_one_k = by == "agent" and len(counts) == 1 < len(levels)
    if by not in ("agent", "levels") or is_one_k or max(counts.values()) > len(LINES):
        colours = parameter_colours(len(levels))
        markers = PARAMETER_MARKERS * len(levels)
        return [
            {"color": colour, "marker": marker, "linestyle": "-"}
            for colour, marker in zip(colours, markers, strict=False)
        ]
    looks, seen = [], dict.fromkeys((each[0] for each in levels), 0)
    for k, *_ in levels:
        markers = (level_marker(k - 1), *PARAMETER_MARKERS)
        looks.append({"color": level_colour(k - 1), "marker": markers[seen[k]], "linestyle": LINES[seen[k]]})
        seen[k] += 1
    return looks


def _looks(curves: Sequence[Curve]) -> list[dict[str, Any]]:
    """Colour, marker and line of every curve: by its number of levels if all have one, else one after the other."""
    given = [curve.levels for curve in curves if curve.levels is not None]
    own = range(1, len(curves) + 1)
    levels = given if len(given) == len(curves) else [(place - 1) % 4 + 1 for place in own]
    looks = looks_of("agent", [[k] for k in levels])
    return [
        look if curve.line is None else look | {"linestyle": curve.line}
        for look, curve in zip(looks, curves, strict=True)
    ]


def _draw_curve(axes: "Axes", curve: Curve, look: dict[str, Any], index: int, count: int) -> None:
    band = curve_band(np.log(curve.steps))
    episode = np.arange(1, len(band.estimate) + 1)
    every = max(1, len(episode) // 8)
    marked = (index * every // count, every)
    style: dict[str, Any] = {
        "label": curve.label,
        "markevery": marked,
        "zorder": 3,
        "linewidth": 1.8,
        "markersize": 4.5,
    }
    axes.plot(episode, np.exp(band.estimate), **style, **look)
    if band.seeds > 1:
        ends = np.exp(band.low), np.exp(band.high)
        axes.fill_between(episode, *ends, color=look["color"], alpha=0.2, linewidth=0, zorder=2)
