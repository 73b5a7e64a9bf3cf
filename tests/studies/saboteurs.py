"""What workers of a test do besides computing; a module of its own, so that workers can import it."""

import os
import signal
import threading
import time

import polars as pl

from hierq.studies.batches import file_name
from hierq.studies.runs import compute_batch
from hierq.studies.study import Run


def count_and_take_time(
    runs: list[Run], stop: threading.Event, refused: dict[str, str], log: str, seconds: float
) -> pl.DataFrame:
    """Leaves a line for every batch that is begun, and makes it last."""
    with open(log, "a", encoding="utf-8") as file:
        file.write(f"{file_name(run.key for run in runs)}\n")
    time.sleep(seconds)
    return compute_batch(runs, stop, refused)


def die_of(runs: list[Run], stop: threading.Event, refused: dict[str, str], case: str) -> pl.DataFrame:
    """Ends as the system ends a process that takes too much memory, if a certain case is in the batch."""
    if any(run.case.id == case for run in runs):
        os.kill(os.getpid(), signal.SIGKILL)
    return compute_batch(runs, stop, refused)
