"""Functions that a user can write as parts of an agent, each known by its name and by a hash of what it does.

An operator combines a return with the values at a hop of a backup, an explorer says what is tried while learning, a
rival how to learn otherwise. They are compiled into the kernels, and name the values that they need as their arguments.
"""

import contextlib
import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Self

from hierq.compiling.source import frozen
from hierq.errors import InputError, did_you_mean, nearest
from hierq.loading import run_file

Function = Callable[..., Any]


class UserFunction:
    """A function as a part of an agent; equal to every other that is called the same and does the same.

    Its `function` is None if only its name and its hash are known here; `arguments` are the names that it asks for.
    """

    what: ClassVar[str]
    article: ClassVar[str] = "an"
    setting: ClassVar[str]  # the setting, and the option of commands, that takes it
    builtins: ClassVar[dict[str, Any]]  # those that come with hierq, by their names
    known_arguments: ClassVar[tuple[str, ...]]
    example: ClassVar[Any] = None  # arguments of the types that kernels give it; None if only an agent has them
    _known: ClassVar[dict[tuple[str, str], "UserFunction"]] = {}  # by their labels
    _declared: ClassVar[list["UserFunction"]] = []  # those that a process has defined, settled or not

    def __init__(
        self, function: Function | None, name: str, digest: str = "", home: tuple[Path | str, str] = ("__main__", "")
    ) -> None:
        """Makes a part; users call `hierq.operator`, `hierq.explorer` or `hierq.rival`."""
        self.function, self.name, self.digest = function, name, digest
        self._home = home  # the file or module that defines it, and its name there
        self.is_builtin = False
        self.arguments: tuple[str, ...] = ()
        if function is not None:
            self._check_signature(function)
            self.__doc__ = function.__doc__

    @classmethod
    def builtin(cls, name: str, function: Function) -> Self:
        """A part of the package: its name is enough to know it."""
        part = cls(function, name)
        part.is_builtin = True
        return part

    @classmethod
    def of(cls, function: Any) -> Self:
        """A user's function as a part."""
        if isinstance(function, cls):
            return function
        if not inspect.isfunction(function):
            advice = ""
            if isinstance(function, UserFunction):
                advice = f"; {function.article} {function.what} is given as {function.setting} (--{function.setting})"
            raise InputError(f"{cls.article} {cls.what} is made of a function, not of {function!r}{advice}")
        part = cls(function, function.__name__)
        UserFunction._declared.append(part)
        return part

    @classmethod
    def from_file(cls, place: str, folder: Path | None = None) -> Self:
        """The part that a Python file defines, named as FILE:NAME; the file, found from a folder, is run."""
        file, _, name = place.rpartition(":")
        if not file or not name.isidentifier():
            raise InputError(
                f"{cls.article} {cls.what} is named as FILE:NAME, such as my_file.py:my_{cls.what}, not {place!r}"
            )
        path = (folder or Path.cwd()) / file
        module = run_file(path.resolve(), file)
        found = getattr(module, name, None)
        if found is None:
            there = [each for each, value in vars(module).items() if isinstance(value, cls) and not value.is_builtin]
            meant = nearest(name, there)
            hint = f"; did you mean {meant}?" if meant else f"; it defines {', '.join(there)}" if there else ""
            raise InputError(f"{file} defines no {name}{hint}")
        return cls(cls.of(found).function, name, home=(path.resolve(), name))

    @classmethod
    def named(cls, word: Any, folder: Path | None = None) -> Any:
        """What a word of the command line or of a study file stands for: FILE:NAME is the function of a Python file."""
        return cls.from_file(word, folder) if isinstance(word, str) and ":" in word else word

    @classmethod
    def find(cls, given: Any) -> Self:
        """The part of this name, that of a file, or the part that is given itself, settled; refuses anything else."""
        if isinstance(given, dict):
            given = cls.from_plain(given)
        if isinstance(given, cls):
            return given.settled()
        if isinstance(given, str) and given in cls.builtins:
            found: Self = cls.builtins[given]
            return found
        hint = f"; {did_you_mean(given, cls.builtins)}" if isinstance(given, str) else ""
        text = (
            f"{cls.setting} must be one of {', '.join(cls.builtins)} or a function made with @hierq.{cls.what}, "
            f"in commands and study files FILE.py:NAME, not {given!r}{hint}"
        )
        raise InputError(text.rstrip("; "))

    @property
    def label(self) -> str:
        """What tells it from every other part: its name, and a hash of what it does unless it comes with hierq."""
        return self.name if self.is_builtin else f"{self.name}:{self.digest}"

    def settled(self) -> Self:
        """The part as it is now: what it takes from outside is fixed, and a hash says what it does.

        Only now, and not when it is defined, so that it may use what is defined below it.
        """
        if self.is_builtin or self.digest or self.function is None:
            return self
        digest, copy = frozen(self.function)  # refuses what cannot be fixed
        module = self.function.__module__, self.function.__qualname__
        part = type(self)(copy, self.name, digest, self._home if isinstance(self._home[0], Path) else module)
        known: Self = UserFunction._known.setdefault((self.what, part.label), part)  # type: ignore[assignment]
        return known

    def to_plain(self) -> Any:
        """For files: its name if it comes with hierq, else its name and its hash."""
        return self.name if self.is_builtin else {"name": self.name, "source": self.digest}

    @classmethod
    def from_plain(cls, plain: Any) -> "UserFunction":
        """The part of a file; if this process does not know it, one that can be named but not used."""
        if not (isinstance(plain, dict) and plain.keys() == {"name", "source"}):
            raise InputError(f"the {cls.what} is not understood: {plain!r}")
        name, digest = plain["name"], plain["source"]
        if not isinstance(name, str) or not name.isidentifier() or not isinstance(digest, str) or not digest.isalnum():
            raise InputError(f"the {cls.what} is not understood: {plain!r}")
        for part in UserFunction._declared:
            if (part.what, part.name) == (cls.what, name):
                with contextlib.suppress(InputError):  # another one of that name may not be sound
                    part.settled()
        return UserFunction._known.get((cls.what, f"{name}:{digest}")) or cls(None, name, digest)

    def check_usable(self) -> None:
        """Refuses a part that is known by name only."""
        if self.function is None:
            raise InputError(
                f"the {self.what} {self.name} ({self.digest}) is not known here: import the file that defines it, "
                f"or name it, as in hierq show AGENT --{self.setting} FILE.py:{self.name}; if you have, its "
                "source has changed since"
            )

    def try_out(self, decay: float) -> None:
        """Calls it on a few numbers, where that is possible, so that its mistakes show."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Calls the plain function."""
        self.check_usable()
        assert self.function is not None
        return self.function(*arguments, **named)

    def call(self, **values: Any) -> Any:
        """Calls the plain function with those of some values that it asks for."""
        return self(*[values[name] for name in self.arguments])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UserFunction) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Any, ...]:
        return self.what, self.label, None if self.is_builtin or self.digest else self.function

    def __repr__(self) -> str:
        return f"<{self.what} {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes get a function from its file or module, and a notebook's as Dask sends functions."""
        if self.is_builtin:
            return type(self).builtin, (self.name, self.function)
        home, name = self._home
        if isinstance(home, Path) or (home != "__main__" and hasattr(sys.modules.get(home), name)):
            return _found_again, (type(self), home, name, self.digest)
        return type(self), (self.function, self.name, self.digest)

    def _check_signature(self, function: Function) -> None:
        names = tuple(inspect.signature(function, follow_wrapped=False).parameters)
        unknown = [name for name in names if name not in self.known_arguments]
        if unknown:
            raise InputError(
                f"the {self.what} {self.name} has an argument {unknown[0]}; {self.article} {self.what} may ask for "
                f"{', '.join(self.known_arguments)}"
            )
        self.arguments = names


def _found_again(kind: type[UserFunction], home: Path | str, name: str, digest: str) -> UserFunction:
    """The part that a file or a module defines, as it was."""
    if isinstance(home, Path):
        part = kind.from_file(f"{home}:{name}").settled()
    else:
        part = kind.of(getattr(importlib.import_module(home), name)).settled()
    if part.digest != digest:
        raise InputError(f"{part.name} in {home} is not the {part.what} it was: its source has changed")
    return part
