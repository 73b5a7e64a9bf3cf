"""How levels take turns in a training episode: Algorithm 1 of the paper.

The paper's `Recurse` calls itself; here a loop keeps the same order of turns. The `actor` is the highest level that
must choose now. It and all levels below choose in turn, top down; level 0's choice is the move. After the move, levels
return to their parents, bottom up, while they are done; the first that is not done is the next actor. `learning.py` is
the line "Update Π_i" of Algorithm 1.
"""

import numpy as np

from hierq.agents.choosing import behaviour_chance, choose
from hierq.agents.kernel_agent import KernelAgent, arrive, has_room, is_over, level_0_acts_alone
from hierq.agents.learning import learn
from hierq.agents.world_arrays import draw_successor
from hierq.compiling.decorators import separate
from hierq.compiling.static_choice import StaticChoice
from hierq.tables.level import BOTTOM, Longs
from hierq.tables.level_records import level_at
from hierq.tables.ring_buffer import recall, slot
from hierq.tables.rows import action_value, place_of


@separate
def train_episode(agent: KernelAgent, pause_at: int) -> None:
    """One training episode: Algorithm 1.

        while S ≠ S_goal:
            levels actor … 0 choose, top down:   A^(i) ~ π_i(a | S, S_goal^(i)),  S_goal^(i−1) ← A^(i)
            apply A^(0), observe S'
            n ← n + 1;  levels return to their parents while n = H_i or S' = S_goal^(j) for some j ≥ i
            update Π_i, i = 0 … k − 1

    The paper updates before levels return; either order gives the same tables. We update last, because with executed
    hops a level needs to know which of its actions have ended. The loop pauses at time `pause_at`, or when a table is
    full; the next call continues it.
    """
    config, now = agent.config, agent.episode.now[0]
    while not is_over(now, config.step_limit) and now["t"] < pause_at and has_room(agent):
        choose_all(agent, config.explorer, config.explore_train)
        apply_action(agent)
        return_to_parents(agent)
        learn(agent)


def choose_all(agent: KernelAgent, explorer: StaticChoice, epsilon: float) -> None:
    """The actor and the levels below it choose, top down: each a sub-goal for the next one, level 0 a move."""
    episode, replay = agent.episode, agent.replay
    now = episode.now[0]
    t, state, actor = now["t"], now["state"], now["actor"]
    carry_goals(agent, t)
    goals = episode.goals[slot(episode.goals, t)]
    episode.actors[slot(episode.actors, t)] = actor
    action = BOTTOM  # of the right type
    if len(replay.moves) > 0:
        action = replay.moves[t]
    else:
        for i in range(actor, -1, -1):
            action = choose(agent, explorer, epsilon if i == 0 else 0.0, i, state, goals[i])
            if i > 0:
                goals[i - 1] = action
                episode.turns[i - 1] = 0
                episode.value_when_chosen[i - 1] = value_of_choice(agent, i, state, action, goals[i])
    episode.actions[slot(episode.actions, t)] = action
    if len(episode.chances) > 1:
        keep_chance(agent, t, epsilon)


def carry_goals(agent: KernelAgent, t: int) -> None:
    """Copies each level's goal from the previous step; at t = 0 every level has the environment's goal."""
    all_goals = agent.episode.goals
    goals, before = all_goals[slot(all_goals, t)], all_goals[slot(all_goals, t - 1)]
    for i in range(len(goals)):
        goals[i] = agent.world.goal if t == 0 else before[i]


def keep_chance(agent: KernelAgent, t: int, epsilon: float) -> None:
    """Stores μ(A_t | S_t) for operators that use it; that of a replayed move is unknown and counts as 1."""
    episode, chance = agent.episode, 1.0
    if len(agent.replay.moves) == 0:
        state, goal = episode.now[0]["state"], episode.goals[slot(episode.goals, t), 0]
        action = recall(episode.actions, t)
        chance = behaviour_chance(agent, state, goal, action, epsilon)
    episode.chances[slot(episode.chances, t)] = chance


def value_of_choice(agent: KernelAgent, i: int, state: int, subgoal: int, goal: int) -> float:
    """Q_i(s, a, g) of a sub-goal just chosen, with the precision that the evaluation rule compares it in."""
    level = level_at(agent.levels, i)
    value = action_value(level, state, subgoal, place_of(level, state, level.column[goal]))
    return float(np.float32(value)) if agent.config.published_evaluation else value


def apply_action(agent: KernelAgent) -> None:
    """Applies A^(0) and observes S': the world draws it, or the replayed path has it."""
    episode, replay = agent.episode, agent.replay
    t, state = episode.now[0]["t"], episode.now[0]["state"]
    if len(replay.moves) > 0:
        successor = replay.path[t + 1]
    else:
        successor = draw_successor(agent.world, state, recall(episode.actions, t), agent.rng)
    arrive(agent, successor)


def return_to_parents(agent: KernelAgent) -> None:
    """Levels that have used up their turns, or whose goal or one above it is reached, return to their parents.

    The first level that does not return is the next actor. The top level never returns: Algorithm 1 would call it again
    at once.
    """
    levels, episode = agent.levels.records, agent.episode
    turns, now = episode.turns, episode.now[0]
    goals, state, actor = episode.goals[slot(episode.goals, now["t"] - 1)], now["state"], BOTTOM
    turns[0] += 1
    if not level_0_acts_alone(agent):
        while actor < len(levels) - 1 and (turns[actor] == levels[actor]["horizon"] or is_reached(goals, actor, state)):
            actor += 1
            turns[actor] += 1
    now["actor"] = actor


def is_reached(goals: Longs, i: int, state: int) -> bool:
    """Whether a state is the goal of level i or of a level above."""
    for j in range(i, len(goals)):
        if goals[j] == state:
            return True
    return False
