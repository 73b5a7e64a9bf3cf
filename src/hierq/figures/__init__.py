"""Pictures: pure functions that take worlds, agents and numbers and give a matplotlib Figure, or text.

    style.py      one palette and one style for every figure
    worlds.py     worlds side by side
    policy.py     what a level would do, state by state
    curves.py     how fast agents learn
    terminal.py   maps, policies and curves in plain characters

matplotlib is imported when the first figure is drawn, never before.
"""

from hierq.figures.curves import Curve, curves_figure
from hierq.figures.policy import policy_figure
from hierq.figures.style import as_png, level_colour
from hierq.figures.worlds import worlds_figure

__all__ = ["Curve", "as_png", "curves_figure", "level_colour", "policy_figure", "worlds_figure"]
