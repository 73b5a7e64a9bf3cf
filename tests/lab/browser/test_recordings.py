"""Recordings opened as files: without a server, without the network, and with all that can be looked at."""

import re
from pathlib import Path

import pytest
from test_sharing import saved

TOUR = sorted((Path(__file__).parents[3] / "docs" / "tour").glob("*.html"))
SIZES = [(390, 844), (820, 1180), (1280, 720), (1440, 900)]


@pytest.fixture
def open_file(browser):
    """Opens a file in a browser that is offline; at the end nothing may have been said or loaded."""
    contexts, said, asked = [], [], []

    def make(path, **options):
        contexts.append(browser.new_context(offline=True, reduced_motion="reduce", **options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda problem: said.append(str(problem)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_function("() => globalThis.hierqLab?.training.running === 'idle'")
        return page

    yield make
    for context in contexts:
        context.close()
    assert said == []
    assert [url for url in asked if not url.startswith(("file://", "data:", "blob:"))] == []
    assert len([url for url in asked if url.startswith("file://")]) == len(contexts)


def look(page, canvas):
    """A canvas as it is drawn now."""
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    page.wait_for_timeout(150)
    return page.evaluate(f"() => document.querySelector('{canvas}').toDataURL()")


def assert_responds(page, slider, canvas):
    """A canvas differs between the beginning and the end of a slider."""
    found = []
    for place in ("0", page.get_attribute(slider, "max")):
        page.locator(slider).fill(place)
        found.append(look(page, canvas))
    assert found[0] != found[1], f"{slider} {canvas}"


def assert_a_small_lab(page):
    """Training, curves, levels and the credit view all respond, and what needs a server is not there."""
    page.click("#tab-train")
    if page.locator("#curve-run").is_visible():
        page.click("#curve-run")
    for canvas in ("#canvas-b", "#curves-canvas"):
        assert_responds(page, "#trained", canvas)
    last = page.get_attribute("#trained", "aria-valuetext").split()[1]
    assert page.text_content("#trained-words") == f"episode {last} of {last}"
    before = look(page, "#canvas-b")
    page.click("#level-b-0")
    assert look(page, "#canvas-b") != before
    page.click("#tab-credit")
    page.wait_for_function("() => /B: \\d/.test(document.querySelector('#credit-counts').textContent)")
    for canvas in ("#credit-lanes", "#credit-map-b"):
        assert_responds(page, "#credit-at", canvas)
    assert page.locator("#share, #map-tools, #agents, #connection, .facts button").filter(visible=True).count() == 0


def test_a_recording_is_a_small_lab(lab, open_file, tmp_path):
    lab.train(40)
    name, content = saved(lab, "#share-page")
    file = tmp_path / name
    file.write_bytes(content)
    page = open_file(file)
    assert_a_small_lab(page)
    steps = "() => hierqLab.training.evaluated"
    assert page.evaluate(steps) == lab.page.evaluate(steps)  # at the end as in the lab
    page.click("#tab-train")
    page.locator("#trained").fill("7")
    page.wait_for_function("() => hierqLab.training.trained === 7 && hierqLab.training.running === 'idle'")
    page.locator("#canvas-a").click(position={"x": 60, "y": 60})  # nothing can be changed
    page.locator("#canvas-a").press("w")
    assert page.evaluate("() => hierqLab.state.map") == lab.state()["map"]
    assert page.evaluate("() => hierqLab.editing.grid.walls") == lab.page.evaluate("() => hierqLab.editing.grid.walls")


def test_training_is_played(lab, open_file, tmp_path):
    lab.train(3)
    _, content = saved(lab, "#share-page")
    (tmp_path / "played.html").write_bytes(content)
    page = open_file(tmp_path / "played.html")
    page.click("#train-play")
    assert page.text_content("#train-play") == "Pause"
    page.wait_for_function("() => document.querySelector('#train-play').textContent === 'Run'", timeout=60_000)
    page.wait_for_function("() => hierqLab.training.trained === 3")


@pytest.mark.parametrize("file", TOUR, ids=lambda file: file.stem)
def test_the_stops_of_the_tour(open_file, file):
    """Each asks first, answers what it asks without a server, and leads to the next, the one before, and home."""
    assert len(TOUR) == 7
    assert file.stat().st_size < 2_000_000
    page = open_file(file)
    title = page.text_content("#tour-card h2")
    assert re.sub(r"\W+", "-", title.lower()).strip("-") == file.stem
    number = int(file.stem[0])
    links = page.locator(".tour-links a").evaluate_all("(all) => all.map((each) => each.getAttribute('href'))")
    beside = [TOUR[place - 1].name for place in (number - 1, number + 1) if 1 <= place <= 7]
    assert links == [*beside, "../lab.html"]
    assert page.locator("#tour-answer").is_hidden()
    page.locator(".choice").first.click()
    assert len(page.text_content("#tour-answer")) > 30
    page.wait_for_function("() => hierqLab.training.running === 'idle'")
    if number in (5, 7):
        assert page.evaluate("() => hierqLab.training.levelShown(1)") == 2
        assert page.evaluate("() => hierqLab.training.trained") == 2
        page.wait_for_function("() => hierqLab.training.many.every((frame) => frame?.finished)")
        means = page.evaluate("() => hierqLab.training.many.map((frame) => Math.round(frame.mean[4]))")
        assert all(str(mean) in page.text_content("#tour-card") for mean in means)
    if number == 6:
        page.wait_for_function("() => hierqLab.training.trained === 50")
    assert_a_small_lab(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_is_cut(open_file, size, scheme):
    width, height = size
    for file in TOUR[1::4]:
        page = open_file(file, viewport={"width": width, "height": height}, color_scheme=scheme)
        for tab in ("train", "credit"):
            page.click(f"#tab-{tab}")
            page.wait_for_timeout(200)
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width
