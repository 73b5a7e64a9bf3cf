"""Studies of a few milliseconds, and processes that run them."""

import os
import subprocess
import sys
import time
from pathlib import Path

import hierq
from command import PATIENCE
from hierq import AgentConfig, Protocol, Study, Traces, TreeBackup
from hierq.studies.store import Store

CHILD = Path(__file__).parent / "child.py"
AGENTS = (
    AgentConfig(levels=1, backup=TreeBackup(3)),
    AgentConfig(levels=2, backup=TreeBackup(3)),
    AgentConfig(levels=2, backup=Traces(0.8), behaviour="flat"),
)


def small_study(seeds: int = 8, iterations: int = 3, agents: tuple[AgentConfig, ...] = AGENTS) -> Study:
    return Study(("rooms-example", "gridworld-10"), agents, seeds, Protocol(iterations))


def as_toml(seeds: int = 8, iterations: int = 3, levels: str = "[1, 2]", worlds: str = '["gridworld-10"]') -> str:
    return (
        f"worlds = {worlds}\nseeds = {seeds}\n"
        f"[agent]\nlevels = {levels}\ntree_backup = 3\n[protocol]\niterations = {iterations}\n"
    )


def rows_in_files(folder: Path) -> int:
    """Rows of all files together: more than there are runs if something was done twice."""
    import polars as pl

    return sum(len(pl.read_parquet(path)) for path in Store(folder).files)


def source_path() -> dict[str, str]:
    """The environment of a process that imports the same hierq."""
    return {**os.environ, "PYTHONPATH": str(Path(hierq.__file__).parent.parent)}


class Child:
    """A process of our own that runs a study and says a word for every finished run; see child.py."""

    def __init__(self, *words: object, **settings: str) -> None:
        environment = {**source_path(), **settings}
        self.process = subprocess.Popen(
            [sys.executable, "-u", str(CHILD), *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *problem: object) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)

    def wait_for(self, word: str) -> None:
        """Reads what it says up to a word."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.strip() == word:
                return
        _, err = self.process.communicate(timeout=PATIENCE)
        raise AssertionError(f"the process ended without saying {word}: {err}")

    def stop(self, signal_number: int, after: float = 0.0) -> int:
        """Sends a signal after some seconds; returns the number of runs it has told about."""
        time.sleep(after)
        self.process.send_signal(signal_number)
        return self.finish()[1].count("run\n")

    def finish(self) -> tuple[int, str, str]:
        """Waits for its end: exit code, output, messages."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err
