"""How far an agent is from the exact values and the best policy of its world; for curves of errors while it learns.

All measures are about level 0 and the environment's goal, whatever the number of levels. The actions of level 0 are the
world's moves, and every step costs one factor γ, so `best_values` computes its exact values. The values of the levels
above count hops of several steps; the world has no exact values for them.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.tables.queries import all_action_values, ties
from hierq.worlds import best_values, policy_values, unreachable
from hierq.worlds.layout import GOES_ON

if TYPE_CHECKING:
    from hierq.agents.agent import Agent


def value_error(agent: "Agent") -> float:
    """How wrong the values of level 0 are: the root mean square of max_a Q_0(s, a, goal) − V*(s).

    The mean gives equal weight to all states that an episode can visit before its end.

    Raises:
        InputError: the agent learns from penalties, so its values count steps.
    """
    if agent.config.pseudo_reward != "binary":
        raise InputError(
            "value_error compares with values of a binary reward, and this agent's count steps; take value_lost, which "
            "looks at the policy"
        )
    visited = agent.world.ending == GOES_ON
    visited[unreachable(agent.world)] = False
    wrong = agent.values(0)[visited] - best_values(agent.world, agent.config.discount)[visited]
    return float(np.sqrt(np.mean(wrong**2)))


def greedy_moves(agent: "Agent") -> npt.NDArray[np.float64]:
    """The greedy policy of level 0 towards the environment's goal, as probabilities [states, actions].

    Moves that tie share the probability equally, as they do when the agent acts; so do all moves where nothing was
    learnt.
    """
    likely = np.zeros((agent.world.states, agent.world.actions))
    for states, _, values in all_action_values(agent.levels[0], agent.world.goal):
        tied = ties(values, agent.config.tie_tolerance)
        likely[states] = tied / tied.sum(axis=1, keepdims=True)
    return likely


def value_lost(agent: "Agent", discount: float | None = None) -> float:
    """How much less the greedy policy of level 0 is worth than the best: V*(S_0) − V(S_0), averaged over the starts.

    Args:
        agent: the agent.
        discount: γ of these values; the agent's own if left out.
    """
    world, gamma = agent.world, agent.config.discount if discount is None else discount
    lost = best_values(world, gamma) - policy_values(world, greedy_moves(agent), gamma)
    return max(0.0, float(world.start_chances @ lost[world.starts]))  # below 0 by rounding at most
