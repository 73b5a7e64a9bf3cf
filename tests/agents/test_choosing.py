"""What is drawn, and how often."""

from fractions import Fraction

import numpy as np
import pytest
from drawn import configs, copy_tables, maps, pair_of
from hypothesis import given, settings
from hypothesis import strategies as st

import hierq
from hierq.agents import choosing, explorers, published, random_numbers
from hierq.agents.kernel_config import EPSILON
from hierq.compiling.decorators import kernel
from hierq.reference import ReferenceAgent
from hierq.reference.choosing import choices, distance, published_preference


def enumerated(agent, i, state, goal, epsilon, monkeypatch):
    """The exact distribution of `choose`: every outcome of every draw, weighted by its probability."""
    chances = {}

    def outcome(explores, pick):
        counts = []
        monkeypatch.setattr(explorers, "uniform", lambda rng: 0.0 if explores else 1.0)
        for module in (choosing, explorers):
            monkeypatch.setattr(module, "below", lambda rng, count: counts.append(int(count)) or pick)
        action = choosing.choose(agent.for_kernels(), EPSILON, epsilon, i, state, goal)
        return int(action), (counts or [1])[0]

    for explores, share in ((True, epsilon), (False, 1 - epsilon)):
        if share > 0:
            count = outcome(explores, 0)[1]
            for pick in range(count):
                action = outcome(explores, pick)[0]
                chances[action] = chances.get(action, 0) + Fraction(share) / count
    return chances


@pytest.mark.usefixtures("interpreter")
@settings(max_examples=40)
@given(maps(most=4), configs(most_levels=3), st.integers(0, 2**32))
def test_the_distribution_of_drawn_actions_is_the_rule(map_text, config, seed):
    agent, reference = pair_of(map_text, config, seed)
    agent.train(2)
    copy_tables(agent, reference)
    with pytest.MonkeyPatch.context() as monkeypatch:
        for level in reference.levels:
            for goal in level.goals[::3].tolist():
                for state in range(0, agent.world.states, 2):
                    if state == goal or not level.actions(state):
                        continue
                    epsilon = 0.25 if level.index == 0 else 0.0
                    ours = enumerated(agent, level.index, state, goal, epsilon, monkeypatch)
                    rule = choices(level, state, goal, epsilon)
                    assert ours.keys() == rule.keys()
                    assert all(float(ours[a]) == pytest.approx(rule[a], abs=1e-15) for a in rule)


@pytest.mark.usefixtures("interpreter")
def test_what_is_worth_less_than_the_start_value_is_not_drawn(monkeypatch):
    """Traces can make values negative, where the best is still 0."""
    agent = hierq.Agent(hierq.gridworld(5, 5), hierq.AgentConfig(levels=1, backup=hierq.Traces(0.8)))
    state, goal = agent.world.start, agent.world.goal
    agent.set_value(0, state, 2, -0.25)
    assert enumerated(agent, 0, state, goal, 0.0, monkeypatch).keys() == {0, 1, 3}


def seeded(seed):
    words = np.zeros(4, np.uint64)
    random_numbers.seed_words(words, seed)
    return words


@kernel
def draws_below(rng, count, seen):
    for _ in range(200_000 // len(seen)):
        seen[random_numbers.below(rng, count)] += 1


@pytest.mark.parametrize("count", [1, 2, 3, 7, 24, 180])
def test_integers_are_drawn_evenly(count):
    seen = np.zeros(count, np.int64)
    draws_below(seeded(3), count, seen)
    expected = seen.sum() / count
    chi2 = ((seen - expected) ** 2 / expected).sum()
    assert seen.sum() == 200_000 // count and chi2 < count + 6 * np.sqrt(2 * count)


@kernel
def fill_uniform(rng, out):
    for k in range(len(out)):
        out[k] = random_numbers.uniform(rng)


def test_random_numbers_are_xoshiro256_plus_plus():
    """Against the published recurrence in Python's integers."""
    words = [int(word) for word in seeded(42)]
    ours = np.empty(1000)
    fill_uniform(seeded(42), ours)
    mask = 2**64 - 1

    def rotate(x, k):
        return ((x << k) | (x >> (64 - k))) & mask

    for value in ours:
        result = (rotate((words[0] + words[3]) & mask, 23) + words[0]) & mask
        assert value == (result >> 11) / 2**53
        t = (words[1] << 17) & mask
        words[2] ^= words[0]
        words[3] ^= words[1]
        words[1] ^= words[2]
        words[0] ^= words[3]
        words[2] ^= t
        words[3] = rotate(words[3], 45)
    assert 0 <= ours.min() and ours.max() < 1 and abs(ours.mean() - 0.5) < 0.05


def test_seeds_matter_and_repeat():
    world, config = hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2)
    lengths = [tuple(hierq.Agent(world, config, seed).train(2)) for seed in (0, 0, 1)]
    assert lengths[0] == lengths[1] != lengths[2]
    sequence = np.random.SeedSequence(0)
    assert tuple(hierq.Agent(world, config, sequence).train(2)) == lengths[0]


@pytest.mark.parametrize("horizon", [1, 2, 3, 4, 7])
def test_the_misread_goal_is_that_of_the_published_program(horizon):
    """Every state and every goal of an open field, in which the slip lands on all sides, and outside."""
    world = hierq.gridworld(9, 7)
    config = hierq.AgentConfig(levels=2, horizons=horizon, goal_preference="published")
    agent, level = hierq.Agent(world, config), ReferenceAgent(world, config).levels[1]
    landed, lent = set(), agent.for_kernels()
    for s in range(world.states):
        for g in range(world.states):
            if s != g and distance(level, s, g) < horizon:
                theirs = published_preference(level, s, g)
                theirs = theirs if theirs in level.actions(s) else None
                ours = published.misread_goal(lent.config, lent.world, horizon, s, g)
                assert (None if ours == published.NOWHERE else ours) == theirs
                landed.add(theirs)
    assert horizon < 3 or len(landed) > 20


@pytest.mark.usefixtures("interpreter")
def test_values_tie_within_a_relative_tolerance():
    """1e-9 · |max|, and not more, however small the values are."""
    agent = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=1, step_size=0.5))
    check_ties(agent, scale=1.0)
    check_ties(agent, scale=1e-290)
    agent = hierq.Agent(agent.world, hierq.AgentConfig(levels=1, step_size=0.5, tie_tolerance=1e-8))
    check_ties(agent, scale=1.0, more=1e-8)


def check_ties(agent, scale, more=0.0):
    state, best = agent.world.start, 0.5 * scale
    near = more + 0.99e-9 * best
    for move, value in zip("NSWE", (best, best - near, best - 1.03 * near, best - 0.5 * near), strict=True):
        agent.set_value(0, state, move, value)
    assert agent.best_actions(0, state) == [0, 1, 3]
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert enumerated(agent, 0, state, agent.world.goal, 0.0, monkeypatch).keys() == {0, 1, 3}
