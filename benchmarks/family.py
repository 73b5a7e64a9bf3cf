"""What members of the estimator family cost, as ratios to what they stand beside, all taken in one run, by turns.

    .venv/bin/python benchmarks/family.py

All learn from the same recorded episodes (gridworld-20), so that only learning is compared and nobody's episodes are
longer. The shortest of several times is the one with the least noise. Exits with 1 if one takes longer than it may.
"""

import sys
import time

import hierq

WORLD = hierq.make_world("gridworld-20")
EPISODES, REPEATS = 30, 15
PAIRS = [  # a member, beside which one, and how often its time it may take
    (hierq.Backup("max", n=3, hops="all-max"), hierq.Backup("max", n=3), 3, 2.5),
    (hierq.Backup("max", n=3, hops="all-max"), hierq.Backup("max", n=3), 4, None),
    (hierq.Backup("peng", n=3, hops="all-mean"), hierq.Backup("peng", n=3), 3, None),
    (hierq.Backup("tree-backup", n=3, hops="all-max"), hierq.TreeBackup(3), 3, None),
    (hierq.Backup("tree-backup", n=3, hops="random"), hierq.TreeBackup(3), 3, None),
    *((hierq.Backup("one-step", when="episode"), hierq.OneStep(), levels, 1.0) for levels in (1, 2, 3, 4)),
]


def recorded():
    """Episodes of an agent that learns, from the long first one on."""
    agent, episodes = hierq.Agent(WORLD, hierq.AgentConfig(levels=2, backup=hierq.TreeBackup(3)), 1), []
    for _ in range(EPISODES):
        agent.train(1)
        episodes.append(agent.last_episode)
    return episodes


def learning_time(agent, episodes):
    """Seconds that an agent takes to learn from episodes, from scratch."""
    agent.restart()
    begun = time.perf_counter()
    for episode in episodes:
        agent.replay(episode)
    return time.perf_counter() - begun


def main():
    """Prints a line for each pair; returns in words what took too long."""
    episodes, too_slow = recorded(), []
    steps = sum(episode.steps for episode in episodes)
    print(f"learning from {len(episodes)} episodes, {steps:,} steps, on {WORLD.name}; µs per step\n")
    for backup, beside, levels, most in PAIRS:
        agents = [hierq.Agent(WORLD, hierq.AgentConfig(levels=levels, backup=each)) for each in (backup, beside)]
        for agent in agents:
            learning_time(agent, episodes[:2])  # compiles
        times = [[learning_time(agent, episodes) for agent in agents] for _ in range(REPEATS)]
        mine, other = (min(column) / steps * 1e6 for column in zip(*times, strict=True))
        bound = "" if most is None else f"  (at most {most:g})"
        if most is not None and mine > most * other:
            too_slow.append(f"k={levels} {backup!r} takes {mine / other:.2f} × {beside!r}, at most {most:g} is allowed")
        print(
            f"k={levels}  {mine:6.2f}  {backup!r:50} {mine / other:5.2f} × {other:6.2f}  {beside!r}{bound}", flush=True
        )
    return too_slow


if __name__ == "__main__":
    if too_slow := main():
        sys.exit("\n" + "\n".join(too_slow))
