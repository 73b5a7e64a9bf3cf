"""What an earlier version has left: its studies resume and verify, its agents load and go on as they would have."""

import shutil
from pathlib import Path

import pytest

import hierq
from hierq.studies.verification import verify

BEFORE = Path(__file__).parent / "before"  # made by the version before backups were made of parts


@pytest.fixture
def results(tmp_path):
    return shutil.copytree(BEFORE / "results", tmp_path / "results")


def test_a_study_is_there_and_sound(results):
    study = hierq.Study.from_toml(BEFORE / "study.toml")
    assert verify(results).digest == "22a47c7d9bdac5d85f29bd86fe956d22"
    outcome = hierq.run_study(study, results)
    assert outcome.before == outcome.now == 12
    agents = set(hierq.load_results(results)["agent"])
    assert agents == {name for name, _ in study.settings} and "k2/n3/hierarchy/credit_span=single" in agents


def test_it_goes_on_with_the_same_numbers(results):
    """Runs that are done again have the results that they had."""
    before = hierq.load_results(results).sort("id", "seed")
    for file in (results / "runs").iterdir():
        file.unlink()
    outcome = hierq.run_study(hierq.Study.from_toml(BEFORE / "study.toml"), results)
    assert outcome.before == 0 and outcome.now == 12
    after = hierq.load_results(results).sort("id", "seed")
    assert after.select("id", "case", "training", "evaluation").equals(
        before.select("id", "case", "training", "evaluation")
    )


@pytest.mark.parametrize(
    ("file", "backup", "steps"),
    [
        ("treebackup", hierq.TreeBackup(3), [4, 16, 7, 4]),
        ("tracescreditspansingle", hierq.Traces(0.8, hops="single"), [4, 6, 6, 6]),
    ],
)
def test_an_agent_goes_on_as_it_would_have(file, backup, steps):
    agent = hierq.Agent.load(BEFORE / f"{file}.safetensors")
    assert agent.config == hierq.AgentConfig(levels=2, backup=backup)
    assert agent.train(4).tolist() == steps
