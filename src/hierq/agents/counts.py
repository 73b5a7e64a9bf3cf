"""What an agent counts for its explorer, over all training episodes; it is saved with the agent."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hierq.agents.explorers import COUNTED, GREEDY, MEMORY, UNTRIED, Explorer, no_action, optimistic_value
from hierq.agents.random_numbers import Words
from hierq.agents.world_arrays import IN_HOLE, WorldArrays
from hierq.errors import InputError
from hierq.tables import aligned
from hierq.tables.level import Ints, Longs

if TYPE_CHECKING:
    from hierq.agents.layout import Layout


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


def count_shapes(layout: "Layout") -> aligned.Shapes:
    """Shapes of the counts that are kept over all episodes; one that the explorer does not use has one entry."""
    states, moves = layout.world.states, (layout.world.states, layout.world.actions)
    shapes = {"visits": (states,), "asked": (layout.goals,), "successors": moves, "optimism": moves}
    kinds = {"visits": np.int64, "asked": np.int64, "successors": np.int32, "optimism": np.int32}
    used = layout.config.explorer.counts
    return {name: (shapes[name] if name in used else (1,) * len(shapes[name]), kinds[name]) for name in COUNTED}


def make_counts(layout: "Layout") -> Counts:
    """Fresh counts for an explorer."""
    arrays = aligned.arrays({**count_shapes(layout), "memory": ((MEMORY,), np.int64), "refused": ((1,), np.int64)})
    arrays["successors"][:], arrays["refused"][:] = UNTRIED, GREEDY
    return Counts(**arrays)


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
