"""A search that remembers everything: always to the nearest move that was never tried, on the shortest known path."""

from collections import deque
from functools import lru_cache

import numpy as np

from hierq import World
from hierq.investigations import Measured, means_over_runs

SIMULATIONS = 200


@lru_cache(maxsize=16)
def searched(world: World) -> Measured:
    """The logarithm of the mean steps until such a search finds the goal, from simulations."""
    steps = np.array([one_search(world, np.random.default_rng(seed)) for seed in range(SIMULATIONS)], float)
    return means_over_runs({"steps": steps}, steps.sum())["steps"].logarithm()


def one_search(world: World, rng: np.random.Generator) -> int:
    """Steps of one search; ties are broken uniformly."""
    state, steps, led_to = world.start, 0, dict[tuple[int, int], int]()
    while state != world.goal:
        for move in _to_untried(world, state, led_to, rng):
            led_to[state, move] = int(world.successors[state, move])
            state, steps = led_to[state, move], steps + 1
    return steps


def _to_untried(world: World, start: int, led_to: dict[tuple[int, int], int], rng: np.random.Generator) -> list[int]:
    """The moves of a shortest known path to a state where something was never tried, and one such move there."""
    paths, seen = deque([(start, list[int]())]), {start}
    while paths:
        state, moves = paths.popleft()
        order = rng.permutation(world.actions).tolist()
        for move in order:
            if (state, move) not in led_to:
                return [*moves, move]
        for move in order:
            successor = led_to[state, move]
            if successor not in seen:
                seen.add(successor)
                paths.append((successor, [*moves, move]))
    raise AssertionError("every move was tried, and the goal was not found")
