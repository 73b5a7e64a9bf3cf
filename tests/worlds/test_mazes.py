import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_worlds import read

from hierq.errors import InputError
from hierq.worlds import cave, dead_ends, maze, random_rooms, unreachable
from hierq.worlds.random_maps import Draws

odd_sizes = st.tuples(st.integers(1, 8), st.integers(1, 8)).filter(lambda shape: shape != (1, 1))
seeds = st.integers(0, 2**70)


def passages(world):
    """Pairs of free cells beside each other."""
    free = world.cell_at < world.states
    return int((free[1:] & free[:-1]).sum() + (free[:, 1:] & free[:, :-1]).sum())


def free_cells(world):
    return {place for place, letter in read(world.text).items() if letter != "#"}


@given(odd_sizes, seeds)
def test_a_perfect_maze_is_a_tree(shape, seed):
    high, wide = shape
    world = maze(2 * high + 1, 2 * wide + 1, seed=seed)
    assert world.shape == (2 * high + 1, 2 * wide + 1)
    assert {(row, column) for row, column in free_cells(world) if row % 2 and column % 2} == {
        (2 * row + 1, 2 * column + 1) for row in range(high) for column in range(wide)
    }
    assert world.states == 2 * high * wide - 1  # the chambers, and one passage fewer
    assert passages(world) == world.states - 1
    assert len(unreachable(world, through_goal=True)) == 0
    assert tuple(world.positions[world.start]) == (1, 1)
    assert tuple(world.positions[world.goal]) == (2 * high - 1, 2 * wide - 1)


@given(odd_sizes, seeds, st.floats(0, 1), st.floats(0, 1))
def test_more_loops_are_the_same_maze_with_more_openings(shape, seed, some, more):
    some, more = sorted((some, more))
    rows, columns = 2 * shape[0] + 1, 2 * shape[1] + 1
    one, other = (maze(rows, columns, seed=seed, loops=loops) for loops in (some, more))
    assert free_cells(one) <= free_cells(other)
    assert passages(one) <= passages(other)
    border = {place for place in read(other.text) if place[0] in (0, rows - 1) or place[1] in (0, columns - 1)}
    assert not border & free_cells(other)


@given(odd_sizes.filter(lambda shape: min(shape) > 1), seeds)
def test_a_braided_maze_has_no_dead_end(shape, seed):
    world = maze(2 * shape[0] + 1, 2 * shape[1] + 1, seed=seed, loops=1.0)
    assert len(dead_ends(world)) == 0
    assert len(unreachable(world, through_goal=True)) == 0


@given(odd_sizes.filter(lambda shape: min(shape) > 1), seeds, st.floats(0, 1))
def test_the_given_share_of_dead_ends_is_opened(shape, seed, loops):
    rows, columns = 2 * shape[0] + 1, 2 * shape[1] + 1
    before, after = (len(dead_ends(maze(rows, columns, seed=seed, loops=share))) for share in (0.0, loops))
    opened = int(loops * before + 0.5)
    assert before - after in (opened, opened + 1)  # the last opening may end two


def test_a_corridor_has_nothing_to_open():
    assert maze(3, 9, seed=0, loops=1.0).text == "#########\n#S.....G#\n#########\n"


@given(odd_sizes, seeds)
def test_a_seed_gives_one_maze(shape, seed):
    rows, columns = 2 * shape[0] + 1, 2 * shape[1] + 1
    first, second = (maze(rows, columns, seed=seed, loops=0.5) for _ in range(2))
    assert first == second
    assert first.name == second.name


def test_other_seeds_give_other_mazes():
    assert len({maze(21, 21, seed=seed).text for seed in range(50)}) == 50


def test_mazes_stay_as_they_are():
    # Of a map for a fixed seed, on any platform and with any NumPy; a change here changes every map people have made.
    assert maze(31, 41, seed=7, loops=0.3).digest[:12] == "7b83ada98bb5"


def test_the_random_numbers_stay_as_they_are():
    draws = Draws(2**80)
    assert [draws.below(10**6) for _ in range(4)] == [144286, 499499, 388103, 432301]
    assert Draws(1).happens(0.5, (2, 4)).tolist() == [[False, False, True, False], [True, True, False, True]]


def test_large_mazes_need_no_recursion(once):
    assert maze(501, 501, seed=1).states == 2 * 250**2 - 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rows": 1}, "the number of rows must be at least 3, not 1"),
        ({"columns": -5}, "the number of columns must be at least 3, not -5"),
        ({"rows": 7.0}, "the number of rows must be a whole number, not 7.0"),
        ({"rows": "7"}, "the number of rows must be a whole number, not '7'"),
        ({"rows": 10}, "the rows of a maze must be odd, .*; use 9 or 11, not 10"),
        ({"columns": 10}, "the columns of a maze must be odd, .*; use 9 or 11, not 10"),
        ({"rows": 3, "columns": 3}, "a maze of 3 × 3 has its start on its goal; make it at least 3 × 5"),
        ({"rows": 10**8 + 1}, "100,000,001 × 9 cells are more than the limit of 8,000,000; make the"),
        ({"seed": -1}, "the seed must be at least 0, not -1"),
        ({"seed": 0.5}, "the seed must be a whole number, not 0.5"),
        ({"seed": None}, "the seed must be a whole number, not None"),
        ({"loops": -0.1}, r"the share of dead ends that become loops must lie in \[0, 1\], not -0.1"),
        ({"loops": 1.1}, r"must lie in \[0, 1\], not 1.1"),
        ({"loops": float("nan")}, r"must lie in \[0, 1\], not nan"),
        ({"loops": "all"}, "must be a number, not 'all'"),
    ],
)
def test_a_maze_that_cannot_be_is_refused(changes, words):
    with pytest.raises(InputError, match=words):
        maze(**{"rows": 9, "columns": 9, "seed": 0} | changes)


@pytest.mark.parametrize("make", [maze, cave, random_rooms])
def test_what_is_too_large_is_refused_before_it_is_made(make, monkeypatch):
    def no_array(*_, **__):
        raise AssertionError("an array was made")

    for function in ("full", "zeros", "pad"):
        monkeypatch.setattr(np, function, no_array)
    with pytest.raises(InputError, match="2,829 × 2,831 cells are more than the limit of 8,000,000"):
        make(2829, 2831, seed=0)


def test_a_maze_is_named_after_what_it_is():
    assert maze(5, 5, seed=3).name == "maze-5-backtracker-seed-3"
    assert maze(5, 7, seed=3, loops=0.25).name == "maze-5x7-backtracker-loops-0.25-seed-3"
