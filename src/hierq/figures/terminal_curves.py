"""Learning curves in the characters of a terminal: a panel for each kind of episode, a line for each agent.

A character of Braille has 2 × 4 dots, so that 60 episodes fit into 30 columns. Where the terminal has colours, a line
has the colour of its agent's number of levels; elsewhere lines differ by their dots.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

from hierq.wording import rounded

BRAILLE = 0x2800
BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])  # of the dots of a character
BEST = "╌"
MIN_COLUMNS = 10  # of a panel
PERIOD = 4  # dots after which the pattern of a line repeats
KEPT = (4, 2, 1, 3)  # dots of each period that are drawn, line by line

LevelPaint = Callable[[int, str], str]  # a text in the colour of a number of levels
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TerminalCurve:
    """The steps of one agent's episodes."""

    levels: int  # k, which settles the colour
    steps: Sequence[int]  # of each episode, at least one
    drawn: Sequence[bool] | None = None  # which episodes are drawn; the line goes straight past the others


@dataclass(frozen=True)
class TerminalPanel:
    """Curves that share an axis of episodes."""

    title: str
    curves: Sequence[TerminalCurve]


def curves_text(
    panels: Sequence[TerminalPanel],
    best: float,
    *,
    width: int = 78,
    height: int = 12,
    paint: LevelPaint | None = None,
) -> str:
    """Panels side by side on one log scale of steps, with the best policy's steps as a dashed line.

    Args:
        panels: one or more, each with a curve that has an episode to draw.
        best: steps of the dashed line.
        width: columns in all.
        height: rows of the plot, without the title above and the axis below.
        paint: gives a text its colour; left out, lines differ by their dots.
    """
    lines = [[_line(curve) for curve in panel.curves] for panel in panels]
    shown = [logs for panel in lines for _, logs in panel if len(logs)]
    high = max([math.log(best * 1.4), *(float(logs.max()) for logs in shown)]) + 0.1
    low = min([math.log(best * 0.8), *(float(logs.min()) - 0.1 for logs in shown)])
    best_label = rounded(best)
    margin = max(len(f"{int(math.exp(high)):,}"), len(best_label)) + 2
    columns = max(MIN_COLUMNS, (width - margin) // len(panels) - 2)
    scale = _Scale(low, high, columns, height)
    labels = {scale.row(tick): f"{tick:,}" for tick in _ticks(math.exp(low), math.exp(high))}
    labels[scale.row(best)] = best_label
    drawn = [
        _panel_rows(panel, panel_lines, scale, best, paint) for panel, panel_lines in zip(panels, lines, strict=True)
    ]
    titles = "   ".join(f"{panel.title:<{columns}}" for panel in panels)
    text = [f"{' ' * margin}{titles}".rstrip()]
    for row in range(height):
        label = labels.get(row, "")
        edge = "┤" if label else "│"
        text.append(f"{label:>{margin - 2}} {edge}" + f"  {edge}".join(rows[row] for rows in drawn).rstrip())
    axes = [_episode_axis(max(len(curve.steps) for curve in panel.curves), columns) for panel in panels]
    for part in zip(*axes, strict=True):
        text.append(f"{' ' * (margin - 1)}{'  '.join(part)}".rstrip())
    return "\n".join(text)


def legend_text(levels: Sequence[int], paint: LevelPaint | None = None) -> str:
    """What the lines are: a piece of each, with its number of levels."""
    pieces = []
    for place, k in enumerate(levels):
        codes = np.zeros((1, 4), np.int64)
        _set_dots(codes, np.arange(8), np.full(8, 2), place, paint)
        piece = "".join(chr(BRAILLE + int(code)) if code else " " for code in codes[0])
        pieces.append(f"{paint(k, piece) if paint else piece} {_levels_words(k)}")
    return "    ".join(pieces)


def _levels_words(levels: int) -> str:
    return "1 level (flat)" if levels == 1 else f"{levels} levels"


@dataclass(frozen=True)
class _Scale:
    """Where logarithms of steps are in a panel of characters."""

    low: float
    high: float
    columns: int
    height: int

    def row(self, steps: float) -> int:
        """The row of a number of steps."""
        return min(self.height - 1, int((self.high - math.log(steps)) / (self.high - self.low) * self.height))


def _line(curve: TerminalCurve) -> tuple[Floats, Floats]:
    """Places of the episodes, from 0 at the left to 1 at the right, and the logarithms of their steps."""
    logs = np.log(np.maximum(np.asarray(curve.steps, dtype=float), 1))
    across = np.linspace(0, 1, len(logs)) if len(logs) > 1 else np.zeros(1)
    if curve.drawn is not None:
        across, logs = across[np.asarray(curve.drawn)], logs[np.asarray(curve.drawn)]
    return across, logs


def _panel_rows(
    panel: TerminalPanel, lines: Sequence[tuple[Floats, Floats]], scale: _Scale, best: float, paint: LevelPaint | None
) -> list[str]:
    """The rows of a panel, each as wide as it is; the last curve is on top."""
    codes = np.zeros((scale.height, scale.columns), np.int64)
    owners = np.full(codes.shape, -1)
    for place, (across, logs) in enumerate(lines):
        if not len(logs):
            continue
        owners[_set_dots(codes, *_dots(across, logs, scale), place, paint)] = place
    rows = []
    for number in range(scale.height):
        blank = BEST if number == scale.row(best) else " "
        characters = [chr(BRAILLE + int(code)) if code else blank for code in codes[number]]
        rows.append(_painted(characters, owners[number], panel.curves, paint))
    return rows


def _painted(characters: list[str], owners: Integers, curves: Sequence[TerminalCurve], paint: LevelPaint | None) -> str:
    """A row, each run of characters in the colour of its curve."""
    if paint is None:
        return "".join(characters)
    runs = groupby(zip(characters, owners.tolist(), strict=True), key=lambda pair: pair[1])
    texts = [(owner, "".join(character for character, _ in run)) for owner, run in runs]
    return "".join(text if owner < 0 else paint(curves[owner].levels, text) for owner, text in texts)


def _dots(across: Floats, logs: Floats, scale: _Scale) -> tuple[Integers, Integers]:
    """Columns and rows of the dots of a line through the values, counted in dots."""
    dots = 2 * scale.columns
    if len(logs) > 2 * dots:  # more episodes than dots: the mean of those that share one
        logs = np.array([part.mean() for part in np.array_split(logs, dots)])
        across = np.linspace(across[0], across[-1], dots)
    x = np.linspace(across[0], across[-1], 16 * scale.columns + 1)
    y = (scale.high - np.interp(x, across, logs)) / (scale.high - scale.low) * 4 * scale.height
    column = np.rint(x * (dots - 1)).astype(int)
    row = np.clip(y.astype(int), 0, 4 * scale.height - 1)
    return column, row


def _set_dots(
    codes: Integers, column: Integers, row: Integers, place: int, paint: LevelPaint | None
) -> tuple[Integers, Integers]:
    """Sets dots of the line with this place; where there are no colours, all of the first line and fewer of the others.

    Returns:
        Rows and columns of the characters that have changed.
    """
    kept = PERIOD if paint else KEPT[place % len(KEPT)]
    shown = (column + row) % PERIOD < kept
    column, row = column[shown], row[shown]
    characters = row // 4, column // 2
    np.bitwise_or.at(codes, characters, BITS[row % 4, column % 2])
    return characters


def _ticks(low: float, high: float) -> list[int]:
    """Round numbers between two bounds, about three to six of them."""
    ratio = high / low
    if ratio < 5:
        digits: tuple[int, ...] = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
    else:
        digits = (10, 20, 50) if ratio < 200 else (10,)
    every = [digit * 10**power // 10 for power in range(12) for digit in digits]
    return [tick for tick in dict.fromkeys(every) if low <= tick <= high]


def _episode_axis(episodes: int, columns: int) -> tuple[str, str]:
    """The axis below a panel: first, middle and last episode."""
    line, labels = ["─"] * columns, [" "] * columns
    for mark in sorted({1, (episodes + 1) // 2, episodes}):
        at = 0 if episodes == 1 else round((mark - 1) / (episodes - 1) * (columns - 1))
        line[at] = "┴"
        text = f"{mark:,}"
        first = min(max(0, at - len(text) // 2), columns - len(text))
        labels[first : first + len(text)] = text
    if columns >= 24:  # room between the numbers
        labels[2:9] = "episode"
    return f"└{''.join(line)}", f" {''.join(labels)}"
