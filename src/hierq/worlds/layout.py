"""The arrays of a world, which maps and tables have in common."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError

GOES_ON, AT_GOAL, IN_HOLE = 0, 1, 2
MAX_GIB = 4  # of one array that is made for a world
MAX_PLAIN_STATES = 10_000  # of a world that is searched in plain Python sooner than scipy is imported

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]


class Blueprint(NamedTuple):
    """The attributes of a world that its text decides; `World` explains them. The defaults are a table's."""

    positions: Integers
    cell_at: Integers
    outcomes: Integers
    chances: Numbers
    starts: Integers
    start_chances: Numbers
    goals: Integers
    holes: Integers
    action_names: tuple[str, ...]
    text: str = ""
    shape: tuple[int, int] = (0, 0)
    slip: float = 0.0
    picture: tuple[int, int] = (0, 0)
    is_grid: bool = False
    is_geometric: bool = False
    letters: npt.NDArray[np.uint8] = np.zeros((0, 0), dtype=np.uint8)


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


def check_size(what: str, size: int) -> None:
    """Refuses an array of this many bytes, before it is made, if it would not fit in memory."""
    if size > MAX_GIB * 2**30:
        raise InputError(f"{what} would take {size / 2**30:.1f} GiB, more than {MAX_GIB} GiB; use a smaller world")


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same array, made read-only."""
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


def steps_to_goal(outcomes: Integers, chances: Numbers, ending: npt.NDArray[np.uint8]) -> Numbers:
    """Array [states]: the length of the luckiest path to a goal that passes no other end; infinite without a path."""
    goals = np.flatnonzero(ending == AT_GOAL)
    if len(outcomes) > MAX_PLAIN_STATES:
        from scipy.sparse.csgraph import dijkstra

        backwards = moves_between(outcomes, chances, ending == GOES_ON).T
        found: Numbers = dijkstra(backwards, unweighted=True, indices=goals, min_only=True)
        return found
    leads = (chances > 0) & (ending == GOES_ON)[:, np.newaxis, np.newaxis]
    origins_of: list[list[int]] = [[] for _ in ending]
    for origin, target in zip(np.nonzero(leads)[0].tolist(), outcomes[leads].tolist(), strict=True):
        origins_of[target].append(origin)
    steps = np.full(len(ending), np.inf)
    steps[goals] = 0
    reached = goals.tolist()
    for state in reached:  # which grows meanwhile: a breadth-first search
        for origin in origins_of[state]:
            if np.isinf(steps[origin]):
                steps[origin] = steps[state] + 1
                reached.append(origin)
    return steps


def moves_between(outcomes: Integers, chances: Numbers, leads_on: npt.NDArray[np.bool_]) -> Any:
    """The graph of moves that change the state, as a sparse array without repetitions, from states that lead on."""
    from scipy.sparse import csr_array

    states = len(outcomes)
    sources = np.repeat(np.arange(states, dtype=np.int32), outcomes[0].size)
    targets = outcomes.ravel()
    kept = (sources != targets) & (chances.ravel() > 0) & leads_on[sources]
    ones = np.ones(np.count_nonzero(kept), dtype=np.float32)
    graph = csr_array((ones, (sources[kept], targets[kept].astype(np.int32))), shape=(states, states))
    graph.sum_duplicates()
    return graph


def reached_from(graph: Any, sources: Integers) -> npt.NDArray[np.bool_]:
    """Array [nodes]: whether a node of a sparse graph is one of the sources or can be reached from one."""
    from scipy.sparse.csgraph import dijkstra

    if not len(sources):
        return np.zeros(graph.shape[0], dtype=bool)
    found: npt.NDArray[np.bool_] = np.isfinite(dijkstra(graph, unweighted=True, indices=sources, min_only=True))
    return found
