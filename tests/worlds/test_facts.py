import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_worlds import distances, moved, read, rich_maps, small_maps

from hierq.errors import InputError
from hierq.worlds import (
    PAPER_WORLDS,
    World,
    dead_ends,
    gridworld,
    make_world,
    optimal_values,
    shortest_path,
    shortest_path_lengths,
    unreachable,
)

# The scipy modules are imported by the first call, which no deadline foresees.
plainly = settings(deadline=None)

BEHIND_THE_GOAL = "S.G..\n####.\n.##..\n"


@pytest.mark.parametrize(("name", "steps"), list(zip(PAPER_WORLDS, (18, 38, 16, 28, 20, 36), strict=True)))
def test_shortest_paths_of_the_paper_s_worlds(name, steps):
    world = make_world(name)
    assert shortest_path(world) == steps
    assert shortest_path_lengths(world)[world.start, world.goal] == steps


def test_an_episode_s_paths_end_at_the_goal():
    world = World.from_text(BEHIND_THE_GOAL)
    start, goal, behind, closed = (world.state_number(place) for place in ((0, 0), (0, 2), (2, 3), (2, 0)))
    lengths = shortest_path_lengths(world)
    assert lengths[start, goal] == shortest_path(world) == 2
    assert lengths[start, behind] == lengths[goal, start] == lengths[start, closed] == -1
    assert lengths[behind, goal] == 5
    geometry = shortest_path_lengths(world, through_goal=True)
    assert (geometry == geometry.T).all()
    assert (geometry[start, behind], geometry[goal, start], geometry[start, closed]) == (7, 2, -1)


@plainly
@given(small_maps(), st.booleans())
def test_shortest_paths_are_those_of_a_search(text, through_goal):
    letters = read(text)
    world = World.from_text(text)
    free = [place for place in letters if letters[place] != "#"]
    expected = []
    for source in free:
        steps = distances(letters, source, through_goal)
        expected.append([steps.get(target, -1) for target in free])
    assert shortest_path_lengths(world, through_goal).tolist() == expected
    assert shortest_path(world) == expected[world.start][world.goal]


@plainly
@given(rich_maps(), st.booleans())
def test_paths_with_doors_teleports_holes_and_luck_are_those_of_a_search(text, through_goal):
    try:
        world = World.from_text(text)
    except InputError:
        assume(False)
    letters = read(text)
    free = [place for place in letters if letters[place] != "#"]
    found = {source: distances(letters, source, through_goal) for source in free}
    expected = [[found[source].get(target, -1) for target in free] for source in free]
    assert shortest_path_lengths(world, through_goal).tolist() == expected
    pairs = [
        distances(letters, start, False).get(goal, math.inf)
        for start in free
        for goal in free
        if letters[start] + letters[goal] == "SG"
    ]
    assert shortest_path(world) == min(pairs)
    starts = [place for place in free if letters[place] == "S"]
    missed = [number for number, place in enumerate(free) if not any(place in found[start] for start in starts)]
    assert unreachable(world, through_goal).tolist() == missed
    neighbours = [{moved(letters, place, action) for action in "NSWE"} - {place} for place in free]
    assert dead_ends(world).tolist() == [number for number, around in enumerate(neighbours) if len(around) == 1]


def test_shortest_paths_of_a_large_world_are_found_in_several_blocks():
    world = gridworld(3, 700)
    assert world.states**2 > 4_000_000
    positions = world.positions[: world.states]
    manhattan = np.abs(positions[:, np.newaxis] - positions).sum(axis=2)
    assert (shortest_path_lengths(world, through_goal=True) == manhattan).all()


def test_optimal_values_by_hand():
    world = World.from_text("S....G")
    discount = 0.9
    binary = optimal_values(world, 2, discount)
    assert np.isnan(np.diag(binary)).all()
    assert binary[0, 1:].tolist() == pytest.approx([1, 1, 0.9, 0.9, 0.81])
    assert (optimal_values(world, 10**9, discount)[0, 1:] == 1).all()
    assert (optimal_values(world, 1, 1.0)[0, 1:] == 1).all()


def test_optimal_values_where_no_path_leads():
    world = World.from_text(BEHIND_THE_GOAL)
    behind = world.state_number((2, 3))
    assert optimal_values(world, 3, 0.95)[world.start, behind] == 0
    assert optimal_values(world, 3, 1.0)[world.goal, world.start] == 0


def test_optimal_values_are_multiplied_up_as_a_backup_does():
    value, values = 1.0, [1.0]
    for _ in range(198):
        value = 0.95 * value
        values.append(value)
    corridor = World.from_text("S" + "." * 198 + "G")
    assert optimal_values(corridor, 1, 0.95)[0, 1:].tolist() == values


@plainly
@given(small_maps(most=4), st.integers(1, 5), st.sampled_from([0.5, 0.95]))
def test_optimal_values_are_the_fixed_point_of_the_bellman_equation(text, reach, discount):
    """V(s, g) = max over states c at most `reach` steps away: 1 if c = g, else γ V(c, g)."""
    letters = read(text)
    free = [place for place in letters if letters[place] != "#"]
    nearby = {
        place: [c for c, steps in distances(letters, place, False).items() if 0 < steps <= reach] for place in free
    }
    found = optimal_values(World.from_text(text), reach, discount)
    for column, goal in enumerate(free):
        value = dict.fromkeys(free, 0.0)
        for _ in free:
            value = {s: max((1.0 if c == goal else discount * value[c] for c in nearby[s]), default=0.0) for s in free}
        for row, place in enumerate(free):
            if place == goal:
                assert math.isnan(found[row, column])
            else:
                assert found[row, column] == pytest.approx(value[place], rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 0.95), "the reach must be at least 1, not 0"),
        ((1.5, 0.95), "the reach must be a whole number, not 1.5"),
        ((3, 0.0), r"the discount must lie in \(0, 1\], not 0"),
        ((3, 1.01), r"the discount must lie in \(0, 1\], not 1.01"),
        ((3, math.nan), r"the discount must lie in \(0, 1\], not nan"),
        ((3, "0.9"), "the discount must be a number, not '0.9'"),
    ],
)
def test_values_that_cannot_be_are_refused(arguments, words):
    with pytest.raises(InputError, match=words):
        optimal_values(World.from_text("SG"), *arguments)


def test_pairs_that_would_not_fit_are_refused():
    world = gridworld(200, 200)
    with pytest.raises(InputError, match=r"every pair of the 40,000 states of gridworld-200 would take 11\.9 GiB"):
        shortest_path_lengths(world)
    with pytest.raises(InputError, match=r"would take 11\.9 GiB, more than 4 GiB; use a smaller world"):
        optimal_values(world, 3, 0.95)


@given(small_maps())
def test_dead_ends_have_one_way_out(text):
    world, letters = World.from_text(text), read(text)
    places = [tuple(world.positions[state].tolist()) for state in range(world.states)]
    ways = [sum(moved(letters, place, action) != place for action in "NSWE") for place in places]
    assert dead_ends(world).tolist() == [state for state, count in enumerate(ways) if count == 1]


@plainly
@given(small_maps(), st.booleans())
def test_unreachable_is_what_no_way_from_the_start_leads_to(text, through_goal):
    world = World.from_text(text)
    reached = distances(read(text), tuple(world.positions[world.start].tolist()), through_goal)
    missed = [state for state in range(world.states) if tuple(world.positions[state].tolist()) not in reached]
    assert unreachable(world, through_goal).tolist() == missed


def test_what_lies_behind_the_goal_is_unreachable_in_episodes():
    world = World.from_text(BEHIND_THE_GOAL)
    assert len(unreachable(world)) == 6
    assert unreachable(world, through_goal=True).tolist() == [world.state_number((2, 0))]
