"""Progress on stderr: a live line on a terminal, otherwise a plain line now and then."""

import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from hierq.agents.config import AgentConfig

SECONDS_BETWEEN_LINES = 2.0


def say(text: str) -> None:
    """Prints a message to stderr, apart from the results."""
    print(text, file=sys.stderr, flush=True)


def say_if_compiling(kernels: "Mapping[str, AgentConfig]", seconds_ahead: float = 0.0) -> None:
    """Says which kernels have to be compiled first, and which functions of the user's are called by their addresses.

    Args:
        kernels: kinds of kernels, each with a configuration that needs it.
        seconds_ahead: as for `kernel_needed`.
    """
    from hierq.compiling.checking import announce_kernel, kernel_needed

    for kind, config in kernels.items():
        announce_kernel(kind, kernel_needed(kind, config.functions, seconds_ahead), config.functions, say)


class ProgressLine:
    """Counts finished pieces of work, with a note about the latest.

    with ProgressLine("training", 50) as progress:
        progress.advance("evaluation 24 steps")
    """

    def __init__(self, what: str, total: int, now: Callable[[], str] | None = None) -> None:
        """Begins at 0; `now` is called again and again for a note about the current piece, which may take long."""
        self._what, self._total, self._done, self._now = what, total, 0, now
        self._spoken = time.monotonic()
        self._live: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                RenderableColumn,
                TextColumn,
                TimeRemainingColumn,
            )

            self._live = Progress(
                TextColumn("{task.description}"),
                BarColumn(bar_width=24),
                MofNCompleteColumn(),
                TextColumn("{task.fields[note]}"),
                TimeRemainingColumn(compact=True),
                *([] if self._now is None else [RenderableColumn(_Asked(self._now))]),
                console=Console(stderr=True),
                transient=True,
            )
            self._live.start()
            self._task = self._live.add_task(self._what, total=self._total, note="")
        return self

    def advance(self, note: str = "") -> None:
        """One more piece is done."""
        self._done += 1
        if self._live is not None and self._task is not None:
            self._live.update(self._task, advance=1, note=note)
        elif time.monotonic() - self._spoken >= SECONDS_BETWEEN_LINES:
            self._spoken = time.monotonic()
            say(f"{self._what}: {self._done:,} of {self._total:,}{', ' if note else ''}{note}")

    def __exit__(self, *problem: object) -> None:
        if self._live is not None:
            self._live.stop()


class _Asked:
    """Text that is computed whenever it is shown."""

    def __init__(self, words: Callable[[], str]) -> None:
        self._words = words

    def __rich__(self) -> str:
        return self._words()
