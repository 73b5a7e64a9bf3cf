"""Tables that begin with small random values, so that nothing ties: what remains of a gate that opens at ties?

A return passes a hop with Tree-Backup or Watkins' Q(λ) where the hop is greedy. Where nothing is known all actions tie,
and every gate is open; with random values about one action in four is greedy. Function approximation begins in that
way.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hierq import Agent, Protocol

OPEN = "open_gates"


@dataclass(frozen=True)
class RandomStart(Protocol):
    """The paper's protocol, with tables that begin uniformly in [0, largest]; and the share of open gates.

    The column open_gates has the share of the moves of the first training episode that were greedy at level 0 for the
    environment's goal before that episode.
    """

    largest: float = 1e-3

    def iterate(self, agents: Sequence[Agent], iterations: int):
        """Fills the tables before the first episode; of the first iterations it does only one."""
        agent = agents[0]
        if agent.q_values(0).any():
            return super().iterate(agents, iterations)
        rng = np.random.default_rng(agent.seed)
        for level in range(agent.config.levels):
            agent.fill(level, lambda count: self.largest * rng.random(count))
        before = agent.q_values(0)
        training, episode = agent.train(1), agent.last_episode
        at, moves = episode.states[: episode.steps], episode.actions[: episode.steps]
        _open[id(agent)] = float((before[at, moves] == before[at].max(axis=1)).mean())
        return training, agent.evaluate(1)

    def measure(self, agents: Sequence[Agent]) -> dict[str, list[float]]:
        """The share of open gates."""
        return {OPEN: [_open.pop(id(agents[0]))]}


_open: dict[int, float] = {}
