import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_worlds import rich_maps

from hierq.errors import InputError
from hierq.worlds import World, gridworld, layout, make_world, maze, subgoals


def near(world, source, reach):
    """By a plain breadth-first search over outcomes."""
    steps, frontier = {source: 0}, [source]
    for state in frontier:
        if world.ending[state] or steps[state] == reach:
            continue
        for after, chance in zip(world.outcomes[state].ravel(), world.chances[state].ravel(), strict=True):
            if chance > 0 and after not in steps:
                steps[int(after)] = steps[state] + 1
                frontier.append(int(after))
    return sorted(set(steps) - {source})


def check(world, reach, found):
    rows, counts = found
    expected = [near(world, state, reach) for state in range(world.states)]
    assert counts.tolist() == [len(states) for states in expected]
    assert [row[row >= 0].tolist() for row in rows] == expected
    assert all((row[count:] == -1).all() for row, count in zip(rows, counts, strict=True))
    assert rows.shape == (world.states, counts.max())
    assert (rows.dtype, counts.dtype) == (np.int32, np.int64)
    assert not rows.flags.writeable
    assert not counts.flags.writeable


@settings(deadline=None)
@given(rich_maps(), st.integers(1, 12), st.sampled_from([1, 7, 4_000_000]))
def test_near_states_are_those_of_a_search(text, reach, pairs):
    try:
        world = World.from_text(text)
    except InputError:
        assume(False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subgoals, "MAX_PAIRS", pairs)  # so that there are several blocks
        check(world, reach, subgoals.find_subgoals(world, reach, "free", "steps"))


@settings(deadline=None)
@given(st.data())
def test_near_states_of_tables(data):
    states, actions = data.draw(st.tuples(st.integers(2, 9), st.integers(1, 3)))
    leads = data.draw(st.lists(st.integers(0, states - 1), min_size=states * actions, max_size=states * actions))
    try:
        world = World.from_table(np.array(leads).reshape(states, actions), goals=[states - 1])
    except InputError:
        assume(False)
    reach = data.draw(st.integers(1, 9))
    check(world, reach, world.subgoals(reach, nearness="steps"))


def test_doors_and_ends_by_hand():
    world = World.from_text("S.>.G.\n")
    rows, counts = world.subgoals(2, nearness="steps")
    assert rows.tolist() == [[1, 2, -1], [0, 2, 3], [3, 4, -1], [4, -1, -1], [-1, -1, -1], [4, -1, -1]]
    assert counts.tolist() == [2, 3, 2, 1, 0, 1]
    assert world.subgoals(None, nearness="steps")[1].tolist() == [4, 4, 2, 1, 0, 1]


def test_in_the_open_steps_are_l1_but_for_the_goal():
    world = gridworld(5, 5)
    by_steps, by_distance = world.subgoals(3, nearness="steps"), world.subgoals(3)
    elsewhere = np.arange(world.states) != world.goal
    assert (by_steps[0][elsewhere] == by_distance[0][elsewhere]).all()
    assert by_steps[1][world.goal] == 0


def test_what_is_found_is_kept():
    world = make_world("rooms-4")
    assert world.subgoals(3, nearness="steps") is world.subgoals(np.int64(3), "free", "steps")
    assert world.subgoals(3, nearness="steps") is not world.subgoals(3)
    assert world.subgoals(None, nearness="steps") is world.subgoals(104, nearness="steps")


def test_what_would_not_fit_is_refused_while_it_is_searched(monkeypatch):
    monkeypatch.setattr(layout, "MAX_GIB", 4 * 100 * 20 / 2**30)
    world = gridworld(10, 10)
    monkeypatch.setattr(np, "concatenate", lambda *_, **__: pytest.fail("an array was made"))
    with pytest.raises(InputError, match=r"sub-goals of gridworld-10: 100 states with up to \d+ each would take"):
        world.subgoals(4, nearness="steps")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, "free", "steps"), "a reach is a whole number of steps from 1 on, or None, not 0"),
        ((3, "grid", "steps"), "no steps lead into a wall"),
        ((3, "free", "air"), 'nearness is "L1" or "steps", not \'air\''),
    ],
)
def test_what_cannot_be_asked_is_refused(arguments, words):
    with pytest.raises(InputError, match=words):
        gridworld(3, 3).subgoals(*arguments)
    with pytest.raises(InputError, match="a reach is a whole number"):
        gridworld(3, 3).subgoals(1.5, "free", "steps")


def test_a_maze_of_many_states_is_searched_in_blocks():
    world = maze(101, 101, seed=1, loops=0.5)
    rows, counts = world.subgoals(6, nearness="steps")
    for state in range(0, world.states, 997):
        assert rows[state, : counts[state]].tolist() == near(world, state, 6)
