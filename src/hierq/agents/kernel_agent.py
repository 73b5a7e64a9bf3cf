"""An agent as the kernels see it, its current episode, and how far that has come.

The record `now` says how far an episode has come. So a kernel may return to Python between two steps, and the next call
goes on from there: to respond to Ctrl-C, to enlarge a table, or to step an environment that is written in Python.
"""

from typing import Any, NamedTuple

import numpy as np

from hierq.agents.counts import Counts
from hierq.agents.estimators.all_paths import HopRoom
from hierq.agents.estimators.live_errors import LiveErrors
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.random_numbers import Words
from hierq.agents.rivals.memory import Memory
from hierq.agents.world_arrays import GOES_ON, WorldArrays, draw_start
from hierq.tables.level import BOTTOM, Array, Floats, Longs
from hierq.tables.level_records import Levels, level_at
from hierq.tables.ring_buffer import slot
from hierq.tables.rows import Returns

NOW = np.dtype(
    [
        ("has_begun", np.int64),  # 1 from the start of an episode to its end
        ("has_ended", np.int64),  # 1 when the last move led to the goal or into a hole
        ("t", np.int64),  # number of moves so far
        ("state", np.int64),  # S_t
        ("actor", np.int64),  # the highest level that chooses before the next move
        ("levels_left", np.int64),  # levels that have not yet learnt backward from the episode
        ("steps_back", np.int64),  # steps that the one whose turn it is has gone back
    ],
    align=True,
)


class Episode(NamedTuple):
    """The record of the latest episode, and room for its backups. Arrays over time are ring buffers."""

    now: Array  # one record of type NOW
    states: Longs  # S_0 … S_T
    actions: Longs  # A_0 … A_{T−1}
    chances: Floats  # μ(A_t | S_t), if an operator uses it
    upper_states: Longs  # [1, T]: the trace of the levels above 0; with executed hops one for each, [levels − 1, T]
    upper_actions: Longs  # [1, T] or [levels − 1, T]: its actions
    upper_length: Longs  # [1 or levels − 1]: its number of steps
    certain: Floats  # [1]: a 1, for `Trace.chances`
    goals: Longs  # [T, levels]: where each level was sent when the step was taken
    actors: Longs  # [T]: the highest level that chose before the step was taken
    turns: Longs  # [levels]: n of Algorithm 1, the own actions a level has taken since it was sent
    value_when_chosen: Floats  # [levels]: the value of a level's goal when its parent chose it
    returns: Returns  # room for G
    hop_room: HopRoom  # for backups over hops
    live_errors: LiveErrors  # room for δ and Z
    ties: Longs  # room for actions that tie


class ReplayInput(NamedTuple):
    """An episode that the agent learns from instead of acting; both arrays are empty where it acts."""

    moves: Longs  # A_0 … A_{T−1}
    path: Longs  # S_0 … S_T; without moves, the one state where the agent begins


NOT_REPLAYED = ReplayInput(moves=np.zeros(0, np.int64), path=np.zeros(0, np.int64))  # the agent acts


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


def begin(agent: KernelAgent, is_training: bool) -> None:
    """Begins an episode at S_0. The top level chooses first, or level 0 where it acts alone."""
    episode, top = agent.episode, len(agent.levels.records) - 1
    start = agent.replay.path[0] if len(agent.replay.path) > 0 else draw_start(agent.world, agent.rng)
    now = episode.now[0]
    now["has_begun"], now["has_ended"], now["t"], now["state"] = 1, 0, 0, start
    now["actor"] = BOTTOM if is_training and level_0_acts_alone(agent) else top
    now["levels_left"], now["steps_back"] = top + 1, 0
    episode.states[0] = start
    episode.upper_states[:, 0] = start
    episode.upper_length[:] = 0
    episode.turns[:] = 0


def level_0_acts_alone(agent: KernelAgent) -> bool:
    """Whether no level chooses sub-goals in training: the behaviour policy is π_0, or the moves are replayed."""
    return agent.config.flat or len(agent.replay.moves) > 0


def arrive(agent: KernelAgent, successor: int) -> None:
    """The episode is at S_{t+1} now."""
    episode = agent.episode
    now = episode.now[0]
    now["t"] += 1
    now["state"] = successor
    now["has_ended"] = agent.world.ending[successor] != GOES_ON
    episode.states[slot(episode.states, now["t"])] = successor


def is_over(now: Any, step_limit: int) -> bool:
    """Whether the last move of an episode led to the goal or into a hole, or was the last that the limit allows."""
    return bool(now["has_ended"] != 0 or now["t"] >= step_limit)


def end(agent: KernelAgent) -> None:
    """Ends the episode, so that the next one continues none of its traces."""
    episode = agent.episode
    episode.now[0]["has_begun"] = 0
    episode.live_errors.episode_offset[0] += episode.now[0]["t"] + 1


def has_room(agent: KernelAgent) -> bool:
    """Whether every table has free rows for all that one step may try; they run out only where reach is learnt."""
    for i in range(len(agent.levels.records)):
        if agent.levels.records[i]["learns_reach"]:
            level = level_at(agent.levels, i)
            if level.rows_used[0] + agent.config.n * level.reach > len(level.action):
                return False
    return True


def ending(agent: KernelAgent) -> int:
    """How the episode ended: AT_GOAL, IN_HOLE, or GOES_ON if the step limit ended it."""
    return int(agent.world.ending[agent.episode.now[0]["state"]])
