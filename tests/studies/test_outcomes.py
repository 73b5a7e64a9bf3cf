"""Results that say whether the goal was reached: in the store, in tables and in what commands print."""

import csv
from pathlib import Path

import polars as pl
import pytest
from small_studies import as_toml, small_study

from command import hierq_command
from hierq import AgentConfig, InputError, Protocol, Study, TreeBackup, load_results, run_study
from hierq.studies import FlatEpisodes
from hierq.studies.ids import agent_labels
from hierq.studies.runs import do_run
from hierq.studies.tidy import long_results, summary
from hierq.studies.verification import verify

Capture = pytest.CaptureFixture[str]


def holes(seeds: int = 4, protocol: Protocol = Protocol(5), **settings: object) -> Study:  # noqa: B008
    agents = tuple(AgentConfig(levels=k, backup=TreeBackup(3), step_limit=100, **settings) for k in (1, 2))
    return Study(("holes", "rooms-example"), agents, seeds, protocol)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("holes") / "results"
    run_study(holes(), out)
    return out


def test_the_store_keeps_how_episodes_ended(results: Path) -> None:
    frame = load_results(results)
    for run in holes().runs():
        row = frame.filter(id=run.case.id, seed=run.seed).row(0, named=True)
        expected = do_run(run)
        assert expected is not None
        assert row["evaluation_outcomes"] == expected["evaluation_outcomes"]
        assert row["training_outcomes"] == expected["training_outcomes"] and len(row["training_outcomes"]) == 5
    assert "hole" in frame.filter(world="holes")["evaluation_outcomes"].explode().to_list()
    assert verify(results).sound


def test_protocols_say_it_if_they_can(tmp_path: Path, capsys: Capture) -> None:
    class Plain(Protocol):
        def iterate(self, agents, iterations):
            return tuple(steps.copy() for steps in agents[0].alternate(iterations))

    run_study(holes(2, FlatEpisodes(3)), tmp_path / "flat")
    assert load_results(tmp_path / "flat")["training_outcomes"].null_count() == 0
    run_study(holes(2, Plain(3)), tmp_path / "plain")
    plain = load_results(tmp_path / "plain")
    assert plain["evaluation_outcomes"].null_count() == len(plain) == 8 and verify(tmp_path / "plain").sound
    assert summary(plain)["reached"].null_count() == 4
    assert set(long_results(plain)["outcome"]) == {"unknown"}
    assert "whether the goal was reached is unknown" in hierq_command(capsys, "status", str(tmp_path / "plain")).out


def test_steps_are_never_told_without_whether_the_goal_was_reached(
    results: Path, tmp_path: Path, capsys: Capture
) -> None:
    frame = load_results(results)
    table = summary(frame)
    for row in table.iter_rows(named=True):
        runs = frame.filter(world=row["world"], agent=row["agent"])
        ended = runs["evaluation_outcomes"].explode().to_list()
        assert row["episodes"] == 20 and row["reached"] == ended.count("goal")
        assert row["steps"] == pytest.approx(runs["evaluation"].explode().mean()) and row["low"] <= row["steps"]
    assert table.filter(world="holes")["reached"].max() < 20
    status = hierq_command(capsys, "status", str(results)).out
    goals = table.group_by("world").agg(pl.col("reached").sum())
    for world, count in goals.iter_rows():
        assert f"goal reached in {count} of 40 evaluations" in status, world
    toml = tmp_path / "study.toml"
    toml.write_text(as_toml(seeds=2, iterations=4, worlds='["holes"]'))
    out = hierq_command(capsys, "sweep", str(toml), "--out", str(tmp_path / "swept")).out
    assert "flat" in out and "of 8" in out and "few steps need not be good" in out and "arithmetic means" in out


def test_long_results_have_a_row_per_episode(results: Path, tmp_path: Path, capsys: Capture) -> None:
    frame = load_results(results)
    long = long_results(frame)
    assert len(long) == 2 * 5 * len(frame) and long["kind"][:2].to_list() == ["training", "evaluation"]
    first = long.filter(id=frame["id"][0], seed=0, kind="evaluation")
    assert first["iteration"].to_list() == [1, 2, 3, 4, 5]
    assert first["steps"].to_list() == frame["evaluation"][0].to_list()
    assert first["outcome"].to_list() == frame["evaluation_outcomes"][0].to_list()
    target = tmp_path / "long.csv"
    done = hierq_command(capsys, "export", str(results), "--long", "--out", str(target))
    assert done.code == 0 and "160 episodes written" in done.out
    with target.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 160 and {row["outcome"] for row in rows} <= {"goal", "hole", "limit"}
    wide = hierq_command(capsys, "export", str(results), "--out", str(tmp_path / "wide.csv"))
    assert wide.code == 0 and "evaluation_outcomes" in (tmp_path / "wide.csv").read_text().splitlines()[0]


def test_every_swept_setting_has_a_column(tmp_path: Path) -> None:
    base = AgentConfig(levels=2, backup=TreeBackup(3))
    agents = (
        base,
        base.replace(horizons=(2, 3), explore_train=0.5),
        base.replace(backup=TreeBackup(5).with_hops("single"), radius=4),
        base.replace(universal_top=True),
    )
    run_study(Study("rooms-example", agents, 1, Protocol(1)), tmp_path)
    frame = load_results(tmp_path)
    assert frame["horizons"].to_list() == ["3", "2,3", "3", "3"]
    assert frame["explore_train"].to_list() == [0.25, 0.5, 0.25, 0.25]
    assert frame["n"].to_list() == [3, 3, 5, 3] and frame["hops"].to_list() == ["stride", "stride", "single", "stride"]
    assert frame["radius"].to_list() == [None, None, 4, None]
    assert frame["universal_top"].to_list() == [False, False, False, True]
    assert "step_size" not in frame.columns, "it is the same for all"


def test_agents_of_one_level_are_called_flat() -> None:
    assert agent_labels(["k1/n3/hierarchy", "k2/n3/hierarchy"]) == {"k1/n3/hierarchy": "flat", "k2/n3/hierarchy": "k2"}
    names = ["k1/λ0.8/hierarchy/a=1", "k2/n3/flat/a=1", "k2/n3/hierarchy/a=1/b=2"]
    assert [*agent_labels(names).values()] == ["flat, λ0.8", "k2, n3, flat behaviour", "k2, n3, b=2"]
    assert agent_labels(["k1/one-step/hierarchy"]) == {"k1/one-step/hierarchy": "flat, one-step"}


def test_labels_have_hashes_only_where_they_would_be_the_same() -> None:
    one, other = "k2/mine:0123456789abcdef,n3/hierarchy", "k2/mine:fedcba9876543210,n3/hierarchy"
    curious = "k2/n3/hierarchy/explore=curious:0123456789abcdef"
    assert [*agent_labels([one, curious]).values()] == ["k2, mine,n3", "k2, n3, explore=curious"]
    assert [*agent_labels([one, other]).values()] == ["k2, mine:0123456789abcdef,n3", "k2, mine:fedcba9876543210,n3"]


def test_a_summary_has_a_column_per_setting() -> None:
    rows = [
        {"world": "w", "agent": f"k{k}/n3/hierarchy", "levels": k, "explore": "pass", "seed": seed, "seconds": 1.0}
        | {"evaluation": [4 * k], "evaluation_outcomes": ["goal"]}
        for k in (1, 2)
        for seed in (0, 1)
    ]
    table = summary(pl.DataFrame(rows))
    assert table["levels"].to_list() == [1, 2] and table["explore"].to_list() == ["pass", "pass"]
    assert "seconds" not in table.columns and table["steps"].to_list() == [4.0, 8.0]


def test_a_study_tells_of_every_episode(tmp_path: Path) -> None:
    told = []
    study = small_study(seeds=3)
    run_study(study, tmp_path / "told", workers=2, on_episode=lambda run, episode: told.append((run, episode)))
    assert len(told) == len(study) * 3 * 2
    frame = load_results(tmp_path / "told")
    for run in study.runs():
        row = frame.filter(id=run.case.id, seed=run.seed).row(0, named=True)
        for kind in ("training", "evaluation"):
            mine = [episode for each, episode in told if each == run and episode.kind == kind]
            assert [episode.number for episode in mine] == [1, 2, 3], "in order"
            assert [episode.steps for episode in mine] == row[kind]
            assert [episode.outcome for episode in mine] == row[f"{kind}_outcomes"]
    run_study(study, tmp_path / "silent")
    assert verify(tmp_path / "told").digest == verify(tmp_path / "silent").digest


def test_a_callback_that_raises_ends_the_study_and_keeps_its_runs(tmp_path: Path) -> None:
    seen = []

    def raise_late(run, episode):
        seen.append(episode)
        if len(seen) == 60:
            raise RuntimeError("enough")

    study = small_study(seeds=8)
    with pytest.raises(RuntimeError, match="enough"):
        run_study(study, tmp_path, on_episode=raise_late)
    assert verify(tmp_path).sound
    assert run_study(study, tmp_path).now == len(study) and verify(tmp_path).sound


def test_a_cluster_tells_of_no_single_episodes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="on_episode"):
        run_study(small_study(), tmp_path / "no", cluster="local:1", on_episode=print)
    assert not (tmp_path / "no").exists()
