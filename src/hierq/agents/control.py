"""How levels take turns: training episodes (Algorithm 1 of the paper) and evaluation episodes.

The paper's `Recurse` calls itself; here a loop keeps the same order of turns. `actor` is the level that chooses next:
it and the levels below it choose, top down, until level 0 moves. After the move levels return to their parents, bottom
up, as long as one is done; the first that is not becomes the next actor.

How far an episode is stands in `episode.now`. So an episode can be left after any step and taken up again by the next
call: for Ctrl-C to be heard in a long one, for tables to grow, and for moves that an environment makes in Python.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from hierq.agents.choosing import Asker, Counts, action_value, choose, count_step, count_visit
from hierq.agents.episode import Episode
from hierq.agents.estimators.hops import hop_backup
from hierq.agents.estimators.partitions import depths_due
from hierq.agents.estimators.trace import Trace
from hierq.agents.estimators.traces import trace_backup
from hierq.agents.estimators.values import highest_value
from hierq.agents.random_numbers import Words
from hierq.agents.replay_input import ReplayInput
from hierq.agents.rules import EPSILON, Rules
from hierq.agents.world_arrays import GOES_ON, WorldArrays, draw_start, draw_successor
from hierq.tables.compiled import JIT, kernel, pasted, separate
from hierq.tables.level import BOTTOM, Levels, Longs, level_at
from hierq.tables.ring_buffer import recall, turn
from hierq.tables.rows import place_of
from hierq.tables.typed import Chosen, picked, usable_in_kernels

UNFINISHED: int = np.int64(-1)  # type: ignore[assignment]  # as for BOTTOM

usable_in_kernels(depths_due)


@separate
def train_episode(
    levels: Levels,
    rules: Rules,
    world: WorldArrays,
    episode: Episode,
    counts: Counts,
    replay: ReplayInput,
    rng: Words,
    patience: int,
) -> int:
    """One training episode (Algorithm 1): after every step all levels learn. Given moves are replayed.

    Returns:
        The number of steps, or UNFINISHED if it was left: after as many steps as `patience`, when a table is full, or
        when a move is to be made outside.
    """
    now = episode.now[0]
    if not now["has_begun"]:
        begin(world, episode, replay, len(levels.records), rng)
        begin_learning(levels, rules, episode, counts, replay)
    t, state, actor = now["t"], now["state"], now["actor"]
    limit = len(replay.moves) if len(replay.moves) > 0 else rules.step_limit
    leave_at, has_ended = t + patience, False
    while t < limit and not has_ended:
        if not now["has_chosen"]:
            if t == leave_at or not has_room(levels, rules):
                return leave(episode, t, state, actor, False)
            if rules.flat or len(replay.moves) > 0:
                actor = BOTTOM
            explorer, epsilon = rules.explorer, rules.explore_train
            choose_all(levels, rules, world, episode, counts, replay, t, state, actor, explorer, epsilon, rng)
            if replay.outside:
                return leave(episode, t, state, actor, True)
        before, state = state, move(world, episode, replay, t, state, rng)
        count_move(rules, episode, counts, replay, t, before, state)
        learn(levels, rules, world, episode, t, state)
        actor = return_to_parents(levels, episode, t, state)
        has_ended = world.ending[state] != GOES_ON
        t += 1
    return end(episode, t)


@pasted
def return_to_parents(levels: Levels, episode: Episode, t: int, state: int) -> int:
    """Levels that have used up their turns, or whose goal or one above it is reached, return to their parents.

    Returns:
        The level that chooses next.
    """
    goals, actor = episode.goals[turn(episode.goals, t)], BOTTOM
    episode.turns[0] += 1
    while actor < len(levels.records) - 1 and (
        episode.turns[actor] == levels.records[actor]["horizon"] or is_reached(goals, actor, state)
    ):
        actor += 1
        episode.turns[actor] += 1
    return actor


@separate
def evaluate_episode(
    levels: Levels,
    rules: Rules,
    world: WorldArrays,
    episode: Episode,
    counts: Counts,
    replay: ReplayInput,
    rng: Words,
    patience: int,
) -> int:
    """One episode without learning, in which goals are drawn anew as soon as better ones are known.

    Returns:
        The number of steps, or UNFINISHED as `train_episode` does.
    """
    now = episode.now[0]
    if not now["has_begun"]:
        begin(world, episode, replay, len(levels.records), rng)
    t, state, actor = now["t"], now["state"], now["actor"]
    leave_at, has_ended = t + patience, False
    while t < rules.step_limit and not has_ended:
        if not now["has_chosen"]:
            if t == leave_at:
                return leave(episode, t, state, actor, False)
            explorer, epsilon = EPSILON, rules.explore_eval
            choose_all(levels, rules, world, episode, counts, replay, t, state, actor, explorer, epsilon, rng)
            if replay.outside:
                return leave(episode, t, state, actor, True)
        state = move(world, episode, replay, t, state, rng)
        actor = drop_goals(levels, rules, episode, t, state)
        has_ended = world.ending[state] != GOES_ON
        t += 1
    return end(episode, t)


@pasted
def drop_goals(levels: Levels, rules: Rules, episode: Episode, t: int, state: int) -> int:
    """Drops goals that are to be drawn anew in evaluation.

    The goal of level i − 1, and of all below, is dropped when it has been reached, when that level has used up its
    turns, or when it is worth less than max_a Q_i(s, a, g_i) now. Published rule: only level 0 runs out of turns, and
    the worth was rounded to single precision.

    Returns:
        The level that chooses next.
    """
    goals, actor = episode.goals[turn(episode.goals, t)], BOTTOM
    episode.turns[0] += 1
    for i in range(1, len(levels.records)):
        reached = state == goals[i - 1]
        expires = i == 1 or not rules.published_evaluation
        out_of_turns = expires and episode.turns[i - 1] >= levels.records[i - 1]["horizon"]
        level = level_at(levels, i)
        place = place_of(level, state, level.column[goals[i]])
        outdone = episode.promised[i - 1] < highest_value(level, rules, state, place)
        if reached or out_of_turns or outdone:
            actor = i
            episode.turns[i] += 1
    return actor


@kernel
def run(
    levels: Levels,
    rules: Rules,
    world: WorldArrays,
    episode: Episode,
    counts: Counts,
    replay: ReplayInput,
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
            steps = train_episode(levels, rules, world, episode, counts, replay, rng, patience)
            if steps == UNFINISHED:
                return
            trained[done[0]] = steps
            done[0] += 1
        else:
            steps = evaluate_episode(levels, rules, world, episode, counts, replay, rng, patience)
            if steps == UNFINISHED:
                return
            evaluated[done[1]] = steps
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


@pasted
def choose_all(
    levels: Levels,
    rules: Rules,
    world: WorldArrays,
    episode: Episode,
    counts: Counts,
    replay: ReplayInput,
    t: int,
    state: int,
    actor: int,
    explorer: Chosen,
    epsilon: float,
    rng: Words,
) -> None:
    """The actor and the levels below it choose, top down: each sends the next one to a sub-goal, level 0 moves."""
    carry_goals(world, episode, t)
    goals = episode.goals[turn(episode.goals, t)]
    episode.actors[turn(episode.actors, t)] = actor
    action = BOTTOM
    if len(replay.moves) > 0:
        action = replay.moves[t]
    else:
        for i in range(actor, -1, -1):
            asker = Asker(explorer, epsilon, goals[i], state)
            action = choose(levels, i, rules, world, asker, counts, episode.ties, rng)
            if i > 0:
                goals[i - 1] = action
                episode.turns[i - 1] = 0
                episode.promised[i - 1] = worth(levels, i, rules, state, action, goals[i])
    episode.actions[turn(episode.actions, t)] = action


@pasted
def move(world: WorldArrays, episode: Episode, replay: ReplayInput, t: int, state: int, rng: Words) -> int:
    """Makes the move that was chosen, and returns the state it leads to.

    It is made in the world, or along the path of a replay, or outside, where it was made already.
    """
    if replay.outside:
        successor = replay.path[0]
    elif len(replay.moves) > 0:
        successor = replay.path[t + 1]
    else:
        successor = draw_successor(world, state, recall(episode.actions, t), rng)
    episode.now[0]["has_chosen"] = 0
    episode.states[turn(episode.states, t + 1)] = successor
    return int(successor)


@pasted
def count_move(
    rules: Rules, episode: Episode, counts: Counts, replay: ReplayInput, t: int, state: int, successor: int
) -> None:
    """Counts the move just made for the explorer, unless it was replayed."""
    if len(replay.moves) == 0:
        count_step(rules, counts, state, recall(episode.actions, t), successor)


@pasted
def learn(levels: Levels, rules: Rules, world: WorldArrays, episode: Episode, t: int, state: int) -> None:
    """All levels learn from the step just taken, level 0 first.

    Level 0 learns from every step. The levels above see the trace without blocked moves, and their actions are the
    states reached.
    """
    assign_column(levels, state)
    last = episode.moves[0]
    has_moved = state != recall(episode.moved, last)
    if has_moved:
        episode.hindsight[turn(episode.hindsight, last)] = state
        last += 1
        episode.moved[turn(episode.moved, last)] = state
        episode.moves[0] = last
    for i in range(len(levels.records) if has_moved else 1):
        trace = Trace(
            episode.states if i == 0 else episode.moved,
            episode.actions if i == 0 else episode.hindsight,
            t if i == 0 else last - 1,
        )
        learn_level(rules, levels, i, world, trace, episode)


def _learn_by_hops(rules: Rules, levels: Levels, i: int, world: WorldArrays, trace: Trace, episode: Episode) -> None:
    """Level i learns from the newest step of its trace."""
    has_ended = world.ending[recall(trace.states, trace.t + 1)] != GOES_ON
    for n in depths_due(trace.t, rules.n, has_ended):
        hop_backup(level_at(levels, i), rules, world, trace, n, episode.returns)


def _learn_by_traces(rules: Rules, levels: Levels, i: int, world: WorldArrays, trace: Trace, episode: Episode) -> None:
    trace_backup(level_at(levels, i), rules, world, trace, episode.returns, episode.travellers)


def _begin_no_traces(rules: Rules, levels: Levels, episode: Episode) -> None:
    """Traces start afresh in each episode."""


def _begin_traces(rules: Rules, levels: Levels, episode: Episode) -> None:
    for i in range(len(levels.records)):
        level_at(levels, i).all_cut_at[:] = episode.travellers.episode_offset[0]


learn_level = picked("estimator", _learn_by_hops, traces=_learn_by_traces)
begin_traces = picked("estimator", _begin_no_traces, traces=_begin_traces)


@pasted
def begin(world: WorldArrays, episode: Episode, replay: ReplayInput, levels: int, rng: Words) -> None:
    """Puts the agent where an episode starts."""
    start = replay.path[0] if len(replay.path) > 0 else draw_start(world, rng)
    now = episode.now[0]
    now["has_begun"], now["has_chosen"], now["t"], now["state"], now["actor"] = 1, 0, 0, start, levels - 1
    episode.states[0] = start
    episode.moved[0] = start
    episode.moves[0] = 0
    episode.turns[:] = 0


@pasted
def begin_learning(levels: Levels, rules: Rules, episode: Episode, counts: Counts, replay: ReplayInput) -> None:
    """Gets ready to learn from an episode that begins."""
    start = episode.now[0]["state"]
    assign_column(levels, start)
    begin_traces(rules, levels, episode)
    if len(replay.moves) == 0:
        count_visit(rules, counts, start)


@pasted
def leave(episode: Episode, t: int, state: int, actor: int, has_chosen: bool) -> int:
    """Notes how far an episode is, so that the next call can take it up."""
    now = episode.now[0]
    now["t"], now["state"], now["actor"], now["has_chosen"] = t, state, actor, has_chosen
    return UNFINISHED


@pasted
def end(episode: Episode, steps: int) -> int:
    """The number of steps; the next episode starts afresh, at a moment that no trace of this one has seen."""
    now = episode.now[0]
    now["has_begun"], now["t"] = 0, steps
    episode.travellers.episode_offset[0] += steps + 1
    return steps


@pasted
def has_room(levels: Levels, rules: Rules) -> bool:
    """Whether every table has rows left for what one step may try; only where reach is learnt can they run out."""
    for i in range(len(levels.records)):
        if levels.records[i]["learns_reach"]:
            level = level_at(levels, i)
            if level.given[0] + rules.n * level.reach > len(level.action):
                return False
    return True


@pasted
def carry_goals(world: WorldArrays, episode: Episode, t: int) -> None:
    """The goals of a step are at first those of the step before; the top level's is always the environment's."""
    goals, before = episode.goals[turn(episode.goals, t)], episode.goals[turn(episode.goals, t - 1)]
    for i in range(len(goals)):
        goals[i] = world.goal if t == 0 else before[i]


@pasted
def assign_column(levels: Levels, state: int) -> None:
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
def worth(levels: Levels, i: int, rules: Rules, state: int, subgoal: int, goal: int) -> float:
    """Q_i(s, a, g) of a sub-goal just chosen, as the evaluation rule remembers it."""
    level = level_at(levels, i)
    value = action_value(level, state, subgoal, place_of(level, state, level.column[goal]))
    return float(np.float32(value)) if rules.published_evaluation else value
