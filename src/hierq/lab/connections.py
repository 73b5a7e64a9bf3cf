"""Idle connections: only a few are kept, so that they never use up the server's limit."""

import asyncio
import time
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_SILENT = 20


class Connection(H11Protocol):
    """A connection that is closed if it is the oldest of too many idle ones."""

    def __init__(self, *what: Any, **more: Any) -> None:
        super().__init__(*what, **more)
        self._begun = time.monotonic()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Makes room by ending the oldest connection that has no request, or whose answer is complete."""
        super().connection_made(transport)
        silent = [each for each in self.connections if isinstance(each, Connection) and each._is_silent]
        if len(silent) > MAX_SILENT:
            min(silent, key=lambda each: each._begun).transport.abort()

    @property
    def _is_silent(self) -> bool:
        return not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete)
