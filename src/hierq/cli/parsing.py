"""From the words of the command line to the call of a command; tyro reads the options."""

import contextlib
import inspect
import io
import sys
import textwrap
from collections.abc import Callable, Sequence

from hierq.errors import InputError, did_you_mean, usual_name

WIDTH = 80


def known_command(word: str, names: Sequence[str], program: str) -> str:
    """The same word if it names a command.

    Raises:
        InputError: it does not; the message suggests the nearest.
    """
    if word in names:
        return word
    what = "an option, but the command comes first" if word.startswith("-") else "not a command"
    hint = did_you_mean(word, names, cutoff=0.5)
    raise InputError(f"{word!r} is {what}; {hint}the commands are {', '.join(names)} ({program} --help)")


def run_command(command: Callable[..., int], program: str, words: list[str], options: Sequence[str] = ()) -> int:
    """Runs a command with the words that follow its name; returns its exit code.

    Args:
        command: its function; tyro makes its options of the arguments.
        program: how the user calls it, such as hierq run.
        words: what follows that.
        options: the settings that it takes as options, so that other names for them, such as --gamma, get an answer.
    """
    import tyro

    _refuse_other_names(program, words, options)

    def call() -> int:
        return tyro.cli(command, prog=program, description="", args=words, config=(tyro.conf.FlagCreatePairsOff,))

    if not {"-h", "--help"} & {*words}:
        return call()
    page = io.TextIOWrapper(io.BytesIO(), sys.stdout.encoding, write_through=True)  # tyro asks for its encoding
    with contextlib.redirect_stdout(page), contextlib.suppress(SystemExit):
        call()
    page.seek(0)
    usage, options = page.read().split("\n", 1)
    usage = textwrap.fill(usage, WIDTH, subsequent_indent=" " * 7, break_on_hyphens=False)
    # tyro would make one long line of every paragraph of the description.
    print(f"{usage}\n\n{_wrapped(command)}\n\n{options.strip()}")
    return 0


def _refuse_other_names(program: str, words: Sequence[str], options: Sequence[str]) -> None:
    """Refuses --gamma and the like, and says what the option is called."""
    for word in words:
        given = word[2:].partition("=")[0] if word.startswith("--") else ""
        meant = usual_name(given.replace("-", "_"), options)
        if meant:
            called = f"--{meant.replace('_', '-')}"
            raise InputError(f"{program} has no option --{given}; did you mean {called}? ({program} --help)")


def _wrapped(command: Callable[..., int]) -> str:
    """What the docstring of a command says, in lines of at most 80 columns; examples, which are indented, stay."""
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    return "\n\n".join(part if part.startswith(" ") else textwrap.fill(part, WIDTH) for part in paragraphs)
