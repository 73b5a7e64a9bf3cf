"""The page in a real browser: quiet, alone, and usable by mouse, keyboard, phone, printer and without seeing it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
CHECKS = (Path(__file__).parent / "page_checks.js").read_text(encoding="utf-8")
LEAST_CONTRAST = 4.5
FIRST_EPISODES = "#first-episode-published"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("needs chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


class OpenPage:
    """The report in a tab, and everything that went wrong in it."""

    def __init__(self, browser: Any, path: Path, **settings: Any) -> None:
        self.context = browser.new_context(**settings)
        self.tab = self.context.new_page()
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.tab.on("request", lambda request: self.requests.append(request.url))
        self.tab.on("console", lambda message: self.problems.append(f"{message.type}: {message.text}"))
        self.tab.on("pageerror", lambda error: self.problems.append(str(error)))
        self.tab.goto(path.as_uri(), wait_until="load")

    def check(self, call: str) -> Any:
        """What one of the checks of page_checks.js finds."""
        return self.tab.evaluate(f"() => {{ {CHECKS}; return checks.{call}; }}")

    def column(self, table: str, place: int) -> list[str]:
        """What stands in a column of a table, hidden rows left out."""
        return self.tab.evaluate(
            f"""() => Array.from(document.querySelector("{table}").tBodies[0].rows)
                .filter((row) => !row.hidden).map((row) => row.cells[{place}].innerText.trim())"""
        )


@pytest.fixture
def opened(browser: Any, tiny_page: Path) -> Iterator[Any]:
    pages: list[OpenPage] = []

    def open_page(**settings: Any) -> OpenPage:
        pages.append(OpenPage(browser, tiny_page, **settings))
        return pages[-1]

    yield open_page
    for page in pages:
        page.context.close()


def test_no_problems_and_no_requests(opened: Any, tiny_page: Path):
    page = opened()
    page.check("openAll()")
    page.tab.wait_for_timeout(300)
    assert page.problems == []
    assert [url for url in page.requests if not url.startswith("data:")] == [tiny_page.as_uri()]


def test_tables_are_sorted_by_mouse(opened: Any):
    page = opened(viewport={"width": 1280, "height": 900})
    header = page.tab.locator(f"{FIRST_EPISODES} thead th").nth(6)
    header.get_by_role("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    z = [float(text.split()[0].replace("−", "-")) for text in page.column(FIRST_EPISODES, 6)]
    assert len(z) == 64
    assert z == sorted(z)
    header.get_by_role("button").click()
    assert header.get_attribute("aria-sort") == "descending"
    assert page.column(FIRST_EPISODES, 6)[0].split()[0].replace("−", "-") == f"{max(z):+.2f}"
    others = page.tab.locator(f"{FIRST_EPISODES} thead th[aria-sort=none]")
    assert others.count() == 6


def test_numbers_are_sorted_as_numbers_and_backups_as_in_the_paper(opened: Any):
    page = opened()
    page.tab.locator(f"{FIRST_EPISODES} thead th").nth(3).get_by_role("button").click()
    published = [int(text.split("\u00a0")[0].replace(",", "")) for text in page.column(FIRST_EPISODES, 3)]
    assert published == sorted(published)
    assert published[-1] >= 1000  # so that sorting them as words would show
    page.tab.locator(f"{FIRST_EPISODES} thead th").nth(1).get_by_role("button").click()
    backups = list(dict.fromkeys(text.replace("\u00a0", " ") for text in page.column(FIRST_EPISODES, 1)))
    assert backups == [f"{name} = {x}" for name, xs in (("λ", (0, 0.5, 0.8, 1)), ("n", (1, 3, 5, 8))) for x in xs]


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_tables_are_sorted_by_keyboard(opened: Any, key: str):
    page = opened()
    first = page.tab.locator(f"{FIRST_EPISODES} thead button").first
    first.focus()
    page.tab.keyboard.press("Tab")
    page.tab.keyboard.press(key)
    headers = page.tab.locator(f"{FIRST_EPISODES} thead th")
    assert [headers.nth(place).get_attribute("aria-sort") for place in (0, 1)] == ["none", "ascending"]
    outline = page.tab.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def test_tables_are_filtered(opened: Any):
    page = opened()
    form = page.tab.locator('form[data-table="first-episode-published"]')
    form.get_by_label("world").select_option("maze-10")
    form.locator("select").nth(2).select_option("4")
    assert set(page.column(FIRST_EPISODES, 0)) == {"maze-10"}
    assert set(page.column(FIRST_EPISODES, 2)) == {"4"}
    assert form.locator("output").inner_text() == "8 of 64 rows"
    form.get_by_role("button").click()
    page.tab.wait_for_timeout(50)
    assert form.locator("output").inner_text() == "64 of 64 rows"
    form.get_by_label("only |z| > 2").check()
    sizes = [abs(float(text.split()[0].replace("−", "-"))) for text in page.column(FIRST_EPISODES, 6)]
    assert all(size >= 2 for size in sizes)
    assert len(sizes) < 64


def test_without_scripts_there_are_plain_tables(opened: Any):
    page = opened(java_script_enabled=False)
    assert page.tab.locator(f"{FIRST_EPISODES} tbody tr").count() == 64
    assert page.tab.locator("thead button").count() == 0
    assert not page.tab.locator("form.filters").first.is_visible()
    assert page.tab.locator(f"{FIRST_EPISODES} tbody tr").last.is_visible()


@pytest.mark.parametrize("width", [320, 375, 768, 1280])
def test_nothing_hangs_over_the_edge(opened: Any, width: int):
    page = opened(viewport={"width": width, "height": 800}, has_touch=width < 500)
    assert page.check("overflowing()") == []
    page.check("openAll()")
    assert page.check("overflowing()") == []


def test_rows_of_agreement_are_paragraphs_on_a_phone(opened: Any):
    """The verdict stands in the row's full width, and every number has its name beside it."""
    page = opened(viewport={"width": 390, "height": 844})
    assert page.tab.locator(".agreement").first.evaluate("(table) => table.scrollWidth <= innerWidth")
    verdict = page.tab.locator(".agreement tbody td:last-child").first
    assert verdict.bounding_box()["width"] > 300
    named = page.tab.locator(".agreement td[data-label]").first
    assert "numbers" in named.evaluate('(cell) => getComputedStyle(cell, "::before").content')


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_text_can_be_read(opened: Any, scheme: str, width: int):
    page = opened(color_scheme=scheme, viewport={"width": width, "height": 900})
    page.check("openAll()")
    found = page.check(f"poorContrast({LEAST_CONTRAST})")
    assert found["seen"] > 2000
    assert found["wrong"] == []


def test_dark_is_dark_and_figures_stay_white(opened: Any):
    page = opened(color_scheme="dark")
    colours = page.tab.evaluate(
        """() => ["body", ".picture"].map((each) => getComputedStyle(document.querySelector(each)).backgroundColor)"""
    )
    assert max(int(part) for part in colours[0].removeprefix("rgb(").removesuffix(")").split(",")) < 60
    assert colours[1] == "rgb(255, 255, 255)"


@pytest.mark.parametrize("width", [375, 1280])
def test_accessibility(opened: Any, width: int):
    page = opened(viewport={"width": width, "height": 900})
    page.check("openAll()")
    page.tab.wait_for_timeout(200)
    assert page.check("accessibilityFaults()") == []


def test_the_first_stop_of_the_keyboard_skips_to_the_content(opened: Any):
    page = opened()
    page.tab.keyboard.press("Tab")
    assert page.tab.evaluate("() => document.activeElement.className") == "skip"
    page.tab.keyboard.press("Enter")
    assert page.tab.evaluate("() => document.activeElement.id") == "content"


def test_it_prints(opened: Any, tmp_path: Path):
    page = opened()
    target = tmp_path / "report.pdf"
    page.tab.pdf(path=target, format="A4", prefer_css_page_size=True)
    assert target.read_bytes().startswith(b"%PDF-")
    assert target.stat().st_size > 200_000
    assert page.problems == []


def test_paper_cuts_nothing_off(opened: Any):
    """At the width of a page of A4 less its margins, as it is laid out for print."""
    page = opened(viewport={"width": 680, "height": 960})
    page.tab.emulate_media(media="print", color_scheme="dark")
    page.tab.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    assert page.tab.locator("details.printed:not([open])").count() == 0
    assert page.check("overflowing()") == []
    for whole, kind in (("h2, h3, .source", "Inside"), ("h2, h3, .source, .legend", "After"), ("figure, tr", "Inside")):
        rules = page.tab.locator(whole).evaluate_all(f"(all) => all.map((one) => getComputedStyle(one).break{kind})")
        assert set(rules) == {"avoid"}, whole
    assert not page.tab.locator("form.filters").first.is_visible()
    assert page.tab.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.tab.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    assert page.tab.locator("details.printed:not([open])").count() > 0
