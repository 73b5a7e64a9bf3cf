"""One agent of a page: how it learns, what was recorded of it, and what its tables hold for the goal."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hierq.agents import AgentConfig
from hierq.lab.frames import curve_frame, episode_frame, view_frame
from hierq.worlds import World

Longs = npt.NDArray[np.int64]

if TYPE_CHECKING:
    from hierq.agents.recorded_episode import RecordedEpisode


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

    def curve_frame(self, answers: int = 0) -> bytes:
        """The frame of the iterations the page does not know yet; from now on it does."""
        first = self._sent
        self._sent = len(self._evaluated)
        return curve_frame(self.number, first, self._evaluated[first:], answers)

    def episode_frame(self, answers: int = 0) -> bytes:
        """The frame of the latest training episode that was recorded."""
        assert self._recorded is not None
        return episode_frame(self.number, self._recorded, answers)

    def view_frame(self, level: int, answers: int = 0) -> bytes:
        """The frame of what a level knows about the goal now.

        Raises:
            InputError: there is no such level.
        """
        values, policy = self.agent.values(level), self.agent.policy(level)
        return view_frame(self.number, level, self.agent.world.goal, values, policy, answers)
