"""Every figure of an investigation, drawn into the page."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from hierq.errors import InputError
from hierq.investigations.investigation import NamedFigure
from hierq.investigations.results import Results
from hierq.report.svg import inline_picture


@dataclass(frozen=True)
class Picture:
    """A figure in the page, or why it is not there."""

    name: str  # its id in the page
    title: str  # what it is
    caption: str  # what to see
    markup: Markup | None  # the picture; None if what it needs was not run
    reason: str  # why it is not there


def pictures_of(results: Results, figures: Iterable[NamedFigure]) -> tuple[Picture, ...]:
    """The figures, in their order."""
    return tuple(_picture(figure, f"f{number}", results) for number, figure in enumerate(figures, 1))


def as_id(text: str) -> str:
    """A name that may stand in an id: letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "unnamed"


def _picture(figure: NamedFigure, prefix: str, results: Results) -> Picture:
    name = f"figure-{as_id(figure.name)}"
    try:
        markup = inline_picture(figure.draw(results), prefix, figure.title, figure.alt)
    except InputError as problem:
        return Picture(name, figure.title, figure.caption, None, results.without_place(str(problem)))
    return Picture(name, figure.title, figure.caption, markup, "")
