"""The Dask engine: batches on the workers of a cluster, which is running already or is started on this machine.

    run_on_dask(runs, store, "tcp://10.0.0.5:8786", …)   a cluster that is running already
    run_on_dask(runs, store, "local:4", …)               four processes on this machine, until the runs are done

The scheduler holds two batches per thread of the cluster and no more, and forgets each as soon as it is done: a worker
that is killed costs the batch it was doing. docs/dask.md says what happens when workers die, and who writes the files.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

from hierq.errors import InputError
from hierq.studies.batches import BATCH_SECONDS, cases_of, is_full
from hierq.studies.dask_worker import (
    SAME_VERSIONS,
    BatchResult,
    Compute,
    installed_versions,
    settle_worker,
    stop_work,
    work,
)
from hierq.studies.interrupts import ctrl_c_ignored
from hierq.studies.progress import Watch, refuse
from hierq.studies.runs import compute_batch, load_kernels
from hierq.studies.store import Store
from hierq.studies.study import Case, Run

BATCHES_PER_THREAD = 2  # one that is running, and one that is waiting
FIRST_SECONDS = BATCH_SECONDS / 8  # that a run is expected to take before any is finished
SECONDS_BETWEEN_LOOKS = 0.1
HALT_SECONDS = 1.0  # for batches to end early after Ctrl-C
SHUTDOWN_SECONDS = 0.4  # for workers of our own, before they are killed
CONNECT_SECONDS = 10
SECONDS_WITHOUT_WORKERS = 600
MAX_WORKERS = 1024
GO_ON = "finished runs are kept, and the same command continues from there"
TOO_LARGE = "most likely because it needs more memory than a worker has; give workers more memory, or run it alone"


def run_on_dask(
    runs: Sequence[Run],
    store: Store,
    address: str,
    watch: Watch,
    refused: dict[str, str],
    compute: Compute = compute_batch,
) -> bool:
    """Does runs on a Dask cluster; the store must be prepared and locked.

    The address is "tcp://host:port" of a scheduler, or "local:4" to start four workers here, on loopback only;
    `refused` receives the ids of cases that were left out, with the reason; `compute` makes the rows of a batch.

    Returns:
        Whether Ctrl-C ended it early; what was finished by then is kept.
    """
    workers = own_workers(address)
    try:
        cluster = _own_cluster(workers, cases_of(runs)) if workers else contextlib.nullcontext(address)
        with cluster as where, _client(where) as client:
            if workers:
                client.register_worker_callbacks(settle_worker)
            _check_workers(client)
            session = _Session(client, store, compute, watch, refused)
            try:
                session.run(runs)
            finally:
                session.end()
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
    in_flight: dict[Any, list[Run]] = field(default_factory=dict)  # submitted, and not yet back
    seconds: dict[str, float] = field(default_factory=dict)  # that the latest run of a case took, by its id

    def run(self, runs: Sequence[Run]) -> None:
        """Does all runs. A case that kills workers is quarantined: refused, and its runs left out.

        Dask gives a batch up when workers die over it more often than distributed.scheduler.allowed-failures. It may
        only have been near. So its cases wait until all others are done, and are then tried one at a time.
        """
        for waiting in self._do(runs).values():
            for case, left in self._do(waiting).items():
                seeds = ", ".join(str(run.seed) for run in left)
                reason = f"it killed every worker that tried it (seeds {seeds}), {TOO_LARGE}"
                refuse(self.refused, self.watch, case.id, reason)

    def _do(self, runs: Sequence[Run]) -> dict[Case, list[Run]]:
        """Does runs in batches, two per thread at a time; returns those that are left of cases Dask has given up."""
        from distributed import KilledWorker, as_completed

        waiting, suspects = deque(runs), dict[Case, list[Run]]()
        at_most = max(1, len(runs) // (BATCHES_PER_THREAD * max(1, self._threads())))  # so that all have something
        completed, last_seen = as_completed(), time.monotonic()
        while self.in_flight or waiting:
            threads = self._threads()
            last_seen = time.monotonic() if threads else last_seen
            if time.monotonic() - last_seen > SECONDS_WITHOUT_WORKERS:
                raise InputError(
                    f"the cluster has had no worker for {SECONDS_WITHOUT_WORKERS} seconds; start workers: {GO_ON}"
                )
            while len(self.in_flight) < BATCHES_PER_THREAD * threads:
                if not (batch := self._next_batch(waiting, at_most, suspects)):
                    break
                completed.add(self._submit(batch))
            if not completed.has_ready():
                time.sleep(SECONDS_BETWEEN_LOOKS)
                continue
            for future in completed.next_batch(block=False):
                try:
                    self._take_in(future)
                except KilledWorker:
                    for run in self.in_flight.pop(future):
                        suspects.setdefault(run.case, []).append(run)
        return suspects

    def _next_batch(self, waiting: deque[Run], at_most: int, suspects: dict[Case, list[Run]]) -> list[Run]:
        """The next runs, as many as take a few seconds by what others have taken; those of suspects are put aside."""
        batch, seconds = list[Run](), 0.0
        usual = sum(self.seconds.values()) / len(self.seconds) if self.seconds else FIRST_SECONDS
        while waiting and len(batch) < at_most and not is_full(len(batch), seconds):
            run = waiting.popleft()
            if run.case in suspects:
                suspects[run.case].append(run)
            else:
                batch.append(run)
                seconds += self.seconds.get(run.case.id, usual)
        return batch

    def _submit(self, batch: list[Run]) -> Any:
        from distributed.protocol.pickle import dumps

        content, folder = dumps((batch, self.compute)), str(self.store.folder.resolve())
        future = self.client.submit(work, content, folder, self.store.mark, installed_versions(), pure=False)
        self.in_flight[future] = batch
        return future

    def _take_in(self, future: Any) -> None:
        """Takes in a batch that has come back, and forgets it, and with it what the cluster remembers of it."""
        result: BatchResult = future.result()
        if not result.written:
            self.store.commit(result.rows)
        for case, seconds in result.rows.select("id", "seconds").iter_rows():
            self.seconds[case] = seconds
            self.watch.finished(case, seconds)
        for case, reason in result.refused.items():
            refuse(self.refused, self.watch, case, reason)
        del self.in_flight[future]

    def _threads(self) -> int:
        return sum(self.client.nthreads().values())

    def end(self) -> None:
        """Asks for what is finished of batches that are under way, waits a second for it, and forgets the rest."""
        if not self.in_flight:
            return
        threading.Thread(target=_ask_to_stop, args=(self.client, self.store.mark), daemon=True).start()
        deadline = time.monotonic() + HALT_SECONDS
        while any(not future.done() for future in self.in_flight) and time.monotonic() < deadline:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        with contextlib.suppress(Exception):  # the cluster may be gone; what is lost here is done again
            for future in [future for future in self.in_flight if future.done()]:
                self._take_in(future)
            self.client.cancel(list(self.in_flight), force=True)


def _check_workers(client: Any) -> None:
    """Refuses workers without hierq, for which Dask would wait for ever; those of other versions refuse themselves."""
    for worker, found in client.run(installed_versions, on_error="return").items():
        if isinstance(found, Exception) and not isinstance(found, OSError):  # OSError: it has just left
            raise InputError(f"the worker {worker} has no hierq that can work with this one ({found}); {SAME_VERSIONS}")


def _ask_to_stop(client: Any, mark: str) -> None:
    """Asks all workers to end early; one that does not respond is waited for, so in a thread of its own."""
    with contextlib.suppress(Exception):
        client.run(stop_work, mark, on_error="ignore")


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
