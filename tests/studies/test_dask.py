"""The Dask engine on real clusters: same numbers, killed workers, sockets, versions, Ctrl-C."""

import contextlib
import functools
import logging
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hierq
from command import PATIENCE
from hierq import InputError
from hierq.agents.precompile import compile_kernels
from hierq.studies import Protocol, Store, Study, batches, dask_engine, dask_worker, rows, run_study, verify
from hierq.studies.batches import pending_runs
from hierq.studies.dask_engine import run_on_dask
from hierq.studies.progress import Watch

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")

import corridor  # noqa: E402
import saboteurs  # noqa: E402

pytestmark = [
    pytest.mark.usefixtures("compiler", "time_limit"),
    # Killed workers leave connections behind that Python finds later.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

SOURCE = str(Path(hierq.__file__).parent.parent)
STUDY = Study(
    worlds=("maze-10", "rooms-4"),
    agents=(
        hierq.AgentConfig(levels=1, backup=hierq.TreeBackup(3)),
        hierq.AgentConfig(levels=2, backup=hierq.Traces(0.8)),
    ),
    seeds=30,
    protocol=Protocol(5),
)


class TookTooLong(BaseException):
    """Nobody catches it by accident: a TimeoutError would be taken for one of the cluster's."""


@pytest.fixture
def time_limit() -> Iterator[None]:
    """No test waits for ever, whatever becomes of its workers."""

    def end(*_: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, 5)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the local engine makes of the study."""
    found = run_study(STUDY, tmp_path_factory.mktemp("local") / "out", workers=2).digest
    assert found is not None
    return found


@contextlib.contextmanager
def cluster_of(workers: int) -> Iterator[Any]:
    """A cluster that was there before, for the engine."""
    from distributed import LocalCluster

    compile_kernels()
    with LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
        silence_logs=logging.CRITICAL,
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with cluster_of(2) as found:
        yield found


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "out")
    made.prepare(STUDY)
    return made


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MAX_RUNS", 6)


@pytest.fixture
def client_commits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that this process has written."""
    written: list[str] = []
    commit = Store.commit

    def noting(self: Store, frame: Any) -> Path | None:
        path = commit(self, frame)
        written.append(path.name)
        return path

    monkeypatch.setattr(Store, "commit", noting)
    return written


def run_all(
    store: Store,
    address: str,
    watch: Watch | None = None,
    refused: dict[str, str] | None = None,
    hidden: bool = False,
    **more: Any,
) -> bool:
    """Does the runs of the study on a cluster; if `hidden`, workers do not see the folder of results."""
    runs = pending_runs(STUDY, store.present())
    with store.lock():
        if hidden:
            (store.folder / ".writer").unlink()
        return run_on_dask(runs, store, address, watch or Watch(), {} if refused is None else refused, **more)


# The same numbers


class Listeners(Watch):
    """Looks for listening sockets of this process and its children while a study runs."""

    def __init__(self) -> None:
        self.addresses: set[str] = set()
        self.finished_runs = 0

    def finished(self, case_id: str, seconds: float) -> None:
        self.finished_runs += 1
        if self.addresses:
            return
        me = psutil.Process()
        for process in [me, *me.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                self.addresses |= {
                    c.laddr.ip for c in process.net_connections("inet") if c.status == psutil.CONN_LISTEN
                }


@pytest.mark.parametrize(
    "workers", [pytest.param(1, marks=pytest.mark.long), 2, pytest.param(3, marks=pytest.mark.long)]
)
def test_own_cluster_gives_the_same_digest_and_listens_on_loopback_only(
    workers: int, tmp_path: Path, digest: str
) -> None:
    watch = Listeners()
    outcome = run_study(STUDY, tmp_path / "out", cluster=f"local:{workers}", watch=watch)
    assert outcome.digest == digest
    assert watch.finished_runs == len(STUDY)
    assert watch.addresses == {"127.0.0.1"}


def test_workers_that_see_the_folder_write_their_files(
    cluster: Any, store: Store, digest: str, client_commits: list[str]
) -> None:
    assert run_all(store, cluster.scheduler_address) is False
    assert client_commits == []
    assert store.finish(STUDY) == digest


def test_workers_that_do_not_see_the_folder_send_their_rows(
    cluster: Any, store: Store, digest: str, client_commits: list[str]
) -> None:
    assert run_all(store, cluster.scheduler_address, hidden=True) is False
    assert len(client_commits) == len(store.files) > 1
    assert store.finish(STUDY) == digest


def test_window_is_bounded_and_finished_batches_are_forgotten(
    cluster: Any, store: Store, small_batches: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_flight: list[int] = []
    take_in = dask_engine._Session._take_in

    def noting(self: Any, future: Any) -> None:
        in_flight.append(len(self.in_flight))
        take_in(self, future)

    monkeypatch.setattr(dask_engine._Session, "_take_in", noting)
    run_all(store, cluster.scheduler_address)
    assert max(in_flight) == 2 * dask_engine.BATCHES_PER_THREAD
    deadline = time.monotonic() + PATIENCE
    while cluster.scheduler.tasks and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not cluster.scheduler.tasks


# Killed workers


def kill_workers(cluster: Any, log: Path, times: int, generator: random.Random, done: threading.Event) -> None:
    """Kills a worker of the test's own cluster at random moments, once batches are being done."""
    killed: set[int] = set()
    while len(killed) < times and not done.is_set():
        seen = log.stat().st_size if log.exists() else 0
        while not done.is_set() and (log.stat().st_size if log.exists() else 0) == seen:
            time.sleep(0.01)  # until another batch was begun
        done.wait(generator.uniform(0.0, 0.5))
        alive = [worker.pid for worker in cluster.workers.values() if worker.pid and worker.pid not in killed]
        if alive and not done.is_set():
            pid = generator.choice(alive)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
    log.with_suffix(".killed").write_text(str(len(killed)))


def run_with_kills(store: Store, log: Path, workers: int, kills: int, seed: int, seconds: float) -> tuple[int, int]:
    """Runs the study while workers are killed; returns the number of kills, and of batches begun again."""
    compute = functools.partial(saboteurs.count_and_take_time, log=str(log), seconds=seconds)
    done = threading.Event()
    with cluster_of(workers) as cluster:
        arguments = (cluster, log, kills, random.Random(seed), done)
        killer = threading.Thread(target=kill_workers, args=arguments, daemon=True)
        killer.start()
        try:
            assert run_all(store, cluster.scheduler_address, compute=compute) is False
        finally:
            done.set()
            killer.join(10)
    begun = log.read_text().split()
    return int(log.with_suffix(".killed").read_text()), len(begun) - len(set(begun))


def test_killed_workers_cost_one_batch_each(store: Store, tmp_path: Path, digest: str, small_batches: None) -> None:
    kills, again = run_with_kills(store, tmp_path / "log", workers=2, kills=1, seed=1, seconds=0.3)
    assert kills == 1
    assert again <= kills
    assert verify(store.folder).sound
    assert store.finish(STUDY) == digest


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_many_killed_workers(seed: int, store: Store, tmp_path: Path, digest: str, small_batches: None) -> None:
    kills, again = run_with_kills(store, tmp_path / "log", workers=3, kills=8, seed=seed, seconds=1.5)
    assert kills >= 4
    assert again <= kills
    assert verify(store.folder).sound
    assert store.finish(STUDY) == digest


def test_case_that_kills_workers_is_reported_and_the_others_go_on(store: Store, small_batches: None) -> None:
    guilty = STUDY.cases[1].id
    refused: dict[str, str] = {}
    compute = functools.partial(saboteurs.die_of, case=guilty)
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), cluster_of(2) as cluster:
        run_all(store, cluster.scheduler_address, refused=refused, compute=compute)
    assert list(refused) == [guilty]
    assert "more memory than a worker has" in refused[guilty]
    assert re.search(r"\(seeds \d", refused[guilty])
    results = store.results()
    assert len(results) == len(STUDY) - STUDY.seeds
    assert guilty not in set(results["id"])


# Ctrl-C, and a client that is killed

SCRIPT = """
import functools, sys
import saboteurs
from test_dask import run_all
from hierq.studies import Store, batches

if __name__ == "__main__":
    batches.MAX_RUNS = 6
    store = Store(sys.argv[1])
    compute = functools.partial(saboteurs.count_and_take_time, log=sys.argv[2], seconds=0.4)
    print("interrupted", run_all(store, "local:2", compute=compute))
"""


@contextlib.contextmanager
def client_process(store: Store, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that runs the study on its own cluster, with at least one file written."""
    script = folder / "client.py"
    script.write_text(SCRIPT)
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    process = subprocess.Popen(
        [sys.executable, str(script), str(store.folder), str(folder / "log")],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        while not store.files:
            assert process.poll() is None, process.stdout.read()
            time.sleep(0.02)
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
        process.stdout.close()


def all_end(processes: list[Any]) -> bool:
    return not psutil.wait_procs(processes, timeout=PATIENCE)[1]


def test_a_worker_that_is_lost_while_it_starts_is_told(tmp_path: Path) -> None:
    (tmp_path / "lost.py").write_text("import os; os._exit(3)\n")
    with dask.config.set({"distributed.worker.preload": [str(tmp_path / "lost.py")]}):
        with pytest.raises(InputError, match=r"a worker was lost while it started .*; finished runs are kept"):
            run_study(STUDY, tmp_path / "out", cluster="local:2")


def test_interrupt_keeps_what_is_finished(store: Store, tmp_path: Path, digest: str) -> None:
    with client_process(store, tmp_path) as process:
        children = psutil.Process(process.pid).children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, which tells the workers, too
        output, _ = process.communicate(timeout=PATIENCE)
        assert output == "interrupted True\n"
        assert all_end(children)
    there = verify(store.folder)
    assert there.sound
    assert 0 < there.runs < len(STUDY)
    assert run_study(STUDY, store.folder, workers=2).digest == digest


def test_killed_client_takes_its_workers_along(store: Store, tmp_path: Path, digest: str) -> None:
    with client_process(store, tmp_path) as process:
        children = psutil.Process(process.pid).children(recursive=True)
        os.kill(process.pid, signal.SIGKILL)
        assert all_end(children)
    outcome = run_study(STUDY, store.folder, cluster="local:1")
    assert outcome.digest == digest


CLUSTER = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
    )
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


def test_cluster_that_goes_away_is_reported(
    store: Store, tmp_path: Path, small_batches: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scheduler in a process of its own, killed together with its worker after the first results."""
    monkeypatch.setattr(dask_engine, "CONNECT_SECONDS", 2)
    compute = functools.partial(saboteurs.count_and_take_time, log=str(tmp_path / "log"), seconds=0.3)
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([SOURCE, str(Path(__file__).parent)])},
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()

        class Leave(Watch):
            def finished(self, case_id: str, seconds: float) -> None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

        with pytest.raises(InputError, match="the connection to the cluster was lost"):
            run_all(store, address, watch=Leave(), compute=compute)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
    assert verify(store.folder).runs > 0


# Refusals


def test_workers_of_other_versions_are_refused(cluster: Any, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    here = rows.versions()
    monkeypatch.setattr(dask_worker, "versions", lambda: {**here, "numpy": "1.0.0"})
    words = rf"the worker tcp://127.0.0.1:\d+ has numpy {here['numpy']} instead of 1.0.0"
    with pytest.raises(InputError, match=words):
        run_all(store, cluster.scheduler_address)
    assert store.files == []


def test_a_worker_that_cannot_import_what_a_study_uses_says_so(
    cluster: Any, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "only_here.py").write_text(Path(corridor.__file__).read_text())
    monkeypatch.syspath_prepend(str(tmp_path))
    import only_here

    study = Study(agents=STUDY.agents[0], environments={"corridor": only_here.make_corridor}, seeds=1)
    with pytest.raises(InputError, match=r"the worker tcp://.* cannot load what this study uses .*only_here"):
        run_on_dask(list(study.runs()), store, cluster.scheduler_address, Watch(), {})
    monkeypatch.delitem(sys.modules, "only_here")


def test_a_worker_without_hierq_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "without.py").write_text("import sys\nsys.modules['hierq'] = None\n")
    with dask.config.set({"distributed.worker.preload": [str(tmp_path / "without.py")]}), cluster_of(1) as other:
        with pytest.raises(InputError, match=r"the worker tcp://.* has no hierq that can work with this one \(.*hierq"):
            run_all(store, other.scheduler_address)
    assert store.files == []


def test_missing_extra_is_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"hierq\[cluster\]"):
        run_all(store, "local:2")


@pytest.mark.parametrize("address", ["local", "local:", "local:0", "local:many", "local:9999", "host:8786", ""])
def test_bad_addresses_are_refused(address: str, store: Store) -> None:
    with pytest.raises(InputError, match="local:4"):
        run_all(store, address)


def test_no_scheduler_answers(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engine, "CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1 "):
        run_all(store, "tcp://127.0.0.1:1")


def test_cluster_without_workers_is_given_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engine, "SECONDS_WITHOUT_WORKERS", 0.5)
    with cluster_of(0) as empty, pytest.raises(InputError, match=r"no worker for 0\.5 seconds"):
        run_all(store, empty.scheduler_address)


def test_full_disk_on_a_worker_ends_the_study_with_its_message(cluster: Any, store: Store) -> None:
    def full(runs: object, stop: object, refused: object) -> None:
        raise InputError("cannot write: no space left")

    with pytest.raises(InputError, match="no space left"):
        run_all(store, cluster.scheduler_address, compute=full)
