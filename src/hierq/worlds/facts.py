"""Facts about a world that do not depend on the agent: shortest paths, their values, unreachable states.

All functions read a world and return new arrays. An episode ends at goals and in holes, so no path leads on from
them. Where moves are random, every outcome with a chance above 0 counts as a possible step of a path.
For expectations see `chances.py`.
"""

import numpy as np
import numpy.typing as npt

from hierq.checks import number_between, whole_number
from hierq.worlds.layout import Integers, Numbers, check_size, moves_between, reached_from, steps_to_goal
from hierq.worlds.maps import AnyWorld, as_world
from hierq.worlds.world import World

UNREACHABLE = -1


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

    check_size(f"a number for every pair of the {world.states:,} states of {world.name}", 8 * world.states**2)
    steps = dijkstra(moves_between(world, through_goal), unweighted=True)
    steps[np.isinf(steps)] = UNREACHABLE
    found: npt.NDArray[np.int32] = steps.astype(np.int32)
    return found


def shortest_path(world: AnyWorld) -> int:
    """The steps of the shortest path from a start to a goal: no episode that reaches a goal is shorter.

    With several starts and goals the nearest pair counts; with random moves the luckiest path. `optimum` has the mean
    length of the best policy's episodes.
    """
    world = as_world(world)
    return int(steps_to_goal(world)[world.starts].min())


def optimal_values(world: AnyWorld, reach: int, discount: float) -> Numbers:
    """The value V(s, g) of the best action of a level whose actions span up to `reach` environment steps.

    A path of d(s, g) steps takes m = ⌈d(s, g) / reach⌉ such actions, the last of which reaches g:

        V(s, g) = γ^(m − 1)

    Powers are computed by repeated multiplication, in the order in which one-step backups would do it. Where moves are
    random, d counts the steps of the luckiest path, so V is an upper bound; `best_values` includes the chances.

    Args:
        world: The world.
        reach: H^a_i, the most environment steps that one action of the level takes; 1 for level 0.
        discount: γ, above 0 and at most 1.

    Returns:
        Array [states, states], V(s, g) in row s and column g: 0 where no path of an episode leads from s to g, and NaN
        where s = g, where there is nothing to decide.
    """
    world = as_world(world)
    reach = whole_number("the reach", reach)
    discount = number_between("the discount", discount, 0, 1, open_low=True)
    lengths = shortest_path_lengths(world)
    actions_needed = -(-lengths // min(reach, world.states))
    powers = np.full(max(1, actions_needed.max()), discount)
    powers[0] = 1.0
    values = np.concatenate([[np.nan], np.cumprod(powers)])
    return np.where(lengths == UNREACHABLE, 0.0, values[actions_needed])


def dead_ends(world: World) -> Integers:
    """The states with exactly one neighbour to step to, ascending; starts and ends count like any other."""
    return np.flatnonzero(np.diff(moves_between(world, through_goal=True).indptr) == 1)


def unreachable(world: World, through_goal: bool = False) -> Integers:
    """The states that cannot be reached from any start, ascending; `through_goal` as in `shortest_path_lengths`."""
    return np.flatnonzero(~reached_from(moves_between(world, through_goal), world.starts))
