import numpy as np
import polars as pl
import pytest

from hierq import Agent, AgentConfig, InputError, Traces, TreeBackup, make_world
from hierq.paper import stitching
from hierq.paper.stitching import load_stitching, planned_runs, run_learners, run_stitching
from hierq.studies.study import seed_of

WORLD = "rooms-4"

pytestmark = pytest.mark.usefixtures("compiler")


@pytest.fixture(autouse=True)
def short_runs(monkeypatch) -> None:
    """Three episodes, and files of two seeds."""
    monkeypatch.setattr(stitching, "SEEDS_IN_A_FILE", 2)
    monkeypatch.setattr(run_learners, "__defaults__", (3, None))


def evaluation(rows: list[dict], rules: str, learner: str, levels: int) -> list[int]:
    (found,) = [r for r in rows if (r["rules"], r["learner"], r["levels"]) == (rules, learner, levels)]
    return found["evaluation"]


@pytest.mark.parametrize("backup", stitching.BACKUPS)
def test_the_flat_learner_is_a_flat_agent_of_the_paper(backup) -> None:
    rows = run_learners(WORLD, backup, seed=3, iterations=6)
    world, config = make_world(WORLD), AgentConfig(levels=1, backup=backup)
    _, evaluated = Agent(world, config, seed_of(world, config, 3)).alternate(6)
    for rules in ("text", "published"):
        assert evaluation(rows, rules, "flat", 1) == evaluated.tolist()


def test_hierarchies_learn_from_the_episodes_of_the_flat_agent() -> None:
    rows = run_learners(WORLD, TreeBackup(1), seed=0, iterations=4)
    world, flat_config = make_world(WORLD), AgentConfig(levels=1, backup=TreeBackup(1))
    config = AgentConfig.published(levels=3, backup=TreeBackup(1), credit_span="single")
    flat = Agent(world, flat_config, seed_of(world, flat_config, 0))
    single = Agent(world, config, seed_of(world, config, 0))
    expected = []
    for _ in range(4):
        flat.train(1)
        single.replay(flat.last_episode.actions.tolist())
        flat.evaluate(1)
        expected.append(int(single.evaluate(1)[0]))
        assert np.array_equal(flat.values(0), single.values(0)), "level 0 knows as much about the goal"
    assert evaluation(rows, "published", "single", 3) == expected


def test_learners() -> None:
    rows = run_learners(WORLD, Traces(1.0), seed=0, iterations=2)
    learners = {(row["rules"], row["learner"], row["levels"]) for row in rows}
    hierarchies = {("text", 2), ("text", 3), ("published", 3)}
    assert learners == {(r, c, k) for r, k in hierarchies for c in ("single", "full")} | {
        ("text", "flat", 1),
        ("published", "flat", 1),
    }
    assert {(row["backup"], row["parameter"], row["seed"]) for row in rows} == {("traces", 1.0, 0)}
    configs = {(rules, name, c.levels): c for rules, name, c in stitching.learner_configs(Traces(1.0))}
    assert configs["text", "single", 3] == AgentConfig(levels=3, backup=Traces(1.0), credit_span="single")
    assert configs["published", "full", 3] == AgentConfig.published(levels=3, backup=Traces(1.0))


def test_what_is_there_is_not_done_again(tmp_path) -> None:
    told: list[str] = []
    outcome = run_stitching(tmp_path, seeds=3, worlds=[WORLD], workers=2, watch=told.append)
    assert (outcome.planned, outcome.before, outcome.now, outcome.interrupted) == (6, 0, 6, False)
    assert told == [WORLD] * planned_runs(3, [WORLD])
    first = load_stitching(tmp_path)
    assert first.group_by("backup").agg(pl.col("seed").n_unique())["seed"].to_list() == [3, 3]
    written = {file: file.stat().st_mtime_ns for file in (tmp_path / "stitching").iterdir()}
    again = run_stitching(tmp_path, seeds=3, worlds=[WORLD])
    assert (again.before, again.now) == (6, 6)
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "stitching").iterdir()} == written
    more = run_stitching(tmp_path, seeds=4, worlds=[WORLD], watch=told.append)
    assert (more.planned, more.before, more.now) == (8, 6, 8)
    assert len(told) == 6 + 8
    grown = load_stitching(tmp_path)
    assert grown.filter(pl.col("seed") < 3).equals(first)
    assert len(grown) == 4 * 2 * 8


def test_ctrl_c_keeps_what_is_finished(tmp_path) -> None:
    told: list[str] = []

    def press_after_three(world: str) -> None:
        told.append(world)
        if len(told) == 3:
            raise KeyboardInterrupt

    stopped = run_stitching(tmp_path / "stopped", seeds=4, worlds=[WORLD], workers=1, watch=press_after_three)
    assert stopped.interrupted
    assert stopped.now == 3
    assert load_stitching(tmp_path / "stopped").select("backup", "seed").n_unique() == 3
    resumed = run_stitching(tmp_path / "stopped", seeds=4, worlds=[WORLD], workers=2)
    assert (resumed.before, resumed.now, resumed.interrupted) == (3, 8, False)
    run_stitching(tmp_path / "whole", seeds=4, worlds=[WORLD], workers=1)
    assert load_stitching(tmp_path / "stopped").equals(load_stitching(tmp_path / "whole"))


def test_damaged_and_old_files_are_done_again(tmp_path, monkeypatch) -> None:
    run_stitching(tmp_path, seeds=2, worlds=[WORLD])
    whole = load_stitching(tmp_path)
    damaged, *_ = sorted((tmp_path / "stitching").glob("*.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:100])
    assert len(load_stitching(tmp_path)) == len(whole) // 2
    assert run_stitching(tmp_path, seeds=2, worlds=[WORLD]).before == 2
    assert load_stitching(tmp_path).equals(whole)
    monkeypatch.setattr(stitching, "KERNEL_VERSION", stitching.KERNEL_VERSION + 1)
    assert load_stitching(tmp_path) is None
    assert run_stitching(tmp_path, seeds=2, worlds=[WORLD]).before == 0


def test_nothing_was_run(tmp_path) -> None:
    assert load_stitching(tmp_path) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seeds": 0}, "seeds must be at least 1"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"worlds": ["moon"]}, "no world 'moon'"),
        ({"worlds": []}, "name at least one world"),
    ],
)
def test_impossible_arguments_are_refused(tmp_path, arguments, message) -> None:
    with pytest.raises(InputError, match=message):
        run_stitching(tmp_path, **arguments)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path) -> None:
    (tmp_path / "stitching").write_text("")
    with pytest.raises(InputError, match="cannot make the folder"):
        run_stitching(tmp_path, seeds=1, worlds=[WORLD])
