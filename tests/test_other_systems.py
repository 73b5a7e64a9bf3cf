"""What other systems do not have, or do differently: modules of Unix, names without capital letters, plain paths."""

import subprocess
import sys
from pathlib import Path

import pytest

from agents.test_kernel_cache import REPORT, SMALL_KERNEL
from hierq import InputError, Study, make_world

# As on Windows, as far as Python can be made to forget.
FORGET = """
import os, sys
for module in ("fcntl", "resource", "pwd", "grp"):
    sys.modules[module] = None
for name in ("getuid", "sched_getaffinity", "O_NOFOLLOW"):
    if hasattr(os, name):
        delattr(os, name)
os.process_cpu_count = os.cpu_count  # from Python 3.13 on, where it asks for the affinity if there was one
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A path with spaces and letters that not every system writes with the same bytes."""
    folder = tmp_path / "Ergebnisse für später é 日本"
    folder.mkdir()
    return folder


def python(code: str, *words: object, **settings: str) -> list[str]:
    environment = {"PATH": "/usr/bin:/bin", **settings}
    command = [sys.executable, "-c", FORGET + code, *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_study_where_unix_modules_are_missing(folder: Path) -> None:
    (folder / "ein Raum.txt").write_text("S..\n..G\n")
    toml = 'worlds = ["ein Raum.txt"]\nseeds = 2\n[agent]\nlevels = 1\n[protocol]\niterations = 2\n'
    (folder / "eine Studie.toml").write_text(toml)
    code = (
        "from hierq.cli import main\n"
        "for words in (['sweep', sys.argv[1], '--out', sys.argv[2]], ['verify', sys.argv[2]], ['lab', '--help']):\n"
        "    assert main(words) == 0, words\n"
    )
    said = python(code, folder / "eine Studie.toml", folder / "aus gabe", NUMBA_DISABLE_JIT="1")
    assert "2 of 2 runs are there and sound" in said


def test_kernels_are_kept_where_unix_modules_are_missing(folder: Path, compiler: None) -> None:
    script = folder / "script.py"
    script.write_text(SMALL_KERNEL + REPORT)
    code = "import runpy; runpy.run_path(sys.argv[1])"
    said = [python(code, script, HIERQ_CACHE_DIR=str(folder / "cache"))[0].split(maxsplit=2)[:2] for _ in range(2)]
    assert said == [["42", "0"], ["42", "1"]]


def test_capital_letters_make_no_other_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some file systems tell capital letters from small ones and some do not; a study means the same on both."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Maze-10").write_text("S.G\n")
    assert make_world("Maze-10") == make_world("MAZE-10") == make_world("maze-10")
    assert make_world("./Maze-10").cells == 3
    (tmp_path / "study.toml").write_text('worlds = ["Maze-10"]\n[agent]\nlevels = 1\n')
    (world,) = Study.from_toml("study.toml").worlds
    assert (world, world.name) == (make_world("maze-10"), "maze-10")
    (tmp_path / "study.toml").write_text('worlds = ["Maze-10", "maze-10"]\n[agent]\nlevels = 1\n')
    with pytest.raises(InputError, match="the same world is given twice: maze-10"):
        Study.from_toml("study.toml")
