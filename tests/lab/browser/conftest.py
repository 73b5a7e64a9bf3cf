"""A page in a real browser for every test; its console and what it asked of the network are checked at the end."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lab_server import LabServer, chromium, fragment, lab_server

pytest.importorskip("playwright", reason="needs playwright: pip install playwright")

ARTEFACTS = Path(__file__).parents[3] / ".artefacts" / "lab"
WIDTH, HEIGHT = 1360, 900
WAIT = 300_000  # ms; kernels may have to be compiled first, on a busy machine
SERVER_AWAY = re.compile(r"net::ERR_CONNECTION_REFUSED|WebSocket connection|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


class Lab:
    """One tab with the lab in it."""

    def __init__(self, page: Any, server: LabServer) -> None:
        self.page, self.server = page, server
        self.said: list[str] = []
        self.asked: list[str] = []
        self.may_be_away = False  # a test may stop the server; browsers complain about that
        page.on("console", self._note)
        page.on("pageerror", lambda problem: self.said.append(str(problem)))
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("websocket", lambda opened: self.asked.append(opened.url))

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.said.append(message.text)

    def open(self, **parts: Any) -> "Lab":
        """The page in a state of which some parts are not as usual."""
        self.page.goto(f"{self.server.address}{f'#{fragment(**parts)}' if parts else ''}")
        self.page.wait_for_selector('#connection[data-condition="open"]', timeout=WAIT)
        self.page.wait_for_function(
            "() => hierqLab.training.world !== null && hierqLab.training.running === 'idle'", timeout=WAIT
        )
        return self

    def wait_for_world(self) -> None:
        """Until the server knows the world that the page shows."""
        self.page.wait_for_timeout(100)  # a change is sent a moment later
        self.page.wait_for_function(
            "() => hierqLab.training.map === hierqLab.state.map && hierqLab.training.running === 'idle'", timeout=WAIT
        )

    def choose_world(self, name: str) -> None:
        self.page.select_option("#world", name)
        self.wait_for_world()

    def wait_until_trained(self, episodes: int) -> None:
        """Until both agents have had so many episodes and rest."""
        self.page.wait_for_function(
            f"() => hierqLab.training.trained >= {episodes} && hierqLab.training.running === 'idle'", timeout=WAIT
        )

    def train(self, episodes: int) -> None:
        """Until both agents have had so many episodes."""
        self.page.evaluate(f"() => hierqLab.training.episode({episodes} - hierqLab.training.trained)")
        self.wait_until_trained(episodes)

    def go_to_stop(self, stop: int) -> None:
        """Opens a stop of the tour."""
        link = f"(await import('/page/tour_stops.js')).linkOfStop({stop}, hierqLab.training.offered)"
        self.page.evaluate(f"async () => {{ location.hash = {link}; }}")
        self.page.wait_for_function(f"() => hierqLab.state.stop === {stop}")
        self.wait_for_world()
        self.page.wait_for_timeout(200)
        self.wait_for_world()

    def predict(self, choice: str) -> None:
        """Answers the question of a stop, and waits for what is shown then."""
        self.page.locator(".choice").get_by_text(choice, exact=True).click()
        self.page.wait_for_timeout(300)
        self.page.wait_for_function(
            "() => !hierqLab.training.manyRunning && hierqLab.training.running === 'idle'", timeout=2 * WAIT
        )

    def lanes(self) -> str:
        """What the credit view says to a screen reader."""
        return str(self.page.get_attribute("#credit-lanes", "aria-label"))

    def state(self) -> Any:
        return self.page.evaluate("() => JSON.parse(JSON.stringify(hierqLab.state))")

    def shot(self, name: str) -> Path:
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        path = ARTEFACTS / f"{name}.png"
        self.page.screenshot(path=path, full_page=True)
        return path

    def check(self) -> None:
        """Nothing on the console, nothing from elsewhere."""
        said = [line for line in self.said if not (self.may_be_away and SERVER_AWAY.search(line))]
        assert said == []
        own = (f"http://127.0.0.1:{self.server.port}/", f"ws://127.0.0.1:{self.server.port}/", "blob:", "data:")
        assert [url for url in self.asked if not url.startswith(own)] == []


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    with lab_server(tmp_path_factory.mktemp("lab")) as started:
        yield started


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def new_lab(server: LabServer, browser: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Lab]]:
    """Opens tabs; each has its own cookies, unless it shares those of another one."""
    labs: list[Lab] = []
    contexts: list[Any] = []

    def make(beside: Lab | None = None, state: dict[str, Any] | None = None, **options: Any) -> Lab:
        if beside is None:
            size = {"width": WIDTH, "height": HEIGHT}
            contexts.append(browser.new_context(**{"viewport": size, "reduced_motion": "reduce", **options}))
        context = contexts[-1] if beside is None else beside.page.context
        lab = Lab(context.new_page(), server)
        labs.append(lab)
        return lab.open(**(state or {}))

    yield make
    name = re.sub(r"\W+", "-", request.node.name).strip("-")
    for number, lab in enumerate(labs):
        lab.shot(name if number == 0 else f"{name}-{number + 1}")
    for context in contexts:
        context.close()
    for lab in labs:
        lab.check()


@pytest.fixture
def lab(new_lab: Callable[..., Lab]) -> Lab:
    return new_lab()
