import math

import gymnasium
import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy.optimize import linprog
from small_worlds import distances, moved, read, rich_maps, small_maps

import hierq
from hierq.errors import InputError
from hierq.worlds import (
    PAPER_WORLDS,
    World,
    aimless_steps,
    best_values,
    expected_steps,
    make_world,
    optimal_values,
    policy_values,
    random_walk_steps,
)

# The scipy modules are imported by the first call, which no deadline foresees.
plainly = settings(deadline=None)

EAST = 3


def lake(**settings):
    return World.from_gymnasium(gymnasium.make("FrozenLake-v1", **settings))


def rich_world(text):
    try:
        return World.from_text(text)
    except InputError:
        assume(False)


def uniform(world):
    return np.full((world.states, world.actions), 1 / world.actions)


@pytest.mark.parametrize(
    ("name", "mean"),
    list(zip(PAPER_WORLDS, (602.33, 3113.81, 924.00, 2879.74, 2368.79, 9232.28), strict=True)),
)
def test_random_walks_in_the_paper_s_worlds(name, mean):
    world = make_world(name)
    assert random_walk_steps(world)[world.start] == pytest.approx(mean, abs=0.005)


@plainly
@given(small_maps())
def test_random_walks_solve_their_equation(text):
    letters = read(text)
    world = World.from_text(text)
    free = [place for place in letters if letters[place] != "#"]
    connected = distances(letters, free[world.goal], through_goal=True)
    steps = dict(zip(free, random_walk_steps(world), strict=True))
    for place in free:
        if letters[place] == "G":
            assert steps[place] == 0
        elif place in connected:
            mean = sum(steps[moved(letters, place, action)] for action in "NSWE") / 4
            assert steps[place] == pytest.approx(1 + mean, rel=1e-9)
        else:
            assert math.isinf(steps[place])


def test_a_random_walk_in_a_corridor_by_hand():
    # h(S) = 1 + 3/4 h(S)   gives   h(S) = 4
    assert random_walk_steps(World.from_text("SG")).tolist() == pytest.approx([4, 0])
    # h(S) = 1 + 3/4 h(S) + 1/4 h(·),  h(·) = 1 + 1/2 h(·) + 1/4 h(S)   gives   h(·) = 8, h(S) = 12
    assert random_walk_steps(World.from_text("S.G")).tolist() == pytest.approx([12, 8, 0])


@plainly
@given(rich_maps())
def test_a_uniform_policy_is_a_random_walk(text):
    world = rich_world(text)
    steps, success = expected_steps(world, uniform(world))
    walk = random_walk_steps(world)
    assert walk.tolist() == steps.tolist()
    chances = (world.chances[..., np.newaxis] * np.eye(world.states)[world.outcomes]).sum(axis=2).mean(axis=1)
    for state in range(world.states):
        if world.ending[state]:
            assert (steps[state], success[state]) == (0, world.ending[state] == 1)
            continue
        possible = chances[state] > 0
        assert steps[state] == pytest.approx(1 + chances[state][possible] @ steps[possible], rel=1e-9)
        assert success[state] == pytest.approx(chances[state] @ success, rel=1e-9, abs=1e-12)
        assert -1e-12 <= success[state] <= 1 + 1e-12


@plainly
@given(rich_maps())
def test_the_walk_is_endless_only_where_an_end_may_get_out_of_reach(text):
    world, letters = rich_world(text), read(text)
    free = [place for place in letters if letters[place] != "#"]
    ways = {place: distances(letters, place, False) for place in free}
    ends = {place: any(letters[after] in "GH" for after in ways[place]) for place in free}
    endless = [not all(ends[after] for after in ways[place]) for place in free]
    assert np.isinf(random_walk_steps(world)).tolist() == endless


@pytest.mark.parametrize("slip", [0.1, 0.3, 0.5])
def test_a_corridor_with_slip_in_closed_form(slip):
    # Sideways there are walls, so a step to the east succeeds with 1 − p: each cell takes 1 / (1 − p) steps.
    world, discount = World.from_text(f"slip: {slip}\nS...G\n"), 0.9
    east = np.full(world.states, EAST)
    steps, success = expected_steps(world, east)
    assert steps == pytest.approx(np.array([4, 3, 2, 1, 0]) / (1 - slip))
    assert success == pytest.approx(np.ones(5))
    # V(1) = (1 − p) + p γ V(1),   V(d) = (1 − p) γ V(d − 1) + p γ V(d)
    last = (1 - slip) / (1 - slip * discount)
    expected = [last * (discount * last) ** further for further in (3, 2, 1, 0)]
    assert policy_values(world, east, discount)[:4] == pytest.approx(expected)
    assert best_values(world, discount)[:4] == pytest.approx(expected, abs=1e-10)
    assert math.isnan(best_values(world, discount)[4])


def test_a_walk_between_a_hole_and_a_goal_is_the_gambler_s_ruin():
    world = World.from_text("H...S...G\n")
    steps, success = expected_steps(world, uniform(world))
    assert success == pytest.approx(np.arange(9) / 8)
    assert steps == pytest.approx([2 * at * (8 - at) for at in range(9)])  # every other move is blocked
    values = policy_values(world, uniform(world), 1.0)
    assert values[:8] == pytest.approx(success[:8])
    assert values[0] == 0
    assert math.isnan(values[8])


def test_a_policy_that_may_never_end():
    #                       0 12 3
    world = World.from_text("G.S.\n")
    west_or_east = np.zeros((4, 4))
    west_or_east[[1, 2], 2] = 1
    west_or_east[3, EAST] = 1
    assert [part.tolist() for part in expected_steps(world, west_or_east)] == [[0, 1, 2, math.inf], [1, 1, 1, 0]]
    west_or_east[2] = [0, 0, 0.25, 0.75]
    steps, success = expected_steps(world, west_or_east)
    assert steps.tolist() == [0, 1, math.inf, math.inf]
    assert success == pytest.approx([1, 1, 0.25, 0])
    assert policy_values(world, west_or_east, 0.5)[1:] == pytest.approx([1, 0.125, 0])


@plainly
@given(small_maps())
def test_without_chance_the_best_values_are_those_of_shortest_paths(text):
    world = World.from_text(text)
    assert best_values(world, 0.95) == pytest.approx(
        optimal_values(world, 1, 0.95)[:, world.goal], abs=1e-12, nan_ok=True
    )


def best_by_linear_programme(world, discount):
    """The least V with V(s) ≥ Σ P(s') (1 at goals, γ V(s') elsewhere) for every action."""
    rows, bounds = [], []
    for state in np.flatnonzero(world.ending == 0):
        for action in range(world.actions):
            row, reward = np.zeros(world.states), 0.0
            row[state] = -1
            for after, chance in zip(world.outcomes[state, action], world.chances[state, action], strict=True):
                reward += chance * (world.ending[after] == 1)
                row[after] += discount * chance * (world.ending[after] == 0)
            rows.append(row)
            bounds.append(-reward)
    return linprog(np.ones(world.states), np.array(rows), bounds, bounds=(0, None)).x


@pytest.mark.parametrize("settings", [{}, {"map_name": "8x8"}, {"is_slippery": False}])
def test_best_values_of_frozen_lakes_are_those_of_a_linear_programme(settings):
    world = lake(**settings)
    values, expected = best_values(world, 0.95), best_by_linear_programme(world, 0.95)
    ordinary = world.ending == 0
    assert values[ordinary] == pytest.approx(expected[ordinary], abs=1e-8)
    assert (values[world.ending == 2] == 0).all()
    assert np.isnan(values[world.goals]).all()


@pytest.mark.parametrize("reach", [1, 3])
def test_best_values_of_a_level_whose_actions_take_several_steps(reach):
    maze = hierq.make_world("maze-10")
    luckiest = optimal_values(maze, reach, 0.95)[:, maze.goal]
    assert np.nanmax(np.abs(best_values(maze, 0.95, reach) - luckiest)) < 1e-9, "without chance there is no luck"
    # Half of the moves go into a wall: two cells are crossed within three steps with P(at least 2 of 3) = ½.
    corridor = hierq.World.from_text("slip: 0.5\n#####\n#S.G#\n#####")
    first, second = best_values(corridor, 0.9, 3)[:2]
    assert second == pytest.approx(1 - 0.5**3 + 0.5**3 * 0.9 * second)
    assert first == pytest.approx(0.5 + 0.9 * (3 * 0.5**3 * second + 0.5**3 * first))


def test_the_best_chance_on_the_frozen_lake():
    assert best_values(lake(), 1.0)[0] == pytest.approx(14 / 17, rel=1e-12)


@pytest.mark.parametrize("chance", [1e-3, 1e-6, 1e-13, 1e-16])
def test_the_best_chance_is_found_however_small_the_chance_of_a_step_is(chance):
    # Waiting in state 0 leads to state 1 at last, where the goal is certain; the other action may lead into the hole.
    outcomes = [[[0, 1], [2, 3]], [[2, 3], [1, 1]], [[2, 2]] * 2, [[3, 3]] * 2]
    chances = [[[1 - chance, chance], [0.25, 0.75]], [[1, 0], [1, 0]], [[1, 0]] * 2, [[1, 0]] * 2]
    world = World.from_table(outcomes, chances, goals=[2], holes=[3])
    assert best_values(world, 1.0)[[0, 1, 3]] == pytest.approx([1.0, 1.0, 0.0], rel=1e-12)


@plainly
@given(rich_maps())
def test_the_best_chances_of_any_map_are_those_of_a_linear_programme(text):
    world = rich_world(text)
    ordinary = world.ending == 0
    assert best_values(world, 1.0)[ordinary] == pytest.approx(best_by_linear_programme(world, 1.0)[ordinary], abs=1e-8)


@plainly
@given(rich_maps())
def test_the_greedy_policy_of_the_best_values_has_them(text):
    world = rich_world(text)
    values = best_values(world, 0.9)
    entering = np.where(world.ending == 1, 1.0, np.where(world.ending == 2, 0.0, 0.9 * np.nan_to_num(values)))
    greedy = (world.chances * entering[world.outcomes]).sum(axis=2).argmax(axis=1)
    assert policy_values(world, greedy, 0.9) == pytest.approx(values, abs=1e-9, nan_ok=True)
    assert (np.nan_to_num(policy_values(world, uniform(world), 0.9)) <= np.nan_to_num(values) + 1e-9).all()


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ([0, 4, 0], r"the actions in state 1 of my-world are \[0\.0.*; let the policy take an action from 0 to 3"),
        ([-1, 0, 0], "the actions in state 0 of my-world are"),
        ([0.0, 1.0, 0.0], r"an array \[3\] of actions or \[3, 4\] of their probabilities, not one of shape \(3,\)"),
        ([0, 1], r"not one of shape \(2,\)"),
        ("east", r"not one of shape \(\)"),
        ([[0.5, 0.5, 0, 0], [0.5, 0, 0, 0], [0, 0, 0, 1]], r"in state 1 of my-world are \[0\.5, 0\.0, 0\.0, 0\.0\]"),
        ([[0.5, 0.5, 0, 0], [1.5, -0.5, 0, 0], [0, 0, 0, 1]], "in state 1 .* make them 0 or more and sum to 1"),
        ([[math.nan, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]], "in state 0 of my-world are"),
    ],
)
def test_what_is_no_policy_is_refused(policy, words):
    for ask in (expected_steps, policy_values):
        with pytest.raises(InputError, match=words):
            ask(World.from_text("S.G"), policy)


def test_what_a_policy_says_at_the_end_plays_no_part():
    world = World.from_text("S.G")
    assert expected_steps(world, [3, 3, -1])[0].tolist() == [2, 1, 0]
    assert expected_steps(world, [[0, 0, 0, 1], [0, 0, 0, 1], [math.nan] * 4])[0].tolist() == [2, 1, 0]


@pytest.mark.parametrize("discount", [0, 1.5, math.nan, math.inf, "0.9", None])
def test_a_discount_outside_its_range_is_refused(discount):
    world = World.from_text("S.G")
    for ask in (lambda: best_values(world, discount), lambda: policy_values(world, [3, 3, 3], discount)):
        with pytest.raises(InputError, match="the discount must"):
            ask()


@pytest.mark.parametrize("name", ["slippery-rooms", "holes", "doors", "maze-10"])
def test_the_best_policy_is_worth_the_best_values(name):
    world = hierq.make_world(name)
    for discount in (0.5, 0.95):
        worth = hierq.policy_values(world, hierq.best_policy(world, discount), discount)
        assert np.allclose(worth, hierq.best_values(world, discount), atol=1e-9, rtol=0, equal_nan=True)


def test_the_best_policy_takes_the_first_of_equals_and_needs_a_discount():
    world = hierq.World.from_text("S.\n.G\n")
    assert hierq.best_policy(world)[world.start] == 1  # S before E
    with pytest.raises(hierq.InputError, match="at discount 1"):
        hierq.best_policy(world, 1)


def simulated_aimless(world, horizon, nearness, rng):
    """One episode of two levels that know every way but not where the goal is, literally."""
    lengths = hierq.worlds.shortest_path_lengths(world, through_goal=True)
    near, counts = world.subgoals(horizon, nearness=nearness)
    state, steps = world.start, 0
    while True:
        asked = rng.choice(near[state, : counts[state]])
        for _ in range(horizon):
            moves = [s for s in world.successors[state] if lengths[s, asked] == lengths[state, asked] - 1]
            state, steps = rng.choice(moves), steps + 1
            if state == world.goal:
                return steps
            if state == asked:
                break


@pytest.mark.usefixtures("once")
@pytest.mark.parametrize("nearness", ["L1", "steps"])
def test_aimless_levels_find_the_goal_as_simulated(nearness):
    world, rng = make_world("rooms-4"), np.random.default_rng(5)
    steps = [simulated_aimless(world, 3, nearness, rng) for _ in range(200)]
    error = np.std(steps) / np.sqrt(len(steps))
    assert abs(np.mean(steps) - aimless_steps(world, 3, nearness)[world.start]) < 4 * error


def test_aimless_levels_suffer_from_walls():
    """Sub-goals behind walls cost a maze more than knowing every way gains; by steps they do not."""
    world = make_world("maze-10")
    walk = random_walk_steps(world)[world.start]
    assert aimless_steps(world, 3, "L1")[world.start] == pytest.approx(12_307, abs=0.5) and walk < 2400
    assert aimless_steps(world, 3, "steps")[world.start] == pytest.approx(727, abs=0.5)


def test_aimless_levels_with_one_move_are_a_random_walk_without_bumps():
    world = World.from_text("#####\n#S.G#\n#####")
    assert aimless_steps(world, 1, "steps")[world.start] == pytest.approx(4)


def test_what_cannot_be_reached_does_no_harm():
    """A pocket, a lonely cell, and a door behind which the goal is lost."""
    assert aimless_steps(World.from_text("S.G#.."), np.int64(3), "steps")[:3] == pytest.approx([8 / 3, 7 / 3, 0])
    assert np.isinf(aimless_steps(World.from_text("S.G#.."), 3)[3:]).all()
    assert aimless_steps(World.from_text("S.G##."), 1)[:3] == pytest.approx([4, 3, 0])
    assert np.isinf(aimless_steps(World.from_text("G.S>.."), 1)[1:]).all()


@pytest.mark.parametrize(
    ("text", "horizon"), [("slip: 0.1\nS.G", 3), ("GS.G", 3), ("HS.G", 3), ("S.G", 0), ("S.G", 1.5), ("S.G", True)]
)
def test_what_aimless_steps_does_not_know_is_refused(text, horizon):
    with pytest.raises(InputError, match=r"aimless_steps does not support|the horizon must be"):
        aimless_steps(World.from_text(text), horizon)
