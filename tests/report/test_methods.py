"""What was run, as the page says it: also where only the stitching experiment was."""

import polars as pl

from hierq.paper import stitching
from hierq.paper.reproduction import Reproduction
from hierq.paper.stitching import SCHEMA
from hierq.report.methods import methods_of, without_place
from hierq.report.protocol import protocol


def runs(world, backup, seeds):
    row = {"world": world, "backup": backup, "parameter": 1.0, "rules": "text", "learner": "flat", "levels": 1}
    shared = {"evaluation": [20] * 50, "kernel": stitching.KERNEL_VERSION}
    return pl.DataFrame([{**row, **shared, "seed": seed} for seed in range(seeds)], schema=SCHEMA)


def test_the_stitching_experiment_alone(tmp_path):
    (tmp_path / "stitching").mkdir()
    for backup, seeds in (("traces", 5), ("tree-backup", 3)):
        runs("maze-10", backup, seeds).write_parquet(tmp_path / "stitching" / f"maze-10_{backup}_000.parquet")
    found = methods_of(Reproduction(tmp_path))
    assert found.worlds == ("maze-10",)
    (study,) = found.ran
    assert (study.name, study.worlds, study.runs) == ("stitching", 1, 8)
    assert study.seeds == found.most_seeds == 3, "those that all have"
    assert "stitching" not in {each.name for each in found.missing}
    assert found.versions == (("hierq’s kernels", str(stitching.KERNEL_VERSION)),)
    assert {each.command for each in found.missing} >= {"hierq reproduce --study audit --seeds 3 --out reproduction"}


def test_every_study_has_its_protocol():
    assert [name for name, _ in protocol()] == [
        "main",
        "balanced",
        "representation",
        "first-episode",
        "audit",
        "stitching",
    ]


def test_the_protocol_follows_the_plan(monkeypatch):
    monkeypatch.setitem(stitching.LEVELS, "published", (2, 4))
    assert "k = 2, 4 under the published rules" in dict(protocol())["stitching"]


def test_places_are_replaced_where_they_are_places(tmp_path):
    assert without_place("about it --out out", "out") == "about it --out reproduction"
    assert without_place(f"no runs in {tmp_path}; do", tmp_path) == "no runs in reproduction; do"
