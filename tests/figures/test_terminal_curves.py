"""Learning curves in the terminal."""

import re

import numpy as np
import pytest

from hierq.figures.terminal_curves import TerminalCurve, TerminalPanel, curves_text, legend_text

BRAILLE = re.compile("[\u2801-\u28ff]")


def painted(levels: int, text: str) -> str:
    return f"<{levels}{text}>"


def one_panel(steps, **options) -> list[str]:
    return curves_text([TerminalPanel("training", [TerminalCurve(1, steps)])], 20, **options).splitlines()


def test_a_panel_has_its_title_ticks_and_the_best_line() -> None:
    lines = one_panel([1000, 500, 100, 50, 30, 21, 20, 20], width=60, height=10)
    assert lines[0].strip() == "training" and len(lines) == 13
    assert max(map(len, lines)) <= 60
    labels = [line.split("┤")[0].strip() for line in lines if "┤" in line]
    assert labels[-1] == "20" and {"1,000", "100"} <= set(labels)
    dashed = [line for line in lines if "╌" in line]
    assert len(dashed) == 1 and dashed[0].strip().startswith("20 ┤")
    assert lines[-1].split() == ["1", "episode", "4", "8"]


def test_a_best_line_between_whole_steps() -> None:
    lines = curves_text([TerminalPanel("training", [TerminalCurve(1, [30, 20])])], 13.07).splitlines()
    assert [line for line in lines if line.startswith("13.07 ┤╌")]
    assert len({line.index(edge) for line in lines for edge in "┤│└" if edge in line}) == 1


def test_a_curve_falls_from_left_to_right() -> None:
    lines = one_panel(np.geomspace(5000, 10, 30).astype(int), width=60, height=12)[1:13]
    inked = [BRAILLE.search(line).start() for line in lines if BRAILLE.search(line)]
    assert inked == sorted(inked) and len(inked) > 8


@pytest.mark.parametrize("steps", [[20], [20, 20], [99_999] * 3, list(range(20, 3000)), np.full(500, 25)])
def test_any_curve_can_be_drawn(steps) -> None:
    panels = [TerminalPanel(kind, [TerminalCurve(1, steps)]) for kind in ("training", "evaluation")]
    lines = curves_text(panels, 20).splitlines()
    assert len(lines) == 15 and max(map(len, lines)) <= 80
    assert BRAILLE.search("".join(lines))


def test_panels_share_the_scale_of_steps() -> None:
    panels = [TerminalPanel("high", [TerminalCurve(1, [1000] * 9)]), TerminalPanel("low", [TerminalCurve(1, [30] * 9)])]
    parts = [re.split("[┤│]", line)[1:] for line in curves_text(panels, 20).splitlines()[1:13]]
    rows = [[row for row, part in enumerate(parts) if BRAILLE.search(part[panel])] for panel in (0, 1)]
    assert len(rows[0]) == len(rows[1]) == 1 and rows[0][0] < rows[1][0] - 5


def test_colours_are_those_of_the_levels() -> None:
    panel = TerminalPanel("training", [TerminalCurve(1, [1000] * 9), TerminalCurve(3, [50] * 9)])
    text = curves_text([panel], 20, paint=painted)
    high, low = (line for line in text.splitlines() if "<" in line)
    assert re.search("<1[\u2800-\u28ff]+>", high) and re.search("<3[\u2800-\u28ff]+>", low)
    assert legend_text([1, 3], painted) == "<1⠤⠤⠤⠤> 1 level (flat)    <3⠤⠤⠤⠤> 3 levels"


def test_without_colours_lines_differ_by_their_dots() -> None:
    panel = TerminalPanel("training", [TerminalCurve(1, [1000] * 9), TerminalCurve(3, [50] * 9)])
    high, low = (line for line in curves_text([panel], 20).splitlines() if BRAILLE.search(line))
    dots = [sum((ord(each) - 0x2800).bit_count() for each in BRAILLE.findall(line)) for line in (high, low)]
    assert dots[0] == pytest.approx(2 * dots[1], abs=2)
    assert legend_text([1, 3]) != legend_text([1, 3], painted)


def test_episodes_that_missed_the_goal_are_not_drawn() -> None:
    curve = TerminalCurve(1, [5, 900, 5], [False, True, False])
    lines = curves_text([TerminalPanel("training", [curve])], 20).splitlines()
    assert len(BRAILLE.findall("".join(lines))) == 1
    nothing = TerminalCurve(3, [5, 5, 5], [False] * 3)
    assert curves_text([TerminalPanel("training", [curve, nothing])], 20).splitlines() == lines


def test_the_axis_reaches_down_to_curves_below_the_best_line() -> None:
    """A policy that reaches the goal in few of its episodes can be faster in these than the best policy on average."""
    lines = curves_text([TerminalPanel("training", [TerminalCurve(1, [9] * 9)])], 48.71).splitlines()[1:13]
    dashed, inked = (
        next(row for row, line in enumerate(lines) if mark.search(line)) for mark in (re.compile("╌"), BRAILLE)
    )
    labels = [int(line.split("┤")[0]) for line in lines[inked - 1 :] if re.match(r" *\d+ ┤", line)]
    assert dashed < 4 < inked and labels and min(labels) <= 10
