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
from gymnasium.spaces import Box, Dict, Discrete

from hierq.checks import number_between
from hierq.errors import InputError
from hierq.worlds.environments import WorldEnv
from hierq.worlds.facts import shortest_path_lengths
from hierq.worlds.layout import IN_HOLE
from hierq.worlds.maps import AnyWorld, as_world
from hierq.worlds.world import World

Floats: TypeAlias = npt.NDArray[np.float64]
Longs: TypeAlias = npt.NDArray[np.int64]
Endings: TypeAlias = npt.NDArray[np.uint8]
Observation: TypeAlias = dict[str, Floats]

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
        world: The map, or its name or file.
        noise: The standard deviation of the noise that is added to a move, along rows and columns.
        step: The length of a move.
        directions: 8, or 4: those of the map, N, S, W, E.
        velocity: Whether a move pushes the point, which keeps half of its speed.
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
        """The number of coordinates of a point: 2, or 4 with velocity."""
        return 4 if self.velocity else 2

    @cached_property
    def moves(self) -> Floats:
        """Array [directions, 2], how far each move goes down and right."""
        return self.step * np.array(DIRECTIONS[: self.directions])

    @cached_property
    def state_at(self) -> Longs:
        """Array [rows, columns], the number of the free cell at each position, −1 for walls."""
        return np.where(self.world.cell_at < self.world.states, self.world.cell_at, -1)

    @cached_property
    def leads(self) -> Longs:
        """Array [states, 4], the cell to which N, S, W and E lead from each cell, itself if a wall is in the way."""
        return np.ascontiguousarray(self.world.outcomes[:, :, 0])

    @cached_property
    def middles(self) -> Floats:
        """Array [states, 2], the middle of every free cell."""
        return self.world.positions[: self.world.states].astype(np.float64)

    @cached_property
    def distances(self) -> Floats:
        """Array [states, states], the steps of the shortest path between cells, infinite where there is none."""
        steps = shortest_path_lengths(self.world, through_goal=True).astype(np.float64)
        return np.where(steps < 0, np.inf, steps)

    def cells_of(self, points: npt.ArrayLike) -> Longs:
        """The number of the free cell of every point.

        Raises:
            InputError: A point is not a pair of numbers, or it lies in a wall or outside the map.
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
            cell = cell_number(point[0], point[1], state_at)
            entered = leads[cell, 2 * axis + (change > 0)]
            if entered == cell:
                point[axis] = here + (EDGE if change > 0 else -EDGE)
                if axis == 0:
                    down = 0.0
                else:
                    right = 0.0
                continue
            point[axis] += change
            # Through a teleport a point comes out at the same place of another cell.
            point[0] += middles[entered, 0] - math.floor(point[0] + 0.5)
            point[1] += middles[entered, 1] - math.floor(point[1] + 0.5)
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


class PointEnv(WorldEnv):
    """A point that moves over a map towards a goal; it follows the conventions of goal environments.

    Observations are a `Dict` of `observation` (row and column; with velocity also the speed along both),
    `achieved_goal` and `desired_goal` (row and column). Cell (2, 3) has its middle at (2.0, 3.0). Actions are
    `Discrete(8)`: north, south, west, east, north-west, north-east, south-west, south-east. The reward is 1 within half
    a cell of the desired goal, 0 otherwise; `compute_reward` works on arrays of goals [..., 2], too, so the hindsight
    replay of any library can relabel goals. An episode begins in the middle of a start of the map, unless
    `reset(options={"start": (1, 1), "goal": (3.5, 8)})` says otherwise. It terminates at the desired goal or in a hole;
    the `TimeLimit` of `gymnasium.make` truncates it after 1,000 steps.

    Args:
        world: A map as `World`, name or file.
        goal: "map" for the map's goal, "random" for one drawn at every reset.
        render_mode: "ansi", "rgb_array" or None.
        settings: Those of `PointWorld`: noise, step, directions and velocity.
    """

    def __init__(
        self,
        world: AnyWorld = "maze-10",
        *,
        goal: str = "map",
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self.points = PointWorld(world, **settings)  # type: ignore[arg-type]
        if goal not in ("map", "random"):
            raise InputError(
                f'goal is "map" or "random", not {goal!r}; to set one use reset(options={{"goal": (1, 2)}})'
            )
        super().__init__(self.points.world, render_mode)
        self._goal_is = goal
        rows, columns = self.world.shape
        low, high = np.array([-0.5, -0.5]), np.array([rows - 0.5, columns - 0.5])
        speed = np.full(self.points.dimensions - 2, MAX_SPEED)
        place = Box(low, high, dtype=np.float64)
        whole = Box(np.concatenate([low, -speed]), np.concatenate([high, speed]), dtype=np.float64)
        self.observation_space: Any = Dict({"observation": whole, "achieved_goal": place, "desired_goal": place})
        self.action_space = Discrete(self.points.directions)
        self._point = np.zeros(self.points.dimensions)
        self._point[:2] = self.points.middles[self.world.start]
        self._goal = self.points.middles[self.world.goals[0]]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Places the point at a start; the options "start" and "goal" set either to a point (row, column)."""
        super().reset(seed=seed)
        points, given = self.points, options or {}
        if unknown := given.keys() - {"start", "goal"}:
            raise InputError(f'the options of reset are "start" and "goal", not {sorted(unknown)[0]!r}')
        start = self.world.starts[self.np_random.choice(len(self.world.starts), p=self.world.start_chances)]
        self._point = np.zeros(points.dimensions)
        self._point[:2] = self._given(given["start"]) if "start" in given else points.middles[start]
        goal = points.middles[self.np_random.choice(self.world.goals)]
        if self._goal_is == "random":
            goal = points.free_points(1, self.np_random)[0]
        self._goal = self._given(given["goal"]) if "goal" in given else goal
        return self._observation(), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes a move: noise is added, and walls stop it."""
        if not self.action_space.contains(action):
            raise InputError(f"an action is a whole number from 0 to {self.points.directions - 1}, not {action!r:.60}")
        points = self.points
        slipped = turned(points.moves[action, 0], points.moves[action, 1], self.np_random.random(), self.world.slip)
        down, right = slipped + points.noise * self.np_random.normal(size=2)
        advance(self._point, down, right, points.state_at, points.leads, points.middles)
        observation = self._observation()
        achieved, desired = observation["achieved_goal"], observation["desired_goal"]
        reward = float(self.compute_reward(achieved, desired, {}))
        return observation, reward, self.compute_terminated(achieved, desired, {}), False, {"is_success": reward > 0}

    def compute_reward(self, achieved_goal: npt.ArrayLike, desired_goal: npt.ArrayLike, info: Any) -> Any:
        """1 where an achieved goal is the desired one, else 0; of arrays [..., 2], an array [...]."""
        return np.asarray(reached(achieved_goal, desired_goal), np.float64)

    def compute_terminated(self, achieved_goal: npt.ArrayLike, desired_goal: npt.ArrayLike, info: Any) -> bool:
        """Whether an episode ends here: at the desired goal, or in a hole."""
        cell = int(self.points.cells_of(achieved_goal))
        return bool(reached(achieved_goal, desired_goal)) or bool(self.world.ending[cell] == IN_HOLE)

    def _given(self, point: Any) -> Floats:
        self.points.cells_of(point)  # refuses a point in a wall
        return np.array(point, np.float64)[:2]

    def _observation(self) -> Observation:
        point = self._point.copy()
        self._state = int(self.points.cells_of(point))
        return {"observation": point, "achieved_goal": point[:2].copy(), "desired_goal": self._goal.copy()}
