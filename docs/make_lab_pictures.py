"""Makes the lab's pictures of the README from the real lab, in chromium: `make pictures`.

lab.png    the page after three episodes: the flat agent knows a few cells, three levels the path
lab.gif    the credit view of both agents on the shortest path, step by step
"""

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lab" / "browser"))  # the server and browser of the tests

from lab_server import chromium, fragment, lab_server

PICTURES = Path(__file__).parent / "pictures"
WIDTH, HEIGHT = 1360, 740
EPISODES = 3
STEPS = 20  # of the shortest path
TRAIN = fragment(episodes=EPISODES)
CREDIT = fragment(tab="credit")
LARGEST = 1_500_000
GIF_WIDTH = 960


def open_page(browser: Any, address: str, link: str) -> Any:
    """A page of the lab, with everything learnt that its link asks for."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce", device_scale_factor=1)
    page.goto(f"{address}#{link}")
    learnt = "hierqLab.training.trained === hierqLab.state.episodes"
    page.wait_for_function(f"() => hierqLab.training.running === 'idle' && {learnt}", timeout=90_000)
    page.wait_for_timeout(800)
    return page


def screenshot(browser: Any, address: str) -> bytes:
    """The page as one sees it."""
    page = open_page(browser, address, TRAIN)
    picture: bytes = page.screenshot()
    return picture


def animation(browser: Any, address: str) -> bytes:
    """The lanes and maps of the credit view, a frame for each step."""
    page = open_page(browser, address, CREDIT)
    frames = []
    for step in range(STEPS + 1):
        page.locator("#credit-at").fill(str(step))
        page.wait_for_timeout(100)
        frames.append(Image.open(io.BytesIO(page.locator(".credit-pictures").screenshot())))
    file = io.BytesIO()
    smaller = [frame.convert("RGB").resize((GIF_WIDTH, frame.height * GIF_WIDTH // frame.width)) for frame in frames]
    # The same for all frames, without dots: that packs well. The thin orange path keeps its colour.
    colours = smaller[-1].quantize(256, method=Image.Quantize.FASTOCTREE)
    smaller = [frame.quantize(palette=colours, dither=Image.Dither.NONE) for frame in smaller]
    pauses = [450] * (len(frames) - 1) + [2000]  # milliseconds
    smaller[0].save(file, "GIF", save_all=True, append_images=smaller[1:], duration=pauses, loop=0, optimize=True)
    if len(file.getvalue()) > LARGEST:
        raise SystemExit(f"lab.gif has {len(file.getvalue()):,} bytes; at most {LARGEST:,} are wanted")
    return file.getvalue()


def main() -> None:
    """Writes both pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, lab_server(Path(folder)) as server, chromium() as browser:
        for name, make in (("lab.png", screenshot), ("lab.gif", animation)):
            target = PICTURES / name
            target.write_bytes(make(browser, server.address))
            print(f"{target}: {target.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
