"""The sub-goals of a level: every cell, the cells within an L1 distance, or the states within a number of steps."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import Integers, check_size, moves_between, read_only

if TYPE_CHECKING:
    from hierq.worlds.world import World

MAX_PAIRS = 4_000_000  # of a state and another near it, in working memory at a time

SubgoalCells: TypeAlias = Literal["free", "grid"]
Nearness: TypeAlias = Literal["L1", "steps"]
Cells: TypeAlias = npt.NDArray[np.int32]
Subgoals: TypeAlias = tuple[Cells, Integers]
Blocks: TypeAlias = Iterator[Integers]  # all states, some at a time
Found: TypeAlias = Iterator[Cells]  # for each block the cells near its states: ascending, then −1


def settled(
    world: "World", reach: int | None, cells: SubgoalCells, nearness: Nearness
) -> tuple[int | None, SubgoalCells, Nearness]:
    """The arguments of `World.subgoals`, checked; a reach beyond the farthest cell becomes None."""
    if cells not in ("free", "grid"):
        raise InputError(f'sub-goal cells are "free" or "grid", not {cells!r:.60}')
    if nearness not in ("L1", "steps"):
        raise InputError(f'nearness is "L1" or "steps", not {nearness!r:.60}')
    if reach is not None and (not isinstance(reach, int | np.integer) or reach < 1):
        raise InputError(f"a reach is a whole number of steps from 1 on, or None, not {reach!r:.60}")
    if nearness == "L1" and not world.is_grid and reach is not None:
        raise InputError(f'{world.name} has no coordinates; use nearness="steps"')
    if nearness == "steps" and cells == "grid":
        raise InputError('no steps lead into a wall; with nearness="steps" the cells are "free"')
    farthest = sum(world.shape) - 2 if nearness == "L1" else world.states
    return None if reach is None or reach >= farthest else int(reach), cells, nearness


def find_subgoals(world: "World", reach: int | None, cells: SubgoalCells, nearness: Nearness) -> Subgoals:
    """The sub-goals that `World.subgoals` explains, of settled arguments."""
    choices = world.states if cells == "free" else world.cells
    most = choices - 1
    if reach is not None and (nearness == "L1" or world.is_geometric):
        most = min(most, 2 * reach * (reach + 1))
    # A block of states at a time, so that the working memory stays small beside the result.
    block = max(1, MAX_PAIRS // most)
    blocks = (np.arange(first, min(first + block, world.states)) for first in range(0, world.states, block))
    if nearness == "steps":
        found = _by_steps(world, world.states if reach is None else reach, blocks)
    elif reach is None:
        others = np.arange(choices - 1, dtype=np.int32)  # of state s: 0 … s−1, s+1 … choices−1
        found = (others + (others >= states[:, np.newaxis]) for states in blocks)
    else:
        found = _by_distance(world, reach, choices, blocks)
    parts = []
    for part in found:
        parts.append(part)
        what = f"the sub-goals of {world.name}: {world.states:,} states with up to {part.shape[1]:,} each"
        check_size(what, part.itemsize * world.states * part.shape[1])
    counts = np.concatenate([(part >= 0).sum(axis=1) for part in parts])
    joined = np.full((world.states, counts.max()), -1, dtype=np.int32)
    for number, part in enumerate(parts):
        joined[number * block : number * block + len(part), : part.shape[1]] = part
    return read_only(joined), read_only(counts)


def _by_distance(world: "World", reach: int, choices: int, blocks: Blocks) -> Found:
    """The cells within an L1 distance, of those that are numbered below `choices`."""
    rows, columns = world.shape
    high, wide = min(reach, rows - 1), min(reach, columns - 1)
    moves = np.mgrid[-high : high + 1, -wide : wide + 1].reshape(2, -1).T  # down and right
    distance = np.abs(moves).sum(axis=1)
    moves = moves[(distance > 0) & (distance <= reach)]
    none = np.iinfo(np.int32).max
    for states in blocks:
        row, column = (world.positions[states, axis, np.newaxis] + moves[:, axis] for axis in (0, 1))
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        cell = np.where(inside, world.cell_at[row % rows, column % columns], none).astype(np.int32)
        cell[cell >= choices] = none
        cell.sort(axis=1)
        cell[cell == none] = -1
        yield cell[:, : (cell >= 0).sum(axis=1).max()].copy()


def _by_steps(world: "World", reach: int, blocks: Blocks) -> Found:
    """The states that actions can lead to within some steps, with luck.

    An episode ends at goals and in holes, so they are reached but nothing lies behind them, and from them nothing is
    near. With doors c can be near s and s not near c.
    """
    from scipy.sparse import eye_array

    moves = moves_between(world)
    onwards = (moves + eye_array(world.states, format="csr", dtype=moves.dtype)).astype(bool)  # one step, or none
    for states in blocks:
        reached = onwards[states]
        for _ in range(reach - 1):
            further = reached @ onwards
            if further.nnz == reached.nnz:
                break
            reached = further
        reached.sort_indices()
        counts = np.diff(reached.indptr)
        is_other = reached.indices != np.repeat(states, counts)  # every state is also near itself
        found = np.full((len(states), counts.max() - 1), -1, dtype=np.int32)
        found[np.arange(found.shape[1]) < counts[:, np.newaxis] - 1] = reached.indices[is_other]
        yield found
