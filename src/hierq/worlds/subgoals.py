"""The sub-goals of a level: every cell, the cells within an L1 distance, or the states within a number of steps."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import GOES_ON, Integers, check_size, moves_between, read_only
from hierq.worlds.map_text import shortened

if TYPE_CHECKING:
    from hierq.worlds.world import World

BYTES_EACH = np.dtype(np.int32).itemsize
MAX_PAIRS = 4_000_000  # of a state and another near it, in working memory at a time

SubgoalCells: TypeAlias = Literal["free", "grid"]
Nearness: TypeAlias = Literal["L1", "steps"]
Cells: TypeAlias = npt.NDArray[np.int32]
Subgoals: TypeAlias = tuple[Cells, Integers]
Search: TypeAlias = Callable[[Integers], Cells]  # the cells near each of some states: ascending, then −1


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
    """The sub-goals that `World.subgoals` explains, of settled arguments."""
    choices = world.states if cells == "free" else world.cells
    if nearness == "steps":
        most, near = _by_steps(world, world.states if reach is None else reach)
    elif reach is None:
        most, near = _everywhere(choices)
    else:
        most, near = _by_distance(world, reach, choices)
    # A block of states at a time, so that the working memory stays small beside the result.
    block, parts = max(1, MAX_PAIRS // most), []
    for first in range(0, world.states, block):
        parts.append(near(np.arange(first, min(first + block, world.states))))
        widest = parts[-1].shape[1]
        what = f"the sub-goals of {world.name}: {world.states:,} states with up to {widest:,} each"
        check_size(what, BYTES_EACH * world.states * widest)
    return _joined(parts)


def _everywhere(choices: int) -> tuple[int, Search]:
    """How many cells there are beside a state, and the function that names them: 0 … s−1, s+1 … choices−1."""
    others = np.arange(choices - 1, dtype=np.int32)
    return choices - 1, lambda states: others + (others >= states[:, np.newaxis])


def _by_distance(world: "World", reach: int, choices: int) -> tuple[int, Search]:
    """How many cells can be near, and the function that finds those numbered below `choices`."""
    rows, columns = world.shape
    high, wide = min(reach, rows - 1), min(reach, columns - 1)
    moves = np.mgrid[-high : high + 1, -wide : wide + 1].reshape(2, -1).T  # down and right
    distance = np.abs(moves).sum(axis=1)
    moves = moves[(distance > 0) & (distance <= reach)]
    none = np.iinfo(np.int32).max

    def near(sources: Integers) -> Cells:
        row, column = (world.positions[sources, axis, np.newaxis] + moves[:, axis] for axis in (0, 1))
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        cell = np.where(inside, world.cell_at[row % rows, column % columns], none).astype(np.int32)
        cell[cell >= choices] = none
        cell.sort(axis=1)
        cell[cell == none] = -1
        return cell[:, : (cell >= 0).sum(axis=1).max()].copy()

    return len(moves), near


def _by_steps(world: "World", reach: int) -> tuple[int, Search]:
    """A bound on how many states can be near, and the function that finds those that actions can lead to, with luck.

    Every outcome with a chance above 0 counts. An episode ends at goals and in holes, so they are reached but nothing
    lies behind them, and from them nothing is near. With doors c can be near s and s not near c.
    """
    from scipy.sparse import eye_array

    moves = moves_between(world.outcomes, world.chances, world.ending == GOES_ON)
    onwards = (moves + eye_array(world.states, format="csr", dtype=moves.dtype)).astype(bool)  # one step, or none

    def near(sources: Integers) -> Cells:
        reached = onwards[sources]
        for _ in range(reach - 1):
            further = reached @ onwards
            if further.nnz == reached.nnz:
                break
            reached = further
        reached.sort_indices()
        counts = np.diff(reached.indptr)
        is_other = reached.indices != np.repeat(sources, counts)  # every state is also near itself
        found = np.full((len(sources), counts.max() - 1), -1, dtype=np.int32)
        found[np.arange(found.shape[1]) < counts[:, np.newaxis] - 1] = reached.indices[is_other]
        return found

    return min(world.states, 2 * reach * (reach + 1) + 1) if world.is_geometric else world.states, near


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
