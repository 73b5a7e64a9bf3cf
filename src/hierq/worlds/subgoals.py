"""The sub-goals of a level by coordinates: every cell, or the cells within a distance."""

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import read_only
from hierq.worlds.map_text import shortened

if TYPE_CHECKING:
    from hierq.worlds.world import World

MAX_SUBGOAL_BYTES = 4 * 2**30

SubgoalCells: TypeAlias = Literal["free", "grid"]
Nearness: TypeAlias = Literal["L1", "steps"]
Subgoals: TypeAlias = tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]


def settled(
    world: "World", reach: int | None, cells: SubgoalCells, nearness: Nearness
) -> tuple[int | None, SubgoalCells, Nearness]:
    """The arguments of `World.subgoals`, checked; a reach beyond the farthest cell becomes None."""
    if cells not in ("free", "grid"):
        raise InputError(f'sub-goal cells are "free" or "grid", not {shortened(cells)}')
    if nearness not in ("L1", "steps"):
        raise InputError(f'nearness is "L1" or "steps", not {shortened(nearness)}')
    if reach is not None and (not isinstance(reach, int | np.integer) or reach < 1):
        raise InputError(f"a reach is a whole number of steps from 1 on, or None, not {shortened(reach)}")
    if nearness == "L1" and not world.is_grid and reach is not None:
        raise InputError(f'{world.name} has no coordinates; use nearness="steps"')
    if nearness == "steps" and cells == "grid":
        raise InputError('no steps lead into a wall; with nearness="steps" the cells are "free"')
    farthest = sum(world.shape) - 2 if nearness == "L1" else world.states
    return None if reach is None or reach >= farthest else int(reach), cells, nearness


def subgoals_by_distance(world: "World", reach: int | None, cells: str) -> Subgoals:
    """The cells within an L1 distance, or with None all of them; `World.subgoals` explains it."""
    choices = world.states if cells == "free" else world.cells
    most = choices - 1 if reach is None else min(choices - 1, 2 * reach * (reach + 1))
    check_size(world, most)
    if reach is None:
        return _subgoals_anywhere(world.states, choices)
    return _subgoals_nearby(world.positions[: world.states], world.cell_at, choices, reach)


def check_size(world: "World", most: int) -> None:
    """Refuses an array of up to `most` sub-goals for every state if it would not fit in memory."""
    size = np.dtype(np.int32).itemsize * world.states * most
    if size > MAX_SUBGOAL_BYTES:
        raise InputError(
            f"the sub-goals of {world.name} would take {size / 2**30:.1f} GiB: {world.states:,} states "
            f"with up to {most:,} sub-goals each; give a smaller reach or a smaller world"
        )


def _subgoals_anywhere(states: int, choices: int) -> Subgoals:
    """Every cell other than s itself: 0 … s−1, s+1 … choices−1 in row s."""
    columns = np.arange(choices - 1, dtype=np.int32)
    own = np.arange(states, dtype=np.int32)[:, np.newaxis]
    return read_only(columns + (columns >= own)), read_only(np.full(states, choices - 1))


def _subgoals_nearby(free: npt.NDArray[np.int64], cell_at: npt.NDArray[np.int64], choices: int, reach: int) -> Subgoals:
    """The cells numbered below `choices` in the diamond around each state."""
    diamond = _diamond(reach, cell_at.shape)
    # A block of states at a time, so that the working memory stays small beside the result.
    block = max(1, 2_000_000 // len(diamond))
    parts = [
        _cells_around(free[first : first + block], diamond, cell_at, choices) for first in range(0, len(free), block)
    ]
    counts = np.concatenate([(part >= 0).sum(axis=1) for part in parts])
    subgoals = np.full((len(free), counts.max()), -1, dtype=np.int32)
    for index, part in enumerate(parts):
        subgoals[index * block : index * block + len(part), : part.shape[1]] = part
    return read_only(subgoals), read_only(counts)


def _diamond(reach: int, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """The moves (down, right) of 1 to `reach` steps that can lie inside a grid of this shape."""
    high, wide = min(reach, shape[0] - 1), min(reach, shape[1] - 1)
    moves = np.mgrid[-high : high + 1, -wide : wide + 1].reshape(2, -1).T
    distance = np.abs(moves).sum(axis=1)
    kept: npt.NDArray[np.int64] = moves[(distance > 0) & (distance <= reach)]
    return kept


def _cells_around(
    centres: npt.NDArray[np.int64], moves: npt.NDArray[np.int64], cell_at: npt.NDArray[np.int64], choices: int
) -> npt.NDArray[np.int32]:
    """The cells numbered below `choices` at these moves from each centre, ascending, then −1."""
    rows, columns = cell_at.shape
    nothing = np.iinfo(np.int32).max
    row = centres[:, :1] + moves[:, 0]
    column = centres[:, 1:] + moves[:, 1]
    inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    cell = np.where(inside, cell_at[row % rows, column % columns], nothing).astype(np.int32)
    cell[cell >= choices] = nothing
    cell.sort(axis=1)
    cell[cell == nothing] = -1
    most = (cell >= 0).sum(axis=1).max()
    return cell[:, :most].copy()
