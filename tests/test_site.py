"""The site that `make docs` has built: complete, and nothing in it comes from elsewhere."""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from hierq.agents import AgentConfig, Backup
from hierq.cli import COMMANDS
from hierq.studies.study_file import TABLES
from test_docs import public_names

ROOT = Path(__file__).parents[1]
SITE = ROOT / "build" / "site"
pytestmark = pytest.mark.site
COLOURS = """() => [
  getComputedStyle(document.body).backgroundColor,
  ...["h1", "article p", "article p a"].map((each) => document.querySelector(each)).filter(Boolean)
    .map((found) => getComputedStyle(found).color),
]"""


class Page(HTMLParser):
    """What a page loads, what it links to, its anchors and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.styles = ""
        self._is_style = False
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.ids.add(given.get("id", ""))
        self.styles += given.get("style", "")
        self._is_style = tag == "style"
        if tag == "a":
            self.links.append(given.get("href", ""))
        elif tag == "link" and given.get("rel", "") in ("canonical", "index", "search", "next", "prev", "author"):
            self.links.append(given.get("href", ""))
        else:
            self.loads += [given[name] for name in ("src", "href", "srcset", "data", "poster") if given.get(name)]

    def handle_data(self, data: str) -> None:
        if self._is_style:
            self.styles += data


def pages() -> list[Path]:
    assert (SITE / "index.html").exists(), "make docs builds the site first"
    return sorted(SITE.rglob("*.html"))


def is_elsewhere(address: str) -> bool:
    return bool(re.match(r"\s*(https?:|ftp:|wss?:)?//", address))


def test_nothing_is_loaded_from_elsewhere():
    for path in pages():
        page = Page(path)
        style_loads = re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')\s;]+)", page.styles)
        assert not [load for load in [*page.loads, *style_loads] if is_elsewhere(load)], path
    for path in SITE.rglob("*.css"):
        loads = re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')\s;]+)", path.read_text(encoding="utf-8"))
        assert not [load for load in loads if is_elsewhere(load)], path
    assert not list(SITE.rglob("*mathjax*"))


def test_links_and_pictures_inside_the_site_are_there():
    known = {path: Page(path) for path in pages()}
    for path, page in known.items():
        if path.parent.name == "tour" or path.name == "report.html":
            continue  # pages of their own, with tests of their own
        for link in (*page.links, *page.loads):
            if is_elsewhere(link) or link.startswith(("mailto:", "data:")):
                continue
            target, _, anchor = link.split("?")[0].partition("#")
            there = (path.parent / target).resolve() if target else path
            assert there.exists(), (path, link)
            if anchor and there in known:
                assert anchor in known[there].ids, (path, link)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    pytest.importorskip("playwright.sync_api", reason="needs playwright")
    sys.path.insert(0, str(ROOT / "tests" / "lab" / "browser"))
    from lab_server import chromium

    with chromium() as started:
        yield started


@pytest.fixture
def tab(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page of the site as a file, quiet, and with nothing asked of any network."""
    page = browser.new_page(color_scheme=getattr(request, "param", "light"))
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda asking: asked.append(asking.url))
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda problem: said.append(str(problem)))
    page.goto((SITE / "index.html").as_uri())
    yield page
    page.close()
    assert [address for address in asked if not address.startswith((SITE.as_uri(), "data:"))] == []
    assert said == []


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("teleport", "worlds.html"),
        ("TreeBackup", "estimators.html"),
        ("thresholds", "findings.html"),
        ("hindsight", "4-luck.html"),
    ],
)
def test_the_search_finds_pages_without_a_network(tab, words, found):
    tab.fill("input.sidebar-search", words)
    tab.press("input.sidebar-search", "Enter")
    assert tab.wait_for_selector(f"#search-results a[href*='{found}']", timeout=60_000).is_visible()


@pytest.mark.parametrize("tab", ["light", "dark"], indirect=True)
@pytest.mark.parametrize(
    "page", ["index", "learn/1-a-hop", "do/agents", "reference/api/agents", "promises", "understand/findings"]
)
def test_pages_can_be_read_in_light_and_dark(tab, page, request):
    """Words, code and links stand out from what is behind them, as far as the rules for the web want it."""
    tab.goto((SITE / f"{page}.html").as_uri(), wait_until="domcontentloaded")  # not the reports it embeds
    behind, *colours = tab.evaluate(COLOURS)
    is_dark = request.node.callspec.params["tab"] == "dark"
    assert (luminance(behind) < 0.1) == is_dark
    assert colours and all(contrast(colour, behind) >= 4.5 for colour in colours)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_public_name_is_in_the_reference():
    """That each has an example is a test of tests/test_docs.py."""
    pages_of_it = [Page(path) for path in (SITE / "reference" / "api").glob("*.html")]
    assert len(pages_of_it) > 8
    assert set(public_names()) <= set().union(*(page.ids for page in pages_of_it))


@pytest.mark.parametrize("subject", ["agents", "worlds", "estimators", "figures"])
def test_a_page_of_the_reference_begins_with_a_summary(subject):
    page = Page(SITE / "reference" / "api" / f"{subject}.html").text
    assert page.index("autosummary") < page.index('class="sig ')


def test_every_setting_and_command_is_in_the_reference():
    studies = Page(SITE / "reference" / "studies.html").text
    settings = {*TABLES["agent"], *AgentConfig.declared, *Backup.declared} - {"backup"}
    for key in settings:
        assert f">{key}</span>" in studies, key
    commands = Page(SITE / "reference" / "commands.html")
    for command in COMMANDS:
        assert f"hierq-{command.replace(' ', '-')}" in commands.ids, command
        assert f"usage: hierq {command}" in commands.text, command


def test_every_notebook_was_run():
    notebooks = sorted((ROOT / "docs" / "learn").glob("*.md"))
    assert len(notebooks) == 6
    for notebook in notebooks:
        text = notebook.read_text(encoding="utf-8")
        page = Page(SITE / "learn" / f"{notebook.stem}.html").text
        assert text.count("Solution") >= 4 and "remove-cell" in text and "assert" in text
        assert page.count("cell_output") >= 3 and "<img" in page and "Traceback" not in page


def test_pages_of_investigations_are_part_of_it():
    """They are Markdown, so pages of the site, and found by its search; so is the essay about them."""
    findings = Page(SITE / "understand" / "findings.html")
    assert "<iframe" not in findings.text
    assert (SITE / "findings.html").exists()
    for page in sorted((ROOT / "docs").glob("**/report.md")):
        report = page.relative_to(ROOT / "docs").with_suffix(".html")
        assert f"../{report.as_posix()}" in findings.links
        assert "sidebar-tree" in (SITE / report).read_text(encoding="utf-8")


def test_recordings_are_linked_and_some_are_inside_notebooks():
    recordings = sorted((ROOT / "docs" / "tour").glob("*.html"))
    assert len(recordings) == 7
    for recording in recordings:
        assert f"tour/{recording.name}" in Page(SITE / "index.html").links
        assert (SITE / "tour" / recording.name).read_bytes() == recording.read_bytes()
    for notebook in ("1-a-hop", "2-a-partition", "3-a-gate"):
        page = Page(SITE / "learn" / f"{notebook}.html")
        assert [load for load in page.loads if load.startswith("../tour/")]


def test_the_first_page_has_a_card_for_every_notebook():
    page = Page(SITE / "index.html")
    for notebook in (ROOT / "docs" / "learn").glob("*.md"):
        assert f"learn/{notebook.stem}.html" in page.links
    assert page.text.count("sd-card-title") == 17
    assert page.text.count("sd-card-img-top") == 15


def test_lines_have_about_75_characters(tab):
    tab.set_viewport_size({"width": 1440, "height": 900})
    tab.goto((SITE / "estimators.html").as_uri(), wait_until="domcontentloaded")
    width, size = tab.evaluate(
        "() => { const p = document.querySelector('article p'); "
        "return [p.getBoundingClientRect().width, parseFloat(getComputedStyle(p).fontSize)]; }"
    )
    assert 60 <= width / (size * 0.5) <= 80  # a letter is about half as wide as high


@pytest.mark.parametrize("page", ["index", "learn/1-a-hop", "reference/api/agents", "promises", "rivals"])
@pytest.mark.parametrize("width", [390, 820, 1280])
def test_no_page_is_wider_than_its_window(tab, page, width):
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto((SITE / f"{page}.html").as_uri(), wait_until="domcontentloaded")
    assert tab.evaluate("() => document.documentElement.scrollWidth") <= width


def test_formulas_are_drawn_by_the_browser():
    assert "<math" in Page(SITE / "learn" / "2-a-partition.html").text
    assert (SITE / "_static" / "fonts" / "maths.woff2").exists()


def test_no_formula_is_left_as_it_is_typed():
    """H^a_{i+1} and the like outside of code."""
    for path in pages():
        if "tour" in path.parts or path.name in ("search.html", "genindex.html", "report.html"):
            continue
        text = re.sub(r"<(code|pre|script|math|title|head)\b.*?</\1>", "", Page(path).text, flags=re.S)
        words = re.sub(r"<[^>]*>", "", text)
        assert not re.findall(r"\b(?:H\^a|Hier\w+_k|max_a|E_π|Q_level|[SXZ]_[tuL])\b", words), path


def test_numbers_in_tables_are_right_aligned():
    assert 'class="number"' in Page(SITE / "scale.html").text
