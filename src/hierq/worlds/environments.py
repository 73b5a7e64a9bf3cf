"""The Gymnasium face of the worlds: `gymnasium.make("hierq/Maze10-v0")`."""

import os
from typing import Any, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete

from hierq.errors import InputError
from hierq.worlds.map_text import shortened
from hierq.worlds.maps import make_world
from hierq.worlds.world import ACTION_NAMES, World

STEP_LIMIT = 100_000
ENVIRONMENT_WORLDS = {
    "hierq/Gridworld10-v0": "gridworld-10",
    "hierq/Gridworld20-v0": "gridworld-20",
    "hierq/Rooms4-v0": "rooms-4",
    "hierq/Rooms9-v0": "rooms-9",
    "hierq/Maze10-v0": "maze-10",
    "hierq/Maze20-v0": "maze-20",
    "hierq/RoomsExample-v0": "rooms-example",
    "hierq/World-v0": "rooms-example",  # unless the caller names another: make("hierq/World-v0", world=…)
}

Number: TypeAlias = int | np.int64

AGENT = "A"
PICTURE_SIZE = 480
WALL_COLOUR = (84, 84, 88)
FREE_COLOUR = (236, 236, 236)
START_COLOUR = (86, 156, 214)
GOAL_COLOUR = (0, 158, 115)
AGENT_COLOUR = (213, 94, 0)
OUTLINE_COLOUR = (255, 255, 255)
SEAM_COLOUR = (214, 214, 214)


def register_environments() -> None:
    """Makes the worlds known to `gymnasium.make`; calling it again changes nothing."""
    for identifier, world in ENVIRONMENT_WORLDS.items():
        if identifier not in gymnasium.registry:
            gymnasium.register(
                id=identifier,
                entry_point="hierq.worlds.environments:GridEnv",
                max_episode_steps=STEP_LIMIT,
                kwargs={"world": world},
            )


class GridEnv(gymnasium.Env[Number, Number]):
    """A world as a Gymnasium environment.

    ## Action space
    `Discrete(4)`: 0 north, 1 south, 2 west, 3 east. A blocked move stays put and still takes a step.

    ## Observation space
    `Discrete(states)`: the number of the free cell the agent is in, in reading order.

    ## Rewards
    1 on entering the goal, 0 otherwise.

    ## Starting state
    Always the world's start; the moves are deterministic, so a seed only concerns `np_random`.

    ## Episode end
    Terminated on entering the goal. Truncated after 100 000 steps by the `TimeLimit` of `gymnasium.make`.

    ## Information
    `position`: row and column of the agent, from the top left of the grid.

    ## Arguments
    `world`: a `World`, the name of one, or the path of a map file.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 10}  # noqa: RUF012

    def __init__(self, world: World | str | os.PathLike[str], render_mode: str | None = None) -> None:
        self.world = world if isinstance(world, World) else make_world(world)
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = " or ".join(self.metadata["render_modes"])
            raise InputError(f"the render mode is {modes} (or None), not {shortened(render_mode)}")
        self.render_mode = render_mode
        self.observation_space = Discrete(self.world.states)
        self.action_space = Discrete(self.world.actions)
        self._state = self.world.start

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """Puts the agent on the start; there are no options."""
        super().reset(seed=seed)
        self._state = self.world.start
        return self._state, self._information()

    def step(self, action: Number) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Moves the agent by one cell, unless a wall or the edge of the grid is in the way.

        Raises:
            InputError: The action is none of 0, 1, 2, 3.
        """
        if not self.action_space.contains(action):
            raise InputError(f"an action is 0, 1, 2 or 3 ({', '.join(ACTION_NAMES)}), not {shortened(action)}")
        self._state = int(self.world.successors[self._state, action])
        arrived = self._state == self.world.goal
        return self._state, float(arrived), arrived, False, self._information()

    def render(self) -> Any:
        """The map with the agent in it: a text ("ansi") or a byte array [height, width, 3] ("rgb_array")."""
        if self.render_mode is None:
            gymnasium.logger.warn('nothing is rendered without a render mode; make with render_mode="rgb_array"')
            return None
        row, column = self._position()
        if self.render_mode == "ansi":
            return _text_with_agent(self.world, row, column)
        return _picture(self.world, row, column)

    def _position(self) -> tuple[int, int]:
        row, column = self.world.positions[self._state]
        return int(row), int(column)

    def _information(self) -> dict[str, Any]:
        return {"position": self._position()}


def _text_with_agent(world: World, row: int, column: int) -> str:
    place = row * (world.shape[1] + 1) + column
    return world.text[:place] + AGENT + world.text[place + 1 :]


def _picture(world: World, row: int, column: int) -> npt.NDArray[np.uint8]:
    """Square tiles in the colours of the cells, light seams between them, the agent as an outlined disc."""
    tile = max(1, PICTURE_SIZE // max(world.shape))
    colours = np.empty((world.cells, 3), dtype=np.uint8)
    colours[: world.states], colours[world.states :] = FREE_COLOUR, WALL_COLOUR
    colours[world.start], colours[world.goal] = START_COLOUR, GOAL_COLOUR
    picture = colours[world.cell_at].repeat(tile, axis=0).repeat(tile, axis=1)
    if tile >= 8:
        _draw_seams(picture, world, tile)
    _draw_disc(picture[row * tile : (row + 1) * tile, column * tile : (column + 1) * tile])
    return picture


def _draw_seams(picture: npt.NDArray[np.uint8], world: World, tile: int) -> None:
    """Thin lines at the top and left of free cells only, so that walls stay one mass."""
    is_free = (world.cell_at < world.states).repeat(tile, axis=0).repeat(tile, axis=1)
    picture[::tile][is_free[::tile]] = SEAM_COLOUR
    picture[:, ::tile][is_free[:, ::tile]] = SEAM_COLOUR


def _draw_disc(tile: npt.NDArray[np.uint8]) -> None:
    """Paints the agent into one tile; the share of each pixel that a disc covers smooths its edge."""
    side = len(tile)
    offsets = np.arange(side) - (side - 1) / 2
    distance = np.hypot(offsets[:, np.newaxis], offsets)
    for radius, colour in ((0.43 * side, OUTLINE_COLOUR), (0.35 * side, AGENT_COLOUR)):
        share = np.clip(radius - distance + 0.5, 0, 1)[:, :, np.newaxis]
        tile[:] = np.rint(share * np.array(colour) + (1 - share) * tile).astype(np.uint8)
