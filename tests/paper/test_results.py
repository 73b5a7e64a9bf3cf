"""What was run of the paper, opened; and what the departures do, measured."""

import math
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from made_up import MadeUp, labelled_frame, parts

from hierq.errors import InputError
from hierq.investigations.numbers import runs_by
from hierq.paper.audit import FEWER_ITERATIONS, FIRST_EPISODES, MARGINALS, effects
from hierq.paper.investigation import investigation
from hierq.paper.numbers import marginal_point
from hierq.paper.rules import ALGORITHM, ALL, CHOICES, flat_choice
from hierq.studies import run_study
from hierq.studies.study import agent_id


def test_what_is_there(tiny_reproduction: Path) -> None:
    reproduction = investigation.open(tiny_reproduction)
    there = {(part.name, part.rules) for part in reproduction.present()}
    assert ("audit", None) in there and ("stitching", None) not in there
    assert reproduction.under("text").frame("main")["seed"].n_unique() == 3


def test_a_folder_with_the_stitching_study_alone_will_do(tmp_path: Path) -> None:
    (part,) = parts(["stitching"], seeds=1, worlds=["rooms-4"])
    run_study(part.study, tmp_path / part.folder)
    assert [part.name for part in investigation.open(tmp_path).present()] == ["stitching"]
    assert investigation.open(tmp_path).under("text").runs("main") is None


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hierq reproduce --out"):
        investigation.open(tmp_path)


def test_seeds_that_only_some_agents_have_are_left_out(tiny_reproduction: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(tiny_reproduction / "audit", folder / "audit")
    files = sorted((folder / "audit" / "runs").glob("*.parquet"))
    lost = pl.read_parquet(files[-1])["seed"].unique().to_list()
    files[-1].unlink()
    frame = investigation.open(folder).runs("audit")
    kept = [] if frame is None else frame["seed"].unique().to_list()
    assert set(kept) == {0, 1, 2} - set(lost)


def test_effects_of_departures(tiny_reproduction: Path) -> None:
    reproduction = investigation.open(tiny_reproduction)
    found = effects(reproduction)
    assert found is not None
    names = {name for name in CHOICES if name != ALGORITHM}
    assert len(names) == 5 + 1 + 5 + 1
    assert set(found.filter(pl.col("measure") == MARGINALS)["departures"]) == names | {FEWER_ITERATIONS}
    assert set(found.filter(pl.col("measure") == FIRST_EPISODES)["departures"]) == names
    assert (found["low"] <= found["effect"]).all() and (found["effect"] <= found["high"]).all()
    (part,) = (part for part in reproduction.present() if part.name == "audit")
    runs = {agent: each for (agent,), each in runs_by(reproduction.frame("audit").filter(world="maze-10"), "agent")}

    def points(choice: str, levels: int) -> list[float]:
        chosen = [
            c
            for c, label in (part.labels or {}).items()
            if (label["choice"], label["levels"], label["behaviour"]) == (choice, levels, "hierarchy")
        ]
        return [marginal_point(runs[agent_id(config)].evaluation, 50) for config in chosen]

    here = found.filter(pl.col("measure") == MARGINALS, pl.col("world") == "maze-10", pl.col("backup") == "all")
    for choice, levels in (("preference slip", 3), ("both thresholds", 3), ("both thresholds", 1), (ALL, 4)):
        flat = choice if levels > 1 else flat_choice(choice)
        expected = np.mean(points(flat, levels)) - np.mean(points(ALGORITHM, levels))
        row = here.filter(pl.col("departures") == choice, pl.col("levels") == levels)
        assert row["effect"].item() == pytest.approx(expected), choice


def test_effects_of_all_departures_have_one_threshold() -> None:
    """Walls make first episodes four times as long, and nothing else does anything."""
    frame = labelled_frame(
        "audit", lambda _: 4.0, lambda label: 6.0 + math.log(4) * ("walls as sub-goals" in CHOICES[label["choice"]])
    )
    found = effects(MadeUp({("audit", None): frame}))
    assert found is not None
    walls = [name for name, departures in CHOICES.items() if "walls as sub-goals" in departures]
    first = found.filter(pl.col("measure") == FIRST_EPISODES, pl.col("levels") > 1)
    expected = first["departures"].is_in(walls)
    assert (first["significant"] == expected).all()
    assert first.filter(expected)["effect"].to_numpy() == pytest.approx(4.0, rel=0.2)
    assert found.filter(pl.col("measure") == MARGINALS)["significant"].sum() == 0
    single = effects(MadeUp({("audit", None): frame.filter(pl.col("seed") == 0)}))
    assert single is not None and not single["significant"].any()


def test_without_an_audit_there_are_no_effects(tiny_reproduction: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_reproduction / "text" / "balanced", tmp_path / "text" / "balanced")
    assert effects(investigation.open(tmp_path)) is None


def test_learners_of_the_stitching_study_have_the_same_episodes(compiler: None, tmp_path: Path) -> None:
    (part,) = parts(["stitching"], seeds=2, worlds=["rooms-4"])
    run_study(part.study, tmp_path / part.folder)
    frame = investigation.open(tmp_path).frame("stitching")
    labels = {agent_id(config): (label["backup"], label["rules"]) for config, label in (part.labels or {}).items()}
    episodes: dict[tuple[str, ...], set[str]] = {}
    for row in frame.iter_rows(named=True):
        episodes.setdefault((*labels[row["agent"]], row["seed"]), set()).add(str(row["training"]))
    assert len(episodes) == 2 * 2 * 2 and all(len(each) == 1 for each in episodes.values())
