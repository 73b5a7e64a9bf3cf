"""Real processes, stopped and run where nothing can be written: nothing lost. Kills are in tests/torture."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_studies import Child, as_toml, rows_in_files, source_path

from hierq import InputError, Study, files, run_study
from hierq.studies.store import Store
from hierq.studies.verification import verify


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    path = tmp_path / "study.toml"
    path.write_text(as_toml(seeds=20))
    return path


def undisturbed(toml: Path, folder: Path) -> str:
    return run_study(Study.from_toml(toml), folder).digest or ""


def test_two_shards_at_the_same_time(tmp_path: Path, toml: Path) -> None:
    """They make the folder at the same time, too."""
    out = tmp_path / "out"
    with (
        Child("run", toml, out, "1/2") as one,
        Child("run", toml, out, "2/2") as other,
    ):
        assert [child.finish()[0] for child in (one, other)] == [0, 0]
    assert verify(out).digest == undisturbed(toml, tmp_path / "undisturbed")
    assert rows_in_files(out) == 40


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_pressing_ctrl_c_again_and_again_loses_nothing(tmp_path: Path, number: int) -> None:
    toml, out = tmp_path / "study.toml", tmp_path / "out"
    toml.write_text(as_toml(seeds=100_000, iterations=100))
    with Child("run", toml, out) as child:
        for _ in range(30):
            child.wait_for("run")
        for _ in range(4):
            child.process.send_signal(number)
            time.sleep(0.003)
        code, said, _ = child.finish()
    assert code in (130, -number)  # the last one may come when everything is saved already
    assert verify(out).runs >= 30 + said.count("run\n")


def test_a_refused_coordinator_leaves_the_folder_as_it_was(tmp_path: Path, toml: Path) -> None:
    out = tmp_path / "out"
    run_study(Study.from_toml(toml), out)
    before = (out / "manifest.json").read_bytes()
    toml.write_text(as_toml(seeds=30))
    with Child("hold", out) as child:
        child.wait_for("held")
        with pytest.raises(InputError, match="another process is writing"):
            run_study(Study.from_toml(toml), out)
    assert (out / "manifest.json").read_bytes() == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_and_keeps_everything(tmp_path: Path, number: int) -> None:
    """All the runs would take hours, and nobody waits so long for the end of a child."""
    toml, out = tmp_path / "study.toml", tmp_path / "out"
    toml.write_text(as_toml(seeds=100_000, iterations=100))
    with Child("run", toml, out) as child:
        for _ in range(30):
            child.wait_for("run")
        told = 30 + child.stop(number)
        assert child.process.returncode == 130
    found = verify(out)
    assert found.sound and found.runs >= told
    assert not found.unfinished


KILLED_WHILE_WRITING = """
import os, signal, sys
from hierq.files import write_whole
os.replace = lambda *names: os.kill(os.getpid(), signal.SIGKILL)
write_whole(sys.argv[1], b"some of it")
"""


def test_what_a_killed_writer_leaves_is_removed_by_the_next(tmp_path: Path, toml: Path) -> None:
    out = tmp_path / "out"
    study = Study.from_toml(toml)
    run_study(study, out)
    runs = Store(out).runs_folder
    others = runs / ".runs-1.parquet.another-machine-1-x"
    others.touch()
    for path in (runs / "runs-1.parquet", out / "manifest.json"):
        killed = subprocess.run([sys.executable, "-c", KILLED_WHILE_WRITING, path], env=source_path())
        assert killed.returncode == -signal.SIGKILL
    mine = Path(tempfile.mkstemp(dir=runs, prefix=files.temporary_prefix("runs-2.parquet", os.getpid()))[1])
    assert len(verify(out).unfinished) == 3
    run_study(study, out)
    assert set(verify(out).unfinished) == {others, mine}, "whoever may still be at work is left alone"
    assert not list(out.glob(".manifest.json.*-*"))


def test_a_full_disk_leaves_no_bad_file(tmp_path: Path, toml: Path) -> None:
    out = tmp_path / "out"
    with Child("run", toml, out, FILE_LIMIT="3000") as child:
        code, _, err = child.finish()
    assert code == 2
    assert "File too large; make room or take another folder; finished runs are kept" in err
    assert os.listdir(Store(out).runs_folder) == []
    assert run_study(Study.from_toml(toml), out).digest == undisturbed(toml, tmp_path / "undisturbed")


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that every user can look into, since the child gives up root's rights."""
    folder = Path(tempfile.mkdtemp(prefix="hierq-test-"))
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(folder)


def test_a_folder_that_cannot_be_written(public_folder: Path) -> None:
    toml, out = public_folder / "study.toml", public_folder / "out"
    toml.write_text(as_toml(seeds=3))
    public_folder.chmod(0o555)
    with Child("run", toml, out, NOBODY="1") as child:
        code, _, err = child.finish()
    assert code == 2 and "cannot make the folder" in err and "Permission denied" in err, err
    public_folder.chmod(0o755)
    run_study(Study.from_toml(toml), out)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    for path in (out / "runs", out):
        path.chmod(0o555)
    for seeds in (3, 6):  # the same study, and one that has grown
        toml.write_text(as_toml(seeds=seeds))
        with Child("run", toml, out, NOBODY="1") as child:
            code, _, err = child.finish()
        assert code == 2 and "take another folder" in err, err
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


def test_another_coordinator_is_kept_out_until_the_first_is_gone(tmp_path: Path, toml: Path) -> None:
    study, out = Study.from_toml(toml), tmp_path / "out"
    Store(out).prepare(study)
    with Child("hold", out) as child:
        child.wait_for("held")
        with pytest.raises(InputError, match=rf"another process is writing to .* \(process {child.process.pid} on "):
            run_study(study, out)
        shard = run_study(study, out, shard=(1, 2))
        assert shard.now == shard.planned, "a shard needs no lock"
        child.process.kill()
        child.process.wait(10)
        assert run_study(study, out).digest is not None, "the lock died with its process"


@pytest.mark.parametrize("process", ["nobody", "9" * 30])
def test_files_that_name_no_process_are_left_alone(tmp_path: Path, process: str) -> None:
    odd = tmp_path / f"{files.temporary_prefix('results.csv', process)}x1y2"
    odd.touch()
    files.remove_leftovers(tmp_path)
    assert odd.exists()


def test_nothing_is_sealed_that_would_not_be_read_again() -> None:
    """Such as an agent in a world that is called like a checksum."""
    blank = files.BLANK_SEAL.encode()
    assert files.is_sealed(files.sealed(b"some " + blank + b" more"))
    with pytest.raises(InputError, match="checksum"):
        files.sealed(b"sha256:" + b"a" * 64 + blank)
