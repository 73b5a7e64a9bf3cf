"""A world as data: where each action leads from each free cell, where cells lie, the start and the goal."""

import hashlib
import operator
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.map_text import GOAL, START, WALL, canonical_text, parse_map, read_map_file, shortened

ACTION_NAMES = "NSWE"
ACTION_MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))
MOST_SUBGOAL_BYTES = 4 * 2**30

Place: TypeAlias = tuple[int, int] | int
SubgoalCells: TypeAlias = Literal["free", "grid"]
Subgoals: TypeAlias = tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class World:
    """A deterministic goal-reaching problem on a grid; immutable, and sound once it exists.

    Every cell of the grid has a number: free cells come first, in reading order, then the walls, in reading
    order. A state is the number of a free cell. Everything follows from the text of the map, so two worlds
    are equal when their texts are; the name is only a label. All arrays are read-only.

    Attributes:
        name: How the world is called in tables and messages.
        text: The map, one line per row, each ended by a newline; `World.from_text(world.text) == world`.
        shape: Rows and columns of the grid, border included.
        successors: Array [states, 4], the state after moving N, S, W, E; a move into a wall or off the grid
            stays put. The goal has successors too: that it ends the episode is no rule of moves.
        positions: Array [cells, 2], row and column of every cell, counted from 0 at the top left.
        cell_at: Array [rows, columns], the number of the cell at each position.
        start: The state in which an episode begins.
        goal: The state that ends an episode and gives reward 1.
    """

    name: str = "my-world"
    text: str
    shape: tuple[int, int] = field(init=False)
    successors: npt.NDArray[np.int64] = field(init=False)
    positions: npt.NDArray[np.int64] = field(init=False)
    cell_at: npt.NDArray[np.int64] = field(init=False)
    start: int = field(init=False)
    goal: int = field(init=False)
    _subgoals: dict[tuple[int | None, SubgoalCells], Subgoals] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        grid = parse_map(self.text)
        is_wall = grid == ord(WALL)
        free = np.argwhere(~is_wall)
        positions = np.concatenate([free, np.argwhere(is_wall)])
        cell_at = np.empty(grid.shape, dtype=np.int64)
        cell_at[positions[:, 0], positions[:, 1]] = np.arange(len(positions))
        derived = {
            "text": canonical_text(grid),
            "shape": (grid.shape[0], grid.shape[1]),
            "successors": _read_only(_successors(free, cell_at)),
            "positions": _read_only(positions),
            "cell_at": _read_only(cell_at),
            "start": int(cell_at[grid == ord(START)][0]),
            "goal": int(cell_at[grid == ord(GOAL)][0]),
        }
        for attribute, value in derived.items():
            object.__setattr__(self, attribute, value)

    @classmethod
    def from_text(cls, text: str, name: str = "my-world") -> Self:
        """Makes a world from a map in the characters `#` (wall), `.` (free), `S` (start) and `G` (goal).

        Args:
            text: One line per row, all equally long; CRLF and blank lines at the end are accepted.
            name: How the world is called.

        Raises:
            InputError: The text is no sound map; the message names the line and column and the remedy.
        """
        return cls(text=text, name=name)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Makes a world from a text file; it is named after the file.

        Raises:
            InputError: The file cannot be read or holds no sound map; the message begins with the path.
        """
        text = read_map_file(path)
        try:
            return cls(text=text, name=Path(path).stem)
        except InputError as problem:
            raise InputError(f"{os.fspath(path)}: {problem}") from None

    @property
    def states(self) -> int:
        """Number of free cells."""
        return len(self.successors)

    @property
    def cells(self) -> int:
        """Number of cells of the grid, walls and border included."""
        return len(self.positions)

    @property
    def actions(self) -> int:
        """Number of environment actions: N, S, W, E."""
        return len(ACTION_MOVES)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text as hexadecimal digits: the same for equal worlds, whatever their names."""
        return hashlib.sha256(self.text.encode("ascii")).hexdigest()

    def cell_number(self, where: Place) -> int:
        """The number of a cell given as (row, column), or the same number, checked.

        Raises:
            InputError: There is no such cell.
        """
        is_pair = isinstance(where, tuple | list | np.ndarray)
        parts: Any = where if is_pair else (where,)
        try:
            numbers = [operator.index(part) for part in parts]
        except TypeError:
            numbers = []
        if is_pair and len(numbers) == 2:
            return self._number_at(numbers[0], numbers[1])
        if is_pair or not numbers:
            raise InputError(f"a cell is given as (row, column) or as its number, not as {shortened(where)}")
        if not 0 <= numbers[0] < self.cells:
            raise InputError(
                f"there is no cell number {numbers[0]}; the cells of {self.name} are 0 to {self.cells - 1}"
            )
        return numbers[0]

    def state_number(self, where: Place) -> int:
        """The number of a free cell given as (row, column), or the same number, checked.

        Raises:
            InputError: There is no such cell, or it is a wall.
        """
        number = self.cell_number(where)
        if number >= self.states:
            row, column = self.positions[number]
            raise InputError(f"cell ({row}, {column}) of {self.name} is a wall; name a free cell")
        return number

    def subgoals(self, reach: int | None, cells: SubgoalCells = "free") -> Subgoals:
        """The legal sub-goals of a level in every state s: the cells c ≠ s with L1(s, c) ≤ reach.

        L1(s, c) = |row_s − row_c| + |column_s − column_c|.

        Args:
            reach: The level's span H^a_i in environment steps; None for sub-goals anywhere.
            cells: "free" for free cells only, "grid" for every cell of the grid, walls and border included.

        Returns:
            Array [states, most], each state's sub-goals as ascending cell numbers, filled up with −1, and
            array [states], how many there are. Both are read-only and kept for the next call.

        Raises:
            InputError: The reach is below 1, `cells` is unknown, or the array would not fit in memory.
        """
        if cells not in ("free", "grid"):
            raise InputError(f'sub-goal cells are "free" or "grid", not {shortened(cells)}')
        if reach is not None and (not isinstance(reach, int | np.integer) or reach < 1):
            raise InputError(f"a reach is a whole number of steps from 1 on, or None, not {shortened(reach)}")
        farthest = sum(self.shape) - 2
        key = (None if reach is None or reach >= farthest else int(reach), cells)
        if key not in self._subgoals:
            self._subgoals[key] = self._find_subgoals(*key)
        return self._subgoals[key]

    def _find_subgoals(self, reach: int | None, cells: SubgoalCells) -> Subgoals:
        choices = self.states if cells == "free" else self.cells
        most = choices - 1 if reach is None else min(choices - 1, 2 * reach * (reach + 1))
        size = np.dtype(np.int32).itemsize * self.states * most
        if size > MOST_SUBGOAL_BYTES:
            raise InputError(
                f"the sub-goals of {self.name} would take {size / 2**30:.1f} GiB: {self.states:,} states "
                f"with up to {most:,} sub-goals each; give a smaller reach or a smaller world"
            )
        if reach is None:
            return _subgoals_anywhere(self.states, choices)
        return _subgoals_nearby(self.positions[: self.states], self.cell_at, choices, reach)

    def _number_at(self, row: int, column: int) -> int:
        rows, columns = self.shape
        if not (0 <= row < rows and 0 <= column < columns):
            raise InputError(
                f"cell ({row}, {column}) lies outside {self.name}; its rows are 0 to {rows - 1}, "
                f"its columns 0 to {columns - 1}"
            )
        return int(self.cell_at[row, column])

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, World) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<World {self.name}: {self.shape[0]} × {self.shape[1]} cells, {self.states} free>"

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy is made from the text again: unpickled arrays would be writable.
        return type(self).from_text, (self.text, self.name)


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.setflags(write=False)
    return array


def _successors(free: npt.NDArray[np.int64], cell_at: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    states = len(free)
    walled = np.pad(cell_at, 1, constant_values=states)
    after = (walled[free[:, 0] + 1 + down, free[:, 1] + 1 + right] for down, right in ACTION_MOVES)
    return np.stack([np.where(cell < states, cell, np.arange(states)) for cell in after], axis=1)


def _subgoals_anywhere(states: int, choices: int) -> Subgoals:
    """Every cell but the own one: 0 … s−1, s+1 … choices−1 in row s."""
    columns = np.arange(choices - 1, dtype=np.int32)
    own = np.arange(states, dtype=np.int32)[:, np.newaxis]
    return _read_only(columns + (columns >= own)), _read_only(np.full(states, choices - 1))


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
    return _read_only(subgoals), _read_only(counts)


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
