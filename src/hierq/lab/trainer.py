"""The thread that trains a page's pair of agents, so that the page gets its other answers meanwhile.

Everything that changes agents happens here, one thing after the other. When the page wants it fast, the agents train
in slices so short that the next thing does not wait for long.
"""

import queue
import threading
import time
from collections.abc import Callable
from functools import partial

from hierq.agents import AgentConfig
from hierq.errors import InputError
from hierq.lab.memory import COPIES, Memory, bytes_of
from hierq.lab.page_agent import PageAgent
from hierq.worlds import World

SLICE_SECONDS = 0.01  # of both agents together
MOST_UNSENT = 100_000  # iterations: how far the agents go on for a page that does not draw
SECONDS_BETWEEN_LOOKS = 0.05

Pair = tuple[PageAgent, PageAgent]
Job = Callable[[], None]


class Trainer:
    """A thread with a pair of agents."""

    def __init__(self, memory: Memory, most_waiting: int) -> None:
        """Starts the thread; `memory` is the budget of all pages, and at most `most_waiting` jobs may wait."""
        self._memory, self._taken = memory, 0
        self._jobs: queue.Queue[Job] = queue.Queue(most_waiting)
        self._closed = threading.Event()
        self._ending, self._lock = 0, threading.Lock()  # jobs that wait and end what runs
        self._pair: Pair | None = None
        self.is_fast, self._slice = False, 1  # whether the agents train on and on
        self._thread = threading.Thread(target=self._live, name="trainer", daemon=True)
        self._thread.start()

    @property
    def pair(self) -> Pair:
        """The agents.

        Raises:
            InputError: there are none yet.
        """
        if (pair := self._pair) is None:
            raise InputError("no world is open; open one first")
        return pair

    @property
    def is_closed(self) -> bool:
        """Whether it has been told to end."""
        return self._closed.is_set()

    def do(self, job: Job, ends: bool = False) -> None:
        """Does a job in the thread, after those that wait already; or cuts short what runs and waits before it.

        Raises:
            queue.Full: too many wait; nothing is cut short then.
        """
        with self._lock:
            self._jobs.put_nowait(partial(self._end_and_do, job) if ends else job)
            self._ending += ends

    def _end_and_do(self, job: Job) -> None:
        with self._lock:
            self._ending -= 1
        job()

    def close(self) -> None:
        """Ends the thread soon, and gives its memory back; returns at once."""
        self._closed.set()

    def join(self, seconds: float) -> bool:
        """Waits at most this many seconds until the thread has ended; returns whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    # -- jobs: to be called in the thread ---------------------------------------------------------------------------

    def open(self, world: World, configs: tuple[AgentConfig, AgentConfig], seed: int) -> None:
        """Makes a new pair; the old one is forgotten.

        Raises:
            InputError: the agents would take too much memory.
        """
        size = COPIES * sum(bytes_of(world, config) for config in configs)
        self._forget()
        self._memory.take(size)
        self._taken, self._slice = size, 1
        first, second = (PageAgent(number, world, config, seed) for number, config in enumerate(configs))
        self._pair = (first, second)

    def run(self, iterations: int, progress: Job | None = None) -> None:
        """Both agents, in step: training and evaluation in turn; the last training episode is recorded.

        A job that ends it, or the end of the thread, leaves out what is left but for that last one. `progress` is
        called again and again meanwhile.
        """
        self.is_fast, left = False, iterations - 1
        while left > 0 and not self._ending and not self.is_closed:
            left -= self._train_a_slice(left)
            if progress is not None:
                progress()
        for learner in self.pair:
            learner.alternate_recorded()

    def begin_fast(self) -> None:
        """From now on the agents train whenever there is nothing else to do."""
        self.is_fast = bool(self.pair)

    def end_fast(self) -> bool:
        """Ends it; returns whether it was fast."""
        was_fast, self.is_fast = self.is_fast, False
        return was_fast

    def _live(self) -> None:
        try:
            while not self.is_closed:
                job = self._next_job()
                if job is not None:
                    job()
                elif self._wants_to_train():
                    self._train_a_slice()
        finally:
            self._forget()

    def _next_job(self) -> Job | None:
        try:
            if self._wants_to_train():
                return self._jobs.get_nowait()
            return self._jobs.get(timeout=SECONDS_BETWEEN_LOOKS)
        except queue.Empty:
            return None

    def _wants_to_train(self) -> bool:
        return self.is_fast and self._pair is not None and self._pair[0].unsent < MOST_UNSENT

    def _train_a_slice(self, most: int = MOST_UNSENT) -> int:
        """Trains for a moment; returns the number of iterations."""
        begun, iterations = time.perf_counter(), min(self._slice, most)
        for learner in self.pair:  # in step, so that their curves can be compared
            learner.alternate(iterations)
        seconds = time.perf_counter() - begun
        if seconds > SLICE_SECONDS:
            self._slice = max(1, self._slice // 2)
        elif seconds < SLICE_SECONDS / 2 and iterations == self._slice:
            self._slice *= 2
        return iterations

    def _forget(self) -> None:
        self.is_fast, self._pair = False, None
        self._memory.give_back(self._taken)
        self._taken = 0
