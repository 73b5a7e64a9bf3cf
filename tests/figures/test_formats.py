"""Files of figures: the same bytes for the same figure, and nothing in them about when or with what they were made."""

import re

import pytest

import hierq
from hierq.figures.formats import FORMATS, as_bytes, as_svg
from hierq.figures.path_counts import path_counts_figure
from hierq.figures.style import as_png


@pytest.mark.parametrize("file_format", FORMATS)
def test_same_figure_same_bytes(file_format):
    first, second = (as_bytes(path_counts_figure(), file_format) for _ in range(2))
    assert first == second
    assert first.startswith({"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}[file_format])


def test_nothing_about_the_making():
    assert not re.search(rb"CreationDate|Matplotlib v|/Producer", as_bytes(path_counts_figure(), "pdf"))
    assert b"<dc:date>" not in as_bytes(path_counts_figure(), "svg")


def test_letters_are_shapes_or_text():
    assert b"<text" not in as_svg(path_counts_figure())
    assert b"depth of the backup n</text>" in as_svg(path_counts_figure(), text=True)


def test_pixels_are_enough_for_print():
    assert len(as_bytes(path_counts_figure(), "png")) > len(as_png(path_counts_figure()))


def test_other_formats_are_refused():
    with pytest.raises(hierq.InputError, match="pdf, svg, png, not as 'gif'"):
        as_bytes(path_counts_figure(), "gif")
