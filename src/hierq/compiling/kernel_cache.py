"""Compiled kernels on the disk: checked before they are believed, written whole, compiled by one process at a time.

A file holds the SHA-256 of what follows and then, pickled, what a kernel was compiled for and its code. Numba's own
cache has no checksum, and one flipped bit of machine code can kill the process; here a file that is not what was
written is set aside, and its kernel compiled again. Where nothing can be written kernels are read all the same.

Unpickling can execute anything. So a folder that others can write to is not used, nor is a file that is not ours.
"""

import contextlib
import hashlib
import os
import pickle
import stat
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from hierq.errors import InputError
from hierq.files import ProcessLock, cache_home, remove_leftovers, write_whole

DIGEST_BYTES = 32
SECONDS_TO_WAIT = 100.0  # for another process that compiles the same kernel


class CompilingWarning(UserWarning):
    """A call takes longer than the next one will, because kernels are compiled for it."""


def notify(text: str) -> None:
    """Says why somebody has to wait: as a line on a terminal, elsewhere as a warning."""
    if sys.stderr.isatty():
        print(f"\r\033[Khierq: {text}", file=sys.stderr, flush=True)  # where a bar may stand
    else:
        warnings.warn(text, CompilingWarning, stacklevel=6)


def private_folder(name: str) -> Path | None:
    """A folder of the cache that nobody else can write to, made if it is missing; None where there is none."""
    home = cache_home()
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        (home / name).mkdir(mode=0o700, exist_ok=True)
        for folder in (home, home / name):
            status = folder.stat()
            if not _is_private(status) and not (folder == home and status.st_mode & stat.S_ISVTX):
                notify(
                    f"compiled kernels are not kept, because others can write to {folder}; "
                    f"make it yours alone (chmod go-w), or name another folder with HIERQ_CACHE_DIR"
                )
                return None
    except OSError:
        return None
    return home / name


def _is_private(status: os.stat_result) -> bool:
    """Whether only this user, or the system's, can write; on Windows the folders of a user are private."""
    user = getattr(os, "getuid", None)
    return user is None or (status.st_uid in (0, user()) and status.st_mode & 0o022 == 0)


class KernelCache:
    """What Numba asks for the compiled code of one function, in the place of its own cache."""

    def __init__(self, dispatcher: Any, folder: Path) -> None:
        self.cache_path, self._context = str(folder), dispatcher.targetctx
        code = dispatcher.py_func.__code__
        with contextlib.suppress(OSError):  # what was typed in has no file, and is not kept
            self._source = f"{code.co_name} {hashlib.sha256(Path(code.co_filename).read_bytes()).hexdigest()}"
            self._compile: Callable[..., Any] = dispatcher.compile
            dispatcher._cache, dispatcher.compile = self, self._compile_alone

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The code for a signature; None if it is not there, or not to be trusted."""
        context.refresh()
        path = self._path(signature)
        content = _checked_content(path)
        if content is None:
            return None
        try:
            key, reduced = pickle.loads(content)
            return CompileResult._rebuild(context, *reduced) if key == (signature, self._source) else None
        except Exception:  # whatever it is, the kernel can be compiled
            _set_aside(path)
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keeps code that was just compiled, if there is room for it."""
        if result.lifted or result.library.has_dynamic_globals:  # code with addresses in it
            return
        content = dumps(((signature, self._source), result._reduce()))
        with contextlib.suppress(InputError, OSError):
            os.makedirs(self.cache_path, mode=0o700, exist_ok=True)
            remove_leftovers(Path(self.cache_path))
            write_whole(self._path(signature), hashlib.sha256(content).digest() + content, rights=0o644)

    def _compile_alone(self, signature: Any) -> Any:
        """Loads or compiles; while another process compiles the same, waits for it."""
        path = self._path(signature)
        if _checked_content(path) is not None:
            return self._compile(signature)
        lock = ProcessLock(path.with_suffix(".lock"))
        if not lock.acquire(0):
            notify("waiting for another process, which is compiling the same kernels …")
            lock.acquire(SECONDS_TO_WAIT)
        try:
            return self._compile(signature)
        finally:
            lock.release()

    def _path(self, signature: Any) -> Path:
        what = f"{signature} {self._context.codegen().magic_tuple()} {self._source}"
        return Path(self.cache_path, f"{hashlib.sha256(what.encode()).hexdigest()[:32]}.kernel")


def _checked_content(path: Path) -> bytes | None:
    """What was written to a file; None if it is not there, not ours, or damaged, which sets it aside."""
    try:
        if not path.is_file():  # reading a pipe or a device might never end
            return None
        with path.open("rb") as file:
            ours, content = _is_private(os.fstat(file.fileno())), file.read()
    except OSError:
        return None
    if ours and hashlib.sha256(content[DIGEST_BYTES:]).digest() == content[:DIGEST_BYTES]:
        return content[DIGEST_BYTES:]
    _set_aside(path)
    return None


def _set_aside(path: Path) -> None:
    notify(f"{path} is damaged or not yours alone; it is set aside, and the kernels are compiled again …")
    with contextlib.suppress(OSError):
        path.replace(path.with_suffix(".bad"))
