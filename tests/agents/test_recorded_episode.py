"""Learning from an episode that another agent has recorded."""

import dataclasses

import numpy as np
import pytest

from hierq import Agent, AgentConfig, InputError, RecordedEpisode, Traces, TreeBackup, make_world
from hierq.agents import AnyBackup

pytestmark = pytest.mark.usefixtures("once")

WORLD = make_world("rooms-example")


@pytest.fixture
def episode() -> RecordedEpisode:
    recorder = Agent(WORLD, AgentConfig(levels=1), seed=3)
    recorder.train(1)
    return recorder.last_episode


@pytest.mark.parametrize("backup", [TreeBackup(3), Traces(0.8)])
def test_it_learns_what_the_same_moves_teach_it(episode: RecordedEpisode, backup: AnyBackup) -> None:
    config = AgentConfig(levels=3, backup=backup)
    learner, other = Agent(WORLD, config, 1), Agent(WORLD, config, 1)
    learner.replay(episode)
    other.replay(episode.letters)
    for level in range(3):
        assert np.array_equal(learner.values(level), other.values(level))
    assert learner.learnt(0)[0] > 0
    assert learner.last_episode.letters == episode.letters
    assert learner.evaluate(3).tolist() == other.evaluate(3).tolist()


def test_nothing_is_learnt_from_an_empty_episode(episode: RecordedEpisode) -> None:
    learner = Agent(WORLD, AgentConfig(), 1)
    learner.replay(dataclasses.replace(episode, states=episode.states[:1], actions=episode.actions[:0]))
    assert learner.learnt(0)[0] == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda it: {"states": it.states[:-1]}, "moves go through .* states, and .* were given"),
        (lambda it: {"states": it.states + WORLD.states}, "name a free cell"),
        (lambda it: {"states": it.states - WORLD.states}, "there is no cell"),
        (lambda it: {"states": it.states[::-1]}, "no episode of rooms-example starts in state"),
        (lambda it: {"actions": it.actions + 4}, "a move is one of N, S, W, E or 0 to 3"),
        (lambda it: {"actions": it.actions - 4}, "a move is one of N, S, W, E or 0 to 3"),
        (lambda it: {"actions": (it.actions + 1) % 4}, "cannot lead from state"),
        (lambda it: {"forgotten": 7}, "the first 7 steps of this episode are forgotten"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_learnt(episode, change, message) -> None:
    learner = Agent(WORLD, AgentConfig(), 1)
    with pytest.raises(InputError, match=message):
        learner.replay(dataclasses.replace(episode, **change(episode)))
    assert learner.learnt(0)[0] == 0


def test_an_episode_beyond_the_step_limit_is_refused(episode: RecordedEpisode) -> None:
    with pytest.raises(InputError, match="more than the step limit of 2"):
        Agent(WORLD, AgentConfig(step_limit=2)).replay(episode)
