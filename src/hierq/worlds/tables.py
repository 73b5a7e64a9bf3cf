"""Worlds without coordinates: tables of outcomes and chances, as arrays and as text, checked and in canonical form.

A table's text is JSON with the arguments of `World.from_table`, and perhaps the `picture` that `World` explains.
"""

import json
import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import (
    AT_GOAL,
    IN_HOLE,
    Blueprint,
    Integers,
    Numbers,
    canonical,
    endings,
    lost_start,
)
from hierq.worlds.map_text import checked_text

TOLERANCE = 1e-9  # by which the sum of chances may differ from 1, because of rounding
PARTS = ("outcomes", "chances", "starts", "start_chances", "goals", "holes", "picture")
LEGEND = (
    f'a table is written as {{"outcomes": [[1, 0], [1, 1]], "goals": [1]}} with some of {", ".join(PARTS)}, each once'
)


def is_table(text: str) -> bool:
    """Whether a text is that of a table rather than a map."""
    return isinstance(text, str) and text.lstrip().startswith("{")


def table_text(table: Blueprint) -> str:
    """The canonical text of a table.

    Chances of starts are written when they are not equal, chances of outcomes when some action has several.
    """
    has_equal_starts = (table.start_chances == 1 / len(table.starts)).all()
    is_random = table.outcomes.shape[2] > 1
    parts: dict[str, list[Any]] = {
        "starts": table.starts.tolist(),
        "start_chances": [] if has_equal_starts else table.start_chances.tolist(),
        "goals": np.flatnonzero(table.ending == AT_GOAL).tolist(),
        "holes": np.flatnonzero(table.ending == IN_HOLE).tolist(),
        "picture": [] if table.picture == (0, 0) else list(table.picture),
        "outcomes": (table.outcomes if is_random else table.outcomes[:, :, 0]).tolist(),
        "chances": table.chances.tolist() if is_random else [],
    }
    return "{" + ",\n ".join(f'"{name}": {numbers}' for name, numbers in parts.items() if numbers) + "}\n"


def table_from_text(text: str) -> Blueprint:
    """The arrays of the world of a table."""
    try:
        parts = json.loads(checked_text(text, "table"), object_pairs_hook=list)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"the table is not JSON: {problem}; {LEGEND}") from None
    names = [name for name, _ in parts]
    if len(set(names)) < len(names) or not set(names) <= set(PARTS):
        raise InputError(f"the table has the parts {', '.join(names):.200}; {LEGEND}")
    return table_from_arrays(**dict(parts))


def table_from_arrays(
    outcomes: Any = None,
    chances: Any = None,
    starts: Any = (0,),
    start_chances: Any = None,
    goals: Any = (),
    holes: Any = (),
    picture: Any = (),
) -> Blueprint:
    """The arrays of the world of a table; `World` and `World.from_table` explain the arguments."""
    outcomes, chances = _moves(outcomes, chances)
    states, actions, _ = outcomes.shape
    starts, start_chances = _starts(starts, start_chances, states)
    goals, holes = _states(goals, "goal", states), _states(holes, "hole", states)
    if not len(goals):
        raise InputError("the table has no goal; name at least one state that ends an episode with reward")
    for (role, some), (other, others) in combinations((("start", starts), ("goal", goals), ("hole", holes)), 2):
        both = np.intersect1d(some, others)
        if len(both):
            raise InputError(f"state {both[0]} of the table is both a {role} and a {other}; it can be one of them")
    sides = numbers_of(picture, "sides of the picture", whole=True)
    if sides.size and (sides.shape != (2,) or sides.min() < 1 or states % math.prod(sides.tolist())):
        raise InputError(
            f"the picture of the table is given as {picture!r:.60}; give rows and columns of cells that share the "
            f"{states:,} states equally, as in [4, 4]"
        )
    table = Blueprint(
        text="",
        outcomes=outcomes,
        chances=chances,
        positions=np.zeros((states, 2), dtype=np.int64),
        cell_at=np.zeros((0, 0), dtype=np.int64),
        letters=np.zeros((0, 0), dtype=np.uint8),
        starts=starts,
        start_chances=start_chances,
        ending=endings(states, goals, holes),
        picture=(int(sides[0]), int(sides[1])) if sides.size else (0, 0),
        action_names=tuple(str(action) for action in range(actions)),
    )
    lost = lost_start(table)
    if lost is not None:
        raise InputError(f"no goal can be reached from the start {lost}; check the outcomes, or name other goals")
    return replace(table, text=checked_text(table_text(table), "table"))


def _moves(outcomes: Any, chances: Any) -> tuple[Integers, Numbers]:
    """Arrays [states, actions, most] of outcomes and chances in canonical form."""
    leads: npt.NDArray[Any] = numbers_of(outcomes, "outcomes", whole=True)
    likely: npt.NDArray[Any] = np.ones(leads.shape) if chances is None else numbers_of(chances, "chances")
    leads, likely = (array[:, :, np.newaxis] if array.ndim == 2 else array for array in (leads, likely))
    if leads.ndim != 3 or 0 in leads.shape:
        raise InputError(
            f"outcomes are an array [states, actions] or [states, actions, most], not one of shape {leads.shape}"
        )
    if likely.shape != leads.shape:
        raise InputError(f"there is one chance per outcome; outcomes have shape {leads.shape}, chances {likely.shape}")

    def refuse(is_wrong: npt.NDArray[np.bool_], numbers: npt.NDArray[Any], problem: str) -> None:
        if is_wrong.any():
            state, action, place = np.argwhere(is_wrong)[0]
            words = problem.format(numbers[state, action, place])
            raise InputError(f"action {action} in state {state} of the table {words}")

    states = len(leads)
    there_are = f"which does not exist; the states are 0 to {states - 1}"
    refuse((leads < 0) | (leads >= states), leads, f"leads to state {{}}, {there_are}")
    is_chance = (likely >= 0) & (likely <= 1 + TOLERANCE)
    refuse(~is_chance, likely, "has the chance {:g}; a chance is a number from 0 to 1")
    total = likely.sum(axis=2, keepdims=True)
    refuse(total == 0, total, "leads nowhere; give it an outcome with a chance above 0")
    refuse(np.abs(total - 1) > TOLERANCE, total, "has chances that sum to {:.12g}; make them sum to 1")
    return canonical(leads, likely)


def _starts(given: Any, chances: Any, states: int) -> tuple[Integers, Numbers]:
    """The starts in ascending order, and their chances; the chances of repeated starts are added."""
    starts = _states(given, "start", states)
    if not len(starts):
        raise InputError("the table has no start; name at least one state in which an episode begins")
    if chances is None:
        return starts, np.full(len(starts), 1 / len(starts))
    listed = numbers_of(given, "starts", whole=True).ravel()
    likely = numbers_of(chances, "start chances")
    if likely.shape != listed.shape:
        raise InputError(f"there is one chance per start; there are {listed.size} starts and {likely.size} chances")
    if not (likely >= 0).all() or not abs(likely.sum() - 1) <= TOLERANCE:
        raise InputError(
            f"the chances of the starts are numbers from 0 to 1 that sum to 1, not {likely.tolist()!r:.60}"
        )
    ascending = np.argsort(listed)
    return canonical(listed[ascending], likely[ascending])


def _states(given: Any, role: str, states: int) -> Integers:
    """The states with a role in ascending order, without repeats."""
    numbers = np.unique(numbers_of(given, f"{role}s", whole=True))
    wrong = numbers[(numbers < 0) | (numbers >= states)]
    if len(wrong):
        raise InputError(f"the {role} {wrong[0]} is not a state of the table; its states are 0 to {states - 1}")
    return numbers


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
        raise InputError(f"the {name} of a table are an array of {what}, all rows equally long, not {given!r:.60}")
    return array.astype(np.int64 if whole else np.float64)
