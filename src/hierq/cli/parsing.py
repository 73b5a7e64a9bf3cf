"""From the words of the command line to the call of a command: tyro reads them, this file says what tyro does not."""

import contextlib
import io
import re
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
    what = "an option before any command" if word.startswith("-") else "no command"
    hint = did_you_mean(word, names, cutoff=0.5)
    raise InputError(f"{word!r} is {what}; {hint}the commands are {', '.join(names)} ({program} --help)")


def run_command(command: Callable[..., int], program: str, words: list[str], options: Sequence[str] = ()) -> int:
    """Runs a command with the words that follow its name; returns its exit code.

    Args:
        command: its function; tyro makes its options of the arguments.
        program: how the user calls it, such as hierq run.
        words: what follows that.
        options: the settings that it takes as options, to answer those who know them under another name.
    """
    import tyro

    _refuse_other_names(program, words, options)
    config = (tyro.conf.FlagCreatePairsOff,)
    if not {"-h", "--help"} & {*words}:
        return tyro.cli(command, prog=program, args=words, config=config)
    paper = io.BytesIO()
    with contextlib.redirect_stdout(io.TextIOWrapper(paper, sys.stdout.encoding, write_through=True)):
        with contextlib.suppress(SystemExit):
            tyro.cli(command, prog=program, args=words, config=config)
        text = paper.getvalue().decode(sys.stdout.encoding)
    print(_wrapped(text))
    return 0


def _refuse_other_names(program: str, words: Sequence[str], options: Sequence[str]) -> None:
    """Refuses --gamma and the like, and says what the option is called."""
    for word in words:
        given = word[2:].partition("=")[0] if word.startswith("--") else ""
        meant = usual_name(given.replace("-", "_"), options)
        if meant:
            called = f"--{meant.replace('_', '-')}"
            raise InputError(f"--{given} is no option of {program}; did you mean {called}? ({program} --help)")


def _wrapped(text: str) -> str:
    """A help text with lines of at most 80 columns; tyro itself only wraps what is in boxes."""
    lines = []
    for line in text.rstrip().splitlines():
        indent = " " * 7 if line.startswith("usage:") else re.match(" *", line)[0]  # type: ignore[index]
        is_long = len(line) > WIDTH and line[0] not in "╭│╰"
        options = {"subsequent_indent": indent, "break_long_words": False, "break_on_hyphens": False}
        lines += textwrap.wrap(line, WIDTH, **options) if is_long else [line]  # type: ignore[arg-type]
    return re.sub("\n{3,}", "\n\n", "\n".join(lines))
