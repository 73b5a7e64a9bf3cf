"""The command `hierq`, outside the package: whoever presses Ctrl-C while that is loaded shall see no traceback."""

import signal
import sys
from typing import Any

INTERRUPTED = 130
STOPS = (signal.SIGINT, signal.SIGTERM)


def main() -> int:
    """Runs the command of this process; Ctrl-C, however often and however early, ends it with the same exit code."""
    heard: list[signal.Signals] = []
    try:
        stopped: list[int] = []
        heard += [number for number in STOPS if signal.getsignal(number) is not signal.SIG_IGN]
        _handle(heard, lambda number, _: stopped.append(number))
        from hierq.cli import main as run_command

        _handle(heard, signal.default_int_handler)
        if not stopped:
            return run_command()
    except KeyboardInterrupt:  # in the moments before that is heard, or before the command begins
        pass
    finally:
        _handle(heard, signal.SIG_IGN)  # there is nothing left to stop
    print("hierq: stopped", file=sys.stderr)
    return INTERRUPTED


def _handle(numbers: list[signal.Signals], handler: Any) -> None:
    for number in numbers:
        signal.signal(number, handler)
