"""What was run of the paper, opened; and what the departures do, measured."""

import math
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from made_up import MadeUp, audit_frame, parts

from hierq.errors import InputError
from hierq.investigations.results import runs_by, with_settings
from hierq.paper.aggregation import marginal_point
from hierq.paper.audit import FIRST_EPISODES, MARGINALS, choices, effects
from hierq.paper.reproduction import Reproduction
from hierq.studies import run_study


def test_what_is_there(tiny_reproduction: Path) -> None:
    reproduction = Reproduction(tiny_reproduction)
    assert ("audit", None) in reproduction.present()
    assert ("first-episode", "text") not in reproduction.present()
    assert reproduction.seeds("main", "text") == 3
    assert reproduction.seeds("first-episode", "text") == 0
    assert reproduction.frame("first-episode", "text") is None


def test_first_episodes_come_from_the_main_study(tiny_reproduction: Path) -> None:
    frame = Reproduction(tiny_reproduction).first_episodes("published")
    assert frame is not None
    assert frame["behaviour"].unique().to_list() == ["hierarchy"]
    assert len(frame) == 2 * 4 * 8 * 3


def test_first_episodes_come_from_where_there_are_more(tiny_reproduction: Path, tmp_path: Path) -> None:
    def found(seeds: int, worlds: tuple[str, ...]) -> pl.DataFrame:
        folder = tmp_path / f"{seeds}-{len(worlds)}"
        shutil.copytree(tiny_reproduction / "published" / "main", folder / "published" / "main")
        (part,) = parts(("first-episode",), ("published",), seeds, worlds)
        run_study(part.study, folder / part.folder)
        frame = Reproduction(folder).first_episodes("published")
        assert frame is not None
        return frame

    two = ("rooms-4", "maze-10")
    assert found(4, two)["seed"].n_unique() == 4
    assert found(3, two)["iterations"].unique().to_list() == [50], "the main study, if they are alike"
    assert found(4, two[:1])["world"].n_unique() == 2, "worlds count more than seeds"


def test_a_folder_with_the_stitching_study_alone_will_do(tmp_path: Path) -> None:
    (part,) = parts(["stitching"], seeds=1, worlds=["rooms-4"])
    run_study(part.study, tmp_path / part.folder)
    assert Reproduction(tmp_path).present() == [("stitching", None)]
    assert Reproduction(tmp_path).seeds("stitching", None) == 1
    assert Reproduction(tmp_path).first_episodes("text") is None


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hierq reproduce --out"):
        Reproduction(tmp_path)


def test_seeds_that_only_some_agents_have_are_left_out(tiny_reproduction: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(tiny_reproduction / "audit", folder / "audit")
    files = sorted((folder / "audit" / "runs").glob("*.parquet"))
    lost = pl.read_parquet(files[-1])["seed"].unique().to_list()
    files[-1].unlink()
    frame = Reproduction(folder).frame("audit", None)
    kept = [] if frame is None else frame["seed"].unique().to_list()
    assert set(kept) == {0, 1, 2} - set(lost)


def test_settings_become_columns(tiny_reproduction: Path) -> None:
    frame = Reproduction(tiny_reproduction).frame("audit", None)
    assert frame is not None
    settings = with_settings(frame, "evaluation", "subgoal_cells")
    assert set(settings["setting_evaluation"]) == {"text", "published"}
    assert settings.group_by("setting_evaluation", "setting_subgoal_cells").len()["len"].n_unique() == 1
    assert settings["evaluation"].dtype == pl.List(pl.Int64)


def test_effects_of_departures(tiny_reproduction: Path) -> None:
    reproduction = Reproduction(tiny_reproduction)
    found = effects(reproduction)
    frame = reproduction.frame("audit", None)
    assert found is not None and frame is not None
    names = [name for name, _ in choices()]
    assert len(names) == 4 + 4 + 1
    assert set(found.filter(pl.col("measure") == MARGINALS)["departures"]) == set(names)
    assert "32 iterations" not in set(found.filter(pl.col("measure") == FIRST_EPISODES)["departures"])
    assert (found["low"] <= found["effect"]).all() and (found["effect"] <= found["high"]).all()

    settings = with_settings(frame, "evaluation", "subgoal_cells", "goal_preference")
    at = settings.filter((pl.col("world") == "maze-10") & (pl.col("levels") == 3))
    columns = ("setting_goal_preference", "setting_subgoal_cells", "setting_evaluation", "backup")
    runs = dict(runs_by(at, *columns))

    def difference(departing: tuple[str, str, str], iterations: int) -> float:
        return float(
            np.mean(
                [
                    marginal_point(runs[*departing, backup].evaluation, iterations)
                    - marginal_point(runs["reachable", "free", "text", backup].evaluation, 50)
                    for backup in ("traces", "tree-backup")
                ]
            )
        )

    expected = {
        "preference slip": difference(("published", "free", "text"), 50),
        "walls as sub-goals": difference(("reachable", "grid", "text"), 50),
        "evaluation rule": difference(("reachable", "free", "published"), 50),
        "32 iterations": difference(("reachable", "free", "text"), 32),
        "all but preference slip": difference(("reachable", "grid", "published"), 32),
        "all four": difference(("published", "grid", "published"), 32),
    }
    here = found.filter((pl.col("measure") == MARGINALS) & (pl.col("world") == "maze-10") & (pl.col("levels") == 3))
    measured = dict(zip(here["departures"], here["effect"], strict=True))
    for name, value in expected.items():
        assert measured[name] == pytest.approx(value), name


def test_intervals_of_departures_lie_around_the_effect() -> None:
    """Rare long episodes with the slip alone: the effects of draws are smaller than the effect, the interval is not."""
    frame = audit_frame(lambda _: 4.0, lambda _: 4.0)
    long = {seed: [100_000 if each == seed else 50 for each in range(50)] for seed in frame["seed"].unique()}
    rare = pl.Series([long[seed] for seed in frame["seed"]], dtype=pl.List(pl.Int64))
    slip = pl.col("config").str.contains('"goal_preference": "published"')
    frame = frame.with_columns(evaluation=pl.when(slip).then(rare).otherwise("evaluation"))
    found = effects(MadeUp({("audit", None): frame}))
    assert found is not None
    alone = found.filter((pl.col("departures") == "preference slip") & (pl.col("measure") == MARGINALS))
    assert len(alone) == 3 + 3 + 1
    for row in alone.iter_rows(named=True):
        assert row["effect"] > 2
        assert row["low"] < row["effect"] < row["high"]


def test_effects_of_all_departures_are_sure_by_one_threshold() -> None:
    """Walls make first episodes four times as long, and nothing else does anything."""
    frame = audit_frame(lambda _: 4.0, lambda agent: 6.0 + math.log(4) * (agent["subgoal_cells"] == "grid"))
    found = effects(MadeUp({("audit", None): frame}))
    assert found is not None
    with_walls = pl.col("departures").is_in(["walls as sub-goals", "all four"]) | (
        pl.col("departures").str.starts_with("all but") & ~pl.col("departures").str.ends_with("sub-goals")
    )
    assert found.filter("sure").equals(found.filter(with_walls, pl.col("measure") == FIRST_EPISODES))
    single = effects(MadeUp({("audit", None): frame.filter(pl.col("seed") == 0)}))
    assert single is not None and not single["sure"].any()


def test_without_an_audit_there_are_no_effects(tiny_reproduction: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_reproduction / "text" / "balanced", tmp_path / "text" / "balanced")
    assert effects(Reproduction(tmp_path)) is None
