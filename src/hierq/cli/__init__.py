"""The command line: `hierq run | show | sweep | …`; `hierq --help` lists the commands.

One file per command, with a function of the same name. It reads its options, calls functions a notebook could call
as well, and prints.

    arguments.py   how options are declared, and how words become values
    options.py     the options that several commands have, and those that shape an agent
    terminal.py    the terminal, and how far the work is
    describe.py    worlds and agents in words
"""

import os
import re
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from hierq.cli.terminal import INTERRUPTED
from hierq.errors import InputError, did_you_mean

COMMANDS = (
    *("run", "show", "replay", "lab", "sweep", "status", "verify", "export", "plot"),
    *("investigate", "reproduce", "figure", "world new"),
)
REFUSED = 2
PIPE_CLOSED = 141

HELP = """usage: hierq COMMAND [OPTIONS]

A laboratory for hierarchical credit assignment: HierQ, HierTB and HierQ(λ).

commands:
  run WORLD             train an agent and watch it learn
  show WORLD|AGENT      show a world's map and facts, or what a saved agent does
  replay WORLD MOVES    learn from given moves and see what each level learnt
  lab                   open the laboratory in the browser
  sweep STUDY           run a study: worlds x configurations x seeds
  status FOLDER         show how far a study is
  verify FOLDER         check the results of a study and print their digest
  export FOLDER         write the results of a study to a CSV file
  plot FOLDER           draw the results of a study
  investigate NAME      run a question's studies, judge claims, write a page
  reproduce             run the paper's agents beside its published numbers
  figure NAME           draw a figure of the paper from the results of reproduce
  world new             make a random maze, cave or rooms, or an open grid

A WORLD is a name (gridworld-10, gridworld-20, rooms-4, rooms-9, maze-10,
maze-20, rooms-example, slippery-rooms, holes, doors), a Gymnasium environment
(gym:FrozenLake-v1) or a text file made of # (wall), . (free), S (start),
G (goal), H (hole), ^ v < > (one-way doors) and 1-9 (teleports, in pairs); with
a line such as slip: 0.2 above the map, moves may slip sideways. docs/worlds.md
has the rest.

examples:
  hierq run maze-10 --levels 1 3
  hierq run my-map.txt --levels 2 --traces 0.8 --save agent.safetensors
  hierq show agent.safetensors --level 1 --png policy.png
  hierq sweep study.toml --out results/
  hierq plot results/ --out curves.pdf

hierq COMMAND --help lists the options of a command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code.

    The arguments are without the name of the program; those of the process if left out.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without ↑ shows ?, and the rest
    shown: set[str] = set()

    def show_once(message: Warning | str, *_: Any, **__: Any) -> None:
        text = re.sub("\x1b\\[[0-9;]*m", "", str(message))  # Gymnasium's are coloured, in a pipe as well
        if text not in shown:
            shown.add(text)
            print(f"hierq: {text}", file=sys.stderr, flush=True)

    try:
        with warnings.catch_warnings():
            warnings.showwarning = show_once  # each text once, without the line of source that it came from
            code = _dispatch(words)
        sys.stdout.flush()
        return code
    except InputError as problem:
        name = _command_name(words)
        hint = f" (hierq {name} --help)" if name in COMMANDS else ""
        print(f"hierq: {problem}{hint}", file=sys.stderr)
        return REFUSED
    except MemoryError:
        print("hierq: there is not enough memory; take fewer levels or a smaller world", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt as stopped:
        print("\nhierq: stopped" + (f"; {stopped}" if str(stopped) else ""), file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output, such as `head`, has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED


def _command_name(words: Sequence[str]) -> str:
    """The name of the command, which has one word or, after "world", two."""
    return " ".join(words[: 2 if words[:1] == ["world"] else 1])


def _dispatch(words: list[str]) -> int:
    if words in ([], ["--help"], ["-h"]):
        print(HELP)
        return 0
    if words == ["--version"]:
        from hierq import __version__

        print(f"hierq {__version__}")
        return 0

    from hierq.cli.arguments import run_command

    name = _command_name(words)
    if name not in COMMANDS:
        what = "an option, but the command comes first" if name.startswith("-") else "not a command"
        hint = did_you_mean(name, COMMANDS, cutoff=0.5)
        raise InputError(f"{name!r} is {what}; {hint}the commands are {', '.join(COMMANDS)} (hierq --help)")
    function = name.replace(" ", "_")
    command = getattr(import_module(f"hierq.cli.{function}"), function)
    return run_command(command, f"hierq {name}", words[len(name.split()) :])
