"""One agent of a page: how it learns, what was recorded of it, and what its tables hold for the goal.

What the page is told of it are dictionaries that become JSON: "tell" names the kind, "agent" is 0 or 1.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hierq.agents import AgentConfig
from hierq.worlds import World

Longs = npt.NDArray[np.int64]

if TYPE_CHECKING:
    from hierq.agents.outcomes import RecordedEpisode


class PageAgent:
    """An agent, its learning curve as far as the page does not have it yet, and its latest training episode."""

    def __init__(self, number: int, world: World, config: AgentConfig, seed: int) -> None:
        """Makes an agent that knows nothing yet."""
        from hierq.agents.agent import Agent

        self.number = number  # 0 or 1, the place in the pair
        self.agent = Agent(world, config, seed)
        self._evaluated: list[int] = []  # steps of the evaluation episodes, all of them
        self._sent = 0  # how many of them the page has
        self.steps = 0  # of all episodes so far
        self._recorded: RecordedEpisode | None = None  # the latest training episode

    def alternate(self, iterations: int) -> None:
        """Training and evaluation episodes in turn; only their lengths are kept."""
        trained, evaluated = self.agent.alternate(iterations)
        self._note(trained, evaluated)

    def alternate_recorded(self) -> None:
        """One training episode, which is recorded, and one evaluation episode."""
        trained = self.agent.train(1)
        self._recorded = self.agent.last_episode
        self._note(trained, self.agent.evaluate(1))

    def _note(self, trained: Longs, evaluated: Longs) -> None:
        self._evaluated += evaluated.tolist()
        self.steps += int(trained.sum() + evaluated.sum())

    def curve(self) -> dict[str, Any]:
        """Steps of the evaluation episodes that the page does not know yet; from now on it does."""
        first = self._sent
        self._sent = len(self._evaluated)
        return {"tell": "curve", "agent": self.number, "first": first, "evaluated": self._evaluated[first:]}

    def episode(self) -> dict[str, Any]:
        """The path of the latest training episode that was recorded."""
        recorded = self._recorded
        assert recorded is not None
        path = {"steps": recorded.steps, "states": recorded.states.tolist(), "actions": recorded.actions.tolist()}
        return {"tell": "episode", "agent": self.number, **path}

    def view(self, level: int) -> dict[str, Any]:
        """The values and greedy actions of a level for the goal in every state, as they are now.

        Raises:
            InputError: there is no such level.
        """
        values, policy = self.agent.values(level).tolist(), self.agent.policy(level).tolist()
        return {"tell": "view", "agent": self.number, "level": level, "values": values, "policy": policy}
