"""The one exception hierq raises on purpose, and words that several messages have in common."""

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """A request that hierq cannot fulfil; the message says what was wrong, where, and what to do."""


# What other programs and papers call a setting, and hierq's names for it; the first of them that a place knows counts.
OTHER_NAMES = {
    "gamma": ("discount",),
    "γ": ("discount",),
    "alpha": ("step_size",),
    "α": ("step_size",),
    "lr": ("step_size",),
    "learning_rate": ("step_size",),
    "epsilon": ("explore_train",),
    "eps": ("explore_train",),
    "ε": ("explore_train",),
    "lambda": ("traces", "decay", "backup"),
    "lambda_": ("traces", "decay", "backup"),
    "lam": ("traces", "decay", "backup"),
    "λ": ("traces", "decay", "backup"),
    "trace_decay": ("traces", "decay", "backup"),
    "traces": ("decay", "backup"),
    "decay": ("backup",),
    "n_step": ("tree_backup", "n", "backup"),
    "tree_backup": ("n", "backup"),
    "n": ("backup",),
    "backup": ("operator",),
    "operator": ("backup",),
    "rival": ("backup",),
    "updates": ("backup",),
    "exploration": ("explore",),
    "horizon": ("horizons",),
    "hop_length": ("horizons",),
    "max_steps": ("step_limit",),
    "k": ("levels",),
    "n_levels": ("levels",),
    "num_levels": ("levels",),
}
IN_BACKUPS = {
    "decay": "decay of Traces or Backup, as in backup=Traces(0.8)",
    "n": "n of TreeBackup or Backup, as in backup=TreeBackup(3)",
    "operator": 'backup=Backup("peng", n=3)',
    "rival": 'backup=Rival("dyna")',
    "updates": 'backup=Rival("dyna", updates=10)',
}


def usual_name(word: str, known: Iterable[str]) -> str:
    """The known name for a word of other programs, such as discount for gamma; "" if there is no such name."""
    there = list(known)
    return next((name for name in OTHER_NAMES.get(word.lower(), ()) if name in there and word not in there), "")


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The known name that a word probably means; "" if no known name is like it."""
    there = list(known)
    return usual_name(word, there) or next(iter(difflib.get_close_matches(word, there, n=1, cutoff=cutoff)), "")


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """A question such as "did you mean levels? " after an unknown word; "" if no known name is like it."""
    meant = nearest(word, known, cutoff)
    if meant == "backup" and word.lower() in OTHER_NAMES:  # where backups are objects, which have it
        meant = next(IN_BACKUPS[name] for name in (word.lower(), *OTHER_NAMES[word.lower()]) if name in IN_BACKUPS)
    return f"did you mean {meant}? " if meant else ""
