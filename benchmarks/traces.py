"""What traces without a cut-off cost: microseconds per step beside the paper's cut-off, both from the same episodes."""

import itertools
import math
import statistics
import time

import hierq

WORLDS = ("maze-10", "maze-20", "gridworld-20", "rooms-9")
CUTOFFS = (1e-8, 0.0)
EPISODES, TURNS = 30, 5


def episodes_in(world: hierq.World) -> list[hierq.RecordedEpisode]:
    """Training episodes of an agent that learns by Tree-Backup; the first one is long."""
    agent = hierq.Agent(world, hierq.AgentConfig(levels=3, backup=hierq.TreeBackup(3)), seed=0)
    recorded = []
    for _ in range(EPISODES):
        agent.train(1)
        recorded.append(agent.last_episode)
    return recorded


def seconds(agent: hierq.Agent, episodes: list[hierq.RecordedEpisode]) -> float:
    """Processor time to learn from some episodes, from the beginning."""
    agent.restart(0)
    begun = time.process_time()
    for episode in episodes:
        agent.replay(episode)
    return time.process_time() - begun


def main() -> None:
    """Prints a line for every world, number of levels and λ, and the geometric mean of the ratios."""
    ratios = []
    for name, levels, decay in itertools.product(WORLDS, (1, 2, 3), (0.5, 0.8, 1.0)):
        world = hierq.make_world(name)
        episodes = episodes_in(world)
        config = hierq.AgentConfig(levels=levels, backup=hierq.Traces(decay))
        agents = [hierq.Agent(world, config.replace(trace_cutoff=cutoff), seed=0) for cutoff in CUTOFFS]
        taken = [[seconds(agent, episodes) for agent in agents] for _ in range(TURNS)]
        steps = sum(episode.steps for episode in episodes)
        cut, uncut = (min(column) / steps * 1e6 for column in zip(*taken, strict=True))
        ratios.append(uncut / cut)
        print(f"{name:13} k = {levels}  λ = {decay:<4} {cut:6.2f} µs  {uncut:6.2f} µs  {ratios[-1]:.2f}", flush=True)
    print(f"geometric mean of the ratios {math.exp(statistics.mean(map(math.log, ratios))):.3f}")


if __name__ == "__main__":
    main()
