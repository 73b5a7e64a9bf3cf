"""Pictures: pure functions that take worlds, agents and numbers and give a matplotlib Figure, or text.

    style.py           one palette and one style for every figure; formats.py writes them to files
    worlds.py          worlds side by side
    policy.py          what a level would do, state by state, and beside it an episode
    curves.py          how fast agents learn
    study.py           any study: curves, marginals, distributions and paired differences; study_groups.py what is
                       compared, study_panels.py where it stands
    family.py          numbers over k, dots with intervals, a map of estimators
    forest.py          all claims of an investigation; agreement.py z of every published number
    points.py          values of approximate levels over the map, and walks of points
    terminal.py        maps, policies and curves in plain characters

Figures of the paper, at the size they are printed; panels.py has what they share:

    marginals.py       one number per agent, over k
    loss_curves.py     steps over training episodes
    first_episodes.py  how long the first episode takes
    violins.py         sub-goals and rewards
    path_counts.py     how many paths a backup could take
    hierarchy_tree.py  an episode as a tree; trace.py draws it on the map
    backups.py         four views of a backup

matplotlib is imported when the first figure is drawn, never before.
"""

from typing import TYPE_CHECKING

from hierq.figures.curves import Curve, curves_figure
from hierq.figures.policy import policy_figure
from hierq.figures.style import as_png, level_colour, printed
from hierq.figures.worlds import worlds_figure
from hierq.loading import loads_later

if TYPE_CHECKING:
    from hierq.figures.family import dots_figure, levels_figure, map_figure, shares_figure
    from hierq.figures.points import point_values_figure, point_walks_figure
    from hierq.figures.study import study_figure

__all__ = [
    "Curve",
    "as_png",
    "curves_figure",
    "dots_figure",
    "level_colour",
    "levels_figure",
    "map_figure",
    "point_values_figure",
    "point_walks_figure",
    "policy_figure",
    "printed",
    "shares_figure",
    "study_figure",
    "worlds_figure",
]

# These load polars.
__getattr__ = loads_later(
    __name__,
    {
        "family": "dots_figure levels_figure map_figure shares_figure",
        "points": "point_values_figure point_walks_figure",
        "study": "study_figure",
    },
)


def __dir__() -> list[str]:
    return sorted(__all__)
