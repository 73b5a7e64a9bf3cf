"""A page as its parts: what a test asks about, without a browser."""

from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "link", "input", "br", "img", "hr"}


class Outline(HTMLParser):
    """Elements, ids, links, headings and texts of a page, and whether its tags are closed in order.

    Attributes:
        elements: (tag, attributes) pairs.
        headings: (level, text) pairs.
        text: all text outside scripts, styles and figures.
        unclosed: tags that were closed out of order, or not at all.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[tuple[int, str]] = []
        self.text = ""
        self.unclosed: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        self.unclosed += self._open

    @classmethod
    def of(cls, path: Path) -> "Outline":
        return cls(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append((int(tag[1]), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.text += " " if tag in ("td", "th") else ""
        if not self._open or self._open.pop() != tag:
            self.unclosed.append(tag)

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "svg"} & set(self._open):
            self.text += data
        if {"h1", "h2", "h3", "h4"} & set(self._open):
            level, text = self.headings[-1]
            self.headings[-1] = level, text + data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def ids(self) -> list[str]:
        """All ids, in order."""
        return [attributes["id"] for _, attributes in self.elements if attributes.get("id")]
