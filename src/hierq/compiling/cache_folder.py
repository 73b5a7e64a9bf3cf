"""The folder on the disk for kernels that were compiled from these sources: none that is kept there is ever stale.

Its name is a hash of all sources that a kernel can see, whatever they say: those of the rooms that have kernels, and of
the rooms and modules below them.
"""

import contextlib
import hashlib
import sys
from pathlib import Path

import numba
from numba import config

from hierq.compiling.kernel_cache import private_folder

PACKAGE = Path(__file__).resolve().parents[1]
ROOMS = ("agents", "approximate", "compiling", "tables", "worlds")


def kernel_sources(package: Path = PACKAGE) -> list[Path]:
    """The files whose source a kernel can see."""
    return sorted([*package.glob("*.py"), *(path for room in ROOMS for path in (package / room).rglob("*.py"))])


def sources_digest(package: Path = PACKAGE) -> str:
    """A hash of all that a kernel can see."""
    digest = hashlib.sha256()
    for path in kernel_sources(package):
        digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def _cache_folder() -> Path | None:
    """Where compiled kernels are kept between runs, or None where they cannot be."""
    python = sys.implementation.cache_tag
    what = f"{sources_digest()} {python} {numba.__version__} bounds={bool(config.BOUNDSCHECK)}"
    return private_folder(f"kernels-{hashlib.sha256(what.encode()).hexdigest()[:16]}")


def is_kept(kind: str) -> bool:
    """Whether the kernels of a kind are in the folder: a file marks the kinds that are."""
    return CACHE_FOLDER is not None and _mark(CACHE_FOLDER, kind).exists()


def note_kept(kind: str) -> None:
    """Marks a kind whose kernels are in the folder."""
    if CACHE_FOLDER is not None:
        with contextlib.suppress(OSError):
            _mark(CACHE_FOLDER, kind).touch()


def _mark(folder: Path, kind: str) -> Path:
    return folder / f"{hashlib.sha256(kind.encode()).hexdigest()[:16]}.compiled"


CACHE_FOLDER = None if config.DISABLE_JIT else _cache_folder()
