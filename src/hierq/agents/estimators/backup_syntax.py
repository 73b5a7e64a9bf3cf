"""The syntax of backups on the command line and in study files: one option for the kind, others beside it.

tree_backup = 3                                  Tree-Backup over three hops
traces = 0.8, hops = "single"                    Watkins's traces; "peng:0.8" for those of another operator
operator = "my_file.py:optimistic", n = 5        an operator, of hierq or of a user's file
rival = "dyna", updates = 10                     a rival; some are settings of ordinary agents, such as "dg"
"""

import dataclasses
from pathlib import Path
from typing import Any

from hierq.agents.estimators.backups import AnyBackup, Backup, OneStep, Traces, TreeBackup
from hierq.agents.estimators.operators import Operator, has_decay, named_operator
from hierq.agents.rivals.rival import Rival
from hierq.agents.rivals.rule import RIVALS, Rule, named_rule
from hierq.agents.settings import settings_of
from hierq.errors import InputError, did_you_mean

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
FLAT: dict[str, Any] = {"levels": 1, "universal_top": True}
# Rivals that are ordinary agents with these settings, and need no rule of their own.
NAMED_SETTINGS: dict[str, dict[str, Any]] = {
    "q-learning": {**FLAT, "backup": OneStep()},
    "tree-backup": {**FLAT, "backup": TreeBackup(3)},
    "watkins": {**FLAT, "backup": Traces(0.8)},
    "peng": {**FLAT, "backup": Traces(0.8, operator="peng")},
    "backward": {**FLAT, "backup": Backup("one-step", when="episode")},  # Lin (1992)
    # Kaelbling (1993); from far away, for from 0 all that was never tried seems to be near.
    "dg": dict(FLAT, backup=OneStep(), pseudo_reward="penalty", discount=1.0, initial_value=-1e6),
    "hierq": {"levels": 3, "universal_top": True, "backup": OneStep()},
    "hier-tree-backup": {"levels": 3, "universal_top": True, "backup": TreeBackup(3)},
    "hier-backward": {"levels": 3, "universal_top": True, "backup": Backup("one-step", when="episode")},
}


def companion_options(kind: str, value: Any, folder: Path | None = None) -> tuple[str, ...]:
    """The options of `COMPANION_OPTIONS` that a kind of backup takes; those that an operator or a rival uses."""
    if kind == "rival":
        if value in NAMED_SETTINGS:
            return ()
        rule = _parse_rule(value, folder)
        own = () if rule.is_builtin else ("when",)
        return tuple(name for name in OPTIONS_OF_KIND["rival"] if name in (*rule.arguments, *own))
    if kind != "operator":
        return OPTIONS_OF_KIND[kind]
    operator = named_operator(Operator.named(value, folder))
    uses = {"n": "y" in operator.arguments, "decay": has_decay(operator)}
    return tuple(name for name in COMPANION_OPTIONS if uses.get(name, True))


def parse_backup(kind: str, value: Any, folder: Path | None = None, **beside: Any) -> AnyBackup:
    """Makes the backup of a kind, one of `KINDS`, from its value and the companion options that were given.

    The file of an operator or a rival is looked for in a folder; the working folder if left out.
    """
    if kind == "operator":
        return Backup(Operator.named(value, folder), **beside)
    if kind == "rival":
        named: AnyBackup | None = NAMED_SETTINGS.get(value, {}).get("backup")
        return named or Rival(_parse_rule(value, folder), **beside)
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


def implied_settings(kind: str, value: Any) -> dict[str, Any]:
    """The settings of an agent that a rival implies, unless they are given: most rivals are flat and know all goals."""
    if kind != "rival":
        return {}
    return {name: setting for name, setting in NAMED_SETTINGS.get(value, FLAT).items() if name != "backup"}


def _parse_rule(value: Any, folder: Path | None) -> Rule:
    """The rule of a rival; refuses a word that names none."""
    if isinstance(value, str) and ":" not in value and value not in RIVALS:
        known = (*RIVALS, *NAMED_SETTINGS)
        raise InputError(
            f"there is no rival {value!r}; {did_you_mean(value, known)}known are {', '.join(known)}, and functions of "
            "your own as FILE.py:NAME"
        )
    return named_rule(Rule.named(value, folder))
