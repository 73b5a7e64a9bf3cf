"""What explorers cost a training step, and how long first episodes are with them.

    .venv/bin/python benchmarks/explorers.py            both tables (about five minutes)
    .venv/bin/python benchmarks/explorers.py --cost     the first only

Costs are ratios to ε-greedy in one run, by turns: in first episodes, which are other walks for each explorer, and
later, when all walk alike. Of later times the shortest counts, which has the least noise. First episodes are means
over 200 seeds, nearness by steps, beside the exact mean of a random walk, and beside a search that always takes the
shortest known way to the nearest move that was never tried.
"""

import sys
import time
from pathlib import Path

import numpy as np

import hierq

sys.path.insert(0, str(Path(__file__).parents[1]))
from investigations.exploration.claims import TIMES_THE_SEARCH
from investigations.exploration.search import searched

WORLD = hierq.make_world("gridworld-20")
SEEDS = 200
FIRST = 40  # first episodes, whose mean time per step counts
LEARNT, EPISODES, REPEATS = 500, 200, 60  # the shortest of as many times counts, after as many episodes
MOST = 1.10  # times ε-greedy's cost that “pass” may take, once something is known


def config_of(levels: int, explore: str) -> hierq.AgentConfig:
    return hierq.AgentConfig(levels=levels, backup=hierq.TreeBackup(3), nearness="steps", explore=explore)


def step_time(agent: hierq.Agent, episodes: int) -> float:
    """µs per step of some training episodes."""
    begun = time.thread_time()
    steps = agent.train(episodes).sum()
    return float(1e6 * (time.thread_time() - begun) / steps)


def costs() -> list[str]:
    """Prints what a step costs; returns where "pass" costs more than it may."""
    too_slow: list[str] = []
    explorers = ("epsilon", "pass", "seek", "optimism")
    print(f"µs per training step on {WORLD.name}\n\nk  episodes  " + "".join(f"{e:>16}" for e in explorers))
    for levels in (1, 2, 3, 4):
        agents = [hierq.Agent(WORLD, config_of(levels, explore), 1) for explore in explorers]
        for agent in agents:
            agent.train()  # compiles
        times, steps = np.zeros(len(agents)), np.zeros(len(agents))
        for seed in range(FIRST):
            for place, agent in enumerate(agents):
                agent.restart(seed)
                begun = time.thread_time()
                steps[place] += agent.train(1)[0]
                times[place] += time.thread_time() - begun
        show(levels, "first", 1e6 * times / steps)
        for agent in agents:
            agent.train(LEARNT)
        later = np.min([[step_time(agent, EPISODES) for agent in agents] for _ in range(REPEATS)], axis=0)
        show(levels, "later", later)
        too_slow += [f"k = {levels}"] if later[1] > MOST * later[0] else []
    print(f"\n(“pass” at most {MOST:.2f} × once something is known)\n")
    return too_slow


def show(levels: int, when: str, times: np.ndarray) -> None:
    cells = (f"{mine:8.3f} ({mine / times[0]:.2f} ×)" for mine in times)
    print(f"{levels}  {when:8}  " + "".join(f"{cell:>16}" for cell in cells), flush=True)


def first_episodes() -> list[str]:
    """Prints mean first episodes; returns those that are longer than they may be."""
    too_long = []
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
                is_long = mean > min(walk, TIMES_THE_SEARCH * search)
                too_long += [f"{name}, {explore}, k = {levels}"] if is_long else []
                cells.append(f"{mean:9.0f}{'!' if is_long else ' '}")
        print(f"{name:14}{walk:8.0f}{search:8.0f}" + "".join(cells), flush=True)
    return too_long


if __name__ == "__main__":
    failed = costs()
    if "--cost" not in sys.argv:
        failed += first_episodes()
    sys.exit(f"more than it may be: {'; '.join(failed)}" if failed else 0)
