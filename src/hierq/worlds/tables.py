"""Worlds without coordinates: tables of outcomes and chances, as arrays and as text, checked and in canonical form.

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
from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import Blueprint, Integers, Numbers, check_size, endings, spread, steps_to_goal
from hierq.worlds.map_text import checked_text, shortened

TOLERANCE = 1e-9  # by which the sum of chances may differ from 1, because of rounding
_SIZE = re.compile(r"\s*table\s*:\s*(\d{1,12})\s+states?\s*,\s*(\d{1,12})\s+actions?\s*", re.IGNORECASE | re.ASCII)


class Entries(NamedTuple):
    """The entries of a table: row (state · actions + action), outcome and chance of each."""

    rows: Integers
    outcomes: Integers
    chances: Numbers


def is_table(text: str) -> bool:
    """Whether a text is that of a table rather than a map."""
    return isinstance(text, str) and re.match(r"\s*table\s*:", text, re.IGNORECASE) is not None


def table_text(table: Blueprint) -> str:
    """The canonical text of a table.

    Chances of starts are written when they are not equal, chances of outcomes where there are several.
    """
    states, actions, _ = table.outcomes.shape
    has_equal_starts = (table.start_chances == spread(len(table.starts))).all()
    header: dict[str, list[Any]] = {
        "starts": table.starts.tolist(),
        "start chances": [] if has_equal_starts else table.start_chances.tolist(),
        "goals": table.goals.tolist(),
        "holes": table.holes.tolist(),
        "picture": [] if table.picture == (0, 0) else list(table.picture),
    }
    lines = [f"table: {states} states, {actions} actions"]
    lines += [f"{key}: {' '.join(map(repr, numbers))}" for key, numbers in header.items() if numbers]
    counts = (table.chances > 0).sum(axis=2).ravel().tolist()
    outcomes_of = table.outcomes.reshape(len(counts), -1).tolist()
    chances_of = table.chances.reshape(len(counts), -1).tolist()
    rows = zip(outcomes_of, chances_of, counts, strict=True)
    for row, (outcomes, chances, count) in enumerate(rows):
        pairs = [f"{outcomes[at]} {chances[at]!r}" for at in range(count)] if count > 1 else [str(outcomes[0])]
        lines.append(f"{row // actions} {row % actions}: {' '.join(pairs)}")
    return "\n".join(lines) + "\n"


def table_from_text(text: str) -> Blueprint:
    """The arrays of the world of a table; blank lines and the order of lines do not matter."""
    lines: dict[str, tuple[int, str]] = {}  # by what stands before the colon
    for number, line in enumerate(checked_text(text, "table").split("\n"), start=1):
        key = " ".join(line.partition(":")[0].lower().split())
        if key in lines:
            raise InputError(
                f"line {number} of the table gives {shortened(key)} a second time, after line {lines[key][0]}; "
                "keep one of the two lines"
            )
        if line.strip():
            lines[key] = number, line.strip()
    number, line = lines.pop("table")
    found = _SIZE.fullmatch(line)
    if found is None or 0 in (int(found[1]), int(found[2])):
        raise InputError(
            f"line {number} of the table is {shortened(line)}; begin a table with its size, as in "
            '"table: 16 states, 4 actions"'
        )
    states, actions = int(found[1]), int(found[2])
    starts, goals, holes, picture = (_numbers(lines, key, np.int64) for key in ("starts", "goals", "holes", "picture"))
    chances = _numbers(lines, "start chances", np.float64)
    entries = [entry for number, line in lines.values() for entry in _entries_of(line, number, states, actions)]
    if len(lines) != states * actions:
        raise InputError(
            f"the table has {len(lines):,} lines of outcomes, but {states:,} states with {actions:,} actions need "
            f"{states * actions:,}; write one line per state and action, as in 0 0: 3"
        )
    columns = Entries(*(np.array(column) for column in zip(*entries, strict=True)))
    table = sound_table(states, actions, columns, starts, goals, holes, chances if chances.size else None)
    table = table._replace(picture=_picture(picture.tolist(), states))
    return table._replace(text=table_text(table))


def _numbers(lines: dict[str, tuple[int, str]], key: str, kind: type) -> npt.NDArray[Any]:
    """Takes a line out of the header and returns its numbers; an empty array if the line is missing."""
    number, line = lines.pop(key, (0, ""))
    words = line.partition(":")[2].split()
    try:
        return np.array([kind(word) for word in words], dtype=kind)
    except (ValueError, OverflowError):
        raise InputError(
            f"line {number} of the table gives the {key} as {shortened(' '.join(words))}; write numbers, separated by "
            "spaces"
        ) from None


def _picture(numbers: list[int], states: int) -> tuple[int, int]:
    if not numbers:
        return 0, 0
    if len(numbers) != 2 or min(numbers) < 1 or states % (numbers[0] * numbers[1]):
        raise InputError(
            f"the picture of the table is given as {' '.join(map(str, numbers))}; give rows and columns of cells that "
            f"share the {states:,} states equally, as in picture: 4 4"
        )
    return numbers[0], numbers[1]


def _entries_of(line: str, number: int, states: int, actions: int) -> list[tuple[int, np.int64, float]]:
    """The entries of a line of outcomes: row, outcome and chance of each."""
    place, _, values = line.partition(":")
    words = values.split()
    try:
        state, action = map(int, place.split())
        pairs = zip(words[::2], words[1::2] or ["1"], strict=True)
        outcomes = [(np.int64(outcome), float(chance)) for outcome, chance in pairs]
    except (ValueError, OverflowError):
        raise InputError(
            f"line {number} of the table is {shortened(line)}; a line names state and action, then outcomes with their "
            'chances, as in "0 1: 2 0.75 0 0.25", or a single outcome, as in "0 0: 3"; or it gives the starts, start '
            "chances, goals, holes or picture"
        ) from None
    if not (0 <= state < states and 0 <= action < actions):
        raise InputError(
            f"line {number} of the table is about state {state}, action {action}; states are 0 to {states - 1}, "
            f"actions 0 to {actions - 1}"
        )
    return [(state * actions + action, outcome, chance) for outcome, chance in outcomes]


def table_from_arrays(
    outcomes: Any, chances: Any, starts: Any, start_chances: Any, goals: Any, holes: Any
) -> Blueprint:
    """A table from the arguments of `World.from_table`."""
    leads = numbers_of(outcomes, "outcomes", whole=True)
    if leads.ndim == 2:
        leads = leads[:, :, np.newaxis]
    if leads.ndim != 3 or 0 in leads.shape:
        raise InputError(
            f"outcomes are an array [states, actions] or [states, actions, most], not one of shape {leads.shape}"
        )
    likely = np.ones(leads.shape) if chances is None else numbers_of(chances, "chances")
    likely = likely[:, :, np.newaxis] if likely.ndim == 2 else likely
    if likely.shape != leads.shape:
        raise InputError(f"there is one chance per outcome; outcomes have shape {leads.shape}, chances {likely.shape}")
    states, actions, most = leads.shape
    entries = Entries(np.repeat(np.arange(states * actions), most), leads.ravel(), likely.ravel())
    begin, end, lost = (
        numbers_of(part, name, whole=True) for part, name in ((starts, "starts"), (goals, "goals"), (holes, "holes"))
    )
    weights = None if start_chances is None else numbers_of(start_chances, "start chances")
    return sound_table(states, actions, entries, begin, end, lost, weights)


def numbers_of(given: Any, name: str, whole: bool = False) -> npt.NDArray[Any]:
    """The numbers that a user gave for a table, as an array."""
    try:
        array = np.asarray(given)
    except ValueError:
        array = np.array(None)
    if whole and array.size == 0:
        return np.zeros(array.shape, dtype=np.int64)
    if array.dtype.kind not in ("iu" if whole else "iuf"):
        what = "whole numbers" if whole else "numbers"
        raise InputError(f"the {name} of a table are an array of {what}, all rows equally long, not {shortened(given)}")
    return array.astype(np.int64 if whole else np.float64)


def sound_table(
    states: int,
    actions: int,
    entries: Entries,
    starts: Integers,
    goals: Integers,
    holes: Integers,
    start_chances: Numbers | None,
) -> Blueprint:
    """The canonical form of a table: equal outcomes merged, chances that sum to 1, states in order."""
    outcomes, chances = _packed(states, actions, entries)
    goals, holes = _states(goals, states, "goal"), _states(holes, states, "hole")
    starts, start_chances = _starts(starts, start_chances, states)
    if not len(goals):
        raise InputError("the table has no goal; name at least one state that ends an episode with reward")
    for (role, some), (other, others) in combinations((("start", starts), ("goal", goals), ("hole", holes)), 2):
        both = np.intersect1d(some, others)
        if len(both):
            raise InputError(f"state {both[0]} of the table is both a {role} and a {other}; it can be one of them")
    steps = steps_to_goal(outcomes, chances, endings(states, goals, holes))[starts]
    if np.isinf(steps).any():
        stuck = starts[np.argmax(steps)]
        raise InputError(f"no goal can be reached from the start {stuck}; check the outcomes, or name other goals")
    names = tuple(str(action) for action in range(actions))
    positions, cell_at = np.zeros((states, 2), dtype=np.int64), np.zeros((0, 0), dtype=np.int64)
    return Blueprint(positions, cell_at, outcomes, chances, starts, start_chances, goals, holes, names)


def _packed(states: int, actions: int, entries: Entries) -> tuple[Integers, Numbers]:
    """Arrays [states, actions, most] of outcomes and chances.

    The last outcome of an action takes the rest of the chance, so that all sum to 1, and fills up the row.
    """
    rows, outcomes, chances = entries

    def refuse(is_wrong: npt.NDArray[np.bool_], words: Callable[[int], str]) -> None:
        if is_wrong.any():
            at = int(np.argmax(is_wrong))
            state, action = divmod(int(rows[at]), actions)
            raise InputError(f"action {action} in state {state} of the table {words(at)}")

    there_are = f"which does not exist; the states are 0 to {states - 1}"
    refuse((outcomes < 0) | (outcomes >= states), lambda at: f"leads to state {outcomes[at]}, {there_are}")
    is_chance = (chances >= 0) & (chances <= 1 + TOLERANCE)
    refuse(~is_chance, lambda at: f"has the chance {chances[at]:g}; a chance is a number from 0 to 1")
    possible = chances > 0
    merged = _merged(Entries(rows[possible], outcomes[possible], chances[possible]), states)
    counts = np.bincount(merged.rows, minlength=states * actions)
    total = np.bincount(merged.rows, weights=merged.chances, minlength=states * actions)
    rows = np.arange(states * actions)
    refuse(counts == 0, lambda at: "leads nowhere; give it an outcome with a chance above 0")
    is_off = np.abs(total - 1) > TOLERANCE
    refuse(is_off, lambda at: f"has chances that sum to {total[at]:.12g}; make them sum to 1")
    most = int(counts.max())
    check_size(f"{states:,} states with {actions:,} actions and up to {most:,} outcomes each", 16 * len(counts) * most)
    is_real = np.arange(most) < counts[:, np.newaxis]
    leads = np.repeat(merged.outcomes[np.cumsum(counts) - 1], most).reshape(-1, most)
    leads[is_real] = merged.outcomes
    likely = np.zeros(leads.shape)
    likely[is_real] = merged.chances
    rest = np.ones(len(counts))
    for place in range(most):
        is_last = counts == place + 1
        likely[is_last, place] = rest[is_last]
        rest -= likely[:, place]
    has_none = likely[rows, counts - 1] <= 0
    refuse(has_none, lambda at: "has chances that sum to more than 1 before the last of them; make them sum to 1")
    return leads.reshape(states, actions, most), likely.reshape(states, actions, most)


def _merged(entries: Entries, states: int) -> Entries:
    """Merges equal outcomes of an action into the first of them, with the sum of their chances."""
    key = entries.rows * states + entries.outcomes
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    total: Numbers = np.bincount(which, weights=entries.chances).astype(np.float64)
    order = np.lexsort((first, entries.rows[first]))
    kept = first[order]
    return Entries(entries.rows[kept], entries.outcomes[kept], total[order])


def _states(given: Integers, states: int, role: str) -> Integers:
    """The states in ascending order, without repeats."""
    numbers = np.unique(given)
    wrong = numbers[(numbers < 0) | (numbers >= states)]
    if len(wrong):
        raise InputError(f"the {role} {wrong[0]} is not a state of the table; its states are 0 to {states - 1}")
    return numbers


def _starts(given: Integers, chances: Numbers | None, states: int) -> tuple[Integers, Numbers]:
    """The starts in ascending order, and their chances; the chances of repeated starts are added."""
    given = given.ravel()
    if not len(given):
        raise InputError("the table has no start; name at least one state in which an episode begins")
    starts = _states(given, states, "start")
    if chances is None:
        return starts, spread(len(starts))
    if chances.shape != given.shape:
        raise InputError(f"there is one chance per start; there are {given.size} starts and {chances.size} chances")
    if not (chances >= 0).all() or not abs(chances.sum() - 1) <= TOLERANCE:
        raise InputError(
            f"the chances of the starts are numbers from 0 to 1 that sum to 1, not {shortened(chances.tolist())}"
        )
    merged: Numbers = np.bincount(np.searchsorted(starts, given), weights=chances).astype(np.float64)
    starts, merged = starts[merged > 0], merged[merged > 0]
    if np.allclose(merged, 1 / len(merged), rtol=0, atol=1e-12):
        return starts, spread(len(starts))
    merged[-1] = 1 - merged[:-1].sum()
    return starts, merged
