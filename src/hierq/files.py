"""Files for results: checks before the work that they can be written, and writes them whole or not at all."""

import contextlib
import errno
import glob
import hashlib
import mmap
import os
import re
import socket
import tempfile
from functools import cache
from pathlib import Path

from filelock import FileLock, Timeout

from hierq.errors import InputError

BLANK_SEAL = "sha256:" + "0" * 64
_SEAL = re.compile(rb"sha256:([0-9a-f]{64})")


def cache_home() -> Path:
    """The folder for files that hierq can make again."""
    home = os.environ.get("HIERQ_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "hierq"
    )
    return Path(home)


def check_target(path: str | None, overwrite: bool) -> None:
    """Makes sure that a file may be written, before any work is done for it.

    Raises:
        InputError: It exists and may not be overwritten, is a folder, or lies where nothing can be written.
    """
    if path is None:
        return
    target = Path(path)
    check_path(path)
    if target.is_dir():
        raise InputError(f"{path} is a folder; name a file inside it")
    if not target.parent.is_dir():
        raise InputError(f"there is no folder {target.parent} to write {target.name} to; make it first")
    if not os.access(target.parent, os.W_OK):
        raise InputError(f"nothing can be written to the folder {target.parent}; name another")
    if target.exists() and not overwrite:
        raise InputError(f"{path} exists already; name another file, or allow it with --overwrite")
    if target.exists() and not target.is_file():
        raise InputError(f"{path} is a pipe or a device, which a file would replace; name another file")


def check_path(path: str | os.PathLike[str]) -> None:
    """Refuses a path that no file or folder can have, such as a name that is too long or a link to itself."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError) as problem:  # ValueError: a NUL character inside the path
        if getattr(problem, "errno", None) == errno.ELOOP:
            raise InputError(f"{path} is a link that leads back to itself; name the file or folder itself") from None
        reason = getattr(problem, "strerror", None) or problem
        raise InputError(f"{str(path)[:200]!r} cannot be a path: {reason}; take another name") from None


def write_whole(
    path: str | os.PathLike[str], content: bytes, remedy: str = "name another file", rights: int = 0o666
) -> None:
    """Writes a file whole or not at all: to a temporary file first, which then takes the name.

    It is on the disk when this returns: a power cut later leaves it whole. If it cannot be written, the message ends
    with the remedy.
    """
    target = Path(path)
    remove_leftovers(target.parent, target.name)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=temporary_prefix(target.name, os.getpid()))
    except OSError as problem:
        raise InputError(f"cannot write to {target.parent}: {problem.strerror}; {remedy}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, rights & ~_umask())
        os.replace(temporary, target)
    except BaseException as problem:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        if isinstance(problem, OSError):
            raise InputError(f"cannot write {path}: {problem.strerror}; {remedy}") from None
        raise
    sync_folder(target.parent)


def temporary_prefix(name: str, process: int | str) -> str:
    """How names of temporary files begin; they name the process, so that others see whether it still runs."""
    machine = hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]
    return f".{name[:100]}.{machine}-{process}-"


def remove_leftovers(folder: Path, name: str = "*") -> None:
    """Removes temporary files of processes of this machine that were killed while writing files of a name."""
    for path in folder.glob(temporary_prefix(name if name == "*" else glob.escape(name[:100]), "*") + "*"):
        with contextlib.suppress(OSError, ValueError, OverflowError):  # where no process is named, it is not ours
            process = int(path.name.rsplit("-", 2)[1])
            if process == os.getpid() or (os.name != "nt" and _is_running(process)):
                continue
            path.unlink()  # Windows refuses this while the file is open


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def sealed(content: bytes) -> bytes:
    """The content of a file with its checksum in place of `BLANK_SEAL`, which it must contain once."""
    blank = BLANK_SEAL.encode()
    if content.count(blank) != 1 or len(_SEAL.findall(content)) != 1:
        raise InputError("the place for the checksum is not there exactly once; does something have such a name?")
    return content.replace(blank, b"sha256:" + hashlib.sha256(content).hexdigest().encode())


def is_sealed(content: bytes | mmap.mmap) -> bool:
    """Whether content is exactly what `sealed` made."""
    found = list(_SEAL.finditer(content))
    if len(found) != 1:
        return False
    digest = hashlib.sha256(content[: found[0].start()] + BLANK_SEAL.encode())
    with memoryview(content) as view, view[found[0].end() :] as rest:
        digest.update(rest)
    return digest.hexdigest().encode() == found[0][1]


def sync_folder(folder: Path) -> None:
    """Puts the names of a folder on the disk, where the file system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class ProcessLock:
    """A lock between processes, on every system; it ends with its process, however that ends."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._lock = FileLock(path)

    def acquire(self, seconds: float = -1) -> bool:
        """Waits for it, without end if no seconds are given; False if another process still holds it then.

        Where locks do not work, as in a read-only folder, every process gets it.
        """
        try:
            self._lock.acquire(timeout=seconds)
        except Timeout:
            return False
        except (OSError, NotImplementedError):
            pass
        return True

    def release(self) -> None:
        """Lets the next process have it."""
        with contextlib.suppress(OSError):  # its folder may be gone
            self._lock.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *problem: object) -> None:
        self.release()


@cache
def _umask() -> int:
    """The rights that new files do not get. Asked once: asking changes it for a moment, and threads write files."""
    current = os.umask(0o022)
    os.umask(current)
    return current
