"""The current episode: how far it is, its last steps, and room for its backups.

The record `now` says where an episode stands. So a kernel may return to Python between two steps, and the next call
goes on from there: to respond to Ctrl-C, to enlarge a table, or to step an environment that is written in Python.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hierq.agents.estimators.eligibility import LiveErrors
from hierq.agents.estimators.hops import HopRoom
from hierq.tables import aligned
from hierq.tables.level import Array, Floats, Level, Longs
from hierq.tables.rows import Returns, room_for_returns
from hierq.tables.shapes import ring_length

if TYPE_CHECKING:
    from hierq.agents.config import AgentConfig

NOW = np.dtype(
    [
        ("has_begun", np.int64),  # 1 from the start of an episode to its end
        ("has_ended", np.int64),  # 1 when the last move led to the goal or into a hole
        ("t", np.int64),  # number of moves so far
        ("state", np.int64),  # S_t
        ("actor", np.int64),  # the highest level that chooses before the next move
        ("levels_left", np.int64),  # levels that have not yet learnt backward from the episode
        ("steps_left", np.int64),  # steps from which the level above those has yet to learn backward
    ],
    align=True,
)


class Episode(NamedTuple):
    """The record of the latest episode, and room for its backups. Arrays over time are ring buffers."""

    now: Array  # one record of type NOW
    states: Longs  # S_0 … S_T
    actions: Longs  # A_0 … A_{T−1}
    chances: Floats  # μ(A_t | S_t), if an operator asks for it
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
    ties: Longs  # room for the actions that tie


def make_episode(config: "AgentConfig", levels: tuple[Level, ...]) -> Episode:
    """Room for one episode and for the backups of its steps."""
    kept, width = config.steps_kept, max(level.q.shape[1] for level in levels)
    is_local = levels[0].kind.label == "local"
    columns = max(len(level.column) if is_local else level.q.shape[1] for level in levels)
    most_actions = max(level.legal.shape[1] for level in levels)
    uppers = max(1, config.levels - 1) if config.backup.hops == "executed" else 1
    h, joins = config.longest_hop, config.backup.kernel_joins
    returns = room_for_returns(columns, is_local, levels[0].q.dtype)
    return Episode(
        now=aligned.zeros(1, NOW),
        states=aligned.empty(kept, np.int64),
        actions=aligned.empty(kept, np.int64),
        chances=np.ones(kept if config.backup.asks_for_chances else 1),
        upper_states=aligned.empty((uppers, kept), np.int64),
        upper_actions=aligned.empty((uppers, kept), np.int64),
        upper_length=aligned.zeros(uppers, np.int64),
        certain=np.ones(1),
        goals=aligned.empty((kept, config.levels), np.int64),
        actors=aligned.empty(kept, np.int64),
        turns=aligned.zeros(config.levels, np.int64),
        value_when_chosen=aligned.zeros(config.levels),
        returns=returns,
        hop_room=HopRoom(
            returns=returns,
            path=aligned.zeros(min(kept, h * (config.backup.depth - 1)) + 2, np.int64),
            ends=aligned.zeros((ring_length(h + 1), columns) if joins else (1, 1), levels[0].q.dtype),
            begun=aligned.zeros(columns if joins else 1, levels[0].q.dtype),
            paths=aligned.zeros(ring_length(h + 1) if joins else 1),
        ),
        live_errors=LiveErrors(
            goal=aligned.zeros(width + 1, np.int64),
            delta=aligned.zeros(width + 8),
            z=aligned.zeros(width + 1),
            backups=aligned.zeros(1, np.int64),
            rows=aligned.zeros(1, np.int64),
            episode_offset=aligned.zeros(1, np.int64),
        ),
        ties=aligned.zeros(most_actions + 1, np.int64),
    )
