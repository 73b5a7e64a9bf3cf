import copy
import dataclasses
import hashlib
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_worlds import moved, read, small_maps

import hierq.worlds
from hierq.errors import InputError
from hierq.worlds import World, gridworld, make_world

SMALL = "S.#\n#.G\n"


def test_a_small_world_by_hand():
    world = World.from_text(SMALL, name="small")
    assert (world.name, world.text, world.shape) == ("small", SMALL, (2, 3))
    assert (world.states, world.cells, world.actions) == (4, 6, 4)
    assert (world.start, world.goal) == (0, 3)
    assert world.positions.tolist() == [[0, 0], [0, 1], [1, 1], [1, 2], [0, 2], [1, 0]]
    assert world.cell_at.tolist() == [[0, 1, 4], [5, 2, 3]]
    #                                    N  S  W  E
    assert world.successors.tolist() == [[0, 0, 0, 1], [1, 2, 0, 1], [1, 2, 2, 3], [3, 3, 2, 3]]
    assert repr(world) == "<World small: 2 × 3 cells, 4 free>"


@given(small_maps())
def test_arrays_say_what_the_map_says(text):
    letters = read(text)
    world = World.from_text(text)
    free = [place for place in letters if letters[place] != "#"]
    walls = [place for place in letters if letters[place] == "#"]
    assert list(map(tuple, world.positions.tolist())) == free + walls
    assert letters[free[world.start]] == "S"
    assert letters[free[world.goal]] == "G"
    assert world.successors.tolist() == [
        [free.index(moved(letters, place, action)) for action in "NSWE"] for place in free
    ]
    assert all(world.cell_number(place) == number for number, place in enumerate(free + walls))
    assert (world.successors.dtype, world.positions.dtype, world.cell_at.dtype) == (np.int64,) * 3


@given(small_maps())
def test_the_text_makes_the_same_world_again(text):
    world = World.from_text(text)
    assert world.text == text
    for variant in (text.removesuffix("\n"), text.replace("\n", "\r\n")):
        assert World.from_text(variant).text == text


def test_equality_goes_by_the_text_and_not_by_the_name():
    one, same, other = World.from_text(SMALL, "one"), World.from_text(SMALL, "two"), World.from_text("SG")
    assert one == same
    assert hash(one) == hash(same)
    assert one.digest == same.digest == hashlib.sha256(SMALL.encode()).hexdigest()
    assert one != other
    assert one.digest != other.digest
    assert one != SMALL


def test_a_world_cannot_be_changed():
    world = World.from_text(SMALL)
    arrays = (
        world.successors,
        world.positions,
        world.cell_at,
        *world.subgoals(2, "free"),
        *world.subgoals(None, "grid"),
    )
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        world.start = 1


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda world: pickle.loads(pickle.dumps(world))])
def test_a_copy_is_equal_named_alike_and_read_only(duplicate):
    world = make_world("maze-10")
    world.subgoals(3, "free")
    twin = duplicate(world)
    assert twin == world
    assert twin.name == "maze-10"
    assert not twin.successors.flags.writeable


def test_a_world_is_made_from_a_file(tmp_path):
    path = tmp_path / "my maze.txt"
    path.write_bytes(SMALL.replace("\n", "\r\n").encode())
    world = World.from_file(path)
    assert (world.name, world.text) == ("my maze", SMALL)
    assert World.from_file(str(path)) == world


@settings(deadline=None)
@given(small_maps(), st.integers(1, 14), st.sampled_from(["free", "grid"]))
def test_subgoals_are_the_cells_in_the_diamond(text, reach, cells):
    world = World.from_text(text)
    rows, counts = world.subgoals(reach, cells)
    choices = range(world.states if cells == "free" else world.cells)
    for state, (row, column) in enumerate(world.positions[: world.states].tolist()):
        expected = [
            cell
            for cell in choices
            if 0 < abs(world.positions[cell, 0] - row) + abs(world.positions[cell, 1] - column) <= reach
        ]
        assert rows[state, : counts[state]].tolist() == expected
        assert (rows[state, counts[state] :] == -1).all()
    assert rows.shape == (world.states, counts.max())
    assert (rows.dtype, counts.dtype) == (np.int32, np.int64)


@given(small_maps(), st.sampled_from(["free", "grid"]))
def test_subgoals_anywhere_are_all_cells_but_the_own(text, cells):
    world = World.from_text(text)
    rows, counts = world.subgoals(None, cells)
    choices = world.states if cells == "free" else world.cells
    assert rows.tolist() == [[cell for cell in range(choices) if cell != state] for state in range(world.states)]
    assert counts.tolist() == [choices - 1] * world.states
    assert (rows.dtype, counts.dtype) == (np.int32, np.int64)


def test_subgoals_of_a_large_world_are_found_in_several_blocks():
    world, reach = gridworld(40, 40), 27
    assert world.states * 2 * reach * (reach + 1) > 2_000_000
    rows, counts = world.subgoals(reach, "grid")
    distance = np.abs(world.positions[: world.states, np.newaxis] - world.positions).sum(axis=2)
    legal = (distance > 0) & (distance <= reach)
    assert (counts == legal.sum(axis=1)).all()
    found = np.zeros_like(legal)
    found[np.nonzero(rows >= 0)[0], rows[rows >= 0]] = True
    assert (found == legal).all()


def test_subgoals_are_found_once():
    world = make_world("rooms-4")
    assert world.subgoals(3, "free") is world.subgoals(np.int64(3), "free")
    assert world.subgoals(3, "free") is not world.subgoals(3, "grid")
    assert world.subgoals(None, "free") is world.subgoals(24, "free") is world.subgoals(3**40, "free")


def test_subgoals_that_would_not_fit_are_refused():
    world = World.from_text("S" + "." * 100_000 + "G", name="corridor")
    with pytest.raises(InputError, match=r"sub-goals of corridor: .* up to 100,001 each would take 37\.3 GiB"):
        world.subgoals(None, "free")
    assert world.subgoals(1, "free")[0].shape == (100_002, 2)


@pytest.mark.parametrize("reach", [0, -3, 2.0, "3", float("nan")])
def test_a_reach_is_a_whole_number_of_steps(reach):
    with pytest.raises(InputError, match="a reach is a whole number of steps from 1 on"):
        World.from_text(SMALL).subgoals(reach, "free")


def test_unknown_subgoal_cells_are_refused():
    with pytest.raises(InputError, match='"free" or "grid", not \'walls\''):
        World.from_text(SMALL).subgoals(3, "walls")


@pytest.mark.parametrize("where", [(1, 2), [1, 2], np.array([1, 2]), (np.int32(1), np.int32(2)), 3, np.int64(3)])
def test_a_cell_is_named_by_its_place_or_number(where):
    world = World.from_text(SMALL)
    assert world.cell_number(where) == 3
    assert world.state_number(where) == 3
    assert type(world.cell_number(where)) is int


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ((2, 0), r"cell \(2, 0\) lies outside small; its rows are 0 to 1, its columns 0 to 2"),
        ((0, 3), r"cell \(0, 3\) lies outside small"),
        ((-1, 0), r"cell \(-1, 0\) lies outside small"),
        ((0, -1), r"cell \(0, -1\) lies outside small"),
        (6, "there is no cell 6; the cells of small are 0 to 5"),
        (-1, "there is no cell -1"),
        ((1,), r"given as \(row, column\) or as its number, not as \(1,\)"),
        ((1, 2, 3), r"not as \(1, 2, 3\)"),
        ((1.0, 2.0), r"not as \(1\.0, 2\.0\)"),
        ((), r"not as \(\)"),
        (np.array(3.0), r"not as array\(3\.\)"),
        ("goal", "not as 'goal'"),
        (1.5, r"not as 1\.5"),
        (None, "not as None"),
        ("x" * 100, r"not as 'x{59}$"),
    ],
)
def test_a_cell_that_does_not_exist_is_refused(where, words):
    world = World.from_text(SMALL, name="small")
    for number in (world.cell_number, world.state_number):
        with pytest.raises(InputError, match=words):
            number(where)


@pytest.mark.parametrize("where", [(0, 2), 4])
def test_a_wall_is_a_cell_and_no_state(where):
    world = World.from_text(SMALL, name="small")
    assert world.cell_number(where) == 4
    with pytest.raises(InputError, match=r"cell \(0, 2\) of small is a wall; name a free cell"):
        world.state_number(where)


def test_every_public_name_exists_and_is_explained():
    things = {name: thing for name, thing in vars(hierq.worlds).items() if not name.startswith("_")}
    assert {"World", "make_world", "WORLD_NAMES"} <= things.keys()
    assert all(isinstance(thing, tuple) or thing.__doc__ for thing in things.values())
