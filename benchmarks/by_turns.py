"""This version against an earlier one, by turns: seconds to compile a kind of kernel, and µs per training step.

    make bench AGAINST=aff5770
    .venv/bin/python benchmarks/by_turns.py aff5770 --quick

The earlier version is taken from git, into a folder that is deleted afterwards. Both versions do the same work in turn,
again and again, and the least processor time of each counts, so that other programs disturb both alike.
"""

import contextlib
import io
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
CELLS = [(w, b, k) for w in range(3) for b in range(4) for k in (1, 2, 3, 4)]
COMMAND = "import hierq; hierq.Agent(hierq.make_world('maze-10'), hierq.AgentConfig(levels=3)).alternate(1)"
WORKER = """
import sys, time, hierq
worlds = [hierq.make_world(name) for name in ("gridworld-10", "gridworld-20", "maze-20")]
backups = [hierq.TreeBackup(3), hierq.TreeBackup(8), hierq.Traces(0.8), hierq.Traces(1.0)]
for line in sys.stdin:
    world, backup, k, seed = map(int, line.split())
    agent = hierq.Agent(worlds[world], hierq.AgentConfig.published(levels=k, backup=backups[backup]), seed)
    begun = time.process_time()
    steps = agent.train(50).sum()
    print((time.process_time() - begun) / steps * 1e6, flush=True)
"""


@contextlib.contextmanager
def earlier(commit: str) -> Iterator[Path]:
    """The sources of an earlier version."""
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder, "src")


def environment(sources: Path, **more: str) -> dict[str, str]:
    """The environment of a process that runs the version with these sources."""
    one = dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return {**os.environ, **one, "PYTHONPATH": str(sources), "PYTHONWARNINGS": "ignore", **more}


def seconds_to_compile(sources: Path) -> float:
    """Processor seconds of an agent's first episodes in maze-10 where no kernel is compiled yet."""
    with tempfile.TemporaryDirectory() as cache:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-c", COMMAND]
        silent = subprocess.DEVNULL
        subprocess.run(
            command, env=environment(sources, HIERQ_CACHE_DIR=cache), check=True, stdout=silent, stderr=silent
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compiling(versions: list[Path], turns: int) -> None:
    """Prints how long each version compiles."""
    seconds = np.array([[seconds_to_compile(each) for each in versions] for _ in range(turns)])
    old, new = seconds.min(axis=0)
    print(f"a cold start in maze-10: {old:.1f} s, now {new:.1f} s, ratio {new / old:.3f}; all: {seconds.round(1)}")


def training(versions: list[Path], seeds: int, turns: int) -> None:
    """Prints how the times per training step compare, over all cells."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER],
            env=environment(each),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for each in versions
    ]

    def time_of(worker: "subprocess.Popen[str]", cell: tuple[int, int, int], seed: int) -> float:
        assert worker.stdin is not None and worker.stdout is not None
        print(*cell, seed, file=worker.stdin, flush=True)
        return float(worker.stdout.readline())

    for cell in (CELLS[0], CELLS[8]):  # compiles the kernels
        for worker in workers:
            time_of(worker, cell, 0)
    ratios = []
    for cell in CELLS:
        times = np.array(
            [[[time_of(worker, cell, seed) for worker in workers] for _ in range(turns)] for seed in range(seeds)]
        )
        old, new = times.min(axis=1).sum(axis=0)
        ratios.append(new / old)
        print(cell, f"{old / seeds:.3f} µs, now {new / seeds:.3f}, ratio {ratios[-1]:.3f}", flush=True)
    for worker in workers:
        worker.kill()
    mean = np.exp(np.log(ratios).mean())
    print(f"µs per training step over {len(CELLS)} cells: geometric mean {mean:.3f}, highest {max(ratios):.3f}")


if __name__ == "__main__":
    quick = "--quick" in sys.argv
    with earlier(sys.argv[1]) as old_sources:
        both = [old_sources, ROOT / "src"]
        print(f"load {os.getloadavg()[0]:.1f}")
        compiling(both, turns=2 if quick else 3)
        training(both, seeds=2 if quick else 3, turns=4 if quick else 8)
        print(f"load {os.getloadavg()[0]:.1f}")
