"""The syntax of backups on the command line and in study files: one option for the kind, others beside it.

tree_backup = 3                                  Tree-Backup over three hops
traces = 0.8, hops = "single"                    Watkins's traces; "peng:0.8" for those of another operator
operator = "my_file.py:optimistic", n = 5        an operator, of hierq or of a user's file
rival = "dyna", updates = 10                     a rival
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from hierq.agents.estimators.backups import AnyBackup, Backup, OneStep, Traces, TreeBackup
from hierq.agents.estimators.operators import Operator, usual_decay
from hierq.agents.rivals.rival import Rival
from hierq.agents.rivals.rule import Rule
from hierq.errors import InputError

# The options that name a kind of backup, of which one is given, each with those that may stand beside it.
KINDS: dict[str, tuple[str, ...]] = {
    "one_step": ("hops", "when"),
    "tree_backup": ("hops", "when"),
    "traces": ("hops",),
    "operator": ("n", "hops", "when", "decay"),
    "rival": ("updates", "n", "when"),
}
COMPANION_OPTIONS = ("n", "hops", "when", "decay", "updates")


def companion_options(kind: str, value: Any, folder: Path | None = None) -> tuple[str, ...]:
    """The companion options that a kind of backup takes: those that its operator or its rival uses."""
    unused: dict[str, bool] = {}
    if kind == "operator":
        operator = Operator.find(Operator.named(value, folder))
        unused = {"n": "y" not in operator.arguments, "decay": usual_decay(operator) is None}
    elif kind == "rival":
        rule = Rule.find(Rule.named(value, folder))
        unused = {name: name not in rule.arguments for name in ("updates", "n")} | {"when": rule.is_builtin}
    return tuple(name for name in KINDS[kind] if not unused.get(name))


def parse_backup(kind: str, value: Any, folder: Path | None = None, **beside: Any) -> AnyBackup:
    """Makes the backup of a kind, one of `KINDS`, from its value and the companion options that were given.

    The file of an operator or a rival is looked for in a folder; the working folder if left out.
    """
    if kind == "operator":
        return Backup(Operator.named(value, folder), **beside)
    if kind == "rival":
        return Rival(Rule.named(value, folder), **beside)
    if kind == "traces":
        return _parse_traces(value, **beside)
    if kind == "one_step" and value is not True:
        raise InputError(f"one_step is true or left out, not {value!r}")
    return replace(OneStep() if kind == "one_step" else TreeBackup(value), **beside)


def _parse_traces(value: Any, **beside: Any) -> Traces:
    """Traces, as 0.8 or "peng:0.8"."""
    operator, _, number = str(value).rpartition(":")
    try:
        decay = float(number)
    except ValueError:
        raise InputError(
            f'traces are a number λ, or an operator and a number, such as "peng:0.8", not {value!r}'
        ) from None
    return Traces(decay, operator=operator or "tree-backup", **beside)
