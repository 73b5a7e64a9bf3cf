"""Reads the file of a map or a table; folders, devices and huge files are refused before they are read."""

import os
import stat
from pathlib import Path

from hierq.errors import InputError
from hierq.worlds import map_text


def read_map_file(path: str | os.PathLike[str]) -> str:
    """The text of a map file: a regular file of at most `map_text.MAX_BYTES` bytes, encoded as UTF-8."""
    quoted = map_text.shortened(os.fspath(path), most=200)
    try:
        _check_kind_and_size(Path(path).stat(), quoted)
        content = Path(path).read_bytes()
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"there is no map file {quoted}; check the path") from None
    except (OSError, ValueError) as problem:  # ValueError: a NUL character inside the path
        reason = getattr(problem, "strerror", None) or problem
        raise InputError(f"cannot read the map file {quoted}: {reason}; check the path") from None
    return _decoded(content, quoted)


def _check_kind_and_size(status: os.stat_result, quoted: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"{quoted} is a directory; name the map file inside it")
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{quoted} is not a regular file; write the map to a text file first")
    if status.st_size > map_text.MAX_BYTES:
        raise InputError(
            f"{quoted} has {status.st_size:,} bytes, but a map has at most {map_text.MAX_CELLS:,} cells "
            f"({map_text.MAX_BYTES:,} bytes); give a smaller map"
        )


def _decoded(content: bytes, quoted: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise InputError(
            f"{quoted} is not text: byte {problem.start + 1} is not UTF-8; give a plain text map, saved as UTF-8; "
            f"{map_text.LEGEND}"
        ) from None
