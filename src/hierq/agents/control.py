"""How levels take turns: training episodes (Algorithm 1 of the paper) and evaluation episodes.

The paper's `Recurse` calls itself; here a loop keeps the same order of turns. The `actor` is the highest level that
chooses next: it and the levels below it choose, top down, and level 0 moves. After the move, levels return to their
parents, bottom up, while they are done; the first that is not done is the next actor. `learning.py` is the line
"Update Π_i" of Algorithm 1.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

import hierq.agents.rivals.built_in  # noqa: F401  # whose functions kernels are compiled with
from hierq.agents.choosing import Decision, action_value, behaviour_chance, choose
from hierq.agents.estimators.values import highest_value
from hierq.agents.kernel_agent import (
    KernelAgent,
    arrive,
    begin,
    end,
    ending,
    has_room,
    is_over,
    level_0_acts_alone,
)
from hierq.agents.kernel_config import EPSILON
from hierq.agents.learning import begin_learning, learn, learn_backward
from hierq.agents.world_arrays import draw_successor
from hierq.compiling.decorators import JIT, kernel, pasted, separate
from hierq.compiling.static_choice import StaticChoice, asks_for
from hierq.tables.level import BOTTOM, Longs, level_at
from hierq.tables.ring_buffer import recall, slot
from hierq.tables.rows import place_of


@separate
def train_episode(agent: KernelAgent, pause_at: int) -> None:
    """One training episode: Algorithm 1.

        while S ≠ S_goal:
            levels actor … 0 choose, top down:   A^(i) ~ π_i(a | S, S_goal^(i)),  S_goal^(i−1) ← A^(i)
            apply A^(0), observe S'
            n ← n + 1;  levels return to their parents while n = H_i or S' = S_goal^(j) for some j ≥ i
            update Π_i, i = 0 … k − 1

    The paper updates first; the tables are the same, and a level that learns from its own actions needs to know which
    of them have ended. The loop pauses at time `pause_at`, or when a table is full; the next call goes on.
    """
    config, now = agent.config, agent.episode.now[0]
    while not is_over(now, config.step_limit) and now["t"] < pause_at and has_room(agent):
        choose_all(agent, config.explorer, config.explore_train)
        apply_action(agent)
        return_to_parents(agent)
        learn(agent)


@pasted
def choose_all(agent: KernelAgent, explorer: StaticChoice, epsilon: float) -> None:
    """The actor and the levels below it choose, top down: each sends the next one to a sub-goal, level 0 moves."""
    episode, config, replay = agent.episode, agent.config, agent.replay
    now = episode.now[0]
    t, state, actor = now["t"], now["state"], now["actor"]
    carry_goals(agent, t)
    goals = episode.goals[slot(episode.goals, t)]
    episode.actors[slot(episode.actors, t)] = actor
    action, chance = BOTTOM, 1.0  # of the right types
    if len(replay.moves) > 0:
        action = replay.moves[t]
    else:
        for i in range(actor, -1, -1):
            decision = Decision(explorer, epsilon if i == 0 else 0.0, i, state, goals[i])
            action = choose(agent.levels, config, agent.world, decision, agent.counts, episode.ties, agent.rng)
            if i > 0:
                goals[i - 1] = action
                episode.turns[i - 1] = 0
                episode.value_when_chosen[i - 1] = value_of_choice(agent, i, state, action, goals[i])
        if asks_for(config.estimator, "mu") and len(episode.chances) > 1:
            chance = behaviour_chance(agent.levels, config, state, goals[0], action, epsilon, episode.ties)
    if asks_for(config.estimator, "mu") and len(episode.chances) > 1:
        episode.chances[slot(episode.chances, t)] = chance
    episode.actions[slot(episode.actions, t)] = action


@pasted
def carry_goals(agent: KernelAgent, t: int) -> None:
    """The goals of a step are at first those of the step before; the top level's is always the environment's."""
    all_goals = agent.episode.goals
    goals, before = all_goals[slot(all_goals, t)], all_goals[slot(all_goals, t - 1)]
    for i in range(len(goals)):
        goals[i] = agent.world.goal if t == 0 else before[i]


@pasted
def apply_action(agent: KernelAgent) -> None:
    """Applies A^(0) and observes S': the world draws it, or the replayed path has it."""
    episode, replay = agent.episode, agent.replay
    t, state = episode.now[0]["t"], episode.now[0]["state"]
    if len(replay.moves) > 0:
        successor = replay.path[t + 1]
    else:
        successor = draw_successor(agent.world, state, recall(episode.actions, t), agent.rng)
    arrive(agent, successor)


@pasted
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


@pasted
def is_reached(goals: Longs, i: int, state: int) -> bool:
    """Whether a state is the goal of level i or of a level above."""
    for j in range(i, len(goals)):
        if goals[j] == state:
            return True
    return False


@separate
def evaluate_episode(agent: KernelAgent, pause_at: int) -> None:
    """One episode without learning, in which levels choose anew as soon as they know something better."""
    config, now = agent.config, agent.episode.now[0]
    while not is_over(now, config.step_limit) and now["t"] < pause_at:
        choose_all(agent, EPSILON, config.explore_eval)
        apply_action(agent)
        choose_anew(agent)


@pasted
def choose_anew(agent: KernelAgent) -> None:
    """The next actor of an evaluation episode: the highest level that chooses anew; all levels below it do, too.

    Level i chooses the goal of level i − 1 anew when that goal is reached, when level i − 1 has used up its turns, or
    when the goal's value was lower, on being chosen, than max_a Q_i(s, a, g_i) is now. In the published program only
    level 0 runs out of turns, and the value of a goal was rounded to single precision.
    """
    levels, config, episode = agent.levels, agent.config, agent.episode
    turns, now = episode.turns, episode.now[0]
    goals, state, actor = episode.goals[slot(episode.goals, now["t"] - 1)], now["state"], BOTTOM
    turns[0] += 1
    for i in range(1, len(levels.records)):
        reached = state == goals[i - 1]
        expires = i == 1 or not config.published_evaluation
        out_of_turns = expires and turns[i - 1] >= levels.records[i - 1]["horizon"]
        level = level_at(levels, i)
        place = place_of(level, state, level.column[goals[i]])
        outdone = episode.value_when_chosen[i - 1] < highest_value(level, config, state, place)
        if reached or out_of_turns or outdone:
            actor = i
            turns[i] += 1
    now["actor"] = actor


@pasted
def value_of_choice(agent: KernelAgent, i: int, state: int, subgoal: int, goal: int) -> float:
    """Q_i(s, a, g) of a sub-goal just chosen, as the evaluation rule remembers it."""
    level = level_at(agent.levels, i)
    value = action_value(level, state, subgoal, place_of(level, state, level.column[goal]))
    return float(np.float32(value)) if agent.config.published_evaluation else value


@kernel
def run(agent: KernelAgent, steps: int, trained: Longs, evaluated: Longs, done: Longs) -> None:
    """The paper's protocol: a training episode, an evaluation episode, and so on; writes their lengths and endings.

    It returns when all episodes are over, when an episode has taken this many steps since the call, or when a table is
    full; the next call goes on. All of it is one kernel, because each kernel takes long to compile.

    Args:
        agent: the agent.
        steps: steps of an episode after which the kernel returns to Python.
        trained: array [episodes, 2], for the lengths and endings of training episodes; empty for evaluation alone.
        evaluated: the same for evaluation episodes.
        done: array [2], the number of finished training and evaluation episodes.
    """
    now, config = agent.episode.now[0], agent.config
    while done[0] < len(trained) or done[1] < len(evaluated):
        is_training = done[0] < len(trained) and (done[0] <= done[1] or len(evaluated) == 0)
        if not now["has_begun"]:
            begin(agent, is_training)
            if is_training:
                begin_learning(agent)
        if is_training:
            train_episode(agent, now["t"] + steps)
            if not is_over(now, config.step_limit) or not learn_backward(config, agent, steps):
                return
            trained[done[0], 0], trained[done[0], 1] = now["t"], ending(agent)
            done[0] += 1
        else:
            evaluate_episode(agent, now["t"] + steps)
            if not is_over(now, config.step_limit):
                return
            evaluated[done[1], 0], evaluated[done[1], 1] = now["t"], ending(agent)
            done[1] += 1
        end(agent)


@kernel
def step_outside(agent: KernelAgent, is_training: bool, has_moved: bool, is_last: bool) -> bool:
    """One step of an episode in an environment that only Python can step.

    All levels learn from the last move, and choose the next one. The first call begins the episode.

    Args:
        agent: the agent; the only state in `agent.replay.path` is where the environment now is.
        is_training: whether the agent learns.
        has_moved: whether the environment has made the move that was chosen by the call before.
        is_last: whether that move ended the episode.

    Returns:
        Whether the step is complete. Learning backward stops when a table is full; the next call goes on.
    """
    now, config = agent.episode.now[0], agent.config
    if not now["has_begun"]:
        begin(agent, is_training)
        if is_training:
            begin_learning(agent)
    if has_moved:
        arrive(agent, agent.replay.path[0])
        if is_training:
            return_to_parents(agent)
            learn(agent)
        else:
            choose_anew(agent)
    if is_last:
        if is_training and not learn_backward(config, agent, config.step_limit):
            return False
        end(agent)
    elif is_training:
        choose_all(agent, config.explorer, config.explore_train)
    else:
        choose_all(agent, EPSILON, config.explore_eval)
    return True


_entry_points: dict[str, Callable[..., Any]] = {}


def kernel_for(entry: Callable[..., Any], kind: str, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """A kernel, compiled for the types of some arguments, which are the same for all agents of a kind.

    Numba looks at the types again in each call otherwise, which takes longer than a short episode.
    """
    if not JIT:
        return entry
    if kind not in _entry_points:
        _entry_points[kind] = entry.compile(tuple(numba.typeof(argument) for argument in arguments))  # type: ignore[attr-defined]
    return _entry_points[kind]
