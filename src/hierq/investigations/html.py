"""A page of Markdown as one HTML file that needs nothing else: style inside, figures as images inside.

Raw HTML in the Markdown is shown as text, so that nothing in it can become markup or script. A table whose columns are
all centred is drawn as a row of cards; a verdict in bold letters is drawn as a chip.
"""

import base64
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from jinja2 import Environment
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from hierq.investigations.claims import VERDICTS

CENTRED = "text-align:center"
SHORT = 18  # letters that a cell of a table keeps on one line
PAGE_HEIGHT = 660.0  # points: a higher figure is printed over several pages


def html_of(text: str, pictures: Mapping[str, bytes]) -> str:
    """The page for some Markdown; pictures are SVG files by the names that the Markdown has for them."""
    reader = MarkdownIt("commonmark", {"html": False}).enable(["table"])
    reader.add_render_rule("image", _image)
    reader.add_render_rule("table_open", _table_open)
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    tokens = reader.parse(text)
    _mark(tokens)
    title, byline, body = _masthead(tokens)
    environment = {"pictures": pictures}
    return (
        Environment(autoescape=True, trim_blocks=True)
        .from_string(template_text("page.html.j2"))
        .render(
            title=title,
            byline=byline,
            contents=[
                (token.attrs["id"], _words(tokens, place)) for place, token in enumerate(tokens) if _is(token, "h2")
            ],
            style=Markup(template_text("style.css")),
            body=Markup(reader.renderer.render(body, reader.options, environment)),
        )
    )


def template_text(name: str) -> str:
    """A file of the folder templates."""
    return files("hierq.investigations").joinpath("templates", name).read_text(encoding="utf-8")


def _is(token: Token, tag: str) -> bool:
    return token.type == "heading_open" and token.tag == tag


def _words(tokens: Sequence[Token], place: int) -> str:
    """The text of a heading or paragraph."""
    children = tokens[place + 1].children or ()
    return "".join(" " if child.type == "softbreak" else child.content for child in children)


def _masthead(tokens: list[Token]) -> tuple[str, str, list[Token]]:
    """The heading at the top and the paragraph below it, which stand in the masthead; and all else."""
    if not tokens or not _is(tokens[0], "h1"):
        return "hierq", "", tokens
    title, rest = _words(tokens, 0), tokens[3:]
    if rest and rest[0].type == "paragraph_open":
        return title, _words(rest, 0), rest[3:]
    return title, "", rest


def _mark(tokens: Sequence[Token]) -> None:
    """Ids of headings, labels of table cells, and classes of verdicts."""
    headers: list[str] = []
    column = 0
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", as_id(_words(tokens, place)))
        elif token.type == "table_open":
            headers = []
            token.meta["cards"] = _cards(tokens[place:])
        elif token.type == "th_open":
            headers.append(_words(tokens, place))
        elif token.type == "tr_open":
            column = 0
        elif token.type == "td_open":
            token.attrSet("data-label", headers[column])
            if len(tokens[place + 1].content) < SHORT:
                token.attrSet("class", "short")
            column += 1
        for one in token.children or ():
            _mark_verdicts(token.children or [], one)


def _cards(tokens: Sequence[Token]) -> int:
    """How many columns a table has that is drawn as cards; 0 for another table."""
    ends = next(place for place, token in enumerate(tokens) if token.type == "thead_close")
    styles = [token.attrs.get("style") for token in tokens[:ends] if token.type == "th_open"]
    return len(styles) if set(styles) == {CENTRED} else 0


def _mark_verdicts(children: Sequence[Token], token: Token) -> None:
    place = children.index(token)
    if token.type == "strong_open" and children[place + 1].content in VERDICTS:
        word = children[place + 1].content
        for end in (token, children[place + 2]):
            end.tag = "span"
        token.attrSet("class", f"chip {as_id(word)}")


def _table_open(renderer: Any, tokens: Sequence[Token], place: int, *_: Any) -> str:
    cards = tokens[place].meta.get("cards")
    kind, style = ("cards", f' style="--cards: {cards}"') if cards else ("plain", "")
    return f'<div class="box"{style}><table class="{kind}">\n'


def _image(renderer: Any, tokens: Sequence[Token], place: int, options: Any, environment: Any) -> str:
    token = tokens[place]
    name, alt = str(token.attrs["src"]), escape(token.content)
    svg = environment["pictures"].get(name)
    if svg is None:
        return f"<em>{alt}</em>"
    data = base64.b64encode(svg).decode("ascii")
    size = re.search(rb'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    width, height = (float(size[1]), float(size[2])) if size else (480.0, 360.0)
    kind = "figure tall" if height > PAGE_HEIGHT else "figure"
    pixels = f"--natural: {width * 4 / 3:.0f}px"
    return f'<img class="{kind}" src="data:image/svg+xml;base64,{data}" alt="{alt}" style="{pixels}">'


def as_id(text: str) -> str:
    """A name that may stand in an id: letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "unnamed"
