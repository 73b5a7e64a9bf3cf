"""The compiled agents against the reference: every table entry of every level, every drawn action.

One suite for all kinds of agents and worlds; what is drawn for each kind is in `drawn.py`.
"""

import os

import numpy as np
import pytest
from agreement import assert_same_maxima, assert_same_tables, follow_training, follow_with_hops
from drawn import (
    EVERYTHING,
    configs,
    configs_anywhere,
    configs_beyond_the_paper,
    copy_tables,
    family_configs,
    is_exact,
    maps,
    never_cut,
    novelty,
    pair_of,
    possible_pair,
    stored_entries,
    strange_maps,
    traces,
)
from hypothesis import given, settings
from hypothesis import strategies as st

import hierq
from hierq.reference.choosing import tied_actions

EXAMPLES = 2000 if os.environ.get("HIERQ_THOROUGH") == "1" else 40


@st.composite
def with_a_users_operator(draw):
    config = draw(configs(most_levels=3))
    return config.replace(backup=hierq.Backup(never_cut, n=draw(st.sampled_from([2, 3, 5])), hops=config.backup.hops))


KINDS = {
    "the paper": (maps(), configs()),
    "soft targets": (maps(most=4), configs(soft=True, most_levels=3)),
    "beyond the paper": (strange_maps(), configs_beyond_the_paper()),
    "estimators": (maps(most=5), family_configs()),
    "everything at once": (strange_maps(), configs_anywhere()),
}
USERS = {  # compiled, each would be a kernel of its own
    "a user's operator": (maps(most=5), with_a_users_operator()),
    "a user's explorer": (maps(), configs(most_levels=3).map(lambda config: config.replace(explore=novelty))),
}


@pytest.mark.parametrize("kind", [*KINDS, *(USERS if EVERYTHING else ())])
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_an_agent_learns_and_acts_as_the_reference(kind, data):
    """From given moves, from its own, and in evaluation, where it learns nothing."""
    texts, configurations = {**KINDS, **USERS}[kind]
    agent, reference = possible_pair(data.draw(texts), data.draw(configurations), data.draw(st.integers(0, 2**32)))
    config = agent.config
    exact = is_exact(config.backup, config.target)
    if config.backup.hops != "executed" or config.levels == 1:
        for _ in range(data.draw(st.integers(1, 3))):
            moves, states = data.draw(traces(agent.world, config))
            agent.replay(moves, states)
            reference.replay(moves, states)
        assert_same_tables(agent, reference, exact)
    follow_with_hops(agent, reference, data.draw(st.integers(1, 3)))
    assert_same_tables(agent, reference, exact)
    if exact and config.tables == "dense":
        assert_same_maxima(agent, reference)
    copy_tables(agent, reference)  # so that what is asked next is about choosing alone
    for level in reference.levels:
        for goal in level.goals[-3:].tolist():
            assert np.array_equal(agent.values(level.index, goal), reference.values(level.index, goal))
            for state in range(agent.world.states):
                ours = agent.best_actions(level.index, state, goal)
                assert sorted(ours) == sorted(tied_actions(level, state, goal))
    before = stored_entries(agent)
    for _ in range(2):
        (steps,) = agent.evaluate(1)
        assert reference.follow(agent.last_episode, evaluate=True) == steps
    assert stored_entries(agent) == before


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


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("explore", ["pass", "optimism"])
@pytest.mark.parametrize(("text", "horizon"), [("S.G\n", 1), ("S...G\n", 2)])
def test_executed_hops_learn_nothing_about_subgoals_out_of_reach(explore, text, horizon, tmp_path):
    """These explorers pass on a goal that is far away. No table has a row for it, and a saved agent can be loaded."""
    backup = hierq.Backup("one-step", hops="executed")
    config = hierq.AgentConfig(levels=2, horizons=(horizon, horizon), backup=backup, explore=explore, step_limit=40)
    agent, reference = pair_of(text, config, 0)
    follow_training(agent, reference, 5)
    assert_same_tables(agent, reference)
    agent.save(tmp_path / "agent.safetensors")
    assert stored_entries(hierq.Agent.load(tmp_path / "agent.safetensors")) == stored_entries(agent)
