"""What is true of a world whoever learns in it: shortest paths, optimal values, the steps of a random walk.

All functions read a world and return new arrays. An episode ends at the goal, so no path leads on from it.
"""

import math
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.map_text import shortened
from hierq.worlds.world import World

UNREACHABLE = -1
MOST_PAIR_BYTES = 4 * 2**30

PseudoReward: TypeAlias = Literal["binary", "penalty"]


def shortest_path_lengths(world: World, through_goal: bool = False) -> npt.NDArray[np.int32]:
    """The steps d(s, g) of the shortest path from every state to every state.

        d(g, g) = 0,   d(s, g) = 1 + min_a d(successor(s, a), g)

    Args:
        world: The world.
        through_goal: False counts the paths of episodes, which end at the world's goal G: a cell behind G
            cannot be reached, and from G nothing can. True counts all paths of the grid.

    Returns:
        Array [states, states], d(s, g) in row s and column g; `UNREACHABLE` (−1) where there is no path.

    Raises:
        InputError: The array would not fit in memory.
    """
    from scipy.sparse.csgraph import dijkstra

    _check_pairs(world, np.dtype(np.int32).itemsize)
    moves = _moves(world, through_goal)
    lengths = np.empty((world.states, world.states), dtype=np.int32)
    # A block of sources at a time: scipy answers in float64.
    block = max(1, 4_000_000 // world.states)
    for first in range(0, world.states, block):
        sources = np.arange(first, min(first + block, world.states))
        steps = dijkstra(moves, unweighted=True, indices=sources)
        lengths[sources] = np.where(np.isinf(steps), UNREACHABLE, steps)
    return lengths


def optimum(world: World) -> int:
    """The steps of the shortest path from the start to the goal: no episode is shorter."""
    from scipy.sparse.csgraph import dijkstra

    return int(dijkstra(_moves(world, through_goal=False), unweighted=True, indices=world.start)[world.goal])


def optimal_values(
    world: World, span: int, discount: float, pseudo_reward: PseudoReward = "binary"
) -> npt.NDArray[np.float64]:
    """The value V(s, g) of the best action of a level whose actions span up to `span` environment steps.

    A path of d(s, g) steps takes m = ⌈d(s, g) / span⌉ such actions, the last of which reaches g. Then

        V(s, g) = v(m)
        binary:    v(1) = 1,   v(m) = γ · v(m − 1) = γ^(m − 1)
        penalty:   v(1) = 0,   v(m) = −1 + γ · v(m − 1)

    Powers are multiplied up one by one, in the order in which one-step backups would do it.

    Args:
        world: The world.
        span: H^a_i, the most environment steps that one action of the level takes; 1 for level 0.
        discount: γ, above 0 and at most 1.
        pseudo_reward: "binary", 1 at the goal and 0 before; or "penalty", 0 at the goal and −1 before.

    Returns:
        Array [states, states], V(s, g) in row s and column g. NaN where s = g: nothing is asked there. Where
        no path of an episode leads from s to g, what an endless search earns: 0 for binary, −1 / (1 − γ) for
        penalty (−∞ at γ = 1).

    Raises:
        InputError: An argument is outside its range, or the array would not fit in memory.
    """
    if not isinstance(span, int | np.integer) or span < 1:
        raise InputError(f"the span is a whole number of environment steps, 1 or more, not {shortened(span)}")
    if not isinstance(discount, float | int | np.floating) or not 0 < discount <= 1:
        raise InputError(f"the discount is a number above 0 and at most 1, not {shortened(discount)}")
    if pseudo_reward not in ("binary", "penalty"):
        raise InputError(f'the pseudo-reward is "binary" or "penalty", not {shortened(pseudo_reward)}')
    _check_pairs(world, np.dtype(np.float64).itemsize)
    lengths = shortest_path_lengths(world)
    actions_needed = -(-lengths // min(int(span), world.states))
    at_goal, before_goal = (1.0, 0.0) if pseudo_reward == "binary" else (0.0, -1.0)
    values = [math.nan, at_goal]
    while len(values) <= actions_needed.max():
        values.append(before_goal + float(discount) * values[-1])
    limit = 0.0 if pseudo_reward == "binary" else -math.inf if discount == 1 else -1 / (1 - discount)
    return np.where(lengths == UNREACHABLE, limit, np.array(values)[actions_needed])


def random_walk_steps(world: World) -> npt.NDArray[np.float64]:
    """The expected steps h(s) of a uniform random walk from every state s to the goal G.

        h(G) = 0,   h(s) = 1 + ¼ Σ_a h(successor(s, a))

    A blocked move costs a step as well. `random_walk_steps(world)[world.start]` is the mean length of a flat
    agent's first episode, as long as no episode meets the step limit. One sparse linear system is solved.

    Returns:
        Array [states], h(s); NaN where the goal cannot be reached.
    """
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.csgraph import connected_components
    from scipy.sparse.linalg import spsolve

    component = connected_components(_moves(world, through_goal=True))[1]
    walking = np.flatnonzero((component == component[world.goal]) & (np.arange(world.states) != world.goal))
    sources = np.repeat(np.arange(world.states), world.actions)
    chances = np.full(world.successors.size, 1 / world.actions)
    transitions = csc_array((chances, (sources, world.successors.ravel())), shape=(world.states, world.states))
    system = eye_array(len(walking), format="csc") - transitions[walking][:, walking]
    steps = np.full(world.states, np.nan)
    steps[world.goal] = 0.0
    steps[walking] = spsolve(system, np.ones(len(walking)))
    return steps


def dead_ends(world: World) -> npt.NDArray[np.int64]:
    """The states that only one move can leave, ascending; start and goal count like any other."""
    leaves = world.successors != np.arange(world.states)[:, np.newaxis]
    return np.flatnonzero(leaves.sum(axis=1) == 1)


def unreachable(world: World, through_goal: bool = False) -> npt.NDArray[np.int64]:
    """The states that cannot be reached from the start, ascending.

    Args:
        world: The world.
        through_goal: False counts the paths of episodes, which end at the goal: what lies behind it cannot be
            reached. True counts all paths of the grid: only what walls cut off cannot be.
    """
    from scipy.sparse.csgraph import breadth_first_order

    reached = breadth_first_order(_moves(world, through_goal), world.start, return_predecessors=False)
    return np.setdiff1d(np.arange(world.states), reached)


def _moves(world: World, through_goal: bool) -> Any:
    """The graph of moves that change the state, as a sparse array."""
    from scipy.sparse import csr_array

    sources = np.repeat(np.arange(world.states), world.actions)
    targets = world.successors.ravel()
    kept = sources != targets
    if not through_goal:
        kept &= sources != world.goal
    ones = np.ones(np.count_nonzero(kept))
    return csr_array((ones, (sources[kept], targets[kept])), shape=(world.states, world.states))


def _check_pairs(world: World, bytes_each: int) -> None:
    size = bytes_each * world.states**2
    if size > MOST_PAIR_BYTES:
        raise InputError(
            f"a number for every pair of the {world.states:,} states of {world.name} would take "
            f"{size / 2**30:.1f} GiB, more than {MOST_PAIR_BYTES / 2**30:.0f} GiB; take a smaller world"
        )
