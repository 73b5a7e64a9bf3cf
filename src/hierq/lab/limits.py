"""How much pages may use of the lab: connections, messages, time and memory."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from hierq.lab.memory import MOST_BYTES
from hierq.lab.messages import MOST_MESSAGE_BYTES


@dataclass(frozen=True)
class Limits:
    """What pages may take."""

    pages: int = 8  # open at once
    idle_seconds: float = 3600.0  # after which a page that sends nothing is closed
    message_bytes: int = MOST_MESSAGE_BYTES
    messages_a_second: float = 200.0  # from one page, in the long run
    burst: int = 400  # messages at once
    unread_bytes: int = 64 * 2**20  # from which on a page that does not read is closed
    memory_bytes: int = MOST_BYTES  # of the agents of all pages


class Bucket:
    """A token bucket: holds at most `burst` tokens, gets `a_second` of them a second, and every message takes one."""

    def __init__(self, a_second: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_second, self._burst, self._clock = a_second, burst, clock
        self._tokens, self._looked = float(burst), clock()

    def take(self) -> bool:
        """Takes a token; False if there is none."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._looked) * self._a_second)
        self._looked = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
