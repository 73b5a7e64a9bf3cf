"""How much pages may use of the lab: connections, messages, time and memory."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from hierq.agents import AgentConfig
from hierq.errors import InputError
from hierq.lab.messages import MAX_MESSAGE_BYTES
from hierq.worlds import World

MAX_BYTES_OF_AN_AGENT = 300 * 10**6
MAX_BYTES = 6 * 10**9


@dataclass(frozen=True)
class Limits:
    """What pages may take."""

    pages: int = 8  # open at once
    idle_seconds: float = 3600.0  # after which a page that sends nothing is closed
    message_bytes: int = MAX_MESSAGE_BYTES
    messages_a_second: float = 200.0  # from one page, in the long run
    burst: int = 400  # messages at once
    unread_bytes: int = 64 * 2**20  # from which on a page that does not read is closed
    memory_bytes: int = MAX_BYTES  # of the agents of all pages


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


class Memory:
    """A budget that pages take from before they make their agents, and give back when they close."""

    def __init__(self, most: int = MAX_BYTES) -> None:
        self._most, self.taken = most, 0  # bytes
        self._lock = threading.Lock()

    def take(self, size: int) -> None:
        """Takes some bytes of the budget.

        Raises:
            InputError: the pages that are open leave too little.
        """
        from hierq.available_memory import readable_size

        with self._lock:
            if self.taken + size > self._most:
                raise InputError(
                    f"these agents may need {readable_size(size)} of memory, but the pages that are open leave "
                    f"{readable_size(self._most - self.taken)} of {readable_size(self._most)}; "
                    "close another page, or take fewer levels or a smaller world"
                )
            self.taken += size

    def give_back(self, size: int) -> None:
        """Gives back what was taken."""
        with self._lock:
            self.taken -= size


def bytes_of(world: World, config: AgentConfig) -> int:
    """Bytes an agent can take at most.

    Raises:
        InputError: more than the lab allows.
    """
    from hierq.agents.layout import layout_of
    from hierq.agents.needed_memory import agent_bytes
    from hierq.available_memory import readable_size

    size = agent_bytes(layout_of(world, config))
    if size > MAX_BYTES_OF_AN_AGENT:
        raise InputError(
            f"an agent with {config.levels} levels in a world of {world.states:,} free cells may need "
            f"{readable_size(size)} of memory, and the lab allows {readable_size(MAX_BYTES_OF_AN_AGENT)}; "
            "take fewer levels, smaller horizons or a smaller world"
        )
    return size
