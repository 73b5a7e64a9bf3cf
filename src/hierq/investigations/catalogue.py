"""The investigations there are: those of the package by name, and a user's own in a folder."""

import os
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from hierq.agents.parts import run_file
from hierq.errors import InputError, did_you_mean
from hierq.investigations.investigation import Investigation

FILE = "investigation.py"
BUILT_IN = {
    "paper": "hierq.paper.investigation",
    "estimators": "hierq.investigations.estimators.investigation",
    "exploration": "hierq.investigations.exploration.investigation",
    "rivals": "hierq.investigations.rivals.investigation",
}


def find_investigation(word: str) -> Investigation:
    """An investigation of the package by its name, or the one that a folder's investigation.py defines.

    Raises:
        InputError: There is none, or it cannot be used.
    """
    if word in BUILT_IN:
        found: Investigation = import_module(BUILT_IN[word]).investigation
        return found
    folder = Path(word)
    if not os.path.isdir(folder):  # of a path that is too long, Path.is_dir raises
        hint = did_you_mean(word, BUILT_IN)
        raise InputError(
            f"there is no investigation {word[:200]!r}; {hint}there are {', '.join(BUILT_IN)}, "
            f"or name a folder with a file {FILE}"
        )
    if not (folder / FILE).is_file():
        raise InputError(f"{word} has no file {FILE}, which would define an investigation")
    own = getattr(run_file((folder / FILE).resolve(), str(folder / FILE)), "investigation", None)
    if not isinstance(own, Investigation):
        raise InputError(f"{folder / FILE} must define `investigation = hierq.Investigation(…)`")
    name = folder.resolve().name
    return replace(own, name=own.name or name, program=f"hierq investigate {name}", out=own.out or f"{name}-results")
