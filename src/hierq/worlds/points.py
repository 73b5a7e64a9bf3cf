"""Continuous worlds from text maps: a point moves over the map with noise and slides along its walls.

A point is a pair (row, column) of real numbers; the middle of cell (2, 3) is the point (2.0, 3.0), and the cell of a
point is found by rounding. With velocity a point has four numbers: row, column, and the speed along both.

    points = PointWorld("maze-10", noise=0.3)
    points.cells_of([[1.2, 3.4]])        # the number of the free cell in which a point lies

Whatever blocks a move between two cells of the map blocks a point as well: walls, the border, doors from the wrong
side. Teleports and holes work as on the map, and a map's slip turns a move by a right angle.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.checks import number_between
from hierq.errors import InputError
from hierq.worlds.facts import shortest_path_lengths
from hierq.worlds.maps import as_world
from hierq.worlds.world import World

Floats: TypeAlias = npt.NDArray[np.float64]
Longs: TypeAlias = npt.NDArray[np.int64]
Endings: TypeAlias = npt.NDArray[np.uint8]

DIAGONAL = math.sqrt(0.5)
# N, S, W, E as on maps, then NW, NE, SW, SE: each of length 1, as (down, right).
DIRECTIONS = ((-1, 0), (1, 0), (0, -1), (0, 1), *((d * DIAGONAL, r * DIAGONAL) for d in (-1, 1) for r in (-1, 1)))
PARTS = 4  # of a move of length 1: a part is shorter than a wall is thick, so nothing is jumped over
EDGE = 0.5 - 1e-6  # how far from the middle of its cell a point comes to rest at a wall
INERTIA = 0.5  # the share of its speed that a point keeps
MAX_SPEED = 2.0
RADIUS = 0.5  # a goal is reached within this distance
MAX_CELLS = 4_096  # free cells of a map


@dataclass(frozen=True)
class PointWorld:
    """A map on which a point moves.

    Attributes:
        world: the map; also given as its name or its file.
        noise: standard deviation of what is added to a move, along rows and columns.
        step: the length of a move.
        directions: 8, or 4: those of the map, N, S, W, E.
        velocity: whether moves push a point that keeps half of its speed, instead of moving it.
    """

    world: World
    noise: float = 0.3
    step: float = 1.0
    directions: int = 8
    velocity: bool = False

    def __post_init__(self) -> None:
        given: Any = self.world
        object.__setattr__(self, "world", as_world(given))
        if not self.world.is_grid:
            raise InputError(f"{self.world.name} is a table without a map, so no point can move over it; take a map")
        if self.world.states > MAX_CELLS:
            raise InputError(
                f"{self.world.name} has {self.world.states:,} free cells, and point worlds at most {MAX_CELLS:,}; "
                "take a smaller map"
            )
        for name, low in (("noise", 0.0), ("step", 1e-3)):
            value = number_between(f"{name} of a point world", getattr(self, name), low, 10.0)
            object.__setattr__(self, name, value)
        if self.directions not in (4, 8):
            raise InputError(f"a point moves in 4 or 8 directions, not {self.directions!r}")
        if not isinstance(self.velocity, bool):
            raise InputError(f"velocity is True or False, not {self.velocity!r:.60}")

    @property
    def dimensions(self) -> int:
        """How many numbers a point has, 2, or 4 with velocity."""
        return 4 if self.velocity else 2

    @cached_property
    def moves(self) -> Floats:
        """How far each move goes down and right, an array of directions × 2."""
        return self.step * np.array(DIRECTIONS[: self.directions])

    @cached_property
    def state_at(self) -> Longs:
        """The number of the free cell at each position, −1 for walls, an array of rows × columns."""
        return np.where(self.world.cell_at < self.world.states, self.world.cell_at, -1)

    @cached_property
    def leads(self) -> Longs:
        """Where N, S, W and E lead from each cell, the cell itself where a wall is in between; states × 4."""
        return np.ascontiguousarray(self.world.outcomes[:, :, 0])

    @cached_property
    def middles(self) -> Floats:
        """The middle of every free cell, an array of states × 2."""
        return self.world.positions[: self.world.states].astype(np.float64)

    @cached_property
    def distances(self) -> Floats:
        """Steps of the shortest path between cells on the map, infinite where there is none; states × states."""
        steps = shortest_path_lengths(self.world, through_goal=True).astype(np.float64)
        return np.where(steps < 0, np.inf, steps)

    def cells_of(self, points: npt.ArrayLike) -> Longs:
        """The number of the free cell of every point.

        Raises:
            InputError: a point is not a pair of numbers, or lies in a wall or outside the map.
        """
        where = self.checked(points, "points")[..., :2]
        places = np.clip(np.floor(where + 0.5) + 1, 0, np.array(self.state_at.shape) + 1).astype(np.int64)
        found = np.pad(self.state_at, 1, constant_values=-1)[places[..., 0], places[..., 1]]
        if (found < 0).any():
            lost = where[found < 0].reshape(-1, 2)[0]
            raise InputError(f"({lost[0]:g}, {lost[1]:g}) lies in a wall of {self.world.name} or outside it")
        return np.asarray(found, np.int64)

    def checked(self, points: npt.ArrayLike, what: str) -> Floats:
        """Points as an array [..., 2 or 4] of finite numbers."""
        try:
            array = np.asarray(points, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{what} must be an array of numbers, not {points!r:.60}") from None
        if array.ndim == 0 or array.shape[-1] not in {2, self.dimensions}:
            numbers = "row and column" + (", perhaps with both speeds" if self.velocity else "")
            raise InputError(f"{what} have a last axis of {numbers}; here is an array of shape {array.shape}")
        if not np.isfinite(array).all():
            raise InputError(f"{what} hold NaN or infinity; every coordinate must be a finite number")
        return array

    def free_points(self, count: int, rng: np.random.Generator) -> Floats:
        """Array [count, 2]: points drawn uniformly from the free part of the map, holes left out."""
        free = np.flatnonzero(self.world.ending != 2)
        return self.middles[free[rng.integers(len(free), size=count)]] + rng.uniform(-EDGE, EDGE, (count, 2))


def cell_number(row: float, column: float, state_at: Longs) -> int:
    """The number of the free cell in which a point lies."""
    return int(state_at[math.floor(row + 0.5), math.floor(column + 0.5)])


def advance(point: Floats, down: float, right: float, state_at: Longs, leads: Longs, middles: Floats) -> None:
    """Moves a point by (down, right), with velocity pushes it; writes to `point`.

    A move is cut into parts of at most a quarter of a cell, and each part goes down first and then right. A part that
    would enter a cell to which no move of the map leads stops at the edge, and the rest of the move slides along it.
    """
    if len(point) > 2:
        down = max(-MAX_SPEED, min(MAX_SPEED, INERTIA * point[2] + (1 - INERTIA) * down))
        right = max(-MAX_SPEED, min(MAX_SPEED, INERTIA * point[3] + (1 - INERTIA) * right))
    parts = 1 + int(PARTS * max(abs(down), abs(right)))
    for _ in range(parts):
        for axis in range(2):
            change = down / parts if axis == 0 else right / parts
            here = math.floor(point[axis] + 0.5)
            there = math.floor(point[axis] + change + 0.5)
            if here == there:
                point[axis] += change
                continue
            direction = 2 * axis + (1 if change > 0 else 0)
            cell = cell_number(point[0], point[1], state_at)
            entered = leads[cell, direction]
            if entered == cell:
                point[axis] = here + (EDGE if change > 0 else -EDGE)
                if axis == 0:
                    down = 0.0
                else:
                    right = 0.0
                continue
            point[axis] += change
            row = math.floor(point[0] + 0.5)
            column = math.floor(point[1] + 0.5)
            # Through a teleport a point comes out at the same place of another cell.
            point[0] += middles[entered, 0] - row
            point[1] += middles[entered, 1] - column
    if len(point) > 2:
        point[2] = down
        point[3] = right


def turned(down: float, right: float, chance: float, slip: float) -> tuple[float, float]:
    """A move that slips with some probability: by a right angle to either side; `chance` is drawn from [0, 1)."""
    if chance < slip / 2:
        return right, -down
    if chance < slip:
        return -right, down
    return down, right


def reached(points: Any, goals: Any) -> Any:
    """Whether points [..., 2] are within reach of goals [..., 2]: at most half a cell away."""
    gap = np.asarray(points, np.float64)[..., :2] - np.asarray(goals, np.float64)[..., :2]
    return np.hypot(gap[..., 0], gap[..., 1]) <= RADIUS
