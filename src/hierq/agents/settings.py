"""How a setting of an agent is declared: once, with what it may be and what it means.

`AgentConfig` declares its fields with `setting`; the checks of values, the options of the command line, the keys of
study files and the controls of the lab are all made from these declarations.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

from hierq.agents.checks import MOST_STEPS, number_between, whole_number
from hierq.errors import InputError


@dataclass(frozen=True)
class Setting:
    """What a setting may be, and what it means.

    Attributes:
        about: what it means, in one or two sentences.
        symbol: the paper's letter for it.
        choices: the words it may be, if it is one of a few words.
        low: the lowest number it may be, if it is a number.
        high: the highest.
        is_open: whether it must be above the lowest.
        is_whole: whether it is a whole number.
        came_later: while it has its default, it is left out of files and of the keys of runs, so that what was done
            before it came is found again.
    """

    about: str
    symbol: str = ""
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float = 1
    is_open: bool = False
    is_whole: bool = False
    came_later: bool = False

    def checked(self, name: str, value: Any) -> Any:
        """A value of the setting as it is kept; refuses what it may not be."""
        if self.choices and value not in self.choices:
            raise InputError(f"{name} must be one of {', '.join(self.choices)}; not {value!r}")
        called = f"{name} {self.symbol}".strip()
        if self.is_whole:
            return whole_number(called, value, int(self.high))
        if self.low is not None:
            return number_between(called, value, self.low, self.high, self.is_open)
        return value


def setting(default: Any, about: str, **declared: Any) -> Any:
    """A field of a dataclass that is a setting."""
    return dataclasses.field(default=default, metadata={"setting": Setting(about, **declared)})


def whole_setting(default: Any, about: str, most: int = MOST_STEPS, **declared: Any) -> Any:
    """The same for a whole number from 1 up."""
    return setting(default, about, is_whole=True, low=1, high=most, **declared)


def settings_of(kind: type) -> dict[str, tuple[Setting, Any]]:
    """The settings that a dataclass declares, by name, each with its default."""
    return {field.name: (field.metadata["setting"], field.default) for field in dataclasses.fields(kind)}
