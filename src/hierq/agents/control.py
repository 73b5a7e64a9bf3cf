"""How levels take turns: training episodes (Algorithm 1 of the paper) and evaluation episodes.

The paper's `Recurse` calls itself; here a loop keeps the same order of turns. `actor` is the highest level that chooses
next: it and the levels below it choose, top down, until level 0 moves. After the move levels return to their parents,
bottom up, as long as one is done; the first that is not becomes the next actor.

`episode.now` records how far an episode is, so that it can be suspended after any step and resumed by the next call: to
respond to Ctrl-C, to let tables grow, or to let an environment in Python make the move.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

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
from hierq.agents.counts import Counts
from hierq.agents.episode import Episode
from hierq.agents.estimators.eligibility import kind_of_estimator, trace_backup
from hierq.agents.estimators.hops import hop_backup
from hierq.agents.estimators.partitions import depths_due, first_step, last_state
from hierq.agents.estimators.trace import Stretch, Trace
from hierq.agents.estimators.values import highest_value
from hierq.agents.explorers import optimistic_value
from hierq.agents.kernel_config import EPSILON, KernelConfig
from hierq.agents.random_numbers import Words
from hierq.agents.replay_input import ReplayInput
from hierq.agents.rivals.memory import Memory
from hierq.agents.rivals.rule import Experience
from hierq.agents.rivals.vocabulary import Table
from hierq.agents.world_arrays import GOES_ON, IN_HOLE, WorldArrays, draw_start, draw_successor
from hierq.compiling.decorators import JIT, kernel, pasted, separate
from hierq.compiling.static_choice import StaticChoice, call, picked, usable_in_kernels
from hierq.tables.level import BOTTOM, Level, Levels, Longs, level_at
from hierq.tables.ring_buffer import recall, slot
from hierq.tables.rows import place_of

UNFINISHED: int = np.int64(-1)  # type: ignore[assignment]  # a plain −1 has a type of its own


for function in (depths_due, first_step, last_state, optimistic_value):
    usable_in_kernels(function)


class KernelAgent(NamedTuple):
    """An agent as the kernels see it."""

    levels: Levels
    config: KernelConfig
    world: WorldArrays
    episode: Episode
    counts: Counts
    rng: Words
    memory: Memory = ()  # type: ignore[assignment]  # of a rival; others have none


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
        if asks_for_chances(agent.config):
            episode.chances[slot(episode.chances, t)] = 1.0
    else:
        for i in range(actor, -1, -1):
            decision = Decision(explorer, epsilon if i == 0 else 0.0, i, state, goals[i])
            action = choose(agent.levels, agent.config, agent.world, decision, agent.counts, episode.ties, agent.rng)
            if i > 0:
                goals[i - 1] = action
                episode.turns[i - 1] = 0
                episode.value_when_chosen[i - 1] = worth(agent, i, state, action, goals[i])
        if asks_for_chances(agent.config):
            chance = behaviour_chance(agent.levels, agent.config, state, goals[0], action, epsilon, episode.ties)
            episode.chances[slot(episode.chances, t)] = chance
    episode.actions[slot(episode.actions, t)] = action


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
def learn(agent: KernelAgent, t: int, state: int, actor: int, has_ended: bool) -> None:
    """All levels learn from the step just taken, level 0 first.

    Level 0 learns from every step. The levels above see the trace without blocked moves, which lead from a state to
    itself and would be no action of theirs; their actions are the states reached. The paper does not say so, its
    program does. Of actions as executed they see those that have ended: as they were asked for, and where they led.
    A goal out of reach, which an explorer has handed down, is no action of the level, and nothing is stored about it.
    """
    episode, executed, top = agent.episode, agent.config.has_executed_hops, len(agent.levels.records) - 1
    assign_column(agent.levels, state)
    highest = top  # the highest level that has made a step
    if executed:
        highest = top if has_ended else actor
        asked_for = episode.goals[slot(episode.goals, t)]
        for i in range(1, highest + 1):
            asked = asked_for[i - 1]
            if asked >= len(agent.world.ending):  # any of several goals; the own cell, too, is no action
                asked = recall(episode.upper_states[i - 1], episode.upper_length[i - 1])
            add_upper_step(episode, i - 1, asked, state)
    elif state != recall(episode.upper_states[0], episode.upper_length[0]):
        add_upper_step(episode, BOTTOM, state, state)
    else:
        highest = BOTTOM
    for i in range(highest + 1):
        learn_level(agent.config, agent, i, trace_of(agent, i, t))


@pasted
def add_upper_step(episode: Episode, upper: int, action: int, state: int) -> None:
    """Adds a step to a trace of the levels above 0."""
    t = episode.upper_length[upper]
    episode.upper_actions[upper, t & (episode.upper_actions.shape[1] - 1)] = action
    episode.upper_states[upper, (t + 1) & (episode.upper_states.shape[1] - 1)] = state
    episode.upper_length[upper] = t + 1


@pasted
def trace_of(agent: KernelAgent, i: int, t: int) -> Trace:
    """The trace that level i learns from, after step t of the episode."""
    episode = agent.episode
    upper = i - 1 if agent.config.has_executed_hops and i > 0 else 0
    return Trace(
        episode.states if i == 0 else episode.upper_states[upper],
        episode.actions if i == 0 else episode.upper_actions[upper],
        episode.chances if i == 0 else episode.certain,
        t if i == 0 else episode.upper_length[upper] - 1,
    )


def _learn_by_hops(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace) -> None:
    """Level i learns from the newest step of its trace."""
    level, has_ended = level_at(agent.levels, i), agent.world.ending[recall(trace.states, trace.t + 1)] != GOES_ON
    for n in depths_due(trace.t, config.n, has_ended):
        first = first_step(trace.t, n, level.hop_length)  # t − h (n − 1)
        if first >= 0:
            backup(agent, level, trace, first, trace.t + 1)


def _learn_by_traces(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace) -> None:
    episode = agent.episode
    trace_backup(level_at(agent.levels, i), config, agent.world, trace, episode.returns, episode.live_errors)


def _learn_later(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace) -> None:
    """Nothing is learnt before the episode is over."""


@pasted
def backup(agent: KernelAgent, level: Level, trace: Trace, first: int, last: int) -> None:
    """One backup of a level about the action of step `first`, as far as the state of time `last`."""
    hop_backup(level, agent.config, agent.world, Stretch(trace, first, last), agent.episode.hop_room, agent.rng)


def _learn_as_rival(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace) -> None:
    """A rival learns from the newest step."""
    follow_rule(agent, trace, trace.t)


@pasted
def follow_rule(agent: KernelAgent, trace: Trace, time: int) -> None:
    """A rival learns from the step of some time."""
    config, memory = agent.config, agent.memory
    level, returns = level_at(agent.levels, BOTTOM), agent.episode.returns
    experience = Experience(
        Table(level, config, agent.world, returns, memory.room, memory.work),
        recall(trace.states, time),
        recall(trace.actions, time),
        recall(trace.states, time + 1),
        trace,
        time,
        config.updates,
        config.n,
        agent.rng,
        memory.model,
        memory.queue,
        memory.buffer,
    )
    call(config.estimator, experience)


_learn_each_step = picked("estimator", _learn_by_hops, key=kind_of_estimator, traces=_learn_by_traces)
learn_level = picked(
    "schedule", _learn_each_step, backward=_learn_later, rival=_learn_as_rival, rival_backward=_learn_later
)


def _nothing_to_learn(config: KernelConfig, agent: KernelAgent, steps: int, patience: int) -> bool:
    """Learns from an episode that is over; returns whether that is finished: a table may be full, or it takes long."""
    return True


def _learn_backward(config: KernelConfig, agent: KernelAgent, steps: int, patience: int) -> bool:
    """Every level goes back through its trace: for τ = T−1 … 0 one backup about A_τ, on the tables as they now are."""
    now, looked_at = agent.episode.now[0], 0
    while now["levels_left"] > 0 or now["steps_left"] > 0:
        if now["steps_left"] == 0:
            now["levels_left"] -= 1
            now["steps_left"] = trace_of(agent, now["levels_left"], steps - 1).t + 1
            continue
        if looked_at > patience or not has_room(agent):
            return False
        first = now["steps_left"] - 1
        i = now["levels_left"]
        looked_at += step_backward(config, agent, i, trace_of(agent, i, steps - 1), first)
        now["steps_left"] = first
    return True


def _backup_backward(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace, first: int) -> int:
    """One backup of a level on its way back; returns how many steps it went over."""
    level = level_at(agent.levels, i)
    last = last_state(first, trace.t + 1, config.n, level.hop_length, config.has_strides)
    backup(agent, level, trace, first, last)
    return int(last - first)


def _rival_backward(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace, first: int) -> int:
    follow_rule(agent, trace, first)
    return int(trace.t + 1 - first)


step_backward = picked("schedule", _backup_backward, rival_backward=_rival_backward)
learn_backward = picked("schedule", _nothing_to_learn, backward=_learn_backward, rival_backward=_learn_backward)


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


@pasted
def begin(agent: KernelAgent, replay: ReplayInput) -> None:
    """Puts the agent where an episode starts."""
    start = replay.path[0] if len(replay.path) > 0 else draw_start(agent.world, agent.rng)
    episode, top = agent.episode, len(agent.levels.records) - 1
    now = episode.now[0]
    now["has_begun"], now["has_chosen"], now["t"], now["state"], now["actor"] = 1, 0, 0, start, top
    now["is_over"], now["levels_left"], now["steps_left"] = 0, top + 1, 0
    episode.states[0] = start
    episode.upper_states[:, 0] = start
    episode.upper_length[:] = 0
    episode.turns[:] = 0


@pasted
def begin_learning(agent: KernelAgent, replay: ReplayInput) -> None:
    """Gets ready to learn from an episode that begins."""
    start = agent.episode.now[0]["state"]
    assign_column(agent.levels, start)
    begin_traces(agent.config, agent)
    agent.counts.memory[:] = 0
    if counts_visits(agent.config) and len(replay.moves) == 0:
        agent.counts.visits[start] += 1


def _begin_no_traces(config: KernelConfig, agent: KernelAgent) -> None:
    """Traces start afresh in each episode."""


def _begin_traces(config: KernelConfig, agent: KernelAgent) -> None:
    for i in range(len(agent.levels.records)):
        level_at(agent.levels, i).all_cut_at[:] = agent.episode.live_errors.episode_offset[0]


begin_traces = picked("estimator", _begin_no_traces, key=kind_of_estimator, traces=_begin_traces)


@pasted
def suspend(agent: KernelAgent, t: int, state: int, actor: int, has_chosen: bool) -> int:
    """Notes how far an episode is, so that the next call can take it up."""
    now = agent.episode.now[0]
    now["t"], now["state"], now["actor"], now["has_chosen"] = t, state, actor, has_chosen
    return UNFINISHED


@pasted
def end(agent: KernelAgent, steps: int) -> int:
    """Ends the episode, so that no trace of it can be continued by the next; returns the number of steps."""
    now = agent.episode.now[0]
    now["has_begun"], now["t"] = 0, steps
    agent.episode.live_errors.episode_offset[0] += steps + 1
    return steps


@pasted
def has_room(agent: KernelAgent) -> bool:
    """Whether every table has rows left for what one step may try; only where reach is learnt can they run out."""
    for i in range(len(agent.levels.records)):
        if agent.levels.records[i]["learns_reach"]:
            level = level_at(agent.levels, i)
            if level.rows_used[0] + agent.config.n * level.reach > len(level.action):
                return False
    return True


@pasted
def carry_goals(agent: KernelAgent, t: int) -> None:
    """The goals of a step are at first those of the step before; the top level's is always the environment's."""
    all_goals = agent.episode.goals
    goals, before = all_goals[slot(all_goals, t)], all_goals[slot(all_goals, t - 1)]
    for i in range(len(goals)):
        goals[i] = agent.world.goal if t == 0 else before[i]


@pasted
def assign_column(levels: Levels, state: int) -> None:
    """Gives a state its column at first sight; levels that learn about every goal share their columns."""
    level = level_at(levels, BOTTOM)
    if level.conditioned and level.column[state] < 0:
        level.column[state] = level.columns_used[0]
        level.columns_used[0] += 1


@pasted
def count_move(agent: KernelAgent, replay: ReplayInput, t: int, state: int, successor: int) -> None:
    """Counts the move just made, if the explorer asks for it, unless it was replayed."""
    if len(replay.moves) > 0:
        return
    counts, action = agent.counts, recall(agent.episode.actions, t)
    if remembers_successors(agent.config):
        counts.successors[state, action] = successor
    if counts_visits(agent.config):
        counts.visits[successor] += 1
    if updates_optimism(agent.config):
        counts.optimism[state, action] = optimistic_value(
            counts.optimism, successor, agent.world.ending[successor] == IN_HOLE
        )


@pasted
def ending(agent: KernelAgent, steps: int) -> int:
    """How an episode of this many steps ended: GOES_ON if it was given up, AT_GOAL or IN_HOLE."""
    return int(agent.world.ending[recall(agent.episode.states, steps)])


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


def experience_of(agent: KernelAgent, level: Level) -> Experience:
    """An experience of the types that a rival is given in kernels."""
    episode, memory = agent.episode, agent.memory
    table = Table(level, agent.config, agent.world, episode.returns, memory.room, memory.work)
    trace = Trace(episode.states, episode.actions, episode.chances, 0)
    return Experience(table, 0, 0, 0, trace, 0, 1, 1, agent.rng, memory.model, memory.queue, memory.buffer)


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
