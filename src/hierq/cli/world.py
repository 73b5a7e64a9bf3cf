"""`hierq world`: makes and checks maps; world_new.py and world_check.py do the work."""

from collections.abc import Callable

WORLD_HELP = """usage: hierq world new [OPTIONS]
       hierq world check MAP

Make and check maps.

commands:
  new                   make a random maze, cave or rooms, or an open grid
  check MAP             say what is wrong with a map, or what is true of it

examples:
  hierq world new --kind maze --size 41 --seed 3
  hierq world new --kind maze --rows 21 --columns 61 --algorithm wilson --loops 0.5
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
    run = tyro.extras.subcommand_cli_from_dict
    code: int = run(commands, prog=program, description=text, args=words, config=config)
    return code


def world_help() -> int:
    """Prints what `hierq world` can do."""
    print(WORLD_HELP)
    return 0
