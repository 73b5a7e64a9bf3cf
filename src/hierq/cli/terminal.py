"""The terminal of a command: its width, its colours, and messages apart from the results."""

import os
import shutil
import sys
from collections.abc import Callable

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
