"""Files for results: refused before the work when they could not be written, and written whole or not at all."""

import os
import tempfile
from pathlib import Path

from hierq.errors import InputError


def check_target(path: str | None, overwrite: bool) -> None:
    """Makes sure that a file may be written, before any work is done for it.

    Raises:
        InputError: It exists and may not be overwritten, is a folder, or lies where nothing can be written.
    """
    if path is None:
        return
    target = Path(path)
    if target.is_dir():
        raise InputError(f"{path} is a folder; name a file inside it")
    if not target.parent.is_dir():
        raise InputError(f"there is no folder {target.parent} to write {target.name} to; make it first")
    if not os.access(target.parent, os.W_OK):
        raise InputError(f"nothing can be written to the folder {target.parent}; name another")
    if target.exists() and not overwrite:
        raise InputError(f"{path} exists already; name another file, or allow it with --overwrite")


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Writes a file whole or not at all: to a temporary file first, which then takes the name.

    Raises:
        InputError: It cannot be written.
    """
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as problem:
        raise InputError(f"cannot write to {target.parent}: {problem.strerror}; name another folder") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException as problem:
        os.unlink(temporary)
        if isinstance(problem, OSError):
            raise InputError(f"cannot write {path}: {problem.strerror}; name another file") from None
        raise


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current
