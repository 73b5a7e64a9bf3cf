"""How much memory the agents of all open pages may take together."""

import threading

from hierq.agents import AgentConfig
from hierq.errors import InputError
from hierq.worlds import World

MOST_BYTES_OF_AN_AGENT = 300 * 10**6
MOST_BYTES = 6 * 10**9
COPIES = 3  # the agent, as it was before its last training episode, and as it was at the step that is looked at


class Memory:
    """A budget that pages take from before they make their agents, and give back when they close."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self.taken = most, 0  # bytes
        self._lock = threading.Lock()

    def take(self, size: int) -> None:
        """Takes some bytes of the budget.

        Raises:
            InputError: the pages that are open leave too little.
        """
        from hierq.tables.sizes import readable_size

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
    from hierq.agents.sizes import agent_bytes
    from hierq.tables.sizes import readable_size

    size = agent_bytes(world, config)
    if size > MOST_BYTES_OF_AN_AGENT:
        raise InputError(
            f"an agent with {config.levels} levels in a world of {world.states:,} free cells may need "
            f"{readable_size(size)} of memory, and the lab allows {readable_size(MOST_BYTES_OF_AN_AGENT)}; "
            "take fewer levels, smaller horizons or a smaller world"
        )
    return size
