"""The protocols of the investigation of estimators: right values, and other goals."""

import importlib
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from hierq import Agent, AgentConfig, InputError, World, make_world
from hierq.studies import Case, Run
from hierq.studies.runs import do_run

estimators = types.ModuleType("estimators_folder")
estimators.__path__ = [str(Path(__file__).parents[2] / "investigations" / "estimators")]
sys.modules["estimators_folder"] = estimators
measuring = importlib.import_module("estimators_folder.measuring")
OtherGoals, Values, other_goals = measuring.OtherGoals, measuring.Values, measuring.other_goals

WORLD = make_world("gridworld-10")


@pytest.mark.usefixtures("compiler")
def test_values_are_compared_with_exact_ones() -> None:
    corridor = World.from_text("#######\n#S...G#\n#######")
    row = do_run(Run(Case(corridor, AgentConfig(levels=2, explore_train=0.5), Values(60)), 0))
    assert row["value_error"] == pytest.approx([0, 0], abs=1e-12)
    assert row["value_luck"] == pytest.approx([1, 1])
    untaught = Values(1).measure([Agent(corridor, AgentConfig(levels=2))])
    exact = [0.95**3, 0.95**2, 0.95, 1.0]
    assert untaught["value_bias"] == pytest.approx([-np.mean(exact), -np.mean([0.95, 1, 1, 1])])
    assert untaught["value_error"][0] == pytest.approx(np.sqrt(np.mean(np.square(exact))))


@pytest.mark.usefixtures("compiler")
def test_other_goals_are_reached_by_who_learnt_about_them() -> None:
    corridor = World.from_text("########\n#S....G#\n########")
    config = AgentConfig(levels=1, universal_top=True, explore_train=1.0, explore_eval=0.0)
    assert other_goals(corridor, 9) == (1, 2, 3, 4)
    row = do_run(Run(Case(corridor, config, OtherGoals(40, goals=9)), 1))
    assert row["other_steps"] == [1, 2, 3, 4]
    agent = Agent(corridor, config, 1)
    assert sum(agent.evaluate(1, goal)[0] for goal in (1, 2, 3, 4)) > 10, "it knows nothing yet"
    assert agent.evaluate(1)[0] > 0 and agent.last_episode.states[-1] == corridor.goal
    with pytest.raises(InputError, match="universal_top"):
        Case(corridor, AgentConfig(levels=1), OtherGoals(2)).agents  # noqa: B018
    assert len(other_goals(WORLD, 16)) == 16 and WORLD.goal not in other_goals(WORLD, 16)
