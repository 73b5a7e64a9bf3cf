"""Figures as files: vector or pixels; the same figure gives the same bytes, whenever and wherever it is written."""

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hierq.errors import InputError
from hierq.figures.style import as_png, styled
from hierq.files import check_target

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("pdf", "svg", "png")
PRINT_DOTS_PER_INCH = 300


def checked_format(path: str | None, overwrite: bool, formats: Sequence[str] = FORMATS) -> str:
    """The format of a picture by the end of its file's name, before any work is done; "" if there is no name.

    Raises:
        InputError: It is none of these formats, or the file may not be written.
    """
    if path is None:
        return ""
    check_target(path, overwrite)
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in formats:
        known = " or ".join(filter(None, [", ".join(f".{each}" for each in formats[:-1]), f".{formats[-1]}"]))
        raise InputError(f"the picture is a file whose name ends in {known}; {path} does not")
    return ending


def as_bytes(figure: "Figure", file_format: str) -> bytes:
    """A figure as the bytes of a file in one of the FORMATS.

    Raises:
        InputError: There is no such format.
    """
    if file_format == "png":
        return as_png(figure, PRINT_DOTS_PER_INCH)
    if file_format == "svg":
        return as_svg(figure)
    if file_format == "pdf":
        return as_pdf(figure)
    raise InputError(f"figures are written as {', '.join(FORMATS)}, not as {file_format!r}")


def as_pdf(figure: "Figure") -> bytes:
    """A figure as the bytes of a PDF file, with its fonts inside and without a date."""
    return _saved(figure, "pdf", {"pdf.fonttype": 42}, {"CreationDate": None, "Creator": None, "Producer": None})


def as_svg(figure: "Figure") -> bytes:
    """A figure as the bytes of an SVG file, without a date, with ids that do not change and letters as shapes."""
    return _saved(figure, "svg", {"svg.hashsalt": "hierq", "svg.fonttype": "path"}, {"Date": None, "Creator": None})


# What is drawn dark for white paper, and what it becomes on a dark page.
ON_DARK = {
    "#222222": "#e8e6e1",
    "#6e6e6e": "#a9b1bb",
    "#c9c9c9": "#5b636d",
    "#e6e6e6": "#333a43",
    "#e4e4e4": "#333a43",
    "#d4d4d4": "#4a525c",
    "#8c8c8c": "#8d96a0",
    "#ffffff": "#15181d",
    "#1d1d3b": "#b4b8f0",
    "#a3297a": "#e57abf",
    "#2f8fd0": "#5ab0ea",
    "#e0a100": "#f0bd3c",
    "#07403f": "#8fd9d3",
    "#12706a": "#3fb5a8",
    "#efe6d2": "#3a3426",
}
_NUMBER = re.compile(r"-?\d+\.\d{3,}")


def as_page_svg(figure: "Figure") -> bytes:
    """A figure for a page: transparent, with colours for light and dark pages, letters as text, and few digits.

    What is drawn over a picture, such as the tiles of a map, keeps its colours, because the picture does.
    """
    over = [artist for axes in figure.axes if axes.images for artist in _drawn(axes)]
    for number, artist in enumerate(over):
        artist.set_gid(f"over-{number}")
    follows = ":not([id^=over] *)" if over else ""
    settings = {"svg.hashsalt": "hierq", "svg.fonttype": "none"}
    svg = _saved(figure, "svg", settings, {"Date": None, "Creator": None}, transparent=True).decode()
    rules = "".join(
        f'[style*="{kind}: {light}"]{follows}{{{kind}:{dark}!important}}'
        for light, dark in ON_DARK.items()
        for kind in ("fill", "stroke")
    )
    rules += f"text:not([style*=fill]){follows}{{fill:#e8e6e1}}path:not([style]),use:not([style]){{stroke:none}}"
    dark = f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>"
    svg = _NUMBER.sub(lambda found: f"{float(found[0]):.3f}".rstrip("0").rstrip("."), svg)
    svg = svg.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif")
    return svg.replace("<defs>", f"{dark}<defs>", 1).encode()


def _drawn(axes: "Axes") -> list["Artist"]:
    """What was drawn into axes, without their title, ticks and labels."""
    return [*axes.patches, *axes.lines, *axes.collections, *axes.texts]


@styled
def _saved(
    figure: "Figure", file_format: str, settings: Any, metadata: dict[str, None], transparent: bool = False
) -> bytes:
    from matplotlib import rc_context

    buffer = io.BytesIO()
    with rc_context(settings):
        figure.savefig(buffer, format=file_format, metadata=metadata, transparent=transparent)
    return buffer.getvalue()
