"""What maps and tables have in common: the arrays that a world is made of."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

GOES_ON, AT_GOAL, IN_HOLE = 0, 1, 2

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]


class Layout(NamedTuple):
    """The attributes of a world that its text decides; `World` explains them."""

    text: str
    shape: tuple[int, int]
    positions: Integers
    cell_at: Integers
    outcomes: Integers
    chances: Numbers
    starts: Integers
    start_chances: Numbers
    goals: Integers
    holes: Integers
    action_names: tuple[str, ...]
    is_grid: bool
    is_geometric: bool


def in_one_place(successors: Integers) -> tuple[Integers, Numbers]:
    """Outcomes and chances of actions that each lead to one place: views that take no memory of their own."""
    outcomes = successors[:, :, np.newaxis]
    return outcomes, np.broadcast_to(np.float64(1), outcomes.shape)


def likeliest(outcomes: Integers, chances: Numbers) -> Integers:
    """Array [states, actions], the likeliest outcome of each action, the first among equals."""
    if outcomes.shape[2] == 1:
        return outcomes[:, :, 0]
    which = chances.argmax(axis=2)[:, :, np.newaxis]
    return np.take_along_axis(outcomes, which, axis=2)[:, :, 0]


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same array, from now on without a way to write into it."""
    array.setflags(write=False)
    return array


def spread(count: int) -> Numbers:
    """Equal chances for `count` starts."""
    return np.full(count, 1 / count)


def endings(states: int, goals: Integers, holes: Integers) -> npt.NDArray[np.uint8]:
    """Array [states]: 0 where the episode goes on, 1 at a goal, 2 in a hole."""
    ending = np.full(states, GOES_ON, dtype=np.uint8)
    ending[goals], ending[holes] = AT_GOAL, IN_HOLE
    return ending


def can_end_at_a_goal(leads: Integers, ending: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Array [states]: whether some luck leads from here to a goal without an end before it.

    A search backwards from the goals; `leads` is an array [states, any] of the states that may come next.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    states = len(leads)
    # One more number stands for "at a goal": it leads backwards to every goal.
    sources = np.repeat(np.arange(states), leads.shape[1])
    backwards = leads.ravel()
    kept = (ending[sources] == GOES_ON) & (sources != backwards)
    sources, backwards = sources[kept], backwards[kept]
    goals = np.flatnonzero(ending == AT_GOAL)
    rows = np.concatenate([backwards, np.full(len(goals), states)])
    columns = np.concatenate([sources, goals])
    graph = csr_array((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=(states + 1, states + 1))
    reached = breadth_first_order(graph, states, return_predecessors=False)
    found = np.zeros(states + 1, dtype=bool)
    found[reached] = True
    return found[:states]
