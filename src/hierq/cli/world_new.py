"""`hierq world new`: a map made by rule or at random, as text."""

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from hierq.cli.arguments import a_word, number, one_of, whole_number
from hierq.cli.describe import world_line
from hierq.cli.options import Number, Whole, Word, about
from hierq.errors import InputError
from hierq.files import check_target, write_whole
from hierq.worlds import MAZE_ALGORITHMS, World, cave, gridworld, maze, random_rooms
from hierq.worlds.random_maps import Draws, map_sizes

USUAL_SIZE = 41


def _grid(rows: int, columns: int, seed: int) -> World:
    """The open grid of this size, the same for every seed."""
    rows, columns = map_sizes("a grid", rows, columns)
    Draws(seed)  # refuses what is not a seed
    return gridworld(rows - 2, columns - 2)


KINDS: Mapping[str, Callable[..., World]] = {"maze": maze, "cave": cave, "rooms": random_rooms, "grid": _grid}


def world_new(
    *,
    kind: Annotated[str, one_of(*KINDS), about("What to make.", "maze")] = "maze",
    size: Annotated[
        Whole, whole_number("N"), about("Rows and columns of the map, border included; odd for mazes.", USUAL_SIZE)
    ] = None,
    rows: Annotated[Whole, whole_number("N"), about("Rows, where they differ from --size.")] = None,
    columns: Annotated[Whole, whole_number("N"), about("Columns, where they differ from --size.")] = None,
    seed: Annotated[int, whole_number("N"), about("Seed of the random numbers; a grid needs none.", 0)] = 0,
    algorithm: Annotated[Word, one_of(*MAZE_ALGORITHMS), about("For a maze: the algorithm.", "backtracker")] = None,
    loops: Annotated[
        Number,
        number("X"),
        about("Share, 0 to 1, of a maze's dead ends that are opened; or of further doors between rooms.", 0.0),
    ] = None,
    walls: Annotated[Number, number("X"), about("For a cave: initial share of walls, 0 to 0.48.", 0.43)] = None,
    rounds: Annotated[Whole, whole_number("N"), about("For a cave: number of smoothing rounds.", 4)] = None,
    smallest: Annotated[Whole, whole_number("N"), about("For rooms: the shortest side.", 3)] = None,
    largest: Annotated[Whole, whole_number("N"), about("For rooms: the longest side.", 9)] = None,
    ends: Annotated[
        Word,
        one_of("corners", "farthest"),
        about("Start and goal in opposite corners, or far from each other.", "farthest in caves, else corners"),
    ] = None,
    out: Annotated[Word, a_word("FILE"), about("Write the map to a file, not to the screen.")] = None,
    overwrite: Annotated[bool, about("Allow --out to replace an existing file.")] = False,
) -> int:
    """Make a random maze, cave or rooms, or an open grid.

    The same options give the same map on every machine. Without --out the map is printed and nothing else.

        hierq world new --kind maze --size 41 --seed 3
        hierq world new --rows 21 --columns 61 --algorithm wilson --loops 0.5
        hierq world new --kind cave --size 60 --out cave.txt
        hierq world new --kind rooms --size 30 --loops 0.2
    """
    check_target(out, overwrite)
    options = {
        "algorithm": algorithm,
        "loops": loops,
        "walls": walls,
        "rounds": rounds,
        "smallest": smallest,
        "largest": largest,
        "ends": ends,
    }
    usual = USUAL_SIZE if size is None else size
    made = new_world(kind, usual if rows is None else rows, usual if columns is None else columns, seed, options)
    if out is None:
        print(made.text, end="")
    else:
        write_whole(out, made.text.encode("ascii"))
        print(f"{world_line(made)}\nwritten to {out}; see what is true of it with: hierq world check {out}")
    return 0


def new_world(kind: str, rows: int, columns: int, seed: int, options: Mapping[str, Any]) -> World:
    """A world of one of `KINDS` and a size, border included; options that are None count as not given."""
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        kinds = [other for other, make in KINDS.items() if name in inspect.signature(make).parameters]
        if kind not in kinds:
            raise InputError(f"--{name} is not for --kind {kind}, only for {' and '.join(kinds)}; leave it out")
    return KINDS[kind](rows, columns, seed=seed, **given)
