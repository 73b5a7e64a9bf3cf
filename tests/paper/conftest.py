"""A small reproduction of the whole paper, run once for all tests that read one."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from hierq.paper.investigation import investigation
from hierq.studies import run_study

TINY_SEEDS = 3
# The representation study has agents that hardly ever arrive: one small world has to do.
TINY_WORLDS = {
    "main": ("rooms-4", "maze-10"),
    "balanced": ("rooms-4", "maze-10"),
    "representation": ("rooms-4",),
    "audit": ("rooms-4", "maze-10"),
}


@pytest.fixture(scope="session")
def tiny_reproduction(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a reproduction: all studies under both rules, two worlds (rooms-4 and maze-10), three seeds.

    For reading only; a test that changes something copies it first.
    """
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        pytest.skip("needs the compiler")
    with _one_process_at_a_time(tmp_path_factory) as shared:
        folder = shared / "tiny_reproduction"
        for name, worlds in TINY_WORLDS.items():
            for part in investigation.chosen(TINY_SEEDS, (name,), worlds=worlds):
                run_study(part.study, folder / part.folder)
    return folder


@contextlib.contextmanager
def _one_process_at_a_time(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that all workers of pytest-xdist share: the first makes the reproduction, the others find it there."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with FileLock(shared / "tiny_reproduction.lock"):
        yield shared
