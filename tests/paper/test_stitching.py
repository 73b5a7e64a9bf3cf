"""The stitching study: learners with the same episodes, as the claims and figures read them."""

from pathlib import Path

import polars as pl
import pytest
from made_up import parts

from hierq import Agent, AgentConfig, Traces, TreeBackup, make_world
from hierq.paper.plan import Part, stitching_learners
from hierq.paper.stitching import load_stitching
from hierq.studies import run_study
from hierq.studies.study import seed_of

WORLD = "rooms-4"
LEARNERS = {("text", "flat", 1), ("published", "flat", 1)} | {
    (rules, learner, levels)
    for rules, levels in (("text", 2), ("text", 3), ("published", 3))
    for learner in ("single", "full")
}

pytestmark = pytest.mark.usefixtures("compiler")


def stitching(seeds: int) -> Part:
    (part,) = parts(["stitching"], seeds=seeds, worlds=[WORLD])
    return part


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seeds on one world."""
    folder = tmp_path_factory.mktemp("reproduction")
    run_study(stitching(2).study, folder / stitching(2).folder)
    return folder


def test_every_learner_has_a_row(out: Path) -> None:
    frame = load_stitching(out)
    assert frame is not None and len(frame) == 2 * 2 * len(LEARNERS)
    assert set(frame.select("rules", "learner", "levels").iter_rows()) == LEARNERS
    assert set(frame.select("world", "backup", "parameter", "seed").iter_rows()) == {
        (WORLD, backup, 1.0, seed) for backup in ("traces", "tree-backup") for seed in (0, 1)
    }
    assert frame["evaluation"].list.len().unique().to_list() == [50]


def test_the_configurations_of_the_learners() -> None:
    configs = {(rules, name, c.levels, c.backup): c for rules, name, c in stitching_learners()}
    assert configs["text", "single", 3, Traces(1.0, hops="single")] == AgentConfig(
        levels=3, backup=Traces(1.0, hops="single")
    )
    assert configs["published", "full", 3, TreeBackup(1)] == AgentConfig.published(levels=3, backup=TreeBackup(1))


def test_a_flat_learner_is_a_flat_agent_of_the_paper_under_both_rules(out: Path) -> None:
    world, config = make_world(WORLD), AgentConfig(levels=1, backup=TreeBackup(1))
    _, evaluated = Agent(world, config, seed_of(world, config, 1)).alternate(50)
    frame = load_stitching(out)
    assert frame is not None
    flat = frame.filter(pl.col("learner") == "flat", pl.col("backup") == "tree-backup", pl.col("seed") == 1)
    assert flat["rules"].to_list() == ["published", "text"]
    assert flat["evaluation"].to_list() == [evaluated.tolist()] * 2


@pytest.mark.parametrize(
    ("backup", "rules", "learner", "levels", "total"),
    [
        ("tree-backup", "text", "single", 2, [2420, 3318]),
        ("tree-backup", "published", "full", 3, [1471, 1237]),
        ("traces", "text", "full", 3, [973, 1027]),
    ],
)
def test_steps_are_those_of_earlier_versions(out: Path, backup, rules, learner, levels, total) -> None:
    """Sums over two seeds, from the time when the experiment had a store of its own."""
    frame = load_stitching(out)
    assert frame is not None
    of = {"backup": backup, "rules": rules, "learner": learner, "levels": levels}
    assert frame.filter(**of)["evaluation"].list.sum().to_list() == total


def test_only_seeds_that_all_learners_have_count(tmp_path: Path) -> None:
    part = stitching(1)
    assert load_stitching(tmp_path) is None
    run_study(part.study, tmp_path / part.folder, "shard", shard=(1, 2))
    assert load_stitching(tmp_path) is None
    run_study(part.study, tmp_path / part.folder, "shard", shard=(2, 2))
    frame = load_stitching(tmp_path)
    assert frame is not None and frame["seed"].unique().to_list() == [0]


def test_files_of_earlier_versions_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "stitching").mkdir()
    old = tmp_path / "stitching" / f"{WORLD}_n1_000.parquet"
    old.write_bytes(b"old")
    assert load_stitching(tmp_path) is None
    part = stitching(1)
    run_study(part.study, tmp_path / part.folder)
    assert load_stitching(tmp_path) is not None
    assert old.read_bytes() == b"old"
