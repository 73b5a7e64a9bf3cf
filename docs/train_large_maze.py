"""Agents with one to four levels in a large braided maze: the numbers of docs/large-maze.csv.

    .venv/bin/python docs/train_large_maze.py          trains what is missing (an hour of processor time for all)

Every agent has the same budget of training steps; after each fifth of it one evaluation episode is played. An episode
is given up after a fifth of the budget, and so is the one that is under way when an agent is evaluated.
"""

import csv
import sys
import time
from pathlib import Path

import hierq

SIDE, MAZE_SEED = 101, 1
BUDGET, EVALUATIONS = 1_000_000, 5
SEEDS = {1: 10, 2: 10, 3: 10, 4: 10}
NUMBERS = Path(__file__).parent / "large-maze.csv"
COLUMNS = ("levels", "seed", "training_steps", "evaluation_steps", "goals_reached")


def large_maze() -> hierq.World:
    """The maze of the demonstration."""
    return hierq.maze(SIDE, SIDE, seed=MAZE_SEED, loops=1.0)


def config_of(levels: int) -> hierq.AgentConfig:
    """HierQ_k(0.8), at k = 1 flat Q(0.8); sub-goals are near by steps, so that walls do not lie between."""
    return hierq.AgentConfig(
        levels=levels,
        backup=hierq.Traces(0.8),
        tables="local",
        nearness="steps",
        step_limit=BUDGET // EVALUATIONS,
    )


def train(world: hierq.World, levels: int, seed: int) -> list[tuple[int, ...]]:
    """One agent's life, a line for each evaluation."""
    agent, reached, lines = hierq.Agent(world, config_of(levels), seed), 0, []
    for part in range(1, EVALUATIONS + 1):
        lengths = agent.train_for(BUDGET // EVALUATIONS)
        reached += int((lengths < agent.config.step_limit).sum())
        lines.append((levels, seed, part * BUDGET // EVALUATIONS, int(agent.evaluate(1)[0]), reached))
    return lines


def main() -> None:
    """Trains all agents that are not in the file yet, seed by seed, and adds them to it."""
    world = large_maze()
    if not NUMBERS.exists():
        NUMBERS.write_text(",".join(COLUMNS) + "\n")
    with NUMBERS.open() as file:
        there = {(int(row["levels"]), int(row["seed"])) for row in csv.DictReader(file)}
    wanted = [(levels, seed) for seed in range(max(SEEDS.values())) for levels, count in SEEDS.items() if seed < count]
    for levels, seed in wanted:
        if (levels, seed) in there:
            continue
        begun = time.process_time()
        lines = train(world, levels, seed)
        with NUMBERS.open("a", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(lines)
        spent = time.process_time() - begun
        print(f"k = {levels}, seed {seed}: {[line[3] for line in lines]}, {spent:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
