"""The Dask engine: batches on the workers of a cluster, which is running already or is started on this machine.

    run_on_dask(study, store, "tcp://10.0.0.5:8786")   a cluster that is running already
    run_on_dask(study, store, "local:4")               four processes on this machine, for the duration of the study

The scheduler holds two batches per thread of the cluster and no more, and forgets each as soon as it is done: a worker
that is killed costs the batch it was doing. docs/dask.md says what happens when workers die, and who writes the files.
"""

import asyncio
import contextlib
import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

from hierq.errors import InputError
from hierq.files import write_whole
from hierq.studies.batches import Batch, cases_of, cut, pending_runs
from hierq.studies.dask_worker import (
    SAME_VERSIONS,
    BatchResult,
    Compute,
    Job,
    installed_versions,
    settle_worker,
    stop_session,
    version_differences,
    work,
)
from hierq.studies.interrupts import ctrl_c_ignored
from hierq.studies.plan import expected_seconds
from hierq.studies.progress import Watch, refuse
from hierq.studies.runs import compute_batch, load_kernels
from hierq.studies.store import RESUME, Store
from hierq.studies.study import Case, Study

BATCHES_PER_THREAD = 2  # one that is running, and one that is waiting
SECONDS_BETWEEN_LOOKS = 0.1
HALT_SECONDS = 1.0  # for batches to end early after Ctrl-C
SHUTDOWN_SECONDS = 0.4  # for workers of our own, before they are killed
CONNECT_SECONDS = 10
SECONDS_WITHOUT_WORKERS = 600
MAX_WORKERS = 1024
SESSION_FILE = ".cluster-"
GO_ON = "finished runs are kept, and the same command continues from there"
TOO_LARGE = "most likely because it needs more memory than a worker has; give workers more memory, or run it alone"


def run_on_dask(
    study: Study,
    store: Store,
    address: str,
    watch: Watch | None = None,
    refused: dict[str, str] | None = None,
    *,
    compute: Compute = compute_batch,
) -> bool:
    """Does the missing runs of a study on a Dask cluster; the store must be prepared and locked.

    The address is "tcp://host:port" of a scheduler, or "local:4" to start four workers here, on loopback only;
    `refused` receives the ids of cases that were left out, with the reason; `compute` makes the rows of a batch.

    Returns:
        Whether Ctrl-C ended it early; what was finished by then is kept.
    """
    refused = {} if refused is None else refused
    workers = own_workers(address)
    runs = [run for run in pending_runs(study, store.present()) if run.case.id not in refused]
    if not runs:
        return False
    try:
        cluster = _own_cluster(workers, cases_of(runs)) if workers else contextlib.nullcontext(address)
        with cluster as where, _client(where) as client:
            if workers:
                client.register_worker_callbacks(settle_worker)
            _check_workers(client)
            # Batches of a few seconds, or shorter ones where some workers would otherwise have nothing to do.
            at_least = BATCHES_PER_THREAD * max(1, _threads(client))
            todo = cut(runs, expected_seconds(cases_of(runs)), at_least)
            with _Session(client, store, compute, watch or Watch(), refused) as session:
                try:
                    session.run(todo)
                except KeyboardInterrupt:
                    session.halt()
                    return True
    except KeyboardInterrupt:
        return True
    except (OSError, CancelledError) as problem:
        raise InputError(
            f"the connection to the cluster was lost, or the cluster was told to drop this study ({problem}); {GO_ON}"
        ) from None
    return False


@dataclass
class _Session:
    """The batches of a study on a cluster, from the first submission to the last file."""

    client: Any
    store: Store
    compute: Compute
    watch: Watch
    refused: dict[str, str]
    # Unique to this session; while it lasts, a file of this name is in the folder of results.
    name: str = field(default_factory=lambda: f"{SESSION_FILE}{uuid.uuid4().hex}")
    in_flight: dict[Any, Batch] = field(default_factory=dict)  # submitted, and not yet back

    def __enter__(self) -> "_Session":
        self._remove_session_files()
        write_whole(self.store.folder / self.name, self.name.encode(), RESUME)
        return self

    def __exit__(self, *problem: object) -> None:
        self._remove_session_files()
        if self.in_flight:
            self._ask_to_stop()
            with contextlib.suppress(Exception):  # the cluster may be gone
                self.client.cancel(list(self.in_flight), force=True)

    def _remove_session_files(self) -> None:
        """Removes the files of sessions that are over; the lock of the folder says that there is no other."""
        for path in self.store.folder.glob(f"{SESSION_FILE}*"):
            path.unlink(missing_ok=True)

    def run(self, todo: Iterable[Batch]) -> None:
        """Does all batches. A case that kills every worker is quarantined: refused, and its runs left out.

        Dask gives a batch up when workers die over it more often than distributed.scheduler.allowed-failures. It may
        only have been near: so its cases are tried alone, one at a time, before any of them is refused.
        """
        waiting = deque(todo)
        while waiting:
            for suspect in self._do(waiting):
                for alone in _by_case(suspect):
                    case = alone.runs[0].case.id
                    if case not in self.refused and self._do(deque([alone])):
                        seeds = ", ".join(str(run.seed) for run in alone.runs)
                        reason = f"it killed every worker that tried it (seeds {seeds}), {TOO_LARGE}"
                        refuse(self.refused, self.watch, case, reason)
            kept = (Batch(tuple(run for run in batch.runs if run.case.id not in self.refused)) for batch in waiting)
            waiting = deque(batch for batch in kept if batch.runs)

    def _do(self, waiting: deque[Batch]) -> list[Batch]:
        """Does batches from the left, two per thread at a time, until all are done or Dask gives one up.

        Returns those that it has given up; then no more are started, and those in flight are waited for.
        """
        from distributed import as_completed

        killed: list[Batch] = []
        completed, last_seen = as_completed(), time.monotonic()
        while self.in_flight or (waiting and not killed):
            threads = _threads(self.client)
            last_seen = time.monotonic() if threads else last_seen
            if time.monotonic() - last_seen > SECONDS_WITHOUT_WORKERS:
                raise InputError(
                    f"the cluster has had no worker for {SECONDS_WITHOUT_WORKERS} seconds; start workers: {GO_ON}"
                )
            while waiting and not killed and len(self.in_flight) < BATCHES_PER_THREAD * threads:
                completed.add(self._submit(waiting.popleft()))
            if not completed.has_ready():
                time.sleep(SECONDS_BETWEEN_LOOKS)
                continue
            for future in completed.next_batch(block=False):
                killed += self._take_in(future)
        return killed

    def _submit(self, batch: Batch) -> Any:
        from distributed.protocol.pickle import dumps

        content = dumps((batch, self.compute))
        job = Job(content, str(self.store.folder.resolve()), self.name, installed_versions())
        future = self.client.submit(work, job, key=f"hierq-batch-{uuid.uuid4().hex}", pure=False)
        self.in_flight[future] = batch
        return future

    def _take_in(self, future: Any) -> list[Batch]:
        """Takes in a batch that has come back, and forgets it; returns it if Dask has given it up."""
        from distributed import KilledWorker

        batch = self.in_flight[future]
        try:
            result: BatchResult = future.result()
        except KilledWorker:
            del self.in_flight[future]
            return [batch]
        if not result.written:
            self.store.commit(batch, result.rows)
        for case, seconds in result.rows.select("id", "seconds").iter_rows():
            self.watch.finished(case, seconds)
        for case, reason in result.refused.items():
            refuse(self.refused, self.watch, case, reason)
        del self.in_flight[future]  # and with it what the cluster remembers of it
        return []

    def halt(self) -> None:
        """Ends early: asks running batches for what they have finished, and waits a second for it."""
        self._ask_to_stop()
        deadline = time.monotonic() + HALT_SECONDS
        while self.in_flight and time.monotonic() < deadline:
            done = [future for future in self.in_flight if future.done()]
            for future in done:
                self._take_in(future)
            if not done:
                time.sleep(SECONDS_BETWEEN_LOOKS)

    def _ask_to_stop(self) -> None:
        """Asks all workers to stop, without waiting for one that does not respond."""

        def ask() -> None:
            with contextlib.suppress(Exception):
                self.client.run(stop_session, self.name, on_error="ignore")

        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        asking.join(HALT_SECONDS / 2)


def _by_case(batch: Batch) -> list[Batch]:
    """The runs of each case as a batch of its own."""
    return [Batch(tuple(run for run in batch.runs if run.case == case)) for case in cases_of(batch.runs)]


def _threads(client: Any) -> int:
    return sum(client.nthreads().values())


def _check_workers(client: Any) -> None:
    """Refuses a cluster that has other versions installed than this machine.

    Workers that join later check for themselves, before their first batch.
    """
    ours, different = installed_versions(), {}
    for worker, theirs in client.run(installed_versions, on_error="return").items():
        if isinstance(theirs, OSError):
            continue  # it has just left
        if isinstance(theirs, Exception):
            different[worker] = f"no hierq that this one can work with ({theirs})"
        elif words := version_differences(ours, theirs):
            different[worker] = words
    if different:
        worker, words = next(iter(different.items()))
        others = f"; {len(different) - 1} more workers differ" if len(different) > 1 else ""
        raise InputError(f"the worker {worker} has {words}{others}; {SAME_VERSIONS}")


def own_workers(address: str) -> int:
    """How many workers to start here; 0 for a cluster that is running already."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise InputError('a cluster needs Dask; install it with: pip install "hierq[cluster]"') from None
    kind, _, count = address.partition(":")
    if kind == "local":
        if not count.isdecimal() or len(count) > 9 or not 1 <= int(count) <= MAX_WORKERS:
            raise InputError(f"local:4 starts four workers; {address!r} does not say how many (1 to {MAX_WORKERS})")
        return int(count)
    if "://" not in address:
        raise InputError(f"the address of a cluster is tcp://host:port or local:4, not {address!r}")
    return 0


@contextlib.contextmanager
def _own_cluster(workers: int, cases: Collection[Case]) -> Iterator[str]:
    """The address of worker processes of one thread each, with every socket on loopback."""
    from distributed import LocalCluster

    load_kernels(cases)  # once, so that the workers find them in the cache
    logging.getLogger("distributed.process").setLevel(logging.WARNING)  # killing slow workers is intended
    loopback = "127.0.0.1"
    try:
        with ctrl_c_ignored():  # for the second or two that this takes; half a cluster cannot be closed cleanly
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host=loopback,
                dashboard_address=None,
                # Without a dashboard there is still a page for health checks; on any free port, so that two can run.
                scheduler_kwargs={"dashboard_address": f"{loopback}:0"},
                silence_logs=logging.CRITICAL,
            )
    except RuntimeError as problem:
        raise InputError(f"a worker was lost while it started ({problem}); {GO_ON}") from None
    with cluster:
        try:
            yield cluster.scheduler_address
        finally:
            with ctrl_c_ignored():
                cluster.sync(_end_workers, cluster)


async def _end_workers(cluster: Any) -> None:
    """Ends worker processes quickly: whatever they have finished is on disk or with the client."""
    ending = (nanny.close(timeout=SHUTDOWN_SECONDS) for nanny in cluster.workers.values())
    await asyncio.gather(*ending, return_exceptions=True)


@contextlib.contextmanager
def _client(address: str) -> Iterator[Any]:
    from distributed import Client

    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as problem:
        raise InputError(
            f"no Dask scheduler answers at {address} ({problem}); is it running, and can this machine reach it?"
        ) from None
    # A lost connection is reported in a sentence; Dask's own account of it would be a traceback. Its settings give the
    # client a logger with a level of its own.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with client, client.as_current():
        yield client
