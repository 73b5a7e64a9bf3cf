"""Ctrl-C where it must not interrupt: while results are saved, and while processes start."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator


def ctrl_c_calls(tell: Callable[[], None]) -> contextlib.AbstractContextManager[None]:
    """Inside, Ctrl-C interrupts nothing, however often it is pressed; it calls `tell`."""
    return _handler(lambda *_: tell())


def ctrl_c_ignored() -> contextlib.AbstractContextManager[None]:
    """Inside, Ctrl-C does nothing, and processes that are started here will not hear it either."""
    return _handler(signal.SIG_IGN)


@contextlib.contextmanager
def _handler(handler: Callable[..., None] | signal.Handlers) -> Iterator[None]:
    # Only the main thread may change handlers, and only it is interrupted. What is ignored already stays so.
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
