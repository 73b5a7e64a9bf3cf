"""How words on the command line become values: what tyro needs to know, in plain words.

Every reader takes the words after an option and gives a value or refuses them in one sentence. An option
that was not given is None.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from tyro.constructors import PrimitiveConstructorSpec

SEVERAL = "*"


def _reader(metavar: str, read: Callable[[str], Any], count: int | str = 1) -> PrimitiveConstructorSpec[Any]:
    """Reads each of `count` words: a value if there is one, else a tuple of them."""

    def read_all(words: list[str]) -> Any:
        if not words:
            raise ValueError("at least one value is needed")
        values = tuple(map(read, words))
        return values[0] if count == 1 else values

    return PrimitiveConstructorSpec(
        nargs=count,  # type: ignore[arg-type]  # an int, or "*"
        metavar=f"{metavar} [{metavar} ...]" if count == SEVERAL else metavar,
        instance_from_str=read_all,
        is_instance=lambda value: True,
        str_from_instance=lambda value: [str(value)],
    )


def _converted(kind: Callable[[str], Any], what: str, word: str) -> Any:
    try:
        return kind(word)
    except ValueError:
        raise ValueError(f"{word!r} is not a {what}") from None


_whole, _number = partial(_converted, int, "whole number"), partial(_converted, float, "number")


def one_of(*choices: str) -> PrimitiveConstructorSpec[Any]:
    """One of a few words."""

    def read(word: str) -> str:
        if word not in choices:
            raise ValueError(f"{word!r} is not one of {', '.join(choices)}")
        return word

    return _reader("{" + ",".join(choices) + "}", read)


def a_word(metavar: str) -> PrimitiveConstructorSpec[Any]:
    """Any word, such as the name of a file."""
    return _reader(metavar, str)


def words(metavar: str) -> PrimitiveConstructorSpec[Any]:
    """One or several words."""
    return _reader(metavar, str, SEVERAL)


def whole_number(metavar: str = "N") -> PrimitiveConstructorSpec[Any]:
    """A whole number."""
    return _reader(metavar, _whole)


def whole_numbers(metavar: str = "N") -> PrimitiveConstructorSpec[Any]:
    """One or several whole numbers."""
    return _reader(metavar, _whole, SEVERAL)


def number(metavar: str = "X") -> PrimitiveConstructorSpec[Any]:
    """A number."""
    return _reader(metavar, _number)


def cell() -> PrimitiveConstructorSpec[Any]:
    """A cell of the grid."""
    return _reader("ROW COLUMN", _whole, 2)
