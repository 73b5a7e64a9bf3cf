"""Whether an agent's choices in an episode came from what it had learnt, or from luck."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hierq.agents.agent import Agent
    from hierq.agents.recorded_episode import RecordedEpisode


def is_informed(agent: "Agent", walk: "RecordedEpisode") -> bool:
    """Whether every choice of every level had a learnt value, or was the goal itself."""
    for i, level in enumerate(agent._tables.levels):
        chose = walk.actors >= i
        states, goals = walk.states[:-1][chose], walk.goals[chose, i]
        actions = walk.actions[chose] if i == 0 else walk.goals[chose, i - 1]
        rows, columns = level.row[actions, states], level.column[goals]
        entries = level.q[np.maximum(rows, 0), np.maximum(columns, 0)]
        from_the_best = level.start_value == level.goal_entry
        was_learnt = entries < level.start_value if from_the_best else entries > level.start_value
        is_known = (rows >= 0) & (columns >= 0) & was_learnt
        if from_the_best:  # arriving costs 0, which is also the start value of what was never tried
            was_tried = (rows >= 0) & (level.q[np.maximum(rows, 0)] != level.start_value).any(axis=1)
            is_known |= was_tried & (walk.states[1:][chose] == goals)
        if not (is_known | ((actions == goals) & (i > 0))).all():
            return False
    return True
