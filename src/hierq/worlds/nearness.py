"""Sub-goals by steps: the states that can be reached within a number of steps, with or without coordinates."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hierq.worlds.layout import GOES_ON, moves_between, read_only
from hierq.worlds.subgoals import Subgoals, check_size

if TYPE_CHECKING:
    from hierq.worlds.world import World

MAX_PAIRS = 4_000_000  # of a state and another near it, in working memory at a time


def near_by_steps(world: "World", reach: int | None) -> Subgoals:
    """The states c ≠ s that some actions can lead to from s within `reach` steps, with some luck.

    Every outcome with a chance above 0 counts. An episode ends at goals and in holes, so they are reached but nothing
    lies behind them, and from them nothing is near. With doors c can be near s and s not near c. `World.subgoals`
    explains the arrays.
    """
    onwards = _stay_or_step(world)
    steps = world.states if reach is None else min(int(reach), world.states)
    block = max(1, MAX_PAIRS // _most_near(world, onwards, steps))
    counts = np.zeros(world.states, dtype=np.int64)
    parts = []
    for first in range(0, world.states, block):
        near = _reached(onwards, np.arange(first, min(first + block, world.states)), steps)
        counts[first : first + block] = np.diff(near.indptr) - 1  # without the state itself
        check_size(world, int(counts.max()))
        parts.append(near.indices.astype(np.int32))
    return _filled(parts, block, counts)


def _stay_or_step(world: "World") -> Any:
    """The sparse array [states, states] that is True where one step, or none, can lead."""
    from scipy.sparse import eye_array

    moves = moves_between(world.outcomes, world.chances, world.ending == GOES_ON)
    return (moves + eye_array(world.states, format="csr", dtype=moves.dtype)).astype(bool)


def _most_near(world: "World", onwards: Any, steps: int) -> int:
    """A bound on how many states can be near a state, itself included."""
    if world.is_geometric:
        return min(world.states, 2 * steps * (steps + 1) + 1)
    ways, most = int(np.diff(onwards.indptr).max()), 1
    for _ in range(steps):
        most *= ways
        if most >= world.states:
            return world.states
    return most


def _reached(onwards: Any, sources: npt.NDArray[np.int64], steps: int) -> Any:
    """The rows of `sources` in the product of `steps` times the array of single steps."""
    reached = onwards[sources]
    for _ in range(steps - 1):
        further = reached @ onwards
        if further.nnz == reached.nnz:
            break
        reached = further
    reached.sort_indices()
    return reached


def _filled(parts: list[npt.NDArray[np.int32]], block: int, counts: npt.NDArray[np.int64]) -> Subgoals:
    """The array of near states out of the lists of each block, in which every state is still near itself."""
    near = np.full((len(counts), int(counts.max())), -1, dtype=np.int32)
    for index in range(len(parts)):
        here = counts[index * block : (index + 1) * block]
        states = np.arange(index * block, index * block + len(here))
        source = np.repeat(states, here + 1)
        is_other = parts[index] != source
        column = np.arange(int(here.sum())) - np.repeat(np.cumsum(here) - here, here)
        near[np.repeat(states, here), column] = parts[index][is_other]
        parts[index] = parts[index][:0]  # its memory is free now
    return read_only(near), read_only(counts)
