"""The signs of a true reproduction: the published rules, run here, against the published numbers."""

from pathlib import Path

import polars as pl
import pytest
from made_up import parts

from hierq.investigations import Results
from hierq.paper.comparison import compare_first_episodes, compare_marginals, summarise
from hierq.paper.investigation import investigation
from hierq.studies import Protocol, Study, run_study


def reproduced(folder: Path, name: str, seeds: int, worlds: tuple[str, ...], first_episodes: bool = False) -> Results:
    """The results of a study; or of its first episodes alone, of agents that train with the hierarchy."""
    (part,) = parts((name,), ("published",), seeds, worlds)
    study = part.study
    if first_episodes:
        agents = [config for config in study.agents if config.behaviour == "hierarchy"]
        study = Study(study.worlds, agents, seeds, Protocol(1))
    outcome = run_study(study, folder / part.folder)
    assert outcome.now == outcome.planned
    return investigation.open(folder)


def test_flat_first_episodes_agree_at_a_first_look(compiler: None, tmp_path: Path) -> None:
    frame = compare_first_episodes(reproduced(tmp_path, "main", 25, ("gridworld-10",), True), "published")
    assert len(frame) == 32
    assert frame.filter(pl.col("levels") == 1)["z"].abs().max() < 4.5


@pytest.mark.long
def test_first_episodes_agree_with_the_published_table(tmp_path: Path) -> None:
    """64 cells at 400 seeds: |z| < 3.5 in each, and as a whole as far off as chance would have it."""
    reproduction = reproduced(tmp_path, "main", 400, ("rooms-4", "maze-10"), True)
    frame = compare_first_episodes(reproduction, "published")
    assert len(frame) == 64 and set(frame["seeds"]) == {400}
    far = frame.filter(pl.col("z").abs() >= 3.5)
    assert far.is_empty(), far
    assert 0.85 < summarise(frame)["rms_z"].item() < 1.2


@pytest.mark.long
def test_marginal_points_agree_with_the_published_figures(tmp_path: Path) -> None:
    """192 points at 200 seeds. Medians, because a rare long episode may move single points far."""
    reproduction = reproduced(tmp_path, "main", 200, ("gridworld-10", "rooms-4", "maze-10"))
    frame = compare_marginals(reproduction, "published", 32)
    assert len(frame) == 3 * 64 and set(frame["seeds"]) == {200}
    whole = summarise(frame).row(by_predicate=pl.col("figure") == "marginal points, both figures", named=True)
    assert whole["median_abs_z"] <= 1
    assert abs(whole["median_difference"]) <= 0.01
    assert whole["verdict"].startswith("agrees")
    # The aggregation of the text is visibly another.
    assert set(summarise(compare_marginals(reproduction, "published", 50))["verdict"]) == {"differs"}


def test_runs_that_two_studies_share_count_once(tmp_path: Path) -> None:
    """The balanced study has four cells of the main one."""
    found = [reproduced(tmp_path, study, 2, ("gridworld-10",)).work()[0] for study in ("balanced", "main")]
    alone = reproduced(tmp_path / "alone", "main", 2, ("gridworld-10",))
    assert found[0] + alone.work()[0] - found[1] == 4 * 2
    assert investigation.open(tmp_path).work()[0] == found[1]
    assert alone.work()[1] == pytest.approx(alone.under("published").frame("main")["seconds"].sum())
