"""The sub-goals of a level: every cell, the cells within an L1 distance, or the states within a number of steps."""

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import GOES_ON, Integers, moves_between, read_only
from hierq.worlds.map_text import shortened

if TYPE_CHECKING:
    from hierq.worlds.world import World

MAX_SUBGOAL_BYTES = 4 * 2**30
MAX_PAIRS = 4_000_000  # of a state and another near it, in working memory at a time

SubgoalCells: TypeAlias = Literal["free", "grid"]
Nearness: TypeAlias = Literal["L1", "steps"]
Cells: TypeAlias = npt.NDArray[np.int32]
Subgoals: TypeAlias = tuple[Cells, Integers]


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


def find_subgoals(world: "World", reach: int | None, cells: SubgoalCells, nearness: Nearness) -> Subgoals:
    """Those of `World.subgoals`, whose arguments are settled."""
    if nearness == "steps":
        return _by_steps(world, reach)
    choices = world.states if cells == "free" else world.cells
    most = choices - 1 if reach is None else min(choices - 1, 2 * reach * (reach + 1))
    _check_size(world, most)
    if reach is None:
        # Every cell other than s itself: 0 … s−1, s+1 … choices−1 in row s.
        columns = np.arange(most, dtype=np.int32)
        own = np.arange(world.states, dtype=np.int32)[:, np.newaxis]
        return read_only(columns + (columns >= own)), read_only(np.full(world.states, most))
    free, diamond = world.positions[: world.states], _diamond(reach, world.shape)
    # A block of states at a time, so that the working memory stays small beside the result.
    block = max(1, MAX_PAIRS // len(diamond))
    starts = range(0, world.states, block)
    return _joined([_cells_around(free[first : first + block], diamond, world.cell_at, choices) for first in starts])


def _by_steps(world: "World", reach: int | None) -> Subgoals:
    """The states c ≠ s that actions can lead to from s within `reach` steps, if chance helps.

    Every outcome with a chance above 0 counts. An episode ends at goals and in holes, so they are reached but nothing
    lies behind them, and from them nothing is near. With doors c can be near s and s not near c. `World.subgoals`
    explains the arrays.
    """
    from scipy.sparse import eye_array

    moves = moves_between(world.outcomes, world.chances, world.ending == GOES_ON)
    onwards = (moves + eye_array(world.states, format="csr", dtype=moves.dtype)).astype(bool)  # one step, or none
    steps = world.states if reach is None else min(int(reach), world.states)
    block = max(1, MAX_PAIRS // _most_near(world, onwards, steps))
    parts = []
    for first in range(0, world.states, block):
        parts.append(_states_after(onwards, np.arange(first, min(first + block, world.states)), steps))
        _check_size(world, parts[-1].shape[1])
    return _joined(parts)


def _check_size(world: "World", most: int) -> None:
    """Refuses an array of up to `most` sub-goals for every state if it would not fit in memory."""
    size = np.dtype(np.int32).itemsize * world.states * most
    if size > MAX_SUBGOAL_BYTES:
        raise InputError(
            f"the sub-goals of {world.name} would take {size / 2**30:.1f} GiB: {world.states:,} states "
            f"with up to {most:,} sub-goals each; give a smaller reach or a smaller world"
        )


def _joined(parts: list[Cells]) -> Subgoals:
    """The rows of all blocks in one array, filled up with −1, and how many sub-goals each has; it empties the list."""
    counts = np.concatenate([(part >= 0).sum(axis=1) for part in parts])
    joined = np.full((len(counts), counts.max()), -1, dtype=np.int32)
    row = len(counts)
    while parts:
        part = parts.pop()  # its memory is free now
        row -= len(part)
        joined[row : row + len(part), : part.shape[1]] = part
    return read_only(joined), read_only(counts)


def _diamond(reach: int, shape: tuple[int, ...]) -> Integers:
    """The moves (down, right) of 1 to `reach` steps that can lie inside a grid of this shape."""
    high, wide = min(reach, shape[0] - 1), min(reach, shape[1] - 1)
    moves = np.mgrid[-high : high + 1, -wide : wide + 1].reshape(2, -1).T
    distance = np.abs(moves).sum(axis=1)
    kept: Integers = moves[(distance > 0) & (distance <= reach)]
    return kept


def _cells_around(centres: Integers, moves: Integers, cell_at: Integers, choices: int) -> Cells:
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


def _most_near(world: "World", onwards: Any, steps: int) -> int:
    """A bound on how many states can be near a state, itself included."""
    if world.is_geometric:
        return min(world.states, 2 * steps * (steps + 1) + 1)
    ways, most = int(np.diff(onwards.indptr).max()), 1
    for _ in range(steps):
        most *= ways
        if most >= world.states:
            return world.states
    return most


def _states_after(onwards: Any, sources: Integers, steps: int) -> Cells:
    """A row for each source: the other states at most `steps` steps away, ascending, then −1."""
    reached = onwards[sources]
    for _ in range(steps - 1):
        further = reached @ onwards
        if further.nnz == reached.nnz:
            break
        reached = further
    reached.sort_indices()
    counts = np.diff(reached.indptr)
    is_other = reached.indices != np.repeat(sources, counts)  # every state is also near itself
    near = np.full((len(sources), counts.max() - 1), -1, dtype=np.int32)
    near[np.arange(near.shape[1]) < counts[:, np.newaxis] - 1] = reached.indices[is_other]
    return near
