"""Protocols: what is done with the agents of a run, and how runs of different protocols are told apart."""

import dataclasses
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

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
from hierq.cli.export import results_csv
from hierq.studies import FlatEpisodes
from hierq.studies.batches import pending_counts
from hierq.studies.plan import plan_counts
from hierq.studies.runs import do_run, memory_of
from hierq.studies.study import Case, Run, seed_of
from hierq.studies.verification import verify

WORLD = make_world("gridworld-10")


def test_runs_of_the_usual_protocol_keep_their_keys() -> None:
    """If it fails, stored results are no longer found."""
    study = Study(("maze-10",), (AgentConfig(levels=3, backup=TreeBackup(5)),))
    assert study.to_dict()["protocol"] == {"iterations": 50}
    assert study.cases[0].key == "80bbe05557eb0d97a56e485f7784e27e"


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
    thresholds = {"tie_tolerance": config.tie_tolerance, "trace_cutoff": config.trace_cutoff}
    flat_config = AgentConfig(levels=1, backup=backup, step_limit=5000, **thresholds)
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
    assert plan_counts(pending_counts(study, {}), 1).runs == 9
    alone = [memory_of(Case(WORLD, config, Protocol(3))) for config in AGENTS]
    assert [memory_of(case) > size for case, size in zip(study.cases, alone, strict=True)] == [False, True, True]
    run_study(dataclasses.replace(study, seeds=1), tmp_path / "grown")
    assert run_study(study, tmp_path / "grown").digest == run_study(study, tmp_path / "whole").digest
    assert verify(tmp_path / "grown").sound and len(load_results(tmp_path / "grown")) == 9
    with pytest.raises(InputError, match="another protocol"):
        run_study(Study((WORLD,), AGENTS, 3, Protocol(3)), tmp_path / "whole")


def test_a_plan_counts_what_a_protocol_measures_at_the_end() -> None:
    @dataclass(frozen=True)
    class Measuring(Protocol):
        runs_agents: ClassVar[bool] = False

        def iterate(self, agents, iterations):
            return np.ones(iterations, np.int64), np.ones(iterations, np.int64)

        def measure(self, agents):
            time.sleep(0.2)
            return {"found": [1.0]}

    study = Study((WORLD,), (AgentConfig(),), 1, Measuring(1))
    assert plan_counts(pending_counts(study, {}), 1).seconds >= 0.2


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


@dataclass(frozen=True)
class Learnt(Protocol):
    """Measures how much of a run's table was written."""

    def measure(self, agents):
        return {"learnt": [float(agent.learnt(level)[0]) for agent in agents for level in range(agent.config.levels)]}


@pytest.mark.usefixtures("compiler")
def test_what_a_protocol_measures_becomes_a_column(tmp_path: Path) -> None:
    agents = (AgentConfig(levels=1), AgentConfig(levels=2))
    for name, protocol in (("plain", Protocol(2)), ("measured", Learnt(2))):
        run_study(Study((WORLD,), agents, 3, protocol), tmp_path / name)
    plain, measured = (load_results(tmp_path / name) for name in ("plain", "measured"))
    assert set(measured.columns) - set(plain.columns) == {"learnt"}
    assert measured["evaluation"].to_list() == plain["evaluation"].to_list(), "measuring changes no steps"
    assert measured["learnt"].list.len().to_list() == [1, 1, 1, 2, 2, 2]
    assert measured["learnt"].list.min().min() > 0
    text, rows = results_csv(str(tmp_path / "measured"))
    assert rows == 6 and "learnt" in text.splitlines()[0]
    assert verify(tmp_path / "measured").sound
