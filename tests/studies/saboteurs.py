"""What workers of a test do besides computing; a module of its own, so that workers can import it."""

import os
import signal
import threading
import time

import polars as pl

from hierq.studies.batches import Batch
from hierq.studies.runs import compute_batch


def count_and_take_time(
    batch: Batch, stop: threading.Event, refused: dict[str, str], log: str, seconds: float
) -> pl.DataFrame:
    """Leaves a line for every batch that is begun, and makes it last."""
    with open(log, "a", encoding="utf-8") as file:
        file.write(f"{batch.name}\n")
    time.sleep(seconds)
    return compute_batch(batch, stop, refused)


def die_of(batch: Batch, stop: threading.Event, refused: dict[str, str], case: str) -> pl.DataFrame:
    """Ends as the system ends a process that takes too much memory, if a certain case is in the batch."""
    if any(run.case.id == case for run in batch.runs):
        os.kill(os.getpid(), signal.SIGKILL)
    return compute_batch(batch, stop, refused)
