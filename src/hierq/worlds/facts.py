"""Facts about a world that do not depend on the agent: shortest paths, their values, unreachable states.

All functions read a world and return new arrays. An episode ends at goals and in holes, so no path leads on from
them. Where moves are random, every outcome with a chance above 0 counts as a possible step of a path.
For expectations see `chances.py`.
"""

import math
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import GOES_ON, Integers, Numbers, moves_between, reached_from, steps_to_goal
from hierq.worlds.map_text import shortened
from hierq.worlds.maps import AnyWorld, as_world
from hierq.worlds.world import World

UNREACHABLE = -1
MAX_PAIR_BYTES = 4 * 2**30

PseudoReward: TypeAlias = Literal["binary", "penalty"]


def shortest_path_lengths(world: AnyWorld, through_goal: bool = False) -> npt.NDArray[np.int32]:
    """The steps d(s, g) of the shortest path from every state to every state.

        d(g, g) = 0,   d(s, g) = 1 + min over actions a and their outcomes s' of d(s', g)

    Paths are those of episodes, which end at the world's goals and holes: a state behind them cannot be reached, and
    from them nothing can. With `through_goal` all paths count.

    Returns:
        Array [states, states], d(s, g) in row s and column g; `UNREACHABLE` (−1) where there is no path.
    """
    world = as_world(world)
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


def shortest_path(world: AnyWorld) -> int:
    """The steps of the shortest path from a start to a goal: no episode that reaches a goal is shorter.

    With several starts and goals the nearest pair counts; with random moves the luckiest path. `optimum` has the mean
    length of the best policy's episodes.
    """
    world = as_world(world)
    return int(steps_to_goal(world.outcomes, world.chances, world.ending)[world.starts].min())


def optimal_values(world: AnyWorld, reach: int, discount: float, pseudo_reward: PseudoReward = "binary") -> Numbers:
    """The value V(s, g) of the best action of a level whose actions span up to `reach` environment steps.

    A path of d(s, g) steps takes m = ⌈d(s, g) / reach⌉ such actions, the last of which reaches g. Then

        V(s, g) = v(m)
        binary:    v(1) = 1,   v(m) = γ · v(m − 1) = γ^(m − 1)
        penalty:   v(1) = 0,   v(m) = −1 + γ · v(m − 1)

    Powers are computed by repeated multiplication, in the order in which one-step backups would do it. Where moves are
    random, d counts the steps of the luckiest path, so V is an upper bound; `best_values` includes the chances.

    Args:
        world: The world.
        reach: H^a_i, the most environment steps that one action of the level takes; 1 for level 0.
        discount: γ, above 0 and at most 1.
        pseudo_reward: "binary", 1 at the goal and 0 before; or "penalty", 0 at the goal and −1 before.

    Returns:
        Array [states, states], V(s, g) in row s and column g. NaN where s = g, where there is nothing to decide.
        Where no path of an episode leads from s to g, the return of an endless search: 0 for binary, −1 / (1 − γ) for
        penalty (−∞ at γ = 1).
    """
    world = as_world(world)
    if not isinstance(reach, int | np.integer) or reach < 1:
        raise InputError(f"the reach is a whole number of environment steps, 1 or more, not {shortened(reach)}")
    check_discount(discount)
    if pseudo_reward not in ("binary", "penalty"):
        raise InputError(f'the pseudo-reward is "binary" or "penalty", not {shortened(pseudo_reward)}')
    _check_pairs(world, np.dtype(np.float64).itemsize)
    lengths = shortest_path_lengths(world)
    actions_needed = -(-lengths // min(int(reach), world.states))
    at_goal, before_goal = (1.0, 0.0) if pseudo_reward == "binary" else (0.0, -1.0)
    values = [math.nan, at_goal]
    while len(values) <= actions_needed.max():
        values.append(before_goal + float(discount) * values[-1])
    limit = 0.0 if pseudo_reward == "binary" else -math.inf if discount == 1 else -1 / (1 - discount)
    return np.where(lengths == UNREACHABLE, limit, np.array(values)[actions_needed])


def dead_ends(world: World) -> Integers:
    """The states with exactly one neighbour to step to, ascending; starts and ends count like any other."""
    return np.flatnonzero(np.diff(_moves(world, through_goal=True).indptr) == 1)


def unreachable(world: World, through_goal: bool = False) -> Integers:
    """The states that cannot be reached from any start, ascending; `through_goal` as in `shortest_path_lengths`."""
    return np.flatnonzero(~reached_from(_moves(world, through_goal), world.starts))


def check_discount(discount: float) -> None:
    """Raises an InputError unless this is a discount."""
    if not isinstance(discount, float | int | np.floating) or not 0 < discount <= 1:
        raise InputError(f"the discount is a number above 0 and at most 1, not {shortened(discount)}")


def _moves(world: World, through_goal: bool) -> Any:
    return moves_between(world.outcomes, world.chances, (world.ending == GOES_ON) | through_goal)


def _check_pairs(world: World, bytes_each: int) -> None:
    size = bytes_each * world.states**2
    if size > MAX_PAIR_BYTES:
        raise InputError(
            f"a number for every pair of the {world.states:,} states of {world.name} would take "
            f"{size / 2**30:.1f} GiB, more than {MAX_PAIR_BYTES / 2**30:.0f} GiB; use a smaller world"
        )
