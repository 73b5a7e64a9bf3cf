"""An agent as the kernels see it, and how far the episode under way is.

`episode.now` records how far it is, so that it can be suspended after any step and resumed by the next call: to respond
to Ctrl-C, to let tables grow, or to let an environment in Python make the move.
"""

from typing import NamedTuple

import numpy as np

from hierq.agents.counts import Counts
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.kernel_episode import Episode
from hierq.agents.random_numbers import Words
from hierq.agents.replay_input import ReplayInput
from hierq.agents.rivals.memory import Memory
from hierq.agents.world_arrays import WorldArrays, draw_start
from hierq.compiling.decorators import pasted
from hierq.tables.level import Levels, level_at
from hierq.tables.ring_buffer import recall

UNFINISHED: int = np.int64(-1)  # type: ignore[assignment]  # a plain −1 has a type of its own


class KernelAgent(NamedTuple):
    """An agent as the kernels see it."""

    levels: Levels
    config: KernelConfig
    world: WorldArrays
    episode: Episode
    counts: Counts
    rng: Words
    memory: Memory = ()  # type: ignore[assignment]  # of a rival; others have none


@pasted
def begin(agent: KernelAgent, replay: ReplayInput) -> None:
    """Puts the agent where an episode starts."""
    start = replay.path[0] if len(replay.path) > 0 else draw_start(agent.world, agent.rng)
    episode, top = agent.episode, len(agent.levels.records) - 1
    now = episode.now[0]
    now["has_begun"], now["has_chosen"], now["t"], now["state"], now["actor"] = 1, 0, 0, start, top
    now["is_over"], now["levels_left"], now["steps_left"] = 0, top + 1, 0
    episode.states[0] = start
    episode.upper_states[:, 0] = start
    episode.upper_length[:] = 0
    episode.turns[:] = 0


@pasted
def suspend(agent: KernelAgent, t: int, state: int, actor: int, has_chosen: bool) -> int:
    """Notes how far an episode is, so that the next call can take it up."""
    now = agent.episode.now[0]
    now["t"], now["state"], now["actor"], now["has_chosen"] = t, state, actor, has_chosen
    return UNFINISHED


@pasted
def end(agent: KernelAgent, steps: int) -> int:
    """Ends the episode, so that no trace of it can be continued by the next; returns the number of steps."""
    now = agent.episode.now[0]
    now["has_begun"], now["t"] = 0, steps
    agent.episode.live_errors.episode_offset[0] += steps + 1
    return steps


@pasted
def has_room(agent: KernelAgent) -> bool:
    """Whether every table has rows left for what one step may try; only where reach is learnt can they run out."""
    for i in range(len(agent.levels.records)):
        if agent.levels.records[i]["learns_reach"]:
            level = level_at(agent.levels, i)
            if level.rows_used[0] + agent.config.n * level.reach > len(level.action):
                return False
    return True


@pasted
def ending(agent: KernelAgent, steps: int) -> int:
    """How an episode of this many steps ended: GOES_ON if it was given up, AT_GOAL or IN_HOLE."""
    return int(agent.world.ending[recall(agent.episode.states, steps)])
