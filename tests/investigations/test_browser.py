"""A page in chromium: nothing is wider than the screen, and nothing is loaded from elsewhere."""

import os
import shutil
from pathlib import Path

import pytest
from test_judge import page_of

pytestmark = pytest.mark.browser
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or ""


@pytest.mark.parametrize("width", [390, 1280, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_fits(tmp_path: Path, width: int, scheme: str) -> None:
    from playwright.sync_api import sync_playwright

    with pytest.warns(UserWarning, match="the figure broken could not be drawn"):
        page_of(tmp_path)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        asked: list[str] = []
        tab.on("request", lambda request: asked.append(request.url))
        said: list[str] = []
        tab.on("console", lambda message: said.append(message.text))
        tab.goto((tmp_path / "report.html").as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
        assert not said and all(url.startswith(("file:", "data:")) for url in asked)
        browser.close()
