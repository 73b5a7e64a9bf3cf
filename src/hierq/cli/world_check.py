"""`hierq world check`: the mistake in a map, or facts about it."""

from typing import Annotated

from tyro.conf import Positional

from hierq.cli.arguments import a_word
from hierq.cli.describe import fact, fact_lines, world_line
from hierq.cli.options import about
from hierq.figures.terminal import plural
from hierq.worlds import World, dead_ends, make_world, unreachable

MAX_PLACES = 3


def world_check(what: Annotated[str, Positional, a_word("MAP"), about("A map file, or the name of a world.")]) -> int:
    """Find the mistake in a map, or print facts about it.

    The message about a wrong map names the line and the column of the mistake, counted from 1 as in an editor.
    For a valid map it prints the size, the shortest path from start to goal, the steps of a random walk, the
    number of dead ends and the number of cells that no episode can enter. Where moves are random or there are
    holes, it also prints the value of the best policy.

        hierq world check my-map.txt
    """
    print(check_text(make_world(what)))
    return 0


def check_text(world: World) -> str:
    """Facts about a world that are worth knowing before an agent learns there, in lines."""
    cut_off = unreachable(world, through_goal=True)
    behind = len(unreachable(world)) - len(cut_off)
    ends = "goal" if len(world.goals) == 1 and not len(world.holes) else "ends"
    lines = [
        world_line(world),
        fact("start", _places(world, world.starts.tolist())),
        fact("goal", _places(world, world.goals.tolist())),
        *([fact("holes", _places(world, world.holes.tolist()))] if len(world.holes) else []),
        *fact_lines(world),
        fact("dead ends", f"{len(dead_ends(world)):,}"),
    ]
    first = f", the first at {_place(world, int(cut_off[0]))}" if len(cut_off) else ""
    lines.append(fact("cut off by walls" if world.is_grid else "cut off", f"{_cells(world, len(cut_off))}{first}"))
    lines.append(fact(f"behind the {ends}", f"{_cells(world, behind)}{', which no episode enters' if behind else ''}"))
    return "\n".join(lines)


def _cells(world: World, count: int) -> str:
    return plural(count, "free cell" if world.is_grid else "state") if count else "nothing"


def _places(world: World, states: list[int]) -> str:
    """One place, or the number of places and the first few."""
    places = "; ".join(_place(world, state) for state in states[:MAX_PLACES])
    more = "; …" if len(states) > MAX_PLACES else ""
    return f"{len(states):,}: {places}{more}" if len(states) > 1 else places


def _place(world: World, state: int) -> str:
    if not world.is_grid:
        return f"state {state}"
    row, column = world.positions[state]
    header = 1 if world.slip > 0 else 0
    return f"line {row + 1 + header}, column {column + 1}"
