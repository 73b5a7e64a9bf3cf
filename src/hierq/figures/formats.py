"""Figures as files: vector or pixels; the same figure gives the same bytes, whenever and wherever it is written."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hierq.errors import InputError
from hierq.figures.style import as_png, styled
from hierq.files import check_target

if TYPE_CHECKING:
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


def as_svg(figure: "Figure", text: bool = False) -> bytes:
    """A figure as the bytes of an SVG file, without a date and with ids that do not change.

    Letters are drawn as shapes, which look the same everywhere, or written as text, which can be searched and needs the
    font DejaVu Sans to look right.
    """
    settings = {"svg.hashsalt": "hierq", "svg.fonttype": "none" if text else "path"}
    return _saved(figure, "svg", settings, {"Date": None, "Creator": None})


@styled
def _saved(figure: "Figure", file_format: str, settings: Any, metadata: dict[str, None]) -> bytes:
    from matplotlib import rc_context

    buffer = io.BytesIO()
    with rc_context(settings):
        figure.savefig(buffer, format=file_format, metadata=metadata)
    return buffer.getvalue()
