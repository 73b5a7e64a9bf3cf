"""From a map to a world's arrays: where every action may lead, and whether a goal can be reached."""

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import IN_HOLE, Blueprint, Integers, Numbers, endings, in_one_place, spread, steps_to_goal
from hierq.worlds.map_text import DOORS, GOAL, HOLE, START, TELEPORTS, WALL, Grid, Map, parse_map

ACTION_NAMES = "NSWE"
ACTION_MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))
OPPOSITE = (1, 0, 3, 2)
SIDES = ((2, 2, 0, 0), (3, 3, 1, 1))  # the actions to both sides of each action


def map_blueprint(text: str) -> Blueprint:
    """The arrays of the world of a map."""
    read = parse_map(text)
    grid = read.grid
    is_wall = grid == ord(WALL)
    free = np.argwhere(~is_wall)
    positions = np.concatenate([free, np.argwhere(is_wall)])
    cell_at = np.empty(grid.shape, dtype=np.int64)
    cell_at[positions[:, 0], positions[:, 1]] = np.arange(len(positions))
    moves = _moves(grid, free, cell_at)
    outcomes, chances = in_one_place(moves) if read.slip == 0 else _slipping(moves, read.slip)
    starts = cell_at[grid == ord(START)]
    goals, holes = cell_at[grid == ord(GOAL)], cell_at[grid == ord(HOLE)]
    _check_ways(read, moves, endings(len(free), goals, holes), starts)
    return Blueprint(
        text=read.text,
        shape=(grid.shape[0], grid.shape[1]),
        positions=positions,
        cell_at=cell_at,
        outcomes=outcomes,
        chances=chances,
        starts=starts,
        start_chances=spread(len(starts)),
        goals=goals,
        holes=holes,
        slip=read.slip,
        action_names=tuple(ACTION_NAMES),
        is_grid=True,
        is_geometric=not _holds_any(grid, TELEPORTS),
    )


def _holds_any(grid: Grid, letters: str) -> bool:
    return bool(np.isin(grid, [ord(letter) for letter in letters]).any())


def _moves(grid: Grid, free: Integers, cell_at: Integers) -> Integers:
    """Array [states, 4]: where a move in each direction ends when it does not slip.

    Entering a teleport leads to the other cell with its digit. A door is entered only in its own direction and left by
    every move except the opposite one. A move that is not allowed stays put.
    """
    states = len(free)
    ahead_of = np.pad(grid, 1, constant_values=ord(WALL))
    entered = np.pad(_where_entering_leads(grid, cell_at), 1, constant_values=states)
    here, has_doors = np.arange(states), _holds_any(grid, DOORS)
    own = grid[free[:, 0], free[:, 1]] if has_doors else None
    moves = np.empty((states, len(ACTION_MOVES)), dtype=np.int64)
    for action, (down, right) in enumerate(ACTION_MOVES):
        ahead = free[:, 0] + 1 + down, free[:, 1] + 1 + right
        letter = ahead_of[ahead]
        is_open = letter != ord(WALL)
        if own is not None:
            others = [ord(door) for door in DOORS if door != DOORS[action]]
            is_open &= ~np.isin(letter, others) & (own != ord(DOORS[OPPOSITE[action]]))
        moves[:, action] = np.where(is_open, entered[ahead], here)
    return moves


def _where_entering_leads(grid: Grid, cell_at: Integers) -> Integers:
    leads = cell_at.copy()
    for digit in TELEPORTS:
        places = np.nonzero(grid == ord(digit))
        leads[places] = leads[places][::-1]
    return leads


def _slipping(moves: Integers, slip: float) -> tuple[Integers, Numbers]:
    """Outcomes and chances: the intended move with 1 − p, either side with p/2, equal outcomes merged."""
    ends = np.stack([moves, moves[:, SIDES[0]], moves[:, SIDES[1]]], axis=2)
    chances = np.empty(ends.shape)
    chances[:] = 1 - slip, slip / 2, slip / 2
    for one, other in ((0, 1), (0, 2), (1, 2)):
        is_same = ends[:, :, one] == ends[:, :, other]
        chances[:, :, one] += np.where(is_same, chances[:, :, other], 0.0)
        chances[is_same, other] = 0.0
    counts = (chances > 0).sum(axis=2, keepdims=True)
    order = np.argsort(chances == 0, axis=2, kind="stable")  # what may happen comes first
    order = np.take_along_axis(order, np.minimum(np.arange(3), counts - 1), axis=2)
    outcomes, chances = (np.take_along_axis(array, order, axis=2) for array in (ends, chances))
    chances[np.arange(3) >= counts] = 0.0
    chances[counts[:, :, 0] == 1, 0] = 1.0  # without the rounding of the sum
    most = int(counts.max())
    return np.ascontiguousarray(outcomes[:, :, :most]), np.ascontiguousarray(chances[:, :, :most])


def _check_ways(read: Map, moves: Integers, ending: npt.NDArray[np.uint8], starts: Integers) -> None:
    """Refuses a map with a start from which no goal can be reached.

    Slip does not matter: every sideways move is also the intended move of another action.
    """
    steps = steps_to_goal(*in_one_place(moves), ending)[starts]
    if np.isfinite(steps).all():
        return
    start = read.place(*np.argwhere(read.grid == ord(START))[np.argmax(steps)].tolist())
    holes = ", past the holes" if (ending == IN_HOLE).any() else ""
    doors = "; doors open one way only" if _holds_any(read.grid, DOORS) else ""
    raise InputError(f"no goal can be reached from the start at {start}; open a way through the walls{holes}{doors}")
