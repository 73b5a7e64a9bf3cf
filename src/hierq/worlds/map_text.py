"""Maps as text: a character for every cell, one line per row, every line equally long; perhaps a slip above them.

This file finds all errors in a map, with line and column counted from 1 as in an editor, and where moves lead.
"""

import os
import re
from dataclasses import replace

import numpy as np

from hierq.errors import InputError
from hierq.wording import plural
from hierq.worlds.layout import (
    Blueprint,
    Bytes,
    Integers,
    canonical,
    endings,
    lost_start,
)

WALL, FREE, START, GOAL, HOLE = "#", ".", "S", "G", "H"
DOORS = "^v<>"  # in the order of the actions N, S, W, E
TELEPORTS = "123456789"
ACTION_NAMES = "NSWE"
ACTION_MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))
OPPOSITE = (1, 0, 3, 2)
MADE = ((0, 2, 3), (1, 2, 3), (2, 0, 1), (3, 0, 1))  # by each action when moves slip: its own move, or one to a side
LEAST_SLIP = 1e-9  # smaller chances vanish by rounding
MAX_CELLS = 8_000_000
# A map of one column with Windows line ends takes three bytes a cell; longer texts are refused without being read.
MAX_BYTES = 3 * MAX_CELLS

LEGEND = (
    "a map is made of # (wall), . (free), S (start), G (goal), H (hole), ^ v < > (one-way doors) "
    'and 1 to 9 (pairs of teleports), perhaps below a line such as "slip: 0.2"'
)
_FOREIGN = re.compile(r"[^#.SGH^v<>1-9]")
_HEADER = re.compile(r"[ \t]*slip[ \t]*:(.*)", re.IGNORECASE)


def read_map_file(path: str | os.PathLike[str]) -> str:
    """The text of a map file: a regular file, of which at most one byte more than `MAX_BYTES` is read."""
    quoted = f"{os.fspath(path)!r:.200}"
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(f"{quoted} is not a regular file; name a text file with a map")
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as problem:  # ValueError: a NUL character inside the path
        reason = getattr(problem, "strerror", None) or problem
        raise InputError(f"cannot read the map file {quoted}: {reason}; check the path") from None
    try:
        return content.decode("utf-8-sig")  # a byte order mark is left out
    except UnicodeDecodeError as problem:
        where = f"byte {problem.start + 1} is not UTF-8"
        raise InputError(f"{quoted} is not text: {where}; give a plain text map, saved as UTF-8; {LEGEND}") from None


def checked_text(text: str, what: str = "map") -> str:
    """The text of a map or a table with plain newlines."""
    if not isinstance(text, str):
        raise InputError(f"a map is a text, not {text!r:.60} ({type(text).__name__})")
    if not text.strip():
        raise InputError(f"the map is empty; {LEGEND}")
    if len(text) > MAX_BYTES:
        raise InputError(f"the {what} has more than {MAX_BYTES:,} characters, the limit; give a smaller {what}")
    return text.replace("\r\n", "\n")


def _parsed(text: str) -> tuple[Bytes, float, int]:
    """The characters of a map, its slip, and the first line of the text that belongs to the grid.

    A line with the slip may come first, then lines of equal length. A final newline is optional, CRLF line ends are
    accepted.
    """
    lines = checked_text(text).rstrip("\n").split("\n")
    slip, first_line = 0.0, 1
    header = _HEADER.fullmatch(lines[0])
    if header is not None:
        slip, first_line = _slip(header[1].strip()), 2
    grid = _as_grid(lines[first_line - 1 :], first_line)
    for letter, role in ((START, "start"), (GOAL, "goal")):
        if not (grid == ord(letter)).any():
            raise InputError(f"the map has no {role}; mark a free cell with {letter}")
    for digit in TELEPORTS:
        cells = np.argwhere(grid == ord(digit)).tolist()
        if len(cells) not in (0, 2):
            places = "; ".join(f"line {row + first_line}, column {column + 1}" for row, column in cells[:3])
            raise InputError(
                f"the teleport {digit} is at {plural(len(cells), 'place')}: {places}; "
                f"a teleport has two ends, so mark two cells with {digit}"
            )
    return grid, slip, first_line


def map_blueprint(text: str) -> Blueprint:
    """The arrays of the world of a map; refuses a map with a start from which no goal can be reached."""
    grid, slip, first_line = _parsed(text)
    is_wall = grid == ord(WALL)
    free = np.argwhere(~is_wall)
    positions = np.concatenate([free, np.argwhere(is_wall)])
    cell_at = np.empty(grid.shape, dtype=np.int64)
    cell_at[positions[:, 0], positions[:, 1]] = np.arange(len(positions))
    moves = _moves(grid, free, cell_at)
    starts, goals, holes = (cell_at[grid == ord(letter)] for letter in (START, GOAL, HOLE))
    blueprint = Blueprint(
        text=(f"slip: {slip!r}\n" if slip > 0 else "") + canonical_text(grid),
        shape=(grid.shape[0], grid.shape[1]),
        outcomes=moves[:, :, np.newaxis],
        chances=np.broadcast_to(1.0, (*moves.shape, 1)),  # which takes no memory
        positions=positions,
        cell_at=cell_at,
        letters=grid,
        starts=starts,
        start_chances=np.full(len(starts), 1 / len(starts)),
        ending=endings(len(free), goals, holes),
        slip=slip,
        action_names=tuple(ACTION_NAMES),
        is_grid=True,
        is_geometric=not _holds_any(grid, TELEPORTS),
    )
    lost = lost_start(blueprint)  # without slip: every sideways move is the intended move of another action, too
    if lost is not None:
        row, column = positions[lost]
        past = ", past the holes" if len(holes) else ""
        doors = "; doors open one way only" if _holds_any(grid, DOORS) else ""
        raise InputError(
            f"no goal can be reached from the start at line {row + first_line}, column {column + 1}; "
            f"open a way through the walls{past}{doors}"
        )
    if slip == 0:
        return blueprint
    outcomes = moves[:, MADE]
    outcomes, chances = canonical(outcomes, np.broadcast_to([1 - slip, slip / 2, slip / 2], outcomes.shape))
    return replace(blueprint, outcomes=outcomes, chances=chances)


def canonical_text(grid: Bytes) -> str:
    """The canonical text of a grid of character codes: its lines, each ended by a newline."""
    return "".join(row.tobytes().decode("ascii") + "\n" for row in grid)


def _slip(written: str) -> float:
    try:
        slip = float(written)
    except ValueError:
        slip = np.nan
    if slip != 0 and not LEAST_SLIP <= slip < 1:
        raise InputError(
            f"line 1 of the map gives the slip {written!r:.60}; it is the chance that a move goes sideways, "
            f'0 or a number from {LEAST_SLIP:g} to below 1, as in "slip: 0.2"'
        )
    return slip + 0.0  # −0.0 becomes 0.0


def _as_grid(lines: list[str], first_line: int) -> Bytes:
    """The codes of the characters of a map's lines, of which all must belong to a map and be equally long."""
    if not lines:
        raise InputError(f"the map is empty below its header; {LEGEND}")
    width = len(lines[0])
    for number, line in enumerate(lines, start=first_line):
        foreign = _FOREIGN.search(line)
        if foreign is not None:
            place = f"line {number}, column {foreign.start() + 1}"
            raise InputError(f"{place} of the map holds the character {foreign[0]!r}; {LEGEND}")
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


def _holds_any(grid: Bytes, letters: str) -> bool:
    return bool(np.isin(grid, [ord(letter) for letter in letters]).any())


def _moves(grid: Bytes, free: Integers, cell_at: Integers) -> Integers:
    """Array [states, 4]: where a move in each direction ends when it does not slip.

    Entering a teleport leads to the other cell with its digit. A door is entered only in its own direction and left by
    every move except the opposite one. A move that is not allowed stays put.
    """
    states = len(free)
    ahead_of = np.pad(grid, 1, constant_values=ord(WALL))
    leads = cell_at.copy()  # where entering a cell leads
    for digit in TELEPORTS:
        ends = np.nonzero(grid == ord(digit))
        leads[ends] = leads[ends][::-1]
    entered = np.pad(leads, 1, constant_values=states)
    here, own = np.arange(states), grid[free[:, 0], free[:, 1]]
    moves = np.empty((states, len(ACTION_MOVES)), dtype=np.int64)
    for action, (down, right) in enumerate(ACTION_MOVES):
        ahead = free[:, 0] + 1 + down, free[:, 1] + 1 + right
        letter = ahead_of[ahead]
        can_be_entered = np.ones(128, dtype=bool)
        can_be_entered[[ord(sign) for sign in WALL + DOORS if sign != DOORS[action]]] = False
        is_open = can_be_entered[letter] & (own != ord(DOORS[OPPOSITE[action]]))
        moves[:, action] = np.where(is_open, entered[ahead], here)
    return moves
