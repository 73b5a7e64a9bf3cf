"""Equal terms: several passes over every episode, and what is known while an episode goes on.

Backward replay learns when an episode is over; sweeping and Dyna learn while it goes on. So there are two ways to
charge: after episodes, as `SharedTraces` does, and within them, where a method that waits knows nothing of the episode
yet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hierq import Agent, RecordedEpisode

from .reaching import SharedTraces, rows_written, walks_of


@dataclass(frozen=True)
class Passes(SharedTraces):
    """The agent learns from every episode several times: as many rows a step as a method with that many updates."""

    passes: int = 10

    def learn_once(self, agents: Sequence[Agent], notes):
        """One episode: the first pass is noted, as of any method, and of the others the rows that they write."""
        steps, episode = super().learn_once(agents, notes), agents[1].last_episode
        for _ in range(self.passes - 1):
            agents[0].replay(episode)
            notes.rows += rows_written(agents[0].config, episode.states)
        return steps


@dataclass(frozen=True)
class Within(SharedTraces):
    """What is known within episodes: a method that learns at the end of an episode knows nothing of it before."""

    def look_at(self, mark: int, learner: Agent, episode: RecordedEpisode, notes) -> None:
        """Notes what the agent knows at a step, of the pairs that have been seen until then."""
        if getattr(learner.config.backup, "when", "step") != "episode":
            super().look_at(mark, learner, episode, notes)
            return
        seen = notes.graph.with_path(episode.states[: mark - notes.steps + 1])
        notes.found.setdefault("known_at", []).append(walks_of(learner, seen, notes.random, self.pairs).informed)
