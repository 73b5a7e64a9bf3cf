"""Every figure of the paper and of the audit, drawn into the page."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from hierq.errors import InputError
from hierq.paper.figures import NamedFigure
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import DEPARTURES, TEXT_ITERATIONS
from hierq.report.methods import without_place
from hierq.report.svg import inline_picture

VARIANTS = (f"-{TEXT_ITERATIONS}", "-text")
EXPLAINING = ("audit-preference", "audit-walls", "audit-evaluation", "audit-iterations")
OF_DEPARTURES = {departure.name: figure for departure, figure in zip(DEPARTURES, EXPLAINING, strict=True)}


@dataclass(frozen=True)
class Picture:
    """A figure in the page, or why it is not there."""

    name: str  # its id in the page
    title: str  # what it is
    caption: str  # what to see
    markup: Markup | None  # the picture; None if what it needs was not run
    reason: str  # why it is not there


def pictures_of(reproduction: Reproduction, figures: Mapping[str, NamedFigure]) -> tuple[Picture, ...]:
    """The figures, in their order."""
    return tuple(_picture(figure, f"f{number}", reproduction) for number, figure in enumerate(figures.values(), 1))


@dataclass(frozen=True)
class Gallery:
    """The figures by where they stand in the page."""

    shown: tuple[Picture, ...]  # those of the paper, as published
    folded: tuple[Picture, ...]  # the same under the rules of the text, or over all iterations
    departures: dict[str, Picture]  # one for each departure, by its name
    audit: tuple[Picture, ...]  # the others of the audit


def gallery_of(pictures: Iterable[Picture]) -> Gallery:
    """Every figure in its place."""
    every = {picture.name: picture for picture in pictures}
    departures = {
        departure: every.pop(f"figure-{name}") for departure, name in OF_DEPARTURES.items() if f"figure-{name}" in every
    }
    audit = tuple(picture for name, picture in every.items() if name.startswith("figure-audit"))
    others = [picture for picture in every.values() if picture not in audit]
    return Gallery(
        shown=tuple(picture for picture in others if not picture.name.endswith(VARIANTS)),
        folded=tuple(picture for picture in others if picture.name.endswith(VARIANTS)),
        departures=departures,
        audit=audit,
    )


def as_id(text: str) -> str:
    """A name that may stand in an id: letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "unnamed"


def _picture(figure: NamedFigure, prefix: str, reproduction: Reproduction) -> Picture:
    name = f"figure-{as_id(figure.name)}"
    try:
        markup = inline_picture(figure.draw(reproduction), prefix, figure.title, figure.alt)
    except InputError as problem:
        return Picture(name, figure.title, figure.caption, None, without_place(str(problem), reproduction.folder))
    return Picture(name, figure.title, figure.caption, markup, "")
