"""A world as data: where each action may lead from each state, where an episode begins and where it ends."""

import hashlib
import html
import operator
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.gymnasium_tables import name_of_environment, table_by_trying, table_of_environment
from hierq.worlds.layout import AT_GOAL, IN_HOLE, Blueprint, Integers, read_only
from hierq.worlds.map_text import ACTION_MOVES, ACTION_NAMES, map_blueprint, read_map_file
from hierq.worlds.observations import Key
from hierq.worlds.subgoals import Nearness, SubgoalCells, Subgoals, find_subgoals, settled
from hierq.worlds.tables import is_table, table_from_arrays, table_from_text

__all__ = ["ACTION_MOVES", "ACTION_NAMES", "Nearness", "Place", "SubgoalCells", "Subgoals", "World"]

Place: TypeAlias = tuple[int, int] | int

MAX_STATES_IN_NOTEBOOKS = 10_000  # of a map that is drawn


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class World(Blueprint):
    """A goal-reaching problem, on a map or in a table; immutable, and checked when it is made.

    On a map every cell of the grid has a number: first the free cells, then the walls, both in reading order. A state
    is the number of a free cell. A table has states only. Everything follows from the text, so two worlds are equal
    when their texts are equal; the name is only a label. All arrays are read-only.

    Attributes:
        name: The name of the world in tables and messages.
        text: The canonical text of the map or table; `World.from_text(world.text) == world`.
        shape: Rows and columns of the grid, border included; (0, 0) for a table.
        outcomes: Array [states, actions, most], the different states to which an action may lead, the intended one
            first; the last one fills up the row. Goals and holes have outcomes, too, although they end the episode.
        chances: Array [states, actions, most], the chance of each outcome. They sum to 1, and what fills up a row has
            chance 0. Where nothing is random, `most` is 1. On a map a move into a wall, off the grid or against a
            door stays put.
        positions: Array [cells, 2], row and column of every cell, counted from 0 at the top left; zeros for a table.
        cell_at: Array [rows, columns], the number of the cell at each position; empty for a table.
        letters: Array [rows, columns], the codes of the characters of the map; empty for a table.
        starts: The states in which an episode may begin, ascending.
        start_chances: The chance of each start; on a map all are equal.
        ending: Array [states] of bytes: 0 where the episode goes on, 1 at a goal, 2 in a hole.
        picture: Rows and columns of the cells in which figures draw the states of a table, equally many in each cell,
            in reading order; (0, 0) if it has none.
        slip: The chance that a move on the map goes sideways; 0 for a table.
        action_names: The names of the actions: N, S, W, E on a map, their numbers in a table.
        is_grid: Whether this is a map; only then do cells have positions.
        is_geometric: Whether every move leads to a neighbouring cell or stays, so that the L1 distance of two cells is
            never more than their distance in steps.
    """

    name: str = "my-world"
    _subgoals: dict[tuple[int | None, SubgoalCells, Nearness], Subgoals] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (isinstance(self.name, str) and self.name.isprintable()):
            raise InputError(f"a world's name is a line of readable characters, not {self.name!r}; take another name")

    @classmethod
    def from_text(cls, text: str, name: str = "my-world") -> Self:
        """Makes a world from the text of a map, or of a table as `from_table` writes it.

        `#` is a wall, `.` free, `S` a start (one of them is drawn), `G` a goal, `H` a hole, which ends the episode
        without reward. `^ v < >` are one-way doors: only a move in their direction enters them, and any but the
        opposite one leaves them. Two cells with the same digit from 1 to 9 are a teleport: entering one leads to the
        other. With a line `slip: 0.2` above the map, moves go sideways with probability 0.2, to either side equally
        often. Lines have equal length; CRLF and blank lines at the end are accepted.

        Raises:
            InputError: The text is not a valid map; the message names the line and column and the remedy.
        """
        blueprint = table_from_text(text) if is_table(text) else map_blueprint(text)
        return cls(name=name, **vars(blueprint))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Makes a world from a text file; it is named after the file.

        Raises:
            InputError: The file cannot be read or holds no valid world; the message begins with the path.
        """
        text = read_map_file(path)
        try:
            return cls.from_text(text, name=Path(path).stem)
        except InputError as problem:
            raise InputError(f"{os.fspath(path)}: {problem}") from None

    @classmethod
    def from_table(
        cls,
        outcomes: npt.ArrayLike,
        chances: npt.ArrayLike | None = None,
        *,
        starts: npt.ArrayLike = (0,),
        start_chances: npt.ArrayLike | None = None,
        goals: npt.ArrayLike,
        holes: npt.ArrayLike = (),
        name: str = "my-world",
    ) -> Self:
        """Makes a world without coordinates from arrays.

        Args:
            outcomes: Array [states, actions, most] of the states to which each action may lead, or [states, actions]
                where nothing is random.
            chances: Array of the same shape; the chances of an action sum to 1. None where nothing is random.
            starts: The states in which an episode may begin.
            start_chances: The chance of each start; None if all are equal.
            goals: The states that end an episode with reward 1.
            holes: The states that end an episode without reward.
            name: The name of the world.

        Raises:
            InputError: This is not a valid table; the message names the state and the action.
        """
        return cls(name=name, **vars(table_from_arrays(outcomes, chances, starts, start_chances, goals, holes)))

    @classmethod
    def from_gymnasium(cls, env: Any, goals: Iterable[int] | None = None, name: str | None = None) -> Self:
        """Makes a world from a Gymnasium environment with Discrete spaces and a table `env.unwrapped.P`.

        Its rewards only tell goals from holes: of the possible transitions that end an episode, those with the largest
        reward lead to goals, all others to holes. In hierq entering a goal gives reward 1 and everything else 0,
        whatever the environment pays. A limit on the steps of an episode is not part of the table. States keep their
        numbers, even if no episode visits them.

        Args:
            env: The environment, as `gymnasium.make` makes it: FrozenLake, CliffWalking, Taxi and similar ones.
            goals: The goals, if they do not follow from the rewards; every other state that ends an episode is a hole.
            name: The name of the world; None for the id of the environment.
        """
        table = table_of_environment(env, goals)
        return cls(name=name_of_environment(env) if name is None else name, **vars(table))

    @classmethod
    def tabulate(
        cls, env: Any, *, key: Key | None = None, seed: int = 0, name: str | None = None, max_states: int = 10_000
    ) -> Self:
        """Makes a world from a small deterministic environment that has no table, by trying every action everywhere.

        The start is that of `env.reset(seed=seed)`. Goals and holes are told apart as in `from_gymnasium`. Random walks
        check that nothing is random and that observations show the whole state.

        Args:
            env: The environment, with Discrete actions.
            key: Makes something hashable of an observation; left out, a hash of everything in it.
            seed: The seed of every reset.
            name: The name of the world; None for the id of the environment.
            max_states: More states are refused.
        """
        table = table_by_trying(env, key, seed, max_states)
        return cls(name=name_of_environment(env) if name is None else name, **vars(table))

    @property
    def states(self) -> int:
        """Number of states; on a map, of free cells."""
        return len(self.outcomes)

    @property
    def cells(self) -> int:
        """Number of cells of the grid, walls and border included; of a table, of its states."""
        return len(self.positions)

    @property
    def actions(self) -> int:
        """Number of environment actions; on a map four, N, S, W, E."""
        return len(self.action_names)

    @property
    def is_random(self) -> bool:
        """Whether some action has more than one outcome."""
        return len(self.outcomes[0, 0]) > 1

    @cached_property
    def successors(self) -> Integers:
        """Array [states, actions], the likeliest outcome (the first among equals)."""
        if not self.is_random:
            return self.outcomes[:, :, 0]
        which = self.chances.argmax(axis=2)[:, :, np.newaxis]
        return read_only(np.take_along_axis(self.outcomes, which, axis=2)[:, :, 0])

    @property
    def start(self) -> int:
        """The first of the starts."""
        return int(self.starts[0])

    @cached_property
    def goals(self) -> Integers:
        """The states that end an episode with reward 1, ascending."""
        return read_only(np.flatnonzero(self.ending == AT_GOAL))

    @cached_property
    def holes(self) -> Integers:
        """The states that end an episode without reward, ascending."""
        return read_only(np.flatnonzero(self.ending == IN_HOLE))

    @cached_property
    def goal(self) -> int:
        """The goal; where there are several, the number `cells`, which is no cell and stands for any of them."""
        return int(self.goals[0]) if len(self.goals) == 1 else self.cells

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text as hexadecimal digits: the same for equal worlds, whatever their names."""
        return hashlib.sha256(self.text.encode("ascii")).hexdigest()

    def cell_number(self, where: Place) -> int:
        """The number of a cell given as (row, column), or the same number, checked."""
        given: Any = where
        try:
            place = operator.index(given) if np.ndim(given) == 0 else tuple(map(operator.index, given))
        except (TypeError, ValueError):
            place = ()
        if isinstance(place, int):
            if not 0 <= place < self.cells:
                raise InputError(f"there is no cell {place}; the cells of {self.name} are 0 to {self.cells - 1}")
            return place
        if len(place) != 2:
            raise InputError(f"a cell is given as (row, column) or as its number, not as {where!r:.60}")
        if not self.is_grid:
            raise InputError(f"{self.name} has no coordinates, so {place} is not a state; name a state by its number")
        rows, columns = self.shape
        if not (0 <= place[0] < rows and 0 <= place[1] < columns):
            raise InputError(
                f"cell {place} lies outside {self.name}; its rows are 0 to {rows - 1}, its columns 0 to {columns - 1}"
            )
        return int(self.cell_at[place])

    def state_number(self, where: Place) -> int:
        """The number of a free cell given as (row, column), or the same number, checked."""
        number = self.cell_number(where)
        if number >= self.states:
            row, column = self.positions[number]
            raise InputError(f"cell ({row}, {column}) of {self.name} is a wall; name a free cell")
        return number

    def subgoals(self, reach: int | None, cells: SubgoalCells = "free", nearness: Nearness = "L1") -> Subgoals:
        """The legal sub-goals of a level in every state s: the cells c ≠ s that are near.

        By coordinates these are the cells with L1(s, c) = |row_s − row_c| + |column_s − column_c| ≤ reach; by steps,
        the states that some actions can lead to within `reach` steps, which may be fewer behind walls.

        Args:
            reach: The level's span H^a_i in environment steps; None for sub-goals anywhere (by steps: for those
                that can be reached at all).
            cells: "free" for free cells only, "grid" for every cell of the grid, walls and border included.
            nearness: "L1" by coordinates, "steps" by what can be reached.

        Returns:
            Array [states, most], each state's sub-goals as ascending cell numbers, filled up with −1, and
            array [states], how many there are. Both are read-only and kept for the next call.
        """
        key = settled(self, reach, cells, nearness)
        if key not in self._subgoals:
            self._subgoals[key] = find_subgoals(self, *key)
        return self._subgoals[key]

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, World) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        if not self.is_grid:
            return f"<World {self.name}: {self.states} states, {self.actions} actions>"
        return f"<World {self.name}: {self.shape[0]} × {self.shape[1]} cells, {self.states} free>"

    def _repr_html_(self) -> str:
        """What notebooks show: the name and the size, and the map if it is not huge."""
        from hierq.worlds.pictures import drawn_map, map_svg

        drawn = drawn_map(self) if self.states <= MAX_STATES_IN_NOTEBOOKS else None
        return f"<div>{html.escape(repr(self)[1:-1])}</div>{'' if drawn is None else map_svg(drawn)}"

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy is made from the text: unpickled arrays would be writable.
        return type(self).from_text, (self.text, self.name)
