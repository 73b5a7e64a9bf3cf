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
from typing import NoReturn

import numpy as np

from hierq.errors import InputError
from hierq.worlds.layout import Blueprint, spread
from hierq.worlds.map_text import checked_text, shortened
from hierq.worlds.tables import OutcomeRows, sound_table

_FIRST_LINE = re.compile(
    r"\s*table\s*:\s*(\d{1,12})\s+states?\s*,\s*(\d{1,12})\s+actions?\s*", re.IGNORECASE | re.ASCII
)
_KEYS = ("starts", "start chances", "goals", "holes", "picture")


def is_table(text: str) -> bool:
    """Whether a text is meant as a table rather than a map."""
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
    starts, goals, holes = (_whole_numbers(header.get(key, []), key) for key in ("starts", "goals", "holes"))
    chances = _decimals(header["start chances"], "start chances") if "start chances" in header else None
    table = sound_table(states, actions, _entries(moves, states, actions), starts, goals, holes, chances)
    table = table._replace(picture=_picture(_whole_numbers(header.get("picture", []), "picture").tolist(), states))
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


def _whole_numbers(words: list[str], key: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    wrong = next((word for word in words if not _is_number(word)), None)
    if wrong is not None:
        raise InputError(
            f"the {key} of the table are numbers of states, not {shortened(wrong)}; separate them by spaces"
        )
    return np.array([int(word) for word in words], dtype=np.int64)


def _decimals(words: list[str], key: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    try:
        return np.array([float(word) for word in words])
    except ValueError:
        raise InputError(f"the {key} of the table are numbers from 0 to 1, not {shortened(' '.join(words))}") from None


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 12


def _entries(moves: list[tuple[int, str]], states: int, actions: int) -> OutcomeRows:
    """All entries, sorted by state and action."""
    seen: dict[int, int] = {}
    rows: list[int] = []
    outcomes: list[int] = []
    chances: list[float] = []
    for number, line in moves:
        row, words = _row(line, number, states, actions)
        if row in seen:
            raise InputError(f"line {number} of the table repeats the state and action of line {seen[row]}; keep one")
        seen[row] = number
        words = [*words, "1"] if len(words) == 1 else words
        if len(words) % 2 or not words or not all(map(_is_number, words[::2])):
            _refuse_line(line, number)
        try:
            chances += map(float, words[1::2])
        except ValueError:
            _refuse_line(line, number)
        outcomes += map(int, words[::2])
        rows += [row] * (len(words) // 2)
    order = np.argsort(rows, kind="stable")
    return OutcomeRows(np.array(rows)[order], np.array(outcomes)[order], np.array(chances)[order])


def _row(line: str, number: int, states: int, actions: int) -> tuple[int, list[str]]:
    head, colon, tail = line.partition(":")
    names = head.split()
    if not colon or len(names) != 2 or not all(map(_is_number, names)):
        _refuse_line(line, number)
    state, action = int(names[0]), int(names[1])
    if state >= states or action >= actions:
        raise InputError(
            f"line {number} of the table is about state {state}, action {action}; states are 0 to {states - 1}, "
            f"actions 0 to {actions - 1}"
        )
    return state * actions + action, tail.split()


def _refuse_line(line: str, number: int) -> NoReturn:
    raise InputError(
        f"line {number} of the table is {shortened(line)}; a line names state and action, then outcomes with their "
        'chances, as in "0 1: 2 0.75 0 0.25", or a single outcome, as in "0 0: 3"'
    )
