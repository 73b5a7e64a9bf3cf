"""A progress bar for a study: in a notebook, on a terminal, or as a line on stderr now and then."""

import html
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Self

from hierq.studies.study import Run, Study
from hierq.studies.watch import Watch
from hierq.wording import duration

SECONDS_BETWEEN_UPDATES = 0.2
SECONDS_BETWEEN_LINES = 5.0


class ProgressBar(Watch):
    """Shows how many runs are done, and how long the rest will take.

    with ProgressBar() as bar:
        run_study(study, out, watch=bar)
    """

    def __init__(self) -> None:
        self._total = self._done = 0
        self._begun = self._shown = time.monotonic()
        self._show, self._every = _display()

    def __enter__(self) -> Self:
        return self

    def begin(self, study: Study, pending: Sequence[Run], present: int) -> None:
        """Starts at what is there already."""
        self._total, self._done = present + len(pending), present
        self._first, self._begun = present + 1, time.monotonic()
        self._show(self._done, self._total, "")

    def finished(self, case_id: str, seconds: float) -> None:
        """One more run is done. The rate is that of the runs after the first, which may have waited for a compiler."""
        self._done += 1
        if self._done == self._first:
            self._begun = time.monotonic()
        if time.monotonic() - self._shown >= self._every:
            self._update()

    def refused(self, case_id: str, reason: str) -> None:
        """Says that a case is left out."""
        print(f"left out: {case_id}: {reason}", file=sys.stderr, flush=True)

    def _update(self) -> None:
        self._shown = time.monotonic()
        rate = max(self._done - self._first, 0) / max(self._shown - self._begun, 1e-9)
        left = (self._total - self._done) / rate if rate else 0.0
        self._show(self._done, self._total, f"{rate:,.1f} a second, {duration(left)} left" if left else "")

    def __exit__(self, *problem: object) -> None:
        if self._total:
            self._update()
        if self._every == SECONDS_BETWEEN_UPDATES and sys.stderr.isatty():
            print(file=sys.stderr)


def _display() -> tuple[Callable[[int, int, str], None], float]:
    """How progress is shown here, and how many seconds lie between two updates."""
    if (cell := _notebook_cell()) is not None:
        return cell, SECONDS_BETWEEN_UPDATES
    if sys.stderr.isatty():
        return lambda *now: print(
            f"\r{bar_text(*now)}\033[K", end="", file=sys.stderr, flush=True
        ), SECONDS_BETWEEN_UPDATES
    return lambda *now: print(_words(*now), file=sys.stderr, flush=True), SECONDS_BETWEEN_LINES


def _notebook_cell() -> Callable[[int, int, str], None] | None:
    """Shows progress below the running cell of a notebook; None if this is no notebook."""
    shell = sys.modules.get("IPython")
    if shell is None or not hasattr(shell.get_ipython(), "kernel"):
        return None
    import IPython.display as notebook

    page: Any = notebook
    cell = page.display(page.HTML(""), display_id=True)

    def show(done: int, total: int, note: str) -> None:
        words = html.escape(_words(done, total, note))
        cell.update(page.HTML(f'<progress value="{done}" max="{total}" style="width: 16em"></progress> {words}'))

    return show


def bar_text(done: int, total: int, note: str) -> str:
    """A bar of characters, how many runs are done, and a note."""
    filled = 24 * done // max(total, 1)
    return f"{'█' * filled}{'·' * (24 - filled)} {_words(done, total, note)}"


def _words(done: int, total: int, note: str) -> str:
    return f"{done:,} of {total:,} runs{', ' if note else ''}{note}"
