"""How fast agents learn: µs per step, bytes, and the ratio to the reference in plain Python, all taken in one run.

    make bench                                  every cell (about five minutes)
    .venv/bin/python benchmarks/speed.py --quick

A cell trains 50 episodes for three seeds, and repeats each run: the work of a seed is always the same, so the shortest
time is the one with the least noise. `hierq.reference` takes part for up to a second per cell, along the first steps of
the same trace.
"""

import math
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import gymnasium
import numpy as np

import hierq
from hierq.reference import ReferenceAgent

WORLDS = ("gridworld-10", "gridworld-20", "maze-20")
BACKUPS = {
    "n=3": hierq.TreeBackup(3),
    "n=8": hierq.TreeBackup(8),
    "λ=0.8": hierq.Traces(0.8),
    "λ=1": hierq.Traces(1.0),
}
# What a throw-away program reached on such a machine, µs per training step for k = 1 … 4.
EARLIER = {
    ("gridworld-10", "n=3"): (0.13, 0.4, 1.0, 2.4),
    ("gridworld-20", "n=3"): (0.13, 0.9, 3.8, 10.5),
    ("gridworld-20", "λ=1"): (0.16, 3.0, 5.8, 12.3),
    ("maze-20", "λ=1"): (0.17, 0.8, 2.1, 3.1),
}


def timed(work, *arguments):
    """Seconds that something takes, and its result."""
    begun = time.perf_counter()
    result = work(*arguments)
    return time.perf_counter() - begun, result


def our_cell(world, config, seeds, repeats):
    """µs per training step, µs per evaluation step, bytes of the tables."""
    seconds, steps = np.zeros(2), np.zeros(2)
    for seed in range(seeds):
        tries = []
        for _ in range(repeats):
            agent = hierq.Agent(world, config, seed)
            tries.append(timed(agent.train, 50))
        spent, lengths = timed(agent.evaluate, 50)
        seconds += min(trained for trained, _ in tries), spent
        steps += tries[0][1].sum(), lengths.sum()
    return (*(seconds / steps * 1e6), sum(agent.table_bytes))


def reference_cell(world, config, seconds):
    """µs per training step of the reference, along the first steps of a real episode."""
    agent = hierq.Agent(world, config, 0)
    agent.train(1)
    episode, reference = agent.last_episode, ReferenceAgent(world, config)
    reference.begin_at(int(episode.states[0]))
    begun = time.perf_counter()
    for taken, (move, state) in enumerate(zip(episode.actions, episode.states[1:], strict=True), 1):  # noqa: B007
        reference.learn(int(move), int(state))
        if time.perf_counter() - begun > seconds:
            break
    return (time.perf_counter() - begun) / taken * 1e6


def table(seeds, repeats, reference_seconds):
    print("µs per training step (earlier) · µs per evaluation step · bytes · times faster than the reference\n")
    ratios = []
    for name in WORLDS:
        world = hierq.make_world(name)
        for label, backup in BACKUPS.items():
            for k in (1, 2, 3, 4):
                config = hierq.AgentConfig.published(levels=k, backup=backup)
                train, evaluate, size = our_cell(world, config, seeds, repeats)
                ratios.append(reference_cell(world, config, reference_seconds) / train)
                earlier = EARLIER.get((name, label))
                beside = f"({earlier[k - 1]:5.2f})" if earlier else " " * 7
                print(
                    f"{name:13} {label:6} k={k}  {train:6.2f} {beside}  {evaluate:6.2f}  {size / 1e6:6.1f} MB"
                    f"  {ratios[-1]:8.0f} ×",
                    flush=True,
                )
    print(f"\ngeometric mean {np.exp(np.log(ratios).mean()):.0f} ×, smallest {min(ratios):.0f} ×\n")


def threads():
    """Throughput of two threads against one, on the same runs."""
    world = hierq.make_world("maze-20")
    config = hierq.AgentConfig.published(levels=3, backup=hierq.TreeBackup(3))

    def run(seed):
        return hierq.Agent(world, config, seed).alternate(50)

    def seconds(workers):
        with ThreadPoolExecutor(workers) as pool:
            begun = time.perf_counter()
            list(pool.map(run, range(60)))
            return time.perf_counter() - begun

    ratios = [seconds(1) / seconds(2) for _ in range(3)]
    print(f"two threads: {max(ratios):.2f} times the throughput of one (of three tries: {np.round(ratios, 2)})")


def in_a_process(code, **environment):
    begun = time.perf_counter()
    output = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    ).stdout
    return time.perf_counter() - begun, output.strip()


PEAK = """
import hierq, resource
for backup in (hierq.TreeBackup(3), hierq.Traces(1.0)):
    agent = hierq.Agent(hierq.make_world("gridworld-20"), hierq.AgentConfig.published(levels=4, backup=backup))
    agent.alternate(50)
    del agent
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
BASE = """
import hierq, resource
hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=1)).alternate(1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
COMMAND = "import sys; sys.argv = 'hierq run maze-10 --levels 3 --tree-backup 5 --episodes 50'.split()\n"
COMMAND += "import time, os; from hierq.cli import main; main()"


def around():
    """Memory, and how long starting takes."""
    base, peak = in_a_process(BASE)[1], in_a_process(PEAK)[1]
    print(f"peak memory of k = 4 on gridworld-20: {peak} MB, {base} MB of it before there is such an agent")
    import_only = min(in_a_process("import hierq")[0] for _ in range(3)) - min(in_a_process("")[0] for _ in range(3))
    print(f"import hierq: {import_only:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        cold = in_a_process(COMMAND, HIERQ_CACHE_DIR=folder)[0]
        warm = min(in_a_process(COMMAND, HIERQ_CACHE_DIR=folder)[0] for _ in range(3))
    print(f"hierq run maze-10 --levels 3 --tree-backup 5 --episodes 50: cold {cold:.1f} s, later {warm:.1f} s")


def taxi(turns=5):
    """Steps of Gymnasium's Taxi with one level and with two, by turns: docs/worlds.md says they take as long."""
    best = dict.fromkeys((1, 2), math.inf)
    for levels in (*best,) * turns:
        env = gymnasium.make("Taxi-v4", max_episode_steps=5000)
        learner = hierq.learn(env, hierq.AgentConfig(levels=levels, backup=hierq.Traces(0.8)), episodes=3, seed=0)
        begun = time.process_time()
        steps = learner.train(50).sum()
        best[levels] = min(best[levels], (time.process_time() - begun) / steps)
    print(f"Taxi: {1e6 * best[1]:.0f} µs a step with one level, {best[2] / best[1]:.2f} times that with two")


if __name__ == "__main__":
    quick = "--quick" in sys.argv
    hierq.Agent(hierq.make_world("maze-10"), hierq.AgentConfig()).alternate(1)  # compile first
    table(seeds=1 if quick else 3, repeats=3 if quick else 6, reference_seconds=0.2 if quick else 1.0)
    threads()
    around()
    taxi()
