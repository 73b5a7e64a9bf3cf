"""Messages and progress of a running command, and the width and the colours of its terminal.

Progress goes to stderr: a line that is drawn again and again on a terminal, otherwise a plain line now and then.
"""

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Self

from hierq.wording import duration

if TYPE_CHECKING:
    from hierq.compiling.user_function import UserFunction

SECONDS_BETWEEN_LINES = 2.0
SECONDS_BETWEEN_UPDATES = 0.2
INCOMPLETE = 1  # the exit code if something was left out or is wrong, as the output says
INTERRUPTED = 130  # what a shell reports after Ctrl-C
# Of agents by their number of levels, and of levels: those of the terminal's own palette, which suit its background.
LEVEL_CODES = ("1", "35", "94", "33")  # bold, magenta, bright blue, yellow


def columns() -> int:
    """How wide the terminal is."""
    from hierq.figures.terminal import COLUMNS  # not at the top: --help is to be quick

    return shutil.get_terminal_size((COLUMNS, 24)).columns


def level_paint() -> Callable[[int, str], str] | None:
    """A function that colours a text by a number of levels; None where there are no colours, as in a file."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        return None
    return lambda levels, text: f"\x1b[{LEVEL_CODES[(levels - 1) % len(LEVEL_CODES)]}m{text}\x1b[0m"


def say(text: str) -> None:
    """Prints a message to stderr, apart from the results."""
    print(text, file=sys.stderr, flush=True)


def say_if_compiling(*kinds: str, at_once: int = 1, functions: "Iterable[UserFunction]" = ()) -> None:
    """Says which kernels have to be compiled first, and which functions of the user's are called by their addresses.

    Args:
        kinds: the kinds of kernels that are needed.
        at_once: how many are compiled at the same time.
        functions: those that are called by their addresses as long as there is no kernel for them.
    """
    from hierq.compiling.by_address import SECONDS, announce_kernel, kernel_needed
    from hierq.compiling.decorators import is_compiled

    cold = [kind for kind in kinds if not is_compiled(kind)]
    if len(cold) > 2:
        time_needed = duration(len(cold) * SECONDS / at_once)
        say(f"compiling {len(cold)} kinds of kernels first (about {time_needed}; kept for the next time) …")
        return
    for kind in cold:
        announce_kernel(kind, kernel_needed(kind, functions), functions, say)


class ProgressLine:
    """Counts finished pieces of work, with a note about the latest.

    with ProgressLine("training", 50) as progress:
        progress.advance("evaluation 24 steps")
    """

    def __init__(self, what: str, total: int, now: Callable[[], str] = str) -> None:
        """Begins at 0; `now` is called again and again for a note about the current piece, which may take long."""
        self._what, self._total, self._done, self._now = what, total, 0, now
        self._note = ""
        self._spoken = time.monotonic()
        self._ended = threading.Event()
        self._drawing = threading.Thread(target=self._draw, daemon=True) if sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        if self._drawing is not None:
            self._drawing.start()
        return self

    def advance(self, note: str = "") -> None:
        """One more piece is done."""
        self._done += 1
        self._note = note
        if self._drawing is None and time.monotonic() - self._spoken >= SECONDS_BETWEEN_LINES:
            self._spoken = time.monotonic()
            say(self._words())

    def _words(self) -> str:
        parts = [f"{self._what}: {self._done:,} of {self._total:,}", self._note, self._now()]
        return ", ".join(part for part in parts if part)

    def _draw(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN_UPDATES):
            print(f"\r{self._words()}\033[K", end="", file=sys.stderr, flush=True)

    def __exit__(self, *problem: object) -> None:
        if self._drawing is not None:
            self._ended.set()
            self._drawing.join()
            print("\r\033[K", end="", file=sys.stderr, flush=True)
