"""Loads or compiles the kernels in the background, so that the page does not wait for them."""

import threading
from collections.abc import Callable
from typing import Literal

State = Literal["loading", "compiling", "ready", "broken"]
STATES: dict[State, str] = {
    "loading": "loading the compiled agents",
    "compiling": "compiling (about half a minute)",
    "ready": "ready",
    "broken": "the agents could not be compiled; run `hierq run rooms-example` to see why",
}


class Kernels:
    """Loads Numba and the kernels in a thread, compiling them where no cache has them; `state` says how far it is."""

    def __init__(self) -> None:
        self.state: State = "loading"
        self._listeners: set[Callable[[State], None]] = set()
        self._over = threading.Event()
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Starts to get them ready; returns at once."""
        threading.Thread(target=self._get_ready, name="kernels", daemon=True).start()

    def wait(self) -> bool:
        """Waits until they are ready; False if they never will be."""
        self._over.wait()
        return self.state == "ready"

    def listen(self, listener: Callable[[State], None]) -> None:
        """Calls a function with the state now, unless all is ready, and whenever it changes."""
        with self._lock:
            self._listeners.add(listener)
            if self.state != "ready":
                listener(self.state)

    def forget(self, listener: Callable[[State], None]) -> None:
        """Ends `listen`."""
        with self._lock:
            self._listeners.discard(listener)

    def _get_ready(self) -> None:
        try:
            from hierq.agents.precompile import USUAL, compile_kernels, kinds_of
            from hierq.tables.compiled import is_compiled

            if not all(is_compiled(kind) for kind in kinds_of(USUAL)):
                self._change("compiling")
            compile_kernels()
        except BaseException:
            self._change("broken")
            raise
        else:
            self._change("ready")
        finally:
            self._over.set()

    def _change(self, state: State) -> None:
        with self._lock:
            self.state = state
            for listener in self._listeners:
                listener(state)
