"""Starting the lab: a free port, the server on it, the browser."""

import contextlib
import importlib.util
import socket
import webbrowser
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING

from hierq.errors import InputError

if TYPE_CHECKING:
    import uvicorn

    from hierq.lab.gate import Gate
    from hierq.lab.limits import Limits

USUAL_PORT = 8642
PORTS_TO_TRY = 10
HOST = "127.0.0.1"
SECONDS_TO_END = 3
MAX_CONNECTIONS = 100


def serve(port: int | None = None, browser: bool = True, say: Callable[[str], None] = print, **own: str | None) -> None:
    """Starts the lab and serves it until Ctrl-C.

    Args:
        port: where to listen; the usual port or the next free one if left out.
        browser: whether to open the page in a browser.
        say: gets what there is to tell, the address first.
        own: a world, an operator and an explorer of the user's; see `hierq.lab.user_parts.register_user_parts`.

    Raises:
        InputError: the extra `hierq[lab]` is not installed, the port is taken, or a part of the user cannot be used.
    """
    check_installed()
    from hierq.lab.user_parts import register_user_parts

    register_user_parts(**own)
    listener = listen(port)
    with contextlib.closing(listener):
        from hierq.lab.gate import Gate

        gate = Gate(listener.getsockname()[1])
        say(f"hierq lab is at {gate.address}\nIt listens on this machine only. Ctrl-C ends it.")
        if browser:
            Thread(target=_open_browser, args=(gate.address, say), daemon=True).start()
        make_server(gate).run(sockets=[listener])


def check_installed() -> None:
    """Says which extra to install when something is missing."""
    missing = [name for name in ("fastapi", "uvicorn", "websockets") if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(
            f"the lab needs packages that are not installed: {', '.join(missing)}; "
            "get what it needs with: pip install 'hierq[lab]'"
        )


def listen(port: int | None) -> socket.socket:
    """A socket that listens on a port of this machine.

    Raises:
        InputError: the port is taken or not valid; or none was given, and the usual one and the next few are taken.
    """
    if port is not None and not 1 <= port <= 65535:
        raise InputError(f"a port is a number from 1 to 65535, not {port}")
    tried = [port] if port is not None else list(range(USUAL_PORT, USUAL_PORT + PORTS_TO_TRY))
    for candidate in tried:
        try:
            return socket.create_server((HOST, candidate), backlog=128)
        except PermissionError:
            raise InputError(f"port {candidate} may not be used; take one from 1024 on with --port") from None
        except OSError:  # it is taken
            continue
    if port is not None:
        raise InputError(f"port {port} is in use by another program; take another with --port, or leave it out")
    raise InputError(f"the ports {tried[0]} to {tried[-1]} are all in use; name a free one with --port")


def make_server(gate: "Gate", limits: "Limits | None" = None) -> "uvicorn.Server":
    """The lab's server, not running yet: only what it needs, no log (it would contain the token), a quick end."""
    import uvicorn

    from hierq.lab.connections import Connection
    from hierq.lab.limits import Limits
    from hierq.lab.server import make_app

    limits = limits or Limits()
    config = uvicorn.Config(
        make_app(gate, limits),
        http=Connection,
        loop="asyncio",
        ws="websockets-sansio",
        ws_max_size=limits.message_bytes,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=SECONDS_TO_END,
    )
    return uvicorn.Server(config)


def _open_browser(address: str, say: Callable[[str], None]) -> None:
    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        say("No browser could be opened; open the address above in one.")
