"""Tables as text: a header of starts, goals and holes, then a line for every state and action.

table: 3 states, 2 actions
starts: 0
goals: 2
holes: 1
picture: 1 3
0 0: 1
0 1: 2 0.75 0 0.25
…
"""

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import Blueprint, spread
from hierq.worlds.map_text import checked_text, shortened
from hierq.worlds.tables import OutcomeRows, sound_table

_FIRST_LINE = re.compile(
    r"\s*table\s*:\s*(\d{1,12})\s+states?\s*,\s*(\d{1,12})\s+actions?\s*", re.IGNORECASE | re.ASCII
)
# State, action, and either one outcome or outcomes with their chances.
_MOVE = re.compile(r"(\d{1,12})\s+(\d{1,12})\s*:\s*(\d{1,12}|\d{1,12}\s+\S+(?:\s+\d{1,12}\s+\S+)*)", re.ASCII)
_KEYS = ("starts", "start chances", "goals", "holes", "picture")


def is_table(text: str) -> bool:
    """Whether a text is that of a table rather than a map."""
    return isinstance(text, str) and re.match(r"\s*table\s*:", text, re.IGNORECASE) is not None


def table_text(table: Blueprint) -> str:
    """The canonical text of a table.

    Chances of starts are written when they are not equal, chances of outcomes where there are several.
    """
    states, actions, _ = table.outcomes.shape
    lines = [f"table: {states} states, {actions} actions", f"starts: {_joined(table.starts.tolist())}"]
    if not (table.start_chances == spread(len(table.starts))).all():
        lines.append(f"start chances: {_joined(table.start_chances.tolist())}")
    lines.append(f"goals: {_joined(table.goals.tolist())}")
    if len(table.holes):
        lines.append(f"holes: {_joined(table.holes.tolist())}")
    if table.picture != (0, 0):
        lines.append(f"picture: {_joined(list(table.picture))}")
    counts = (table.chances > 0).sum(axis=2).ravel().tolist()
    outcomes_of = table.outcomes.reshape(len(counts), -1).tolist()
    chances_of = table.chances.reshape(len(counts), -1).tolist()
    rows = zip(outcomes_of, chances_of, counts, strict=True)
    for row, (outcomes, chances, count) in enumerate(rows):
        pairs = [f"{outcomes[at]} {chances[at]!r}" for at in range(count)] if count > 1 else [str(outcomes[0])]
        lines.append(f"{row // actions} {row % actions}: {' '.join(pairs)}")
    return "\n".join(lines) + "\n"


def table_blueprint(text: str) -> Blueprint:
    """The arrays of the world of a table; blank lines and the order of lines do not matter."""
    lines = [line.strip() for line in checked_text(text, "table").split("\n")]
    first = next(number for number, line in enumerate(lines) if line)
    states, actions = _sizes(lines[first], first + 1)
    header: dict[str, list[str]] = {}
    moves: list[tuple[int, str]] = []
    for number, line in enumerate(lines[first + 1 :], start=first + 2):
        if line[:1].isalpha():
            key, _, values = line.partition(":")
            _note(header, " ".join(key.lower().split()), values, number)
        elif line:
            moves.append((number, line))
    if len(moves) != states * actions:
        raise InputError(
            f"the table has {len(moves):,} lines of outcomes, but {states:,} states with {actions:,} actions need "
            f"{states * actions:,}; write one line per state and action, as in 0 0: 3"
        )
    starts, goals, holes, picture = (_numbers(header, key, int) for key in ("starts", "goals", "holes", "picture"))
    chances = _numbers(header, "start chances", float) if "start chances" in header else None
    table = sound_table(states, actions, _entries(moves, states, actions), starts, goals, holes, chances)
    table = table._replace(picture=_picture(picture.tolist(), states))
    return table._replace(text=table_text(table))


def _picture(numbers: list[int], states: int) -> tuple[int, int]:
    if not numbers:
        return 0, 0
    if len(numbers) != 2 or 0 in numbers or states % (numbers[0] * numbers[1]):
        raise InputError(
            f"the picture of the table is given as {_joined(numbers)}; give rows and columns of cells that share the "
            f"{states:,} states equally, as in picture: 4 4"
        )
    return numbers[0], numbers[1]


def _joined(numbers: list[int] | list[float]) -> str:
    return " ".join(repr(number) for number in numbers)


def _sizes(line: str, number: int) -> tuple[int, int]:
    found = _FIRST_LINE.fullmatch(line)
    if found is None or 0 in (int(found[1]), int(found[2])):
        raise InputError(
            f"line {number} of the table is {shortened(line)}; begin a table with its size, as in "
            '"table: 16 states, 4 actions"'
        )
    return int(found[1]), int(found[2])


def _note(header: dict[str, list[str]], key: str, values: str, number: int) -> None:
    if key not in _KEYS:
        raise InputError(
            f"line {number} of the table begins with {shortened(key)}, which hierq does not know; "
            f"the header of a table has the lines {', '.join(_KEYS)}"
        )
    if key in header:
        raise InputError(f"line {number} of the table gives the {key} a second time; keep one of the two lines")
    header[key] = values.split()


def _numbers(header: dict[str, list[str]], key: str, kind: type) -> npt.NDArray[Any]:
    """The numbers of a line of the header: states, which are whole numbers from 0 on, or chances."""
    words = header.get(key, [])
    try:
        numbers = [kind(word) for word in words]
    except ValueError:
        numbers = [-1]
    if any(not 0 <= number < 10**12 for number in numbers):
        what = "numbers of states" if kind is int else "numbers from 0 to 1"
        raise InputError(f"the {key} of the table are {what}, separated by spaces, not {shortened(' '.join(words))}")
    return np.array(numbers, dtype=np.int64 if kind is int else np.float64)


def _entries(moves: list[tuple[int, str]], states: int, actions: int) -> OutcomeRows:
    """All entries, sorted by state and action."""
    line_of: dict[int, int] = {}
    entries: list[tuple[int, int, float]] = []
    for number, line in moves:
        found = _MOVE.fullmatch(line)
        words = found[3].split() if found else []
        try:
            chances = [float(word) for word in words[1::2]] or [1.0]
        except ValueError:
            found = None
        if found is None:
            raise InputError(
                f"line {number} of the table is {shortened(line)}; a line names state and action, then outcomes with "
                'their chances, as in "0 1: 2 0.75 0 0.25", or a single outcome, as in "0 0: 3"'
            )
        state, action = int(found[1]), int(found[2])
        if state >= states or action >= actions:
            raise InputError(
                f"line {number} of the table is about state {state}, action {action}; states are 0 to {states - 1}, "
                f"actions 0 to {actions - 1}"
            )
        row = state * actions + action
        first = line_of.setdefault(row, number)
        if first != number:
            raise InputError(f"line {number} of the table repeats the state and action of line {first}; keep one")
        entries += [(row, int(word), chance) for word, chance in zip(words[::2], chances, strict=True)]
    entries.sort(key=lambda entry: entry[0])
    rows, outcomes, likely = zip(*entries, strict=True)
    return OutcomeRows(np.array(rows), np.array(outcomes), np.array(likely))
