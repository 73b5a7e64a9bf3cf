"""The options of a command: declared in the signature of its function, read by argparse.

    def run(
        world_name: Annotated[str, Option("WORLD", "A world's name.")],
        *,
        episodes: Annotated[int, Option("N", "Training episodes.", int)] = 50,
    ) -> int: ...

A parameter before the * is given without its name. One whose type has a method `declared`, such as AgentOptions,
stands for a whole group of options.
"""

import argparse
import inspect
import textwrap
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hierq.errors import InputError, nearest

WIDTH = 80
PLAIN = {  # what argparse says, in plain words
    "the following arguments are required": "missing",
    "expected at least one argument": "at least one value is needed",
    "expected one argument": "a value is needed",
    "invalid int value: ": "this must be a whole number, not ",
    "invalid float value: ": "this must be a number, not ",
}


@dataclass(frozen=True)
class Option:
    """An option of a command.

    Attributes:
        metavar: the placeholder of its value in the help; a flag, which has no value, has none.
        help: what it does, in a sentence.
        read: makes a value of a word: int, float, or a function that raises ArgumentTypeError.
        choices: the words that it may be; left out, any.
        count: how many words follow: a number, or "+" for one or more. With more than one the value is a tuple.
        usual: what holds if the option is left out, where the default of the parameter does not say so.
    """

    metavar: str
    help: str
    read: Callable[[str], Any] = str
    choices: Collection[str] | None = None
    count: int | str | None = None
    usual: object = None

    def add_to(self, group: Any, name: str, default: object, is_positional: bool = False) -> None:
        """Adds the option to a parser or a group of one; a positional one stands without its name."""
        usual = self.usual
        if usual is None and not any(default is nothing for nothing in (None, False, (), inspect.Parameter.empty)):
            usual = default
        shown = "" if usual is None else f" (default: {usual})"
        about = f"{self.help}{shown}".replace("%", "%%")
        metavar = tuple(self.metavar.split()) if isinstance(self.count, int) else self.metavar
        how = {"help": about, "metavar": metavar, "type": self.read, "choices": self.choices}
        if is_positional:
            group.add_argument(name, nargs=None if default is inspect.Parameter.empty else "?", **how)
        elif self.metavar:
            group.add_argument(dashed(name), dest=name, nargs=self.count, default=default, **how)
        else:
            group.add_argument(dashed(name), dest=name, help=about, action="store_true")


def flag(help: str) -> Option:
    """An option without a value."""
    return Option("", help)


def choice(choices: Collection[str], help: str, **more: Any) -> Option:
    """One of a few words."""
    return Option("{" + ",".join(choices) + "}", help, choices=tuple(choices), **more)


def count(text: str) -> int:
    """Reads a whole number of at least 1."""
    if not (text.isdecimal() and len(text) < 10 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"this must be a whole number of at least 1, not {text!r}")
    return int(text)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> typing.NoReturn:
        plain = message.removeprefix("argument ")
        for theirs, ours in PLAIN.items():
            plain = plain.replace(theirs, ours)
        raise InputError(plain)


class _Help(argparse.RawDescriptionHelpFormatter):
    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(text, width, break_on_hyphens=False)


def run_command(command: Callable[..., int], program: str, words: Sequence[str]) -> int:
    """Runs a command with the words that follow its name; returns its exit code.

    Raises:
        InputError: the words do not fit the options of the command.
    """
    hints = typing.get_type_hints(command, include_extras=True)
    parameters = inspect.signature(command).parameters
    groups = {name: hints[name] for name in parameters if hasattr(hints[name], "declared")}
    options = {name: hints[name].__metadata__[0] for name in parameters if name not in groups}
    positional = [name for name in options if parameters[name].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    parser = _Parser(
        prog=program,
        usage=" ".join([f"{program} [OPTIONS]", *(options[name].metavar for name in positional)]),
        description=_wrapped(inspect.getdoc(command) or ""),
        formatter_class=lambda prog: _Help(prog, max_help_position=22, width=WIDTH),
        allow_abbrev=False,
    )
    for name, option in options.items():
        option.add_to(parser, name, parameters[name].default, name in positional)
    for kind in groups.values():
        group = parser.add_argument_group(kind.title, _wrapped(inspect.getdoc(kind) or "", WIDTH - 2))
        for part, option in kind.declared().items():
            option.add_to(group, part, None)
    if "-h" in words or "--help" in words:  # argparse would end the process
        parser.print_help()
        return 0
    given, unknown = parser.parse_known_args(words)
    if unknown:
        known = {part: option for kind in groups.values() for part, option in kind.declared().items()}
        raise InputError(_unknown(program, unknown, options | known, words))
    names = [each.partition("=")[0] for each in words if each.startswith("--")]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"{twice} is given twice; give it once, with all its values")
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in vars(given).items()}
    for name, kind in groups.items():
        values[name] = kind(**{part: values.pop(part) for part in kind.declared()})
    return command(**values)


def _unknown(program: str, words: Sequence[str], known: Mapping[str, Option], line: Sequence[str]) -> str:
    """What is wrong with words of a line that fit no option; a name such as --gamma is answered with the right one."""
    given = next((each for each in words if each.startswith("-")), None)
    if given is None:
        meant = next((name for name, option in known.items() if words[0] in (option.choices or ())), None)
        advice = "leave it out" if meant is None else f"did you mean {dashed(meant)} {words[0]}?"
        before = [each.partition("=")[0] for each in line[: line.index(words[0])] if each.startswith("--")]
        if before[-1:] == ["--seed"] and words[0].isdigit():
            advice = "--seed takes one number; hierq sweep runs a study with several seeds"
        return f"{program} has no use for {words[0]!r}; {advice}"
    name = given.partition("=")[0]
    meant = nearest(name.strip("-").replace("-", "_"), known)
    return f"{program} has no option {name}" + (f"; did you mean {dashed(meant)}?" if meant else "")


def dashed(name: str) -> str:
    """The name of a parameter as that of an option: --step-size."""
    return f"--{name.strip('_').replace('_', '-')}"


def _wrapped(text: str, width: int = WIDTH) -> str:
    """A docstring in lines of at most this width; examples, which are indented, stay."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(part if part.startswith(" ") else textwrap.fill(part, width) for part in paragraphs)
