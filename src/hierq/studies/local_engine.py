"""Threads over compiled runs: no server, no processes, nothing to install.

A compiled run holds no lock, so threads fill the cores. They take runs in the order of the batches, a few of a case at
a time; the thread that finishes the last run of a batch writes its file while the others go on. So at any time only the
current batch, and perhaps the one before, is unfinished.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby

from hierq.errors import InputError
from hierq.studies.batches import Batch, cases_of, cut
from hierq.studies.interrupts import ctrl_c_calls
from hierq.studies.plan import MEMORY_SHARE, expected_seconds
from hierq.studies.progress import Watch, refuse
from hierq.studies.rows import Row, as_frame
from hierq.studies.runs import NO_MEMORY, OnEpisode, do_run, memory_of
from hierq.studies.store import Store
from hierq.studies.study import Run
from hierq.tables.available_memory import memory_available

SHUTDOWN_SECONDS = 1.5  # seconds that threads have to abandon their runs when they are told to stop


class MemoryGate:
    """Lets as many agents live at a time as fit into memory."""

    def __init__(self, budget: int) -> None:
        self._free = self._budget = budget
        self._changed = threading.Condition()

    def enter(self, size: int, stop: threading.Event) -> None:
        """Waits until there is room."""
        with self._changed:
            # An agent larger than the whole budget may try when it is alone; it refuses itself then.
            while self._free < min(size, self._budget) and not stop.is_set():
                self._changed.wait(0.1)
            self._free -= size

    def leave(self, size: int) -> None:
        """Gives the room back."""
        with self._changed:
            self._free += size
            self._changed.notify_all()


@dataclass(eq=False)
class _Open:
    """A batch in progress: its finished rows, and how many runs are missing."""

    batch: Batch
    missing: int
    rows: list[Row] = field(default_factory=list)


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
        self._news: queue.SimpleQueue[Callable[[], object] | BaseException | None] = queue.SimpleQueue()
        self._open: set[_Open] = set()
        self._gate = MemoryGate(int(MEMORY_SHARE * memory_available()))

    def run(self, runs: Sequence[Run], workers: int) -> bool:
        """Does all runs; returns whether Ctrl-C ended it early, which keeps every finished run."""
        try:
            tasks = self._tasks(cut(runs, expected_seconds(cases_of(runs))), workers)
        except KeyboardInterrupt:
            return True
        # Daemons: a run in the middle of a very long episode must not delay the end of the program.
        threads = [
            threading.Thread(target=self._work, args=(tasks,), name=f"hierq-{number}", daemon=True)
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
                self._save_unfinished()

    def _tasks(self, batches: Sequence[Batch], workers: int) -> Iterator[tuple[_Open, list[Run]]]:
        """Several runs of a case go to one worker, which reuses its agent; small enough pieces for all workers."""
        most = max(1, sum(map(len, batches)) // (8 * workers))
        for batch in batches:
            at_hand = _Open(batch, len(batch))
            self._open.add(at_hand)
            for _, runs in groupby(batch.runs, key=lambda run: run.case):
                some = list(runs)
                for first in range(0, len(some), most):
                    yield at_hand, some[first : first + most]

    def _listen(self, working: int) -> None:
        while working:
            try:
                news = self._news.get(timeout=0.5)  # with a timeout, so that Ctrl-C is noticed on every system
            except queue.Empty:
                continue
            if news is None:
                working -= 1
            elif isinstance(news, BaseException):
                raise news
            else:
                news()

    def _work(self, tasks: Iterator[tuple[_Open, list[Run]]]) -> None:
        try:
            while not self._stop.is_set():
                with self._lock:
                    at_hand, runs = next(tasks, (None, []))
                if at_hand is None or not all(self._do(run, at_hand) for run in runs):
                    break
        except BaseException as problem:
            self._news.put(problem)
        finally:
            self._news.put(None)

    def _do(self, run: Run, at_hand: _Open) -> bool:
        """Does one run of a batch when there is room for it, and the file after the last; False if it was stopped."""
        row: Row | None = {}
        size = memory_of(run.case)
        self._gate.enter(size, self._stop)
        try:
            row = do_run(run, self._stop, self._tell)
        except (InputError, MemoryError) as problem:
            self._news.put(partial(refuse, self._refused, self._watch, run.case.id, str(problem) or NO_MEMORY))
        finally:
            self._gate.leave(size)
        if row is None:
            return False
        with self._lock:
            at_hand.missing -= 1
            if row:  # from here on it will be saved, whatever happens
                at_hand.rows.append(row)
                self._news.put(partial(self._watch.finished, row["id"], row["seconds"]))
            if at_hand.missing:
                return True
        self._store.commit(at_hand.batch, as_frame(at_hand.rows))
        with self._lock:
            self._open.remove(at_hand)
        return True

    def _save_unfinished(self) -> None:
        with self._lock:
            unfinished = [(at_hand.batch, list(at_hand.rows)) for at_hand in self._open]
        for batch, rows in unfinished:
            self._store.commit(batch, as_frame(rows))
