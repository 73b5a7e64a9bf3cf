"""What studies cost beside the learning itself: store and scheduling, and finding out what is finished.

    make bench
    .venv/bin/python benchmarks/studies.py --quick

The first part runs agents of about 50 ms in one thread: whatever the time of `run_study` is above that of its runs is
overhead. On a busy machine the clock also counts waiting for others; the time of the CPU does not.

The second part lists a folder with 100,000 finished runs, in files of 80 as runs of 50 ms make them.
"""

import sys
import tempfile
import threading
import time
from pathlib import Path

import polars as pl

import hierq
from hierq.agents.precompile import compile_kernels
from hierq.studies import local_engine
from hierq.studies.batches import BATCH_SECONDS, pending_runs
from hierq.studies.rows import Row
from hierq.studies.runs import compute_batch, do_run
from hierq.studies.store import Store
from hierq.studies.study import Run
from hierq.studies.verification import verify

RUN_SECONDS = 0.05
GOAL_OVERHEAD, GOAL_LISTING = 0.01, 2.0


def study_of_short_runs(seeds: int) -> hierq.Study:
    """The paper's protocol with an agent that takes about 50 ms for it on this machine, or a little more."""
    for levels, world in ((3, "gridworld-20"), (3, "maze-20"), (4, "gridworld-20"), (4, "maze-20")):
        study = hierq.Study(world, hierq.AgentConfig(levels=levels, backup=hierq.TreeBackup(3)), seeds)
        begun = time.process_time()
        compute_batch(pending_runs(study, {})[:10])
        if time.process_time() - begun >= 10 * RUN_SECONDS:
            break
    return study


def overhead(folder: Path, seeds: int) -> None:
    compile_kernels()
    study = study_of_short_runs(seeds)
    learning_cpu = []

    def metered(run: Run, stop: threading.Event, _: object) -> Row | None:
        begun = time.thread_time()
        row = do_run(run, stop)
        learning_cpu.append(time.thread_time() - begun)
        return row

    local_engine.do_run = metered
    begun, begun_cpu = time.perf_counter(), time.process_time()
    hierq.run_study(study, folder, workers=1)
    whole, whole_cpu = time.perf_counter() - begun, time.process_time() - begun_cpu
    local_engine.do_run = do_run
    frame = hierq.load_results(folder)
    learning = frame["seconds"].sum()
    each, files = 1000 * learning / len(frame), len(Store(folder).files)
    share, share_cpu = 100 * (1 - learning / whole), 100 * (1 - sum(learning_cpu) / whole_cpu)
    print(
        f"overhead: {len(frame)} runs of {each:.0f} ms in {files} files: {share:.2f} % of {whole:.1f} s, and "
        f"{share_cpu:.2f} % of {whole_cpu:.1f} s of CPU, beside the learning (goal: under {100 * GOAL_OVERHEAD:.0f} %)"
    )


def fill(store: Store, study: hierq.Study) -> None:
    """As if all runs of a study were finished: the steps are made up."""
    (row,) = compute_batch([Run(study.cases[0], 0)]).iter_rows(named=True)
    runs = pending_runs(study, {})
    size = int(BATCH_SECONDS / RUN_SECONDS)
    for first in range(0, len(runs), size):
        some = runs[first : first + size]
        rows = [{**row, "id": run.case.id, "case": run.case.key, "seed": run.seed} for run in some]
        store.commit(pl.DataFrame(rows, schema=compute_batch([]).schema))


def listing(folder: Path, runs: int) -> None:
    agents = tuple(hierq.AgentConfig(levels=k, backup=hierq.TreeBackup(n)) for k in (1, 2, 3, 4) for n in range(1, 6))
    study = hierq.Study(("maze-10", "rooms-4", "rooms-9", "gridworld-10", "maze-20"), agents, runs // 100)
    store = Store(folder)
    store.prepare(study)
    fill(store, study)
    begun = time.perf_counter()
    missing = pending_runs(study, store.present())
    seconds = time.perf_counter() - begun
    assert not missing
    print(
        f"listing:  {len(study):,} finished runs in {len(store.files):,} files: {seconds:.2f} s "
        f"(goal: under {GOAL_LISTING:g} s)"
    )
    for name, action in (("loading", hierq.load_results), ("verifying", verify)):
        begun = time.perf_counter()
        action(folder)
        print(f"{name}: {time.perf_counter() - begun:.2f} s")


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        overhead(Path(folder) / "overhead", 100 if quick else 600)
        listing(Path(folder) / "listing", 10_000 if quick else 100_000)


if __name__ == "__main__":
    main()
