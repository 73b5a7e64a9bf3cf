"""Processes that run a study are killed; whatever they had finished must be there, once, and the rest follow."""

import random
import signal
import sys
import time
from pathlib import Path

import psutil
from small_studies import Child, as_toml, rows_in_files, source_path
from tally import Tally

from hierq import InputError, Study, run_study
from hierq.studies.store import Store
from hierq.studies.verification import verify

MAX_LOST = 10  # runs: child.py saves ten at most at a time
ITERATIONS = 100  # enough for a kill to come while a run is under way


def study_for(folder: Path, seeds: int, iterations: int = ITERATIONS) -> Path:
    """A study file in a folder."""
    path = folder / "study.toml"
    path.write_text(as_toml(seeds=seeds, iterations=iterations))
    return path


def check_finished(tally: Tally, toml: Path, out: Path) -> None:
    """Finishes a study, and compares it with one that nobody disturbed."""
    study = Study.from_toml(toml)
    digest = run_study(study, out).digest
    undisturbed = run_study(study, out.with_name("undisturbed")).digest
    found = verify(out)
    if not found.sound or not found.digest == digest == undisturbed == Store(out).digest:
        tally.note("wrong", f"digest {digest} instead of {undisturbed}; {found.problems} {found.damaged}")
    for _ in range(len(study) - found.runs):
        tally.note("lost", "a run is missing in the end")
    for _ in range(rows_in_files(out) - len(study)):
        tally.note("twice", "a run is in two files")


def check_sound(tally: Tally, out: Path) -> int:
    """The number of finished runs after a kill."""
    found = verify(out)
    if not found.sound:
        tally.note("wrong", f"after a kill: {found.problems} {found.damaged}")
    return found.runs


def check_words(tally: Tally, said: str) -> None:
    """Whatever a process says, it is no traceback."""
    if "Traceback" in said:
        tally.note("tracebacks", said)


def coordinators(folder: Path, kills: int, chance: random.Random) -> Tally:
    """The process that runs all is killed at any moment; it loses the batches under way and nothing else."""
    tally = Tally("coordinator killed")
    toml, out = study_for(folder, seeds=250 * kills), folder / "out"
    stored = 0
    for _ in range(kills):
        with Child("run", toml, out) as child:
            child.wait_for("run")
            told = 1 + child.stop(signal.SIGKILL, after=chance.uniform(0, 0.8))
        tally.count += 1
        runs = check_sound(tally, out)
        if runs - stored < told - MAX_LOST:
            tally.note("lost", f"{told} runs were told of, {runs - stored} kept")
        stored = runs
    check_finished(tally, toml, out)
    return tally


def shards(folder: Path, kills: int, chance: random.Random) -> Tally:
    """Two of three shards run at the same time and are killed; afterwards all three finish, in any order."""
    tally = Tally("shards killed")
    toml, out = study_for(folder, seeds=200 * kills), folder / "out"
    for _ in range((kills + 1) // 2):
        pair = chance.sample(["1/3", "2/3", "3/3"], 2)
        with Child("run", toml, out, pair[0], WORKERS="1") as one, Child("run", toml, out, pair[1], WORKERS="1") as two:
            one.wait_for("run")
            two.wait_for("run")
            one.stop(signal.SIGKILL, after=chance.uniform(0, 0.5))
            two.stop(signal.SIGKILL, after=chance.uniform(0, 0.3))
        tally.count += 2
        check_sound(tally, out)
    for shard in chance.sample(["1/3", "2/3", "3/3"], 3):
        with Child("run", toml, out, shard) as child:
            code, _, said = child.finish()
        check_words(tally, said)
        if code != 0:
            tally.note("wrong", f"shard {shard} ended with {code}")
    check_finished(tally, toml, out)
    return tally


def workers(folder: Path, kills: int, chance: random.Random) -> Tally:
    """Workers of a local Dask cluster are killed while it works; the command may give up, what is finished stays."""
    tally = Tally("Dask workers killed")
    toml, out = study_for(folder, seeds=400 * kills), folder / "out"
    command = [sys.executable, "-m", "hierq", "sweep", toml, "--out", out, "--cluster", "local:2"]
    while tally.count < kills:
        began = tally.count
        with (folder / "said.txt").open("w+") as said:
            process = psutil.Popen(command, env=source_path(), stdout=said, stderr=said)
            while process.poll() is None and tally.count < kills:
                time.sleep(chance.uniform(0.2, 1.0))
                if not list((out / "runs").glob("*.parquet")):
                    continue  # not before the first results
                found = [each for each in process.children(recursive=True) if "spawn_main" in " ".join(each.cmdline())]
                if found:
                    chance.choice(found).kill()
                    tally.count += 1
            process.send_signal(signal.SIGINT)
            try:
                process.wait(120)
            except psutil.TimeoutExpired:
                tally.note("hangs", "Ctrl-C did not end the sweep")
                process.kill()
            said.seek(0)
            check_words(tally, said.read())
        check_sound(tally, out)
        if tally.count == began:
            break  # all was done before anybody could be killed
    check_finished(tally, toml, out)
    return tally


def at_file_operations(folder: Path, count: int, chance: random.Random) -> Tally:
    """A small study is killed before each of its file operations, or before some of them."""
    tally = Tally("killed at a file operation")
    toml = study_for(folder, seeds=12, iterations=3)
    with Child("run", toml, folder / "counted", WORKERS="1", KILL_AT="0") as child:
        operations = int(child.finish()[1].splitlines()[-1])
    for operation in sorted(chance.sample(range(1, operations + 1), min(count, operations))):
        out = folder / f"out-{operation}" / "out"
        out.parent.mkdir()
        with Child("run", toml, out, WORKERS="1", KILL_AT=str(operation)) as child:
            code, _, said = child.finish()
        if code == 0:
            break  # threads: there may be one less
        tally.count += 1
        check_words(tally, said)
        if code != -signal.SIGKILL:
            tally.note("wrong", f"ended with {code} instead of being killed: {said}")
        try:
            check_sound(tally, out)
        except InputError as refusal:
            if "holds no study" not in str(refusal):
                tally.note("wrong", f"killed at operation {operation}: {refusal}")
        check_finished(tally, toml, out)
    return tally
