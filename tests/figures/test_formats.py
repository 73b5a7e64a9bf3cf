"""Files of figures: the same bytes for the same figure, and nothing in them about when or with what they were made."""

import re

import pytest

import hierq
from hierq.figures.family import map_figure
from hierq.figures.formats import FORMATS, as_bytes, as_page_svg, as_svg
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


def test_letters_are_shapes_in_files_and_text_on_pages():
    assert b"<text" not in as_svg(path_counts_figure())
    assert b"depth of the backup n</text>" in as_page_svg(path_counts_figure())


def test_what_is_drawn_over_a_picture_keeps_its_colours_on_a_dark_page():
    """The squares of this map are as light on a dark page, so that the numbers in them must stay dark."""
    svg = as_page_svg(map_figure({("one step", "flat", "each step"): 0.1}, ["one step"], {"flat": ["each step"]}))
    number = re.search(rb'<g id="([^"]+)">\s*<text[^>]*>1\.11</text>', svg)
    assert number is not None and number[1].startswith(b"over-")
    assert b'[style*="fill: #222222"]:not([id^=over] *){' in svg
    assert not re.search(rb'<g id="over-\d+">\s*<text[^>]*>each step</text>', svg)
    assert b'id="over-' not in as_page_svg(path_counts_figure())


def test_pixels_are_enough_for_print():
    assert len(as_bytes(path_counts_figure(), "png")) > len(as_png(path_counts_figure()))


def test_other_formats_are_refused():
    with pytest.raises(hierq.InputError, match="pdf, svg, png, not as 'gif'"):
        as_bytes(path_counts_figure(), "gif")
