"""Environments of Gymnasium wherever a world is named, and tables of environments that have none."""

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Discrete

import hierq
from hierq import InputError, World
from hierq.worlds.maps import make_world


class Corridor(gymnasium.Env):
    """Four cells in a row; action 7 goes right, 8 left; right of the last is the goal, left of the first a hole."""

    observation_space, action_space = Discrete(6), Discrete(2, start=7)

    def __init__(self, noise=0.0, hidden=False, limit=None, random_start=False):
        self.noise, self.hidden, self.limit, self.random_start = noise, hidden, limit, random_start

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.at, self.time = (int(self.np_random.integers(1, 4)) if self.random_start else 2), 0
        return self.seen(), {}

    def seen(self):
        return {"cell": np.array([min(self.at, 3) if self.hidden else self.at])}

    def step(self, action):
        self.time += 1
        wanted = 1 if action == 7 else -1
        self.at += -wanted if self.np_random.random() < self.noise else wanted
        ended = self.at in (0, 5)
        return self.seen(), float(self.at == 5), ended, self.limit == self.time, {}


def test_an_id_of_gymnasium_names_its_world():
    world = make_world("gym:FrozenLake-v1")
    assert world == World.from_gymnasium(gymnasium.make("FrozenLake-v1")) and world.name == "FrozenLake-v1"
    assert World.from_text(world.text) == world and world.picture == (4, 4)


def test_options_follow_the_id():
    world = make_world("gym:FrozenLake-v1,map_name=8x8,is_slippery=false")
    made = gymnasium.make("FrozenLake-v1", map_name="8x8", is_slippery=False)
    assert world == World.from_gymnasium(made)
    assert world.name == "FrozenLake-v1,map_name=8x8,is_slippery=false" and not world.is_random


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gym:FrozenLak-v1", "Gymnasium cannot make 'gym:FrozenLak-v1': .*FrozenLake"),
        ("gym:FrozenLake-v1,is_slippery", "'is_slippery' in .* is no option; write it as is_slippery=false"),
        ("gym:FrozenLake-v1,colour=red", "Gymnasium cannot make .*colour"),
        ("gym:", "Gymnasium cannot make 'gym:'"),
        ("gym:Pendulum-v1", "the action space of Pendulum-v1 is Box"),
    ],
)
def test_what_gymnasium_cannot_make_is_refused_in_words(name, words):
    with pytest.raises(InputError, match=words):
        make_world(name)


def test_a_study_takes_ids_and_tells_two_lakes_apart():
    study = hierq.Study(["gym:FrozenLake-v1", "gym:FrozenLake-v1,is_slippery=false"], [hierq.AgentConfig(levels=1)])
    assert [world.name for world in study.worlds] == ["FrozenLake-v1", "FrozenLake-v1,is_slippery=false"]
    lakes = [World.from_gymnasium(gymnasium.make("FrozenLake-v1", is_slippery=slips)) for slips in (True, False)]
    with pytest.raises(InputError, match=r"two different worlds are called FrozenLake-v1; .*name="):
        hierq.Study(lakes, [hierq.AgentConfig(levels=1)])


def test_an_environment_without_a_table_is_tabulated():
    world = World.tabulate(Corridor(), name="corridor")
    assert (world.states, world.actions, len(world.goals), len(world.holes)) == (6, 2, 1, 1)
    assert hierq.shortest_path(world) == 3 and world.start == 0 and world.name == "corridor"
    assert make_world("gym:hierq/Maze10-v0").states == 73 - 2  # two cells no episode enters
    assert hierq.shortest_path(make_world("gym:hierq/Maze10-v0")) == 20


def test_a_tabulated_lake_is_the_lake_of_its_table():
    lake = gymnasium.make("FrozenLake-v1", is_slippery=False)
    found, known = World.tabulate(lake), World.from_gymnasium(lake)
    assert found.states == known.states and len(found.holes) == len(known.holes)
    assert hierq.best_values(found)[found.start] == hierq.best_values(known)[known.start]


@pytest.mark.parametrize(
    ("env", "words"),
    [
        (Corridor(noise=0.3), "answered the same action . after the same observation differently: it is random"),
        (Corridor(hidden=True), "differently: it is random, or its observations do not show its whole state"),
        (Corridor(limit=2), "was cut off after 2 steps; make it with a larger max_episode_steps"),
        (Corridor(random_start=True), "begins in another state with another seed.*use hierq.learn"),
        (gymnasium.make("Blackjack-v1"), "begins in another state|differently"),
    ],
)
def test_an_environment_that_is_no_table_is_refused(env, words):
    with pytest.raises(InputError, match=words):
        World.tabulate(env)


def test_too_many_states_are_refused():
    with pytest.raises(InputError, match=r"has more than 3 states, too many to tabulate \(max_states=3\)"):
        World.tabulate(Corridor(), max_states=3)


@pytest.mark.parametrize(
    "picture", ["[3]", "[0, 3]", "[2, 2]", "[1, 1, 3]", '"x"', "3", "[[1, 3]]", "[1.5, 2]", "[4294967296, 4294967296]"]
)
def test_a_picture_that_does_not_fit_the_states_is_refused(picture):
    text = f'{{"outcomes": [[1], [2], [2]], "goals": [2], "picture": {picture}}}'
    with pytest.raises(InputError, match="picture"):
        World.from_text(text)
    assert World.from_text(text.replace(picture, "[1, 3]")).picture == (1, 3)
