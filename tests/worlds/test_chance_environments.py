"""Environments with chance, several starts and ends, doors, teleports, or without a map."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import assume, given, settings
from scipy.stats import chisquare
from small_worlds import chances, read, rich_maps

from hierq.errors import InputError
from hierq.worlds import GridEnv, World, pictures, register_environments

register_environments()

NORTH, SOUTH, WEST, EAST = range(4)
COIN = (
    '{"outcomes": [[[1, 2], [0, 0]], [[1, 1], [1, 1]], [[2, 2], [2, 2]]], "goals": [2], "holes": [1], '
    '"chances": [[[0.5, 0.5], [1, 0]], [[1, 0], [1, 0]], [[1, 0], [1, 0]]]}'
)


@settings(deadline=None)
@given(rich_maps())
def test_steps_are_those_of_the_map(text):
    try:
        environment = GridEnv(World.from_text(text))
    except InputError:
        assume(False)
    letters = read(text)
    slip = float(text.split()[1]) if text.startswith("slip") else 0
    environment.action_space.seed(1)
    _, information = environment.reset(seed=1)
    assert letters[information["position"]] == "S"
    for _ in range(60):
        place, action = environment.reset()[1]["position"], 0
        for _ in range(10):
            action = int(environment.action_space.sample())
            _, reward, terminated, truncated, information = environment.step(action)
            after = information["position"]
            assert after in chances(letters, place, "NSWE"[action], slip)
            assert (reward, terminated, truncated) == (letters[after] == "G", letters[after] in "GH", False)
            if terminated:
                break
            place = after


def test_outcomes_and_starts_come_by_their_chances():
    world = World.from_text("slip: 0.3\n#####\n#S.S#\n#.S.#\n#..G#\n#####\n")
    environment = GridEnv(world)
    begins = [environment.reset(seed=2)[0], *(environment.reset()[0] for _ in range(2999))]
    assert chisquare([begins.count(start) for start in world.starts]).pvalue > 1e-4
    middle = world.state_number((2, 2))
    after = []
    for _ in range(3000):
        environment._state = middle
        after.append(environment.step(NORTH)[0])
    outcomes, likely = world.outcomes[middle, NORTH], world.chances[middle, NORTH]
    assert chisquare([after.count(state) for state in outcomes], 3000 * likely).pvalue > 1e-4


def test_a_seed_fixes_an_episode():
    def episode(seed):
        environment = gymnasium.make("hierq:hierq/SlipperyRooms-v0")
        environment.reset(seed=seed)
        return [environment.step(EAST)[0] for _ in range(50)]

    assert episode(1) == episode(1) != episode(2)


def test_nothing_is_drawn_where_there_is_no_choice():
    environment = GridEnv("maze-10")
    environment.reset(seed=4)
    for _ in range(20):
        environment.step(EAST)
    assert environment.np_random.random() == np.random.Generator(np.random.PCG64(4)).random()


def test_a_hole_ends_the_episode_without_reward():
    environment = GridEnv(World.from_text("HSG\n"))
    environment.reset()
    assert environment.step(WEST) == (0, 0.0, True, False, {"position": (0, 0)})
    environment.reset()
    assert environment.step(EAST) == (2, 1.0, True, False, {"position": (0, 2)})


def test_a_table_is_an_environment_too():
    environment = GridEnv(World.from_text(COIN, name="coin"))
    check_env(gymnasium.make("hierq/World-v0", world=environment.world).unwrapped)
    assert environment.reset(seed=1) == (0, {})
    assert environment.step(1) == (0, 0.0, False, False, {})
    ends = set()
    for _ in range(50):
        environment.reset()
        ends.add(environment.step(0)[:3])
    assert ends == {(1, 0.0, True), (2, 1.0, True)}
    with pytest.raises(InputError, match="an action is a number from 0 to 1, not 2"):
        environment.step(2)
    with pytest.raises(InputError, match="coin is a table without a map to draw; make it without a render mode"):
        GridEnv(World.from_text(COIN, name="coin"), render_mode="ansi")


def test_many_actions_are_not_listed():
    environment = GridEnv(World.from_table([[1] * 9, [1] * 9], goals=[1]))
    with pytest.raises(InputError, match="an action is a number from 0 to 8, not 9"):
        environment.step(9)
    with pytest.raises(InputError, match="an action is a number from 0 to 0, not 1"):
        GridEnv(World.from_table([[1], [1]], goals=[1])).step(1)


def test_the_frozen_lake_is_walked_as_by_itself():
    lake = gymnasium.make("FrozenLake-v1", is_slippery=False).unwrapped
    twin = GridEnv(World.from_gymnasium(lake))
    lake.action_space.seed(5)
    assert lake.reset(seed=5)[0] == twin.reset(seed=5)[0]
    for _ in range(500):
        action = lake.action_space.sample()
        after, ended = lake.step(action)[0:3:2]
        assert twin.step(action)[0:3:2] == (after, ended)
        if ended:
            lake.reset()
            twin.reset()


def test_the_text_leaves_the_header_out():
    environment = GridEnv(World.from_text("slip: 0.5\n>S1\nH1G\n"), render_mode="ansi")
    environment.reset()
    assert environment.render() == ">A1\nH1G\n"


def test_every_kind_of_cell_has_its_colour():
    picture = pictures.map_picture(World.from_text("S<H\n1.1\nG^G\n"))
    assert picture.shape == (480, 480, 3)
    found = [[tuple(picture[160 * row + 80, 160 * column + 80].tolist()) for column in range(3)] for row in range(3)]
    assert found == [
        [pictures.LETTER_COLOURS["S"], pictures.LETTER_COLOURS[">"], pictures.HOLE_COLOUR],
        [pictures.TELEPORT_COLOUR, pictures.FREE_COLOUR, pictures.TELEPORT_COLOUR],
        [pictures.LETTER_COLOURS["G"], pictures.LETTER_COLOURS[">"], pictures.LETTER_COLOURS["G"]],
    ]
    assert len(set(pictures.LETTER_COLOURS.values())) == 7


def test_a_large_map_has_small_tiles():
    world = World.from_text("S1" + "." * 995 + "1HG\n" + ">" + "." * 999 + "\n")
    picture = pictures.map_picture(world)
    assert picture.shape == (2, 1000, 3)
    assert tuple(picture[0, 1]) == pictures.TELEPORT_COLOUR
    assert tuple(picture[0, 998]) == pictures.HOLE_COLOUR
    assert tuple(picture[1, 0]) == pictures.LETTER_COLOURS[">"]
