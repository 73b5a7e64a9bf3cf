"""A forest plot: a line for every claim, with its mean effect, its interval, and a small dot for every group."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hierq.errors import InputError
from hierq.figures.panels import handle, legend_above, new_panels
from hierq.figures.style import INK, PAGE_WIDTH, PALE, QUIET, level_look, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINE, ROOM, WORDS, OFFSET = 0.36, 0.62, 52, 0.36  # inches per claim and per unit; letters of a title's line
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
    sizes = [LINE * len(block) + ROOM for block in blocks.values()]
    figure, panels = new_panels(PAGE_WIDTH, sum(sizes) + 0.3, len(blocks), 1, height_ratios=sizes)
    for axes, (unit, block) in zip(panels, blocks.items(), strict=True):
        _draw_block(axes, unit, block)
    every = [variant for line in lines for variant in line["variants"]]
    levels = sorted({k for variant in every for k, _ in variant["groups"] if k})
    marks = [handle(f"k = {k}", linestyle="none", markersize=3.4, **level_look(k - 1)) for k in levels]
    marks.append(handle("another group", linestyle="none", markersize=3.4, marker="o", color=PALE))
    names = list(dict.fromkeys(variant["rules"] for variant in every if variant["rules"]))
    for place, name in enumerate(names or [""]):
        said = f"mean, 95 % interval{f', {name} rules' if name else ''}"
        marks.append(handle(said, color=INK, linewidth=1.4, **_mean_look(place)))
    legend_above(figure, marks, columns=min(len(marks), 4))
    return figure


def _draw_block(axes: "Axes", unit: str, block: Sequence[Mapping[str, Any]]) -> None:
    for y, line in enumerate(block):
        limits = {-line["limit"], line["limit"]} if line["expects"] == "within" else {line["limit"]}
        for limit in limits:
            axes.plot([limit, limit], [y - 0.45, y + 0.45], color=QUIET, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
        for place, variant in enumerate(line["variants"]):
            _draw_variant(axes, y + OFFSET * (place - (len(line["variants"]) - 1) / 2), place, variant)
        verdicts = " / ".join(dict.fromkeys(variant["verdict"] for variant in line["variants"]))
        place_of: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "annotation_clip": False}
        axes.annotate(f"{verdicts}\n{SIDES[line['expects']]}", (1.01, y), va="center", fontsize=7, **place_of)
    axes.axvline(0, color=PALE, linewidth=0.8, zorder=0)
    axes.set_yticks(range(len(block)), [textwrap.fill(line["title"], WORDS) for line in block], fontsize=7)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(block) - 0.5, -0.5)
    axes.set_xlabel(unit)


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
