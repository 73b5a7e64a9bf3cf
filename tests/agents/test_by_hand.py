"""Tables as arrays, and entries written by hand."""

import numpy as np
import pytest
from drawn import configs_beyond_the_paper, pair_of, strange_maps, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

import hierq

WORLD = hierq.make_world("rooms-example")


@pytest.mark.usefixtures("interpreter")
@settings(max_examples=30)
@given(strange_maps(), configs_beyond_the_paper(most_levels=3), st.integers(0, 2**32))
def test_arrays_say_what_single_questions_say(map_text, config, seed):
    agent, _ = pair_of(map_text, config, seed)
    agent.train(2)
    world = agent.world
    for i in range(config.levels):
        for s, a, goals, values in table_of(agent, i):
            for goal, value in zip(goals.tolist(), values, strict=True):
                assert goal < 0 or agent.value(i, s, a, goal) == value
        q, level = agent.q_values(i), agent.levels[i]
        for s in range(world.states):
            legal = level.legal[s, : level.legal_count[s]]
            assert sorted(np.flatnonzero(~np.isnan(q[s]))) == sorted(legal)
            assert all(q[s, a] == agent.value(i, s, int(a)) for a in legal)


@pytest.mark.usefixtures("interpreter")
@settings(max_examples=30)
@given(strange_maps(), configs_beyond_the_paper(most_levels=3), st.data())
def test_what_is_written_by_hand_is_there_and_everything_else_as_before(map_text, config, data):
    agent, _ = pair_of(map_text, config, 1)
    agent.train(data.draw(st.integers(0, 2)))
    i = data.draw(st.integers(0, config.levels - 1))
    level, state = agent.levels[i], data.draw(st.integers(0, agent.world.states - 1))
    legal = [a for a in level.legal[state, : level.legal_count[state]].tolist() if i == 0 or a < agent.world.states]
    if not legal:
        return
    action, before = data.draw(st.sampled_from(legal)), agent.values(i)
    value = float(level.powers[-2]) if len(level.powers) > 1 else 0.625
    agent.set_value(i, state, action, value)
    assert agent.value(i, state, action) == value
    after = agent.values(i)
    assert np.array_equal(np.delete(after, state), np.delete(before, state))
    assert after[state] == max(
        agent.value(i, state, a) for a in level.legal[state, : level.legal_count[state]].tolist()
    )
    agent.train(1)  # and it can be learnt on


def test_arrays_cannot_be_written_to():
    agent = hierq.Agent(WORLD, hierq.AgentConfig(levels=2))
    agent.replay("EE")
    level = agent.levels[1]
    for array in (level.q, level.legal, level.column):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    agent.q_values(0)[:] = 7.0  # a copy
    assert not (agent.q_values(0) == 7.0).any()


@pytest.mark.usefixtures("interpreter")
def test_a_greedy_agent_goes_where_values_are_written():
    """By hand, a corridor's values lead to the other end."""
    world = hierq.World.from_text("#########\n#...S..G#\n#########")
    agent = hierq.Agent(world, hierq.AgentConfig(levels=1, explore_eval=0.0, step_size=0.5))
    for state in range(world.states - 1):
        agent.set_value(0, state, "E", 0.9)
    assert agent.evaluate(3).tolist() == [3, 3, 3]


def test_powers_of_the_discount_are_taken_up_to_rounding():
    """0.95 ** 10 is not to the last bit what ten multiplications give."""
    agent = hierq.Agent(WORLD, hierq.AgentConfig(levels=1))
    agent.set_value(0, WORLD.start, 1, 0.95**10)
    assert agent.q_values(0)[WORLD.start, 1] == pytest.approx(0.95**10, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": float("nan")}, "finite number"),
        ({"value": 0.3}, "powers of the discount only"),
        ({"level": 2}, "there is no level 2"),
        ({"action": (0, 0)}, "is no sub-goal of level 1"),
    ],
)
def test_what_cannot_be_written_is_refused(change, message):
    agent = hierq.Agent(WORLD, hierq.AgentConfig(levels=2))
    asked = {"level": 1, "state": WORLD.start, "action": 1, "value": 0.95} | change
    with pytest.raises(hierq.InputError, match=message):
        agent.set_value(**asked)


@pytest.mark.parametrize("universal", [True, False])
def test_a_table_is_filled_with_values_that_are_drawn(universal):
    config = hierq.AgentConfig(levels=2, backup=hierq.Traces(0.5), universal_top=universal)
    agent = hierq.Agent(WORLD, config)
    generator = np.random.default_rng(0)
    for level in (0, 1):
        agent.fill(level, lambda count: 1 + generator.random(count))
    goals = [None, *range(WORLD.states)] if universal else [None]
    every = [agent.q_values(0, goal) for goal in range(WORLD.states)] + [agent.q_values(1, goal) for goal in goals]
    drawn = np.concatenate([values[np.isfinite(values)] for values in every])
    assert (drawn >= 1).all() and len(np.unique(drawn)) > 0.9 * sum(np.isfinite(each).sum() for each in every[:-1])
    assert len(agent.best_actions(0, WORLD.start, 0)) == 1, "nothing ties"
    with pytest.raises(hierq.InputError, match="tables of values"):
        hierq.Agent(WORLD, hierq.AgentConfig(levels=1)).fill(0, np.zeros)


def test_what_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("hierq.tables.queries.MAX_BYTES", 10)
    agent = hierq.Agent(WORLD, hierq.AgentConfig(levels=2))
    agent.replay("EE")
    with pytest.raises(hierq.InputError, match="would take"):
        agent.q_values(1)
