"""Backups as the command line and study files write them: in words and numbers, one setting at a time.

As tree_backup = 3; or traces = 0.8, hops = "single"; or operator = "my_file.py:optimistic", n = 5. Traces with another
operator than the paper's are written as traces = "peng:0.8".
"""

import dataclasses
from pathlib import Path
from typing import Any

from hierq.agents.estimators.backups import AnyBackup, Backup, OneStep, Traces, TreeBackup
from hierq.agents.estimators.operators import Operator, has_decay, named_operator
from hierq.agents.settings import settings_of
from hierq.errors import InputError

KINDS = ("one_step", "tree_backup", "traces", "operator")  # an agent has one of them
BESIDE = tuple(
    name for name, (declared, _) in settings_of(Backup).items() if name not in KINDS and not declared.is_fixed
)


BESIDE_SHORT_FORMS = {"one_step": ("hops", "when"), "tree_backup": ("hops", "when"), "traces": ("hops",)}


def settings_beside(kind: str, value: Any, folder: Path | None = None) -> tuple[str, ...]:
    """The names of `BESIDE` that have a meaning beside a kind of backup; beside an operator, those that it uses."""
    if kind != "operator":
        return BESIDE_SHORT_FORMS[kind]
    operator = named_operator(Operator.named(value, folder))
    uses = {"n": "y" in operator.arguments, "decay": has_decay(operator)}
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
    if kind == "traces":
        return _written_traces(value, **beside)
    return dataclasses.replace(OneStep() if kind == "one_step" else TreeBackup(value), **beside)


def _written_traces(value: Any, **beside: Any) -> Traces:
    """Traces, as 0.8 or "peng:0.8"."""
    operator, decay = "", value
    try:
        if isinstance(value, str):
            operator, _, number = value.rpartition(":")
            decay = float(number)
    except ValueError:
        raise InputError(
            f'traces are a number λ, or an operator and a number, such as "peng:0.8", not {value!r}'
        ) from None
    return Traces(decay, operator=operator or "tree-backup", **beside)
