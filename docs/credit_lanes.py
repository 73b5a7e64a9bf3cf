"""Two pictures of what an episode teaches, for the README and the first page of the site.

The credit lanes: one walk along the shortest path of maze-10 teaches a flat agent three cells and one of three levels
all twenty. The large maze: the same two agents while they learn a maze of 41 × 41 cells, as an animation.
"""

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont
from matplotlib.patches import FancyArrowPatch
from PIL import Image, ImageDraw, ImageFont

import hierq
from hierq.figures.style import INK, LEVEL_COLOURS, QUIET, new_figure

HOPS = 3  # n, and the horizon of every level
GOAL_GREEN = "#009e73"
MAZE_SEED = 1
EPISODES = (0, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200)
STEP_LIMIT = 20_000
CELL = 8  # pixels


@dataclass(frozen=True)
class Theme:
    """The colours of a picture on a light or a dark page."""

    ink: str
    quiet: str
    levels: tuple[str, ...]


LIGHT = Theme("#1f2328", "#8a8f98", LEVEL_COLOURS)
DARK = Theme("#f0f3f6", "#7d8590", ("#c9ccff", "#ec7fc8", "#62b6f0", "#f2c037"))
BOTH = Theme(INK, QUIET, LEVEL_COLOURS)  # colours that an SVG changes on a dark page


def taught(levels: int) -> tuple[hierq.Agent, list[int]]:
    """An agent after one walk along the shortest path of maze-10, and the states of that walk."""
    agent = hierq.Agent("maze-10", hierq.AgentConfig(levels=levels, backup=hierq.TreeBackup(HOPS)))
    best = hierq.best_policy(agent.world)
    states, moves = [agent.world.start], []
    while states[-1] != agent.world.goal:
        moves.append(int(best[states[-1]]))
        states.append(int(agent.world.successors[states[-1], moves[-1]]))
    agent.replay(moves)
    return agent, states


def cells_known(agent: hierq.Agent, level: int) -> int:
    """The number of states from which a level has a value for the goal."""
    return int(np.count_nonzero(agent.values(level)))


def credit_lanes(theme: Theme) -> Figure:
    """The lanes: a row per level, a dot per state of the walk, an arc for the hop that each state learnt."""
    flat, states = taught(1)
    three, _ = taught(3)
    lanes = [(flat, 0), (three, 2), (three, 1), (three, 0)]
    figure, (axes,) = new_figure(7.6, 4.5)
    figure.set_facecolor("none")
    tops = [6.25, 3.75, 2.05, 0.55]
    for (agent, level), y in zip(lanes, tops, strict=True):
        _draw_lane(axes, agent, level, states, y, theme)
    _write(axes, 7.3, f"Flat, looks {HOPS} steps ahead", cells_known(flat, 0), theme)
    _write(axes, 5.15, f"Three levels, each looks {HOPS} hops ahead", cells_known(three, 2), theme)
    axes.set(xlim=(-0.8, len(states) - 0.2), ylim=(0, 7.6))
    axes.axis("off")
    return figure


def _write(axes: Axes, y: float, name: str, cells: int, theme: Theme) -> None:
    axes.text(-0.5, y, name, color=theme.ink, fontsize=13, fontweight="bold", va="center")
    words = f"one episode teaches {cells} cells"
    axes.text(20.4, y, words, color=theme.ink, fontsize=13, fontweight="bold", va="center", ha="right")


def _draw_lane(axes: Axes, agent: hierq.Agent, level: int, states: list[int], y: float, theme: Theme) -> None:
    """The walk from the start at the left to the goal at the right; filled dots are known."""
    colour = theme.levels[level]
    last = len(states) - 1
    axes.plot([0, last], [y, y], color=theme.quiet, linewidth=0.8, zorder=1)
    span = agent.config.reaches[level]
    hop = "a hop is 1 step" if span == 1 else f"a hop spans {span} steps"
    axes.text(8.2, y - 0.45, f"level {level}", color=colour, fontsize=11, fontweight="bold", ha="right")
    axes.text(8.5, y - 0.45, hop, color=theme.quiet, fontsize=11)
    values = agent.values(level)
    for place, state in enumerate(states[:-1]):
        is_known = values[state] > 0
        look: dict[str, Any] = {"markersize": 7, "markeredgewidth": 1.1}
        fill = colour if is_known else "none"
        edge = colour if is_known else theme.quiet
        axes.plot(place, y, "o", markerfacecolor=fill, markeredgecolor=edge, zorder=3, **look)
        if is_known:
            _arc(axes, place, states.index(_led_to(agent, level, state)), y, colour)
    axes.plot(last, y, "o", markersize=10, color=GOAL_GREEN, zorder=4)
    axes.text(last + 0.4, y - 0.45, "goal", color=GOAL_GREEN, fontsize=11, ha="right", fontweight="bold")
    axes.text(-0.4, y - 0.45, "start", color=theme.quiet, fontsize=11)


def _led_to(agent: hierq.Agent, level: int, state: int) -> int:
    """Where the level's greedy action leads: the next state, or the sub-goal."""
    action = int(agent.policy(level)[state])
    return int(agent.world.successors[state, action]) if level == 0 else action


def _arc(axes: Axes, begin: int, end: int, y: float, colour: str) -> None:
    height = 0.25 + 0.42 / (end - begin) ** 0.75
    look: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 9, "linewidth": 1.3, "shrinkA": 2, "shrinkB": 5}
    bend = f"arc3,rad={-height}"
    axes.add_patch(FancyArrowPatch((begin, y + 0.05), (end, y + 0.05), connectionstyle=bend, color=colour, **look))


def as_small_png(figure: Figure) -> bytes:
    """A transparent PNG with as few colours as do no harm."""
    raw = io.BytesIO()
    figure.savefig(raw, format="png", dpi=190, transparent=True, metadata={"Software": None})
    small = io.BytesIO()
    Image.open(raw).quantize(96, method=Image.Quantize.FASTOCTREE).save(small, format="PNG", optimize=True)
    return small.getvalue()


def large_maze() -> bytes:
    """What a flat agent and one of three levels know of a maze of 41 × 41 cells, episode by episode, as a GIF."""
    world = hierq.maze(41, 41, seed=MAZE_SEED)
    agents = [
        hierq.Agent(world, hierq.AgentConfig(levels=levels, backup=hierq.TreeBackup(HOPS), step_limit=STEP_LIMIT))
        for levels in (1, 3)
    ]
    frames = []
    for before, after in zip((0, *EPISODES), EPISODES, strict=False):
        for agent in agents:
            agent.train(after - before)
        frames.append(_frame(world, agents, after))
    palette = frames[-1].quantize(32)
    pages = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    target = io.BytesIO()
    durations = [700] * (len(pages) - 1) + [4000]
    pages[0].save(target, format="GIF", save_all=True, append_images=pages[1:], duration=durations, loop=0)
    return target.getvalue()


def _frame(world: hierq.World, agents: list[hierq.Agent], episode: int) -> Image.Image:
    side = world.shape[1] * CELL
    frame = Image.new("RGB", (2 * side + 48, side + 62), "white")
    draw = ImageDraw.Draw(frame)
    font = ImageFont.truetype(findfont("DejaVu Sans"), 15)  # which comes with matplotlib
    for place, agent in enumerate(agents):
        left = 16 + place * (side + 16)
        known = cells_known(agent, agent.config.levels - 1)
        name = "flat" if agent.config.levels == 1 else f"{agent.config.levels} levels"
        draw.text((left, 6), f"{name}: {known} cells known", fill="#1f2328", font=font)
        frame.paste(_map(world, agent), (left, 30))
    words = f"after {episode} episodes; the shortest path has {hierq.shortest_path(world)} steps"
    draw.text((16, side + 38), words, fill="#57606a", font=font)
    return frame


def _map(world: hierq.World, agent: hierq.Agent) -> Image.Image:
    """The maze; cells that the top level knows are green, the start blue, the goal dark green."""
    cells = np.full((*world.shape, 3), (84, 84, 88), np.uint8)
    values = agent.values(agent.config.levels - 1)
    for state, (row, column) in enumerate(world.positions[: world.states]):
        cells[row, column] = (116, 201, 168) if values[state] > 0 else (242, 242, 240)
    for state, colour in ((world.start, (47, 115, 190)), (world.goal, (0, 120, 86))):
        cells[tuple(world.positions[state])] = colour
    return Image.fromarray(cells.repeat(CELL, axis=0).repeat(CELL, axis=1))
