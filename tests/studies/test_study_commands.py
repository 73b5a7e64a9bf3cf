"""`hierq sweep | status | export | verify`, as a user types them."""

import csv
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from small_studies import as_toml, source_path

import hierq
from command import PATIENCE, files_below, hierq_command
from hierq.agents import needed_memory
from hierq.compiling import own_kernels
from hierq.studies.store import Store
from hierq.wording import duration

CODE = """
import sys
from hierq_command import main

class Told:
    def find_spec(self, name, *rest):
        if name == "hierq.cli":
            print("loading", flush=True)

sys.meta_path.insert(0, Told())
sys.exit(main())
"""
COMMAND = [sys.executable, "-c", CODE]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def toml(tmp_path: Path) -> str:
    path = tmp_path / "study.toml"
    path.write_text(as_toml(seeds=6))
    return str(path)


def start(*words: object, **streams: object) -> subprocess.Popen[str]:
    return subprocess.Popen([*COMMAND, *map(str, words)], text=True, env=source_path(), **streams)


def test_from_plan_to_table(tmp_path: Path, toml: str, capsys: Capture) -> None:
    out = str(tmp_path / "results")
    plan = hierq_command(capsys, "sweep", toml, "--plan")
    assert plan.code == 0 and "1 world x 2 settings x 6 seeds = 12 runs of 3 iterations" in plan.out
    assert "time     about" in plan.out and "measured on short probes of 2 of 2 cases" in plan.out
    assert "memory   at most" in plan.out and not os.path.exists(out)

    done = hierq_command(capsys, "sweep", toml, "--out", out)
    assert done.code == 0 and "12 runs done, 12 of 12 are in" in done.out
    digest = done.out.split("digest ")[1].strip()
    again = hierq_command(capsys, "sweep", toml, "--out", out, "--workers", "1")
    assert again.code == 0 and "0 runs done, 12 of 12" in again.out and digest in again.out
    assert "nothing: all runs are there" in hierq_command(capsys, "sweep", toml, "--plan", "--out", out).out

    status = hierq_command(capsys, "status", out)
    assert status.code == 0 and "12 of 12 runs are there (100.0 %)" in status.out
    verified = hierq_command(capsys, "verify", out)
    assert verified.code == 0 and verified.out.splitlines() == ["12 of 12 runs are there and sound", f"digest {digest}"]
    table = tmp_path / "table.csv"
    exported = hierq_command(capsys, "export", out, "--out", str(table))
    assert exported.code == 0 and "12 runs written" in exported.out
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12 and all(len(row["training"].split()) == 3 for row in rows)
    assert rows[0]["id"] == "gridworld-10/k1/n3/hierarchy"


def test_shards_on_the_command_line(tmp_path: Path, toml: str, capsys: Capture) -> None:
    out = str(tmp_path / "shared")
    first = hierq_command(capsys, "sweep", toml, "--out", out, "--shard", "2/2")
    assert first.code == 0 and "share 2 of 2" in first.out and "digest" not in first.out
    half = hierq_command(capsys, "status", out).out
    assert "6 of 12 runs are there (50.0 %)" in half
    assert "digest" in hierq_command(capsys, "sweep", toml, "--out", out, "--shard", "1/2").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sweep", "{toml}"], "--out"),
        (["sweep", "{toml}", "--out", "x", "--shard", "3"], "such as 3/16, not '3'"),
        (["sweep", "{toml}", "--out", "x", "--shard", "0/4"], "I from 1 to N"),
        (["sweep", "{toml}", "--out", "x", "--shard", "5/4"], "I from 1 to N"),
        (["sweep", "{toml}", "--out", "x", "--shard", "1/4", "--cluster", "local:2"], "leave one of them out"),
        (["sweep", "{toml}", "--out", "x", "--workers", "0"], "--workers: this must be a whole number of at least 1"),
        (["sweep", "none.toml", "--plan"], "there is no file none.toml"),
        (["sweep", "."], ". is a folder; name the TOML file of a study"),
        (["status", "nowhere"], "nowhere holds no study"),
        (["verify", "nowhere"], "holds no study"),
        (["export", "nowhere", "--out", "x.csv"], "holds no study"),
    ],
)
def test_what_is_wrong_is_told(
    tmp_path: Path, toml: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = files_below(tmp_path)
    refused = hierq_command(capsys, *(word.format(toml=toml) for word in words))
    assert refused.code == 2 and message in refused.err
    assert files_below(tmp_path) == before


def test_verify_names_damaged_files_and_sweep_mends_them(tmp_path: Path, toml: str, capsys: Capture) -> None:
    out = tmp_path / "results"
    hierq_command(capsys, "sweep", toml, "--out", str(out))
    (victim,) = Store(out).files
    victim.write_bytes(victim.read_bytes()[:-50])
    found = hierq_command(capsys, "verify", str(out))
    assert found.code == 1 and f"damaged: {victim}" in found.out
    assert hierq_command(capsys, "export", str(out), "--out", str(tmp_path / "x.csv")).code == 2
    assert hierq_command(capsys, "sweep", toml, "--out", str(out)).code == 0
    assert "1 damaged files were set aside" in hierq_command(capsys, "status", str(out)).out
    found = hierq_command(capsys, "verify", str(out))
    assert found.code == 0 and "set aside before" in found.out


def test_a_folder_of_results_is_no_study_file(tmp_path: Path, toml: str, capsys: Capture) -> None:
    results = str(tmp_path / "results")
    assert hierq_command(capsys, "sweep", toml, "--out", results).code == 0
    refused = hierq_command(capsys, "sweep", results)
    assert refused.code == 2
    assert f"{results} is a folder; name the TOML file" in refused.err
    assert f"hierq sweep STUDY.toml --out {results}" in refused.err and f"hierq status {results}" in refused.err


@pytest.mark.filterwarnings("always:compiling the kernels")
def test_what_is_finished_compiles_nothing_and_says_so(
    tmp_path: Path, toml: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine that has none of the kernels."""
    results = str(tmp_path / "results")
    assert hierq_command(capsys, "sweep", toml, "--out", results).code == 0
    monkeypatch.setattr("hierq.compiling.decorators.is_compiled", lambda kind: False)
    monkeypatch.setattr("hierq.compiling.own_kernels.is_compiled", lambda kind: False)
    own_kernels.notify_once.cache_clear()
    for words in ((), ("--plan",)):
        done = hierq_command(capsys, "sweep", toml, "--out", results, *words)
        assert done.code == 0 and "compiling" not in done.err
    assert "compiling" in hierq_command(capsys, "sweep", toml, "--plan").err


def test_export_of_nothing_is_refused(tmp_path: Path, toml: str, capsys: Capture) -> None:
    Store(tmp_path / "new").prepare(hierq.Study.from_toml(toml))
    refused = hierq_command(capsys, "export", str(tmp_path / "new"), "--out", str(tmp_path / "x.csv"))
    assert refused.code == 2 and "no run is finished" in refused.err


def test_export_takes_the_name_of_the_folder(tmp_path: Path, toml: str, capsys: Capture) -> None:
    out = tmp_path / "mine"
    hierq.run_study(hierq.Study.from_toml(toml), out)
    assert hierq_command(capsys, "export", f"{out}/").code == 0
    assert (tmp_path / "mine.csv").read_text().startswith("id,world,agent,levels")


def test_what_does_not_fit_is_told_with_its_id(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needed_memory, "SMALL", 0)
    monkeypatch.setattr(needed_memory, "memory_available", lambda: 4_000_000)
    toml = tmp_path / "study.toml"
    toml.write_text(as_toml(seeds=2).replace("[agent]", "[agent]\nstep_limit = [1000, 1000000]"))
    done = hierq_command(capsys, "sweep", str(toml), "--out", str(tmp_path / "out"))
    assert done.code == 1 and "4 runs done, 4 of 8" in done.out
    assert "left out: gridworld-10/k1/n3/hierarchy/step_limit=1000000: an agent with 1 levels" in done.out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_on_the_command_line(tmp_path: Path, number: int) -> None:
    toml, out = tmp_path / "study.toml", tmp_path / "out"
    toml.write_text(as_toml(seeds=100_000, iterations=50))
    process = start("sweep", toml, "--out", out, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + PATIENCE
        while not list(out.glob("runs/*.parquet")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(number)
        said, err = process.communicate(timeout=PATIENCE)  # all the runs would take hours
    finally:
        process.kill()
    assert process.returncode == 130 and "Traceback" not in err
    assert "runs are finished and kept; the same call or command goes on from here" in err
    assert "100,000 seeds" in said


@pytest.mark.parametrize("after", [0.0, 0.1, 0.3, 0.6])
def test_ctrl_c_from_the_beginning_and_again_and_again(tmp_path: Path, after: float) -> None:
    toml = tmp_path / "study.toml"
    toml.write_text(as_toml(seeds=100_000, iterations=50))
    process = start("sweep", toml, "--out", tmp_path / "out", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.stdout is not None and process.stdout.readline() == "loading\n"
        time.sleep(after)
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            time.sleep(0.02)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, "Traceback" in err) == (130, False), err


def test_a_terminal_gets_a_bar(tmp_path: Path) -> None:
    toml = tmp_path / "study.toml"
    toml.write_text(as_toml(seeds=30, iterations=100, worlds='["gridworld-10", "rooms-4"]'))
    leader, follower = pty.openpty()
    process = start("sweep", toml, "--out", tmp_path / "out", stdout=subprocess.DEVNULL, stderr=follower)
    os.close(follower)
    shown = b""
    try:
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # how a terminal says that nobody writes any more
                break
            if not part:
                break
            shown += part
        assert process.wait(60) == 0
    finally:
        process.kill()
        os.close(leader)
    text = shown.decode(errors="replace")
    assert all(word in text for word in ("\r", "··· 0 of 120 runs", "███ 120 of 120 runs"))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0.04 s"), (12.3, "12 s"), (100, "2 min"), (3600 * 5 + 120, "5 h 02 min"), (86400 * 3.25, "3.2 days")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_commands_choose_runs_by_their_settings(tmp_path: Path, capsys: Capture) -> None:
    toml, out, table = tmp_path / "study.toml", str(tmp_path / "results"), tmp_path / "table.csv"
    text = as_toml(seeds=2, iterations=1, worlds='["rooms-example"]')
    toml.write_text(text.replace("tree_backup = 3", "one_step = true\ntree_backup = [1, 3]\ntraces = 0.5"))
    assert hierq_command(capsys, "sweep", str(toml), "--out", out).code == 0
    done = hierq_command(capsys, "export", out, "--where", "operator=one-step", "levels=2", "--out", str(table))
    assert done.code == 0 and "2 runs written" in done.out
    with table.open(encoding="utf-8") as file:
        assert {(row["backup"], row["operator"], row["decay"]) for row in csv.DictReader(file)} == {
            ("one-step", "one-step", "")
        }
    assert "16 of 16 runs are there" in hierq_command(capsys, "status", out).out
    some = hierq_command(capsys, "status", out, "--where", "operator=one-step", "levels=2").out
    assert "those with operator=one-step and levels=2" in some and "2 of 2 runs are there" in some
    pooled = hierq_command(capsys, "plot", out, "--by", "levels")
    assert pooled.code == 2 and "--where backup=one-step" in pooled.err and "--pool" in pooled.err
    picture = tmp_path / "a.svg"
    drawn = hierq_command(capsys, "plot", out, "--by", "levels", "--where", "n=none", "--pool", "--out", str(picture))
    assert drawn.code == 0 and picture.exists()
    for condition, words in (
        ("backup=peng", "no run has backup=peng; there are one-step, tree-backup, traces"),
        ("backup=trace", "did you mean traces?"),
        ("backups=traces", "did you mean backup?"),
        ("backup", "a condition is NAME=VALUE"),
    ):
        for command in ("export", "plot", "status"):
            refused = hierq_command(capsys, command, out, "--where", condition)
            assert refused.code == 2 and words in refused.err, (command, condition)
