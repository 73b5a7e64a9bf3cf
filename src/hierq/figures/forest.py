"""A forest plot: a line for every claim, with its mean effect, its interval, and a small dot for every group."""

import itertools
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hierq.errors import InputError
from hierq.figures.panels import handle, legend_above, new_panels
from hierq.figures.style import INK, PALE, QUIET, level_look, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 3.7  # inches: a phone shows the figure as large as it is made
WORDS, SIZE = 64, 7.5  # letters of a line of a title, and their size in points
TITLE, LINE, APART, ROOM = 0.12, 0.3, 0.13, 0.5  # inches: a line of a title, a claim, sets of rules, around a block
SIDES = {"below": "◂ claimed", "above": "claimed ▸", "within": "▸ claimed ◂"}


@printed
def forest_figure(lines: Sequence[Mapping[str, Any]]) -> "Figure":
    """A block of lines for every unit of measurement, each with an axis of its own.

    Args:
        lines: for each claim its title and unit; the limit, and on which side of it ("below", "above", "within") the
            effect is claimed to lie; and variants, one or several sets of rules: for each its name, the verdict, mean,
            the effect with the ends of its interval, and groups, pairs of a number of levels (None where there is none)
            and an effect.
    """
    if not lines:
        raise InputError("there is no claim to draw")
    blocks: dict[str, list[Mapping[str, Any]]] = {}
    for line in lines:
        blocks.setdefault(line["unit"], []).append(line)
    places = {unit: _places(block) for unit, block in blocks.items()}
    sizes = [ends[-1] + ROOM for ends in places.values()]
    figure, panels = new_panels(WIDTH, sum(sizes) + 0.4, len(blocks), 1, height_ratios=sizes)
    for axes, (unit, block) in zip(panels, blocks.items(), strict=True):
        _draw_block(axes, unit, block, places[unit])
    every = [variant for line in lines for variant in line["variants"]]
    levels = sorted({k for variant in every for k, _ in variant["groups"] if k})
    marks = [handle(f"k = {k}", linestyle="none", markersize=3.4, **level_look(k - 1)) for k in levels]
    marks.append(handle("another group", linestyle="none", markersize=3.4, marker="o", color=PALE))
    names = list(dict.fromkeys(variant["rules"] for variant in every if variant["rules"]))
    for place, name in enumerate(names or [""]):
        said = f"mean, 95 %, {name} rules" if name else "mean, 95 % interval"
        marks.append(handle(said, color=INK, linewidth=1.4, **_mean_look(place)))
    legend_above(figure, marks, columns=2 if names else 3)
    return figure


def _places(block: Sequence[Mapping[str, Any]]) -> list[float]:
    """Where the lines of claims end, in inches from the top; the titles of claims stand above their lines."""
    heights = [
        TITLE * len(textwrap.wrap(line["title"], WORDS)) + LINE + APART * (len(line["variants"]) - 1) for line in block
    ]
    return list(itertools.accumulate(heights))


def _draw_block(axes: "Axes", unit: str, block: Sequence[Mapping[str, Any]], ends: Sequence[float]) -> None:
    beside: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "annotation_clip": False, "fontsize": SIZE}
    for line, begin, end in zip(block, [0.0, *ends], ends, strict=False):
        variants, title = line["variants"], textwrap.wrap(line["title"], WORDS)
        top = begin + TITLE * len(title) + 0.04
        middle = (top + end) / 2
        axes.annotate("\n".join(title), (0, begin + 0.03), va="top", **beside).set_in_layout(False)
        limits = {-line["limit"], line["limit"]} if line["expects"] == "within" else {line["limit"]}
        axes.vlines(0, top, end, color=PALE, linewidth=0.8, zorder=0)
        axes.vlines(list(limits), top, end - 0.02, color=QUIET, linewidth=0.9, linestyle=(0, (3, 1.5)), zorder=1)
        for place, variant in enumerate(variants):
            _draw_variant(axes, middle + APART * (place - (len(variants) - 1) / 2), place, variant)
        verdicts = " /\n".join(dict.fromkeys(variant["verdict"] for variant in variants))
        axes.annotate(f"{verdicts}\n{SIDES[line['expects']]}", (1.02, middle), va="center", **beside)
        axes.axhline(end, color=PALE, linewidth=0.4, zorder=0)
    axes.set(yticks=[], ylim=(ends[-1], 0), xlabel=unit)
    axes.spines["left"].set_visible(False)


def _draw_variant(axes: "Axes", y: float, place: int, variant: Mapping[str, Any]) -> None:
    for k, value in variant["groups"]:
        look = level_look(k - 1) if k else {"color": PALE, "marker": "o"}
        axes.plot([value], [y], markersize=3.0, linestyle="none", alpha=0.75, zorder=2, **look)
    value, low, high = variant["mean"]
    axes.hlines(y, low, high, color=INK, linewidth=1.4, zorder=3)
    axes.plot([value], [y], color=INK, zorder=4, **_mean_look(place))


def _mean_look(place: int) -> dict[str, Any]:
    """Filled for the first set of rules, hollow for the second."""
    return {"marker": "D", "markersize": 4.2, "markerfacecolor": INK if place == 0 else "white"}
