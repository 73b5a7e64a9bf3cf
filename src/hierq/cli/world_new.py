"""`hierq world new`: a map made by rule or at random, as text."""

from collections.abc import Callable, Mapping
from typing import Annotated

from hierq.cli.arguments import Option, choice
from hierq.cli.describe import world_line
from hierq.cli.options import Overwrite, Seed
from hierq.errors import InputError
from hierq.files import check_target, write_whole
from hierq.worlds import World, cave, gridworld, maze, random_rooms

KINDS: Mapping[str, Callable[..., World]] = {
    "maze": maze,
    "cave": cave,
    "rooms": random_rooms,
    "grid": lambda rows, columns, seed: gridworld(rows - 2, columns - 2),
}
KINDS_WITH_LOOPS = ("maze", "rooms")
LOOPS = "Share, 0 to 1, of a maze's dead ends that are opened, or of further doors between rooms."


def world_new(
    *,
    kind: Annotated[str, choice(KINDS, "What to make.")] = "maze",
    size: Annotated[int, Option("N", "Rows and columns of the map, border included; odd for mazes.", int)] = 41,
    rows: Annotated[int | None, Option("N", "Rows, where they differ from --size.", int)] = None,
    columns: Annotated[int | None, Option("N", "Columns, where they differ from --size.", int)] = None,
    seed: Seed = 0,
    loops: Annotated[float | None, Option("X", LOOPS, float, usual=0)] = None,
    out: Annotated[str | None, Option("FILE", "Write the map to a file, not to the screen.")] = None,
    overwrite: Overwrite = False,
) -> int:
    """Make a random maze, cave or rooms, or an open grid.

    The same options give the same map on every machine. Without --out the map is printed and nothing else.

        hierq world new --kind maze --size 41 --seed 3
        hierq world new --rows 21 --columns 61 --loops 0.5
        hierq world new --kind cave --size 60 --out cave.txt
        hierq world new --kind rooms --size 30 --loops 0.2
    """
    check_target(out, overwrite)
    given = {} if loops is None else {"loops": loops}
    if given and kind not in KINDS_WITH_LOOPS:
        raise InputError(f"--loops is not for --kind {kind}, only for {' and '.join(KINDS_WITH_LOOPS)}; leave it out")
    high, wide = size if rows is None else rows, size if columns is None else columns
    made = KINDS[kind](high, wide, seed=seed, **given)
    if out is None:
        print(made.text, end="")
    else:
        write_whole(out, made.text.encode("ascii"))
        print(f"{world_line(made)}\nwritten to {out}; look at it with: hierq show {out}")
    return 0
