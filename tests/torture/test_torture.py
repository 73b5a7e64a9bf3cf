"""A little of each campaign; and that each of them notices what it is there to notice."""

import random
import time
from pathlib import Path
from types import SimpleNamespace

import fuzzing
import hosts
import kills
import pytest
import tally
import wounds
from campaigns import COUNTS, Campaign

from hierq import Study, World, run_study, saved_files
from hierq.studies import rows, store
from hierq.studies.batches import pending_runs
from hierq.studies.runs import compute_batch

pytestmark = [pytest.mark.usefixtures("compiler"), pytest.mark.filterwarnings("ignore")]


def assert_clean(found: tally.Tally, at_least: int) -> None:
    assert found.count >= at_least and found.is_clean, found.told


# `make torture` does at least as much of these three at any scale, and .ci/run does it at a small one.


@pytest.mark.long
def test_a_killed_coordinator_loses_at_most_its_batches(tmp_path: Path) -> None:
    assert_clean(kills.coordinators(tmp_path, 2, random.Random(3)), 2)


@pytest.mark.long
def test_killed_shards_can_be_started_again_in_any_order(tmp_path: Path) -> None:
    assert_clean(kills.shards(tmp_path, 2, random.Random(2)), 2)


@pytest.mark.long
def test_a_kill_at_any_file_operation_leaves_nothing_wrong(tmp_path: Path) -> None:
    assert_clean(kills.at_file_operations(tmp_path, 3, random.Random(0)), 3)


@pytest.mark.long
def test_hosts_that_are_cut_off_leave_a_study_that_goes_on(tmp_path: Path) -> None:
    if reason := hosts.why_not():
        pytest.skip(reason)
    assert_clean(hosts.several(tmp_path, len(hosts.TRIALS), random.Random(0)), len(hosts.TRIALS))


@pytest.mark.parametrize("campaign", [wounds.results, wounds.agents, wounds.kernels])
def test_damage(campaign: Campaign, tmp_path: Path) -> None:
    assert_clean(campaign(tmp_path, 8, random.Random(0)), 8)


@pytest.mark.parametrize("campaign", [fuzzing.maps, fuzzing.studies, fuzzing.agents, fuzzing.messages])
def test_nonsense(campaign: Campaign, tmp_path: Path) -> None:
    assert_clean(campaign(tmp_path, 150, random.Random(0)), 150)


def test_the_whole_is_as_much_as_is_promised() -> None:
    sums = {
        module: sum(n for call, n in COUNTS.items() if call.__module__ == module) for module in ("wounds", "fuzzing")
    }
    assert sums == {"wounds": 1000, "fuzzing": 20_000}
    assert sum(COUNTS[call] for call in (kills.coordinators, kills.shards, kills.workers)) == 500


# What it can notice


def test_damage_that_is_accepted_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_files, "has_seal", lambda content: True)
    assert wounds.agents(tmp_path, 60, random.Random(0)).wrong > 0
    monkeypatch.setattr(rows, "is_sealed", lambda content: True)
    assert wounds.results(tmp_path, 12, random.Random(0)).wrong > 0


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    run_study(Study.from_toml(kills.study_for(tmp_path, seeds=6, iterations=2)), tmp_path / "out")
    return tmp_path


def test_a_run_that_was_done_twice_is_noticed(finished: Path) -> None:
    toml, out, found = finished / "study.toml", finished / "out", tally.Tally("")
    store.Store(out).commit(compute_batch(pending_runs(Study.from_toml(toml), {})[:3]))
    kills.check_finished(found, toml, out)
    assert (found.twice, found.lost, found.wrong) == (3, 0, 0)


def test_a_lost_run_and_other_results_are_noticed(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml, out, found = finished / "study.toml", finished / "out", tally.Tally("")
    (file,) = store.Store(out).files
    file.unlink()
    monkeypatch.setattr(kills, "run_study", lambda study, folder: SimpleNamespace(digest="another"))
    kills.check_finished(found, toml, out)
    assert found.lost == 12 and found.wrong == 1


def test_tracebacks_hangs_and_other_worlds_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, texts = World.from_file, iter(["fails", "hangs", "changes"])

    def broken(path: Path) -> World:
        match next(texts, None):
            case "fails":
                raise KeyError
            case "hangs":
                time.sleep(60)
            case "changes":
                return SimpleNamespace(text="S.G\n")
        return read(path)

    monkeypatch.setattr(World, "from_file", broken)
    monkeypatch.setattr(tally, "SECONDS_TO_HANG", 2)
    found = fuzzing.maps(tmp_path, 3, random.Random(0))
    assert (found.tracebacks, found.hangs, found.wrong) == (1, 1, 1)
    assert not found.is_clean and tally.row(found).split()[-3:] == ["1", "1", "1"]
