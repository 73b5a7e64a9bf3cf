"""What a worker of a Dask cluster does: the runs of a batch, and their file if it sees the folder of results."""

import functools
import logging
import pickle
import platform
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import gymnasium
import polars as pl

from hierq.agents import KERNEL_VERSION
from hierq.errors import InputError
from hierq.studies.batches import cases_of, file_name
from hierq.studies.rows import sound_frame, versions
from hierq.studies.runs import load_kernels
from hierq.studies.store import Store
from hierq.studies.study import Run

SAME_VERSIONS = "install the same versions on the client and on all workers"
Compute = Callable[[Sequence[Run], threading.Event, dict[str, str]], pl.DataFrame]


@dataclass(frozen=True)
class BatchResult:
    """What a worker sends back."""

    rows: pl.DataFrame  # the results; only ids and seconds if the worker has written them itself
    written: bool  # whether it has
    refused: dict[str, str]  # cases that do not fit into its memory, with the reason


_stops: dict[str, threading.Event] = {}
# Once per process, so that the first run does not seem to take a second longer than the others.
_load_kernels = functools.cache(load_kernels)


def work(content: bytes, folder: str, mark: str, client_versions: dict[str, str]) -> BatchResult:
    """Does a batch on a worker, and writes its file if the worker sees the folder of results.

    Args:
        content: the runs and the function that does them; so the worker can say what it cannot load of it.
        folder: of results, as the client sees it.
        mark: of the coordinator; the folder says it as well.
        client_versions: what the client has installed.
    """
    from distributed import get_worker

    where = get_worker().address
    if different := version_differences(client_versions, installed_versions()):
        raise InputError(f"the worker {where} has {different}; {SAME_VERSIONS}")
    runs, compute = _load(content, where)
    store = Store(folder)
    written = store.writer() == mark
    refused: dict[str, str] = {}
    # The worker that had this batch before may have been killed just after it had written its file.
    frame = sound_frame(store.runs_folder / file_name(run.key for run in runs)) if written else None
    if frame is None:
        _load_kernels(frozenset(cases_of(runs)))
        frame = compute(runs, _stop_of(mark), refused)
        if written:
            store.commit(frame)
    return BatchResult(frame.select("id", "seconds") if written else frame, written, refused)


def _load(content: bytes, where: str) -> tuple[Sequence[Run], Compute]:
    """The runs of a job, and the function that does them; a user's own parts are imported."""
    try:
        runs, compute = pickle.loads(content)
    except Exception as problem:
        raise InputError(
            f"the worker {where} cannot load what this study uses ({type(problem).__name__}: {problem}); put the files "
            "with your own functions where all workers can import them"
        ) from None
    return runs, compute


def installed_versions() -> dict[str, str]:
    """Versions of everything that results may depend on, and of everything that sends them."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {**versions(), "gymnasium": gymnasium.__version__, "kernels": str(KERNEL_VERSION), "Python": python}


def stop_work(mark: str) -> None:
    """Tells the batches of a coordinator on this worker to end early; runs that are finished are kept."""
    _stop_of(mark).set()


def settle_worker() -> None:
    """Makes a worker that we started leave Ctrl-C to the client, and stay quiet when its peers disconnect."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _stop_of(mark: str) -> threading.Event:
    return _stops.setdefault(mark, threading.Event())


def version_differences(ours: dict[str, str], theirs: dict[str, str]) -> str:
    """The differences, such as "numpy 2.1.0 instead of 2.4.6"."""
    return ", ".join(
        f"{name} {theirs.get(name, '(none)')} instead of {ours.get(name, '(none)')}"
        for name in sorted(ours.keys() | theirs.keys())
        if ours.get(name) != theirs.get(name)
    )
