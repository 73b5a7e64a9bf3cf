"""How levels take turns: training episodes (Algorithm 1 of the paper) and evaluation episodes.

The paper's `Recurse` calls itself; here a loop keeps the same order of turns. `actor` is the highest level that chooses
next: it and the levels below it choose, top down, until level 0 moves. After the move levels return to their parents,
bottom up, as long as one is done; the first that is not becomes the next actor. `learning.py` says how levels learn.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

import hierq.agents.rivals.built_in  # noqa: F401  # whose functions kernels are compiled with
from hierq.agents.choosing import (
    Decision,
    action_value,
    asks_for_chances,
    behaviour_chance,
    choose,
    counts_visits,
    remembers_successors,
    updates_optimism,
)
from hierq.agents.estimators.values import highest_value
from hierq.agents.explorers import optimistic_value
from hierq.agents.kernel_agent import UNFINISHED, KernelAgent, begin, end, ending, has_room, suspend
from hierq.agents.kernel_config import EPSILON
from hierq.agents.learning import begin_learning, learn, learn_backward
from hierq.agents.replay_input import ReplayInput
from hierq.agents.world_arrays import GOES_ON, IN_HOLE, draw_successor
from hierq.compiling.decorators import JIT, kernel, pasted, separate
from hierq.compiling.static_choice import StaticChoice, usable_in_kernels
from hierq.tables.level import BOTTOM, Longs, level_at
from hierq.tables.ring_buffer import recall, slot
from hierq.tables.rows import place_of

usable_in_kernels(optimistic_value)


@separate
def train_episode(agent: KernelAgent, replay: ReplayInput, patience: int) -> int:
    """One training episode (Algorithm 1): after every step all levels learn. Given moves are replayed.

        while S ≠ S_goal:
            levels actor … 0 choose, top down:     A^(i) ~ π_i(a | S, S_goal^(i)),  S_goal^(i−1) ← A^(i)
            apply A^(0), observe S'
            all levels learn
            levels return to their parents while n = H_i or S' = S_goal^(j) for some j ≥ i;  n ← n + 1 of the parent

    Returns:
        The number of steps, or UNFINISHED if it was left: after as many steps as `patience`, when a table is full, or
        when a move is to be made outside.
    """
    now, config = agent.episode.now[0], agent.config
    if not now["has_begun"]:
        begin(agent, replay)
        begin_learning(agent, replay)
    t, state, actor = now["t"], now["state"], now["actor"]
    limit = len(replay.moves) if len(replay.moves) > 0 else config.step_limit
    suspend_at, has_ended = t + patience, now["is_over"] != 0
    while t < limit and not has_ended:
        if not now["has_chosen"]:
            if t == suspend_at or not has_room(agent):  # `suspend` is no part of Algorithm 1
                return suspend(agent, t, state, actor, False)
            if config.flat or len(replay.moves) > 0:  # the behaviour policy is π_0, towards the environment's goal
                actor = BOTTOM
            choose_all(agent, replay, t, state, actor, config.explorer, config.explore_train)
            if replay.outside:
                return suspend(agent, t, state, actor, True)
        before, state = state, move(agent, replay, t, state)
        count_move(agent, replay, t, before, state)
        actor = return_to_parents(agent, t, state)
        has_ended = agent.world.ending[state] != GOES_ON  # S = S_goal, or in a hole
        learn(agent, t, state, actor, has_ended)
        t += 1
        if replay.is_cut_short:
            break
    if not learn_backward(config, agent, t, patience):
        now["is_over"] = 1
        return suspend(agent, t, state, actor, False)
    return end(agent, t)


@pasted
def choose_all(
    agent: KernelAgent, replay: ReplayInput, t: int, state: int, actor: int, explorer: StaticChoice, epsilon: float
) -> None:
    """The actor and the levels below it choose, top down: each sends the next one to a sub-goal, level 0 moves."""
    episode = agent.episode
    carry_goals(agent, t)
    goals = episode.goals[slot(episode.goals, t)]
    episode.actors[slot(episode.actors, t)] = actor
    action = BOTTOM  # of the right type
    if len(replay.moves) > 0:
        action = replay.moves[t]
        if asks_for_chances(agent.config.estimator) and len(episode.chances) > 1:
            episode.chances[slot(episode.chances, t)] = 1.0
    else:
        for i in range(actor, -1, -1):
            decision = Decision(explorer, epsilon if i == 0 else 0.0, i, state, goals[i])
            action = choose(agent.levels, agent.config, agent.world, decision, agent.counts, episode.ties, agent.rng)
            if i > 0:
                goals[i - 1] = action
                episode.turns[i - 1] = 0
                episode.value_when_chosen[i - 1] = worth(agent, i, state, action, goals[i])
        if asks_for_chances(agent.config.estimator) and len(episode.chances) > 1:
            chance = behaviour_chance(agent.levels, agent.config, state, goals[0], action, epsilon, episode.ties)
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
def move(agent: KernelAgent, replay: ReplayInput, t: int, state: int) -> int:
    """Makes the move that was chosen, and returns the state it leads to.

    It is made in the world, or along the path of a replay, or outside, where it was made already.
    """
    episode = agent.episode
    if replay.outside:
        successor = replay.path[0]
    elif len(replay.moves) > 0:
        successor = replay.path[t + 1]
    else:
        successor = draw_successor(agent.world, state, recall(episode.actions, t), agent.rng)
    episode.now[0]["has_chosen"] = 0
    episode.states[slot(episode.states, t + 1)] = successor
    return int(successor)


@pasted
def count_move(agent: KernelAgent, replay: ReplayInput, t: int, state: int, successor: int) -> None:
    """Counts the move just made, if the explorer asks for it, unless it was replayed.

    A kernel for any explorer can count everything; of what this one does not ask for there is an array of one entry.
    """
    if len(replay.moves) > 0:
        return
    counts, action = agent.counts, recall(agent.episode.actions, t)
    if remembers_successors(agent.config.explorer) and len(counts.successors) > 1:
        counts.successors[state, action] = successor
    if counts_visits(agent.config.explorer) and len(counts.visits) > 1:
        counts.visits[successor] += 1
    if updates_optimism(agent.config.explorer) and len(counts.optimism) > 1:
        counts.optimism[state, action] = optimistic_value(
            counts.optimism, successor, agent.world.ending[successor] == IN_HOLE
        )


@pasted
def return_to_parents(agent: KernelAgent, t: int, state: int) -> int:
    """Levels that have used up their turns, or whose goal or one above it is reached, return to their parents.

    Returns:
        The highest level that chooses next.
    """
    levels, turns = agent.levels.records, agent.episode.turns
    goals, actor = agent.episode.goals[slot(agent.episode.goals, t)], BOTTOM
    turns[0] += 1
    # The top level never returns: Algorithm 1 would call it again at once.
    while actor < len(levels) - 1 and (turns[actor] == levels[actor]["horizon"] or is_reached(goals, actor, state)):
        actor += 1
        turns[actor] += 1
    return actor


@pasted
def is_reached(goals: Longs, i: int, state: int) -> bool:
    """Whether a state is the goal of level i or of a level above."""
    for j in range(i, len(goals)):
        if goals[j] == state:
            return True
    return False


@separate
def evaluate_episode(agent: KernelAgent, replay: ReplayInput, patience: int) -> int:
    """One episode without learning, in which goals are drawn anew as soon as better ones are known.

    Returns:
        The number of steps, or UNFINISHED as `train_episode` does.
    """
    now, config = agent.episode.now[0], agent.config
    if not now["has_begun"]:
        begin(agent, replay)
    t, state, actor = now["t"], now["state"], now["actor"]
    suspend_at, has_ended = t + patience, False
    while t < config.step_limit and not has_ended:
        if not now["has_chosen"]:
            if t == suspend_at:
                return suspend(agent, t, state, actor, False)
            choose_all(agent, replay, t, state, actor, EPSILON, config.explore_eval)
            if replay.outside:
                return suspend(agent, t, state, actor, True)
        state = move(agent, replay, t, state)
        actor = resample_from(agent, t, state)
        has_ended = agent.world.ending[state] != GOES_ON
        t += 1
    return end(agent, t)


@pasted
def resample_from(agent: KernelAgent, t: int, state: int) -> int:
    """The highest level whose choice is drawn anew in evaluation; all below it draw anew, too.

    The goal of level i − 1 is drawn anew when it has been reached, when that level has used up its turns, or when it
    was worth less, on being chosen, than max_a Q_i(s, a, g_i) is now. In the published program only level 0 runs out
    of turns, and what a goal was worth was rounded to single precision.
    """
    levels, config, turns = agent.levels, agent.config, agent.episode.turns
    goals, actor = agent.episode.goals[slot(agent.episode.goals, t)], BOTTOM
    turns[0] += 1
    for i in range(1, len(levels.records)):
        reached = state == goals[i - 1]
        expires = i == 1 or not config.published_evaluation
        out_of_turns = expires and turns[i - 1] >= levels.records[i - 1]["horizon"]
        level = level_at(levels, i)
        place = place_of(level, state, level.column[goals[i]])
        outdone = agent.episode.value_when_chosen[i - 1] < highest_value(level, config, state, place)
        if reached or out_of_turns or outdone:
            actor = i
            turns[i] += 1
    return actor


@pasted
def worth(agent: KernelAgent, i: int, state: int, subgoal: int, goal: int) -> float:
    """Q_i(s, a, g) of a sub-goal just chosen, as the evaluation rule remembers it."""
    level = level_at(agent.levels, i)
    value = action_value(level, state, subgoal, place_of(level, state, level.column[goal]))
    return float(np.float32(value)) if agent.config.published_evaluation else value


@kernel
def run(agent: KernelAgent, replay: ReplayInput, patience: int, trained: Longs, evaluated: Longs, done: Longs) -> None:
    """The paper's protocol: a training episode, an evaluation episode, and so on; writes their lengths and endings.

    `trained` and `evaluated` are arrays [episodes, 2]; either may be empty: then episodes are only evaluated, or only
    trained. `done` counts the episodes of either kind that are finished; when one is left unfinished, so is this, and
    the next call goes on.
    (All in one kernel, because each kernel takes long to compile.)
    """
    while done[0] < len(trained) or done[1] < len(evaluated):
        if done[0] < len(trained) and (done[0] <= done[1] or len(evaluated) == 0):
            steps = train_episode(agent, replay, patience)
            if steps == UNFINISHED:
                return
            trained[done[0], 0], trained[done[0], 1] = steps, ending(agent, steps)
            done[0] += 1
        else:
            steps = evaluate_episode(agent, replay, patience)
            if steps == UNFINISHED:
                return
            evaluated[done[1], 0], evaluated[done[1], 1] = steps, ending(agent, steps)
            done[1] += 1


_entry_points: dict[str, Callable[..., None]] = {}


def kernel_for(kind: str, arguments: tuple[Any, ...]) -> Callable[..., None]:
    """`run`, compiled for the types of some arguments, which are the same for all agents of a kind.

    Numba looks at the types again in each call otherwise, which takes longer than a short episode.
    """
    if not JIT:
        return run
    if kind not in _entry_points:
        _entry_points[kind] = run.compile(tuple(numba.typeof(argument) for argument in arguments))  # type: ignore[attr-defined]
    return _entry_points[kind]
