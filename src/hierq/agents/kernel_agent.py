"""An agent as the kernels see it, and where its current episode stands."""

from typing import Any, NamedTuple

from hierq.agents.counts import Counts
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.kernel_episode import Episode
from hierq.agents.random_numbers import Words
from hierq.agents.replay_arrays import ReplayInput
from hierq.agents.rivals.memory import Memory
from hierq.agents.world_arrays import GOES_ON, WorldArrays, draw_start
from hierq.compiling.decorators import pasted
from hierq.tables.level import BOTTOM, Levels, level_at
from hierq.tables.ring_buffer import slot


class KernelAgent(NamedTuple):
    """An agent as the kernels see it."""

    levels: Levels
    config: KernelConfig
    world: WorldArrays
    episode: Episode
    counts: Counts
    rng: Words
    memory: Memory  # of a rival; () for all others
    replay: ReplayInput  # moves to learn from instead of the agent's own


@pasted
def begin(agent: KernelAgent, is_training: bool) -> None:
    """Begins an episode at S_0. The top level is the first to choose; where level 0 acts alone, level 0 is."""
    episode, top = agent.episode, len(agent.levels.records) - 1
    start = agent.replay.path[0] if len(agent.replay.path) > 0 else draw_start(agent.world, agent.rng)
    now = episode.now[0]
    now["has_begun"], now["has_ended"], now["t"], now["state"] = 1, 0, 0, start
    now["actor"] = BOTTOM if is_training and level_0_acts_alone(agent) else top
    now["levels_left"], now["steps_left"] = top + 1, 0
    episode.states[0] = start
    episode.upper_states[:, 0] = start
    episode.upper_length[:] = 0
    episode.turns[:] = 0


@pasted
def level_0_acts_alone(agent: KernelAgent) -> bool:
    """Whether no level asks for sub-goals in training: the behaviour policy is π_0, or the moves are replayed."""
    return agent.config.flat or len(agent.replay.moves) > 0


@pasted
def arrive(agent: KernelAgent, successor: int) -> None:
    """The episode is at S_{t+1} now."""
    episode = agent.episode
    now = episode.now[0]
    now["t"] += 1
    now["state"] = successor
    now["has_ended"] = agent.world.ending[successor] != GOES_ON
    episode.states[slot(episode.states, now["t"])] = successor


@pasted
def is_over(now: Any, step_limit: int) -> bool:
    """Whether the last move of an episode led to the goal or into a hole, or was the last that the limit allows."""
    return bool(now["has_ended"] != 0 or now["t"] >= step_limit)


@pasted
def end(agent: KernelAgent) -> None:
    """Ends the episode, so that the next one continues none of its traces."""
    episode = agent.episode
    episode.now[0]["has_begun"] = 0
    episode.live_errors.episode_offset[0] += episode.now[0]["t"] + 1


@pasted
def has_room(agent: KernelAgent) -> bool:
    """Whether every table has free rows for all that one step may try; they run out only where reach is learnt."""
    for i in range(len(agent.levels.records)):
        if agent.levels.records[i]["learns_reach"]:
            level = level_at(agent.levels, i)
            if level.rows_used[0] + agent.config.n * level.reach > len(level.action):
                return False
    return True


@pasted
def ending(agent: KernelAgent) -> int:
    """How the episode ended: AT_GOAL, IN_HOLE, or GOES_ON if the step limit ended it."""
    return int(agent.world.ending[agent.episode.now[0]["state"]])
