"""Where on the page every figure of the paper and of the audit stands."""

from collections.abc import Iterable
from dataclasses import dataclass

from hierq.paper.rules import DEPARTURES, TEXT_ITERATIONS
from hierq.report.pictures import Picture

VARIANTS = (f"-{TEXT_ITERATIONS}", "-text")
EXPLAINING = ("audit-preference", "audit-walls", "audit-evaluation", "audit-iterations")
OF_DEPARTURES = {departure.name: figure for departure, figure in zip(DEPARTURES, EXPLAINING, strict=True)}


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
