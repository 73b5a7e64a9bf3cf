"""The point worlds as Gymnasium environments: `gymnasium.make("hierq/Point-v0", world="maze-10")`."""

import os
from typing import Any, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete

from hierq.errors import InputError
from hierq.worlds.layout import IN_HOLE
from hierq.worlds.map_text import shortened
from hierq.worlds.pictures import map_picture
from hierq.worlds.points import MAX_SPEED, Floats, PointWorld, advance, reached, turned
from hierq.worlds.world import World

Observation: TypeAlias = dict[str, Floats]


class PointEnv(gymnasium.Env[Observation, np.int64]):
    """A point that moves over a text map towards a goal; follows the conventions of goal environments.

    ## Action space
    `Discrete(8)`: north, south, west, east, north-west, north-east, south-west, south-east.

    ## Observation space
    A `Dict` of `observation` (row and column; with velocity also the speed along both), `achieved_goal` and
    `desired_goal` (row and column), all `Box` of float64. Cell (2, 3) has its middle at (2.0, 3.0).

    ## Rewards
    1 within half a cell of the desired goal, 0 otherwise. `compute_reward(achieved_goal, desired_goal, info)` works on
    arrays of goals [..., 2] too, so the hindsight replay of any library can relabel goals.

    ## Starting state
    The middle of a start of the map. `reset(options={"start": (1, 1), "goal": (3.5, 8)})` sets start and goal.

    ## Episode end
    Terminated at the desired goal or in a hole. Truncated after 1,000 steps by the `TimeLimit` of `gymnasium.make`.

    ## Arguments
    `world`: a map as `World`, name or file. `goal`: "map" for the map's goal, "random" for one drawn at every reset.
    `noise`, `step`, `velocity`: see `PointWorld`. `render_mode`: "rgb_array" or None.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012

    def __init__(
        self,
        world: World | str | os.PathLike[str] = "maze-10",
        *,
        goal: str = "map",
        noise: float = 0.3,
        step: float = 1.0,
        velocity: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.points = PointWorld(world, noise=noise, step=step, velocity=velocity)  # type: ignore[arg-type]
        if goal not in ("map", "random"):
            raise InputError(
                f'goal is "map" or "random", not {goal!r}; to set one use reset(options={{"goal": (1, 2)}})'
            )
        if render_mode not in (None, "rgb_array"):
            raise InputError(f"the render mode is rgb_array (or None), not {shortened(render_mode)}")
        self.render_mode, self._goal_is = render_mode, goal
        rows, columns = self.points.world.shape
        low, high = np.array([-0.5, -0.5]), np.array([rows - 0.5, columns - 0.5])
        speed = np.full(self.points.dimensions - 2, MAX_SPEED)
        place = Box(low, high, dtype=np.float64)
        whole = Box(np.concatenate([low, -speed]), np.concatenate([high, speed]), dtype=np.float64)
        self.observation_space: Any = Dict({"observation": whole, "achieved_goal": place, "desired_goal": place})
        self.action_space = Discrete(self.points.directions)
        self._point = np.zeros(self.points.dimensions)
        self._point[:2] = self.points.middles[self.points.world.start]
        self._goal = self.points.middles[self.points.world.goals[0]]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Places the point at a start; the options "start" and "goal" set either to a point (row, column)."""
        super().reset(seed=seed)
        points, given = self.points, options or {}
        if unknown := given.keys() - {"start", "goal"}:
            raise InputError(f'the options of reset are "start" and "goal", not {sorted(unknown)[0]!r}')
        start = points.world.starts[self.np_random.choice(len(points.world.starts), p=points.world.start_chances)]
        self._point = np.zeros(points.dimensions)
        self._point[:2] = self._given(given["start"]) if "start" in given else points.middles[start]
        goal = points.middles[self.np_random.choice(points.world.goals)]
        if self._goal_is == "random":
            goal = points.free_points(1, self.np_random)[0]
        self._goal = self._given(given["goal"]) if "goal" in given else goal
        return self._observation(), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes a move: noise is added, and walls stop it."""
        if not self.action_space.contains(action):
            raise InputError(f"an action is a whole number from 0 to {self.points.directions - 1}, not {action!r:.60}")
        points = self.points
        slipped = turned(points.moves[action, 0], points.moves[action, 1], self.np_random.random(), points.world.slip)
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
        return bool(reached(achieved_goal, desired_goal)) or bool(self.points.world.ending[cell] == IN_HOLE)

    def render(self) -> Any:
        """The map with the point in its cell, as a byte array [height, width, 3]."""
        if self.render_mode is None:
            gymnasium.logger.warn('nothing is rendered without a render mode; make with render_mode="rgb_array"')
            return None
        row, column = self.points.world.positions[self.points.cells_of(self._point)].tolist()
        return map_picture(self.points.world, (row, column))

    def _given(self, point: Any) -> Floats:
        self.points.cells_of(point)  # refuses a point in a wall
        return np.array(point, np.float64)[:2]

    def _observation(self) -> Observation:
        point = self._point.copy()
        return {"observation": point, "achieved_goal": point[:2].copy(), "desired_goal": self._goal.copy()}
