"""What can be checked of a picture without looking at it: whether words overlap, are cut off, or are too small."""

import itertools
from typing import Any

from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text

SMALLEST = 7.0  # points, at the printed size


def words(figure: Figure) -> dict[Text, Any]:
    """Every text that is seen, with the box it takes, in dots."""
    figure.draw_without_rendering()
    ticks = {label for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for label in axis.get_ticklabels()}
    seen = [text for text in figure.findobj(Text) if text not in ticks and not _is_offset(text, figure)]
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            seen += _labels_in_view(axis) if axes.axison else []
    found = {text: text.get_window_extent() for text in seen if text.get_visible() and text.get_text().strip()}
    return {text: box for text, box in found.items() if box.width > 0}


def overlapping(figure: Figure) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes share more than a line of dots."""
    return [
        (one.get_text(), other.get_text())
        for (one, box), (other, next_box) in itertools.combinations(words(figure).items(), 2)
        if min(box.x1, next_box.x1) - max(box.x0, next_box.x0) > 1
        and min(box.y1, next_box.y1) - max(box.y0, next_box.y0) > 1
    ]


def cut_off(figure: Figure) -> list[str]:
    """Texts that stick out of the figure, and legends that do or would: letters are wider at other resolutions."""
    edge = figure.bbox
    boxes = [(text.get_text(), box, 1) for text, box in words(figure).items()]
    boxes += [("a legend", legend.get_window_extent(), -3) for legend in figure.legends]
    return [
        name
        for name, box, out in boxes
        if box.x0 < edge.x0 - out or box.x1 > edge.x1 + out or box.y0 < edge.y0 - 1 or box.y1 > edge.y1 + 1
    ]


def too_small(figure: Figure) -> list[str]:
    return [text.get_text() for text in words(figure) if text.get_fontsize() < SMALLEST]


def assert_readable(figure: Figure) -> None:
    assert not overlapping(figure), overlapping(figure)
    assert not cut_off(figure), cut_off(figure)
    assert not too_small(figure), too_small(figure)


def _is_offset(text: Text, figure: Figure) -> bool:
    return any(text in (axes.xaxis.offsetText, axes.yaxis.offsetText) for axes in figure.axes)


def _labels_in_view(axis: Axis) -> list[Text]:
    low, high = sorted(axis.get_view_interval())
    pairs = zip(axis.get_majorticklocs(), axis.get_majorticklabels(), strict=False)
    return [label for place, label in pairs if low <= place <= high and label.get_visible()]
