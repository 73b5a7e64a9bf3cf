"""The folder of results: written whole, checked, grown, and never mixed up."""

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from small_studies import AGENTS, rows_in_files, small_study

from command import hierq_command
from damages import DAMAGES, Damage
from hierq import AgentConfig, Backup, InputError, Protocol, Study, Traces, World, load_results, run_study
from hierq.agents import Operator
from hierq.agents.outcomes import OUTCOMES
from hierq.studies import rows as rows_module
from hierq.studies.batches import file_name, pending_runs
from hierq.studies.rows import FORMAT, SCHEMA, digest_of
from hierq.studies.runs import compute_batch
from hierq.studies.store import Store
from hierq.studies.verification import verify


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that has grown, in two files: `run_study` would make more of them where it expects runs to take long."""
    store = Store(tmp_path_factory.mktemp("finished") / "results")
    for seeds in (4, 8):
        study = small_study(seeds=seeds)
        store.prepare(study)
        store.commit(compute_batch(pending_runs(study, store.present())))
        store.finish(study)
    return store.folder


@pytest.fixture
def folder(tmp_path: Path, finished: Path) -> Path:
    """A finished study in two files."""
    return shutil.copytree(finished, tmp_path / "results")


def test_one_row_per_run_with_its_settings(folder: Path) -> None:
    frame = load_results(folder)
    study = small_study(seeds=8)
    assert frame.schema == pl.Schema({**SCHEMA, "n": pl.Int64, "decay": pl.Float64}), "agents differ in two settings"
    assert [*frame.select("case", "seed").iter_rows()] == [(case.key, s) for case in study.cases for s in range(8)]
    row = frame.row(-1, named=True)
    assert (row["id"], row["world"], row["agent"]) == ("gridworld-10/k2/λ0.8/flat", "gridworld-10", "k2/λ0.8/flat")
    assert (row["levels"], row["backup"], row["parameter"], row["behaviour"]) == (2, "traces", 0.8, "flat")
    assert AgentConfig.from_dict(json.loads(row["config"])) == AGENTS[-1]
    assert len(row["training"]) == len(row["evaluation"]) == row["iterations"] == 3
    assert row["seconds"] > 0 and row["numba"].count(".") >= 1


def test_results_are_those_of_an_agent_of_that_seed(folder: Path) -> None:
    from hierq import Agent
    from hierq.studies.study import seed_of

    world, config = small_study().worlds[1], AGENTS[1]
    training, evaluation = Agent(world, config, seed=seed_of(world, config, 5)).alternate(3)
    row = load_results(folder).filter(id="gridworld-10/k2/n3/hierarchy", seed=5).row(0, named=True)
    assert (row["training"], row["evaluation"]) == (training.tolist(), evaluation.tolist())


def test_growing_does_nothing_twice(folder: Path) -> None:
    before = {path: path.read_bytes() for path in Store(folder).files}
    more = (*AGENTS, AgentConfig(levels=3))
    outcome = run_study(small_study(seeds=10, agents=more), folder)
    assert (outcome.before, outcome.now) == (6 * 8, 8 * 10)
    assert all(path.read_bytes() == content for path, content in before.items())
    assert rows_in_files(folder) == 80


def test_a_grown_study_has_the_digest_of_one_that_was_run_at_once(folder: Path, tmp_path: Path) -> None:
    at_once = run_study(small_study(seeds=8), tmp_path / "at-once")
    assert verify(folder).digest == at_once.digest == Store(folder).digest


def test_a_finished_study_is_not_touched(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in Store(folder).files}
    outcome = run_study(small_study(seeds=8), folder)
    assert outcome.before == outcome.now == outcome.planned
    assert {path: path.stat().st_mtime_ns for path in Store(folder).files} == before


def test_a_part_of_a_study_may_be_asked_for(tmp_path: Path) -> None:
    run_study(small_study(seeds=2), tmp_path)
    for seeds in (1, 2):
        outcome = run_study(small_study(seeds=seeds, agents=AGENTS[:1]), tmp_path)
        assert outcome.now == 2 * seeds and Store(tmp_path).study() == small_study(seeds=2)


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_seen_set_aside_and_mended(folder: Path, damage: Damage) -> None:
    digest = verify(folder).digest
    victim = Store(folder).files[0]
    victim.write_bytes(damage(victim.read_bytes()))
    found = verify(folder)
    assert found.damaged == (victim,) and not found.sound and found.runs == 24
    assert victim.exists(), "looking changes nothing"
    with pytest.raises(InputError, match=f"damaged in .*{victim.name}; run hierq sweep again"):
        load_results(folder)
    outcome = run_study(small_study(seeds=8), folder)
    assert (outcome.before, outcome.now, outcome.digest) == (24, 48, digest)
    found = verify(folder)
    assert found.sound and found.digest == digest
    assert [path.name for path in found.aside] == [f"{victim.name}.bad"]


def into_a_pipe(path: Path) -> None:
    os.mkfifo(path)


def into_a_device_without_end(path: Path) -> None:
    path.symlink_to("/dev/zero")


NO_FILES: list[Callable[[Path], None]] = [into_a_pipe, into_a_device_without_end, Path.mkdir]


@pytest.mark.parametrize("turn", NO_FILES)
def test_what_is_no_file_is_set_aside_and_its_runs_are_done_again(folder: Path, turn: Callable[[Path], None]) -> None:
    digest = verify(folder).digest
    victim = Store(folder).files[0]
    victim.unlink()
    turn(victim)
    assert verify(folder).damaged == (victim,)
    outcome = run_study(small_study(seeds=8), folder)
    assert (outcome.before, outcome.now, outcome.digest) == (24, 48, digest)
    assert [path.name for path in verify(folder).aside] == [f"{victim.name}.bad"]


@pytest.mark.parametrize("turn", NO_FILES)
def test_a_manifest_that_is_no_file_is_told(folder: Path, turn: Callable[[Path], None]) -> None:
    (folder / "manifest.json").unlink()
    turn(folder / "manifest.json")
    with pytest.raises(InputError, match=r"cannot be read .*; rename it to manifest\.json\.bad"):
        verify(folder)


@pytest.mark.parametrize("turn", NO_FILES)
def test_who_is_writing_may_be_unknown(folder: Path, turn: Callable[[Path], None]) -> None:
    (folder / ".writer").unlink(missing_ok=True)
    turn(folder / ".writer")
    with Store(folder).lock():
        shutil.rmtree(folder / ".writer") if (folder / ".writer").is_dir() else (folder / ".writer").unlink()
        turn(folder / ".writer")
        with pytest.raises(InputError, match="it has just begun"), Store(folder).lock():
            pass


def test_a_file_under_the_name_of_another_is_set_aside_and_its_runs_are_done_once(folder: Path) -> None:
    digest = verify(folder).digest
    copied, victim = Store(folder).files
    victim.write_bytes(copied.read_bytes())
    assert verify(folder).damaged == (victim,)
    outcome = run_study(small_study(seeds=8), folder)
    assert (outcome.before, outcome.now, outcome.digest) == (24, 48, digest)
    assert [path.name for path in verify(folder).aside] == [f"{victim.name}.bad"]
    outcome = run_study(small_study(seeds=8), folder)
    assert (outcome.before, outcome.now) == (48, 48), "nothing is done again and thrown away"


def test_a_commit_does_not_take_another_file_for_its_own(folder: Path) -> None:
    runs = pending_runs(small_study(seeds=8), {})[:3]
    path = Store(folder).runs_folder / file_name(run.key for run in runs)
    path.write_bytes(Store(folder).files[0].read_bytes())
    assert Store(folder).commit(compute_batch(runs)) == path
    assert len(pl.read_parquet(path)) == 3 and len(verify(folder).aside) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.drop("seconds"),
        lambda frame: frame.drop("case"),
        lambda frame: frame.with_columns(pl.col("seed").cast(pl.String)),
        lambda frame: frame.with_columns(pl.col("training").list.eval(pl.element().cast(pl.Float64))),
        lambda frame: frame.with_columns(more=1),
    ],
)
def test_a_file_with_other_columns_is_set_aside(folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    digest = verify(folder).digest
    victim = Store(folder).files[0]
    victim.write_bytes(rows_module.with_checksum(change(pl.read_parquet(victim))))
    assert verify(folder).damaged == (victim,)
    assert run_study(small_study(seeds=8), folder).digest == digest


def test_a_file_that_makes_polars_panic_is_damaged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A forged file may have a right checksum and still be no Parquet; what polars raises then is no `Exception`."""

    def panic(*what: object, **more: object) -> None:
        raise pl.exceptions.PanicException("assertion failed")

    monkeypatch.setattr(pl, "read_parquet", panic)
    assert len(verify(folder).damaged) == 2


def test_every_damaged_file_is_kept(folder: Path) -> None:
    for count in (1, 2, 3):
        victim = sorted(Store(folder).files)[0]
        victim.write_bytes(b"nothing")
        run_study(small_study(seeds=8), folder)
        assert len(list(Store(folder).runs_folder.glob("*.bad"))) == count


def test_a_clock_that_was_set_back_changes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = verify(folder).digest
    for place, path in enumerate(folder.rglob("*")):
        os.utime(path, (0, 0) if place % 2 else (4e9, 4e9))
    monkeypatch.setattr(time, "time", lambda: 1.0)
    Store(folder).files[0].unlink()
    outcome = run_study(small_study(seeds=8), folder)
    assert outcome.digest == digest and outcome.now - outcome.before == 24


def changed(frame: pl.DataFrame) -> pl.DataFrame:
    """The same runs with another result."""
    return frame.with_columns(pl.col("training").list.eval(pl.element() + 1))


def test_two_different_results_for_a_run_are_an_error(folder: Path) -> None:
    runs = pending_runs(small_study(seeds=8), {})
    Store(folder).commit(changed(compute_batch(runs[:3])))
    with pytest.raises(InputError, match=r"two different results for rooms-example/k1.* seed 0 \(in runs-.*, runs-"):
        load_results(folder)
    found = verify(folder)
    assert not found.sound and "two different results" in found.problems[0]


def test_two_different_results_are_said_to_be_in_the_files_that_hold_them(folder: Path) -> None:
    runs = pending_runs(small_study(seeds=8), {})
    other = Store(folder).commit(compute_batch(runs[-3:]))
    Store(folder).commit(changed(compute_batch(runs[:3])))
    with pytest.raises(InputError, match="two different results") as refused:
        load_results(folder)
    assert other.name not in str(refused.value)


def test_another_result_does_not_replace_the_first(folder: Path) -> None:
    runs = pending_runs(small_study(seeds=8), {})[:3]
    frame = compute_batch(runs)
    path = Store(folder).commit(frame)
    content = path.read_bytes()
    assert Store(folder).commit(compute_batch(runs)) == path, "the same result once more is fine"
    with pytest.raises(InputError, match="two different results"):
        Store(folder).commit(changed(frame))
    assert path.read_bytes() == content


def test_equal_results_in_two_files_count_once(folder: Path) -> None:
    digest = verify(folder).digest
    Store(folder).commit(compute_batch(pending_runs(small_study(seeds=8), {})[5:9]))
    assert rows_in_files(folder) == 52 and len(load_results(folder)) == 48
    found = verify(folder)
    assert found.sound and found.digest == digest


def test_forged_files_are_found_by_the_digest(folder: Path) -> None:
    """A whole file with a right checksum, and wrong numbers in it."""
    forge(folder)
    found = verify(folder)
    assert not found.damaged and not found.sound and "do not have the digest" in found.problems[0]


def test_forged_outcomes_are_found_by_their_digest(folder: Path) -> None:
    def with_holes(frame: pl.DataFrame) -> pl.DataFrame:
        ended = pl.col("evaluation_outcomes").list.eval(pl.lit("hole", dtype=pl.Enum(OUTCOMES)))
        return frame.with_columns(ended)

    digest = verify(folder).digest
    forge(folder, with_holes)
    found = verify(folder)
    assert found.digest != digest, "though the steps are the same"
    assert not found.sound and "do not have the digest" in found.problems[0]
    for seeds in (8, 9):  # the same study, and one that has grown
        with pytest.raises(InputError, match="do not have the digest"):
            run_study(small_study(seeds=seeds), folder)


def forge(folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame] = changed) -> None:
    victim = Store(folder).files[0]
    victim.write_bytes(rows_module.with_checksum(change(pl.read_parquet(victim))))


def test_a_recorded_digest_is_not_replaced_by_another(folder: Path) -> None:
    before = Store(folder).digest
    forge(folder)
    for seeds in (8, 9, 10):  # the same study, and one that grows twice
        with pytest.raises(InputError, match=f"the digest that manifest.json records .{before}.; find out"):
            run_study(small_study(seeds=seeds), folder)
        found = verify(folder)
        assert not found.sound and before in found.problems[0]
    change_manifest(folder, finished=None)
    outcome = run_study(small_study(seeds=10), folder)
    assert outcome.digest == verify(folder).digest != before and verify(folder).sound, "it was told to"


def test_the_digest_is_that_of_what_was_finished_until_all_of_a_grown_study_is(folder: Path) -> None:
    run_study(small_study(seeds=9), folder, shard=(1, 2))
    assert Store(folder).manifest()["finished"]["study"] == small_study(seeds=8).to_dict()
    assert verify(folder).sound
    digest = run_study(small_study(seeds=9), folder).digest
    assert Store(folder).manifest()["finished"] == {"digest": digest, "study": small_study(seeds=9).to_dict()}


def test_missing_runs_of_a_finished_study_are_a_problem(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    victim = Store(folder).files[0]
    content = victim.read_bytes()
    victim.unlink()
    found = hierq_command(capsys, "verify", str(folder))
    assert found.code == 1 and "wrong: 24 of 48 runs that were finished are missing; hierq sweep does them" in found.out
    Store(folder).prepare(small_study(seeds=9))
    assert hierq_command(capsys, "verify", str(folder)).code == 1, "also after it has grown"
    victim.write_bytes(content)
    found = hierq_command(capsys, "verify", str(folder))
    assert found.code == 0 and "48 of 54 runs are there and sound" in found.out, "what is new may be missing"


def test_runs_of_another_study_are_found(folder: Path) -> None:
    Store(folder).commit(compute_batch(pending_runs(small_study(seeds=1, agents=(AgentConfig(levels=3),)), {})))
    found = verify(folder)
    assert (found.runs, found.problems) == (48, ("2 runs are not of the study in manifest.json",))


def test_who_is_writing_is_told(folder: Path) -> None:
    with Store(folder).lock():
        for message in (rf"is writing to .* \(process {os.getpid()} on ", "it has just begun"):
            with pytest.raises(InputError, match=message), Store(folder).lock():
                pass
            (folder / ".writer").unlink()
            (folder / ".writer").touch()


def test_runs_with_missing_episodes_are_found(folder: Path) -> None:
    victim = Store(folder).files[0]
    short = pl.read_parquet(victim).with_columns(pl.col("training").list.head(2))
    victim.write_bytes(rows_module.with_checksum(short))
    assert any("as many episodes" in problem for problem in verify(folder).problems)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"world": pl.lit("elsewhere")}, "24 runs have a wrong world, such as 'elsewhere' instead of 'rooms-example'"),
        ({"id": pl.lit(None, pl.String)}, "24 runs have a wrong id, such as None instead of 'rooms-example/k1"),
        ({"levels": pl.col("levels") + 1}, "wrong levels"),
        ({"config": pl.lit("{")}, "wrong config"),
        ({"iterations": pl.lit(4, pl.Int64)}, "wrong iterations"),
        ({"training": pl.lit([3, -1, 2])}, "24 runs have episodes without a number of steps"),
        ({"evaluation": pl.lit([3, None, 2])}, "24 runs have episodes without a number of steps"),
        ({"training": pl.lit(None, pl.List(pl.Int64))}, "24 runs have episodes without a number of steps"),
    ],
)
def test_runs_that_are_described_wrongly_are_found(folder: Path, change: dict[str, pl.Expr], said: str) -> None:
    """The digest would not tell: it is of keys, steps and outcomes, and there is none before a study is finished."""
    victim = Store(folder).files[0]
    victim.write_bytes(rows_module.with_checksum(pl.read_parquet(victim).with_columns(**change)))
    change_manifest(folder, finished=None)
    assert any(said in problem for problem in verify(folder).problems)


@pytest.mark.parametrize("config", ["{", "[]", "{}", None])
def test_a_configuration_that_is_not_understood_is_told(folder: Path, config: str | None) -> None:
    victim = Store(folder).files[0]
    frame = pl.read_parquet(victim).with_columns(config=pl.lit(config, pl.String))
    victim.write_bytes(rows_module.with_checksum(frame))
    with pytest.raises(InputError, match=r"not understood .*; hierq verify says which runs"):
        load_results(folder)


def test_seeds_below_zero_are_of_no_study(folder: Path) -> None:
    frame = pl.read_parquet(Store(folder).files[0])[:1].with_columns(seed=pl.lit(-1, pl.Int64))
    path = Store(folder).runs_folder / file_name([f"{frame['case'][0]}--1"])
    path.write_bytes(rows_module.with_checksum(frame))
    assert (verify(folder).runs, verify(folder).problems) == (48, ("1 runs are not of the study in manifest.json",))


def test_the_digest_sees_every_step_and_no_wall_time(folder: Path) -> None:
    frame = load_results(folder)
    digest = digest_of(frame)
    assert digest_of(frame.sample(fraction=1, shuffle=True, seed=1)) == digest
    assert digest_of(frame.with_columns(seconds=0.0, hierq=pl.lit("9"))) == digest
    assert digest_of(frame[1:]) != digest
    assert digest_of(changed(frame)) != digest
    moved = frame.with_columns(training="evaluation", evaluation="training")
    assert digest_of(moved) != digest


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (small_study(seeds=8, iterations=4), r"runs of another protocol \(Protocol\(iterations=3\)\), this study has"),
        (small_study(seeds=8, agents=(AgentConfig(levels=3),)), "holds another study: it has rooms-example/k1/n3"),
        (small_study(seeds=9, agents=AGENTS[:2]), "k2/λ0.8/flat, which this one has not; a study may grow"),
        (
            small_study(seeds=4, agents=(*AGENTS, AgentConfig(levels=3))),
            "it has 8 seeds, this one has 4; a study may grow",
        ),
        (Study((World.from_text("S.G", name="gridworld-10"),), AGENTS, 8, Protocol(3)), "is another world or env"),
        (
            Study((World.from_text(small_study().worlds[1].text, name="grid"),), AGENTS, 8, Protocol(3)),
            "the world grid is called gridworld-10 in",
        ),
    ],
)
def test_the_folder_of_another_study_is_refused(folder: Path, other: Study, message: str) -> None:
    before = (folder / "manifest.json").read_bytes()
    with pytest.raises(InputError, match=message):
        run_study(other, folder)
    assert (folder / "manifest.json").read_bytes() == before


@pytest.mark.parametrize("what", ["an operator", "what it calls"])
def test_a_folder_of_runs_with_another_function_is_refused_by_its_name(tmp_path: Path, what: str) -> None:
    def study(sign: str) -> Study:
        """As of a file that was edited between two processes."""
        half, changed = (0.5, sign) if what == "an operator" else (f"{sign}0.5", "+")
        file = tmp_path / f"mine{sign}.py"
        file.write_text(
            f"import hierq\nhalf = {half}\n@hierq.operator\n"
            f"def cautious(v, y):\n    return v {changed} half * (y - v)\n"
        )
        return small_study(agents=(AgentConfig(backup=Backup(Operator.from_file(str(file) + ":cautious"), n=2)),))

    store = Store(tmp_path / "results")
    store.prepare(study("+"))
    with pytest.raises(InputError, match="another cautious: the source of cautious, or of what it uses, has changed"):
        store.prepare(study("-"))
    store.prepare(study("+"))


def change_manifest(folder: Path, **changes: object) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


@pytest.mark.parametrize("do", [lambda out: run_study(small_study(), out), load_results, verify])
def test_a_folder_of_a_newer_version_is_refused(folder: Path, do: Callable[[Path], object]) -> None:
    change_manifest(folder, format=FORMAT + 1, versions={"hierq": "9.1"})
    with pytest.raises(InputError, match=r"another version of hierq \(9.1, format 3; this one reads format 2\)"):
        do(folder)


def test_runs_of_other_kernels_are_not_mixed_but_can_be_read(folder: Path) -> None:
    change_manifest(folder, kernel=99)
    with pytest.raises(InputError, match="agents learn differently"):
        run_study(small_study(seeds=8), folder)
    assert len(load_results(folder)) == 48


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "{}", '{"format": 2}', "\x00" * 100, "[" * 100_000, '{"format": 3, "versions": []}'),
        '{"format": 2, "kernel": 1, "versions": {"hierq": ""}, "finished": {"digest": 5, "study": {}}, "study": {}}',
        '{"format": 2, "kernel": 1, "versions": {"hierq": ""}, "finished": null, "study": []}',
        '{"format": 2, "kernel": 1, "versions": {"hierq": ""}, "study": {}, "finished": 3}',
        '{"format": 2, "kernel": 1, "versions": {"hierq": ""}, "study": {}}',
    ],
)
def test_a_damaged_manifest_is_told_and_can_be_made_again(folder: Path, text: str) -> None:
    path = folder / "manifest.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"rename it to manifest\.json\.bad and run hierq"):
        load_results(folder)
    path.rename(folder / "manifest.json.bad")
    outcome = run_study(small_study(seeds=8), folder)
    assert outcome.before == outcome.now == 48


@pytest.mark.parametrize(
    ("part", "content"),
    [
        ("worlds", 5),
        ("worlds", [{"name": "a", "text": 7}]),
        ("agents", ["hierarchy"]),
        ("agents", [{"backup": {"n": []}}]),
        ("agents", [{"levels": 1e400}]),
        ("seeds", [8]),
        ("protocol", "fifty"),
        ("protocol", {"iterations": {}}),
    ],
)
def test_a_description_of_a_study_that_is_not_understood_is_told(folder: Path, part: str, content: object) -> None:
    change_manifest(folder, study={**Store(folder).manifest()["study"], part: content})
    for read in (load_results, verify):
        with pytest.raises(InputError):
            read(folder)


def test_other_folders_and_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match=r"holds other files \(thesis.tex\) and no study"):
        run_study(small_study(), tmp_path)
    with pytest.raises(InputError, match="is a file"):
        run_study(small_study(), tmp_path / "thesis.tex")
    with pytest.raises(InputError, match="holds no study"):
        load_results(tmp_path / "nowhere")
    assert os.listdir(tmp_path) == ["thesis.tex"]


def test_what_a_killed_writer_left_behind_is_not_taken_for_results(folder: Path) -> None:
    left = Store(folder).runs_folder / f".{Store(folder).files[0].name}.x1y2"
    left.write_bytes(Store(folder).files[0].read_bytes()[:500])
    found = verify(folder)
    assert found.sound and found.runs == 48 and found.unfinished == (left,)


def test_a_folder_whose_first_writer_was_killed_is_taken(tmp_path: Path) -> None:
    """Before anything was written, so that only temporary files are there."""
    for name in (".writer", "manifest.json"):
        (tmp_path / f".{name}.0123abcd-1-x").touch()  # on another machine, so it stays
    run_study(small_study(seeds=1), tmp_path)
    assert verify(tmp_path).sound and len(list(tmp_path.glob("*-x"))) == 2


def test_an_empty_study_folder_has_an_empty_frame(tmp_path: Path) -> None:
    Store(tmp_path).prepare(small_study())
    assert load_results(tmp_path).is_empty() and load_results(tmp_path).schema == pl.Schema(SCHEMA)
    assert verify(tmp_path).runs == 0


def test_learning_has_not_changed(tmp_path: Path) -> None:
    """If it fails on purpose, raise KERNEL_VERSION in hierq.agents: stored results must not be mixed with new ones."""
    study = Study("maze-10", (AgentConfig(levels=3), AgentConfig.published(backup=Traces(0.8))), 2, Protocol(5))
    assert run_study(study, tmp_path).digest == "0c8b7cafff95b3bce44a8a9285c98aa4"
