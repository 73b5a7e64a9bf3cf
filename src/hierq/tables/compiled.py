"""How kernels are compiled: four decorators and a cache that notices edited sources.

Kernels are plain functions over arrays. `kernel` marks one that is called from Python, `separate` a large part of it,
`inlined` a helper that melts into its caller, `pasted` one that is copied into its caller before that is compiled. All
are compiled without the GIL and without Numba's reference counting (`_nrt=False`): a kernel allocates nothing and owns
nothing, so counting references to the arrays it was lent would cost more than the learning itself. Helpers get no
wrapper by which Python could call them, because making those takes as long as compiling them.

Numba caches compiled code per source file and does not notice when a helper in another file changed. So the cache
lives in a folder named after a hash of all sources that a kernel can see: those of the module in which it stands, of
the modules that it imports, and so on. Nothing in it is ever stale.

The address of an array and its length are all a kernel knows; `make test-bounds` runs the tests with every index
checked.
"""

import contextlib
import fcntl
import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import config

Function = TypeVar("Function", bound=Callable[..., Any])

JIT = not config.DISABLE_JIT
PACKAGE = Path(__file__).resolve().parents[1]
ROOT = "hierq.agents.control"  # the module of the kernel that everything else is compiled into
_IMPORT = re.compile(r"^(?:from (hierq[\w.]*) import (\([^)]*\)|[^\n]*)|import (hierq[\w.]*))", re.MULTILINE)

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
HELPER: dict[str, Any] = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
INLINED: dict[str, Any] = {**HELPER, "forceinline": True}


def kernel_sources(root: str = ROOT, package: Path = PACKAGE) -> dict[str, Path]:
    """The modules of hierq whose source a kernel can see, by name: the one it stands in and all that are imported."""
    found: dict[str, Path] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        path = _file_of(name, package)
        if name in found or path is None:
            continue
        found[name] = path
        for module, names, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
            waiting += [module or plain, *(f"{module}.{word}" for word in re.findall(r"\w+", names))]
    return dict(sorted(found.items()))


def sources_digest(package: Path = PACKAGE) -> str:
    """A hash of all that a kernel can see."""
    digest = hashlib.sha256()
    for name, path in kernel_sources(package=package).items():
        digest.update(name.encode() + path.read_bytes())
    return digest.hexdigest()


def _file_of(module: str, package: Path) -> Path | None:
    place = package.joinpath(*module.split(".")[1:])
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def _cache_folder() -> Path | None:
    """Where compiled kernels are kept between runs, or None where nothing can be written."""
    python = sys.implementation.cache_tag
    what = f"{sources_digest()} {__file__} {python} {numba.__version__} bounds={config.BOUNDSCHECK}"
    home = os.environ.get("HIERQ_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "hierq"
    )
    folder = Path(home) / f"kernels-{hashlib.sha256(what.encode()).hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


CACHE_FOLDER = _cache_folder() if JIT else None
_marked: set[str] = set()


def is_compiled(kind: str) -> bool:
    """Whether the kernels of a kind are waiting in the cache; else the first call compiles them."""
    return not JIT or kind in _marked or (CACHE_FOLDER is not None and _mark(CACHE_FOLDER, kind).exists())


def mark_compiled(kind: str) -> None:
    """Notes that the kernels of a kind are compiled, and in the cache if there is one; free the second time."""
    if kind not in _marked:
        _marked.add(kind)
        if CACHE_FOLDER is not None:
            with contextlib.suppress(OSError):
                _mark(CACHE_FOLDER, kind).touch()


def _mark(folder: Path, kind: str) -> Path:
    return folder / f"{hashlib.sha256(kind.encode()).hexdigest()[:16]}.compiled"


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Waits until no other process is in such a block."""
    with open(folder / "lock", "w") as lock:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(lock, fcntl.LOCK_EX)  # until the file is closed
        yield


def _save_alone(dispatcher: Any, folder: Path) -> None:
    """Makes processes that have compiled something wait for each other before they put it into the cache.

    Numba reads the index of the cache, adds a line and writes it back. Two processes at once would lose a line, or
    leave one that leads to the code of the other.
    """
    save = dispatcher._cache.save_overload

    def save_alone(*what: Any) -> None:
        with _alone(folder):
            save(*what)

    dispatcher._cache.save_overload = save_alone


def _compile(function: Function, **options: Any) -> Function:
    previous, config.CACHE_DIR = config.CACHE_DIR, str(CACHE_FOLDER or "")
    try:
        compiled: Function = numba.njit(**options)(function)
    finally:
        config.CACHE_DIR = previous
    return compiled


def kernel(function: Function) -> Function:
    """Compile a function that is called from Python; what it calls is kept in the cache with it."""
    compiled = _compile(function, cache=CACHE_FOLDER is not None, **OPTIONS)
    if CACHE_FOLDER is not None:
        _save_alone(compiled, CACHE_FOLDER)
    return compiled


def separate(function: Function) -> Function:
    """Compile a part of a kernel that stays a function of its own."""
    return _compile(function, **HELPER)


def inlined(function: Function, **options: Any) -> Function:
    """Compile a small helper into each of its callers."""
    return _compile(function, **INLINED, **options)


def pasted(function: Function) -> Function:
    """Paste a part of a kernel into its callers before they are compiled: saves compiling it by itself."""
    return _compile(function, inline="always", **HELPER)
