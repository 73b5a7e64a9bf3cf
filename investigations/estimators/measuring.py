"""Protocols that measure more than steps: the accuracy of the final values, and how well other goals are known.

Values        the paper's protocol; then how far the values of every level are from exact ones
OtherGoals    the paper's protocol; then an evaluation episode towards each of some other goals
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hierq import Agent, AgentConfig, InputError, Protocol, World
from hierq.checks import whole_number
from hierq.worlds import best_values, optimal_values, shortest_path_lengths, unreachable
from hierq.worlds.layout import GOES_ON

Floats = npt.NDArray[np.float64]
DIVERGED = 1e6  # values are clipped to this; only estimators that diverge exceed it


@dataclass(frozen=True)
class Values(Protocol):
    """The paper's protocol, and the values towards the environment's goal when it is over, level by level.

    All states that an episode can visit before its end are compared, with equal weight. At level 0 exact values
    include the chances of the moves; above it, where these are unknown, they are the values of the luckiest path.

        value_error    root mean square of max_a Q_i(s, a, goal) minus the exact value
        value_bias     mean of the same difference: above 0, values are too high
        value_luck     mean of max_a Q_i(s, a, goal), divided by the mean value of the luckiest path
    """

    needs_a_table: ClassVar[bool] = True

    def measure(self, agents: Sequence[Agent]) -> dict[str, list[float]]:
        """Errors, biases and luck of all levels, level 0 first."""
        agent = agents[0]
        found: dict[str, list[float]] = {"value_error": [], "value_bias": [], "value_luck": []}
        for level, span in enumerate(agent.config.reaches):
            exact, luckiest, visited = exact_values(agent.world, agent.config.discount, span)
            values = np.clip(agent.values(level)[visited], -DIVERGED, DIVERGED)
            found["value_error"].append(float(np.sqrt(np.mean((values - exact) ** 2))))
            found["value_bias"].append(float(np.mean(values - exact)))
            found["value_luck"].append(float(values.mean() / luckiest.mean()))
        return found


@lru_cache(maxsize=64)
def exact_values(world: World, discount: float, span: int) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """Exact values and those of the luckiest path, at the states an episode can visit; and a mask of these."""
    visited = world.ending == GOES_ON
    visited[unreachable(world)] = False
    luckiest = optimal_values(world, span, discount)[visited, world.goal]
    return (best_values(world, discount)[visited] if span == 1 else luckiest), luckiest, visited


@dataclass(frozen=True)
class OtherGoals(Protocol):
    """The paper's protocol for the world's own goal; then an evaluation episode for each of some other goals.

    The column other_steps has the steps of these episodes, in the order of `other_goals`. A level knows other goals
    only if all levels learn about all of them: universal_top=True.
    """

    goals: int = 16
    needs_a_table: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "goals", whole_number("goals", self.goals))

    def agents(self, config: AgentConfig) -> tuple[AgentConfig, ...]:
        """The agent of the run."""
        if not config.universal_top:
            raise InputError("only agents with universal_top=True can be sent to other goals")
        return super().agents(config)

    def measure(self, agents: Sequence[Agent]) -> dict[str, list[float]]:
        """Steps towards each of the other goals."""
        agent = agents[0]
        return {"other_steps": [float(agent.evaluate(1, goal)[0]) for goal in other_goals(agent.world, self.goals)]}


@lru_cache(maxsize=16)
def other_goals(world: World, count: int) -> tuple[int, ...]:
    """States that are neither start nor goal, spread over all distances from the start."""
    away = shortest_path_lengths(world)[world.start].astype(float)
    away[[*unreachable(world), *world.starts, *world.goals]] = np.inf
    ordered = np.argsort(away, kind="stable")[: int(np.isfinite(away).sum())]
    places = np.unique(np.linspace(0, len(ordered) - 1, min(count, len(ordered))).round().astype(int))
    return tuple(int(state) for state in ordered[places])
