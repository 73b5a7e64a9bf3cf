"""Small pictures for the cards of the site's first page; for light and dark pages alike."""

import io
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle

import hierq

BLUE, PINK, GREEN, GREY, RED, AMBER = "#2f8fd0", "#c0479c", "#009e73", "#8a8f98", "#d9455f", "#d99a00"
CELLS = 10


def card_pictures() -> dict[str, bytes]:
    """The pictures by the names of their notebooks."""
    drawings = {
        "1-a-hop": _hops,
        "2-a-partition": _partition,
        "3-a-gate": _gate,
        "4-luck": _luck,
        "5-exploration": _visits,
        "6-tiles": _tiles,
        "findings": _learning,
        "lab": _plan,
    }
    return {name: _drawn(draw) for name, draw in drawings.items()}


def _drawn(draw: Any) -> bytes:
    figure = Figure(figsize=(3.2, 1.5), layout="constrained")
    figure.set_facecolor("none")
    axes = figure.subplots()
    axes.set(xlim=(-0.6, CELLS - 0.4), ylim=(-0.6, 1.6))
    axes.axis("off")
    draw(axes)
    target = io.BytesIO()
    figure.savefig(target, format="png", dpi=160, transparent=True, metadata={"Software": None})
    return target.getvalue()


def _walk(axes: Axes, y: float = 0.0, known: int = 0, colour: str = GREY) -> None:
    """A row of states with the goal at its end; the last ones are known."""
    axes.plot([0, CELLS - 1], [y, y], color=GREY, linewidth=1, zorder=1)
    for place in range(CELLS - 1):
        fill = colour if place >= CELLS - 1 - known else "none"
        axes.plot(
            place, y, "o", markersize=8, markerfacecolor=fill, markeredgecolor=colour if known else GREY, zorder=3
        )
    axes.plot(CELLS - 1, y, "o", markersize=11, color=GREEN, zorder=4)


def _arc(axes: Axes, begin: float, end: float, colour: str, y: float = 0.0, **look: Any) -> None:
    bend = f"arc3,rad={-0.35 - 0.25 / (end - begin)}"
    style: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 12, "linewidth": 1.8, "shrinkA": 4, "shrinkB": 5}
    axes.add_patch(FancyArrowPatch((begin, y), (end, y), connectionstyle=bend, color=colour, **style | look))


def _hops(axes: Axes) -> None:
    _walk(axes, known=CELLS - 1, colour=BLUE)
    for begin in (0, 3, 6):
        _arc(axes, begin, begin + 3, BLUE)


def _partition(axes: Axes) -> None:
    _walk(axes)
    for begin in range(CELLS - 1):
        for end in range(begin + 1, min(begin + 4, CELLS)):
            _arc(axes, begin, end, PINK, linewidth=1.1, alpha=0.75)


def _gate(axes: Axes) -> None:
    """A return that is cut where an action was not greedy, and one that jumps over it."""
    _walk(axes)
    for begin in (0, 3, 6):
        _arc(axes, begin, begin + 3, RED if begin == 3 else BLUE, linestyle=":" if begin == 3 else "-")
    axes.plot(4.5, 0.62, "x", color=RED, markersize=13, markeredgewidth=3)


def _luck(axes: Axes) -> None:
    """Values of a lucky and an unlucky step around their mean."""
    rng = np.random.default_rng(3)
    places = np.linspace(0, CELLS - 1, 40)
    axes.plot(places, 0.5 + np.clip(rng.normal(0, 0.4, 40), -1, 1), "o", color=AMBER, markersize=4.5, alpha=0.9)
    axes.plot(places, np.full(40, 0.5), color=GREEN, linewidth=2.2)
    axes.plot(places, 0.5 + 0.8 * (1 - np.exp(-places)), color=PINK, linewidth=2.2)


def _visits(axes: Axes) -> None:
    """Where an agent was in its first episode."""
    agent = hierq.Agent("maze-10", hierq.AgentConfig(levels=1, explore="pass"), seed=2)
    agent.train(1)
    world = agent.world
    visits = np.full(world.shape, np.nan)
    for state in range(world.states):
        row, column = world.positions[state]
        visits[row, column] = np.log1p(np.count_nonzero(agent.last_episode.states == state))
    axes.imshow(visits, cmap="viridis_r", extent=(2.4, 6.6, -0.6, 1.6), aspect="auto")


def _tiles(axes: Axes) -> None:
    """Three grids of tiles, each shifted a little, and the tile of each that a point lies in."""
    width, height = 0.95, 0.44
    for number, colour in enumerate((BLUE, PINK, AMBER)):
        left, bottom = 1.2 + 0.32 * number, -0.55 + 0.15 * number
        for column in range(6):
            for row in range(4):
                holds = 0 <= 4.5 - left - width * column < width and 0 <= 0.62 - bottom - height * row < height
                corner = (left + width * column, bottom + height * row)
                fill = {"facecolor": colour, "alpha": 0.35} if holds else {"facecolor": "none"}
                axes.add_patch(Rectangle(corner, width, height, edgecolor=colour, linewidth=1.2, **fill))
    axes.plot(4.5, 0.62, "o", color=GREEN, markersize=9)


def _learning(axes: Axes) -> None:
    """Evaluation steps of a flat agent and one of three levels, episode by episode: geometric means over 20 seeds."""
    for levels, colour in ((1, GREY), (3, BLUE)):
        config = hierq.AgentConfig(levels=levels, backup=hierq.TreeBackup(n=3))
        runs = [hierq.Agent("maze-10", config, seed=seed).alternate(20)[1] for seed in range(20)]
        height = np.log(runs).mean(axis=0) - np.log(20)
        axes.plot(np.linspace(0, CELLS - 1, 20), -0.4 + 0.42 * height, color=colour, linewidth=2.4)


def _plan(axes: Axes) -> None:
    """What three levels know of a maze after five episodes."""
    agent = hierq.Agent("maze-10", hierq.AgentConfig(levels=3, backup=hierq.TreeBackup(n=3)), seed=0)
    agent.train(5)
    world, values = agent.world, agent.values(2)
    cells = np.full((*world.shape, 4), (0.33, 0.33, 0.35, 1.0))
    for state in range(world.states):
        cells[tuple(world.positions[state])] = (0.24, 0.69, 0.55, 1.0) if values[state] > 0 else (0.95, 0.95, 0.94, 1.0)
    axes.imshow(cells, extent=(2.4, 6.6, -0.6, 1.6), aspect="auto", interpolation="nearest")
