"""Ctrl-C and SIGTERM, which mean the same here, and how they are held off while results are saved."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator

STOPS = (signal.SIGINT, signal.SIGTERM)


def ctrl_c_calls(tell: Callable[[], None]) -> contextlib.AbstractContextManager[None]:
    """Inside, Ctrl-C interrupts nothing, however often it is pressed; it calls `tell`."""
    return _handler(lambda *_: tell())


def ctrl_c_ignored() -> contextlib.AbstractContextManager[None]:
    """Inside, Ctrl-C does nothing, and processes that are started here ignore it, too."""
    return _handler(signal.SIG_IGN)


def sigterm_is_ctrl_c() -> contextlib.AbstractContextManager[None]:
    """Inside, SIGTERM, with which batch systems end a job, interrupts as Ctrl-C does."""
    return _handler(signal.default_int_handler, (signal.SIGTERM,))


@contextlib.contextmanager
def _handler(
    handler: Callable[..., None] | signal.Handlers, numbers: tuple[signal.Signals, ...] = STOPS
) -> Iterator[None]:
    # Only the main thread may change handlers, and only it is interrupted. What is ignored already stays so.
    here = threading.current_thread() is threading.main_thread()
    numbers = tuple(number for number in numbers if here and signal.getsignal(number) not in (signal.SIG_IGN, None))
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
