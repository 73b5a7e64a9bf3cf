"""One agent of a page: how it learns, what was recorded of it, and what its tables hold for one goal."""

import threading
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hierq.agents import AgentConfig
from hierq.errors import InputError
from hierq.lab.frames import NOW, curve_frame, episode_frame, view_frame
from hierq.lab.messages import AboutAView
from hierq.worlds import World

Longs = npt.NDArray[np.int64]

if TYPE_CHECKING:
    from hierq.agents import Agent, RecordedEpisode


class PageAgent:
    """An agent, its learning curve as far as the page does not have it yet, and its latest episodes.

    One thread trains it. Others may take what is to be sent, and look at its tables as they are now, meanwhile.
    """

    def __init__(self, number: int, world: World, config: AgentConfig, seed: int) -> None:
        """Makes an agent that knows nothing yet."""
        from hierq.agents import Agent

        self.number = number  # 0 or 1, the place in the pair
        self.agent = Agent(world, config, seed)
        self._sent, self.unsent = 0, 0  # iterations the page has been told about, and others
        self._curves: list[Longs] = []  # [2, iterations]: steps of training and evaluation episodes
        self._evaluation: RecordedEpisode | None = None  # the latest one, until it is sent
        self.steps = 0  # of all episodes so far
        self._lock = threading.Lock()  # of these five
        self._recorded: RecordedEpisode | None = None  # the training episode whose steps can be looked at
        self._before: Agent | None = None  # as it was before that
        self._scratch: Agent | None = None

    def alternate(self, iterations: int) -> None:
        """Training and evaluation episodes in turn; only their lengths are kept."""
        self._recorded = None
        self._note(*self.agent.alternate(iterations))

    def alternate_recorded(self) -> None:
        """One training episode, every step of which can be looked at, and one evaluation episode."""
        self._before = _copied(self.agent, self._before)
        trained = self.agent.train(1)
        self._recorded = self.agent.last_episode
        self._note(trained, self.agent.evaluate(1))

    def moments(self, most: int) -> list[int]:
        """Steps of the recorded episode, evenly spread, after which its tables can be looked at."""
        if self._unrepeatable():
            return []
        steps = self._last_recorded().steps
        return sorted({steps * moment // most for moment in range(most)})

    def _note(self, trained: Longs, evaluated: Longs) -> None:
        evaluation = self.agent.last_episode
        with self._lock:
            self._curves.append(np.stack([trained, evaluated]))
            self.unsent += len(trained)
            self._evaluation = evaluation
            self.steps += int(trained.sum() + evaluated.sum())

    def take_curve(self, answers: int = 0) -> bytes:
        """The frame of the iterations the page does not know yet; from now on it does."""
        with self._lock:
            curves, first = self._curves, self._sent
            self._sent, self.unsent, self._curves = self._sent + self.unsent, 0, []
        joined = np.concatenate(curves, axis=1) if curves else np.zeros((2, 0), np.int64)
        return curve_frame(self.number, first, joined[0], joined[1], answers)

    def take_evaluation(self) -> bytes | None:
        """The frame of the latest evaluation episode, if the page does not know it yet; from now on it does."""
        with self._lock:
            episode, self._evaluation = self._evaluation, None
        return None if episode is None else episode_frame(self.number, episode, evaluation=True)

    def training_frame(self, answers: int = 0) -> bytes:
        """The frame of the recorded training episode."""
        return episode_frame(self.number, self._last_recorded(), evaluation=False, answers=answers)

    def view_frame(self, interest: AboutAView, at: int = NOW, answers: int = 0) -> bytes:
        """The frame of what a level knows about a goal, now or after `at` steps of the recorded episode.

        Now may be in the middle of an episode: tables keep their place and size, so they can be read meanwhile.

        Raises:
            InputError: there is no such level, goal or step.
        """
        agent, goal = self.agent if at == NOW else self._agent_after(at), interest.goal
        values, policy = agent.values(interest.level, goal), agent.policy(interest.level, goal)
        cell = agent.world.goal if goal is None else goal
        return view_frame(self.number, interest.level, cell, at, values, policy, answers)

    def _last_recorded(self) -> "RecordedEpisode":
        if self._recorded is None:
            raise InputError("no training episode has been recorded; run one episode first")
        return self._recorded

    def _agent_after(self, at: int) -> "Agent":
        """What the agent was after some steps of the recorded episode: it learns them again from before.

        Raises:
            InputError: there is no such step, or learning again would not be the same.
        """
        episode = self._last_recorded()
        if at > episode.steps:
            raise InputError(f"the last training episode has {episode.steps:,} steps; there is no step {at:,} of it")
        assert self._before is not None
        if at == episode.steps:
            return self.agent
        if self.agent.config.backup.is_backward:  # and the episode was not over
            return self._before
        if why := self._unrepeatable():
            raise InputError(
                f"this agent {why}, so it would not learn the same again from its moves; look at the end of the "
                "episode, or at what it knows now"
            )
        self._scratch = _copied(self._before, self._scratch)
        self._scratch.replay(episode.actions[:at].tolist(), episode.states[: at + 1].tolist())
        return self._scratch

    def _unrepeatable(self) -> str:
        """Why the agent would learn something else from the same moves; empty if it would learn the same."""
        config = self.agent.config
        asked = {argument for part in config.backup.parts for argument in part.arguments}
        if config.backup.hops == "random" or (config.backup.hops == "executed" and config.levels > 1):
            return f"goes over hops that are {config.backup.hops}"
        if "mu" in asked and not config.is_greedy:
            return "asks how likely its moves were"
        return "draws what it learns from" if "rng" in asked else ""


def _copied(agent: "Agent", kept: "Agent | None") -> "Agent":
    """A copy of an agent, in the place of one that was made before."""
    from hierq.agents.copying import copy_into, copy_of

    if kept is None:
        return copy_of(agent)
    copy_into(agent, kept)
    return kept
