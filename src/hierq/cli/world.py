"""`hierq world`: makes, checks and draws maps; world_new.py, world_check.py and world_points.py do the work."""

from collections.abc import Callable

from hierq.cli.parsing import known_command, run_command

WORLD_HELP = """usage: hierq world new [OPTIONS]
       hierq world check MAP
       hierq world points MAP [OPTIONS]

Make and check maps, and draw points that move over them.

commands:
  new                   make a random maze, cave or rooms, or an open grid
  check MAP             find the mistake in a map, or print facts about it
  points MAP            draw random walks of a point: hierq/Point-v0, hierq/PointVelocity-v0

examples:
  hierq world new --kind maze --size 41 --seed 3
  hierq world new --rows 21 --columns 61 --algorithm wilson --loops 0.5
  hierq world new --kind cave --size 60 --seed 3 --out cave.txt
  hierq world check cave.txt
  hierq world points maze-10 --out walks.svg

hierq world new --help and hierq world points --help list the options."""


def world(words: list[str]) -> int:
    """Runs `hierq world` with the words that follow it on the command line; returns its exit code."""
    if words in ([], ["--help"], ["-h"]):
        return world_help()

    from hierq.cli.world_check import world_check
    from hierq.cli.world_new import world_new
    from hierq.cli.world_points import world_points

    commands: dict[str, Callable[..., int]] = {"new": world_new, "check": world_check, "points": world_points}
    name = known_command(words[0], tuple(commands), "hierq world")
    return run_command(commands[name], f"hierq world {name}", words[1:])


def world_help() -> int:
    """Prints what `hierq world` can do."""
    print(WORLD_HELP)
    return 0
