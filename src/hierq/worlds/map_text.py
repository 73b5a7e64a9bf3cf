"""Maps as text: `#` wall, `.` free, `S` start, `G` goal; one line per row, every line equally long.

Whatever is wrong with a map is said here, with its line and column counted from 1 as an editor counts them.
"""

import os
import re
import stat
from pathlib import Path
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError

WALL, FREE, START, GOAL = "#", ".", "S", "G"
MOST_CELLS = 4_000_000
# A map of one column with Windows line ends takes three bytes a cell; beyond that no file is a legal map.
MOST_BYTES = 3 * MOST_CELLS

_LEGEND = "a map is made of # (wall), . (free), S (start) and G (goal)"
_FOREIGN = re.compile(r"[^#.SG\n]")
_BYTE_ORDER_MARK = "\ufeff"
_REMEDIES = {
    "\t": ("a tab", "write every cell as one character"),
    " ": ("a space", "write free cells as '.' and leave no spaces at the ends of lines"),
    "\r": ("a lone carriage return", "end lines with a newline (CRLF is fine too)"),
    "\x00": ("a NUL character", "this looks like a binary file; give a plain text map"),
    _BYTE_ORDER_MARK: ("a byte order mark (BOM)", "save the map as UTF-8 without BOM"),
}


def shortened(thing: object, most: int = 60) -> str:
    """How a value is quoted in a message: its representation, cut off when it is long."""
    quoted = repr(thing)
    return quoted if len(quoted) <= most else f"{quoted[:most]}…"


def read_map_file(path: str | os.PathLike[str]) -> str:
    """Reads the text of a map file and refuses what cannot be one before holding it in memory.

    Args:
        path: A regular file of at most `MOST_BYTES` bytes, encoded as UTF-8.

    Raises:
        InputError: The file is missing, unreadable, no regular file, too large or not text.
    """
    quoted = shortened(os.fspath(path), most=200)
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
    if status.st_size > MOST_BYTES:
        raise InputError(
            f"{quoted} has {status.st_size:,} bytes, but a map has at most {MOST_CELLS:,} cells "
            f"({MOST_BYTES:,} bytes); give a smaller map"
        )


def _decoded(content: bytes, quoted: str) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{quoted} is saved as UTF-16; save the map as UTF-8 without BOM")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise InputError(
            f"{quoted} is not text: byte {problem.start + 1} is no UTF-8; give a plain text map, {_LEGEND}"
        ) from None
    if "\x00" in text:
        raise InputError(f"{quoted} is a binary file (it holds NUL bytes); give a plain text map, {_LEGEND}")
    return text


def parse_map(text: str) -> npt.NDArray[np.uint8]:
    """Turns the text of a map into a grid of character codes and checks that it is a sound world.

    Args:
        text: Lines of equal length. A final newline is optional, CRLF line ends are accepted.

    Returns:
        Array [rows, columns] with the codes of `#`, `.`, `S` and `G`.

    Raises:
        InputError: The text is no map; the message names the line and column and the remedy.
    """
    grid = _as_grid(_lines(text))
    start = _only_cell(grid, START, "start")
    goal = _only_cell(grid, GOAL, "goal")
    if not _connected(grid, start, goal):
        raise InputError(
            f"the goal at {_place(goal)} cannot be reached from the start at {_place(start)}; "
            "open a way through the walls between them"
        )
    return grid


def canonical_text(grid: npt.NDArray[np.uint8]) -> str:
    """The one text of a grid of character codes: its lines, each ended by a newline."""
    return "".join(row.tobytes().decode("ascii") + "\n" for row in grid)


def _lines(text: str) -> list[str]:
    if not isinstance(text, str):
        raise InputError(f"a map is a text, not {shortened(text)} ({type(text).__name__})")
    if not text.strip():
        raise InputError(f"the map is empty; {_LEGEND}")
    if len(text) > MOST_BYTES:
        _refuse_size(f"{len(text):,} characters")
    text = text.replace("\r\n", "\n")
    foreign = _FOREIGN.search(text)
    if foreign is not None:
        _refuse_character(text, foreign.start())
    return text.rstrip("\n").split("\n")


def _refuse_size(size: str) -> NoReturn:
    raise InputError(f"the map has {size}, more than the limit of {MOST_CELLS:,} cells; give a smaller map")


def _refuse_character(text: str, where: int) -> NoReturn:
    line = text.count("\n", 0, where) + 1
    column = where - (text.rfind("\n", 0, where) + 1) + 1
    character = text[where]
    description, remedy = _REMEDIES.get(character, (f"the character {character!r}", _LEGEND))
    raise InputError(f"line {line}, column {column} of the map holds {description}; {remedy}")


def _as_grid(lines: list[str]) -> npt.NDArray[np.uint8]:
    width = len(lines[0])
    for number, line in enumerate(lines, start=1):
        if not line:
            raise InputError(f"line {number} of the map is empty; remove the blank lines of the map")
        if len(line) != width:
            raise InputError(
                f"line {number} of the map has {len(line)} characters but line 1 has {width}; "
                "make all lines equally long (fill up with # walls)"
            )
    if len(lines) * width > MOST_CELLS:
        _refuse_size(f"{len(lines):,} × {width:,} = {len(lines) * width:,} cells")
    return np.frombuffer("".join(lines).encode("ascii"), dtype=np.uint8).reshape(len(lines), width)


def _only_cell(grid: npt.NDArray[np.uint8], letter: str, role: str) -> tuple[int, int]:
    rows, columns = np.nonzero(grid == ord(letter))
    places = [(int(row), int(column)) for row, column in zip(rows[:2], columns[:2], strict=True)]
    if not places:
        raise InputError(f"the map has no {role}; mark one free cell with {letter}")
    if len(places) > 1:
        number = "two" if len(rows) == 2 else f"{len(rows):,}"
        which = "at" if len(rows) == 2 else "the first two at"
        raise InputError(
            f"the map has {number} {role}s, {which} {_place(places[0])} and {_place(places[1])}; "
            f"keep one {letter} and make the rest '.'"
        )
    return places[0]


def _place(cell: tuple[int, int]) -> str:
    return f"line {cell[0] + 1}, column {cell[1] + 1}"


def _connected(grid: npt.NDArray[np.uint8], start: tuple[int, int], goal: tuple[int, int]) -> bool:
    """Whether the goal can be reached: a flood fill from the start over the grid with a wall around it."""
    width = grid.shape[1] + 2
    unseen = bytearray((np.pad(grid, 1, constant_values=ord(WALL)) != ord(WALL)).tobytes())
    first, target = ((row + 1) * width + column + 1 for row, column in (start, goal))
    unseen[first] = 0
    frontier = [first]
    while frontier and unseen[target]:
        cell = frontier.pop()
        for neighbour in (cell - width, cell + width, cell - 1, cell + 1):
            if unseen[neighbour]:
                unseen[neighbour] = 0
                frontier.append(neighbour)
    return not unseen[target]
