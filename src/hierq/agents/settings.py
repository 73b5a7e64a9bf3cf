"""How a setting of an agent is declared: once, with its possible values and its meaning.

`AgentConfig` and `Backup` declare their fields with `setting`; the checks of values, the options of the command line,
the keys of study files and the controls of the lab are all made from these declarations.
"""

import dataclasses
import functools
import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

from hierq.checks import MAX_STEPS, number_between, whole_number
from hierq.errors import InputError, did_you_mean

Kind = TypeVar("Kind", bound=type)
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Setting:
    """What a setting may be, and what it means."""

    about: str  # what it means, in one to four sentences
    help: str = ""  # a line for the command line; left out, the first sentence of `about`
    symbol: str = ""  # the paper's letter for it
    unit: str = ""  # what it is counted in, if it has no letter
    choices: tuple[str, ...] = ()  # the words it may be; left out, those of its type if that is a Literal
    low: float | None = None  # the lowest number it may be, if it is a number; there may be choices beside it
    high: float = 1
    is_open: bool = False  # whether it must be above the lowest
    is_whole: bool = False  # whether it is a whole number
    unset: str = ""  # what holds if it is None; it may only be None if this is said
    # The paper has no such setting, so files and the keys of runs leave it out while it has its default. A setting
    # that is added this way does not change the random numbers of earlier studies.
    beyond_paper: bool = False

    @property
    def is_fixed(self) -> bool:
        """Whether there is nothing to choose."""
        return len(self.choices) == 1 and self.low is None

    def checked(self, name: str, value: Any, called: str = "") -> Any:
        """A value of the setting as it is kept; refuses what it may not be."""
        if (value is None and self.unset) or (isinstance(value, str) and value in self.choices):
            return value
        called = called or f"{name} {self.symbol}".strip()
        if self.is_whole:
            return whole_number(called, value, int(self.high))
        if self.low is not None and not (self.choices and isinstance(value, str)):
            return number_between(called, value, self.low, self.high, self.is_open)
        if self.choices:
            hint = f"; {did_you_mean(value, self.choices)}" if isinstance(value, str) else ""
            possible = "one of" if self.low is None else "a number or"
            raise InputError(f"{name} must be {possible} {', '.join(self.choices)}, not {value!r}{hint}".rstrip("; "))
        return value


def setting(default: Any, about: str, **declared: Any) -> Any:
    """A field of a dataclass that is a setting; the default is dataclasses.MISSING if it has none."""
    return dataclasses.field(default=default, metadata={"setting": Setting(about, **declared)})


def whole_setting(default: Any, about: str, most: int = MAX_STEPS, **declared: Any) -> Any:
    """The same for a whole number from 1 up."""
    return setting(default, about, is_whole=True, low=1, high=most, **declared)


def settings_of(kind: type) -> dict[str, tuple[Setting, Any]]:
    """The settings that a dataclass declares, by name, each with its default."""
    if kind not in _known:
        _known[kind] = {field.name: (_declared(field), field.default) for field in dataclasses.fields(kind)}
    return _known[kind]


_known: dict[type, dict[str, tuple[Setting, Any]]] = {}


def _declared(field: Any) -> Setting:
    declared: Setting = field.metadata["setting"]
    words = get_args(field.type) if get_origin(field.type) is Literal else declared.choices
    line = declared.help or f"{declared.about.split('. ')[0].removesuffix('.')}."
    return dataclasses.replace(declared, choices=words, help=line)


def check_each(owner: Any, **called: str) -> None:
    """Checks every setting of a frozen dataclass by itself; in messages some may be called otherwise."""
    for name, (declared, _) in settings_of(type(owner)).items():
        value = declared.checked(name, getattr(owner, name), called.get(name, ""))
        object.__setattr__(owner, name, value)


def refuse_unknown(given: Collection[str], known: Collection[str]) -> None:
    """Refuses settings that nobody has declared."""
    if unknown := sorted(set(given) - set(known)):
        hint = did_you_mean(unknown[0], known)
        raise InputError(f"unknown settings: {', '.join(unknown)}; {hint}known are {', '.join(known)}")


def refuses_unknown(function: Function) -> Function:
    """Decorates a function: an argument that it does not have is answered with the name that was probably meant."""
    known = [name for name in inspect.signature(function).parameters if name != "self"]

    @functools.wraps(function)
    def checked(*values: Any, **named: Any) -> Any:
        refuse_unknown(named, known)
        return function(*values, **named)

    return cast(Function, checked)


def documented(kind: Kind) -> Kind:
    """Decorates a dataclass of settings: what they mean is added to its docstring, and unknown ones are refused."""
    kind.__init__ = refuses_unknown(kind.__init__)  # type: ignore[misc]
    attributes = (f"        {name}: {declared.about}" for name, (declared, _) in settings_of(kind).items())
    kind.__doc__ = "\n".join([f"{kind.__doc__}\n\n    Attributes:", *attributes])
    return kind
