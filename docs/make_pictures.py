"""Makes the pictures of the README and the other pages: `make pictures`.

hero.png         left: what the two levels of the paper's worked example learn from one episode of nine moves;
                 right: agents with one to four levels learning maze-10.
generators.png   worlds of each kind that `hierq world new` makes.
signs.png        slip, holes, doors and teleports.
error-curve.png  how wrong Q-learning is on a slippery lake.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gymnasium
import numpy as np
import polars as pl

import hierq
from hierq.figures.curves import Curve, draw_curves
from hierq.figures.error_curves import error_curves_figure
from hierq.figures.policy import draw_policy
from hierq.figures.style import as_png, new_figure
from hierq.figures.worlds import worlds_figure

PICTURES = Path(__file__).parent / "pictures"
SEEDS = 50
EPISODES = 20


def hero() -> bytes:
    """The project at a glance."""
    figure, (left, right) = new_figure(10, 4.6, columns=2, gridspec_kw={"width_ratios": [1, 1.25]})
    example = hierq.Agent(
        hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2, backup=hierq.Traces(decay=1.0))
    )
    episode = example.replay("ENSEESWEN")
    draw_policy(left, example, level=1, states=episode.states.tolist())
    left.set_title("What one episode teaches two levels")
    maze = hierq.make_world("maze-10")
    draw_curves(right, [learning_curve(maze, levels) for levels in (1, 2, 3, 4)], hierq.optimum(maze))
    right.set_title(f"Learning maze-10: HierTB$_k$(3), {SEEDS} seeds")
    return as_png(figure, dots_per_inch=130)


def learning_curve(world: hierq.World, levels: int) -> Curve:
    """Evaluation episodes of agents with so many levels, one per seed."""
    config = hierq.AgentConfig(levels=levels, backup=hierq.TreeBackup(n=3))

    def evaluation(seed: int) -> list[int]:
        return hierq.Agent(world, config, seed=seed).alternate(EPISODES)[1].tolist()

    with ThreadPoolExecutor(2) as pool:
        steps = np.array(list(pool.map(evaluation, range(SEEDS))))
    return Curve("1 level (flat)" if levels == 1 else f"{levels} levels", steps, levels)


def generators() -> bytes:
    """A row of worlds by chance, each under the options that make it."""
    worlds = {
        "maze": hierq.maze(31, 31, seed=3),
        "maze --algorithm prim": hierq.maze(31, 31, seed=3, algorithm="prim"),
        "maze --algorithm division": hierq.maze(31, 31, seed=3, algorithm="division"),
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
                    rows.append((measure, f"step size {step_size:g}", 1, seed, episode, error(agent)))
    columns = ["measure", "agent", "levels", "seed", "episode", "error"]
    return as_png(
        error_curves_figure(pl.DataFrame(rows, schema=columns, orient="row"), "Q-learning on a slippery lake")
    )


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    pictures = {"hero": hero, "generators": generators, "signs": signs, "error-curve": error_curve}
    for name, draw in pictures.items():
        target = PICTURES / f"{name}.png"
        target.write_bytes(draw())
        print(f"{target}: {target.stat().st_size / 1000:.0f} kB")
