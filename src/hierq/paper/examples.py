"""Small episodes that explain: they are run when they are asked for, always the same way."""

from functools import cache

from hierq.agents import AgentConfig, Traces, TreeBackup
from hierq.agents.agent import Agent
from hierq.agents.outcomes import RecordedEpisode
from hierq.worlds import World, make_world, optimum

TREE_WORLD = "rooms-4"
WARM_UP = 40
WORKED_WORLD, WORKED_MOVES = "rooms-example", "ENSEESWEN"
STRAIGHT = 5


@cache
def shortest_episode() -> tuple[World, RecordedEpisode]:
    """The first training episode of a trained agent, k = 3, that takes a shortest path through rooms-4."""
    world = make_world(TREE_WORLD)
    agent = Agent(world, AgentConfig(levels=3, backup=TreeBackup(3)))
    agent.train(WARM_UP)
    while int(agent.train(1)[0]) > optimum(world):
        pass
    return world, agent.last_episode


def straight_steps() -> tuple[World, list[int], int]:
    """Some steps of the same episode that go straight to a sub-goal of level 1, with the time of the first of them."""
    world, episode = shortest_episode()
    arrival = next(t for t in range(1, episode.steps) if episode.actors[t] > 1)
    return world, episode.states[arrival - STRAIGHT : arrival + 1].tolist(), arrival - STRAIGHT


@cache
def worked_example() -> tuple[Agent, RecordedEpisode]:
    """The agent of the paper's policy figure after its one episode, which has a loop and a blocked move."""
    agent = Agent(make_world(WORKED_WORLD), AgentConfig(levels=2, backup=Traces(1.0)))
    return agent, agent.replay(WORKED_MOVES)
