"""The command `hierq`. It lies outside the package, so that Ctrl-C while the package is loading shows no traceback."""

import signal
import sys
from types import FrameType
from typing import Any

INTERRUPTED = 130
STOPS = (signal.SIGINT, signal.SIGTERM)


def main() -> int:
    """Runs the command of this process; Ctrl-C, however often and however early, ends it with the same exit code."""
    heard: list[signal.Signals] = []
    stopped: list[int] = []
    is_loaded = False

    def stop(number: int, frame: FrameType | None) -> None:
        """Interrupts the command, and nothing else: not what is loaded for it, nor what is done here when it ends."""
        stopped.append(number)
        if is_loaded and frame is not None and frame.f_globals is not globals():
            raise KeyboardInterrupt

    try:
        heard += [number for number in STOPS if signal.getsignal(number) is not signal.SIG_IGN]
        _handle(heard, stop)
        from hierq.cli import main as run_command

        is_loaded = True
        if not stopped:
            return run_command()
    except KeyboardInterrupt:  # in the moments before that is heard, or while the command ends
        pass
    except Exception:  # Ctrl-C while a module in C is loaded comes out as another error
        if not stopped:
            raise
    finally:
        is_loaded = False  # there is nothing left to stop
        if hasattr(signal, "pthread_sigmask"):  # so that none comes while handlers are exchanged, which Python tells
            signal.pthread_sigmask(signal.SIG_BLOCK, heard)
        _handle(heard, signal.SIG_IGN)
    print("hierq: stopped", file=sys.stderr)
    return INTERRUPTED


def _handle(numbers: list[signal.Signals], handler: Any) -> None:
    for number in numbers:
        signal.signal(number, handler)
