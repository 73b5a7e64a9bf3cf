"""What an environment answered, checked: those that users write may return anything."""

import math
from typing import Any

import numpy as np

from hierq.errors import InputError


def first_observation(returned: Any) -> Any:
    """The observation that an environment's reset returned."""
    names = "two: observation and info (older ones of gym returned the observation alone)"
    return _parts(returned, 2, "reset", names)[0]


def checked_answer(returned: Any) -> tuple[Any, float, bool, bool]:
    """What an environment's step returned: observation, reward, whether it ended, whether it was cut short."""
    names = "five: observation, reward, terminated, truncated and info (older ones of gym returned four)"
    observation, reward, ended, cut_short, _ = _parts(returned, 5, "step", names)
    number = _number(reward)
    if math.isnan(number):
        raise InputError(f"the environment's step returned the reward {reward!r:.60}; it must be a number")
    is_ended = truth_value(ended, "the environment's step returned the terminated")
    return observation, number, is_ended, truth_value(cut_short, "the environment's step returned the truncated")


def truth_value(value: Any, what: str) -> bool:
    """True or False, which may also be written as 1 or 0; refuses everything else, such as the word "False"."""
    plain = _plain(value)
    if not isinstance(plain, int) or plain not in (0, 1):
        raise InputError(f"{what} {value!r:.60}; it must be True or False")
    return bool(plain)


def _parts(returned: Any, count: int, call: str, names: str) -> tuple[Any, ...]:
    if isinstance(returned, tuple) and len(returned) == count:
        return returned
    what = f"{len(returned)} values" if isinstance(returned, tuple) else f"one value ({type(returned).__name__})"
    raise InputError(f"the environment's {call} returned {what}; a Gymnasium environment returns {names}")


def _number(value: Any) -> float:
    """A number from -inf to inf; NaN for everything else."""
    plain = _plain(value)
    try:
        return float(plain) if isinstance(plain, int | float | np.floating) else math.nan
    except OverflowError:
        return math.nan


def _plain(value: Any) -> Any:
    """Python's own number for one of numpy, and for an array without dimensions."""
    return value.item() if getattr(value, "shape", None) == () else value
