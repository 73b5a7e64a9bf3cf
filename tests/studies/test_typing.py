"""What type checkers make of a study: plain arguments are accepted, and its fields have precise types."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hierq

ROOT = Path(hierq.__file__).parents[2]
PROGRAM = """
from pathlib import Path
from typing import assert_type

from hierq import AgentConfig, Protocol, Study, World, gridworld

study = Study(worlds=("maze-10",), agents=(AgentConfig(),))
assert_type(study.worlds, tuple[World, ...])
assert_type(study.agents, tuple[AgentConfig, ...])
assert_type(study.seeds, int)
assert_type(study.protocol, Protocol)
Study(worlds="maze-10", agents=AgentConfig())
Study([gridworld(3, 3), "maze-10", Path("my-map.txt")], [AgentConfig(levels=k) for k in (1, 2)], 3, Protocol(2))
Study(worlds=3, agents=AgentConfig())  # type: ignore[arg-type]
Study(worlds="maze-10", agents="maze-10")  # type: ignore[arg-type]
"""


def test_mypy_accepts_what_a_study_accepts(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM)
    words = ["--strict", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache")]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words, str(tmp_path / "program.py")],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
    )
    assert done.returncode == 0, done.stdout + done.stderr
