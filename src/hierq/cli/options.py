"""The options that shape an agent: one for every setting of AgentConfig, made from its declaration."""

import dataclasses
from typing import Annotated, Any, TypeAlias, TypeVar

from tyro.conf import Positional, arg
from tyro.constructors import PrimitiveConstructorSpec

from hierq.agents import AgentConfig, AnyBackup, Backup, EpsilonSoft, Explorer, Rival, Softmax
from hierq.agents.config import PUBLISHED_SWITCHES
from hierq.agents.estimators.backup_syntax import (
    COMPANION_OPTIONS,
    KINDS,
    NAMED_SETTINGS,
    OPTIONS_OF_KIND,
    companion_options,
    implied_settings,
    parse_backup,
)
from hierq.agents.rivals.rule import RIVALS
from hierq.agents.settings import Setting, settings_of
from hierq.cli.arguments import a_word, number, one_of, whole_number, whole_numbers, words
from hierq.errors import InputError

Word: TypeAlias = str | None
Number: TypeAlias = float | None
Whole: TypeAlias = int | None
Kind = TypeVar("Kind")
Field: TypeAlias = tuple[str, Any, Any]  # name, type and default
ASCII = {"γ": "GAMMA", "α": "ALPHA", "ε": "EPSILON", "λ": "LAMBDA"}
TARGETS: dict[str, type[EpsilonSoft | Softmax]] = {"epsilon": EpsilonSoft, "softmax": Softmax}


def about(text: str, default: object = None, aliases: tuple[str, ...] = ()) -> Any:
    """The help of an option; `default` is what holds when the option is left out, `aliases` are its other names."""
    hint = "" if default is None else f"(default: {default})"
    return arg(help=text, help_behavior_hint=hint, aliases=aliases or None)


WorldName: TypeAlias = Annotated[str, Positional, a_word("WORLD"), about("A world's name, a map file, or gym:ID.")]
Results: TypeAlias = Annotated[str, Positional, a_word("FOLDER"), about("Folder of the results.")]
Where: TypeAlias = Annotated[
    tuple[str, ...],
    words("NAME=VALUE"),
    about("Only runs with these values, such as backup=peng levels=2,3.", "all runs"),
]
Threads: TypeAlias = Annotated[Whole, whole_number("N"), about("Threads.", "one per core")]
PlanOnly: TypeAlias = Annotated[bool, about("Only say how many runs there are, and what time and memory they take.")]

TRACES = "Traces that decay by LAMBDA, HierQ(LAMBDA); never-cut:LAMBDA and peng:LAMBDA are those of other operators."
SHORT_FORMS: list[Field] = [
    ("one_step", Annotated[bool, about("One-step backups, HierQ (this is the default backup).")], False),
    ("tree_backup", Annotated[Whole, whole_number("N"), about("Tree-Backup over N hops, HierTB(N).")], None),
    ("traces", Annotated[Any, a_word("LAMBDA"), about(TRACES)], None),
]


def with_options(kind: type[Kind]) -> type[Kind]:
    """Turns a class into a dataclass with a field for every option; tyro fills it from the command line."""
    options = [(name, hint, dataclasses.field(default=default)) for name, hint, default in _options()]
    namespace = {"__doc__": kind.__doc__, "__module__": kind.__module__}
    return dataclasses.make_dataclass(
        kind.__name__, options, bases=(kind,), namespace=namespace, frozen=True, kw_only=True
    )


def _options() -> list[Field]:
    """Every setting, with those of backups in place of `backup`; settings that leave no choice are left out."""
    options: list[Field] = []
    for name, (declared, default) in settings_of(AgentConfig).items():
        if name == "backup":
            options += SHORT_FORMS
            options += [_option(part, *of) for part, of in settings_of(Backup).items() if not of[0].is_fixed]
            rival, updates = (settings_of(Rival)[part] for part in ("rule", "updates"))
            text = f"{rival[0].help} Or by its usual name: {', '.join(NAMED_SETTINGS)}."
            options += [("rival", Annotated[Any, a_word("NAME"), about(text)], None), _option("updates", *updates)]
        else:
            options.append(_option(name, declared, default))
    switches = " ".join(f"{_dashed(name)} {value}" for name, value in PUBLISHED_SWITCHES.items())
    text = f"Settings of the published runs: {switches}. Other options take precedence."
    return [*options, ("published", Annotated[bool, about(text)], False)]


def _option(name: str, declared: Setting, default: Any) -> Field:
    text = declared.help or declared.about
    if default is False:
        return name, Annotated[bool, about(text)], False
    usual = declared.unset or (None if default is dataclasses.MISSING else default)
    return name, Annotated[Any, _reader(name, declared), about(text, usual)], None


def _reader(name: str, declared: Setting) -> PrimitiveConstructorSpec[Any]:
    """How the words after an option are read, and the placeholder for them in the help."""
    letters = ASCII.get(declared.symbol) or (declared.symbol or declared.unit).upper()
    if name in ("horizons", "levels"):
        return whole_numbers(letters)
    if name == "target":
        return a_word("{greedy,epsilon:X,softmax:X}")
    if name in ("operator", "explore"):
        return a_word("NAME")
    if declared.is_whole:
        return whole_number(letters)
    if declared.low is None:
        return one_of(*declared.choices)
    return a_word(f"{{{letters},{','.join(declared.choices)}}}") if declared.choices else number(letters)


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


@with_options
class AgentOptions:
    """What the agent is made of. The defaults are the paper's text; --published gives the published runs."""

    def configs(self) -> list[AgentConfig]:
        """The configurations these options stand for: one for each number of levels that was given."""
        given = getattr(self, "levels", None)
        if not isinstance(given, tuple):
            return [self.config()]
        if len(set(given)) < len(given):
            raise InputError(f"--levels has the same number twice: {' '.join(map(str, given))}")
        return [dataclasses.replace(self, levels=(levels,)).config() for levels in given]  # type: ignore[type-var]

    def config(self) -> AgentConfig:
        """The configuration these options stand for.

        Raises:
            InputError: Options contradict each other, or a value is outside its range.
        """
        given = {name: value for name, value in vars(self).items() if value is not None and value is not False}
        settings: dict[str, Any] = PUBLISHED_SWITCHES if given.pop("published", False) else {}
        around = implied_settings("rival", given["rival"]) if "rival" in given else {}
        if isinstance(given.get("levels"), tuple):
            if len(given["levels"]) > 1:
                raise InputError("--levels takes one number here; hierq run compares several")
            given["levels"] = given["levels"][0]
        settings = {**settings, **around, "backup": _backup(given), **given}
        if len(settings.get("horizons", ())) == 1:
            settings["horizons"] = settings["horizons"][0]
        if "initial_value" in given:
            settings["initial_value"] = read_initial_value(given["initial_value"])
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
        raise InputError(f"{' and '.join(map(_dashed, kinds))} cannot be combined; an agent has one kind of backup")
    ((kind, value),) = (kinds or {"one_step": True}).items()
    possible = OPTIONS_OF_KIND[kind] if kind == "operator" else companion_options(kind, value)
    for name in beside:
        if name not in possible:
            if kind == "rival":
                raise InputError(f"the rival {value} has no {_dashed(name)}{_those_with(name)}")
            there = f"not with {_dashed(kind)}" if kinds else "which was not given"
            kinds_with = [each for each, names in OPTIONS_OF_KIND.items() if name in names]
            raise InputError(f"{_dashed(name)} goes with {' or '.join(map(_dashed, kinds_with))}, {there}")
    return parse_backup(kind, value, **beside)


def _those_with(setting: str) -> str:
    """The rivals that have this setting, as the end of a sentence."""
    names = [name for name in RIVALS if setting in companion_options("rival", name)]
    return f"; it is for {' and '.join(names)}" if names else ""


def read_initial_value(word: str) -> Any:
    """A number, or "pessimistic"."""
    if word == "pessimistic":
        return word
    try:
        return float(word)
    except ValueError:
        raise InputError(f"--initial-value is a number or the word pessimistic, not {word!r}") from None


def read_target(word: str) -> str | EpsilonSoft | Softmax:
    """A target policy: "greedy", "epsilon:0.1" or "softmax:0.1"."""
    if word == "greedy":
        return word
    kind, _, strength = word.partition(":")
    if kind not in TARGETS:
        raise InputError(f"--target is greedy, epsilon:X or softmax:X with a number X, not {word!r}")
    try:
        amount = float(strength)
    except ValueError:
        raise InputError(f"--target {kind}:X needs a number X, as in {kind}:0.1, not {word!r}") from None
    return TARGETS[kind](amount)
