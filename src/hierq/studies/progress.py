"""The progress of a study: who is told of it, and a bar in a notebook, on a terminal, or as lines on stderr."""

import html
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Self

from hierq.studies.study import Run, Study
from hierq.wording import duration

SECONDS_BETWEEN_UPDATES = 0.2
SECONDS_BETWEEN_LINES = 5.0
BAR = 24  # characters


class Watch:
    """Is told of the progress of a study, in the thread that runs it; this one ignores it all."""

    def begin(self, study: Study, pending: Sequence[Run], present: int) -> None:
        """The study starts: the pending runs are to be done, and this many runs were finished before."""

    def finished(self, case_id: str, seconds: float) -> None:
        """A run of a case is finished, after this many seconds."""

    def refused(self, case_id: str, reason: str) -> None:
        """The runs of a case are left out."""


def refuse(refused: dict[str, str], watch: Watch, case_id: str, reason: str) -> None:
    """Leaves a case out, and reports it once."""
    if case_id not in refused:
        refused[case_id] = reason
        watch.refused(case_id, reason)


class ProgressBar(Watch):
    """Shows how many runs are done, and how long the rest will take.

    with ProgressBar() as bar:
        run_study(study, out, watch=bar)
    """

    def __init__(self) -> None:
        self._total = self._done = 0
        self._begun = self._shown = time.monotonic()
        self._cell = _notebook_cell()
        self._is_redrawn = self._cell is not None or sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def begin(self, study: Study, pending: Sequence[Run], present: int) -> None:
        """Starts at what is there already."""
        self._total, self._done = present + len(pending), present
        self._first, self._begun = present + 1, time.monotonic()
        self._show("")

    def finished(self, case_id: str, seconds: float) -> None:
        """One more run is done. The rate is that of the runs after the first, which may have waited for a compiler."""
        self._done += 1
        if self._done == self._first:
            self._begun = time.monotonic()
        if time.monotonic() - self._shown >= (SECONDS_BETWEEN_UPDATES if self._is_redrawn else SECONDS_BETWEEN_LINES):
            self._update()

    def refused(self, case_id: str, reason: str) -> None:
        """Says that a case is left out."""
        print(f"left out: {case_id}: {reason}", file=sys.stderr, flush=True)

    def __exit__(self, *problem: object) -> None:
        if self._total:
            self._update()
        if self._is_redrawn and sys.stderr.isatty():
            print(file=sys.stderr)

    def _update(self) -> None:
        self._shown = time.monotonic()
        rate = max(self._done - self._first, 0) / max(self._shown - self._begun, 1e-9)
        left = (self._total - self._done) / rate if rate else 0.0
        self._show(f", {rate:,.1f} a second, {duration(left)} left" if left else "")

    def _show(self, note: str) -> None:
        words = f"{self._done:,} of {self._total:,} runs{note}"
        if self._cell is not None:
            size = f'value="{self._done}" max="{self._total}"'
            self._cell(f'<progress {size} style="width: 16em"></progress> {html.escape(words)}')
        elif self._is_redrawn:
            print(f"\r{bar(self._done, self._total)} {words}\033[K", end="", file=sys.stderr, flush=True)
        else:
            print(words, file=sys.stderr, flush=True)


def bar(done: int, total: int) -> str:
    """A bar of characters, as full as the share that is done."""
    filled = BAR * done // max(total, 1)
    return f"{'█' * filled}{'·' * (BAR - filled)}"


def _notebook_cell() -> Callable[[str], object] | None:
    """Shows HTML below the running cell of a notebook; None if this is no notebook."""
    shell = sys.modules.get("IPython")
    if shell is None or not hasattr(shell.get_ipython(), "kernel"):
        return None
    import IPython.display as notebook

    page: Any = notebook
    cell = page.display(page.HTML(""), display_id=True)
    return lambda content: cell.update(page.HTML(content))
