"""Maps as text: a character for every cell, one line per row, every line equally long; before it perhaps a header.

All errors in a map are reported here, with line and column counted from 1 as in an editor.
"""

import os
import re
from typing import NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError

WALL, FREE, START, GOAL, HOLE = "#", ".", "S", "G", "H"
DOORS = "^v<>"  # in the order of the actions N, S, W, E
TELEPORTS = "123456789"
LEAST_SLIP = 1e-9  # smaller chances vanish by rounding
MAX_CELLS = 8_000_000
# A map of one column with Windows line ends takes three bytes a cell; longer texts are refused without being read.
MAX_BYTES = 3 * MAX_CELLS

LEGEND = (
    "a map is made of # (wall), . (free), S (start), G (goal), H (hole), ^ v < > (one-way doors) "
    'and 1 to 9 (pairs of teleports), perhaps below a line such as "slip: 0.2"'
)
_FOREIGN = re.compile(r"[^#.SGH^v<>1-9\n]")
_HEADER = re.compile(r"[ \t]*slip[ \t]*:([^\n]*)\n?", re.IGNORECASE)
_BYTE_ORDER_MARK = "\ufeff"
_REMEDIES = {
    "\t": ("a tab", "write every cell as one character"),
    " ": ("a space", "write free cells as '.' and leave no spaces at the ends of lines"),
    "\r": ("a lone carriage return", "end lines with a newline (CRLF is fine too)"),
    "\x00": ("a NUL character", "this looks like a binary file; give a plain text map"),
    _BYTE_ORDER_MARK: ("a byte order mark (BOM)", "save the map as UTF-8 without BOM"),
}

Grid = npt.NDArray[np.uint8]


class Map(NamedTuple):
    """A map that was read from its text."""

    grid: Grid  # array [rows, columns] of character codes
    slip: float  # the chance that a move goes sideways
    first_line: int  # of the text, counted from 1, in which the grid begins: messages name it

    @property
    def text(self) -> str:
        """The canonical text of this map: the header if there is slip, then its lines, each ended by a newline."""
        header = f"slip: {self.slip!r}\n" if self.slip > 0 else ""
        return header + canonical_text(self.grid)

    def place(self, row: int, column: int) -> str:
        """The cell in this row and column of the grid, as messages name it."""
        return f"line {row + self.first_line}, column {column + 1}"


def shortened(thing: object, most: int = 60) -> str:
    """A value as messages quote it: its representation, cut off if it is long."""
    quoted = repr(thing)
    return quoted if len(quoted) <= most else f"{quoted[:most]}…"


def read_map_file(path: str | os.PathLike[str]) -> str:
    """The text of a map file: a regular file, of which at most one byte more than `MAX_BYTES` is read."""
    quoted = shortened(os.fspath(path), most=200)
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(f"{quoted} is not a regular file; name a text file with a map")
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as problem:  # ValueError: a NUL character inside the path
        reason = getattr(problem, "strerror", None) or problem
        raise InputError(f"cannot read the map file {quoted}: {reason}; check the path") from None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        where = f"byte {problem.start + 1} is not UTF-8"
        raise InputError(f"{quoted} is not text: {where}; give a plain text map, saved as UTF-8; {LEGEND}") from None


def checked_text(text: str, what: str = "map") -> str:
    """The text of a map or a table with plain newlines."""
    if not isinstance(text, str):
        raise InputError(f"a map is a text, not {shortened(text)} ({type(text).__name__})")
    if not text.strip():
        raise InputError(f"the map is empty; {LEGEND}")
    if len(text) > MAX_BYTES:
        raise InputError(f"the {what} has more than {MAX_BYTES:,} characters, the limit; give a smaller {what}")
    return text.replace("\r\n", "\n")


def parse_map(text: str) -> Map:
    """Turns the text of a map into a grid of character codes and checks its characters.

    A line with the slip may come first, then lines of equal length. A final newline is optional, CRLF line ends are
    accepted. `map_moves.py` checks whether a goal can be reached.

    Raises:
        InputError: The text is not a map; the message names the line and column and the remedy.
    """
    text = checked_text(text)
    header = _HEADER.match(text)
    slip, begin = (0.0, 0) if header is None else (_slip(header[1].strip()), header.end())
    first_line = 1 if header is None else 2
    if not text[begin:].strip():
        raise InputError(f"the map is empty below its header; {LEGEND}")
    foreign = _FOREIGN.search(text, begin)
    if foreign is not None:
        _refuse_character(text, foreign.start())
    grid = _as_grid(text[begin:].rstrip("\n").split("\n"), first_line)
    found = Map(grid, slip, first_line)
    for letter, role in ((START, "start"), (GOAL, "goal")):
        if not (grid == ord(letter)).any():
            raise InputError(f"the map has no {role}; mark a free cell with {letter}")
    _check_teleports(found)
    return found


def canonical_text(grid: Grid) -> str:
    """The canonical text of a grid of character codes: its lines, each ended by a newline."""
    return "".join(row.tobytes().decode("ascii") + "\n" for row in grid)


def _slip(written: str) -> float:
    try:
        slip = float(written)
    except ValueError:
        slip = np.nan
    if slip != 0 and not LEAST_SLIP <= slip < 1:
        raise InputError(
            f"line 1 of the map gives the slip {shortened(written)}; it is the chance that a move goes sideways, "
            f'0 or a number from {LEAST_SLIP:g} to below 1, as in "slip: 0.2"'
        )
    return slip + 0.0  # −0.0 becomes 0.0


def _refuse_character(text: str, where: int) -> NoReturn:
    line = text.count("\n", 0, where) + 1
    column = where - (text.rfind("\n", 0, where) + 1) + 1
    character = text[where]
    description, remedy = _REMEDIES.get(character, (f"the character {character!r}", LEGEND))
    raise InputError(f"line {line}, column {column} of the map holds {description}; {remedy}")


def _as_grid(lines: list[str], first_line: int) -> Grid:
    width = len(lines[0])
    for number, line in enumerate(lines, start=first_line):
        if not line:
            raise InputError(f"line {number} of the map is empty; remove the blank lines of the map")
        if len(line) != width:
            raise InputError(
                f"line {number} of the map has {len(line)} characters but line {first_line} has {width}; "
                "make all lines equally long (fill up with # walls)"
            )
    if len(lines) * width > MAX_CELLS:
        size = f"{len(lines):,} × {width:,} = {len(lines) * width:,} cells"
        raise InputError(f"the map has {size}, more than the limit of {MAX_CELLS:,} cells; give a smaller map")
    return np.frombuffer("".join(lines).encode("ascii"), dtype=np.uint8).reshape(len(lines), width)


def _check_teleports(found: Map) -> None:
    for digit in TELEPORTS:
        places = [found.place(row, column) for row, column in np.argwhere(found.grid == ord(digit)).tolist()]
        if len(places) not in (0, 2):
            raise InputError(
                f"the teleport {digit} is at {len(places):,} places: {'; '.join(places[:3])}; a teleport has two ends, "
                f"so mark two cells with {digit}"
            )
