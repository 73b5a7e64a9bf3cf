"""Worlds without coordinates: a table of outcomes and chances, checked and brought into canonical form."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import Blueprint, Integers, Numbers, can_end_at_a_goal, endings, spread
from hierq.worlds.map_text import shortened

MAX_TABLE_BYTES = 2 * 2**30
TOLERANCE = 1e-9  # by which the sum of chances may differ from 1, because of rounding


class OutcomeRows(NamedTuple):
    """The entries of a table: row (state · actions + action), outcome and chance of each."""

    rows: Integers
    outcomes: Integers
    chances: Numbers


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
    rows = np.repeat(np.arange(states * actions), most)
    begin, end, lost = (
        numbers_of(part, name, whole=True) for part, name in ((starts, "starts"), (goals, "goals"), (holes, "holes"))
    )
    weights = None if start_chances is None else numbers_of(start_chances, "start chances")
    return sound_table(states, actions, OutcomeRows(rows, leads.ravel(), likely.ravel()), begin, end, lost, weights)


def sound_table(
    states: int,
    actions: int,
    entries: OutcomeRows,
    starts: Integers,
    goals: Integers,
    holes: Integers,
    start_chances: Numbers | None,
) -> Blueprint:
    """The canonical form of a table: equal outcomes merged, chances that sum to 1, states in order."""
    outcomes, chances = _packed(states, actions, entries)
    goals, holes = (_states(part, states, role) for part, role in ((goals, "goal"), (holes, "hole")))
    starts, start_chances = _starts(starts, start_chances, states)
    if not len(goals):
        raise InputError("the table has no goal; name at least one state that ends an episode with reward")
    ending = endings(states, goals, holes)
    _refuse_both(goals, holes, "a goal and a hole")
    _refuse_both(starts, goals, "a start and a goal")
    _refuse_both(starts, holes, "a start and a hole")
    has_way = can_end_at_a_goal(outcomes, chances, ending)[starts]
    if not has_way.all():
        stuck = starts[np.argmin(has_way)]
        raise InputError(f"no goal can be reached from the start {stuck}; check the outcomes, or name other goals")
    names = tuple(str(action) for action in range(actions))
    positions, cell_at = np.zeros((states, 2), dtype=np.int64), np.zeros((0, 0), dtype=np.int64)
    return Blueprint(positions, cell_at, outcomes, chances, starts, start_chances, goals, holes, names)


def numbers_of(given: Any, name: str, whole: bool = False) -> npt.NDArray[Any]:
    """Numbers that a user gave for a table, as an array."""
    try:
        array = np.asarray(given)
    except ValueError:
        array = np.array(None)
    if whole and array.size == 0:
        return np.zeros(array.shape, dtype=np.int64)
    kinds = "iu" if whole else "iuf"
    if array.dtype.kind not in kinds:
        what = "whole numbers" if whole else "numbers"
        raise InputError(f"the {name} of a table are an array of {what}, all rows equally long, not {shortened(given)}")
    return array.astype(np.int64 if whole else np.float64)


def _packed(states: int, actions: int, entries: OutcomeRows) -> tuple[Integers, Numbers]:
    """Arrays [states, actions, most]: the last real chance takes the rest to 1, what follows repeats its outcome."""
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
    merged = _merged(OutcomeRows(rows[possible], outcomes[possible], chances[possible]), states)
    counts = np.bincount(merged.rows, minlength=states * actions)
    total = np.bincount(merged.rows, weights=merged.chances, minlength=states * actions)
    rows = np.arange(states * actions)
    refuse(counts == 0, lambda at: "leads nowhere; give it an outcome with a chance above 0")
    is_off = np.abs(total - 1) > TOLERANCE
    refuse(is_off, lambda at: f"has chances that sum to {total[at]:.12g}; make them sum to 1")
    most = int(counts.max())
    size = 16 * states * actions * most
    if size > MAX_TABLE_BYTES:
        raise InputError(
            f"the table would take {size / 2**30:.1f} GiB: {states:,} states with {actions:,} actions and up to "
            f"{most:,} outcomes each; the limit is {MAX_TABLE_BYTES / 2**30:.0f} GiB; use a smaller one"
        )
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


def _merged(entries: OutcomeRows, states: int) -> OutcomeRows:
    """Merges equal outcomes of an action into the first of them, with the sum of their chances."""
    key = entries.rows * states + entries.outcomes
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    total: Numbers = np.bincount(which, weights=entries.chances).astype(np.float64)
    order = np.lexsort((first, entries.rows[first]))
    kept = first[order]
    return OutcomeRows(entries.rows[kept], entries.outcomes[kept], total[order])


def _states(given: Integers, states: int, role: str) -> Integers:
    """The states in ascending order, without repeats."""
    numbers = np.unique(given)
    wrong = numbers[(numbers < 0) | (numbers >= states)]
    if len(wrong):
        raise InputError(f"the {role} {wrong[0]} is not a state of the table; its states are 0 to {states - 1}")
    return numbers


def _starts(given: Integers, chances: Numbers | None, states: int) -> tuple[Integers, Numbers]:
    given = given.ravel()
    if not len(given):
        raise InputError("the table has no start; name at least one state in which an episode begins")
    starts = _states(given, states, "start")
    if chances is None:
        return starts, spread(len(starts))
    if chances.shape != given.shape:
        raise InputError(f"there is one chance per start; there are {given.size} starts and {chances.size} chances")
    total = chances.sum()
    if not ((chances >= 0) & (chances <= 1 + TOLERANCE)).all() or abs(total - 1) > TOLERANCE:
        raise InputError(
            f"the chances of the starts are numbers from 0 to 1 that sum to 1, not {shortened(chances.tolist())}"
        )
    merged: Numbers = np.bincount(np.searchsorted(starts, given), weights=chances).astype(np.float64)
    starts, merged = starts[merged > 0], merged[merged > 0]
    if np.allclose(merged, 1 / len(merged), rtol=0, atol=1e-12):
        return starts, spread(len(starts))
    merged[-1] = 1 - merged[:-1].sum()
    return starts, merged


def _refuse_both(one: Integers, other: Integers, words: str) -> None:
    both = np.intersect1d(one, other)
    if len(both):
        raise InputError(f"state {both[0]} of the table is both {words}; it can be one of them")
