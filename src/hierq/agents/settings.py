"""How a setting of an agent is declared: once, with its possible values and its meaning.

`AgentConfig` and `Backup` declare their fields with `setting`; the checks of values, the options of the command line,
the keys of study files and the controls of the lab are all made from these declarations.
"""

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar, cast, get_args, get_origin

from hierq.checks import MAX_STEPS, number_between, whole_number
from hierq.compiling.user_function import UserFunction
from hierq.errors import InputError, did_you_mean

Kind = TypeVar("Kind", bound=type["Settings"])
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Setting:
    """What a setting may be, and what it means."""

    default: Any  # dataclasses.MISSING if it has none
    about: str  # what it means, in one to four sentences
    help: str = ""  # a line for the command line; left out, the first sentence of `about`
    symbol: str = ""  # the paper's letter for it
    choices: tuple[str, ...] = ()  # the words it may be; left out, those of its type if that is a Literal
    low: float | None = None  # the lowest number it may be, if it is a number; there may be choices beside it
    high: float = 1
    is_open: bool = False  # whether it must be above the lowest
    is_whole: bool = False  # whether it is a whole number
    unset: str = ""  # what holds if it is None; it may only be None if this is said
    made_of: type | None = None  # the class of its values, if they are objects; there may be choices beside it
    makers: Mapping[str, Callable[..., Any]] = dataclasses.field(default_factory=dict)  # of them, by kinds in files
    advice: str = ""  # what to take in place of a value that is refused
    # The paper has no such setting, so files and the keys of runs leave it out while it has its default. A setting
    # that is added this way does not change the random numbers of earlier studies.
    beyond_paper: bool = False

    def checked(self, name: str, value: Any) -> Any:
        """A value of the setting as it is kept; refuses what it may not be."""
        if (value is None and self.unset) or (isinstance(value, str) and value in self.choices):
            return value
        if self.made_of is not None:
            return self._checked_object(name, value, self.made_of)
        called = name if self.symbol in ("", name) else f"{name} {self.symbol}"
        if self.is_whole:
            return whole_number(called, value, int(self.high))
        if self.low is not None and not (self.choices and isinstance(value, str)):
            return number_between(called, value, self.low, self.high, self.is_open)
        if self.choices:
            possible = "one of" if self.low is None else "a number or"
            meant = did_you_mean(value, self.choices).strip() if isinstance(value, str) else ""
            words = [f"{name} must be {possible} {', '.join(self.choices)}, not {value!r}", meant, self.advice]
            raise InputError("; ".join(filter(None, words)))
        return value

    def _checked_object(self, name: str, value: Any, kind: type) -> Any:
        """An object of a kind; of functions that come with hierq the name."""
        if issubclass(kind, UserFunction):
            found = kind.find(value)
            return found.name if found.is_builtin else found
        if isinstance(value, dict):  # from a file
            arguments = {key: argument for key, argument in value.items() if key != "kind"}
            try:
                value = self.makers[value["kind"]](**arguments)
            except (KeyError, TypeError):
                raise InputError(f"{name} is not understood: {value!r}") from None
        if not isinstance(value, kind):
            raise InputError(f"{name} cannot be {value!r}; {self.advice}")
        return value


def setting(default: Any, about: str, **declared: Any) -> Any:
    """A field of a dataclass that is a setting; the default is dataclasses.MISSING if it has none."""
    return dataclasses.field(default=default, metadata={"setting": Setting(default, about, **declared)})


def whole_setting(default: Any, about: str, most: int = MAX_STEPS, **declared: Any) -> Any:
    """The same for a whole number from 1 up."""
    return setting(default, about, is_whole=True, low=1, high=most, **declared)


def _declared(field: Any) -> Setting:
    declared: Setting = field.metadata["setting"]
    words = get_args(field.type) if get_origin(field.type) is Literal else declared.choices
    line = declared.help or f"{declared.about.split('. ')[0].removesuffix('.')}."
    return dataclasses.replace(declared, choices=words, help=line)


class Settings:
    """The base class of frozen dataclasses of settings: `AgentConfig`, backups and target policies."""

    declared: ClassVar[dict[str, Setting]]  # by name; `documented` collects them

    def __post_init__(self) -> None:
        """Checks every setting by itself."""
        for name, declared in self.declared.items():
            self._set(name, declared.checked(name, getattr(self, name)))

    def _set(self, name: str, value: Any) -> None:
        """Sets a setting while the object is made; afterwards it is frozen."""
        object.__setattr__(self, name, value)

    @property
    def differences(self) -> dict[str, Any]:
        """The settings that do not have their default, by name."""
        values = {name: getattr(self, name) for name in self.declared}
        return {name: value for name, value in values.items() if value != self.declared[name].default}

    def _call(self) -> tuple[str, dict[str, Any]]:
        """The name in hierq that makes it, and the settings it is called with."""
        return type(self).__name__, self.differences

    def __repr__(self) -> str:
        """The Python call that makes it."""
        kind, settings = self._call()
        return f"{kind}({', '.join(f'{name}={_as_python(value)}' for name, value in settings.items())})"

    def to_plain(self) -> dict[str, Any]:
        """What makes it as plain values, for files."""
        kind, settings = self._call()
        return {"kind": kind, **{name: plain_value(value) for name, value in settings.items()}}


def _as_python(value: Any) -> str:
    if isinstance(value, UserFunction):
        return value.name
    return f'"{value}"' if isinstance(value, str) else repr(value)


def plain_value(value: Any) -> Any:
    """The value of a setting for files."""
    if isinstance(value, tuple):
        return list(value)
    return value.to_plain() if hasattr(value, "to_plain") else value


def refuses_unknown(function: Function) -> Function:
    """Decorates a function: an argument that it does not have is answered with the name that was probably meant."""
    known = [name for name in inspect.signature(function).parameters if name != "self"]

    @functools.wraps(function)
    def checked(*values: Any, **named: Any) -> Any:
        if unknown := sorted(named.keys() - set(known)):
            hint = did_you_mean(unknown[0], known)
            raise InputError(f"unknown settings: {', '.join(unknown)}; {hint}known are {', '.join(known)}")
        return function(*values, **named)

    return cast(Function, checked)


def documented(kind: Kind) -> Kind:
    """Decorates a dataclass of settings: what they mean is added to its docstring, and unknown ones are refused."""
    kind.declared = {field.name: _declared(field) for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    kind.__init__ = refuses_unknown(kind.__init__)  # type: ignore[method-assign]
    attributes = (f"        {name}: {declared.about}" for name, declared in kind.declared.items())
    kind.__doc__ = "\n".join([f"{kind.__doc__}\n\n    Attributes:", *attributes])
    return kind
