"""How smooth the lab is: frames and messages while both agents train in a 41 × 41 world. `make bench-lab`.

Measured in chromium: the time between two frames (requestAnimationFrame), how many of them drew something, and how long
it takes from a message to its answer; and how long it takes from the start of `hierq lab` until both agents are open.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lab" / "browser"))  # the server and browser of the tests

from lab_server import chromium, lab_server

import hierq

SECONDS = 8
SIDE = 41  # mazes have odd sides
WORLDS = {
    "maze": hierq.maze(SIDE, SIDE, seed=1, loops=0.3),
    "rooms": hierq.random_rooms(SIDE, SIDE, seed=1, loops=0.3),
}

WORLD_IS_OPEN = "() => hierqLab.training.map === hierqLab.state.map && hierqLab.training.running === 'idle'"
MEASURE = """async (seconds) => {
  const { drawing } = await import("/page/surface.js");
  const [stamps, trips] = [[], []];
  const before = { drawn: drawing.drawn, milliseconds: drawing.milliseconds, trained: hierqLab.training.trained };
  const began = performance.now();
  const asking = (async () => {
    while (performance.now() - began < 1000 * seconds) {
      const sent = performance.now();
      await hierqLab.socket.ask({ do: "look", agent: trips.length % 2, level: 0 });
      trips.push(performance.now() - sent);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  })();
  await new Promise((resolve) => {
    const frame = (now) => {
      stamps.push(now);
      if (now - began < 1000 * seconds) requestAnimationFrame(frame);
      else resolve();
    };
    requestAnimationFrame(frame);
  });
  await asking;
  const drawn = drawing.drawn - before.drawn;
  return {
    stamps, trips, drawn,
    each: (drawing.milliseconds - before.milliseconds) / Math.max(1, drawn),
    trained: hierqLab.training.trained - before.trained,
  };
}"""


def measure(page, kind: str) -> None:
    """Prints the numbers of one world."""
    page.evaluate("(map) => hierqLab.editing.replace(map)", WORLDS[kind].text)
    page.wait_for_function(WORLD_IS_OPEN, timeout=60_000)
    page.select_option("#speed", label="full speed")
    page.click("#run-pause")
    page.wait_for_function("() => document.querySelector('#run-pause').textContent === 'Go on'", timeout=60_000)
    page.click("#run-pause")  # goes on after the pause at 50 episodes
    page.wait_for_timeout(1500)
    found = page.evaluate(MEASURE, SECONDS)
    page.click("#run-pause")
    page.wait_for_function("() => hierqLab.training.running === 'idle'")
    gaps, trips = np.diff(found["stamps"]), np.array(found["trips"])
    print(f"{kind}, {SIDE} × {SIDE} cells, {SECONDS} s of training")
    late, slow = 100 * (gaps > 20).mean(), np.quantile(trips, 0.95)
    print(f"  frames a second          {1000 / gaps.mean():6.1f}     (later than 20 ms: {late:.1f} %)")
    print(f"  canvases drawn a second  {found['drawn'] / SECONDS:6.1f}     ({found['each']:.2f} ms each)")
    print(f"  episodes a second        {found['trained'] / SECONDS:6.1f}     (of each agent, with its evaluation)")
    print(f"  round trip of a message  {np.median(trips):6.1f} ms  (95 %: {slow:.1f} ms, {len(trips)} messages)")


def measure_all(page) -> None:
    for kind in WORLDS:
        measure(page, kind)
    print(f"the machine: {os.cpu_count()} cores, {os.getloadavg()[0]:.1f} programs wanted them in the last minute")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        page = browser.new_page(viewport={"width": 1360, "height": 900})
        begun = time.perf_counter()
        with lab_server(Path(folder)) as server:
            listening = time.perf_counter() - begun
            page.goto(server.address)
            page.wait_for_function(WORLD_IS_OPEN, timeout=90_000)
            seconds = time.perf_counter() - begun
            print("start of `hierq lab`")
            print(f"  both agents are open     {seconds:6.1f} s   (its address is there after {listening:.1f} s)")
            measure_all(page)


if __name__ == "__main__":
    main()
