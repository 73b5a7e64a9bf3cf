"""`hierq world`: makes and checks maps; world_new.py and world_check.py do the work."""

import contextlib
import io
import re
import sys
import textwrap
from collections.abc import Callable
from functools import partial

WIDTH = 80
WORLD_HELP = """usage: hierq world new [OPTIONS]
       hierq world check MAP

Make and check maps.

commands:
  new                   make a random maze, cave or rooms, or an open grid
  check MAP             say what is wrong with a map, or what is true of it

examples:
  hierq world new --kind maze --size 41 --seed 3
  hierq world new --rows 21 --columns 61 --algorithm wilson --loops 0.5
  hierq world new --kind cave --size 60 --seed 3 --out cave.txt
  hierq world check cave.txt

hierq world new --help lists the options."""


def world(words: list[str]) -> int:
    """Runs `hierq world` with the words that follow it on the command line; returns its exit code."""
    if words in ([], ["--help"], ["-h"]):
        return world_help()

    from hierq.cli.world_check import world_check
    from hierq.cli.world_new import world_new

    return run_one({"new": world_new, "check": world_check}, "hierq world", WORLD_HELP, words)


def run_one(commands: dict[str, Callable[..., int]], program: str, text: str, words: list[str]) -> int:
    """Runs the command that the first word names; returns its exit code."""
    import tyro

    config = (tyro.conf.FlagCreatePairsOff,)
    run = partial(tyro.extras.subcommand_cli_from_dict, prog=program, description=text, args=words, config=config)
    if not {"-h", "--help"} & {*words}:
        code: int = run(commands)
        return code
    paper = io.BytesIO()
    with contextlib.redirect_stdout(io.TextIOWrapper(paper, sys.stdout.encoding, write_through=True)):
        with contextlib.suppress(SystemExit):
            run(commands)
        text = paper.getvalue().decode(sys.stdout.encoding)
    print(_wrapped(text))
    return 0


def _wrapped(text: str) -> str:
    """A help text with lines of at most 80 columns; tyro itself only wraps what is in boxes."""
    lines = []
    for line in text.rstrip().splitlines():
        indent = " " * 7 if line.startswith("usage:") else re.match(" *", line)[0]  # type: ignore[index]
        is_long = len(line) > WIDTH and line[0] not in "╭│╰"
        options = {"subsequent_indent": indent, "break_long_words": False, "break_on_hyphens": False}
        lines += textwrap.wrap(line, WIDTH, **options) if is_long else [line]  # type: ignore[arg-type]
    return re.sub("\n{3,}", "\n\n", "\n".join(lines))


def world_help() -> int:
    """Prints what `hierq world` can do."""
    print(WORLD_HELP)
    return 0
