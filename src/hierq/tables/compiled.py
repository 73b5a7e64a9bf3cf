"""How the kernels are compiled: four decorators and a cache that notices edited sources.

Kernels are plain functions over arrays. `kernel` marks one that is called from Python, `separate` a large part of it,
`inlined` a helper that melts into its caller, `pasted` one that is copied into its caller before that is compiled. All
are compiled without the GIL and without Numba's reference counting (`_nrt=False`): a kernel allocates nothing and owns
nothing, so counting references to the arrays it was lent would cost more than the learning itself.

Numba caches compiled code per source file and does not notice when a helper in another file changed. So the cache
lives in a folder named after a hash of all kernel sources, and of what else the code depends on; nothing in it is ever
stale.

The address of an array and its length are all a kernel knows; `make test-bounds` runs the tests with every index
checked.
"""

import contextlib
import fcntl
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import config

Function = TypeVar("Function", bound=Callable[..., Any])

JIT = not config.DISABLE_JIT
KERNEL_SOURCES = (
    "choosing",
    "compiled",
    "control",
    "entries",
    "places",
    "randomness",
    "ranks",
    "rings",
    "rows",
    "settled",
    "tables",
    "traces",
    "tree_backup",
    "values",
)


def _cache_folder() -> Path | None:
    """Where compiled kernels are kept between runs, or None where nothing can be written."""
    digest = hashlib.sha256()
    for name in KERNEL_SOURCES:
        digest.update((Path(__file__).parent / f"{name}.py").read_bytes())
    python = sys.implementation.cache_tag
    digest.update(f"{__file__} {python} {numba.__version__} bounds={config.BOUNDSCHECK}".encode())
    home = os.environ.get("HIERQ_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "hierq"
    )
    folder = Path(home) / f"kernels-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


CACHE_FOLDER = _cache_folder() if JIT else None
_marked: set[str] = set()


def is_compiled(kind: str) -> bool:
    """Whether the kernels for a kind of tables are waiting in the cache; else the first call compiles them."""
    return not JIT or (CACHE_FOLDER is not None and _mark(CACHE_FOLDER, kind).exists())


def mark_compiled(kind: str) -> None:
    """Notes that the kernels for a kind of tables are in the cache; costs nothing the second time."""
    if CACHE_FOLDER is not None and kind not in _marked:
        _marked.add(kind)
        with contextlib.suppress(OSError):
            _mark(CACHE_FOLDER, kind).touch()


def _mark(folder: Path, kind: str) -> Path:
    return folder / f"{kind}.compiled"


def _save_alone(dispatcher: Any, folder: Path) -> None:
    """Makes processes that have compiled something wait for each other before they put it into the cache.

    Numba reads the index of the cache, adds a line and writes it back. Two processes at once would lose a line, or
    leave one that leads to the code of the other.
    """
    save = dispatcher._cache.save_overload

    def save_alone(*what: Any) -> None:
        with open(folder / "lock", "w") as lock:
            with contextlib.suppress(OSError):  # some network file systems have no locks
                fcntl.flock(lock, fcntl.LOCK_EX)  # until the file is closed
            save(*what)

    dispatcher._cache.save_overload = save_alone


def _compile(function: Function, **options: Any) -> Function:
    previous, config.CACHE_DIR = config.CACHE_DIR, str(CACHE_FOLDER or "")
    try:
        compiled: Function = numba.njit(nogil=True, error_model="numpy", _nrt=False, **options)(function)
    finally:
        config.CACHE_DIR = previous
    return compiled


def kernel(function: Function) -> Function:
    """Compile a function that is called from Python; what it calls is kept in the cache with it."""
    compiled = _compile(function, cache=CACHE_FOLDER is not None)
    if CACHE_FOLDER is not None:
        _save_alone(compiled, CACHE_FOLDER)
    return compiled


def separate(function: Function) -> Function:
    """Compile a part of a kernel that stays a function of its own."""
    return _compile(function)


def inlined(function: Function) -> Function:
    """Compile a small helper into each of its callers."""
    return _compile(function, forceinline=True)


def pasted(function: Function) -> Function:
    """Paste a part of a kernel into its callers before they are compiled: saves compiling it by itself."""
    return _compile(function, inline="always")
