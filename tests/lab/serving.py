"""A real server on a free port, and a page that talks to it as a browser would, through real sockets."""

import contextlib
import json
import socket
import threading
import time
from dataclasses import dataclass
from typing import Any

import httpx
import websockets.sync.client

from hierq.lab.gate import PROTOCOL, Gate
from hierq.lab.limits import Limits
from hierq.lab.serving import make_server

SMALL_MAP = "#######\n#S....#\n#.###.#\n#....G#\n#######\n"
PATIENCE = 300  # seconds until a test gives up; the first one may have to compile, and other programs may be at work


class Page:
    """What a page does: says something, and reads answers."""

    def __init__(self, connection):
        self.connection = connection
        self.last_id = 0
        self.kept = []

    def say(self, do: str, **fields: Any) -> int:
        self.last_id += 1
        self.connection.send(json.dumps({"do": do, "id": self.last_id, **fields}))
        return self.last_id

    def say_text(self, text: str | bytes) -> None:
        self.connection.send(text)

    def read(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next answer."""
        return json.loads(self.connection.recv(timeout))

    def read_until(self, wanted, timeout: float = PATIENCE) -> dict[str, Any]:
        """The first answer that fits; the others are kept aside."""
        until = time.monotonic() + timeout
        while True:
            answer = self.read(max(0.01, until - time.monotonic()))
            if wanted(answer):
                return answer
            self.kept.append(answer)

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Says something and returns the first answer to it."""
        number = self.say(do, **fields)
        return self.read_until(lambda answer: answer["id"] == number)

    def run(self, count: int = 1) -> int:
        """Runs some episodes to their end; the answers are kept. Returns the number of the message."""
        number = self.say("episode", count=count)
        ended = self.read_until(lambda answer: answer["id"] == number and is_last_episode(answer))
        self.kept.append(ended)
        return number

    def open(self, map_text: str = SMALL_MAP, agents=({}, {}), seed: int = 0) -> dict[str, Any]:
        return self.ask("open", map=map_text, agents=list(agents), seed=seed)

    def closing(self, timeout: float = PATIENCE) -> tuple[int, list[dict[str, Any]]]:
        """Reads until the server closes the connection; the code, and what was said before."""
        said = []
        while True:
            try:
                said.append(self.read(timeout))
            except websockets.exceptions.ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else 0, said


def is_last_episode(answer: dict[str, Any]) -> bool:
    """Whether it is the last answer about a run of episodes: the episode of the second agent."""
    return answer["tell"] == "episode" and answer["agent"] == 1


@dataclass
class RunningLab:
    """A server that runs, and what a browser needs to know of it."""

    gate: Gate
    server: Any

    @property
    def pages(self):
        return self.server.config.app._app.state.pages

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.gate.port}"

    def get(self, path: str, **headers: str) -> httpx.Response:
        """A request with exactly these headers besides Host, without following anything."""
        with httpx.Client(trust_env=False) as client:
            return client.get(self.address + path, headers=headers, timeout=PATIENCE)

    def raw(self, request: bytes) -> bytes:
        """The answer to bytes that no polite client would send."""
        with socket.create_connection(("127.0.0.1", self.gate.port), timeout=PATIENCE) as connection:
            connection.sendall(request)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    @contextlib.contextmanager
    def page(self, **options: Any):
        """A page with a socket; it is let in unless it shows other words than the token."""
        options = {"origin": self.address, "subprotocols": [PROTOCOL, self.gate.token], **options}
        with websockets.sync.client.connect(
            f"ws://127.0.0.1:{self.gate.port}/socket", proxy=None, max_size=None, **options
        ) as connection:
            yield Page(connection)


@contextlib.contextmanager
def running_lab(limits: Limits | None = None, port: int = 0):
    """Starts a server in a thread, and ends it."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(64)
    gate = Gate(listener.getsockname()[1])
    server = make_server(gate, limits)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield RunningLab(gate, server)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listener.close()
        assert not thread.is_alive(), "the server did not end"


def wait_for(condition, seconds: float = PATIENCE) -> bool:
    """Waits until something holds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.01)
    return bool(condition())
