"""Steps, success and values of policies against exact fractions, down to slips so small that subtraction loses them."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array

from hierq.errors import InputError
from hierq.worlds import World, aimless_steps, best_policy, expected_steps, policy_values, random_walk_steps
from hierq.worlds.chances import best_episodes
from hierq.worlds.elimination import totals_until_end

NORTH, SOUTH, WEST, EAST = range(4)
SIDES = {NORTH: (WEST, EAST), SOUTH: (WEST, EAST), WEST: (NORTH, SOUTH), EAST: (NORTH, SOUTH)}
SLIPS = ("0.3", "0.1", "1e-3", "1e-6", "1e-9")
MAPS = (
    "S..\n.#.\n..G\n",
    "H...S...G\n.........\n",
    "S.#.\n..H.\n.#..\n...G\n",
    "#####\n#S..#\n#.#.#\n#..G#\n#####\n",
)
ROUNDING = 1e-12  # relative


def exact_moves(text, slip):
    """Where each action leads and with what chance, as fractions, from the map without slip."""
    plain = World.from_text(text)
    slip = Fraction(slip)
    moves = {}
    for state in range(plain.states):
        for action in range(4):
            row = moves.setdefault((state, action), {})
            for made, chance in ((action, 1 - slip), *((side, slip / 2) for side in SIDES[action])):
                target = int(plain.successors[state, made])
                row[target] = row.get(target, 0) + chance
    return plain, moves


def solved(matrix, known):
    """The solution of a linear system of fractions, by elimination."""
    size = len(known)
    rows = [[*row, value] for row, value in zip(matrix, known, strict=True)]
    for k in range(size):
        pivot = next(i for i in range(k, size) if rows[i][k] != 0)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [entry / rows[k][k] for entry in rows[k]]
        for i in range(size):
            if i != k and rows[i][k] != 0:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


def exact_totals(text, slip, policy, discount=1):
    """Expected steps and discounted success of a policy [states, actions] of fractions, as dictionaries by state."""
    world, moves = exact_moves(text, slip)
    going = [state for state in range(world.states) if not world.ending[state]]
    matrix, to_goal = [], []
    for state in going:
        row = dict.fromkeys(range(world.states), Fraction(0))
        for action in range(4):
            for target, chance in moves[state, action].items():
                row[target] += policy[state][action] * chance
        matrix.append([(state == other) - Fraction(discount) * row[other] for other in going])
        to_goal.append(sum(row[goal] for goal in world.goals.tolist()))
    return going, solved(matrix, [Fraction(1)] * len(going)), solved(matrix, to_goal)


def assert_close(found, exact):
    for value, fraction in zip(found, exact, strict=True):
        assert abs(Fraction(float(value)) - fraction) <= ROUNDING * fraction, (value, float(fraction))


def policies(world):
    """The best policy and random ones, as arrays [states, actions] of 0 and 1; all of them end."""
    rng = np.random.default_rng(0)
    drawn = [best_policy(world), *rng.integers(0, 4, (40, world.states))]
    every = [np.eye(4)[moves] for moves in drawn]
    ending = [policy for policy in every if np.isfinite(expected_steps(world, policy)[0]).all()]
    assert len(ending) > 1
    return ending[:3]


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("text", MAPS)
def test_steps_success_and_values_agree_with_exact_fractions(text, slip):
    world = World.from_text(f"slip: {slip}\n{text}")
    for policy in policies(world):
        going, steps, success = exact_totals(text, slip, [[Fraction(int(p)) for p in row] for row in policy])
        found_steps, found_success = expected_steps(world, policy)
        assert_close(found_steps[going], steps)
        assert_close(found_success[going], success)
        assert (found_steps >= 0).all()
        assert ((found_success >= 0) & (found_success <= 1)).all()
        for discount in (0.95, 1.0):
            _, _, values = exact_totals(text, slip, [[Fraction(int(p)) for p in row] for row in policy], discount)
            assert_close(policy_values(world, policy, discount)[going], values)


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("text", MAPS)
def test_random_walks_and_best_episodes_agree_with_exact_fractions(text, slip):
    world = World.from_text(f"slip: {slip}\n{text}")
    quarter = [[Fraction(1, 4)] * 4] * world.states
    going, steps, _ = exact_totals(text, slip, quarter)
    assert_close(random_walk_steps(world)[going], steps)
    moves = best_policy(world, 0.99)
    policy = [[Fraction(int(action == move)) for action in range(4)] for move in moves]
    going, steps, success = exact_totals(text, slip, policy)
    best = best_episodes(world)
    at = going.index(world.start)
    assert_close([best.steps, best.success], [steps[at], success[at]])


@pytest.mark.parametrize("text", ["S..\n.#.\n..G\n", "S.....#...G\n......#....\n...........\n"])
def test_aimless_steps_solve_their_equation_to_the_last_digits(text):
    # Without walls around it, a walk of horizon 1 by steps is a walk over neighbours: exact fractions are at hand.
    world = World.from_text(text)
    going = [state for state in range(world.states) if not world.ending[state]]
    near = {state: sorted({*world.successors[state].tolist()} - {state}) for state in going}
    matrix = [[Fraction(s == w) - (Fraction(1, len(near[s])) if w in near[s] else 0) for w in going] for s in going]
    assert_close(aimless_steps(world, 1, "steps")[going], solved(matrix, [Fraction(1)] * len(going)))


def test_a_chain_whose_steps_no_number_can_hold_is_refused():
    # Each of 60 states goes on with chance 1e-9 and back to the first otherwise: about 1e540 steps.
    chain = np.zeros((61, 61))
    chain[:60, 0] = 1
    chain[np.arange(60), np.arange(1, 61)] = 1e-9
    with pytest.raises(InputError, match="more steps than"):
        totals_until_end(csr_array(chain), np.arange(61) == 60, np.ones(61))


def test_a_large_open_map_is_solved_within_seconds():
    world = World.from_text("slip: 0.2\n" + "S" + "." * 99 + "\n" + ("." * 100 + "\n") * 98 + "." * 99 + "G\n")
    steps = random_walk_steps(world)
    mean = steps[world.outcomes[world.start]] * world.chances[world.start]
    assert steps[world.start] == pytest.approx(1 + mean.sum() / 4, rel=1e-10)
