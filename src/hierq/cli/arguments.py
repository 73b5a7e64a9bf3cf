"""The options of a command: declared in the signature of its function, read by argparse.

    def run(
        world_name: Annotated[str, word("WORLD", "A world's name.", is_positional=True)],
        *,
        episodes: Annotated[int, whole("N", "Training episodes.")] = 50,
    ) -> int: ...

A parameter whose type has a method `declared`, such as AgentOptions, stands for a whole group of options.
"""

import argparse
import inspect
import textwrap
import typing
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from hierq.errors import InputError, nearest

WIDTH = 80
PLAIN = {  # what argparse says, in plain words
    "the following arguments are required": "missing",
    "expected at least one argument": "at least one value is needed",
    "expected one argument": "a value is needed",
}


@dataclass(frozen=True)
class Option:
    """An option of a command.

    Attributes:
        metavar: the placeholder of its value in the help; a flag, which has no value, has none.
        help: what it does, in a sentence.
        read: makes a value of a word.
        count: how many words follow: a number, or "+" for one or more. With more than one the value is a tuple.
        usual: what holds if the option is left out, where the default of the parameter does not say so.
        is_positional: whether the value stands without the name of the option.
    """

    metavar: str
    help: str
    read: Callable[[str], Any] = str
    count: int | str = 1
    usual: object = None
    is_positional: bool = False

    def add_to(self, group: Any, name: str, default: object) -> None:
        """Adds the option to a parser or a group of one."""
        usual = self.usual
        if usual is None and not any(default is nothing for nothing in (None, False, (), inspect.Parameter.empty)):
            usual = default
        shown = "" if usual is None else f" (default: {usual})"
        about = f"{self.help}{shown}".replace("%", "%%")
        if not self.metavar:
            group.add_argument(dashed(name), dest=name, help=about, action="store_true")
            return
        nargs: int | str | None = None if self.count == 1 else self.count
        if self.is_positional:
            nargs = nargs if default is inspect.Parameter.empty else "?"
            group.add_argument(name, metavar=self.metavar, help=about, type=self.read, nargs=nargs)
            return
        metavar = tuple(self.metavar.split()) if isinstance(self.count, int) and self.count > 1 else self.metavar
        how = {"metavar": metavar, "type": self.read, "nargs": nargs, "default": default}
        group.add_argument(dashed(name), dest=name, help=about, **how)


def flag(help: str) -> Option:
    """An option without a value."""
    return Option("", help)


def word(metavar: str, help: str, **more: Any) -> Option:
    """Any word, such as the name of a file."""
    return Option(metavar, help, **more)


def whole(metavar: str, help: str, **more: Any) -> Option:
    """A whole number."""
    return Option(metavar, help, _reader(int, "a whole number"), **more)


def number(metavar: str, help: str, **more: Any) -> Option:
    """A number."""
    return Option(metavar, help, _reader(float, "a number"), **more)


def choice(choices: Collection[str], help: str, **more: Any) -> Option:
    """One of a few words."""
    one_of = {each: each for each in choices}.__getitem__
    return Option("{" + ",".join(choices) + "}", help, _reader(one_of, f"one of {', '.join(choices)}"), **more)


def _reader(kind: Callable[[str], Any], what: str) -> Callable[[str], Any]:
    def read(given: str) -> Any:
        try:
            return kind(given)
        except (ValueError, KeyError):
            raise argparse.ArgumentTypeError(f"{given!r} is not {what}") from None

    return read


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
    needed = " ".join(option.metavar for option in options.values() if option.is_positional)
    parser = _Parser(
        prog=program,
        usage=f"{program} [OPTIONS] {needed}".rstrip(),
        description=_wrapped(inspect.getdoc(command) or ""),
        formatter_class=lambda prog: _Help(prog, max_help_position=22, width=WIDTH),
        allow_abbrev=False,
    )
    for name, option in options.items():
        option.add_to(parser, name, parameters[name].default)
    for kind in groups.values():
        group = parser.add_argument_group(kind.title, _wrapped(inspect.getdoc(kind) or "", WIDTH - 2))
        for part, option in kind.declared().items():
            option.add_to(group, part, None)
    if "-h" in words or "--help" in words:  # argparse would end the process
        parser.print_help()
        return 0
    given, unknown = parser.parse_known_args(words)
    if unknown:
        known = [*options, *(part for kind in groups.values() for part in kind.declared())]
        raise InputError(_unknown(program, unknown, known))
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in vars(given).items()}
    for name, kind in groups.items():
        values[name] = kind(**{part: values.pop(part) for part in kind.declared()})
    return command(**values)


def _unknown(program: str, words: Sequence[str], known: Sequence[str]) -> str:
    """What is wrong with words that belong to no option; a name such as --gamma is answered with the right one."""
    given = next((each for each in words if each.startswith("-")), None)
    if given is None:
        return f"{program} has no use for {words[0]!r}; leave it out"
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
