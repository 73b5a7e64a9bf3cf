"""The worlds as Gymnasium environments: `gymnasium.make("hierq/Maze10-v0")`."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete

from hierq.errors import InputError
from hierq.worlds.layout import AT_GOAL, GOES_ON
from hierq.worlds.map_text import canonical_text
from hierq.worlds.maps import WORLD_NAMES, AnyWorld, as_world
from hierq.worlds.pictures import map_picture
from hierq.worlds.world import World

STEP_LIMIT = 100_000
POINT_ENVIRONMENTS: dict[str, dict[str, Any]] = {"hierq/Point-v0": {}, "hierq/PointVelocity-v0": {"velocity": True}}
ENVIRONMENT_WORLDS = {
    **{f"hierq/{name.title().replace('-', '')}-v0": name for name in WORLD_NAMES},  # as hierq/SlipperyRooms-v0
    "hierq/World-v0": "rooms-example",  # unless the caller names another: make("hierq/World-v0", world=…)
}

AGENT = "A"


def register_environments() -> None:
    """Makes the worlds known to `gymnasium.make`; calling it again changes nothing."""
    grids = {name: ("environments:GridEnv", STEP_LIMIT, {"world": world}) for name, world in ENVIRONMENT_WORLDS.items()}
    points = {name: ("points:PointEnv", 1_000, options) for name, options in POINT_ENVIRONMENTS.items()}
    for name, (entry, limit, options) in {**grids, **points}.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, f"hierq.worlds.{entry}", max_episode_steps=limit, kwargs=options)


class WorldEnv(gymnasium.Env[Any, Any]):
    """What the environments of a world have in common: the state that the agent is in, and pictures of it."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 10}  # noqa: RUF012

    def __init__(self, world: World, render_mode: str | None) -> None:
        self.world, self.render_mode, self._state = world, render_mode, world.start
        if not world.is_grid:
            self.metadata = {**self.metadata, "render_modes": []}
            if render_mode is not None:
                raise InputError(f"{world.name} is a table without a map to draw; make it without a render mode")
        elif render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f"the render mode is ansi or rgb_array (or None), not {render_mode!r:.60}")

    def render(self) -> Any:
        """The map with the agent in it: a text ("ansi") or a byte array [height, width, 3] ("rgb_array")."""
        if self.render_mode is None:
            gymnasium.logger.warn('nothing is rendered without a render mode; make with render_mode="rgb_array"')
            return None
        row, column = self.world.positions[self._state].tolist()
        if self.render_mode == "ansi":
            letters = self.world.letters.copy()
            letters[row, column] = ord(AGENT)
            return canonical_text(letters)
        return map_picture(self.world, (row, column))


class GridEnv(WorldEnv):
    """A world as a Gymnasium environment.

    Observations are states, `Discrete(states)`. Actions are `Discrete(actions)`, on a map 0 north, 1 south, 2 west and
    3 east; a blocked move stays put and takes a step. Entering a goal gives reward 1, everything else 0. An episode
    begins at a start, which is drawn if there are several, and terminates on entering a goal or a hole. The `TimeLimit`
    of `gymnasium.make` truncates it after 100,000 steps. The seed of `reset` fixes all that is drawn. On a map the
    information has the `position` of the agent: row and column, counted from 0 at the top left.

    Args:
        world: A `World`, the name of one, or the path of a file.
        render_mode: "ansi", "rgb_array" or None; on maps only.
    """

    def __init__(self, world: AnyWorld, render_mode: str | None = None) -> None:
        super().__init__(as_world(world), render_mode)
        self.observation_space = Discrete(self.world.states)
        self.action_space = Discrete(self.world.actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """Places the agent at a start; there are no options."""
        super().reset(seed=seed)
        self._state = self._drawn(self.world.starts, self.world.start_chances)
        return self._state, self._information()

    def step(self, action: int | np.int64) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Takes an action: on a map a move by one cell, unless something is in the way."""
        world = self.world
        if not self.action_space.contains(action):
            names = f" ({', '.join(world.action_names)})" if world.is_grid else ""
            raise InputError(f"an action is a number from 0 to {world.actions - 1}{names}, not {action!r:.60}")
        self._state = self._drawn(world.outcomes[self._state, action], world.chances[self._state, action])
        ending = world.ending[self._state]
        return self._state, float(ending == AT_GOAL), bool(ending != GOES_ON), False, self._information()

    def _drawn(self, states: npt.NDArray[np.int64], chances: npt.NDArray[np.float64]) -> int:
        """One of the states by its chance."""
        return int(states[0] if len(states) == 1 else self.np_random.choice(states, p=chances))

    def _information(self) -> dict[str, Any]:
        return {"position": tuple(self.world.positions[self._state].tolist())} if self.world.is_grid else {}
