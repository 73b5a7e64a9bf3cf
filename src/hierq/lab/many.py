"""Many seeds at once: both configurations on all cores, with the mean of what is finished so far."""

import math
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.lab.frames import many_frame
from hierq.lab.messages import AboutAPair, Many
from hierq.studies import Case, Protocol, Run

SECONDS_BETWEEN_REPORTS = 0.25
WIDTH = 1.96  # standard errors on each side: 95 % of a normal distribution

Floats = npt.NDArray[np.float64]


def mean_and_band(steps: npt.NDArray[Any]) -> tuple[Floats, Floats, Floats]:
    """The mean over seeds of steps [seeds, iterations], and a 95 % band of that mean.

    The band is the normal approximation of the logarithm of the mean: with m the mean and e its standard error, ln m
    has about the error e / m, so the band is m · exp(± 1.96 e / m). It stays above 0 and is symmetric on a log axis.
    """
    mean = steps.mean(axis=0)
    error = steps.std(axis=0, ddof=1) / math.sqrt(len(steps)) if len(steps) > 1 else np.zeros_like(mean)
    spread = np.exp(WIDTH * error / mean)
    return mean, mean / spread, mean * spread


class ManySeeds:
    """Runs of two configurations with seeds 0, 1, … in threads; the same runs a study of them would do."""

    def __init__(
        self,
        opened: AboutAPair,
        wanted: Many,
        threads: int,
        report: Callable[[bytes], None],
        failed: Callable[[str], None],
        ended: Callable[[], None],
    ) -> None:
        """Prepares the runs; `begin` starts them.

        Args:
            opened: the world and the configurations.
            wanted: how many runs of each, and how long; every report answers it.
            threads: how many runs are done at a time.
            report: gets the frames, a few times a second and at the end.
            failed: gets words about a run that could not be done; the others are ended then.
            ended: called when the last thread has ended.
        """
        cases = [Case(opened.world, config, Protocol(wanted.iterations)) for config in opened.agents]
        runs = [(number, Run(case, seed)) for seed in range(wanted.seeds) for number, case in enumerate(cases)]
        self._todo, self._wanted = iter(runs), wanted  # threads may share the iterator of a list
        self._done: list[list[list[int]]] = [[], []]  # evaluation steps of the finished runs of each agent
        self._stop, self._problem = threading.Event(), ""
        self._report, self._failed, self._ended = report, failed, ended
        self._workers = [
            threading.Thread(target=self._work, name=f"many-{number}", daemon=True) for number in range(threads)
        ]
        self._reporter = threading.Thread(target=self._report_often, name="many-report", daemon=True)

    def begin(self) -> None:
        """Starts the runs; returns at once.

        Raises:
            RuntimeError: the machine has no more threads; what was started ends soon.
        """
        try:
            for thread in (*self._workers, self._reporter):
                thread.start()
        except RuntimeError:
            self.stop()
            raise

    def stop(self) -> None:
        """Ends the runs soon; a last report tells what was finished."""
        self._stop.set()

    @property
    def is_running(self) -> bool:
        """Whether its last report is still to come."""
        return self._reporter.is_alive()

    def wait(self, seconds: float | None = None) -> None:
        """Waits for the end; at most this many seconds, if a number is given."""
        self._reporter.join(seconds)

    def _work(self) -> None:
        from hierq.studies.runs import do_run

        try:
            for number, run in self._todo:
                row = do_run(run, self._stop)
                if row is None:  # it was stopped
                    return
                self._done[number].append(row["evaluation"])
        except Exception as problem:  # whatever it is, the page must not take it for success
            self._problem = f"a run failed ({type(problem).__name__}): {problem}"
            self.stop()

    def _report_often(self) -> None:
        reported = time.monotonic()
        while any(worker.is_alive() for worker in self._workers):
            for worker in self._workers:
                worker.join(SECONDS_BETWEEN_REPORTS / 8)
            if time.monotonic() - reported >= SECONDS_BETWEEN_REPORTS:
                reported = time.monotonic()
                self._report_now(finished=False)
        self._ended()
        self._report_now(finished=True)
        if self._problem:
            self._failed(self._problem)

    def _report_now(self, finished: bool) -> None:
        for number, rows in enumerate(self._done):
            steps = np.array(rows.copy())  # runs go on being added
            if len(steps) or finished:
                band = mean_and_band(steps) if len(steps) else (np.zeros(0),) * 3
                self._report(many_frame(number, len(steps), self._wanted.seeds, band, finished, self._wanted.id))
