"""The terminal that a command writes to: how wide it is, and which colours it has."""

import os
import shutil
import sys
from collections.abc import Callable

from hierq.figures.terminal import COLUMNS

# Of agents by their number of levels, and of levels: those of the terminal's own palette, which suit its background.
LEVEL_CODES = ("1", "35", "94", "33")  # bold, magenta, bright blue, yellow


def columns() -> int:
    """How wide the terminal is."""
    return shutil.get_terminal_size((COLUMNS, 24)).columns


def level_paint() -> Callable[[int, str], str] | None:
    """A function that colours a text by a number of levels; None where there are no colours, as in a file."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        return None
    return lambda levels, text: f"\x1b[{LEVEL_CODES[(levels - 1) % len(LEVEL_CODES)]}m{text}\x1b[0m"
