import numpy as np
import pytest
from hypothesis import assume, given, settings
from small_worlds import chances, distances, read, rich_maps

from hierq.errors import InputError
from hierq.worlds import PAPER_WORLDS, World, make_world

NORTH, SOUTH, WEST, EAST = range(4)


def sound(text):
    """Whether every start of a map has a way to a goal, by the plainest search."""
    letters = read(text)
    starts = [place for place in letters if letters[place] == "S"]
    return all(any(letters[end] == "G" for end in distances(letters, start, False)) for start in starts)


def slip_of(text):
    return float(text.split()[1]) if text.startswith("slip") else 0.0


# scipy is imported by the first map with a door, which no deadline foresees.
@settings(deadline=None)
@given(rich_maps())
def test_a_map_is_sound_when_every_start_has_a_way_to_a_goal(text):
    if sound(text):
        assert World.from_text(text).text == text
    else:
        with pytest.raises(InputError, match="no goal can be reached from the start"):
            World.from_text(text)


@settings(deadline=None)
@given(rich_maps())
def test_outcomes_say_what_the_map_says(text):
    assume(sound(text))
    letters, world, slip = read(text), World.from_text(text), slip_of(text)
    free = [place for place in letters if letters[place] != "#"]
    for state, place in enumerate(free):
        for action, name in enumerate("NSWE"):
            expected = {free.index(after): chance for after, chance in chances(letters, place, name, slip).items()}
            outcomes, likely = world.outcomes[state, action], world.chances[state, action]
            real = len(expected)
            assert outcomes[:real].tolist() == list(expected)
            assert likely[:real].tolist() == pytest.approx(list(expected.values()), abs=1e-15)
            assert likely.sum() == 1
            assert (likely[real:] == 0).all()
            assert (outcomes[real:] == outcomes[real - 1]).all()
            assert world.successors[state, action] == outcomes[likely.argmax()]
    widest = max(len(chances(letters, place, name, slip)) for place in free for name in "NSWE")
    assert world.outcomes.shape == world.chances.shape == (len(free), 4, widest)
    assert world.is_random == (widest > 1)


@settings(deadline=None)
@given(rich_maps())
def test_starts_and_ends_are_those_of_the_map(text):
    assume(sound(text))
    letters, world = read(text), World.from_text(text)
    free = [place for place in letters if letters[place] != "#"]
    by_letter = {letter: [free.index(place) for place in free if letters[place] == letter] for letter in "SGH"}
    assert world.starts.tolist() == by_letter["S"]
    assert world.goals.tolist() == by_letter["G"]
    assert world.holes.tolist() == by_letter["H"]
    assert world.start == by_letter["S"][0]
    assert world.goal == (by_letter["G"][0] if len(by_letter["G"]) == 1 else world.cells)
    assert world.start_chances.tolist() == [1 / len(by_letter["S"])] * len(by_letter["S"])
    assert world.ending.tolist() == [{"G": 1, "H": 2}.get(letters[place], 0) for place in free]
    assert world.is_geometric == (not any(letter.isdigit() for letter in letters.values()))
    assert world.is_grid
    assert world.slip == slip_of(text)
    assert ["".join(map(chr, line)) for line in world.letters] == [
        line for line in text.splitlines() if ":" not in line
    ]
    types = [
        array.dtype
        for array in (world.outcomes, world.chances, world.starts, world.start_chances, world.goals, world.holes)
    ]
    assert types == [np.int64, np.float64, np.int64, np.float64, np.int64, np.int64]
    assert world.ending.dtype == np.uint8


def test_doors_by_hand():
    #                        0 1 2 3 4
    world = World.from_text("S.>.G\n")
    assert world.successors[:, EAST].tolist() == [1, 2, 3, 4, 4]
    assert world.successors[:, WEST].tolist() == [0, 0, 2, 3, 3]  # neither out of the door nor into it
    upwards = World.from_text("G\n^\nS\n")
    assert upwards.successors[:, NORTH].tolist() == [0, 0, 1]
    assert upwards.successors[:, SOUTH].tolist() == [0, 1, 2]


def test_teleports_by_hand():
    #                        0123 456
    world = World.from_text("S.1.#1.G\n")
    assert world.successors[:, EAST].tolist() == [1, 4, 3, 3, 5, 6, 6]
    assert world.successors[:, WEST].tolist() == [0, 0, 1, 4, 4, 2, 5]


def test_slip_by_hand():
    world = World.from_text("slip: 0.2\nS.\n.G\n")
    assert world.outcomes[0].tolist() == [[0, 1, 1], [2, 0, 1], [0, 2, 2], [1, 0, 2]]
    assert world.chances[0, NORTH].tolist() == pytest.approx([0.9, 0.1, 0])
    assert world.chances[0, SOUTH].tolist() == pytest.approx([0.8, 0.1, 0.1])


def test_a_slip_may_be_likelier_than_the_move():
    world = World.from_text("slip: 0.8\n...\n.S.\n..G\n")
    assert world.successors[4].tolist() == [3, 3, 1, 1]


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("slip: 0\nSG\n", "SG\n"),
        ("slip: -0.0\r\nSG\r\n", "SG\n"),
        ("SLIP :  2e-1 \nSG", "slip: 0.2\nSG\n"),
        ("slip:.25\nSG\n\n\n", "slip: 0.25\nSG\n"),
    ],
)
def test_a_header_has_one_way_of_writing(written, canonical):
    assert World.from_text(written).text == canonical


@pytest.mark.parametrize("name", PAPER_WORLDS)
def test_nothing_is_random_in_the_paper_s_worlds(name):
    world = make_world(name)
    assert not world.is_random
    assert np.shares_memory(world.outcomes, world.successors)
    assert (world.outcomes[:, :, 0] == world.successors).all()
    assert world.chances.shape == (world.states, 4, 1)
    assert (world.chances == 1).all()
    assert (world.starts.tolist(), world.goals.tolist(), world.holes.tolist()) == ([world.start], [world.goal], [])
    assert world.action_names == ("N", "S", "W", "E")


def test_all_arrays_are_read_only():
    for text in ("SG\n", "slip: 0.2\nS.G\n"):
        world = World.from_text(text)
        for name in (
            "outcomes",
            "chances",
            "successors",
            "starts",
            "start_chances",
            "goals",
            "holes",
            "ending",
            "letters",
        ):
            assert not getattr(world, name).flags.writeable, name
