"""The arrays of a world, which maps and tables have in common, and the graph of its moves."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError

GOES_ON, AT_GOAL, IN_HOLE = 0, 1, 2
MAX_GIB = 4  # of one array that is made for a world
ROUNDING = 1e-12  # by which sums of chances differ from 1 if none of them was rounded by hand
MAX_PLAIN_STATES = 10_000  # of a world that is searched in plain Python sooner than scipy is imported

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Blueprint:
    """What the text of a world says; `World` explains the attributes. All arrays are read-only."""

    text: str
    shape: tuple[int, int] = (0, 0)
    outcomes: Integers
    chances: Numbers
    positions: Integers
    cell_at: Integers
    letters: Bytes
    starts: Integers
    start_chances: Numbers
    ending: Bytes
    picture: tuple[int, int] = (0, 0)
    slip: float = 0.0
    action_names: tuple[str, ...]
    is_grid: bool = False
    is_geometric: bool = False

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                read_only(value)


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same array, made read-only."""
    array.setflags(write=False)
    return array


def check_size(what: str, size: int) -> None:
    """Refuses an array of this many bytes, before it is made, if it would not fit in memory."""
    if size > MAX_GIB * 2**30:
        raise InputError(f"{what} would take {size / 2**30:.1f} GiB, more than {MAX_GIB} GiB; use a smaller world")


def endings(states: int, goals: Integers, holes: Integers) -> Bytes:
    """Array [states]: 0 where the episode goes on, 1 at a goal, 2 in a hole."""
    ending = np.full(states, GOES_ON, dtype=np.uint8)
    ending[goals], ending[holes] = AT_GOAL, IN_HOLE
    return ending


def canonical(outcomes: Integers, chances: Numbers) -> tuple[Integers, Numbers]:
    """Outcomes [..., n] and their chances in the form of a world: arrays [..., most], most ≤ n.

    Impossible outcomes are left out, and equal ones become the first of them. The last outcome fills up its row. If the
    chances of an action were rounded, so that they do not sum to 1, the likeliest takes the rest.
    """
    chances = _merged(np.where(chances > 0, outcomes, -1), chances)
    counts = (chances > 0).sum(axis=-1, keepdims=True)
    place = np.arange(counts.max())
    order = np.argsort(chances == 0, axis=-1, kind="stable")  # what may happen comes first
    order = np.take_along_axis(order, np.minimum(place, counts - 1), axis=-1)
    leads, likely = np.take_along_axis(outcomes, order, axis=-1), np.take_along_axis(chances, order, axis=-1)
    likely[np.broadcast_to(place >= counts, likely.shape)] = 0
    rest = 1 - likely.sum(axis=-1, keepdims=True)
    rest[(np.abs(rest) < ROUNDING) & (counts > 1)] = 0
    likeliest = np.argmax(likely, axis=-1)[..., np.newaxis]
    np.put_along_axis(likely, likeliest, np.take_along_axis(likely, likeliest, axis=-1) + rest, axis=-1)
    return leads, likely


def _merged(outcomes: Integers, chances: Numbers) -> Numbers:
    """The chances [..., n] when the first of equal outcomes has the chances of all of them, and the others 0."""
    order = np.argsort(outcomes, axis=-1, kind="stable")  # equal ones side by side, the first of them first
    grouped, weights = (np.take_along_axis(array, order, axis=-1) for array in (outcomes, chances))
    is_first = np.ones(grouped.shape, dtype=bool)
    is_first[..., 1:] = grouped[..., 1:] != grouped[..., :-1]
    weights[is_first] = np.add.reduceat(weights.ravel(), np.flatnonzero(is_first))
    weights[~is_first] = 0
    merged = np.empty(weights.shape)
    np.put_along_axis(merged, order, weights, axis=-1)
    return merged


def steps_to_goal(world: Blueprint) -> Numbers:
    """Array [states]: the length of the luckiest path to a goal that passes no other end; infinite without a path."""
    goals = np.flatnonzero(world.ending == AT_GOAL)
    if len(world.ending) > MAX_PLAIN_STATES:
        from scipy.sparse.csgraph import dijkstra

        found: Numbers = dijkstra(moves_between(world).T, unweighted=True, indices=goals, min_only=True)
        return found
    leads = (world.chances > 0) & (world.ending == GOES_ON)[:, np.newaxis, np.newaxis]
    origins_of: list[list[int]] = [[] for _ in world.ending]
    for origin, target in zip(np.nonzero(leads)[0].tolist(), world.outcomes[leads].tolist(), strict=True):
        origins_of[target].append(origin)
    steps = np.full(len(world.ending), np.inf)
    steps[goals] = 0
    reached = goals.tolist()
    for state in reached:  # which grows meanwhile: a breadth-first search
        for origin in origins_of[state]:
            if np.isinf(steps[origin]):
                steps[origin] = steps[state] + 1
                reached.append(origin)
    return steps


def lost_start(world: Blueprint) -> int | None:
    """The first start from which no goal can be reached; None if there is no such start."""
    lost = world.starts[np.isinf(steps_to_goal(world)[world.starts])]
    return int(lost[0]) if len(lost) else None


def moves_between(world: Blueprint, through_goal: bool = False) -> Any:
    """The graph of moves that change the state, as a sparse array without repetitions.

    Every outcome with a chance above 0 is a move. None leads on from goals and holes, unless `through_goal`.
    """
    from scipy.sparse import csr_array

    states = len(world.outcomes)
    sources = np.repeat(np.arange(states, dtype=np.int32), world.outcomes[0].size)
    targets = world.outcomes.ravel()
    leads_on = (world.ending == GOES_ON) | through_goal
    kept = (sources != targets) & (world.chances.ravel() > 0) & leads_on[sources]
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
