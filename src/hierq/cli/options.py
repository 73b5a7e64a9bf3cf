"""The options that shape an agent: one for every setting of AgentConfig, made from its declaration."""

import dataclasses
from typing import Annotated, Any, TypeAlias

from hierq.agents import AgentConfig, AnyBackup, Backup, EpsilonSoft, Explorer, Rival, Softmax
from hierq.agents.config import PUBLISHED_SWITCHES
from hierq.agents.estimators.backup_syntax import (
    COMPANION_OPTIONS,
    KINDS,
    companion_options,
    parse_backup,
)
from hierq.agents.settings import Setting
from hierq.cli.arguments import Option, choice, count, dashed, flag
from hierq.errors import InputError

ASCII = {"γ": "GAMMA", "α": "ALPHA", "ε": "EPSILON", "λ": "LAMBDA"}
TARGETS: dict[str, type[EpsilonSoft | Softmax]] = {"epsilon": EpsilonSoft, "softmax": Softmax}

# Options that several commands have.
WorldName: TypeAlias = Annotated[str, Option("WORLD", "A world's name, a map file, or gym:ID.")]
Results: TypeAlias = Annotated[str, Option("FOLDER", "Folder of the results.")]
Where: TypeAlias = Annotated[
    tuple[str, ...],
    Option("NAME=VALUE", "Only runs with these values, such as backup=peng levels=2,3.", count="+", usual="all runs"),
]
Seed: TypeAlias = Annotated[int, Option("N", "Seed of the random numbers.", int)]
Threads: TypeAlias = Annotated[int | None, Option("N", "Threads.", count, usual="one per core")]
PlanOnly: TypeAlias = Annotated[bool, flag("Only say how many runs there are, and what time and memory they take.")]
Picture: TypeAlias = Annotated[str | None, Option("FILE", "Also draw it to a PNG file.")]
Overwrite: TypeAlias = Annotated[bool, flag("Allow existing files to be replaced.")]

TRACES = "Traces that decay by LAMBDA, HierQ(LAMBDA); never-cut:LAMBDA and peng:LAMBDA are those of other operators."
SHORT_FORMS = {
    "one_step": flag("One-step backups, HierQ (this is the default backup)."),
    "tree_backup": Option("N", "Tree-Backup over N hops, HierTB(N).", int),
    "traces": Option("LAMBDA", TRACES),
}


def _option(name: str, declared: Setting) -> Option:
    """The option of a setting: how its words are read, and their placeholder in the help."""
    if declared.default is False:
        return flag(declared.help)
    usual = declared.unset or (None if declared.default is dataclasses.MISSING else declared.default)
    letters = ASCII.get(declared.symbol) or declared.symbol.upper() or ("N" if declared.is_whole else "X")
    if name == "target":
        return Option("{greedy,epsilon:X,softmax:X}", declared.help, usual=usual)
    if name in ("operator", "explore"):
        return Option("NAME", declared.help, usual=usual)
    if declared.low is None and name != "horizons":
        return choice(declared.choices, declared.help, usual=usual)
    if declared.choices:
        letters = f"{{{letters},{','.join(declared.choices)}}}"
    is_whole = declared.is_whole or name == "horizons"
    read = int if is_whole else number_or_word if declared.choices else float
    return Option(letters, declared.help, read, count="+" if name in ("horizons", "levels") else None, usual=usual)


class AgentOptions:
    """What the agent is made of. The defaults are the paper's text; --published gives the published runs."""

    title = "agent options"

    def __init__(self, **given: Any) -> None:
        """Keeps the options that were given."""
        self.given = {name: value for name, value in given.items() if value is not None and value is not False}

    @staticmethod
    def declared() -> dict[str, Option]:
        """Every setting, with those of backups in place of `backup`; settings that leave no choice are left out."""
        options: dict[str, Option] = {}
        for name, declared in AgentConfig.declared.items():
            if name != "backup":
                options[name] = _option(name, declared)
                continue
            options |= SHORT_FORMS
            options |= {part: _option(part, of) for part, of in Backup.declared.items()}
            rival = Rival.declared
            options["rival"] = Option("NAME", rival["rule"].help)
            options["updates"] = _option("updates", rival["updates"])
        switches = " ".join(f"{dashed(name)} {value}" for name, value in PUBLISHED_SWITCHES.items())
        options["published"] = flag(f"Settings of the published runs: {switches}. Other options take precedence.")
        return options

    def configs(self) -> list[AgentConfig]:
        """The configurations these options stand for: one for each number of levels that was given."""
        levels = self.given.get("levels")
        if not isinstance(levels, tuple):
            return [self.config()]
        if len(set(levels)) < len(levels):
            raise InputError(f"--levels has the same number twice: {' '.join(map(str, levels))}")
        return [AgentOptions(**{**self.given, "levels": each}).config() for each in levels]

    def config(self) -> AgentConfig:
        """The configuration these options stand for.

        Raises:
            InputError: Options contradict each other, or a value is outside its range.
        """
        given = dict(self.given)
        settings: dict[str, Any] = PUBLISHED_SWITCHES if given.pop("published", False) else {}
        if isinstance(given.get("levels"), tuple):
            if len(given["levels"]) > 1:
                raise InputError("--levels takes one number here; hierq run compares several")
            given["levels"] = given["levels"][0]
        backup = _backup(given)
        settings = {**settings, **backup.implied_settings, "backup": backup, **given}
        if len(settings.get("horizons", ())) == 1:
            settings["horizons"] = settings["horizons"][0]
        if "target" in given:
            settings["target"] = read_target(given["target"])
        if "explore" in given:
            settings["explore"] = Explorer.named(given["explore"])
        return AgentConfig(**settings)


def _backup(given: dict[str, Any]) -> AnyBackup:
    """Removes the options that describe the backup from those given, and makes the backup."""
    kinds = {name: given.pop(name) for name in KINDS if name in given}
    beside = {name: given.pop(name) for name in COMPANION_OPTIONS if name in given}
    if len(kinds) > 1:
        raise InputError(f"{' and '.join(map(dashed, kinds))} cannot be combined; an agent has one kind of backup")
    ((kind, value),) = (kinds or {"one_step": True}).items()
    if lost := [name for name in beside if name not in companion_options(kind, value)]:
        kinds_with = [dashed(each) for each, names in KINDS.items() if lost[0] in names]
        chosen = f"{dashed(kind)} {value}" if kinds else "the default, --one-step"
        raise InputError(f"{dashed(lost[0])} goes with {' or '.join(kinds_with)}, but not with {chosen}")
    return parse_backup(kind, value, **beside)


def number_or_word(text: str) -> float | str:
    """A number if it is one."""
    try:
        return float(text)
    except ValueError:
        return text


def read_target(text: str) -> str | EpsilonSoft | Softmax:
    """A target policy: "greedy", "epsilon:0.1" or "softmax:0.1"."""
    kind, _, strength = text.partition(":")
    number = number_or_word(strength)
    if kind in TARGETS and isinstance(number, float):
        return TARGETS[kind](number)
    if text != "greedy":
        raise InputError(f"--target is greedy, epsilon:X or softmax:X with a number X, as epsilon:0.1, not {text!r}")
    return text
