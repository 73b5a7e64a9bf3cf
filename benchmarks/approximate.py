"""What a sample costs approximate levels, in µs per sample, level and goal, beside the most that it may.

    .venv/bin/python benchmarks/approximate.py

Three levels on four tilings of maze-10, learning from the same random walks. Processor time is measured, and the
shortest of several is the one with the least noise. Exits with 1 if one takes longer than 1.5 times what throw-away
programs took.
"""

import sys
import time

import hierq
from hierq.approximate import Levels, PointWorld, Tiles, random_walks

SAMPLES, REPEATS, SLACK = 20_000, 4, 1.5
MOST = {("after", 1): 4.0, ("after", 4): 8.0, ("joint", 1): 6.0, ("joint", 4): 18.0}  # µs


def cost(points, walks, form, n):
    """µs per sample and level."""
    config = hierq.AgentConfig(levels=3, backup=hierq.TreeBackup(n), step_size=0.3, discount=0.8)
    Levels(points, config, Tiles(4), form=form).learn_from(walks, samples=10)  # compiles
    times = []
    for _ in range(REPEATS):
        levels = Levels(points, config, Tiles(4), form=form)
        levels.learn_from(walks, samples=1)  # learns what is within reach
        begun = time.process_time()
        levels.learn_from(walks, samples=SAMPLES)
        times.append(time.process_time() - begun)
    return 1e6 * min(times) / SAMPLES / config.levels


def main():
    points = PointWorld("maze-10")
    walks, is_slow = random_walks(points, 300, seed=0), False
    for (form, n), most in MOST.items():
        found = cost(points, walks, form, n)
        is_slow |= found > SLACK * most
        print(f"{form:5} n = {n}: {found:5.1f} µs per sample; at most {SLACK * most:.1f}")
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main())
