"""A recorded episode as a tree: the goals that levels set, and the moves that followed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hierq.errors import InputError
from hierq.figures.panels import new_panels
from hierq.figures.style import DARK, INK, PAGE_WIDTH, RED, level_colour, level_look, printed, tinted
from hierq.figures.terminal import place
from hierq.figures.trace import draw_arrow, draw_trace
from hierq.figures.worlds import draw_tiles
from hierq.worlds import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hierq.agents.outcomes import RecordedEpisode

HALF_HEIGHT = 0.24  # of a box, rows being one apart


@dataclass(frozen=True)
class Errand:
    """The time during which a level was on its way to one goal."""

    level: int  # the level that was sent
    goal: int  # the cell it was sent to
    begin: int  # the step at which it was sent
    end: int  # the step at which it returned or was sent anew
    reached: bool  # whether it stood on its goal then


def errands(episode: "RecordedEpisode") -> list[Errand]:
    """Every errand of every level in an episode, the top level's first."""
    steps, levels = episode.goals.shape
    found = []
    for level in range(levels - 1, -1, -1):
        begins = [t for t in range(steps) if t == 0 or episode.actors[t] > level]
        for begin, end in zip(begins, [*begins[1:], steps], strict=True):
            goal = int(episode.goals[begin, level])
            # What the top level is after may be any of several goals, which no single state is.
            reached = episode.reached if level == levels - 1 else episode.states[end] == goal
            found.append(Errand(level, goal, begin, end, bool(reached)))
    return found


@printed
def hierarchy_tree_figure(world: World, episode: "RecordedEpisode") -> "Figure":
    """Left: the moves on the map, with the goals that were reached. Right: the same as a tree over time.

    A box is a level on its way to a goal, as wide as the time it took; below it are the boxes of those it sent. The
    episode must be short enough for its steps to be told apart.
    """
    if not 1 <= episode.steps <= 40:
        raise InputError(f"a tree can be read for episodes of 1 to 40 steps; this one has {episode.steps}")
    found = errands(episode)
    figure, (left, right) = new_panels(PAGE_WIDTH, 2.5, columns=2, gridspec_kw={"width_ratios": [2.25, 4.75]})
    draw_tiles(left, world)
    draw_trace(left, world, episode.states.tolist(), episode.actions.tolist(), width=0.9)
    _mark_goals(left, world, episode, found)
    _draw_tree(right, world, episode, found)
    return figure


def _goal_name(world: World, errand: Errand) -> str:
    if errand.reached:
        return f"$S_{{{errand.end}}}$"
    return place(world, errand.goal)


def _mark_goals(axes: "Axes", world: World, episode: "RecordedEpisode", found: list[Errand]) -> None:
    """The goals on the map, each with the marker of the highest level that was sent there."""
    visited = {int(state) for state in episode.states}
    marked: set[int] = set()
    for errand in found:
        if errand.goal in marked or errand.goal >= world.cells:
            continue
        marked.add(errand.goal)
        row, column = (int(part) for part in world.positions[errand.goal])
        edge: dict[str, Any] = {"markersize": 5.2, "markeredgecolor": "white", "markeredgewidth": 0.6}
        axes.plot([column], [row], zorder=7, **level_look(errand.level), **edge)
        _name_goal(axes, world, visited, (row, column), _goal_name(world, errand))
    axes.set_xlabel("one training episode", fontsize=7.5)


def _name_goal(axes: "Axes", world: World, visited: set[int], at: tuple[int, int], name: str) -> None:
    """Writes a name beside a cell: on a cell that the episode did not visit, a free one if there is one."""
    (row, column), (rows, columns) = at, world.shape
    around = [(row + down, column + right) for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0))]
    inside = [(r, c) for r, c in around if 0 <= r < rows and 0 <= c < columns and world.cell_at[r, c] not in visited]
    inside.sort(key=lambda where: world.cell_at[where] >= world.states)
    r, c = inside[0] if inside else (row, column + 1)
    on_wall = world.cell_at[r, c] >= world.states
    colour = "white" if on_wall else INK
    axes.text(c, r, name, ha="center", va="center", fontsize=7.5, zorder=8, color=colour)


def _draw_tree(axes: "Axes", world: World, episode: "RecordedEpisode", found: list[Errand]) -> None:
    steps, levels = episode.goals.shape
    for errand in found:
        _draw_box(axes, world, errand)
        if errand.level < levels - 1:
            parent = next(one for one in found if one.level == errand.level + 1 and one.begin <= errand.begin < one.end)
            _draw_branch(axes, parent, errand)
    axes.plot(range(steps + 1), [0] * (steps + 1), "o", color=INK, markersize=2.6, zorder=4)
    for t in range(steps):
        draw_arrow(axes, (0, t + 0.12), (0, t + 0.9), RED, 1.0)
        axes.plot([t + 0.5, t + 0.5], [1 - HALF_HEIGHT, 0.1], color=RED, linewidth=0.6, alpha=0.6, zorder=1)
    for t in range(steps + 1):
        axes.text(t, -0.22, f"$S_{{{t}}}$", ha="center", va="top", fontsize=7)
    for level in range(levels):
        axes.text(
            -0.6, level + 1, f"level {level}", ha="right", va="center", color=level_colour(level), fontweight="bold"
        )
    axes.text(-0.6, 0, "moves", ha="right", va="center", color=RED, fontweight="bold")
    axes.set(xlim=(-2.6, steps + 0.5), ylim=(-0.65, levels + 0.45))
    axes.set_axis_off()


def _draw_box(axes: "Axes", world: World, errand: Errand) -> None:
    from matplotlib.patches import FancyBboxPatch

    colour = level_colour(errand.level)
    gap = 0.06
    axes.add_patch(
        FancyBboxPatch(
            (errand.begin + gap, errand.level + 1 - HALF_HEIGHT),
            errand.end - errand.begin - 2 * gap,
            2 * HALF_HEIGHT,
            boxstyle="round,pad=0,rounding_size=0.12",
            facecolor=tinted(colour, 0.82),
            edgecolor=colour,
            linewidth=1.0,
            linestyle="-" if errand.reached else (0, (2.5, 1.5)),
            zorder=3,
        )
    )
    wide = errand.end - errand.begin > 2
    name = f"goal {_goal_name(world, errand)}" if wide else _goal_name(world, errand)
    look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7.5, "color": DARK}
    axes.text((errand.begin + errand.end) / 2, errand.level + 1, name, zorder=5, **look)


def _draw_branch(axes: "Axes", parent: Errand, child: Errand) -> None:
    """From a box to one below it: the goal that was stipulated."""
    begin = parent.level + 1 - HALF_HEIGHT, (parent.begin + parent.end) / 2
    end = child.level + 1 + HALF_HEIGHT, (child.begin + child.end) / 2
    draw_arrow(axes, begin, end, level_colour(parent.level), 0.9, head=(1.8, 3), zorder=2)
