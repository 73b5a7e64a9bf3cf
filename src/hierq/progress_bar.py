"""A bar of progress: below a cell of a notebook, on a terminal, or elsewhere as a line on stderr now and then."""

import html
import sys
import time
from collections.abc import Callable
from typing import Any, Self

from hierq.wording import duration

SECONDS_BETWEEN_UPDATES = 0.2
SECONDS_BETWEEN_LINES = 5.0
BAR = 24  # characters


class ProgressBar:
    """Shows how many pieces of work are done, and how long the rest will take.

    with ProgressBar("episodes", 50) as progress:
        progress.advance("latest evaluation 24 steps")
    """

    def __init__(self, noun: str, total: int, done: int = 0) -> None:
        """Starts at what is done already."""
        self._noun, self._total, self._done, self._first = noun, total, done, done + 1
        self._begun = self._shown = time.monotonic()
        self._cell = _notebook_cell()
        self._is_redrawn = self._cell is not None or sys.stderr.isatty()
        if self._is_redrawn:
            self._show("")

    def __enter__(self) -> Self:
        return self

    def advance(self, note: str = "") -> None:
        """One more piece is done. The rate is that of the pieces after the first, which may wait for a compiler."""
        self._done += 1
        if self._done == self._first:
            self._begun = time.monotonic()
        pause = SECONDS_BETWEEN_UPDATES if self._is_redrawn else SECONDS_BETWEEN_LINES
        if time.monotonic() - self._shown >= pause or (self._is_redrawn and self._done == self._total):
            self._show(note)

    def __exit__(self, *problem: object) -> None:
        if self._is_redrawn and self._cell is None:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def _show(self, note: str) -> None:
        self._shown = time.monotonic()
        rate = max(self._done - self._first, 0) / max(self._shown - self._begun, 1e-9)
        left = (self._total - self._done) / rate if rate else 0.0
        speed = f"{rate:,.1f} a second, {duration(left)} left" if left else ""
        words = ", ".join(part for part in (f"{self._done:,} of {self._total:,} {self._noun}", note, speed) if part)
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
