"""Figures in a page: ids of their own, nothing that reaches beyond the figure, the same bytes every time."""

import re
from xml.etree import ElementTree

import pytest

from hierq.figures.style import new_figure
from hierq.report import svg
from hierq.report.svg import inline_picture, inline_svg


def drawn(points=(1, 3, 2)):
    figure, (axes,) = new_figure(4, 3)
    axes.plot(range(len(points)), points, label="ours <b>")
    axes.fill_between(range(len(points)), points, alpha=0.2)
    axes.hlines([1, 2, 3], 0, 2)
    axes.set_title("λ & n")
    axes.legend()
    return figure


def ids_of(markup):
    return re.findall(r'\bid="([^"]+)"', markup)


def test_ids_of_two_figures_do_not_meet():
    one, other = (inline_svg(drawn(), name, "title", "description") for name in ("one", "other"))
    assert len(ids_of(one)) == len(set(ids_of(one))) > 3
    assert not set(ids_of(one)) & set(ids_of(other))


def test_what_is_referred_to_is_there():
    markup = inline_svg(drawn(), "one", "title", "description")
    referred = re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', markup)
    names = {first or second for first, second in referred}
    assert names
    assert names <= set(ids_of(markup))


def test_title_and_description_are_text():
    markup = inline_svg(drawn(), "one", "a <script>", 'b & "c"')
    root = ElementTree.fromstring(markup)
    title, description = root[0], root[1]
    assert (title.tag.endswith("title"), title.text) == (True, "a <script>")
    assert (description.tag.endswith("desc"), description.text) == (True, 'b & "c"')
    assert root.attrib["aria-labelledby"] == f"{title.attrib['id']} {description.attrib['id']}"
    assert root.attrib["role"] == "img"
    assert "<script>" not in markup


def test_no_style_for_the_whole_page_and_no_fixed_size():
    markup = inline_svg(drawn(), "one", "title", "description")
    root = ElementTree.fromstring(markup)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not tags & {"style", "metadata", "script", "foreignObject"}
    assert not {"width", "height"} & set(root.attrib)
    assert "--natural-width: 384px" in root.attrib["style"]


def test_the_same_figure_gives_the_same_bytes():
    assert inline_svg(drawn(), "one", "a", "b") == inline_svg(drawn(), "one", "a", "b")


def test_lines_of_one_look_are_joined_and_nothing_is_lost():
    """Three horizontal lines become one path that still goes to all three places."""
    root = ElementTree.fromstring(inline_svg(drawn(), "one", "a", "b"))
    paths = [element.attrib.get("d", "") for element in root.iter() if element.tag.endswith("path")]
    assert any(path.count("M") == 3 and path.count("L") == 3 and "C" not in path for path in paths)


def test_a_figure_of_very_many_parts_becomes_an_image(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(svg, "LARGEST_BYTES", 1000)
    markup = inline_picture(drawn(), "one", 'a "title"', "<b>")
    assert markup.startswith('<img src="data:image/png;base64,')
    assert 'alt="a &#34;title&#34;. &lt;b&gt;"' in markup
