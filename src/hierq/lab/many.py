"""Many seeds at once: both configurations on all cores, with the mean of what is finished so far."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.lab.messages import AboutAPair, Many
from hierq.statistics import curve_band
from hierq.studies import Case, Protocol, Run

SECONDS_BETWEEN_REPORTS = 0.25

Floats = npt.NDArray[np.float64]


def mean_and_band(steps: npt.NDArray[Any]) -> tuple[Floats, Floats, Floats]:
    """The mean over seeds of steps [seeds, iterations] and its 95 % band, which is nowhere below one step."""
    band = curve_band(steps)
    return band.estimate, np.maximum(band.low, 1.0), np.maximum(band.high, 1.0)


class ManySeeds(threading.Thread):
    """Runs of two configurations with seeds 0, 1, …, several at a time; the same runs a study of them would do."""

    def __init__(
        self,
        opened: AboutAPair,
        wanted: Many,
        threads: int,
        report: Callable[[dict[str, Any]], None],
        failed: Callable[[str], None],
        ended: Callable[[], None],
    ) -> None:
        """Prepares the runs; `start` starts them.

        Args:
            opened: the world and the configurations.
            wanted: how many runs of each, and how long.
            threads: how many runs are done at a time.
            report: is told what is done so far of each agent, a few times a second and at the end.
            failed: gets words about a run that could not be done; the others are ended then.
            ended: called when the last run has ended.
        """
        super().__init__(name="many", daemon=True)
        cases = [Case(opened.world, config, Protocol(wanted.iterations)) for config in opened.agents]
        self._runs = [(number, Run(case, seed)) for seed in range(wanted.seeds) for number, case in enumerate(cases)]
        self._wanted, self._threads = wanted, threads
        self._done: list[list[list[int]]] = [[], []]  # evaluation steps of the finished runs of each agent
        self._stopped = threading.Event()
        self._report, self._failed, self._ended = report, failed, ended

    def stop(self) -> None:
        """Ends the runs soon; a last report tells what was finished."""
        self._stopped.set()

    def run(self) -> None:
        """Does the runs, and reports."""
        problem = ""
        try:
            with ThreadPoolExecutor(self._threads, "many") as pool:
                problem = self._wait_for([pool.submit(self._do, number, run) for number, run in self._runs])
        finally:
            self._ended()
            self._report_now(finished=True)
            if problem:
                self._failed(problem)

    def _do(self, number: int, run: Run) -> None:
        from hierq.studies.runs import do_run

        row = None if self._stopped.is_set() else do_run(run, self._stopped)
        if row is not None:  # else it was stopped
            self._done[number].append(row["evaluation"])

    def _wait_for(self, pending: list[Future[None]]) -> str:
        """Reports until all runs have ended; returns what went wrong, in words."""
        reported = time.monotonic()
        while pending:
            ended, waiting = wait(pending, SECONDS_BETWEEN_REPORTS / 4, FIRST_EXCEPTION)
            pending = list(waiting)
            for problem in filter(None, (future.exception() for future in ended)):
                self.stop()
                return f"a run failed ({type(problem).__name__}): {problem}"
            if pending and time.monotonic() - reported >= SECONDS_BETWEEN_REPORTS:
                reported = time.monotonic()
                self._report_now(finished=False)
        return ""

    def _report_now(self, finished: bool) -> None:
        for number, rows in enumerate(self._done):
            steps = np.array(rows.copy())  # runs go on being added
            if len(steps) or finished:
                band = mean_and_band(steps) if len(steps) else (np.zeros(0),) * 3
                curves = {name: curve.tolist() for name, curve in zip(("mean", "low", "high"), band, strict=True)}
                counts = {"done": len(steps), "planned": self._wanted.seeds, "finished": finished}
                self._report({"tell": "many", "agent": number, **counts, **curves})
