"""How levels take turns: training episodes (Algorithm 1 of the paper) and evaluation episodes.

The paper's `Recurse` calls itself; here a loop keeps the same order of turns. `actor` is the level that chooses next:
it and the levels below it draw, top down, until level 0 moves. After the move levels return to their parents, bottom
up, as long as one is done; the first that is not becomes the next actor.
"""

from typing import NamedTuple

import numpy as np

from hierq.agents.choosing import Places, choose, value_of
from hierq.agents.compiled import kernel, pasted
from hierq.agents.randomness import Words
from hierq.agents.tables import BOTTOM, Array, Floats, Longs, level_at
from hierq.agents.traces import Errors, trace_backup
from hierq.agents.tree_backup import tree_backup
from hierq.agents.values import Rules, highest_value


class Episode(NamedTuple):
    """The record of the latest episode, and what its steps need room for."""

    states: Longs  # S_0 … S_T
    actions: Longs  # A_0 … A_{T−1}
    moved: Longs  # the states, less those after a blocked move: what the levels above 0 learn from
    moves: Longs  # [1]: number of transitions in `moved`
    goals: Longs  # [T, levels]: where each level was sent when the step was taken
    actors: Longs  # [T]: the highest level that chose before the step was taken
    turns: Longs  # [levels]: own actions a level has taken since it was sent
    promised: Floats  # [levels]: what a level's goal was worth when its parent chose it
    returns: Floats  # room for G
    errors: Errors  # room for δ
    ties: Longs  # room for the actions that tie


@kernel
def train_episode(levels: Array, rules: Rules, places: Places, episode: Episode, rng: Words, moves: Longs) -> int:
    """One training episode: after every step all levels learn. Returns the number of steps.

    An episode is replayed when its moves are given; then nobody chooses.
    """
    begin(places, episode)
    begin_learning(levels, rules, places)
    state, actor, top = places.start, len(levels) - 1, len(levels) - 1
    replayed = len(moves) > 0
    limit = len(moves) if replayed else rules.step_limit
    for t in range(limit):
        carry_goals(places, episode, t)
        goals = episode.goals[t]
        if rules.flat or replayed:
            actor = BOTTOM
        episode.actors[t] = actor
        if replayed:
            action = moves[t]
        else:
            action = act(levels, rules, places, episode, actor, state, goals, rules.explore_train, rng)
        state = places.successors[state, action]
        learn(levels, rules, places, episode, t, action, state)
        if state == places.goal:
            return t + 1
        actor = BOTTOM
        episode.turns[0] += 1
        while actor < top and (episode.turns[actor] == levels[actor]["horizon"] or is_reached(goals, actor, state)):
            actor += 1
            episode.turns[actor] += 1
    return limit


@kernel
def evaluate_episode(levels: Array, rules: Rules, places: Places, episode: Episode, rng: Words) -> int:
    """One episode without learning, in which goals are drawn anew as soon as better ones are known.

    The goal of level i − 1, and of all below, is dropped when it has been reached, when that level has used up its
    turns, or when it is worth less than max_a Q_i(s, a, g_i) now. Published rule: only level 0 runs out of turns, and
    the worth was rounded to single precision. Returns the number of steps.
    """
    begin(places, episode)
    state, actor, top = places.start, len(levels) - 1, len(levels) - 1
    for t in range(rules.step_limit):
        carry_goals(places, episode, t)
        goals = episode.goals[t]
        episode.actors[t] = actor
        action = act(levels, rules, places, episode, actor, state, goals, rules.explore_eval, rng)
        state = places.successors[state, action]
        episode.actions[t] = action
        episode.states[t + 1] = state
        if state == places.goal:
            return t + 1
        actor = BOTTOM
        episode.turns[0] += 1
        for i in range(1, top + 1):
            reached = state == goals[i - 1]
            expires = i == 1 or not rules.published_evaluation
            out_of_turns = expires and episode.turns[i - 1] >= levels[i - 1]["horizon"]
            level = level_at(levels, i)
            outdone = episode.promised[i - 1] < highest_value(level, rules, state, level.column[goals[i]])
            if reached or out_of_turns or outdone:
                actor = i
                episode.turns[i] += 1
    return rules.step_limit


@kernel
def run(
    levels: Array,
    rules: Rules,
    places: Places,
    episode: Episode,
    rng: Words,
    moves: Longs,
    trained: Longs,
    evaluated: Longs,
) -> None:
    """The paper's protocol: a training episode, an evaluation episode, and so on; writes their lengths.

    Either of `trained` and `evaluated` may be empty: then episodes are only evaluated, or only trained. The moves of
    training episodes are given, or empty. (All in one kernel, because each kernel takes long to compile.)
    """
    for e in range(max(len(trained), len(evaluated))):
        if e < len(trained):
            trained[e] = train_episode(levels, rules, places, episode, rng, moves)
        if e < len(evaluated):
            evaluated[e] = evaluate_episode(levels, rules, places, episode, rng)


@pasted
def act(
    levels: Array,
    rules: Rules,
    places: Places,
    episode: Episode,
    actor: int,
    state: int,
    goals: Longs,
    epsilon: float,
    rng: Words,
) -> int:
    """The actor and the levels below it choose, top down: each sends the next one to a sub-goal, level 0 moves."""
    action = BOTTOM
    for i in range(actor, -1, -1):
        action = choose(levels, i, rules, places, state, goals[i], epsilon if i == 0 else 0.0, episode.ties, rng)
        if i > 0:
            goals[i - 1] = action
            episode.turns[i - 1] = 0
            episode.promised[i - 1] = worth(levels, i, rules, state, action, goals[i])
    return action


@pasted
def learn(levels: Array, rules: Rules, places: Places, episode: Episode, t: int, action: int, state: int) -> None:
    """All levels learn from the step just taken, level 0 first.

    Level 0 learns from every step. The levels above see the trace without blocked moves, and their actions are the
    states reached: `moved` shifted by one.
    """
    episode.actions[t] = action
    episode.states[t + 1] = state
    notice(levels, state)
    last = episode.moves[0]
    moved = state != episode.moved[last]
    if moved:
        last += 1
        episode.moved[last] = state
        episode.moves[0] = last
    for i in range(len(levels) if moved else 1):
        states = episode.states if i == 0 else episode.moved
        actions = episode.actions if i == 0 else episode.moved[1:]
        length = t + 1 if i == 0 else last
        if rules.traces:
            trace_backup(levels, i, rules, states, actions, length, episode.returns, episode.errors)
        else:  # at the goal, Tree-Backup catches up on the shorter backups it owes
            for n in range(1 if state == places.goal else rules.n, min(rules.n, length) + 1):
                tree_backup(levels, i, rules, states, actions, length, n, episode.returns)


@pasted
def begin(places: Places, episode: Episode) -> None:
    """Puts the agent at the start of an episode."""
    episode.states[0] = places.start
    episode.moved[0] = places.start
    episode.moves[0] = 0
    episode.turns[:] = 0


@pasted
def begin_learning(levels: Array, rules: Rules, places: Places) -> None:
    """Traces start afresh in each episode."""
    notice(levels, places.start)
    if rules.traces:
        for i in range(len(levels)):
            level_at(levels, i).cut[:] = 0


@pasted
def carry_goals(places: Places, episode: Episode, t: int) -> None:
    """The goals of step t are at first those of the step before; the top level's is always the environment's."""
    for i in range(episode.goals.shape[1]):
        episode.goals[t, i] = places.goal if t == 0 else episode.goals[t - 1, i]


@pasted
def notice(levels: Array, state: int) -> None:
    """Gives a state its column at first sight; levels that learn about every goal share their columns."""
    level = level_at(levels, BOTTOM)
    if level.conditioned and level.column[state] < 0:
        level.column[state] = level.known[0]
        level.known[0] += 1


@pasted
def is_reached(goals: Longs, i: int, state: int) -> bool:
    """Whether a state is the goal of level i or of a level above."""
    for j in range(i, len(goals)):
        if goals[j] == state:
            return True
    return False


@pasted
def worth(levels: Array, i: int, rules: Rules, state: int, subgoal: int, goal: int) -> float:
    """Q_i(s, a, g) of a sub-goal just chosen, as the evaluation rule remembers it."""
    level = level_at(levels, i)
    value = value_of(level, state, subgoal, level.column[goal])
    return float(np.float32(value)) if rules.published_evaluation else value
