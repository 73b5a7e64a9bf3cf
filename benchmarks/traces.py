"""What traces without a cut-off cost: an earlier version, this one with the paper's cut-off, and this one without.

    .venv/bin/python benchmarks/traces.py aff5770

The earlier version is taken from git; up to aff5770 traces always had a cut-off of 1e-8. All three learn from the same
recorded episodes, in turn, again and again, and the least processor time of each counts. With the same cut-off both
versions must end with the same tables, which is checked. Memory is the peak of a process of its own.
"""

import itertools
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from by_turns import ROOT, earlier, environment

import hierq

WORLDS = ("maze-10", "maze-20", "gridworld-20", "rooms-9")
CELLS = list(itertools.product(WORLDS, (1, 2, 3), (0.5, 0.8, 1.0)))
EPISODES, TURNS = 30, 7
CONFIG = """
import pickle, resource, sys, time, hierq
Agent = hierq.Agent  # its modules are imported when it is first asked for
def config_of(levels, decay, cutoff):
    config = hierq.AgentConfig(levels=int(levels), backup=hierq.Traces(float(decay)))
    return config.replace(trace_cutoff=float(cutoff)) if hasattr(config, "trace_cutoff") else config
"""
# Only the time in kernels counts, minus that of as many calls for a single step: to check an episode before it is
# replayed, and to hand an agent over to a kernel, is not learning.
SPEED = """
def timed_kernel(*arguments):
    kernel = kernel_for(*arguments)
    def timed(*given):
        begun = time.process_time()
        result = kernel(*given)
        spent.append(time.process_time() - begun)
        return result
    return timed
module = sys.modules.get("hierq.agents.session", sys.modules["hierq.agents.agent"])
kernel_for, module.kernel_for, spent = module.kernel_for, timed_kernel, []
def seconds(agent, episodes):
    agent.restart(0)
    spent.clear()
    for episode in episodes:
        agent.learn_from(episode) if hasattr(agent, "learn_from") else agent.replay(episode)
    return sum(spent)
with open(sys.argv[1], "rb") as file:
    worlds = pickle.load(file)
for line in sys.stdin:
    name, *settings = line.split()
    agent = Agent(hierq.make_world(name), config_of(*settings), seed=0)
    episodes = [hierq.RecordedEpisode(**fields) for fields in worlds[name]]
    first_step = agent.replay(episodes[0].actions[:1].tolist())
    calls = seconds(agent, [first_step] * len(episodes))
    seconds(agent, episodes)  # touches the memory of its tables
    spent_learning = seconds(agent, episodes) - calls
    print(spent_learning, sum(float(agent.values(level).sum()) for level in range(len(agent.table_bytes))), flush=True)
"""
MEMORY = """
agent = Agent(hierq.make_world(sys.argv[1]), config_of(*sys.argv[2:]), 0)
agent.train(50)
print(sum(agent.table_bytes) / 1e6, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)
"""


def episodes_in(world: hierq.World) -> list[hierq.RecordedEpisode]:
    """Training episodes of an agent that learns by Tree-Backup; the first one is long."""
    agent = hierq.Agent(world, hierq.AgentConfig(levels=3, backup=hierq.TreeBackup(3)), seed=0)
    recorded = []
    for _ in range(EPISODES):
        agent.train(1)
        recorded.append(agent.last_episode)
    return recorded


class Version:
    """The sources of a version, with a cut-off where it can be set, and a process that measures it."""

    def __init__(self, name: str, sources: Path, cutoff: float, episodes: Path) -> None:
        self.name, self.sources, self.cutoff = name, sources, cutoff
        self.worker = subprocess.Popen(
            [sys.executable, "-c", CONFIG + SPEED, episodes],
            env=environment(sources),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def speed(self, world: str, levels: int, decay: float) -> tuple[float, float]:
        """Seconds to learn from the episodes of a world, and the sum of all values afterwards."""
        assert self.worker.stdin is not None and self.worker.stdout is not None
        print(world, levels, decay, self.cutoff, file=self.worker.stdin, flush=True)
        seconds, total = map(float, self.worker.stdout.readline().split())
        return seconds, total

    def memory(self, world: str, levels: int, decay: float) -> tuple[float, float]:
        """MB of the tables, and of the process at most while it trains 50 episodes."""
        command = [sys.executable, "-c", CONFIG + MEMORY, world, str(levels), str(decay), str(self.cutoff)]
        output = subprocess.run(command, env=environment(self.sources), capture_output=True, text=True, check=True)
        tables, peak = map(float, output.stdout.split())
        return tables, peak


def geometric_mean(ratios: Iterable[float]) -> float:
    return float(np.exp(np.log(list(ratios)).mean()))


def compare_speed(versions: list[Version], steps: dict[str, int]) -> None:
    """Prints µs per step for every world, number of levels and λ, and geometric means of the ratios."""
    found = []
    for cell in CELLS:
        world, levels, decay = cell
        turns = [[version.speed(*cell) for version in versions] for _ in range(TURNS)]
        (_, total), (_, same), _ = turns[0]
        assert total == same, f"{cell}: the values add up to {total}, now {same}"
        found.append(np.array(turns)[..., 0].min(axis=0) / steps[world] * 1e6)
        old, cut, uncut = found[-1]
        print(
            f"{world:13} k = {levels}  λ = {decay:<4} {old:6.3f} µs, now {cut:6.3f}, without a cut-off {uncut:6.3f}: "
            f"{cut / old:.2f}, {uncut / cut:.2f}, together {uncut / old:.2f}",
            flush=True,
        )
    old, cut, uncut = np.array(found).T
    print(f"geometric means over {len(CELLS)} cells:")
    print(f"this version against the earlier one, with the same cut-off: {geometric_mean(cut / old):.3f}")
    print(f"this version, without a cut-off against with one: {geometric_mean(uncut / cut):.3f}")
    print(f"this version without a cut-off against the earlier one: {geometric_mean(uncut / old):.3f}")


def compare_memory(versions: list[Version]) -> None:
    """Prints MB of tables and peaks."""
    for cell in (("gridworld-20", 3, 0.8), ("maze-20", 3, 1.0)):
        for version in versions:
            tables, peak = version.memory(*cell)
            print(f"{cell}, {version.name}: tables {tables:.2f} MB, peak {peak:.1f} MB", flush=True)


def main(commit: str) -> None:
    """Measures everything."""
    print(f"load {os.getloadavg()[0]:.1f}")
    with earlier(commit) as old_sources, tempfile.TemporaryDirectory() as folder:
        episodes = {name: episodes_in(hierq.make_world(name)) for name in WORLDS}
        path = Path(folder, "episodes")
        path.write_bytes(pickle.dumps({name: [vars(each) for each in some] for name, some in episodes.items()}))
        versions = [
            Version(commit, old_sources, 1e-8, path),
            Version("now, cut off at 1e-8", ROOT / "src", 1e-8, path),
            Version("now, no cut-off", ROOT / "src", 0.0, path),
        ]
        compare_speed(versions, {name: sum(each.steps for each in some) for name, some in episodes.items()})
        compare_memory(versions)
        for version in versions:
            version.worker.kill()
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(sys.argv[1])
