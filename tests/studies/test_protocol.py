"""Protocols: what is done with the agents of a run, and how runs of different protocols are told apart."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from small_studies import AGENTS

from hierq import (
    Agent,
    AgentConfig,
    InputError,
    Protocol,
    Study,
    Traces,
    TreeBackup,
    load_results,
    make_world,
    run_study,
)
from hierq.agents import AnyBackup
from hierq.studies import FlatEpisodes
from hierq.studies.plan import plan_runs
from hierq.studies.runs import do_run, memory_of
from hierq.studies.study import Case, Run, seed_of
from hierq.studies.verification import verify

WORLD = make_world("gridworld-10")


def test_runs_of_the_usual_protocol_keep_their_keys() -> None:
    """Results of earlier versions are found under these."""
    study = Study(("maze-10",), (AgentConfig(levels=3, backup=TreeBackup(5)),))
    assert study.to_dict()["protocol"] == {"iterations": 50}
    assert study.cases[0].key == "3e95aac34317498c8207253d3bb43fb7"


def test_other_protocols_have_other_keys_and_come_back_from_files() -> None:
    usual, flat = (Case(WORLD, AgentConfig(), protocol(7)) for protocol in (Protocol, FlatEpisodes))
    assert usual.key != flat.key
    study = Study((WORLD,), AGENTS, 2, FlatEpisodes(7))
    assert Study.from_dict(study.to_dict()) == study
    assert Study.from_dict(study.to_dict()).cases[0].key == study.cases[0].key


@pytest.mark.parametrize(
    ("plain", "message"),
    [({"kind": "Unheard"}, "no protocol 'Unheard'"), ({"length": 3}, "is not understood")],
)
def test_unknown_protocols_are_refused(plain: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Protocol.from_dict(plain)


@pytest.mark.parametrize("backup", [TreeBackup(2), Traces(1.0)])
def test_a_learner_is_taught_by_the_flat_agent_of_its_seed(backup: AnyBackup) -> None:
    config = AgentConfig.published(levels=2, backup=backup, step_limit=5000)
    row = do_run(Run(Case(WORLD, config, FlatEpisodes(4)), 3))
    flat_config = AgentConfig(levels=1, backup=backup, step_limit=5000)
    flat = Agent(WORLD, flat_config, seed_of(WORLD, flat_config, 3))
    learner = Agent(WORLD, config, seed_of(WORLD, config, 3))
    training, evaluation = [], []
    for _ in range(4):
        training.append(int(flat.train(1)[0]))
        learner.replay(flat.last_episode.letters)
        flat.evaluate(1)
        evaluation.append(int(learner.evaluate(1)[0]))
        assert np.array_equal(flat.values(0), learner.values(0))
    assert row is not None
    assert (row["training"], row["evaluation"]) == (training, evaluation)


def test_a_flat_agent_learns_from_its_own_episodes() -> None:
    config = AgentConfig(levels=1, backup=TreeBackup(3))
    case = Case(WORLD, config, FlatEpisodes(5))
    assert case.agents == (config,)
    rows = [do_run(Run(each, 2)) for each in (case, dataclasses.replace(case, protocol=Protocol(5)))]
    assert rows[0]["training"] == rows[1]["training"] and rows[0]["evaluation"] == rows[1]["evaluation"]


def test_it_is_planned_run_resumed_and_verified_like_any_other(tmp_path: Path) -> None:
    study = Study((WORLD,), AGENTS, 3, FlatEpisodes(3))
    assert plan_runs(list(study.runs()), 1).runs == 9
    alone = [memory_of(Case(WORLD, config, Protocol(3))) for config in AGENTS]
    assert [memory_of(case) > size for case, size in zip(study.cases, alone, strict=True)] == [False, True, True]
    run_study(dataclasses.replace(study, seeds=1), tmp_path / "grown")
    assert run_study(study, tmp_path / "grown").digest == run_study(study, tmp_path / "whole").digest
    assert verify(tmp_path / "grown").sound and len(load_results(tmp_path / "grown")) == 9
    with pytest.raises(InputError, match="another protocol"):
        run_study(Study((WORLD,), AGENTS, 3, Protocol(3)), tmp_path / "whole")


def test_a_protocol_of_ones_own(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class TwiceTrained(Protocol):
        def iterate(self, agents, iterations):
            pairs = [(agents[0].train(2).sum(), agents[0].evaluate(1)[0]) for _ in range(iterations)]
            return np.array(pairs).T

    study = Study((WORLD,), AGENTS[:1], 2, TwiceTrained(3))
    run_study(study, tmp_path)
    assert load_results(tmp_path)["training"].list.len().to_list() == [3, 3]
    assert study.cases[0].key != Case(WORLD, AGENTS[0], Protocol(3)).key
