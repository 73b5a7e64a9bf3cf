"""What a worker of a Dask cluster does: the runs of a batch, and their file if it sees the folder of results."""

import functools
import logging
import pickle
import platform
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import gymnasium
import polars as pl

from hierq.agents import KERNEL_VERSION
from hierq.errors import InputError
from hierq.studies.batches import Batch, cases_of
from hierq.studies.rows import sound_frame, versions
from hierq.studies.runs import load_kernels
from hierq.studies.store import Store
from hierq.studies.study import Case

SAME_VERSIONS = "install the same versions on the client and on all workers"
Compute = Callable[[Batch, threading.Event, dict[str, str]], pl.DataFrame]


@dataclass(frozen=True)
class Job:
    """What is sent to a worker."""

    content: bytes  # the batch and the function that computes it; the worker can say what it cannot load of it
    folder: str  # of results, as the client sees it
    session: str  # names the session of the client; the folder holds a file of that name
    versions: dict[str, str]  # what the client has installed


@dataclass(frozen=True)
class BatchResult:
    """What a worker sends back."""

    rows: pl.DataFrame  # the results; only ids and seconds if the worker has written them itself
    written: bool  # whether it has
    refused: dict[str, str]  # cases that do not fit into its memory, with the reason


_stops: dict[str, threading.Event] = {}


def work(job: Job) -> BatchResult:
    """Does a batch on a worker, and writes its file if the worker sees the folder of results."""
    from distributed import get_worker

    where = get_worker().address
    if different := version_differences(job.versions, installed_versions()):
        raise InputError(f"the worker {where} has {different}; {SAME_VERSIONS}")
    batch, compute = _load(job.content, where)
    store = Store(job.folder) if _sees(job.folder, job.session) else None
    refused: dict[str, str] = {}
    # The worker that had this batch before may have been killed just after it had written its file.
    frame = sound_frame(store.runs_folder / batch.name) if store else None
    if frame is None:
        _load_kernels(frozenset(cases_of(batch.runs)))
        frame = compute(batch, _stop_of(job.session), refused)
        if store:
            store.commit(batch, frame)
    rows = frame.select("id", "seconds") if store else frame
    return BatchResult(rows, written=store is not None, refused=refused)


def _load(content: bytes, where: str) -> tuple[Batch, Compute]:
    """The batch of a job, and the function that computes it; a user's own parts are imported."""
    try:
        batch, compute = pickle.loads(content)
    except Exception as problem:
        raise InputError(
            f"the worker {where} cannot load what this study uses ({type(problem).__name__}: {problem}); put the files "
            "with your own functions where all workers can import them"
        ) from None
    return batch, compute


def installed_versions() -> dict[str, str]:
    """Versions of everything that results may depend on, and of everything that sends them."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {**versions(), "gymnasium": gymnasium.__version__, "kernels": str(KERNEL_VERSION), "Python": python}


def stop_session(session: str) -> None:
    """Tells the batches of a session on this worker to end early; runs that are finished are kept."""
    _stop_of(session).set()


def settle_worker() -> None:
    """Makes a worker that we started leave Ctrl-C to the client, and stay quiet when its peers disconnect."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@functools.cache
def _load_kernels(cases: frozenset[Case]) -> None:
    """Loads kernels, once per process, so that the first run does not seem to take a second longer than the others."""
    load_kernels(cases)


def _stop_of(session: str) -> threading.Event:
    return _stops.setdefault(session, threading.Event())


def _sees(folder: str, session: str) -> bool:
    try:
        return (Path(folder) / session).read_text(encoding="utf-8") == session
    except OSError:
        return False


def version_differences(ours: dict[str, str], theirs: dict[str, str]) -> str:
    """The differences, such as "numpy 2.1.0 instead of 2.4.6"."""
    return ", ".join(
        f"{name} {theirs.get(name, '(none)')} instead of {ours.get(name, '(none)')}"
        for name in sorted(ours.keys() | theirs.keys())
        if ours.get(name) != theirs.get(name)
    )
