"""How episodes ended: what train and evaluate return knows it, and whoever asks to be told is told."""

import pickle

import numpy as np
import pytest

import hierq
from hierq import Agent, AgentConfig, Backup, Episodes, InputError, Traces, TreeBackup, World

pytestmark = pytest.mark.usefixtures("once")

BESIDE_A_HOLE = World.from_text("#####\n#HSG#\n#####")
CORRIDOR = World.from_text("######\n#S..G#\n######")


def holes(**settings):
    return Agent(hierq.make_world("holes"), AgentConfig(step_limit=60, **settings), seed=1)


def test_every_episode_has_its_outcome():
    assert set(Agent(BESIDE_A_HOLE, AgentConfig(levels=1, explore_train=1.0)).train(30).outcomes) == {"hole", "goal"}
    assert Agent(CORRIDOR, AgentConfig(levels=1)).train(3).outcomes.tolist() == ["goal"] * 3
    assert Agent(CORRIDOR, AgentConfig(levels=1, step_limit=2)).evaluate(2).outcomes.tolist() == ["limit"] * 2


def test_outcomes_are_those_of_the_episodes_one_by_one():
    agent, other = holes(), holes()
    trained, evaluated = agent.alternate(30)
    for number in range(30):
        for steps in (trained, evaluated):
            (lived,) = other.train(1) if steps is trained else other.evaluate(1)
            last = other.last_episode
            at_end = other.world.ending[last.states[-1]]
            assert steps[number] == lived and steps.outcomes[number] == ("limit", "goal", "hole")[at_end]
            assert steps.reached[number] == last.reached
    assert len(set(trained.outcomes)) > 1, "the world is too easy or too hard for this test"


def test_a_goal_at_the_very_limit_is_reached():
    config = AgentConfig(levels=1, backup=Traces(1.0), step_limit=3, explore_eval=0)
    agent = Agent(CORRIDOR, config, seed=0)
    agent.replay("EEE")
    steps = agent.evaluate(1)
    assert steps.tolist() == [3] and steps.outcomes.tolist() == ["goal"]


def test_another_goal_is_what_counts_when_it_was_asked_for():
    config = AgentConfig(levels=1, universal_top=True, explore_train=1.0, explore_eval=0.0)
    agent = Agent(CORRIDOR, config, seed=1)
    agent.train(20)
    assert agent.evaluate(1, goal=2).outcomes.tolist() == ["goal"] and agent.last_episode.reached
    assert agent.last_episode.states[-1] == 2
    agent.replay("")
    assert not agent.last_episode.reached or agent.last_episode.steps == 0


def test_parts_do_not_lie():
    steps = Episodes([5, 3, 9, 7], [1, 2, 0, 1])
    assert steps.outcomes.tolist() == ["goal", "hole", "limit", "goal"]
    assert steps[1:3].outcomes.tolist() == ["hole", "limit"] and steps[::-1].outcomes[0] == "goal"
    assert steps[steps.reached].tolist() == [5, 7] and steps[steps.reached].reached.all()
    assert steps[[2, 0]].outcomes.tolist() == ["limit", "goal"]
    assert isinstance(steps[0], np.int64) and steps.mean() == 6
    assert type(steps + 1) is np.ndarray and type(np.log(steps)) is np.ndarray
    for made in (np.sort(steps), steps.copy(), steps.reshape(2, 2)):
        assert set(Episodes(made).outcomes.ravel()) == {"unknown"}
        with pytest.raises(InputError, match="not known how these episodes ended"):
            _ = Episodes(made).reached
    for part in (steps, steps[1:], steps[steps.reached]):
        with pytest.raises(ValueError, match="read-only"):
            part.sort()
    assert pickle.loads(pickle.dumps(steps)).outcomes.tolist() == steps.outcomes.tolist()
    assert Episodes.joined([steps, steps[:1]]).outcomes.tolist() == ["goal", "hole", "limit", "goal", "goal"]
    assert not Episodes.joined([steps, Episodes([1])]).are_known


def test_a_callback_is_told_of_every_episode_and_changes_nothing():
    told = []
    trained, evaluated = holes().alternate(6)
    again = holes().alternate(6, told.append)
    assert np.array_equal(again[0], trained) and np.array_equal(again[1].outcomes, evaluated.outcomes)
    assert [(each.number, each.kind) for each in told[:3]] == [(1, "training"), (1, "evaluation"), (2, "training")]
    assert [each.steps for each in told if each.kind == "training"] == trained.tolist()
    assert [each.outcome for each in told if each.kind == "evaluation"] == evaluated.outcomes.tolist()
    told.clear()
    assert np.array_equal(holes().train(5, told.append), holes().train(5)) and len(told) == 5
    agent = holes()
    agent.train(3)
    agent.evaluate(2, on_episode=told.append)
    assert told[-1].kind == "evaluation" and told[-1].number == 2


def test_what_cannot_be_called_is_refused_before_the_first_episode(tmp_path):
    agent = holes()
    with pytest.raises(InputError, match="on_episode is a function"):
        agent.train(2, 3)
    assert agent.learnt(0)[0] == 0
    with pytest.raises(InputError, match="on_episode is a function"):
        hierq.run_study(hierq.Study("holes", AgentConfig(), seeds=1), tmp_path / "no", on_episode="print")
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("backup", [TreeBackup(3), Traces(0.8), Backup("one-step", when="episode")], ids=str)
def test_a_callback_that_raises_leaves_a_sound_agent(backup):
    def raise_at_three(episode):
        if episode.number == 3:
            raise RuntimeError("enough")

    agent, other = holes(backup=backup), holes(backup=backup)
    with pytest.raises(RuntimeError, match="enough"):
        agent.train(10, raise_at_three)
    other.train(3)
    assert np.array_equal(agent.train(4), other.train(4)) and np.array_equal(agent.values(0), other.values(0))


def test_a_callback_may_use_the_agent():
    """Also when episodes go to another goal: training within the callback goes to the world's."""
    agent = Agent(CORRIDOR, AgentConfig(levels=1, universal_top=True), seed=3)
    agent.train(5)
    ends = []
    agent.evaluate(2, goal=2, on_episode=lambda _: (agent.train(1), ends.append(agent.last_episode.states[-1])))
    assert ends == [CORRIDOR.goal] * 2


def test_learners_say_how_episodes_ended():
    import gymnasium

    lake = gymnasium.make("FrozenLake-v1", is_slippery=False, max_episode_steps=8)
    told = []
    learner = hierq.Learner(lake, AgentConfig(levels=1, explore_train=1.0))
    steps = learner.train(40, told.append)
    assert {"hole", "limit"} <= set(steps.outcomes) and [each.outcome for each in told] == steps.outcomes.tolist()
    assert (steps.outcomes == "goal").sum() == learner.known.successes and (
        steps.outcomes == "hole"
    ).sum() == learner.known.failures
