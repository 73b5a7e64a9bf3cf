"""The compiled agents against the literal twin: every table entry of every level, every drawn action."""

import numpy as np
import pytest
from drawn import maps, moves_to, pair_of, settings_of_agents, stored_entries, twin_entries
from hypothesis import given
from hypothesis import strategies as st
from twin import Settings

import hierq
from hierq.tables.entries import is_lost
from hierq.tables.queries import values_of

MOVES = st.lists(st.integers(0, 3), min_size=1, max_size=40)


def assert_same_tables(agent, twin, exact=True):
    """Equal to the last bit for greedy targets.

    A soft target sums over actions and multiplies probabilities in another order than the twin. Each sum of at most
    a few dozen terms is off by at most 1e-14 of its largest term, and such errors do not grow (|γ| ≤ 1, averages of
    averages), so over the few hundred backups of a test 1e-10 is a generous bound on honest rounding, and far below
    any mistake.
    """
    ours, theirs = stored_entries(agent), twin_entries(twin)
    for key in ours.keys() | theirs.keys():
        start = twin.levels[key[0]].start_value
        mine, other = ours.get(key, start), theirs.get(key, start)
        if exact:
            assert mine == other, key
        else:
            assert mine == pytest.approx(other, rel=1e-10, abs=1e-10), key


def assert_same_maxima(agent, twin):
    """The maxima as asked for, and those kept along by the kernels (unless one has to be looked for again)."""
    cells = [(int(r), int(c)) for r, c in agent.world.positions]
    for level, tables in zip(twin.levels, agent._tables.levels, strict=True):
        for goal in level.goals:
            ours, column = agent.values(level.index, goal), tables.column[cells.index(goal)]
            for s, cell in enumerate(cells[: agent.world.states]):
                if not twin.actions(level, cell):
                    assert ours[s] == level.start_value
                    continue
                assert ours[s] == twin.maximum(level, cell, goal)
                if column < 0:
                    assert ours[s] == level.start_value
                elif not is_lost(tables.best[s, column]):
                    assert values_of(tables, tables.best[s, column]) == ours[s]


@given(maps(), settings_of_agents(), st.lists(MOVES, min_size=1, max_size=3))
def test_replayed_traces_leave_the_same_tables(map_text, settings, episodes):
    agent, twin = pair_of(map_text, settings)
    for episode in episodes:
        moves = moves_to(twin, episode)
        agent.replay(moves)
        twin.replay(moves)
    assert_same_tables(agent, twin)


@given(maps(most=4), settings_of_agents(soft=True, most_levels=3), st.lists(MOVES, min_size=1, max_size=2))
def test_soft_targets_leave_the_same_tables(map_text, settings, episodes):
    agent, twin = pair_of(map_text, settings)
    for episode in episodes:
        moves = moves_to(twin, episode)
        agent.replay(moves)
        twin.replay(moves)
    assert_same_tables(agent, twin, exact=False)


def follow_training(agent, twin, episodes):
    for _ in range(episodes):
        (steps,) = agent.train(1)
        assert twin.follow(agent.last_episode, agent.world.positions) == steps
        assert [agent.world.state_number(s) for s in twin.all_states] == list(agent.last_episode.states)


@given(maps(), settings_of_agents(), st.integers(0, 2**32), st.integers(1, 4))
def test_training_draws_what_it_may_and_learns_the_same(map_text, settings, seed, episodes):
    agent, twin = pair_of(map_text, settings, seed)
    follow_training(agent, twin, episodes)
    assert_same_tables(agent, twin)
    assert_same_maxima(agent, twin)


@given(maps(most=4), settings_of_agents(soft=True, most_levels=3), st.integers(0, 2**32))
def test_training_with_soft_targets(map_text, settings, seed):
    agent, twin = pair_of(map_text, settings, seed)
    follow_training(agent, twin, 2)
    assert_same_tables(agent, twin, exact=False)


@given(
    maps(),
    st.booleans().flatmap(lambda soft: settings_of_agents(soft=soft, most_levels=3 if soft else 4)),
    st.integers(0, 2**32),
)
def test_evaluation_draws_what_it_may_and_learns_nothing(map_text, settings, seed):
    agent, twin = pair_of(map_text, settings, seed)
    agent.train(2)
    before = stored_entries(agent)
    for level in twin.levels:
        level.table = {key[1:]: value for key, value in before.items() if key[0] == level.index}
    for _ in range(3):
        (steps,) = agent.evaluate(1)
        assert twin.follow(agent.last_episode, agent.world.positions, evaluate=True) == steps
    assert stored_entries(agent) == before


@given(maps(), settings_of_agents(), st.integers(0, 2**32))
def test_the_tied_actions_are_those_of_the_rule(map_text, settings, seed):
    agent, twin = pair_of(map_text, settings, seed)
    agent.train(2)
    for level in twin.levels:
        level.table = {key[1:]: v for key, v in stored_entries(agent).items() if key[0] == level.index}
        for goal in level.goals[:3]:
            for state in twin.free:
                if not twin.actions(level, state):
                    assert agent.best_actions(level.index, state, goal) == []
                else:
                    ours = agent.best_actions(level.index, state, goal)
                    named = ours if level.index == 0 else [tuple(agent.world.positions[a]) for a in ours]
                    assert sorted(named) == sorted(twin.tied(level, state, goal))


@pytest.mark.parametrize("evaluation", ["text", "published"])
@pytest.mark.parametrize("levels", [3, 4])
def test_turns_in_an_open_field(levels, evaluation):
    """Long episodes, in which goals of higher levels are met on the way and levels run out of turns."""
    settings = Settings(
        horizons=[2, 3, 2, 2][:levels],
        goal_preference="none",
        evaluation=evaluation,
        explore_train=0.5,
        explore_eval=0.6,
        step_limit=120,
    )
    agent, twin = pair_of(hierq.gridworld(5, 6).text, settings, seed=levels)
    met = out_of_turns = 0
    for _ in range(3):
        follow_training(agent, twin, 1)
        episode = agent.last_episode
        for t in range(episode.steps - 1):
            met += (episode.states[t + 1] in episode.goals[t, 1:-1]) and episode.states[t + 1] != episode.goals[t, 0]
        (steps,) = agent.evaluate(1)
        assert twin.follow(agent.last_episode, agent.world.positions, evaluate=True) == steps
        out_of_turns += (agent.last_episode.actors[1:] > 1).sum()
    assert_same_tables(agent, twin)
    assert met > 0 and out_of_turns > 0  # else this would test nothing


@given(maps(most=4), settings_of_agents(), st.integers(0, 2**32))
def test_a_run_is_its_episodes_one_by_one(map_text, settings, seed):
    together, _ = pair_of(map_text, settings, seed)
    apart, _ = pair_of(map_text, settings, seed)
    trained, evaluated = together.alternate(5)
    singles = [(apart.train(1)[0], apart.evaluate(1)[0]) for _ in range(5)]
    assert np.array_equal(np.transpose([trained, evaluated]), singles)
    assert stored_entries(together) == stored_entries(apart)
