"""What the Dask engine costs: the part of a worker's time that is not spent in runs, for runs of about 50 ms.

    .venv/bin/python benchmarks/dask_overhead.py [--seconds 30] [--workers 2]

Each worker notes when it begins a batch, how long that lasts, and how many seconds its runs took. From the beginning of
its second batch to that of its last, what is not in batches went into scheduling, sending and writing files. What is
paid once, starting the cluster and loading the kernels in the first batch, is reported by itself.
"""

import argparse
import functools
import os
import tempfile
import time
from pathlib import Path

import hierq
from hierq.agents.precompile import compile_kernels
from hierq.studies import Protocol, Store, Study
from hierq.studies.dask_engine import run_on_dask
from hierq.studies.progress import Watch
from hierq.studies.runs import compute_batch

GOAL = 3.0
RUN_SECONDS = 0.05


def noting(runs, stop, refused, folder):
    begun = time.time()
    frame = compute_batch(runs, stop, refused)
    with open(Path(folder) / str(os.getpid()), "a") as file:
        file.write(f"{begun} {frame['seconds'].sum()} {time.time() - begun}\n")
    return frame


def study_of(seconds, workers):
    """One case whose runs take about 50 ms, and seeds for so many seconds."""

    def study(iterations, seeds):
        config = hierq.AgentConfig(levels=2, backup=hierq.TreeBackup(3))
        return Study(("maze-20",), (config,), seeds, Protocol(iterations))

    compile_kernels()
    once = compute_batch(study(50, 10).runs())["seconds"].min()
    iterations = max(1, round(50 * RUN_SECONDS / once))
    return study(iterations, max(1, round(seconds * workers / RUN_SECONDS)))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seconds", type=float, default=30)
    arguments.add_argument("--workers", type=int, default=2)
    chosen = arguments.parse_args()
    study = study_of(chosen.seconds, chosen.workers)
    with tempfile.TemporaryDirectory() as folder:
        store, notes = Store(Path(folder) / "out"), Path(folder) / "notes"
        notes.mkdir()
        store.prepare(study)
        begun = time.time()
        with store.lock():
            compute = functools.partial(noting, folder=str(notes))
            run_on_dask(list(study.runs()), store, f"local:{chosen.workers}", Watch(), {}, compute)
        ended = time.time()
        results, files = store.results(), len(store.files)
        lines = [[tuple(map(float, line.split())) for line in note.open()] for note in notes.iterdir()]
    spans = sum(worker[-1][0] - worker[1][0] for worker in lines)
    in_runs = sum(seconds for worker in lines for _, seconds, _ in worker[1:-1])
    in_batches = sum(seconds for worker in lines for _, _, seconds in worker[1:-1])
    overhead, between = 100 * (1 - in_runs / spans), 100 * (1 - in_batches / spans)
    first, loading = min(worker[0][0] for worker in lines), max(w[1][0] - w[0][0] - w[0][1] for w in lines)
    milliseconds = 1000 * results["seconds"].mean()
    print(f"{len(results):,} runs of {milliseconds:.0f} ms in {files} batches, {len(lines)} workers")
    print(
        f"once: {first - begun:.1f} s to the first batch, {loading:.1f} s in it; then {ended - first:.1f} s to the end"
    )
    print(f"scheduling and files: {between:.2f} % of the workers' time (goal: under {GOAL:.0f} %)")
    print(f"with what is between the runs of a batch, mostly giving back the tables of agents: {overhead:.2f} %")


if __name__ == "__main__":
    main()
