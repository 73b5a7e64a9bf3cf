"""Maps and policies in plain characters, for the terminal; terminal_curves.py has the learning curves.

A map takes as many characters a cell as the terminal has room for. One that does not fit with one character a cell
is not drawn: a line says what to do instead.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.wording import plural
from hierq.worlds import World
from hierq.worlds.pictures import action_directions, drawn_map
from hierq.worlds.world import ACTION_MOVES

WALL, UNKNOWN_MOVE = "█", "·"
ARROWS = "↑↓←→"
COMPASS = "→↗↑↖←↙↓↘"  # from east, against the clock
LETTERS = "abcdefhijklmnopqrtuvwxyz"  # S and G are the start and the goal
COLUMNS = 100  # where nobody says how wide the terminal is
MAX_LISTED = 40

Actions: TypeAlias = npt.NDArray[np.int64]
Paint: TypeAlias = Callable[[str], str]  # gives a text its colour


def map_text(world: World, columns: int = COLUMNS) -> str:
    """The map of a world, two characters a cell so that it looks square; one where the world is wide."""
    drawn = drawn_map(world)
    if drawn is None:
        return "(a table has no map to be drawn)"
    return draw_cells(drawn, {width: dict.fromkeys(range(drawn.states), ". "[:width]) for width in (2, 1)}, columns)


def draw_cells(
    world: World, labels_of: Mapping[int, Mapping[int, str]], columns: int = COLUMNS, paint: Paint | None = None
) -> str:
    """A map with labels in some states. S and G mark starts and goals; holes, doors and teleports keep their signs.

    Args:
        world: A world with a map.
        labels_of: For each number of characters a cell may have, widest first, the labels of states.
        columns: How wide the terminal is. The widest map that fits is drawn.
        paint: Gives labels their colour.
    """
    fitting = [width for width in labels_of if world.shape[1] * width <= columns]
    if not fitting:
        return (
            f"(this map has {world.shape[1]} columns and the terminal {columns}: make the window wider, "
            "or draw a picture with --png FILE)"
        )
    width = fitting[0]
    labels = labels_of[width]
    cells = [_painted_cell(labels.get(state, ""), width, paint) for state in range(world.states)]
    for row, column in np.argwhere(~np.isin(world.letters, (ord("#"), ord(".")))):
        state, letter = int(world.cell_at[row, column]), chr(world.letters[row, column])
        marked = labels.get(state, "").replace(".", " ").rstrip()
        if width == 1 and marked != "*":
            cells[state] = letter
        elif len(marked) < width:
            cells[state] = _painted_cell(marked, len(marked), paint) + letter.ljust(width - len(marked))
    cells += [WALL * width] * (world.cells - world.states)
    return "\n".join("".join(cells[cell] for cell in row).rstrip() for row in world.cell_at)


def _painted_cell(label: str, width: int, paint: Paint | None) -> str:
    """A label as wide as its cell; what is known has the colour of its level."""
    text = label.ljust(width)
    is_known = bool(label.strip(f" .{UNKNOWN_MOVE}"))
    return paint(text) if is_known and paint is not None else text


def moves_text(world: World, policy: Actions, goal: int, columns: int = COLUMNS, paint: Paint | None = None) -> str:
    """A policy of level 0 as a map of arrows, with a dot where nothing is known; for a table as a list of actions."""
    if not world.is_grid:
        return _table_moves_text(world, policy, columns, paint)
    labels = {state: ARROWS[move] if move >= 0 else UNKNOWN_MOVE for state, move in enumerate(policy)}
    marked = _with_goal(world, labels, goal)
    return draw_cells(world, {2: marked, 1: marked}, columns, paint)


def _table_moves_text(world: World, policy: Actions, columns: int, paint: Paint | None) -> str:
    """The moves on the map of a table that has one, with a state in every cell; else a list."""
    drawn = drawn_map(world)
    if drawn is None or world.states > drawn.cells:
        return _listed(policy, [f"action {name}" for name in world.action_names])
    arrow_of = dict(zip(ACTION_MOVES, ARROWS, strict=True))
    steps = map(tuple, action_directions(world).tolist())
    arrows = [arrow_of.get(step, name[:1]) for step, name in zip(steps, world.action_names, strict=True)]
    labels = {int(drawn.cell_at.flat[s]): arrows[move] if move >= 0 else UNKNOWN_MOVE for s, move in enumerate(policy)}
    labels |= {state: " " for state in (*drawn.goals.tolist(), *drawn.holes.tolist())}
    return draw_cells(drawn, {2: labels, 1: labels}, columns, paint)


def subgoals_text(world: World, policy: Actions, goal: int, columns: int = COLUMNS, paint: Paint | None = None) -> str:
    """A policy of a level above 0 as a map of letters with a legend, or of directions without.

    With letters, `b` says that the sub-goal here is b, `A` that this cell is sub-goal a. With directions,
    `↗5` says that the sub-goal lies five steps away to the north-east. Where the terminal is too narrow, the capitals
    and the distances are left out.
    """
    if not world.is_grid:
        return _listed(policy, [place(world, state) for state in range(world.states)])
    known = [state for state in range(world.states) if policy[state] >= 0]
    subgoals = list(dict.fromkeys(int(policy[state]) for state in known))
    if len(subgoals) > len(LETTERS):
        return _directions_text(world, policy, known, goal, columns, paint)
    letter = dict(zip(subgoals, LETTERS, strict=False))
    labels = dict.fromkeys(range(world.states), UNKNOWN_MOVE)
    labels |= {state: letter[int(policy[state])] for state in known}
    named = dict(labels)
    for subgoal in (cell for cell in subgoals if cell < world.states):
        named[subgoal] = named[subgoal].replace(UNKNOWN_MOVE, " ") + letter[subgoal].upper()
    counts = {subgoal: int(np.count_nonzero(policy == subgoal)) for subgoal in subgoals}
    legend = [f"  {letter[s]} → {place(world, s)}, chosen in {plural(counts[s], 'state')}" for s in subgoals]
    legend += ["  a capital letter marks the cell of that sub-goal itself"] if subgoals else []
    forms = {3: _with_goal(world, named, goal), 1: _with_goal(world, labels, goal)}
    return "\n".join([draw_cells(world, forms, columns, paint), *legend])


def place(world: World, cell: int) -> str:
    """A cell as people name it: (row, column), or in a table its number; "any goal" where there are several."""
    if cell == world.goal and len(world.goals) > 1:
        return "any goal"
    if not world.is_grid:
        return f"state {cell}"
    row, column = (int(part) for part in world.positions[cell])
    return f"({row}, {column})"


def _with_goal(world: World, labels: Mapping[int, str], goal: int) -> dict[int, str]:
    """Labels without those of the environment's goals, or with an asterisk at another goal."""
    marked = dict(labels)
    if goal == world.goal:
        marked |= {state: " " + labels[state][1:] for state in world.goals.tolist()}
    elif goal < world.states:
        marked[goal] = "*" + labels[goal][1:]
    return marked


def _listed(policy: Actions, names: Sequence[str]) -> str:
    """The choices in the first states about which something is known, one line each."""
    known = np.flatnonzero(policy >= 0)
    lines = [f"  state {state:<6} {names[int(policy[state])]}" for state in known[:MAX_LISTED]]
    more = len(known) - MAX_LISTED
    return "\n".join([*lines, f"  … and {plural(more, 'state')} more"] if more > 0 else lines)


def _directions_text(
    world: World, policy: Actions, known: Sequence[int], goal: int, columns: int, paint: Paint | None
) -> str:
    towards = world.positions[policy[list(known)]] - world.positions[list(known)]
    width = 1 + len(str(int(np.abs(towards).sum(axis=1).max()))) + 1
    arrows = dict.fromkeys(range(world.states), UNKNOWN_MOVE)
    labels = dict(arrows)
    for state, (down, right) in zip(known, towards.tolist(), strict=True):
        eighth = round(math.atan2(-down, right) / (math.pi / 4)) % 8
        arrows[state] = COMPASS[eighth]
        labels[state] = f"{COMPASS[eighth]}{abs(down) + abs(right)}"
    legend = "  an arrow and a number: direction of the sub-goal, and its distance |Δrow| + |Δcolumn|"
    if world.shape[1] * width > columns:
        legend = "  an arrow: direction of the sub-goal; a wider terminal, or --png FILE, also shows how far it is"
    marked = _with_goal(world, arrows, goal)
    forms = {width: _with_goal(world, labels, goal), 2: marked, 1: marked}
    return "\n".join([draw_cells(world, forms, columns, paint), legend])
