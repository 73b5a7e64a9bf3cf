"""The length of the best policy's episodes, with which learning curves are compared."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.worlds.chances import best_policy, expected_steps
from hierq.worlds.layout import GOES_ON, moves_between
from hierq.worlds.world import World

DISCOUNT = 0.99  # at which a detour around holes is worth its steps
MAX_STATES = 5_000  # of a world with random moves, for which this takes a second


class BestEpisodes(NamedTuple):
    """The episodes of the best policy, on average over the starts."""

    steps: float  # expected
    success: float  # the chance that an episode ends at a goal


def optimum(world: World) -> float:
    """The expected steps of an episode of the best policy, on average over the starts and their chances.

    Without random moves this is the mean of the shortest paths from the starts. With random moves the policy is
    the best one at discount 0.99; its episodes include those that end in a hole. An agent that explores takes more.

    Returns:
        The steps; infinite where even the best policy may never end.
    """
    return _best(world).steps


def best_episodes(world: World) -> BestEpisodes | None:
    """The expected steps and the success of the best policy, where they are known within a second.

    Returns:
        None for a world with random moves and more than 5,000 states, and where the best policy may never end.
    """
    if world.is_random and world.states > MAX_STATES:
        return None
    best = _best(world)
    return best if np.isfinite(best.steps) else None


def _best(world: World) -> BestEpisodes:
    if not world.is_random:
        return BestEpisodes(float(world.start_chances @ steps_to_goal(world)[world.starts]), 1.0)
    parts = expected_steps(world, best_policy(world, DISCOUNT))
    steps, success = (float(world.start_chances @ part[world.starts]) for part in parts)
    return BestEpisodes(steps, success)


def steps_to_goal(world: World) -> npt.NDArray[np.float64]:
    """The steps of the shortest path from every state to the nearest goal; infinite where there is none."""
    from scipy.sparse.csgraph import dijkstra

    backwards = moves_between(world.outcomes, world.chances, world.ending == GOES_ON).T
    steps: npt.NDArray[np.float64] = dijkstra(backwards, unweighted=True, indices=world.goals, min_only=True)
    return steps
