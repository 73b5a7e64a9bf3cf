"""The one exception hierq raises on purpose, and words that several messages have in common."""

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """What was asked for cannot be done; the message says what was wrong, where, and what to do."""


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The question after a word that is not known, and a space; nothing if none of those known is like it."""
    nearest = difflib.get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return f"did you mean {nearest[0]}? " if nearest else ""
