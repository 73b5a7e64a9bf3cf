"""Figures inside a page: vector pictures that can stand beside one another.

matplotlib gives the parts of every picture the same names, and its style to the whole page; both are put right here.
Text is drawn as outlines, so that a figure looks the same on machines that do not have its font. What cannot be seen is
left out: digits, names without references, empty groups. That halves the page.
"""

import base64
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from markupsafe import Markup, escape

from hierq.figures.formats import as_svg
from hierq.figures.style import as_png

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Element = ElementTree.Element
SVG = "http://www.w3.org/2000/svg"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
POINTS_TO_PIXELS = 4 / 3
LARGEST_BYTES = 600_000
_UNWANTED = ("metadata", "style", "title")
_MEASURED = ("d", "points", "transform", "x", "y", "style", "width", "height")
_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")


def inline_picture(figure: "Figure", name: str, title: str, description: str) -> Markup:
    """A figure as an element of a page, with a title and a description for those who do not see it.

    A figure with so many parts that its outlines would take more than LARGEST_BYTES becomes an image of dots. Its name
    has letters, digits and dashes, and is unlike that of any other figure of the page.
    """
    drawn = inline_svg(figure, name, title, description)
    return drawn if len(drawn) <= LARGEST_BYTES else _image(figure, title, description)


def inline_svg(figure: "Figure", name: str, title: str, description: str) -> Markup:
    """A figure as an <svg> element whose ids all begin with its name."""
    root = ElementTree.fromstring(as_svg(figure))
    _strip_prefixes(root)
    width = float(root.attrib["width"].removesuffix("pt")) * POINTS_TO_PIXELS
    names = {old: f"{name}-{number}" for number, old in enumerate(sorted(_referred(root)))}
    for element in root.iter():
        _tidy(element, names)
    _prune(root)
    root.attrib = {
        "xmlns": SVG,
        "viewBox": root.attrib["viewBox"],
        "role": "img",
        "aria-labelledby": f"{name}-title {name}-description",
        "style": f"--natural-width: {width:.0f}px",
    }
    for tag, word, text in (("desc", "description", description), ("title", "title", title)):
        element = Element(tag, id=f"{name}-{word}")
        element.text = text
        root.insert(0, element)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _strip_prefixes(root: Element) -> None:
    """In a page tags and links need no name-spaces."""
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        if XLINK_HREF in element.attrib:
            element.attrib["href"] = element.attrib.pop(XLINK_HREF)


def _referred(root: Element) -> set[str]:
    """The ids that some part refers to."""
    found: set[str] = set()
    for element in root.iter():
        for key, value in element.attrib.items():
            found |= {value[1:]} if key == "href" and value.startswith("#") else set(_REFERENCE.findall(value))
    return found


def _tidy(element: Element, names: dict[str, str]) -> None:
    """Names of its own, and no more digits than can be seen."""
    if element.attrib.get("id") not in names:
        element.attrib.pop("id", None)
    for key, value in element.attrib.items():
        if key == "id":
            element.attrib[key] = names[value]
        elif key == "href":
            element.attrib[key] = f"#{names[value[1:]]}" if value.startswith("#") else value
        else:
            shorter = _shortened(key, value) if key in _MEASURED else value
            element.attrib[key] = _REFERENCE.sub(lambda found: f"url(#{names[found[1]]})", shorter)
    element.text = element.text if (element.text or "").strip() else None
    element.tail = None


def _shortened(key: str, value: str) -> str:
    # The matrices of outlines are small numbers that are multiplied by large ones.
    digits = 5 if key == "transform" else 2

    def rounded(found: re.Match[str]) -> str:
        text = f"{float(found[0]):.{digits}f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text

    value = _NUMBER.sub(rounded, value)
    if key == "d":
        return re.sub(r"\s*([A-Za-z])\s*", r"\1", value).strip()
    return re.sub(r"\s*([:;])\s*", r"\1", value) if key == "style" else value


def _prune(parent: Element) -> None:
    """Drops empty groups, unwraps groups without attributes, and joins lines that look the same."""
    children: list[Element] = []
    for child in parent:
        if child.tag in _UNWANTED or (child.tag == "path" and not {"d", "id"} & set(child.attrib)):
            continue
        _prune(child)
        if child.tag == "g" and not child.attrib:
            children += list(child)
        elif child.tag not in ("g", "defs") or len(child):
            children.append(child)
    parent[:] = []
    for child in children:
        if len(parent) and _one_line(parent[-1], child):
            parent[-1].attrib["d"] += child.attrib["d"]
        else:
            parent.append(child)


def _one_line(before: Element, after: Element) -> bool:
    """Whether two neighbours are lines of one look, and may be drawn in one go: nothing is filled or shines through."""
    if not before.tag == after.tag == "path" or len(before) or len(after):
        return False
    look = {key: value for key, value in before.attrib.items() if key != "d"}
    style = look.get("style", "")
    same = look == {key: value for key, value in after.attrib.items() if key != "d"}
    return same and "id" not in look and "fill:none" in style and "opacity" not in style and "dash" not in style


def _image(figure: "Figure", title: str, description: str) -> Markup:
    data = base64.b64encode(as_png(figure)).decode("ascii")
    width = round(figure.get_figwidth() * 96)
    return Markup(
        f'<img src="data:image/png;base64,{data}" alt="{escape(title)}. {escape(description)}"'
        f' style="--natural-width: {width}px">'
    )
