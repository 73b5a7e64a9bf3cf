"""The preference of the published program for the instructed goal: a slip, which is in all published numbers of k > 1.

It meant to prefer the goal among the tied best sub-goals if the goal is near, and preferred another cell instead.
"""

import numpy as np

from hierq.agents.kernel_config import KernelConfig
from hierq.agents.world_arrays import WorldArrays, distance

NOWHERE: int = np.int64(-1)  # type: ignore[assignment]  # Numba types a literal −1 differently


def published_preference(config: KernelConfig, world: WorldArrays, reach: int, state: int, goal: int) -> int:
    """The sub-goal that a level above 0 prefers if it ties, or NOWHERE."""
    if config.anywhere:
        return goal
    return misread_goal(config, world, reach, state, goal) if distance(world, state, goal) < reach else NOWHERE


def misread_goal(config: KernelConfig, world: WorldArrays, r: int, state: int, goal: int) -> int:
    """The legal sub-goal that the program took for a goal within reach r, or NOWHERE.

    It meant to encode the difference goal − state as an index into the diamond of radius r, row by row from the top:
        index(d0, d1) = c + sgn(d0) · (c − (r + 1 − |d0|)(r − |d0|)) + d1,    c = r (r + 1) at the centre
    but took d0 from the state's own two coordinates, and decoded whatever cell has that index.
    """
    p = world.positions
    d0, d1 = p[state, 1] - p[state, 0], p[goal, 1] - p[goal, 0]
    centre = r * (r + 1)
    index = centre + np.sign(d0) * (centre - (r + 1 - abs(d0)) * (r - abs(d0))) + d1
    if index < 0 or index > 2 * centre:
        return NOWHERE
    d0 = -r
    while index > 2 * (r - abs(d0)):  # a row of the diamond has 2 (r − |d0|) + 1 cells
        index -= 2 * (r - abs(d0)) + 1
        d0 += 1
    row, column = p[state, 0] + d0, p[state, 1] + index - (r - abs(d0))
    rows, columns = world.cell_at.shape
    if row < 0 or row >= rows or column < 0 or column >= columns:
        return NOWHERE
    cell = int(world.cell_at[row, column])
    legal = cell != state and (config.walls or cell < len(world.ending))
    return cell if legal else NOWHERE
