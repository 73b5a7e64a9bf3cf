"""Threads over compiled runs: no server, no processes, nothing to install.

A compiled run holds no lock, so threads fill the cores. They take a few runs of a case at a time. The thread that
called gathers what they have finished, and writes a file every few seconds.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby

from hierq.errors import InputError
from hierq.studies.batches import cases_of, is_full
from hierq.studies.interrupts import ctrl_c_calls
from hierq.studies.plan import threads_that_fit
from hierq.studies.progress import Watch, refuse
from hierq.studies.rows import Row, as_frame
from hierq.studies.runs import NO_MEMORY, OnEpisode, do_run, load_kernels
from hierq.studies.store import Store
from hierq.studies.study import Run

SHUTDOWN_SECONDS = 1.5  # seconds that threads have to abandon their runs when they are told to stop


class LocalEngine:
    """Does runs in threads.

    The thread that calls `run` reports every run to the watch and every episode to `on_episode`. `refused` receives the
    ids of cases that cannot be run, such as those that do not fit into memory, with the reason.
    """

    def __init__(
        self, store: Store, watch: Watch, refused: dict[str, str], on_episode: OnEpisode | None = None
    ) -> None:
        self._store, self._watch, self._refused = store, watch, refused
        self._tell = None if on_episode is None else lambda *news: self._news.put(partial(on_episode, *news))
        self._stop, self._lock = threading.Event(), threading.Lock()
        # Finished runs, what is to be called, an error, or None from a thread that has ended.
        self._news: queue.SimpleQueue[Row | Callable[[], object] | BaseException | None] = queue.SimpleQueue()
        self._unsaved: list[Row] = []
        self._saved = 0.0  # when a file was written last

    def run(self, runs: Sequence[Run], workers: int) -> bool:
        """Does all runs, in as many threads as have room for their agents; returns whether Ctrl-C ended it early."""
        cases = cases_of(runs)
        try:
            load_kernels(cases)
        except KeyboardInterrupt:
            return True
        workers = threads_that_fit(cases, workers)
        pieces = pieces_of(runs, workers)
        self._saved = time.monotonic()
        # Daemons: a run in the middle of a very long episode must not delay the end of the program.
        threads = [
            threading.Thread(target=self._work, args=(pieces,), name=f"hierq-{number}", daemon=True)
            for number in range(workers)
        ]
        with ctrl_c_calls(lambda: self._news.put(KeyboardInterrupt())):
            try:
                for thread in threads:
                    thread.start()
                self._listen(len(threads))
                return False
            except KeyboardInterrupt:
                return True
            finally:
                self._stop.set()
                deadline = time.monotonic() + SHUTDOWN_SECONDS
                for thread in threads:
                    thread.join(max(0.0, deadline - time.monotonic()))
                while not self._news.empty():
                    news = self._news.get()
                    self._unsaved += [news] if isinstance(news, dict) else []
                self._save()

    def _listen(self, working: int) -> None:
        while working:
            if self._unsaved and is_full(len(self._unsaved), time.monotonic() - self._saved):
                self._save()
            try:
                news = self._news.get(timeout=0.5)  # with a timeout, so that Ctrl-C is noticed on every system
            except queue.Empty:
                continue
            if news is None:
                working -= 1
            elif isinstance(news, BaseException):
                raise news
            elif isinstance(news, dict):
                self._unsaved.append(news)  # from here on it will be saved, whatever happens
                self._watch.finished(news["id"], news["seconds"])
            else:
                news()

    def _save(self) -> None:
        self._store.commit(as_frame(self._unsaved))
        self._unsaved, self._saved = [], time.monotonic()

    def _work(self, pieces: Iterator[list[Run]]) -> None:
        try:
            while not self._stop.is_set():
                with self._lock:
                    piece = next(pieces, None)
                if piece is None:
                    break
                for run in piece:
                    self._do(run)
        except BaseException as problem:
            self._news.put(problem)
        finally:
            self._news.put(None)

    def _do(self, run: Run) -> None:
        """Does a run, unless it is told to stop."""
        try:
            row = None if self._stop.is_set() else do_run(run, self._stop, self._tell)
        except (InputError, MemoryError) as problem:
            self._news.put(partial(refuse, self._refused, self._watch, run.case.id, str(problem) or NO_MEMORY))
        else:
            if row is not None:
                self._news.put(row)


def pieces_of(runs: Sequence[Run], workers: int) -> Iterator[list[Run]]:
    """Several runs of a case for a thread, which reuses its agent; small enough for all threads to get some."""
    most = max(1, len(runs) // (8 * workers))
    for _, group in groupby(runs, key=lambda run: run.case):
        some = list(group)
        for first in range(0, len(some), most):
            yield some[first : first + most]
