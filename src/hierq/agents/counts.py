"""What an agent counts for its explorer, over all training episodes; it is saved with the agent."""

from typing import NamedTuple

import numpy as np

from hierq.agents.explorers import GREEDY, MEMORY, UNTRIED, Explorer, no_action, optimistic_value
from hierq.agents.random_numbers import Words
from hierq.agents.world_arrays import IN_HOLE, WorldArrays
from hierq.errors import InputError
from hierq.tables import aligned
from hierq.tables.level import Ints, Longs


class Counts(NamedTuple):
    """Counts over all training episodes; an array that the explorer does not use has one entry."""

    visits: Longs  # [states]: how often a state was entered
    asked: Longs  # [cells]: how often the explorer chose a cell as sub-goal
    successors: Ints  # [states, actions]: where a move last led to, or UNTRIED
    optimism: Ints  # [states, actions]: E(s, a), minus the fewest steps from a move to something new
    memory: Longs  # [4]: numbers that the explorer keeps within an episode
    refused: Longs  # [1]: the last number returned by the explorer that was no action, or GREEDY


def count_move(counts: Counts, world: WorldArrays, state: int, action: int, successor: int) -> None:
    """Counts a move, in the counts that the explorer uses; the arrays of others have one entry."""
    if len(counts.successors) > 1:
        counts.successors[state, action] = successor
    if len(counts.visits) > 1:
        counts.visits[successor] += 1
    if len(counts.optimism) > 1:
        in_hole = world.ending[successor] == IN_HOLE
        counts.optimism[state, action] = optimistic_value(counts.optimism, successor, in_hole)


# The type and the first value of each array.
ARRAYS = {"visits": (np.int64, 0), "asked": (np.int64, 0), "successors": (np.int32, UNTRIED), "optimism": (np.int32, 0)}


def shapes_of(states: int, cells: int, actions: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays, by name."""
    moves = (states, actions)
    return {"visits": (states,), "asked": (cells,), "successors": moves, "optimism": moves}


def make_counts(explorer: Explorer, states: int, cells: int, actions: int) -> Counts:
    """Fresh counts for an explorer."""
    arrays = {}
    for name, shape in shapes_of(states, cells, actions).items():
        kind, first = ARRAYS[name]
        arrays[name] = aligned.full(shape if name in explorer.counts else (1,) * len(shape), first, kind)
    return Counts(**arrays, memory=aligned.zeros(MEMORY, np.int64), refused=aligned.full(1, GREEDY, np.int64))


def check_explorer(explorer: Explorer, counts: Counts, rng: Words) -> None:
    """Refuses to go on after an explorer returned no action, or after the random numbers were overwritten."""
    if not rng.any():
        raise InputError(
            f"the random numbers are all 0, from where they never move: the explorer {explorer.name}, or a rival, has "
            "written to rng; draw with hierq.uniform(rng) and hierq.below(rng, n) only"
        )
    returned, counts.refused[0] = int(counts.refused[0]), GREEDY
    if returned != GREEDY:
        raise no_action(explorer, returned)


def check_counts(counts: Counts, states: int) -> None:
    """Refuses counts that no training can have made."""
    if min(counts.visits.min(), counts.asked.min()) < 0 or counts.optimism.max() > 0:
        raise InputError("counts are below 0, or optimism is above 0")
    if not UNTRIED <= counts.successors.min() <= counts.successors.max() < states:
        raise InputError("counts_successors are not all states")


def grown_counts(counts: Counts, larger: Counts) -> Counts:
    """Copies counts into larger arrays."""
    for name in Counts._fields:
        old = getattr(counts, name)
        getattr(larger, name)[tuple(slice(length) for length in old.shape)] = old
    return larger
