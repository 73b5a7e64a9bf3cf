"""Backups as the command line and study files write them: in words and numbers, one setting at a time.

As tree_backup = 3; or traces = 0.8, hops = "single"; or operator = "my_file.py:optimistic", n = 5.
"""

from pathlib import Path
from typing import Any

from hierq.agents.estimators.backups import AnyBackup, Backup, OneStep, Traces, TreeBackup
from hierq.agents.estimators.operators import Operator, named_operator
from hierq.agents.settings import settings_of
from hierq.errors import InputError

KINDS = ("one_step", "tree_backup", "traces", "operator")  # an agent has one of them
BESIDE = tuple(
    name for name, (declared, _) in settings_of(Backup).items() if name not in KINDS and not declared.is_fixed
)


def settings_beside(kind: str, value: Any, folder: Path | None = None) -> tuple[str, ...]:
    """The names of `BESIDE` that have a meaning beside a kind of backup: hops; beside an operator also what it uses."""
    if kind != "operator":
        return ("hops",)
    asked = named_operator(Operator.named(value, folder)).arguments
    uses = {"n": "y" in asked, "decay": "decay" in asked}
    return tuple(name for name in BESIDE if uses.get(name, True))


def written_backup(kind: str, value: Any, folder: Path | None = None, **beside: Any) -> AnyBackup:
    """The backup that is written like that.

    Args:
        kind: one of `KINDS`.
        value: what was given for it.
        folder: where an operator's file is looked for; the working folder if left out.
        beside: those of `settings_beside` that were given.
    """
    if kind == "operator":
        return Backup(Operator.named(value, folder), **beside)
    if kind == "one_step" and value is not True:
        raise InputError(f"one_step is true or left out, not {value!r}")
    backup = OneStep() if kind == "one_step" else TreeBackup(value) if kind == "tree_backup" else Traces(value)
    return backup.with_hops(beside["hops"]) if "hops" in beside else backup
