"""The one exception hierq raises on purpose, and words that several messages have in common."""

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """What was asked for cannot be done; the message says what was wrong, where, and what to do."""


# Settings under the names that other programs and papers use; the first of the names that a place knows is meant.
OTHER_NAMES = {
    "gamma": ("discount",),
    "alpha": ("step_size",),
    "lr": ("step_size",),
    "learning_rate": ("step_size",),
    "epsilon": ("explore_train",),
    "eps": ("explore_train",),
    "lambda": ("traces", "decay", "backup"),
    "lambda_": ("traces", "decay", "backup"),
    "lam": ("traces", "decay", "backup"),
    "trace_decay": ("traces", "decay", "backup"),
    "n_step": ("tree_backup", "n", "backup"),
    "k": ("levels",),
    "n_levels": ("levels",),
    "num_levels": ("levels",),
}


def usual_name(word: str, known: Iterable[str]) -> str:
    """What is called otherwise elsewhere, such as gamma for discount; "" if it is not among those known."""
    there = list(known)
    return next((name for name in OTHER_NAMES.get(word.lower(), ()) if name in there and word not in there), "")


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The one of those known that is probably meant; "" if none is like it."""
    there = list(known)
    return usual_name(word, there) or next(iter(difflib.get_close_matches(word, there, n=1, cutoff=cutoff)), "")


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The question after a word that is not known, and a space; nothing if none of those known is like it."""
    meant = nearest(word, known, cutoff)
    return f"did you mean {meant}? " if meant else ""
