"""How words on the command line become values: what tyro needs to know, in plain words.

Every reader takes the words after an option and gives a value or refuses them in one sentence. An option
that was not given is None.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from tyro.constructors import PrimitiveConstructorSpec


def _reader(metavar: str, read: Callable[[list[str]], Any], count: int | str = 1) -> PrimitiveConstructorSpec[Any]:
    return PrimitiveConstructorSpec(
        nargs=count,  # type: ignore[arg-type]  # an int, or "*"
        metavar=metavar,
        instance_from_str=read,
        is_instance=lambda value: True,
        str_from_instance=lambda value: [str(value)],
    )


def _converted(kind: Callable[[str], Any], what: str, word: str) -> Any:
    try:
        return kind(word)
    except ValueError:
        raise ValueError(f"{word!r} is no {what}") from None


_whole, _number = partial(_converted, int, "whole number"), partial(_converted, float, "number")


def _several_whole(words: list[str]) -> tuple[int, ...]:
    if not words:
        raise ValueError("at least one number is needed")
    return tuple(_whole(word) for word in words)


def _several_words(words: list[str]) -> tuple[str, ...]:
    if not words:
        raise ValueError("at least one is needed")
    return tuple(words)


def one_of(*choices: str) -> PrimitiveConstructorSpec[Any]:
    """One of a few words."""

    def read(words: list[str]) -> str:
        if words[0] not in choices:
            raise ValueError(f"{words[0]!r} is none of {', '.join(choices)}")
        return words[0]

    return _reader("{" + ",".join(choices) + "}", read)


def a_word(metavar: str) -> PrimitiveConstructorSpec[Any]:
    """Any word, such as the name of a file."""
    return _reader(metavar, lambda words: words[0])


def words(metavar: str) -> PrimitiveConstructorSpec[Any]:
    """One or several words."""
    return _reader(f"{metavar} [{metavar} ...]", _several_words, "*")


def whole_number(metavar: str = "N") -> PrimitiveConstructorSpec[Any]:
    """A whole number."""
    return _reader(metavar, lambda words: _whole(words[0]))


def whole_numbers(metavar: str = "N") -> PrimitiveConstructorSpec[Any]:
    """One or several whole numbers."""
    return _reader(f"{metavar} [{metavar} ...]", _several_whole, "*")


def number(metavar: str = "X") -> PrimitiveConstructorSpec[Any]:
    """A number."""
    return _reader(metavar, lambda words: _number(words[0]))


def cell() -> PrimitiveConstructorSpec[Any]:
    """A cell of the grid."""
    return _reader("ROW COLUMN", lambda words: (_whole(words[0]), _whole(words[1])), 2)
