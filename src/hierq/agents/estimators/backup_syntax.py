"""The syntax of backups on the command line and in study files: one option for the kind, others beside it.

tree_backup = 3                                  Tree-Backup over three hops
traces = 0.8, hops = "single"                    Watkins's traces; "peng:0.8" for those of another operator
operator = "my_file.py:optimistic", n = 5        an operator, of hierq or of a user's file
rival = "dyna", updates = 10                     a rival
"""

import dataclasses
from pathlib import Path
from typing import Any

from hierq.agents.estimators.backups import AnyBackup, Backup, OneStep, Traces, TreeBackup
from hierq.agents.estimators.operators import Operator, has_decay
from hierq.agents.rivals.rival import Rival
from hierq.agents.rivals.rule import Rule
from hierq.agents.settings import settings_of
from hierq.errors import InputError

KINDS = ("one_step", "tree_backup", "traces", "operator", "rival")  # the options that name a backup; one is given
COMPANION_OPTIONS = (  # those that may stand beside them
    *(name for name, (declared, _) in settings_of(Backup).items() if name not in KINDS and not declared.is_fixed),
    "updates",
)
OPTIONS_OF_KIND = {
    "one_step": ("hops", "when"),
    "tree_backup": ("hops", "when"),
    "traces": ("hops",),
    "operator": tuple(name for name in COMPANION_OPTIONS if name != "updates"),
    "rival": ("updates", "n", "when"),
}
# Settings of the agent that a kind implies, unless they are given.
IMPLIED_SETTINGS: dict[str, dict[str, Any]] = {"rival": {"levels": 1, "universal_top": True}}


def companion_options(kind: str, value: Any, folder: Path | None = None) -> tuple[str, ...]:
    """The options of `COMPANION_OPTIONS` that a kind of backup takes; those that an operator or a rival uses."""
    if kind == "rival":
        rule = Rule.find(Rule.named(value, folder))
        own = () if rule.is_builtin else ("when",)
        return tuple(name for name in OPTIONS_OF_KIND["rival"] if name in (*rule.arguments, *own))
    if kind != "operator":
        return OPTIONS_OF_KIND[kind]
    operator = Operator.find(Operator.named(value, folder))
    uses = {"n": "y" in operator.arguments, "decay": has_decay(operator)}
    return tuple(name for name in COMPANION_OPTIONS if uses.get(name, True))


def parse_backup(kind: str, value: Any, folder: Path | None = None, **beside: Any) -> AnyBackup:
    """Makes the backup of a kind, one of `KINDS`, from its value and the companion options that were given.

    The file of an operator or a rival is looked for in a folder; the working folder if left out.
    """
    if kind == "operator":
        return Backup(Operator.named(value, folder), **beside)
    if kind == "rival":
        return Rival(Rule.named(value, folder), **beside)
    if kind == "one_step" and value is not True:
        raise InputError(f"one_step is true or left out, not {value!r}")
    if kind == "traces":
        return _parse_traces(value, **beside)
    return dataclasses.replace(OneStep() if kind == "one_step" else TreeBackup(value), **beside)


def _parse_traces(value: Any, **beside: Any) -> Traces:
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
