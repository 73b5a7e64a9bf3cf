"""Checks of numbers from users. The messages say what was wrong."""

import operator
from typing import Any, TypeGuard

import numpy as np

from hierq.errors import InputError

MAX_STEPS = 10**9
MAX_SEED = 2**1024


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether a value is a whole number and no truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def whole_number(name: str, value: Any, most: int = MAX_STEPS, least: int = 1) -> int:
    """A whole number from `least` to `most`; refuses everything else."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InputError(f"{name} must be a whole number, not {value!r}")
    number = operator.index(value)
    if number < least:
        raise InputError(f"{name} must be at least {least}, not {_short(number)}")
    if number > most:
        raise InputError(f"{name} must be at most {most:,}, not {_short(number)}")
    return number


def number_between(name: str, value: Any, low: float, high: float, open_low: bool = False) -> float:
    """A number in [low, high], or in (low, high]; refuses everything else."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise InputError(f"{name} must be a number, not {value!r}")
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        raise InputError(f"{name} must be a number from {low:g} to {high:g}") from None
    inside = (low < number if open_low else low <= number) and number <= high
    if not inside:  # also catches NaN
        raise InputError(f"{name} must lie in {'(' if open_low else '['}{low:g}, {high:g}], not {number:g}")
    return number + 0.0  # no negative zero: equal numbers are to look equal


def _short(number: int) -> str:
    """A whole number, or how long it is."""
    return str(number) if abs(number) < 10**20 else "a number of more than 20 digits"
