"""The episode under way: how far it is, its last steps, and what its backups need room for."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hierq.agents.estimators.traces import LiveErrors
from hierq.tables import aligned
from hierq.tables.level import Array, Floats, Level, Longs
from hierq.tables.rows import Returns, room_for_returns

if TYPE_CHECKING:
    from hierq.agents.config import AgentConfig

NOW = np.dtype(
    [
        ("has_begun", np.int64),  # whether an episode is under way
        ("has_chosen", np.int64),  # whether the next move is chosen, but not yet made
        ("t", np.int64),  # steps that were made
        ("state", np.int64),
        ("actor", np.int64),  # the level that chooses next
    ],
    align=True,
)


class Episode(NamedTuple):
    """The record of the latest episode, and what its steps need room for. Arrays over time are ring buffers."""

    now: Array  # one record of type NOW
    states: Longs  # S_0 … S_T
    actions: Longs  # A_0 … A_{T−1}
    upper_states: Longs  # the states, less those after a blocked move: what the levels above 0 learn from
    upper_actions: Longs  # their actions: the states they got to
    upper_length: Longs  # [1]: number of transitions in `upper_states`
    goals: Longs  # [T, levels]: where each level was sent when the step was taken
    actors: Longs  # [T]: the highest level that chose before the step was taken
    turns: Longs  # [levels]: n of Algorithm 1, the own actions a level has taken since it was sent
    value_when_chosen: Floats  # [levels]: what a level's goal was worth when its parent chose it
    returns: Returns  # room for G
    live_errors: LiveErrors  # room for δ and Z
    ties: Longs  # room for the actions that tie


def make_episode(config: "AgentConfig", levels: tuple[Level, ...]) -> Episode:
    """Room for one episode and for the backups of its steps."""
    kept, width = config.steps_kept, max(level.q.shape[1] for level in levels)
    is_local = levels[0].kind.label == "local"
    columns = max(len(level.column) if is_local else level.q.shape[1] for level in levels)
    most_actions = max(level.legal.shape[1] for level in levels)
    return Episode(
        now=aligned.zeros(1, NOW),
        states=aligned.empty(kept, np.int64),
        actions=aligned.empty(kept, np.int64),
        upper_states=aligned.empty(kept, np.int64),
        upper_actions=aligned.empty(kept, np.int64),
        upper_length=aligned.zeros(1, np.int64),
        goals=aligned.empty((kept, config.levels), np.int64),
        actors=aligned.empty(kept, np.int64),
        turns=aligned.zeros(config.levels, np.int64),
        value_when_chosen=aligned.zeros(config.levels),
        returns=room_for_returns(columns, is_local, levels[0].q.dtype),
        live_errors=LiveErrors(
            goal=aligned.zeros(width + 1, np.int64),
            delta=aligned.zeros(width + 8),
            z=aligned.zeros(width + 1),
            backups=aligned.zeros(1, np.int64),
            episode_offset=aligned.zeros(1, np.int64),
        ),
        ties=aligned.zeros(most_actions + 1, np.int64),
    )
