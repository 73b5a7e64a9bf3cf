"""`hierq world check`: what is wrong with a map, or what is true of it."""

from typing import Annotated

from tyro.conf import Positional

from hierq.cli.arguments import a_word
from hierq.cli.describe import walk_words, world_line
from hierq.cli.options import about
from hierq.figures.terminal import plural
from hierq.worlds import World, dead_ends, make_world, optimum, unreachable


def world_check(
    what: Annotated[str, Positional, a_word("MAP"), about("A map file, or the name of a world.")],
) -> int:
    """Say what is wrong with a map, or what is true of it.

    A map is refused with the line and the column of what is wrong, counted from 1 as editors do. Of a sound
    one: its size, the shortest path from start to goal, the steps of a random walk, how many cells are dead
    ends, and how many no episode can enter.

        hierq world check my-map.txt
    """
    print(check_text(make_world(what)))
    return 0


def check_text(world: World) -> str:
    """What is true of a world and worth knowing before an agent learns there, in lines."""
    best = optimum(world)
    cut_off = unreachable(world, through_goal=True)
    behind = len(unreachable(world)) - len(cut_off)
    lines = [
        world_line(world),
        f"start              {_place(world, world.start)}",
        f"goal               {_place(world, world.goal)}",
        f"shortest path      {plural(best, 'step')}",
        f"random walk        {walk_words(world, best)}",
        f"dead ends          {len(dead_ends(world)):,}",
    ]
    first = f", the first at {_place(world, int(cut_off[0]))}" if len(cut_off) else ""
    lines.append(f"cut off by walls   {_cells(len(cut_off))}{first}")
    lines.append(f"behind the goal    {_cells(behind)}{', which no episode enters' if behind else ''}")
    return "\n".join(lines)


def _cells(count: int) -> str:
    return plural(count, "free cell") if count else "nothing"


def _place(world: World, state: int) -> str:
    row, column = world.positions[state]
    return f"line {row + 1}, column {column + 1}"
