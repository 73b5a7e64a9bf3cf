"""The episode under way: how far it is, its last steps, and what its backups need room for."""

import math
from typing import NamedTuple

import numpy as np

from hierq.tables import aligned
from hierq.agents.config import AgentConfig, Traces, TreeBackup
from hierq.tables.ring_buffer import ring_length
from hierq.tables.rows import Returns, room_for_returns
from hierq.tables.level import CUT_OFF, Array, Floats, Level, Longs
from hierq.agents.estimators.traces import Errors

REMEMBERED = 100_000  # steps of an episode that are kept to be looked at, even if no backup needs them any more
NOW = np.dtype(
    [
        ("begun", np.int64),  # whether an episode is under way
        ("chosen", np.int64),  # whether the next move is chosen, but not yet made
        ("time", np.int64),  # steps that were made
        ("state", np.int64),
        ("actor", np.int64),  # the level that chooses next
    ],
    align=True,
)


class Episode(NamedTuple):
    """The record of the latest episode, and what its steps need room for. Arrays over time are rings."""

    now: Array  # one record of type NOW
    states: Longs  # S_0 … S_T
    actions: Longs  # A_0 … A_{T−1}
    moved: Longs  # the states, less those after a blocked move: what the levels above 0 learn from
    hindsight: Longs  # their actions: the states they got to
    moves: Longs  # [1]: number of transitions in `moved`
    goals: Longs  # [T, levels]: where each level was sent when the step was taken
    actors: Longs  # [T]: the highest level that chose before the step was taken
    turns: Longs  # [levels]: own actions a level has taken since it was sent
    promised: Floats  # [levels]: what a level's goal was worth when its parent chose it
    returns: Returns  # room for G
    errors: Errors  # room for δ
    ties: Longs  # room for the actions that tie


def hops_alive(config: AgentConfig) -> int:
    """Hops after which nothing of an error is left: the depth of a Tree-Backup, or the life of a trace."""
    if isinstance(config.backup, TreeBackup):
        return config.backup.n
    fade = config.backup.decay * config.discount if isinstance(config.backup, Traces) else 0.0
    if fade == 1:
        return config.step_limit
    return 1 if fade <= CUT_OFF else math.ceil(math.log(CUT_OFF) / math.log(fade)) + 1


def steps_kept(config: AgentConfig) -> int:
    """Steps of an episode that have to be kept: what is alive in the backups, and a good deal to be looked at."""
    alive = (hops_alive(config) + 1) * max(config.hops) + 1
    return ring_length(min(config.step_limit, max(alive, REMEMBERED)) + 1)


def episode_bytes(config: AgentConfig) -> int:
    """Bytes of the record of an episode."""
    return 8 * steps_kept(config) * (config.levels + 5)


def fresh_episode(config: AgentConfig, levels: tuple[Level, ...]) -> Episode:
    """Room for one episode and for the backups of its steps."""
    kept, width = steps_kept(config), max(level.q.shape[1] for level in levels)
    columns = max(len(level.column) if level.local else level.q.shape[1] for level in levels)
    most_actions = max(level.legal.shape[1] for level in levels)
    return Episode(
        now=aligned.zeros(1, NOW),
        states=aligned.empty(kept, np.int64),
        actions=aligned.empty(kept, np.int64),
        moved=aligned.empty(kept, np.int64),
        hindsight=aligned.empty(kept, np.int64),
        moves=aligned.zeros(1, np.int64),
        goals=aligned.empty((kept, config.levels), np.int64),
        actors=aligned.empty(kept, np.int64),
        turns=aligned.zeros(config.levels, np.int64),
        promised=aligned.zeros(config.levels),
        returns=room_for_returns(columns, levels[0].local, levels[0].q.dtype),
        errors=Errors(
            goal=aligned.zeros(width + 1, np.int64),
            delta=aligned.zeros(width + 8),
            weight=aligned.zeros(width + 1),
            clock=aligned.zeros(1, np.int64),
            dawn=aligned.zeros(1, np.int64),
        ),
        ties=aligned.zeros(most_actions + 1, np.int64),
    )
