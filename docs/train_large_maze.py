"""Agents with one to four levels in a large braided maze: the numbers of docs/large-maze.csv.

    .venv/bin/python docs/train_large_maze.py             trains what is missing (half an hour of processor time)
    .venv/bin/python docs/train_large_maze.py --explore   prints how far agents come while nothing is known

Every agent has the same budget of training steps; after each fifth of it one evaluation episode is played. An episode
is given up after a fifth of the budget, and so is the one that is under way when an agent is evaluated.
"""

import csv
import sys
import time
from pathlib import Path

import hierq
from hierq.agents.config import Nearness

SIDE, MAZE_SEED = 101, 1
BUDGET, EVALUATIONS = 1_000_000, 5
SEEDS = 10
# Levels, nearness, and explorer, with "backward" if episodes are replayed from their end instead of HierQ_k(0.8).
AGENTS: tuple[tuple[int, Nearness, str], ...] = (
    (1, "steps", "epsilon"),
    (2, "steps", "epsilon"),
    (3, "steps", "epsilon"),
    (2, "L1", "epsilon"),
    (3, "L1", "epsilon"),
    (1, "steps", "pass"),
    (2, "steps", "pass"),
    (3, "steps", "pass"),
    (3, "steps", "seek"),
    (3, "L1", "pass"),
    (1, "steps", "epsilon, backward"),
    (1, "steps", "pass, backward"),
    (3, "steps", "pass, backward"),
    (4, "steps", "pass"),
    (4, "steps", "epsilon"),
)
NUMBERS = Path(__file__).parent / "large-maze.csv"
COLUMNS = ("levels", "nearness", "explore", "seed", "training_steps", "evaluation_steps", "goals_reached")


def large_maze() -> hierq.World:
    """The maze of the demonstration."""
    return hierq.maze(SIDE, SIDE, seed=MAZE_SEED, loops=1.0)


def config_of(levels: int, nearness: Nearness, explore: str) -> hierq.AgentConfig:
    """HierQ_k(0.8), at k = 1 flat Q(0.8), which has no sub-goals, so that nearness does not matter to it."""
    explorer, _, backward = explore.partition(", ")
    return hierq.AgentConfig(
        levels=levels,
        backup=hierq.Backup("one-step", when="episode") if backward else hierq.Traces(0.8),
        tables="local",
        nearness=nearness,
        explore=explorer,
        step_limit=BUDGET // EVALUATIONS,
    )


def train(world: hierq.World, levels: int, nearness: Nearness, explore: str, seed: int) -> list[tuple[int | str, ...]]:
    """One agent's life, a line for each evaluation."""
    agent = hierq.Agent(world, config_of(levels, nearness, explore), seed)
    reached, lines = 0, list[tuple[int | str, ...]]()
    for part in range(1, EVALUATIONS + 1):
        lengths = agent.train_for(BUDGET // EVALUATIONS)
        reached += int((lengths < agent.config.step_limit).sum())
        steps = int(agent.evaluate(1)[0])
        lines.append((levels, nearness, explore, seed, part * BUDGET // EVALUATIONS, steps, reached))
    return lines


def show_exploration(steps: int = 100_000, seeds: int = 5) -> None:
    """Prints how many states an agent sees in its first steps, and how far from the start they are."""
    world = large_maze()
    distance = hierq.shortest_path_lengths(world)[world.start]
    for levels, nearness, explore in AGENTS:
        seen, farthest = [], []
        for seed in range(seeds):
            agent = hierq.Agent(world, config_of(levels, nearness, explore), seed)
            agent.train_for(steps)
            states = list(set(agent.last_episode.states.tolist()))
            seen.append(len(states))
            farthest.append(int(distance[states].max()))
        print(
            f"k = {levels}, {nearness}, {explore}: states seen {sorted(seen)}, "
            f"steps to the farthest {sorted(farthest)}",
            flush=True,
        )


def main() -> None:
    """Trains all agents that are not in the file yet, and adds them to it."""
    world = large_maze()
    if not NUMBERS.exists():
        NUMBERS.write_text(",".join(COLUMNS) + "\n")
    with NUMBERS.open() as file:
        rows = list(csv.DictReader(file))
    there = {(int(row["levels"]), row["nearness"], row["explore"], int(row["seed"])) for row in rows}
    wanted = [(*kind, seed) for kind in AGENTS for seed in range(SEEDS)]
    for levels, nearness, explore, seed in wanted:
        if (levels, nearness, explore, seed) in there:
            continue
        begun = time.process_time()
        lines = train(world, levels, nearness, explore, seed)
        with NUMBERS.open("a", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(lines)
        spent = time.process_time() - begun
        found = [line[5] for line in lines]
        print(f"k = {levels}, {nearness}, {explore}, seed {seed}: {found}, {spent:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    if "--explore" in sys.argv:
        show_exploration()
    else:
        main()
