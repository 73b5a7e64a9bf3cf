"""What explorers cost a training step, and how long first episodes are with them.

    .venv/bin/python benchmarks/explorers.py            both tables (about five minutes)
    .venv/bin/python benchmarks/explorers.py --cost     the first only

Costs are ratios to ε-greedy in one run, by turns, over as many training steps; the shortest of several times is the one
with the least noise. First episodes are means over 200 seeds, nearness by steps, beside the exact mean of a random
walk, and beside a search that always takes the shortest known way to the nearest move that was never tried.
"""

import sys
import time

import numpy as np

import hierq
from hierq.investigations.exploration.claims import TIMES_THE_SEARCH
from hierq.investigations.exploration.search import searched

WORLD = hierq.make_world("gridworld-20")
STEPS, REPEATS, SEEDS = 40_000, 12, 200
MOST = {"pass": 1.10}  # times ε-greedy's cost


def config_of(levels: int, explore: str) -> hierq.AgentConfig:
    return hierq.AgentConfig(levels=levels, backup=hierq.TreeBackup(3), nearness="steps", explore=explore)


def training_time(agent: hierq.Agent) -> float:
    """Seconds for some steps of training, from scratch."""
    agent.restart()
    begun = time.perf_counter()
    agent.train_for(STEPS)
    return time.perf_counter() - begun


def costs() -> None:
    explorers = ("epsilon", "pass", "seek", "optimism")
    print(
        f"µs per training step on {WORLD.name}, {STEPS:,} steps from scratch\n\nk  "
        + "".join(f"{e:>16}" for e in explorers)
    )
    for levels in (1, 2, 3, 4):
        agents = [hierq.Agent(WORLD, config_of(levels, explore), 1) for explore in explorers]
        for agent in agents:
            training_time(agent)  # compiles
        times = [[training_time(agent) for agent in agents] for _ in range(REPEATS)]
        best = [min(column) / STEPS * 1e6 for column in zip(*times, strict=True)]
        cells = (f"{mine:8.2f} ({mine / best[0]:.2f} ×)" for mine in best)
        print(f"{levels}  " + "".join(f"{cell:>16}" for cell in cells), flush=True)
    print(f"\n(“pass” at most {MOST['pass']:.2f} ×)\n")


def first_episodes() -> None:
    print(f"steps of the first training episode, mean of {SEEDS} seeds; ! is longer than it may be\n")
    print(
        f"{'':14}{'walk':>8}{'search':>8}"
        + "".join(f"{f'{e} {k}':>10}" for e in ("pass", "seek") for k in (1, 2, 3, 4))
    )
    for name in hierq.PAPER_WORLDS:
        world = hierq.make_world(name)
        walk, search = hierq.random_walk_steps(world)[world.start], searched(world).value
        cells = []
        for explore in ("pass", "seek"):
            for levels in (1, 2, 3, 4):
                agents = (hierq.Agent(world, config_of(levels, explore), seed) for seed in range(SEEDS))
                mean = np.mean([agent.train(1)[0] for agent in agents])
                cells.append(f"{mean:9.0f}{'!' if mean > min(walk, TIMES_THE_SEARCH * search) else ' '}")
        print(f"{name:14}{walk:8.0f}{search:8.0f}" + "".join(cells), flush=True)


if __name__ == "__main__":
    costs()
    if "--cost" not in sys.argv:
        first_episodes()
