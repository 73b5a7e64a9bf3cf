"""The length of a first episode in which sub-goals are reached by shortest paths but chosen at random."""

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.elimination import totals_until_end
from hierq.worlds.facts import UNREACHABLE, shortest_path_lengths
from hierq.worlds.layout import GOES_ON, IN_HOLE, Numbers
from hierq.worlds.maps import AnyWorld, as_world
from hierq.worlds.subgoals import Nearness
from hierq.worlds.world import World


def aimless_steps(world: AnyWorld, horizon: int = 3, nearness: Nearness = "L1") -> Numbers:
    """The expected steps h(s) until two levels that know all paths, but not where the goal is, come upon it.

    The upper level asks for a cell within the horizon, all equally likely. The lower level follows a shortest path to
    it, ties broken uniformly, until it arrives or has made as many moves as the horizon:

        h(s) = mean over near w of T(s, w) + Σ_s' P(s' | s, w) h(s'),   h = 0 at the goal

    with T moves until s', where the lower level returns. Cells to which no path leads are looked for at random. A cell
    that is near by "L1" but behind a wall makes the agent turn back; comparison with `random_walk_steps` shows how much
    harm that does. Agents that ask for a goal as soon as it is near, as the paper's do, find it sooner. One linear
    system is solved.

    Args:
        world: A world without chance and holes, with one goal.
        horizon: H, the moves of the lower level and the distance within which sub-goals are asked for.
        nearness: "L1" distance or "steps" of the shortest path.

    Returns:
        Array [states], h(s); NaN where the goal may never be found.

    Raises:
        InputError: The world has chance, holes or several goals, or the horizon is no whole number of at least 1.
    """
    from scipy.sparse import csr_array

    world = as_world(world)
    if world.outcomes.shape[2] > 1 or len(world.goals) > 1 or (world.ending == IN_HOLE).any():
        raise InputError(f"{world.name} has chance, holes or several goals, which aimless_steps does not support")
    if isinstance(horizon, bool) or not isinstance(horizon, int | np.integer) or horizon < 1:
        raise InputError(f"horizon must be a whole number of at least 1, not {horizon!r}")
    near, counts = world.subgoals(horizon, "free", nearness=nearness)
    lengths = shortest_path_lengths(world, through_goal=True)  # it does not know where the goal is
    chances, moves = np.zeros((world.states, world.states)), np.zeros(world.states)
    for s in np.flatnonzero((world.ending == GOES_ON) & (counts > 0)):
        for w in near[s, : counts[s]]:
            arrived, steps = _sent(world, int(s), lengths[:, w], int(horizon))
            chances[s] += arrived / counts[s]
            moves[s] += steps / counts[s]
    return totals_until_end(csr_array(chances), world.ending != GOES_ON, moves, endless=np.nan)


def _sent(world: World, s: int, lengths: npt.NDArray[np.int32], horizon: int) -> tuple[Numbers, float]:
    """The chances [states] of where the lower level returns, and the moves that takes on average."""
    arrived, under_way, steps = np.zeros(world.states), {s: 1.0}, 0.0
    for left in range(horizon, 0, -1):
        steps += sum(under_way.values())
        after: dict[int, float] = {}
        for state, chance in under_way.items():
            successors = world.successors[state]
            if lengths[state] != UNREACHABLE:
                successors = successors[lengths[successors] == lengths[state] - 1]
            for successor in successors.tolist():
                is_back = left == 1 or lengths[successor] == 0 or world.ending[successor] != GOES_ON
                share = chance / len(successors)
                if is_back:
                    arrived[successor] += share
                else:
                    after[successor] = after.get(successor, 0.0) + share
        under_way = after
    return arrived, steps
