import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from hierq.errors import InputError
from hierq.worlds import GridEnv, World, make_world, pictures, register_environments
from hierq.worlds.environments import ENVIRONMENT_WORLDS, STEP_LIMIT

register_environments()

CORRIDOR = "S.G\n"
NORTH, SOUTH, WEST, EAST = range(4)


def test_registering_again_changes_nothing():
    before = dict(gymnasium.registry)
    register_environments()
    assert gymnasium.registry == before


def test_every_world_has_its_environment():
    assert set(ENVIRONMENT_WORLDS) == {
        name for name in gymnasium.registry if name.startswith("hierq/") and "Point" not in name
    }
    for identifier, name in ENVIRONMENT_WORLDS.items():
        environment = gymnasium.make(identifier)
        assert environment.unwrapped.world == make_world(name)
        assert environment.spec.max_episode_steps == STEP_LIMIT == 100_000


@pytest.mark.parametrize("render_mode", [None, "ansi", "rgb_array"])
@pytest.mark.parametrize("identifier", ENVIRONMENT_WORLDS)
def test_the_contract_of_gymnasium(identifier, render_mode):
    check_env(gymnasium.make(identifier, render_mode=render_mode).unwrapped)


def test_make_with_the_module_in_the_name():
    assert gymnasium.make("hierq:hierq/Maze10-v0").unwrapped.world.name == "maze-10"


@pytest.mark.parametrize("kind", ["world", "name", "path"])
def test_a_world_of_one_s_own(kind, tmp_path):
    path = tmp_path / "maze-10-again.txt"
    path.write_text(make_world("maze-10").text)
    world = {"world": make_world("maze-10"), "name": "maze-10", "path": path}[kind]
    environment = gymnasium.make("hierq/World-v0", world=world)
    assert environment.unwrapped.world == make_world("maze-10")
    assert environment.observation_space == gymnasium.spaces.Discrete(73)
    assert environment.action_space == gymnasium.spaces.Discrete(4)
    check_env(environment.unwrapped)


def test_an_episode_by_hand():
    environment = GridEnv(World.from_text(CORRIDOR))
    assert environment.reset(seed=1) == (0, {"position": (0, 0)})
    assert environment.step(NORTH) == (0, 0.0, False, False, {"position": (0, 0)})
    assert environment.step(np.int64(EAST)) == (1, 0.0, False, False, {"position": (0, 1)})
    assert environment.step(WEST)[0] == 0
    assert environment.step(EAST)[0] == 1
    observation, reward, terminated, truncated, _ = environment.step(EAST)
    assert (observation, reward, terminated, truncated) == (2, 1.0, True, False)
    assert [type(part) for part in (observation, reward, terminated)] == [int, float, bool]
    assert environment.reset()[0] == 0


def test_moves_are_those_of_the_world():
    world = make_world("maze-10")
    environment = GridEnv(world)
    environment.action_space.seed(3)
    state, _ = environment.reset(seed=3)
    for _ in range(500):
        action = environment.action_space.sample()
        expected = world.successors[state, action]
        state, reward, terminated, _, information = environment.step(action)
        assert state == expected
        assert information["position"] == tuple(world.positions[state])
        assert reward == terminated == (state == world.goal)
        if terminated:
            state, _ = environment.reset()


def test_a_seed_fixes_the_random_numbers():
    environment = gymnasium.make("hierq/Rooms4-v0")
    draws = []
    for seed in (5, 5, 6):
        environment.reset(seed=seed)
        draws.append(environment.unwrapped.np_random.random())
    assert draws[0] == draws[1] != draws[2]


def test_the_step_limit_truncates_and_does_not_terminate():
    environment = gymnasium.make("hierq/Gridworld10-v0")
    environment.reset(seed=0)
    ends = []
    for _ in range(STEP_LIMIT):
        _, _, terminated, truncated, _ = environment.step(NORTH)
        assert not terminated
        ends.append(truncated)
    assert ends == [False] * (STEP_LIMIT - 1) + [True]


@pytest.mark.parametrize("action", [-1, 4, 1.0, "N", None])
def test_a_wrong_action_is_refused(action):
    environment = GridEnv("rooms-4")
    environment.reset()
    with pytest.raises(InputError, match=r"an action is a number from 0 to 3 \(N, S, W, E\), not "):
        environment.step(action)


def test_a_wrong_render_mode_is_refused():
    with pytest.raises(InputError, match=r"the render mode is ansi or rgb_array \(or None\), not 'human'"):
        GridEnv("rooms-4", render_mode="human")


def test_an_unknown_world_is_refused():
    with pytest.raises(InputError, match="Did you mean rooms-4"):
        gymnasium.make("hierq/World-v0", world="room-4")


def test_rendering_without_a_mode_warns():
    environment = GridEnv("rooms-4")
    with pytest.warns(UserWarning, match="nothing is rendered without a render mode"):
        assert environment.render() is None


def test_the_text_shows_the_agent():
    environment = GridEnv(World.from_text("#S.\n..G\n"), render_mode="ansi")
    environment.reset()
    assert environment.render() == "#A.\n..G\n"
    environment.step(SOUTH)
    assert environment.render() == "#S.\n.AG\n"
    environment.step(EAST)
    assert environment.render() == "#S.\n..A\n"


def test_the_picture_shows_walls_start_goal_and_agent():
    environment = GridEnv(World.from_text("S.#\n..G\n"), render_mode="rgb_array")
    environment.reset()
    environment.step(EAST)
    picture = environment.render()
    assert (picture.shape, picture.dtype) == ((320, 480, 3), np.uint8)
    centres = picture[80::160, 80::160].tolist()
    start, agent, wall = pictures.LETTER_COLOURS["S"], pictures.AGENT_COLOUR, pictures.LETTER_COLOURS["#"]
    free, goal = pictures.FREE_COLOUR, pictures.LETTER_COLOURS["G"]
    assert centres == [list(map(list, row)) for row in ((start, agent, wall), (free, free, goal))]
    assert tuple(picture[5, 165]) == free  # the corners of the agent's tile show what it stands on
    assert tuple(picture[80, 165]) == free, "the tile of the agent shows around it"
    assert tuple(picture[80, 320]) == wall
    assert len({start, agent, wall, free, goal}) == 5
    environment.step(SOUTH)
    assert tuple(environment.render()[240, 240]) == agent
    assert tuple(environment.render()[80, 240]) == free


@pytest.mark.parametrize(
    ("identifier", "shape"), [("hierq/Gridworld20-v0", (462, 462, 3)), ("hierq/Maze10-v0", (468, 468, 3))]
)
def test_tiles_are_square_and_pictures_about_the_same_size(identifier, shape):
    environment = gymnasium.make(identifier, render_mode="rgb_array")
    environment.reset()
    assert environment.render().shape == shape


def test_a_large_world_is_drawn_with_a_pixel_a_cell():
    environment = GridEnv(World.from_text("S" + "." * 998 + "G"), render_mode="rgb_array")
    environment.reset()
    picture = environment.render()
    assert picture.shape == (1, 1000, 3)
    assert tuple(picture[0, 0]) != pictures.LETTER_COLOURS["S"]
    assert tuple(picture[0, 1]) == pictures.FREE_COLOUR


def test_importing_the_worlds_loads_nothing_heavy():
    program = "import sys, hierq.worlds; print(*{'scipy', 'numba', 'matplotlib'} & set(sys.modules))"
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert finished.stdout.strip() == ""
