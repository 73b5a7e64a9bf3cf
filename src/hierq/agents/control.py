"""How levels take turns: training episodes (Algorithm 1 of the paper) and evaluation episodes.

The paper's `Recurse` calls itself; here a loop keeps the same order of turns. `actor` is the level that chooses next:
it and the levels below it draw, top down, until level 0 moves. After the move levels return to their parents, bottom
up, as long as one is done; the first that is not becomes the next actor.

An episode can be left after any step and taken up again: so that Ctrl-C is heard in a long one, tables can grow, and
moves can be made by an environment that only Python knows.
"""

from typing import NamedTuple

import numpy as np

from hierq.agents.choosing import action_value, choose
from hierq.tables.compiled import kernel, pasted, separate
from hierq.agents.episode import Episode
from hierq.agents.world_arrays import GOES_ON, Places, draw_start, draw_successor
from hierq.agents.randomness import Words
from hierq.tables.ring_buffer import recall, turn
from hierq.tables.rows import place_of
from hierq.tables.level import BOTTOM, AnyLevels, Longs, level_at
from hierq.agents.estimators.traces import trace_backup
from hierq.agents.estimators.hops import tree_backup
from hierq.agents.estimators.values import Rules, highest_value

UNFINISHED: int = np.int64(-1)  # type: ignore[assignment]  # as for BOTTOM


class Given(NamedTuple):
    """What is not left to the agent and its world."""

    moves: Longs  # the actions of an episode that is replayed, or nothing
    path: Longs  # the states it goes through; or, if the world is outside, the one that the last move led to
    outside: bool  # whether moves are made in Python: an episode is left whenever one is chosen


@separate
def train_episode(
    levels: AnyLevels, rules: Rules, places: Places, episode: Episode, given: Given, rng: Words, patience: int
) -> int:
    """One training episode: after every step all levels learn. An episode is replayed when its moves are given.

    Returns:
        The number of steps, or UNFINISHED if it was left: after as many steps as `patience`, when a table is full, or
        when a move is to be made outside.
    """
    replayed = len(given.moves) > 0
    limit = len(given.moves) if replayed else rules.step_limit
    now = episode.now[0]
    if not now["begun"]:
        begin(places, episode, given, len(levels.records), rng)
        begin_learning(levels, rules, episode, now["state"])
    t, state, actor, top = int(now["time"]), now["state"], now["actor"], len(levels.records) - 1
    leave_at = t + patience
    while t < limit:
        goals = episode.goals[turn(episode.goals, t)]
        if not now["chosen"]:
            if t == leave_at or not has_room(levels, rules):
                now["time"], now["state"], now["actor"] = t, state, actor
                return UNFINISHED
            carry_goals(places, episode, t)
            if rules.flat or replayed:
                actor = BOTTOM
            episode.actors[turn(episode.actors, t)] = actor
            if replayed:
                action = given.moves[t]
            else:
                action = act(levels, rules, places, episode, actor, state, goals, rules.explore_train, rng)
            episode.actions[turn(episode.actions, t)] = action
            if given.outside:
                now["chosen"], now["time"], now["state"], now["actor"] = 1, t, state, actor
                return UNFINISHED
        now["chosen"] = 0
        if given.outside:
            state = given.path[0]
        elif replayed:
            state = given.path[t + 1]
        else:
            state = draw_successor(places, state, recall(episode.actions, t), rng)
        learn(levels, rules, places, episode, t, state)
        t += 1
        if places.ending[state] != GOES_ON:
            break
        actor = BOTTOM
        episode.turns[0] += 1
        while actor < top and (
            episode.turns[actor] == levels.records[actor]["horizon"] or is_reached(goals, actor, state)
        ):
            actor += 1
            episode.turns[actor] += 1
    end(episode, t)
    return t


@separate
def evaluate_episode(
    levels: AnyLevels, rules: Rules, places: Places, episode: Episode, given: Given, rng: Words, patience: int
) -> int:
    """One episode without learning, in which goals are drawn anew as soon as better ones are known.

    The goal of level i − 1, and of all below, is dropped when it has been reached, when that level has used up its
    turns, or when it is worth less than max_a Q_i(s, a, g_i) now. Published rule: only level 0 runs out of turns, and
    the worth was rounded to single precision. Returns the number of steps, or UNFINISHED as `train_episode` does.
    """
    now = episode.now[0]
    if not now["begun"]:
        begin(places, episode, given, len(levels.records), rng)
    t, state, actor, top = int(now["time"]), now["state"], now["actor"], len(levels.records) - 1
    leave_at = t + patience
    while t < rules.step_limit:
        goals = episode.goals[turn(episode.goals, t)]
        if not now["chosen"]:
            if t == leave_at:
                now["time"], now["state"], now["actor"] = t, state, actor
                return UNFINISHED
            carry_goals(places, episode, t)
            episode.actors[turn(episode.actors, t)] = actor
            action = act(levels, rules, places, episode, actor, state, goals, rules.explore_eval, rng)
            episode.actions[turn(episode.actions, t)] = action
            if given.outside:
                now["chosen"], now["time"], now["state"], now["actor"] = 1, t, state, actor
                return UNFINISHED
        now["chosen"] = 0
        if given.outside:
            state = given.path[0]
        else:
            state = draw_successor(places, state, recall(episode.actions, t), rng)
        t += 1
        episode.states[turn(episode.states, t)] = state
        if places.ending[state] != GOES_ON:
            break
        actor = BOTTOM
        episode.turns[0] += 1
        for i in range(1, top + 1):
            reached = state == goals[i - 1]
            expires = i == 1 or not rules.published_evaluation
            out_of_turns = expires and episode.turns[i - 1] >= levels.records[i - 1]["horizon"]
            level = level_at(levels, i)
            place = place_of(level, state, level.column[goals[i]])
            outdone = episode.promised[i - 1] < highest_value(level, rules, state, place)
            if reached or out_of_turns or outdone:
                actor = i
                episode.turns[i] += 1
    end(episode, t)
    return t


@kernel
def run(
    levels: AnyLevels,
    rules: Rules,
    places: Places,
    episode: Episode,
    given: Given,
    rng: Words,
    patience: int,
    trained: Longs,
    evaluated: Longs,
    done: Longs,
) -> None:
    """The paper's protocol: a training episode, an evaluation episode, and so on; writes their lengths.

    Either of `trained` and `evaluated` may be empty: then episodes are only evaluated, or only trained. `done` counts
    the episodes of either kind that are finished; when one is left unfinished, so is this, and the next call goes on.
    (All in one kernel, because each kernel takes long to compile.)
    """
    while done[0] < len(trained) or done[1] < len(evaluated):
        if done[0] < len(trained) and (done[0] <= done[1] or len(evaluated) == 0):
            steps = train_episode(levels, rules, places, episode, given, rng, patience)
            if steps == UNFINISHED:
                return
            trained[done[0]] = steps
            done[0] += 1
        else:
            steps = evaluate_episode(levels, rules, places, episode, given, rng, patience)
            if steps == UNFINISHED:
                return
            evaluated[done[1]] = steps
            done[1] += 1


@pasted
def act(
    levels: AnyLevels,
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
def learn(levels: AnyLevels, rules: Rules, places: Places, episode: Episode, t: int, state: int) -> None:
    """All levels learn from the step just taken, level 0 first.

    Level 0 learns from every step. The levels above see the trace without blocked moves, and their actions are the
    states reached.
    """
    episode.states[turn(episode.states, t + 1)] = state
    notice(levels, state)
    last = episode.moves[0]
    moved = state != recall(episode.moved, last)
    if moved:
        episode.hindsight[turn(episode.hindsight, last)] = state
        last += 1
        episode.moved[turn(episode.moved, last)] = state
        episode.moves[0] = last
    for i in range(len(levels.records) if moved else 1):
        states = episode.states if i == 0 else episode.moved
        actions = episode.actions if i == 0 else episode.hindsight
        length = t + 1 if i == 0 else last
        if rules.traces:
            trace_backup(
                levels, i, rules, places, states, actions, length, rules.decay, episode.returns, episode.errors
            )
        else:  # at the end, Tree-Backup catches up on the shorter backups it owes
            for n in range(1 if places.ending[state] != GOES_ON else rules.n, min(rules.n, length) + 1):
                tree_backup(levels, i, rules, places, states, actions, length, n, episode.returns)


@pasted
def begin(places: Places, episode: Episode, given: Given, levels: int, rng: Words) -> None:
    """Puts the agent where an episode starts."""
    start = given.path[0] if len(given.path) > 0 else draw_start(places, rng)
    now = episode.now[0]
    now["begun"], now["chosen"], now["time"], now["state"], now["actor"] = 1, 0, 0, start, levels - 1
    episode.states[0] = start
    episode.moved[0] = start
    episode.moves[0] = 0
    episode.turns[:] = 0


@pasted
def begin_learning(levels: AnyLevels, rules: Rules, episode: Episode, start: int) -> None:
    """Traces start afresh in each episode."""
    notice(levels, start)
    if rules.traces:
        for i in range(len(levels.records)):
            level_at(levels, i).since[:] = episode.errors.dawn[0]


@pasted
def end(episode: Episode, steps: int) -> None:
    """The next episode starts afresh, at a time that no trace of this one has seen."""
    episode.now[0]["begun"] = 0
    episode.now[0]["time"] = steps
    episode.errors.dawn[0] += steps + 1


@pasted
def has_room(levels: AnyLevels, rules: Rules) -> bool:
    """Whether every table has rows left for what one step may try; only where reach is learnt can they run out."""
    for i in range(len(levels.records)):
        if levels.records[i]["learns_reach"]:
            level = level_at(levels, i)
            if level.given[0] + rules.n * level.reach > len(level.action):
                return False
    return True


@pasted
def carry_goals(places: Places, episode: Episode, t: int) -> None:
    """The goals of step t are at first those of the step before; the top level's is always the environment's."""
    goals, before = episode.goals[turn(episode.goals, t)], episode.goals[turn(episode.goals, t - 1)]
    for i in range(len(goals)):
        goals[i] = places.goal if t == 0 else before[i]


@pasted
def notice(levels: AnyLevels, state: int) -> None:
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
def worth(levels: AnyLevels, i: int, rules: Rules, state: int, subgoal: int, goal: int) -> float:
    """Q_i(s, a, g) of a sub-goal just chosen, as the evaluation rule remembers it."""
    level = level_at(levels, i)
    value = action_value(level, state, subgoal, place_of(level, state, level.column[goal]))
    return float(np.float32(value)) if rules.published_evaluation else value
