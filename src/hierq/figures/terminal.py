"""Maps, policies and learning curves in plain characters, for the terminal."""

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.worlds import World

WALL, UNKNOWN_MOVE = "█", "·"
ARROWS = "↑↓←→"
COMPASS = "→↗↑↖←↙↓↘"  # from east, against the clock
LETTERS = "abcdefhijklmnopqrtuvwxyz"  # S and G are the start and the goal
MOST_COLUMNS = 200
MOST_LISTED = 40

Actions: TypeAlias = npt.NDArray[np.int64]


def map_text(world: World) -> str:
    """The map of a world, two characters a cell so that it looks square; one where the world is wide."""
    if not world.is_grid:
        return "(a table has no map to be drawn)"
    wide = world.shape[1] * 2 <= 100
    return draw_cells(world, dict.fromkeys(range(world.states), ". "[: 1 + wide]), width=1 + wide)


def draw_cells(world: World, labels: Mapping[int, str], width: int = 2) -> str:
    """A map with a text of at most `width` characters in some states. S and G mark starts and goals.

    Holes, doors and teleports keep their characters, too.
    """
    if world.shape[1] * width > MOST_COLUMNS:
        return f"(a map of {world.shape[1]} columns is too wide to be drawn here; see --png)"
    cells = [labels.get(state, "").ljust(width) for state in range(world.states)]
    for row, column in np.argwhere(~np.isin(world.letters, (ord("#"), ord(".")))):
        state, letter = int(world.cell_at[row, column]), chr(world.letters[row, column])
        marked = labels.get(state, "").replace(".", " ").rstrip()
        cells[state] = (marked + letter if len(marked) < width else marked).ljust(width)
    cells += [WALL * width] * (world.cells - world.states)
    return "\n".join("".join(cells[cell] for cell in row).rstrip() for row in world.cell_at)


def moves_text(world: World, policy: Actions, goal: int) -> str:
    """A policy of level 0 as a map of arrows, with a dot where nothing is known; for a table as a list of actions."""
    if not world.is_grid:
        return _listed(policy, [f"action {name}" for name in world.action_names])
    labels = {state: ARROWS[move] if move >= 0 else UNKNOWN_MOVE for state, move in enumerate(policy)}
    return _with_goal(world, labels, goal, width=2)


def subgoals_text(world: World, policy: Actions, goal: int) -> str:
    """A policy of a level above 0 as a map of letters with a legend, or of directions without.

    With letters, `b` says that the sub-goal here is b, `A` that this cell is sub-goal a. With directions,
    `↗5` says that the sub-goal lies five steps away to the north-east.
    """
    if not world.is_grid:
        return _listed(policy, [place(world, state) for state in range(world.states)])
    known = [state for state in range(world.states) if policy[state] >= 0]
    subgoals = list(dict.fromkeys(int(policy[state]) for state in known))
    if len(subgoals) > len(LETTERS):
        return _directions_text(world, policy, known, goal)
    letter = dict(zip(subgoals, LETTERS, strict=False))
    labels = dict.fromkeys(range(world.states), UNKNOWN_MOVE)
    labels |= {state: letter[int(policy[state])] for state in known}
    for subgoal in (cell for cell in subgoals if cell < world.states):
        labels[subgoal] = labels[subgoal].replace(UNKNOWN_MOVE, " ") + letter[subgoal].upper()
    counts = {subgoal: int(np.count_nonzero(policy == subgoal)) for subgoal in subgoals}
    legend = [f"  {letter[s]} → {place(world, s)}, chosen in {plural(counts[s], 'state')}" for s in subgoals]
    return "\n".join([_with_goal(world, labels, goal, width=3), *legend])


def place(world: World, cell: int) -> str:
    """A cell as people name it: (row, column), or in a table its number; "any goal" where there are several."""
    if cell == world.goal and len(world.goals) > 1:
        return "any goal"
    if not world.is_grid:
        return f"state {cell}"
    row, column = (int(part) for part in world.positions[cell])
    return f"({row}, {column})"


def plural(count: int, noun: str) -> str:
    """A number and its noun: 1 state, 2 states."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _with_goal(world: World, labels: dict[int, str], goal: int, width: int) -> str:
    """Another goal than the environment's is marked with an asterisk."""
    for state in world.goals.tolist() if goal == world.goal else [goal] if goal < world.states else []:
        labels[state] = (" " if goal == world.goal else "*") + labels[state][1:]
    return draw_cells(world, labels, width)


def _listed(policy: Actions, names: Sequence[str]) -> str:
    """The choices in the first states about which something is known, one line each."""
    known = np.flatnonzero(policy >= 0)
    lines = [f"  state {state:<6} {names[int(policy[state])]}" for state in known[:MOST_LISTED]]
    more = len(known) - MOST_LISTED
    return "\n".join([*lines, f"  … and {plural(more, 'state')} more"] if more > 0 else lines)


def _directions_text(world: World, policy: Actions, known: Sequence[int], goal: int) -> str:
    towards = world.positions[policy[list(known)]] - world.positions[list(known)]
    width = 1 + len(str(int(np.abs(towards).sum(axis=1).max()))) + 1
    labels = dict.fromkeys(range(world.states), UNKNOWN_MOVE)
    for state, (down, right) in zip(known, towards.tolist(), strict=True):
        eighth = round(math.atan2(-down, right) / (math.pi / 4)) % 8
        labels[state] = f"{COMPASS[eighth]}{abs(down) + abs(right)}"
    legend = "  an arrow and a number: direction of the sub-goal, and its distance |Δrow| + |Δcolumn|"
    return "\n".join([_with_goal(world, labels, goal, width), legend])


def curve_text(
    steps: Sequence[int] | Actions,
    optimum: int,
    width: int = 70,
    height: int = 12,
    drawn: Sequence[bool] | None = None,
) -> str:
    """A learning curve on a log scale, in Braille dots, with the optimum as a dashed line.

    Args:
        steps: steps of each episode, at least one.
        optimum: steps of the shortest path.
        width: columns in all.
        height: rows of the plot, without the axis below.
        drawn: which episodes are drawn, at least one; the line goes straight past the others. All if left out.
    """
    logs = np.log(np.maximum(np.asarray(steps, dtype=float), 1))
    across = np.linspace(0, 1, len(logs)) if len(logs) > 1 else np.zeros(1)
    if drawn is not None:
        across, logs = across[np.asarray(drawn)], logs[np.asarray(drawn)]
    if len(logs) > 2 * width:  # more episodes than dots: the mean of those that share one
        logs = np.array([part.mean() for part in np.array_split(logs, width)])
        across = np.linspace(across[0], across[-1], width)
    low, high = math.log(optimum * 0.8), max(float(logs.max()), math.log(optimum * 1.4)) + 0.1
    margin = len(f"{int(math.exp(high)):,}") + 2
    columns = max(10, width - margin)
    dots = _dots(across, logs, low, high, columns, height)
    row_of = {optimum: _row(optimum, low, high, height)}
    ticks = {_row(tick, low, high, height): f"{tick:,}" for tick in _ticks(math.exp(low), math.exp(high))}
    lines = []
    for row in range(height):
        text = "".join(chr(0x2800 + int(code)) if code else " " for code in dots[row])
        if row == row_of[optimum]:
            text = "".join("╌" if character == " " else character for character in text)
            ticks[row] = f"{optimum:,}"
        label = ticks.get(row, "")
        lines.append(f"{label:>{margin - 2}} {'┤' if label else '│'}{text}".rstrip())
    return "\n".join([*lines, *_episode_axis(len(steps), columns, margin)])


def _row(value: float, low: float, high: float, height: int) -> int:
    return min(height - 1, int((high - math.log(value)) / (high - low) * height))


def _ticks(low: float, high: float) -> list[int]:
    """Round numbers between two bounds, about three to six of them."""
    ratio = high / low
    digits = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80) if ratio < 5 else (10, 20, 50) if ratio < 200 else (10,)
    every = [digit * 10**power // 10 for power in range(12) for digit in digits]
    return [tick for tick in dict.fromkeys(every) if low <= tick <= high]


def _dots(
    across: npt.NDArray[np.float64],
    logs: npt.NDArray[np.float64],
    low: float,
    high: float,
    columns: int,
    height: int,
) -> npt.NDArray[np.int64]:
    """The Braille code of every character: a line through the values; a character has 2 × 4 dots.

    `across` says where each value is, from 0 at the left to 1 at the right; columns and height are in characters.
    """
    x = np.linspace(across[0], across[-1], 16 * columns + 1)
    y = (high - np.interp(x, across, logs)) / (high - low) * 4 * height
    column, row = np.rint(x * (2 * columns - 1)).astype(int), np.clip(y.astype(int), 0, 4 * height - 1)
    bits = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
    codes = np.zeros((height, columns), np.int64)
    np.bitwise_or.at(codes, (row // 4, column // 2), bits[row % 4, column % 2])
    return codes


def _episode_axis(episodes: int, columns: int, margin: int) -> list[str]:
    """The axis below a curve: first, middle and last episode."""
    marks = sorted({1, (episodes + 1) // 2, episodes})
    line, labels = ["─"] * columns, [" "] * (columns + 1)
    for mark in marks:
        at = 0 if episodes == 1 else round((mark - 1) / (episodes - 1) * (columns - 1))
        line[at] = "┴"
        text = f"{mark:,}"
        first = min(max(0, at - len(text) // 2), columns - len(text))
        labels[first : first + len(text)] = text
    indent = " " * (margin - 1)
    return [f"{indent}└{''.join(line)}", f"{indent} {''.join(labels).rstrip()}  episode"]
