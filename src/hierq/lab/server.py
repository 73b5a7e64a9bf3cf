"""The lab's server: the page, its files and its socket, on this machine only."""

import asyncio
import contextlib
import json
import threading
from pathlib import PurePath
from typing import Any

from fastapi import FastAPI, WebSocket
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import hierq
from hierq.lab.answers import CONTENT_TYPES, page_files
from hierq.lab.gate import PROTOCOL, Gate
from hierq.lab.limits import Bucket, Limits, Memory
from hierq.lab.messages import MessageProblem, parse_message
from hierq.lab.session import Session

BROKEN_RULE, TRY_LATER, GOING_AWAY = 1008, 1013, 1001  # why a socket is closed: RFC 6455
CLOSED_HTML = """<!doctype html><html lang="en"><meta charset="utf-8">
<title>hierq lab</title><link rel="icon" href="data:,">
<h1>hierq lab</h1><p>{}</p></html>"""


def security_headers(port: int) -> dict[str, str]:
    """Headers of every answer: the page runs its own scripts only, and talks to this server only."""
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' blob: data:",
        "connect-src": f"'self' ws://127.0.0.1:{port} ws://localhost:{port}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {sources}" for name, sources in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-store",
    }


class Guard:
    """The outermost layer: checks each request at the gate and adds the headers to each answer."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app, self._gate = app, gate
        self._headers = [(k.lower().encode(), v.encode()) for k, v in security_headers(gate.port).items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, or lets the app do it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        is_socket = scope["type"] == "websocket"
        refusal = self._gate.refusal(scope["headers"], is_socket)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        if refusal is None:
            await self._app(scope, receive, send_guarded)
        elif is_socket:
            # Before it is accepted: 403.
            await send({"type": "websocket.close", "code": BROKEN_RULE, "reason": refusal})
        else:
            await HTMLResponse(CLOSED_HTML.format(refusal), 403)(scope, receive, send_guarded)


class Pages:
    """The open pages of one server, and what they share."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.open = limits, 0
        self.memory = Memory(limits.memory_bytes)

    async def serve_page(self, socket: WebSocket) -> None:
        """Serves one page from the moment it connects until it leaves."""
        await socket.accept(PROTOCOL)
        if self.open >= self.limits.pages:
            await _close(socket, TRY_LATER, f"{self.limits.pages} pages are open already; close one of them first")
            return
        self.open += 1
        try:
            outbox = Outbox(self.limits.unread_bytes)
            with contextlib.closing(Session(outbox.put, self.memory)) as session:
                goodbye = await self._converse(socket, outbox, session)
                if goodbye is not None:
                    await _close(socket, *goodbye)
        finally:
            self.open -= 1

    async def _converse(self, socket: WebSocket, outbox: "Outbox", session: Session) -> tuple[int, str] | None:
        """Sends and listens until one of both ends; returns why, if the page did not leave by itself."""
        async with asyncio.TaskGroup() as tasks:
            sending = tasks.create_task(outbox.deliver(socket))
            listening = tasks.create_task(self._listen(socket, session))
            done, _ = await asyncio.wait((sending, listening), return_when=asyncio.FIRST_COMPLETED)
            sending.cancel()
            listening.cancel()
        return next((task.result() for task in done), None)

    async def _listen(self, socket: WebSocket, session: Session) -> tuple[int, str] | None:
        """Hands messages to the session; returns why it stopped listening, if the page did not leave by itself."""
        bucket = Bucket(self.limits.messages_a_second, self.limits.burst)
        while True:
            try:
                async with asyncio.timeout(self.limits.idle_seconds):  # wait_for may swallow that it is cancelled
                    received = await socket.receive()
            except TimeoutError:
                minutes = self.limits.idle_seconds / 60
                return GOING_AWAY, f"this page was closed because it was idle for {minutes:.0f} minutes"
            if received["type"] == "websocket.disconnect":
                return None
            if not bucket.take():
                return BROKEN_RULE, "this page was closed because it sent too many messages in too short a time"
            text = received.get("text")
            if text is None:
                return BROKEN_RULE, "this page was closed because it sent a binary message; messages are JSON texts"
            try:
                session.receive(parse_message(text))
            except MessageProblem as problem:
                session.tell_problem(str(problem), problem.id)


class Outbox:
    """What waits to be sent to a page. Filled from any thread, emptied in the event loop."""

    def __init__(self, most_bytes: int) -> None:
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._size, self._most = 0, most_bytes
        self._loop = asyncio.get_running_loop()

    def put(self, content: str) -> None:
        """Takes a text; does not wait."""
        with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
            self._loop.call_soon_threadsafe(self._add, content)

    def _add(self, content: str) -> None:
        if self._size <= self._most:  # a page that leaves more unread is about to be closed
            self._size += len(content)
            self._waiting.put_nowait(content)

    async def deliver(self, socket: WebSocket) -> tuple[int, str] | None:
        """Sends what comes, until the page does not read any more; returns why it ended."""
        while True:
            content = await self._waiting.get()
            if self._size > self._most:
                return BROKEN_RULE, "this page was closed because it did not read what it had asked for"
            try:
                await socket.send_text(content)
            except (RuntimeError, OSError):  # it left
                return None
            self._size -= len(content)


async def _close(socket: WebSocket, code: int, text: str) -> None:
    with contextlib.suppress(RuntimeError, OSError):  # the page may have left meanwhile
        await socket.send_text(json.dumps({"tell": "problem", "id": 0, "text": text}))
        await socket.close(code, text[:120])


def load_agents() -> None:
    """Loads Numba in the background, and compiles the usual kernels, so that the first page waits less."""
    from hierq.agents.precompile import compile_kernels

    compile_kernels()


def make_app(gate: Gate, limits: Limits | None = None) -> Any:
    """The server's application for a gate and its limits."""
    pages = Pages(limits or Limits())

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> Any:
        threading.Thread(target=load_agents, name="loading", daemon=True).start()
        yield

    app = FastAPI(title="hierq lab", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)

    @app.get("/")
    def index() -> Response:
        return page("index.html")

    @app.get("/page/{name}")
    def page(name: str) -> Response:
        read = page_files().get(name)
        if read is None:
            return HTMLResponse(CLOSED_HTML.format("There is no such page."), 404)
        return Response(read(), media_type=CONTENT_TYPES[PurePath(name).suffix])

    @app.get("/health")
    def health() -> Response:
        return JSONResponse({"version": hierq.__version__})

    @app.websocket("/socket")
    async def socket(connection: WebSocket) -> None:
        await pages.serve_page(connection)

    app.state.pages = pages
    return Guard(app, gate)
