"""How numbers are written on the page."""

import math
from typing import NamedTuple, TypeGuard

from hierq.figures.terminal import plural
from hierq.investigations.words import listed as listed

MINUS = "−"
NOTHING = "–"
NO_BREAK = "\u00a0"


class Mark(NamedTuple):
    """A judgement for the eye."""

    kind: str  # a class of the style sheet
    symbol: str  # what tells it without colours
    meaning: str  # what it says of one thing
    of_many: str = ""  # what it says of several, if that differs

    @property
    def plural(self) -> str:
        """What it says of several things."""
        return self.of_many or self.meaning


CLOSE = Mark("close", "●", "within one joint standard error")
NEAR = Mark("near", "○", "within two")
ABOVE = Mark("off", "▲", "ours is higher, beyond two")
BELOW = Mark("off", "▼", "ours is lower, beyond two")
FAR_ABOVE = Mark("far", "▲▲", "ours is higher, beyond three")
FAR_BELOW = Mark("far", "▼▼", "ours is lower, beyond three")
UNKNOWN = Mark("unknown", "", "cannot be said")
LEGEND = (CLOSE, NEAR, ABOVE, BELOW, FAR_ABOVE, FAR_BELOW)


def is_number(value: object) -> TypeGuard[float]:
    """Whether there is a finite number: neither None nor NaN."""
    return isinstance(value, int | float) and math.isfinite(value)


def agreement(z: float | None) -> Mark:
    """The mark of a difference in units of its joint standard error."""
    if not is_number(z):
        return UNKNOWN
    if abs(z) <= 2:
        return CLOSE if abs(z) <= 1 else NEAR
    if abs(z) <= 3:
        return ABOVE if z > 0 else BELOW
    return FAR_ABOVE if z > 0 else FAR_BELOW


def fixed(value: float | None, digits: int = 2) -> str:
    """A number with this many decimals, commas between thousands, and a true minus sign."""
    if not is_number(value):
        return NOTHING
    text = f"{value:,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def signed(value: float | None, digits: int = 2) -> str:
    """The same with its sign, whichever it is."""
    text = fixed(value, digits)
    plain = text == NOTHING or text.startswith(MINUS) or float(text.replace(",", "")) == 0
    return text if plain else f"+{text}"


def percent(share: float | None, digits: int = 1) -> str:
    """A share as per cent."""
    return f"{fixed(100 * share, digits)}{NO_BREAK}%" if is_number(share) else NOTHING


def signed_percent(share: float | None, digits: int = 1) -> str:
    """A change as per cent, with its sign."""
    return f"{signed(100 * share, digits)}{NO_BREAK}%" if is_number(share) else NOTHING


def with_error(value: float | None, error: float | None, digits: int) -> str:
    """A number ± its standard error, where that is known."""
    text = fixed(value, digits)
    return f"{text}{NO_BREAK}±{NO_BREAK}{fixed(error, digits)}" if is_number(error) and text != NOTHING else text


def with_interval(value: float | None, low: float | None, high: float | None) -> str:
    """A number with its interval, with two digits of what is uncertain about it; empty if there is none."""
    if not is_number(value):
        return ""
    width = high - low if is_number(low) and is_number(high) else 0.0
    known = width > 0
    scale = width / 2 if known else abs(value) / 10
    digits = min(max(1 - math.floor(math.log10(scale)), 0), 3) if scale > 0 else 0
    return fixed(value, digits) + (f" [{fixed(low, digits)}, {fixed(high, digits)}]" if known else "")


def probability(p: float | None) -> str:
    """A p-value."""
    return f"<{NO_BREAK}0.001" if is_number(p) and p < 0.001 else fixed(p, 3)


def duration(seconds: float) -> str:
    """A time in the units one would say it in."""
    if seconds < 90:
        return f"{fixed(seconds, 0)}{NO_BREAK}s"
    if seconds < 90 * 60:
        return f"{fixed(seconds / 60, 0)}{NO_BREAK}min"
    return f"{fixed(seconds / 3600, 1)}{NO_BREAK}h"


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 cell", "2,400 runs"."""
    return plural(number, noun).replace(" ", NO_BREAK, 1)
