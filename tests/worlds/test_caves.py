import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_worlds import distances, read

import hierq
from hierq.errors import InputError
from hierq.worlds import cave, shortest_path, unreachable
from hierq.worlds.random_maps import ROUNDS, largest_part, smoothed

sizes = st.integers(8, 30)
seeds = st.integers(0, 2**70)


@given(sizes, sizes, seeds)
def test_a_cave_is_one_part_inside_its_border(rows, columns, seed):
    world = cave(rows, columns, seed=seed)
    assert world.shape == (rows, columns)
    assert len(unreachable(world, through_goal=True)) == 0
    assert 10 * world.states >= min(rows, columns) ** 2
    inside = world.positions[: world.states]
    assert (inside >= 1).all()
    assert (inside <= np.array(world.shape) - 2).all()


def test_a_cave_that_closes_up_is_drawn_again():
    assert all(10 * cave(8, 8, seed=seed).states >= 64 for seed in range(50))


@given(sizes, sizes, seeds)
def test_the_goal_is_as_far_as_can_be_from_the_start(rows, columns, seed):
    world = cave(rows, columns, seed=seed)
    start = tuple(world.positions[world.start].tolist())
    assert shortest_path(world) == max(distances(read(world.text), start, through_goal=True).values())


@given(sizes, seeds)
def test_a_seed_gives_one_cave(size, seed):
    assert cave(size, size, seed=seed) == cave(size, size, seed=seed)


def test_other_seeds_give_other_caves():
    assert len({cave(20, 20, seed=seed).text for seed in range(50)}) == 50


def test_caves_stay_as_they_are():
    assert cave(30, 40, seed=7).digest[:12] == "da9b51829217"


def test_smoothing_follows_the_majority_of_nine():
    drawn = np.array([list("..##"), list("..#."), list("#..."), list("....")]) == "."
    expected = drawn
    for _ in range(ROUNDS):
        before = expected
        expected = np.zeros_like(before)
        for row in range(4):
            for column in range(4):
                around = before[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
                expected[row, column] = around.sum() >= 5
    assert np.array_equal(smoothed(drawn), expected)


def test_the_largest_part_is_kept_the_first_of_several():
    parts = np.array([list(".#.."), list("#.##"), list("..#."), list("##..")]) == "."
    kept = np.array([list("####"), list("#.##"), list("..##"), list("####")]) == "."
    assert np.array_equal(largest_part(parts), kept)
    nothing = np.zeros((2, 3), np.bool_)
    assert not largest_part(nothing).any()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rows": 7}, "the number of rows must be at least 8, not 7"),
        ({"columns": None}, "the number of columns must be a whole number, not None"),
        ({"columns": 10**9}, "are more than the limit of 8,000,000"),
        ({"seed": -3}, "the seed must be at least 0, not -3"),
    ],
)
def test_a_cave_that_cannot_be_is_refused(changes, words):
    with pytest.raises(InputError, match=words):
        cave(**{"rows": 20, "columns": 20, "seed": 0} | changes)


def test_a_cave_is_named_after_what_it_is():
    assert hierq.cave(8, 9, seed=2).name == "cave-8x9-seed-2"
