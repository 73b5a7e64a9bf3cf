"""Compiled kernels on the disk: damage, other users, full disks and other processes cost time, and nothing else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command import files_below
from damages import DAMAGES
from hierq.compiling import cache_folder, decorators

SMALL_KERNEL = """
import sys, time
from pathlib import Path
from hierq.compiling import cache_folder, decorators

@decorators.kernel
def doubled(number):
    return 2 * number
"""
REPORT = "print(doubled(21), sum(doubled.stats.cache_hits.values()), cache_folder.CACHE_FOLDER)\n"


@pytest.fixture
def folder(tmp_path, monkeypatch, compiler):
    """The cache of this process for the time of a test."""
    monkeypatch.setattr(cache_folder, "CACHE_FOLDER", tmp_path / "kernels")
    (tmp_path / "kernels").mkdir(mode=0o700)
    return tmp_path / "kernels"


def doubled_by_a_new_kernel(before_it_is_called=lambda: None):
    """What a kernel gives in a new process, and how often it was found in the cache."""

    def doubled(number):
        return 2 * number

    made = decorators.kernel(doubled)
    before_it_is_called()
    return made(21), sum(made.stats.cache_hits.values())


def files_of(folder):
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size > 0]


def test_a_kernel_is_compiled_once(folder):
    assert [doubled_by_a_new_kernel() for _ in range(2)] == [(42, 0), (42, 1)]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_kernel_is_set_aside_and_compiled_again(folder, damage):
    doubled_by_a_new_kernel()
    for path in files_of(folder):
        path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(UserWarning, match="it is set aside, and the kernels are compiled again"):
        assert doubled_by_a_new_kernel() == (42, 0)
    assert doubled_by_a_new_kernel() == (42, 1)
    assert len(list(folder.rglob("*.bad"))) == 1


def test_a_kernel_whose_code_cannot_be_used_is_compiled_again(folder, monkeypatch):
    """Such as one with a right checksum, made by a Numba that is not quite the same."""
    doubled_by_a_new_kernel()

    def not_understood(*what):
        raise AttributeError("no such thing")

    with monkeypatch.context() as other_numba:
        other_numba.setattr("numba.core.compiler.CompileResult._rebuild", not_understood)
        with pytest.warns(UserWarning, match="set aside"):
            assert doubled_by_a_new_kernel() == (42, 0)
    assert doubled_by_a_new_kernel() == (42, 1)


@pytest.mark.parametrize("turn", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "device"])
def test_what_has_no_end_is_not_taken_for_a_kernel(folder, turn):
    doubled_by_a_new_kernel()
    for path in files_of(folder):
        path.unlink()
        turn(path)
    assert [doubled_by_a_new_kernel() for _ in range(2)] == [(42, 0), (42, 1)]


def test_a_folder_that_is_gone_is_made_again(folder):
    assert doubled_by_a_new_kernel(lambda: shutil.rmtree(folder)) == (42, 0)
    assert doubled_by_a_new_kernel() == (42, 1)


def test_a_folder_that_cannot_be_made_again_does_no_harm(folder):
    shutil.rmtree(folder)
    folder.write_text("a file in its place")
    assert [doubled_by_a_new_kernel() for _ in range(2)] == [(42, 0), (42, 0)]


def run(script: Path, home: Path, before: str = ""):
    """The words and the messages of a script in a process of its own."""
    environment = {"HIERQ_CACHE_DIR": str(home), "PATH": "/usr/bin:/bin"}
    code = f"{before}\nimport runpy; runpy.run_path({str(script)!r})"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=600, check=True
    )
    return done.stdout.split(), done.stderr


def script_in(folder: Path, text: str = SMALL_KERNEL + REPORT) -> Path:
    path = folder / "script.py"
    path.write_text(text)
    return path


def test_a_full_disk_does_no_harm(tmp_path, compiler):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
    words, said = run(script_in(tmp_path, SMALL_KERNEL + limit + REPORT), tmp_path)
    assert words[:2] == ["42", "0"] and not said
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")], "nothing half written is left"


@pytest.mark.parametrize("whose", ["home", "kernels"])
def test_a_folder_that_others_can_write_to_is_not_used(tmp_path, compiler, whose):
    script = script_in(tmp_path)
    home = tmp_path / "cache"
    kernels = Path(run(script, home)[0][2])
    open_to_all = home if whose == "home" else kernels
    open_to_all.chmod(0o777)
    words, said = run(script, home)
    assert words == ["42", "0", "None"]
    assert f"others can write to {open_to_all}; make it yours alone" in said
    open_to_all.chmod(0o755)
    assert run(script, home)[0] == ["42", "1", str(kernels)]


ROOT = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become somebody else")
NOBODY = 65534


@ROOT
def test_a_kernel_of_another_user_is_not_loaded(folder):
    doubled_by_a_new_kernel()
    for path in files_of(folder):
        os.chown(path, NOBODY, NOBODY)
    with pytest.warns(UserWarning, match="not yours alone"):
        assert doubled_by_a_new_kernel() == (42, 0)


READ_ONLY = """
import os, sys

home = os.environ["HIERQ_CACHE_DIR"]

def refuse(event, what):
    if event == "open" and str(what[0]).startswith(home) and what[2] & (os.O_WRONLY | os.O_RDWR):
        raise OSError(30, "Read-only file system")

sys.addaudithook(refuse)
os.access = lambda path, mode, **how: not mode & os.W_OK
"""


def test_kernels_are_read_where_nothing_can_be_written(tmp_path, compiler):
    script, home = script_in(tmp_path), tmp_path / "cache"
    kernels = run(script, home)[0][2]
    before = files_below(home)
    script.write_text(SMALL_KERNEL + REPORT)
    assert run(script, home, READ_ONLY) == (["42", "1", kernels], "")
    script.write_text(SMALL_KERNEL.replace("2 *", "3 *") + REPORT)
    assert run(script, home, READ_ONLY) == (["63", "0", kernels], "")
    assert files_below(home) == before


COMPILES_SLOWLY = (
    SMALL_KERNEL
    + """
compile_ = doubled._compiler.compile

def slowly(*what):
    print("compiling", file=sys.stderr, flush=True)
    while not Path(sys.argv[1]).exists():
        time.sleep(0.01)
    return compile_(*what)

doubled._compiler.compile = slowly
"""
    + REPORT
)


def test_one_process_compiles_and_the_others_wait_and_say_so(tmp_path, compiler):
    script, go = script_in(tmp_path, COMPILES_SLOWLY), tmp_path / "go"
    settings = {
        "env": {"HIERQ_CACHE_DIR": str(tmp_path / "cache"), "PATH": "/usr/bin:/bin"},
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
    }
    [first] = started = [subprocess.Popen([sys.executable, script, go], **settings)]
    try:
        assert first.stderr.readline() == "compiling\n"
        started += (others := [subprocess.Popen([sys.executable, script, go], **settings) for _ in range(2)])
        for other in others:
            assert "waiting for another process, which is compiling the same kernels" in other.stderr.readline()
        go.touch()
        assert first.communicate(timeout=600)[0].split()[:2] == ["42", "0"]
        assert [other.communicate(timeout=600)[0].split()[:2] for other in others] == [["42", "1"]] * 2
    finally:
        for process in started:
            process.kill()
