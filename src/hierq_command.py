"""The command `hierq`. It lies outside the package, so that Ctrl-C while the package is loading shows no traceback."""

import signal
import sys
import threading
from types import FrameType
from typing import Any

INTERRUPTED = 130
STOPS = (signal.SIGINT, signal.SIGTERM)
SECONDS_UNTIL_AGAIN = 0.05


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

    main_thread = threading.get_ident()
    tell_unraisable = sys.unraisablehook

    def stop_again(unraisable: Any) -> None:
        """Repeats an interrupt that Python dropped: it came in `__del__`, or in a callback from C or of a weakref."""
        nonlocal is_loaded
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            tell_unraisable(unraisable)
        elif is_loaded:
            is_loaded = False  # another interrupt would be dropped, too, until this function returns
            again = threading.Timer(SECONDS_UNTIL_AGAIN, _send, (main_thread, heard[0]))
            again.daemon = True
            again.start()
            is_loaded = True

    try:
        heard += [number for number in STOPS if signal.getsignal(number) is not signal.SIG_IGN]
        _handle(heard, stop)
        sys.unraisablehook = stop_again
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


def _send(thread: int, number: signal.Signals) -> None:
    """Sends a signal to a thread, so that it also ends a wait there; on Windows, to the process."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread, number)
    else:
        signal.raise_signal(number)
