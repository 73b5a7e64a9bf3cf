"""Makes the pictures of the README and the other pages: `make pictures`.

credit-lanes-light.png, credit-lanes-dark.png, credit-lanes.svg
                 what one episode teaches a flat agent and one of three levels.
large-maze.gif   the two agents in a maze of 41 × 41 cells, episode by episode.
cards/           small pictures for the first page of the site; those of the tour are made by `make tour`.
worked-example.png  the paper's worked example: one episode, and what two levels learn from it.
generators.png   worlds of each kind that `hierq world new` makes.
signs.png        slip, holes, doors and teleports.
error-curve.png  how wrong Q-learning is on a slippery lake.
"""

from itertools import product
from pathlib import Path

import gymnasium
import polars as pl
from card_pictures import card_pictures
from credit_lanes import BOTH, DARK, LIGHT, as_small_png, credit_lanes, large_maze
from matplotlib.figure import Figure

import hierq
from hierq.figures.formats import as_page_svg
from hierq.figures.policy import example_figure
from hierq.figures.style import as_png, level_colour
from hierq.figures.worlds import worlds_figure

PICTURES = Path(__file__).parent / "pictures"


def worked_example() -> bytes:
    """What the two levels of the paper's worked example learn from one episode of nine moves."""
    config = hierq.AgentConfig(levels=2, backup=hierq.Traces(decay=1.0))
    agent = hierq.Agent("rooms-example", config)
    return as_png(example_figure(agent, agent.replay("ENSEESWEN")))


def generators() -> bytes:
    """A row of worlds by chance, each under the options that make it."""
    worlds = {
        "maze": hierq.maze(31, 31, seed=3),
        "maze --loops 1": hierq.maze(31, 31, seed=3, loops=1.0),
        "cave": hierq.cave(45, 45, seed=0),
        "rooms --loops 0.3": hierq.random_rooms(31, 31, seed=3, loops=0.3),
    }
    return as_png(worlds_figure([hierq.World.from_text(world.text, name) for name, world in worlds.items()]))


def signs() -> bytes:
    """The worlds that show what the paper's have not."""
    return as_png(worlds_figure([hierq.make_world(name) for name in ("slippery-rooms", "holes", "doors")], side=2.6))


def error_curve() -> bytes:
    """Q-learning on FrozenLake: what step sizes do to values and to the policy they give."""
    lake = hierq.World.from_gymnasium(gymnasium.make("FrozenLake-v1"))
    measures = {"values of moves: value_error": hierq.value_error, "greedy policy: value_lost": hierq.value_lost}
    rows = []
    for step_size in (0.1, 1.0):
        config = hierq.AgentConfig(levels=1, step_size=step_size)
        for seed in range(20):
            agent = hierq.Agent(lake, config, seed=seed)
            for episode in range(0, 3001, 100):
                if episode:
                    agent.train(100)
                for measure, error in measures.items():
                    rows.append((measure, step_size, episode, error(agent)))
    frame = pl.DataFrame(rows, ("measure", "size", "episode", "error"), orient="row")
    figure = Figure(figsize=(9.2, 3.7), layout="constrained")
    panels = figure.subplots(1, 2)
    for (measure, axes), (size, line) in product(zip(measures, panels, strict=True), ((0.1, "-"), (1.0, "--"))):
        here = frame.filter(pl.col("measure") == measure, pl.col("size") == size).group_by("episode").agg(
            pl.col("error").mean().alias("mean"), pl.col("error").std().alias("spread") / 20**0.5
        ).sort("episode")  # fmt: skip
        ends = here["mean"] - here["spread"], here["mean"] + here["spread"]
        axes.fill_between(here["episode"], *ends, color=level_colour(0), alpha=0.18, linewidth=0)
        axes.plot(here["episode"], here["mean"], color=level_colour(0), linestyle=line, label=f"step size {size:g}")
        axes.set(title=measure, xlabel="training episodes", ylim=(0, None))
    panels[0].set_ylabel("error (mean over seeds)")
    panels[1].legend(frameon=False)
    figure.suptitle("Q-learning on a slippery lake")
    return as_png(figure)


if __name__ == "__main__":
    (PICTURES / "cards").mkdir(parents=True, exist_ok=True)
    pictures = {
        "credit-lanes-light.png": lambda: as_small_png(credit_lanes(LIGHT)),
        "credit-lanes-dark.png": lambda: as_small_png(credit_lanes(DARK)),
        "credit-lanes.svg": lambda: as_page_svg(credit_lanes(BOTH)),
        "large-maze.gif": large_maze,
        "worked-example.png": worked_example,
        "generators.png": generators,
        "signs.png": signs,
        "error-curve.png": error_curve,
    }
    content = {name: draw() for name, draw in pictures.items()}
    content |= {f"cards/{name}.png": picture for name, picture in card_pictures().items()}
    for name, picture in content.items():
        (PICTURES / name).write_bytes(picture)
        print(f"{name}: {len(picture) / 1000:.0f} kB")
