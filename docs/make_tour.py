"""Records the stops of the tour as files that need no server: `make tour` writes them to docs/tour.

Each is what the share menu of the lab saves at that stop, after some episodes of training. A small picture of the stop
is for its card on the first page of the site: docs/pictures/cards.
"""

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lab" / "browser"))  # the server and browser of the tests

from lab_server import chromium, lab_server

TOUR = Path(__file__).parent / "tour"
CARDS = Path(__file__).parent / "pictures" / "cards"
CARD_WIDTH = 440  # pixels
GAP = 24  # between two maps
EPISODES = 50
LARGEST = 2_000_000  # bytes of a file
WAIT = 300_000  # milliseconds
IDLE = "() => hierqLab.training.map === hierqLab.state.map && hierqLab.training.running === 'idle'"


def record(page: Any, stop: int) -> tuple[str, str]:
    """The name and the content of the file of a stop."""
    name = page.evaluate(
        """async (stop) => {
            const { fileOfStop, linkOfStop } = await import("/page/tour_stops.js");
            location.hash = linkOfStop(stop, hierqLab.training.offered);
            return fileOfStop(stop);
        }""",
        stop,
    )
    page.wait_for_function(f"() => hierqLab.state.stop === {stop}")
    page.wait_for_timeout(1_000)  # until then the pair of the stop before may still be there
    page.wait_for_function(IDLE, timeout=WAIT)
    page.evaluate(f"() => hierqLab.training.episode({EPISODES})")
    page.wait_for_function(f"() => hierqLab.training.trained === {EPISODES}", timeout=WAIT)
    page.wait_for_function(IDLE, timeout=WAIT)
    if page.evaluate("() => hierqLab.state.curve") == "many":
        page.evaluate("async () => hierqLab.training.startMany(...(await import('/page/state.js')).MANY)")
        page.wait_for_function("() => hierqLab.training.many.every((each) => each?.finished)", timeout=WAIT)
    page.click("#share-toggle")
    with page.expect_download(timeout=WAIT) as waiting:
        page.click("#share-page")
    page.keyboard.press("Escape")
    return name, Path(waiting.value.path()).read_text(encoding="utf-8")


def picture(browser: Any, recording: Path) -> bytes:
    """What a recording shows when its question is answered, small: the maps of both agents, or curves of many seeds."""
    page = browser.new_page(viewport={"width": 1360, "height": 900}, reduced_motion="reduce")
    page.goto(recording.as_uri())
    page.locator(".choice").first.click()
    page.wait_for_timeout(2_000)
    state = page.evaluate("() => hierqLab.state")
    maps = ("#canvas-a", "#canvas-b") if state["tab"] == "train" else ("#credit-map-a", "#credit-map-b")
    shown = ("#curves-canvas",) if state["tab"] == "train" and state["curve"] == "many" else maps
    parts = [without_margin(page.locator(each).screenshot()) for each in shown]
    page.close()
    whole = Image.new("RGBA", (sum(part.width for part in parts) + GAP * (len(parts) - 1), parts[0].height))
    for number, part in enumerate(parts):
        whole.paste(part, (number * (part.width + GAP), 0))
    small = whole.resize((CARD_WIDTH, whole.height * CARD_WIDTH // whole.width), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    small.quantize(128).save(file, "PNG", optimize=True)
    return file.getvalue()


def without_margin(screenshot: bytes) -> Image.Image:
    """A screenshot without what has the colour of its corner at its edges."""
    whole = Image.open(io.BytesIO(screenshot)).convert("RGB")
    ground = Image.new("RGB", whole.size, whole.getpixel((0, 0)))
    return whole.crop(ImageChops.difference(whole, ground).getbbox())


def main() -> None:
    """Writes the files."""
    TOUR.mkdir(exist_ok=True)
    CARDS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, lab_server(Path(folder)) as server, chromium() as browser:
        page = browser.new_page(viewport={"width": 1360, "height": 900}, reduced_motion="reduce")
        page.set_default_timeout(WAIT)
        page.goto(server.address)
        page.wait_for_function("() => hierqLab.training.running === 'idle'", timeout=WAIT)
        page.wait_for_function("() => hierqLab.training.offered.length > 0", timeout=WAIT)
        stops = page.evaluate("async () => (await import('/page/tour_stops.js')).STOPS.length")
        for stop in range(1, stops + 1):
            name, content = record(page, stop)
            size = (TOUR / name).write_text(content, encoding="utf-8")
            if size > LARGEST:
                raise SystemExit(f"{name} has {size:,} characters; at most {LARGEST:,} are wanted")
            print(f"docs/tour/{name}: {size / 1000:.0f} kB", flush=True)
            (CARDS / f"tour-{stop}.png").write_bytes(picture(browser, TOUR / name))


if __name__ == "__main__":
    main()
