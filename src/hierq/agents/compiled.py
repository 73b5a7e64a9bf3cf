"""How the kernels are compiled: four decorators and a cache that notices edited sources.

Kernels are plain functions over arrays. `kernel` marks one that is called from Python, `separate` a large part of it,
`inlined` a helper that melts into its caller, `pasted` one that is copied into its caller before that is compiled. All
are compiled without the GIL and without Numba's reference counting (`_nrt=False`): a kernel allocates nothing and owns
nothing, so counting references to the arrays it was lent would cost more than the learning itself.

Numba caches compiled code per source file and does not notice when a helper in another file changed. So the cache
lives in a folder named after a hash of all kernel sources; nothing in it is ever stale.

The address of an array and its length are all a kernel knows; `make test-bounds` runs the tests with every index
checked.
"""

import hashlib
import os
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
    "places",
    "randomness",
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
    digest.update(f"{numba.__version__} bounds={config.BOUNDSCHECK}".encode())
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


def is_warm() -> bool:
    """Whether the compiled `run` is waiting in the cache; else the first call compiles it."""
    return not JIT or (CACHE_FOLDER is not None and any(CACHE_FOLDER.rglob("control.run-*.nbc")))


def _compile(function: Function, **options: Any) -> Function:
    previous, config.CACHE_DIR = config.CACHE_DIR, str(CACHE_FOLDER or "")
    try:
        compiled: Function = numba.njit(nogil=True, error_model="numpy", _nrt=False, **options)(function)
    finally:
        config.CACHE_DIR = previous
    return compiled


def kernel(function: Function) -> Function:
    """Compile a function that is called from Python; what it calls is kept in the cache with it."""
    return _compile(function, cache=CACHE_FOLDER is not None)


def separate(function: Function) -> Function:
    """Compile a part of a kernel that stays a function of its own."""
    return _compile(function)


def inlined(function: Function) -> Function:
    """Compile a small helper into each of its callers."""
    return _compile(function, forceinline=True)


def pasted(function: Function) -> Function:
    """Paste a part of a kernel into its callers before they are compiled: saves compiling it by itself."""
    return _compile(function, inline="always")
