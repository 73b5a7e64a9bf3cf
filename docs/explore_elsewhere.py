"""Explorers in a maze of a million states, in MiniGrid and in Taxi: the numbers of explore-elsewhere.csv.

    .venv/bin/python docs/explore_elsewhere.py    does what is missing, and prints a table

The maze is that of `make bench-scale`: a start in every hundred cells, episodes of at most 1,000 steps, and 2.5 million
training steps for every agent. MiniGrid and Taxi are stepped by `hierq.learn`, which knows no map, for 30 training
episodes; a layout stays the same in all of them.
"""

import csv
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import hierq

NUMBERS = Path(__file__).parent / "explore-elsewhere.csv"
COLUMNS = (
    "world",
    "levels",
    "explore",
    "seed",
    "episodes",
    "goals_reached",
    "first_goal",
    "evaluated",
    "arrived",
    "steps",
)
SIDE, BUDGET, EPISODE = 1401, 2_500_000, 1000
MINIGRID = ("MiniGrid-FourRooms-v0", "MiniGrid-MultiRoom-N4-S5-v0", "MiniGrid-DoorKey-8x8-v0")
SEEDS, EPISODES, EVALUATIONS = 5, 30, 20
Row = tuple[Any, ...]


def million_states(levels: int, explore: str, seed: int) -> Row:
    """One agent in a braided maze of a million states."""
    parts = hierq.maze(SIDE, SIDE, seed=1, loops=1.0).text.split(".")
    cells = ["S" if place % 100 == 0 else "." for place in range(len(parts) - 1)]
    world = hierq.World.from_text("".join(a + b for a, b in zip(parts, [*cells, ""], strict=True)), "million")
    config = hierq.AgentConfig(
        levels=levels, backup=hierq.TreeBackup(3), tables="local", nearness="steps", explore=explore, step_limit=EPISODE
    )
    agent = hierq.Agent(world, config, seed)
    lengths = agent.train_for(BUDGET)
    reached, evaluated = lengths.reached, agent.evaluate(1000)
    first = int(lengths[: int(reached.argmax()) + 1].sum()) if reached.any() else ""
    arrived = int(evaluated.reached.sum())
    return len(lengths), int(reached.sum()), first, len(evaluated), arrived, float(np.median(evaluated))


def gymnasium_world(name: str) -> Callable[[int, str, int], Row]:
    """Agents in an environment that is only stepped."""

    def one(levels: int, explore: str, seed: int) -> Row:
        if name in MINIGRID:
            from minigrid.wrappers import FullyObsWrapper, ReseedWrapper  # which also registers its environments

            env: Any = FullyObsWrapper(ReseedWrapper(gymnasium.make(name, max_steps=2000), seeds=[seed]))
        else:
            env = gymnasium.make(name, max_episode_steps=5000)
        config = hierq.AgentConfig(levels=levels, backup=hierq.TreeBackup(3), explore=explore)
        learner = hierq.learn(env, config, episodes=0, seed=seed)
        lengths = learner.train(EPISODES)
        reached = lengths.reached
        first = int(lengths[: int(reached.argmax()) + 1].sum()) if reached.any() else ""
        steps = learner.evaluate(EVALUATIONS)
        return len(lengths), int(reached.sum()), first, EVALUATIONS, int(steps.reached.sum()), float(np.median(steps))

    return one


WORLDS: dict[str, tuple[Callable[[int, str, int], Row], int]] = {
    "million": (million_states, 3),
    **{name: (gymnasium_world(name), SEEDS) for name in (*MINIGRID, "Taxi-v4")},
}


def show(rows: list[dict[str, str]]) -> None:
    """Medians over seeds; evaluations of all seeds together."""
    print("| world | k | explorer | seeds | goals reached in training | steps to the first | evaluations that arrive |")
    print("|---|---|---|---|---|---|---|")
    groups: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in rows:
        groups.setdefault((row["world"], row["levels"], row["explore"]), []).append(row)
    for (world, levels, explore), some in groups.items():
        reached = [int(row["goals_reached"]) for row in some]
        first = [float(row["first_goal"] or "inf") for row in some]
        arrived = sum(int(row["arrived"]) for row in some) / sum(int(row["evaluated"]) for row in some)
        shown = f"{np.median(first):,.0f}" if np.isfinite(np.median(first)) else "none in most runs"
        print(
            f"| {world} | {levels} | {explore} | {len(some)} | "
            f"{np.median(reached):g} ({min(reached)} to {max(reached)}) | {shown} | {arrived:.0%} |"
        )


def main() -> None:
    """Trains all agents that are not in the file yet, and adds them to it."""
    if not NUMBERS.exists():
        NUMBERS.write_text(",".join(COLUMNS) + "\n")
    with NUMBERS.open() as file:
        rows = list(csv.DictReader(file))
    there = {(row["world"], int(row["levels"]), row["explore"], int(row["seed"])) for row in rows}
    for name, (one, seeds) in WORLDS.items():
        for levels in (1, 2):
            for explore in ("epsilon", "pass"):
                for seed in range(seeds):
                    if (name, levels, explore, seed) in there:
                        continue
                    line = (name, levels, explore, seed, *one(levels, explore, seed))
                    with NUMBERS.open("a", newline="") as file:
                        csv.writer(file, lineterminator="\n").writerow(line)
                    print(*line, file=sys.stderr, flush=True)
    with NUMBERS.open() as file:
        show(list(csv.DictReader(file)))


if __name__ == "__main__":
    main()
