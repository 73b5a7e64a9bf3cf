import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hierq
from hierq.errors import InputError
from hierq.worlds import random_rooms, unreachable

seeds = st.integers(0, 2**70)


def rectangles(world):
    """The rooms of a world as (high, wide), found by flooding its free cells without the doors."""
    from scipy.ndimage import find_objects, label

    parts, _ = label(without_doors(world))
    found = []
    for part, where in enumerate(find_objects(parts), start=1):
        assert (parts[where] == part).all(), "a room is no rectangle"
        found.append(parts[where].shape)
    return found


def without_doors(world):
    free = world.cell_at < world.states
    padded = np.pad(free, 1)
    vertical = padded[:-2, 1:-1] & padded[2:, 1:-1] & ~padded[1:-1, :-2] & ~padded[1:-1, 2:]
    horizontal = padded[1:-1, :-2] & padded[1:-1, 2:] & ~padded[:-2, 1:-1] & ~padded[2:, 1:-1]
    return free & ~vertical & ~horizontal


@given(st.integers(5, 40), st.integers(5, 40), seeds, st.floats(0, 1))
def test_rooms_are_connected_rectangles_of_three_to_nine_cells(rows, columns, seed, loops):
    world = random_rooms(rows, columns, seed=seed, loops=loops)
    assert world.shape == (rows, columns)
    assert len(unreachable(world, through_goal=True)) == 0
    sides = [side for rectangle in rectangles(world) for side in rectangle]
    assert min(sides) >= 3
    assert max(sides) <= 9


@given(st.integers(5, 30), st.integers(5, 30), seeds)
def test_without_loops_there_is_one_door_fewer_than_rooms(rows, columns, seed):
    world = random_rooms(rows, columns, seed=seed)
    doors = world.states - int(without_doors(world).sum())
    assert doors == len(rectangles(world)) - 1


@given(st.integers(5, 30), st.integers(5, 30), seeds, st.floats(0, 1), st.floats(0, 1))
def test_more_loops_are_the_same_rooms_with_more_doors(rows, columns, seed, some, more):
    some, more = sorted((some, more))
    fewer, further = (
        random_rooms(rows, columns, seed=seed, loops=loops).text.replace("S", ".").replace("G", ".")
        for loops in (some, more)
    )
    assert all(letter == "#" or other == "." for letter, other in zip(fewer, further, strict=True) if letter != "\n")


@given(st.integers(5, 30), st.integers(5, 30), seeds)
def test_with_all_loops_every_shared_wall_has_one_door(rows, columns, seed):
    from scipy.ndimage import label

    world = random_rooms(rows, columns, seed=seed, loops=1.0)
    room, _ = label(without_doors(world))
    free = world.cell_at < world.states
    walls, doors = set(), []
    for row in range(1, rows - 1):
        for column in range(1, columns - 1):
            for pair in (
                (room[row - 1, column], room[row + 1, column]),
                (room[row, column - 1], room[row, column + 1]),
            ):
                if room[row, column] == 0 and min(pair) > 0:
                    walls.add(pair)
                    doors += [pair] if free[row, column] else []
    assert sorted(doors) == sorted(walls)


@given(st.integers(5, 40), seeds)
def test_a_seed_gives_one_set_of_rooms(size, seed):
    assert random_rooms(size, size, seed=seed) == random_rooms(size, size, seed=seed)


def test_other_seeds_give_other_rooms():
    assert len({random_rooms(30, 30, seed=seed).text for seed in range(50)}) == 50


def test_rooms_stay_as_they_are():
    assert random_rooms(30, 40, seed=7, loops=0.3).digest[:12] == "9237fff3980b"


def test_the_smallest_map_is_one_room():
    assert random_rooms(5, 5, seed=0).text == "#####\n#S..#\n#...#\n#..G#\n#####\n"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rows": 4}, "the number of rows must be at least 5, not 4"),
        ({"columns": 2.0}, "the number of columns must be a whole number, not 2.0"),
        ({"columns": 10**9}, "are more than the limit of 8,000,000"),
        ({"seed": -3}, "the seed must be at least 0, not -3"),
        ({"loops": 2}, r"the share of further doors \(loops\) must lie in \[0, 1\], not 2"),
    ],
)
def test_rooms_that_cannot_be_are_refused(changes, words):
    with pytest.raises(InputError, match=words):
        random_rooms(**{"rows": 20, "columns": 20, "seed": 0} | changes)


def test_rooms_are_named_after_what_they_are():
    assert hierq.random_rooms(8, 9, seed=2).name == "rooms-8x9-seed-2"
    assert random_rooms(9, 9, seed=2, loops=0.5).name == "rooms-9-loops-0.5-seed-2"
