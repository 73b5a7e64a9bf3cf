"""The compiled agents against the reference: every table entry of every level, every drawn action."""

import numpy as np
import pytest
from drawn import (
    configs,
    copy_tables,
    maps,
    moves_to,
    never_cut,
    novelty,
    pair_of,
    reference_entries,
    stored_entries,
)
from hypothesis import given, settings
from hypothesis import strategies as st

import hierq
from hierq.reference.choosing import tied_actions
from hierq.tables import entries
from hierq.tables.queries import values_of

IS_LOST = getattr(entries.is_lost, "py_func", entries.is_lost)  # helpers cannot be called from Python
MOVES = st.lists(st.integers(0, 3), min_size=1, max_size=40)


def assert_same_tables(agent, reference, exact=True):
    """Equal to the last bit for greedy targets.

    A soft target sums over actions and multiplies probabilities in another order than the reference. Each sum of at
    most a few dozen terms is off by at most 1e-14 of its largest term, and such errors do not grow (|γ| ≤ 1, averages
    of averages), so over the few hundred backups of a test 1e-10 is a generous bound on honest rounding, and far below
    any mistake.
    """
    ours, theirs = stored_entries(agent), reference_entries(reference)
    for key in ours.keys() | theirs.keys():
        start = reference.levels[key[0]].start_value
        mine, other = ours.get(key, start), theirs.get(key, start)
        if exact:
            assert mine == other, key
        else:
            assert mine == pytest.approx(other, rel=1e-10, abs=1e-10), key


def assert_same_maxima(agent, reference):
    """The maxima as asked for, and those kept along by the kernels (unless one has to be looked for again)."""
    for level, tables in zip(reference.levels, agent.levels, strict=True):
        for goal in level.goals:
            ours, theirs = agent.values(level.index, int(goal)), reference.values(level.index, int(goal))
            assert np.array_equal(ours, theirs)
            column = tables.column[goal]
            for s in range(agent.world.states):
                if not level.actions(s):
                    assert ours[s] == level.start_value
                elif column < 0:
                    assert ours[s] == level.start_value
                elif not IS_LOST(tables.best[s, column]):
                    assert values_of(tables, tables.best[s, column]) == ours[s]


@given(maps(), configs(), st.lists(MOVES, min_size=1, max_size=3))
def test_replayed_traces_leave_the_same_tables(map_text, config, episodes):
    agent, reference = pair_of(map_text, config)
    for episode in episodes:
        moves = moves_to(agent.world, config, episode)
        agent.replay(moves)
        reference.replay(moves)
    assert_same_tables(agent, reference)


@given(maps(most=4), configs(soft=True, most_levels=3), st.lists(MOVES, min_size=1, max_size=2))
def test_soft_targets_leave_the_same_tables(map_text, config, episodes):
    agent, reference = pair_of(map_text, config)
    for episode in episodes:
        moves = moves_to(agent.world, config, episode)
        agent.replay(moves)
        reference.replay(moves)
    assert_same_tables(agent, reference, exact=False)


@pytest.mark.usefixtures("interpreter")
@settings(max_examples=30)
@given(data=st.data())
def test_a_users_operator_leaves_the_same_tables(data):
    config = data.draw(configs(most_levels=3))
    backup = hierq.Backup(never_cut, n=data.draw(st.sampled_from([2, 3, 5])), hops=config.backup.hops)
    agent, reference = pair_of(data.draw(maps(most=5)), config.replace(backup=backup))
    for episode in data.draw(st.lists(MOVES, min_size=1, max_size=3)):
        moves = moves_to(agent.world, config, episode)
        agent.replay(moves)
        reference.replay(moves)
    assert_same_tables(agent, reference)


def follow_training(agent, reference, episodes):
    for _ in range(episodes):
        (steps,) = agent.train(1)
        assert reference.follow(agent.last_episode) == steps


@given(maps(), configs(), st.integers(0, 2**32), st.integers(1, 4))
def test_training_draws_what_it_may_and_learns_the_same(map_text, config, seed, episodes):
    agent, reference = pair_of(map_text, config, seed)
    follow_training(agent, reference, episodes)
    assert_same_tables(agent, reference)
    assert_same_maxima(agent, reference)


@given(maps(most=4), configs(soft=True, most_levels=3), st.integers(0, 2**32))
def test_training_with_soft_targets(map_text, config, seed):
    agent, reference = pair_of(map_text, config, seed)
    follow_training(agent, reference, 2)
    assert_same_tables(agent, reference, exact=False)


@pytest.mark.usefixtures("interpreter")
@settings(max_examples=30)
@given(maps(), configs(most_levels=3), st.integers(0, 2**32), st.integers(1, 4))
def test_a_users_explorer_is_asked_and_told_the_same(map_text, config, seed, episodes):
    agent, reference = pair_of(map_text, config.replace(explore=novelty), seed)
    follow_training(agent, reference, episodes)
    assert_same_tables(agent, reference)


@given(
    maps(),
    st.booleans().flatmap(lambda soft: configs(soft=soft, most_levels=3 if soft else 4)),
    st.integers(0, 2**32),
)
def test_evaluation_draws_what_it_may_and_learns_nothing(map_text, config, seed):
    agent, reference = pair_of(map_text, config, seed)
    agent.train(2)
    before = stored_entries(agent)
    copy_tables(agent, reference)
    for _ in range(3):
        (steps,) = agent.evaluate(1)
        assert reference.follow(agent.last_episode, evaluate=True) == steps
    assert stored_entries(agent) == before


@given(maps(), configs(), st.integers(0, 2**32))
def test_the_tied_actions_are_those_of_the_rule(map_text, config, seed):
    agent, reference = pair_of(map_text, config, seed)
    agent.train(2)
    copy_tables(agent, reference)
    for level in reference.levels:
        for goal in level.goals[:3].tolist():
            for state in range(agent.world.states):
                ours = agent.best_actions(level.index, state, goal)
                assert sorted(ours) == sorted(tied_actions(level, state, goal))


@pytest.mark.parametrize("evaluation", ["text", "published"])
@pytest.mark.parametrize("levels", [3, 4])
def test_turns_in_an_open_field(levels, evaluation):
    """Long episodes, in which goals of higher levels are met on the way and levels run out of turns."""
    config = hierq.AgentConfig(
        levels=levels,
        horizons=(2, 3, 2, 2)[:levels],
        goal_preference="none",
        evaluation=evaluation,
        explore_train=0.5,
        explore_eval=0.6,
        step_limit=120,
    )
    agent, reference = pair_of(hierq.gridworld(5, 6).text, config, seed=levels)
    met = out_of_turns = 0
    for _ in range(3):
        follow_training(agent, reference, 1)
        episode = agent.last_episode
        for t in range(episode.steps - 1):
            met += (episode.states[t + 1] in episode.goals[t, 1:-1]) and episode.states[t + 1] != episode.goals[t, 0]
        (steps,) = agent.evaluate(1)
        assert reference.follow(agent.last_episode, evaluate=True) == steps
        out_of_turns += (agent.last_episode.actors[1:] > 1).sum()
    assert_same_tables(agent, reference)
    assert met > 0 and out_of_turns > 0  # else this would test nothing


@given(maps(most=4), configs(), st.integers(0, 2**32))
def test_a_run_is_its_episodes_one_by_one(map_text, config, seed):
    together, _ = pair_of(map_text, config, seed)
    apart, _ = pair_of(map_text, config, seed)
    trained, evaluated = together.alternate(5)
    singles = [(apart.train(1)[0], apart.evaluate(1)[0]) for _ in range(5)]
    assert np.array_equal(np.transpose([trained, evaluated]), singles)
    assert stored_entries(together) == stored_entries(apart)
