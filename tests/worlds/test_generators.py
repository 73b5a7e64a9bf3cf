import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hierq.errors import InputError
from hierq.worlds import gridworld, make_world, rooms


@pytest.mark.parametrize(
    ("generated", "name", "digest"),
    [
        (gridworld(10, 10), "gridworld-10", "31493946a1f54ba541c7c3f8acb5cbfeaf88131042b0741690ff5e3a10c3a73b"),
        (gridworld(20, 20), "gridworld-20", "1674ca2685bf75dad09ca7ce27e344a245e96fa46f81b70d5e4176f6ba345989"),
        (rooms(4), "rooms-4", "654dad4a9986dc9f055dbf527bb00cc521003fc33c7ce295b9a914585b485821"),
        (rooms(9), "rooms-9", "710a6d84334672461ef632ef79bfdae1ce41885f35030cd5f9738acd4fa751b9"),
    ],
)
def test_the_paper_s_maps(generated, name, digest):
    assert generated == make_world(name)
    assert generated.name == name
    assert generated.digest == digest


def test_a_gridworld_need_not_be_square():
    world = gridworld(np.int64(1), 3)
    assert world.text == "#####\n#S.G#\n#####\n"
    assert world.name == "gridworld-1x3"


@given(st.integers(2, 6))
def test_free_cells_of_rooms_can_be_counted(side):
    assert rooms(side**2).states == side**2 * 5**2 + 2 * side * (side - 1)  # with a doorway in each wall


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 5), "the height of a gridworld must be at least 1, not 0"),
        ((5, -1), "the width of a gridworld must be at least 1, not -1"),
        ((2.5, 5), "the height of a gridworld must be a whole number, not 2.5"),
        ((5, "6"), "the width of a gridworld must be a whole number, not '6'"),
        ((1, 1), "a gridworld of 1 × 1 has its start on its goal; make it at least 1 × 2"),
        ((10**8, 10**8), "100,000,002 × 100,000,002 cells are more than the limit of 8,000,000; make"),
    ],
)
def test_a_gridworld_that_cannot_be_is_refused(arguments, words):
    with pytest.raises(InputError, match=words):
        gridworld(*arguments)


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (5, r"the number of rooms is a square from 4 on \(4, 9, 16, …\), not 5"),
        (1, "the number of rooms is a square from 4 on .*, not 1"),
        (0, "the number of rooms must be at least 1, not 0"),
        (-4, "the number of rooms must be at least 1, not -4"),
        (float("nan"), "the number of rooms must be a whole number, not nan"),
        (10**8, "are more than the limit of 8,000,000"),
    ],
)
def test_rooms_that_cannot_be_are_refused(count, words):
    with pytest.raises(InputError, match=words):
        rooms(count)
