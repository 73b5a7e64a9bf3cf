"""How levels learn from an episode: after every step, or when it is over."""

from hierq.agents.counts import count_move
from hierq.agents.estimators.eligibility import trace_backup
from hierq.agents.estimators.hops import hop_backup
from hierq.agents.estimators.partitions import depths_due, first_step, last_state
from hierq.agents.estimators.trace import Stretch, Trace
from hierq.agents.kernel_agent import Episode, KernelAgent, has_room
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.rivals.rule import Experience
from hierq.agents.rivals.vocabulary import Table
from hierq.agents.world_arrays import GOES_ON
from hierq.compiling.static_choice import OTHERWISE, Cases, call, dispatch_on
from hierq.tables.level import BOTTOM, Level
from hierq.tables.level_records import Levels, level_at
from hierq.tables.ring_buffer import recall, slot
from hierq.tables.rows import give_column


def learn(agent: KernelAgent) -> None:
    """All levels learn from the step just taken, level 0 first: "Update Π_i, i = 0, …, k − 1" of Algorithm 1."""
    episode, config = agent.episode, agent.config
    t, state = episode.now[0]["t"] - 1, episode.now[0]["state"]
    if len(agent.replay.moves) == 0:
        count_move(agent.counts, agent.world, recall(episode.states, t), recall(episode.actions, t), state)
    assign_column(agent.levels, state)
    highest = extend_traces(agent, t, state)
    for i in range(highest + 1):
        learn_level(config, agent, i, trace_of(agent, i, t))


def extend_traces(agent: KernelAgent, t: int, state: int) -> int:
    """Adds the step just taken to the traces of the levels above 0, as the partition says.

    The actions of these levels are the states reached. A blocked move, which leads from a state to itself, is no action
    above level 0, so the trace leaves it out: the paper's text omits this, its program does it.

    With executed hops, each level has a trace of its own actions, and learns from an action when it ends: from the
    state where it was chosen, with the sub-goal that was chosen, to the state where it ended. A goal out
    of reach that an explorer has handed down is no legal action, and the level stores nothing about it.

    Returns:
        The highest level that has a new step to learn from.
    """
    episode, top = agent.episode, len(agent.levels.records) - 1
    if not agent.config.has_executed_hops:
        if state == recall(episode.upper_states[0], episode.upper_length[0]):
            return BOTTOM
        add_upper_step(episode, BOTTOM, state, state)
        return top
    highest = top if episode.now[0]["has_ended"] else episode.now[0]["actor"]
    for i in range(1, highest + 1):
        subgoal = episode.goals[slot(episode.goals, t), i - 1]
        if subgoal >= len(agent.world.ending):  # it stands for any of several goals; like the own cell, it is no action
            subgoal = recall(episode.upper_states[i - 1], episode.upper_length[i - 1])
        add_upper_step(episode, i - 1, subgoal, state)
    return highest


def add_upper_step(episode: Episode, upper: int, action: int, state: int) -> None:
    """Adds a step to a trace of the levels above 0."""
    t, states, actions = episode.upper_length[upper], episode.upper_states[upper], episode.upper_actions[upper]
    actions[slot(actions, t)] = action
    states[slot(states, t + 1)] = state
    episode.upper_length[upper] = t + 1


def trace_of(agent: KernelAgent, i: int, t: int) -> Trace:
    """The trace that level i learns from, after step t of the episode."""
    episode = agent.episode
    if i == 0:
        return Trace(episode.states, episode.actions, episode.chances, t)
    upper = min(i, len(episode.upper_length)) - 1  # one trace for all levels above 0, or one for each
    states, actions = episode.upper_states[upper], episode.upper_actions[upper]
    return Trace(states, actions, episode.certain, episode.upper_length[upper] - 1)


@dispatch_on("method", of="config")
def learn_level(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace) -> Cases:
    """Level i learns from the newest step of its trace, as the method says; or waits until the episode is over."""
    return {"Backup": learn_by_hops, "Traces": learn_by_traces, "Rival": learn_as_rival, OTHERWISE: learn_later}


def learn_by_hops(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace) -> None:
    """One backup over n hops; when the episode has ended, the shorter ones that are still due, too."""
    level, has_ended = level_at(agent.levels, i), agent.world.ending[recall(trace.states, trace.t + 1)] != GOES_ON
    for n in depths_due(trace.t, config.n, has_ended):
        first = first_step(trace.t, n, level.hop_length)  # t − h (n − 1)
        if first >= 0:
            backup(agent, level, trace, first, trace.t + 1)


def learn_by_traces(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace) -> None:
    """One step of HierQ_k(λ)."""
    episode = agent.episode
    trace_backup(level_at(agent.levels, i), config, agent.world, trace, episode.returns, episode.live_errors)


def learn_later(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace) -> None:
    """Nothing is learnt before the episode is over."""


def learn_as_rival(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace) -> None:
    """A rival learns from the newest step."""
    follow_rule(config, agent, i, trace, trace.t)


def backup(agent: KernelAgent, level: Level, trace: Trace, first: int, last: int) -> None:
    """One backup of a level: updates the values of A_first, along the trace as far as S_last."""
    hop_backup(level, agent.config, agent.world, Stretch(trace, first, last), agent.episode.hop_room, agent.rng)


def experience_of(agent: KernelAgent, level: Level, trace: Trace, time: int) -> Experience:
    """All that a rival may use, at the step of some time."""
    config, memory = agent.config, agent.memory
    return Experience(
        table=Table(level, config, agent.world, agent.episode.returns, memory.room, memory.work),
        state=recall(trace.states, time),
        action=recall(trace.actions, time),
        successor=recall(trace.states, time + 1),
        trace=trace,
        time=time,
        updates=config.updates,
        n=config.n,
        rng=agent.rng,
        model=memory.model,
        queue=memory.queue,
        buffer=memory.buffer,
    )


@dispatch_on("method", of="config")
def learn_backward(config: KernelConfig, agent: KernelAgent, steps: int) -> Cases:
    """Learns from an episode that is over, if the method goes backward.

    Returns:
        Whether it is finished. It pauses when a table is full, or after processing more than `steps` steps; the next
        call continues it.
    """
    return {"Backup, backward": go_backward, "Rival, backward": go_backward, OTHERWISE: nothing_to_learn}


def nothing_to_learn(config: KernelConfig, agent: KernelAgent, steps: int) -> bool:
    """Everything was learnt after the steps."""
    return True


def go_backward(config: KernelConfig, agent: KernelAgent, steps: int) -> bool:
    """Every level goes back through its trace: for t = T−1 … 0 it updates the values of A_t, on the current tables."""
    now, processed = agent.episode.now[0], 0
    while now["levels_left"] > 0:
        i = now["levels_left"] - 1
        trace = trace_of(agent, i, now["t"] - 1)
        while now["steps_back"] <= trace.t:
            if processed > steps or not has_room(agent):
                return False
            processed += step_backward(config, agent, i, trace, trace.t - now["steps_back"])
            now["steps_back"] += 1
        now["levels_left"] = i
        now["steps_back"] = 0
    return True


@dispatch_on("method", of="config")
def step_backward(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace, first: int) -> Cases:
    """Level i learns from one step of its backward sweep; returns how many steps it processed."""
    return {"Backup, backward": backup_step_backward, "Rival, backward": follow_rule}


def backup_step_backward(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace, first: int) -> int:
    """One backup of a backward sweep; returns how many steps it processed."""
    level = level_at(agent.levels, i)
    last = last_state(first, trace.t + 1, config.n, level.hop_length, config.has_strides)
    backup(agent, level, trace, first, last)
    return int(last - first)


def follow_rule(config: KernelConfig, agent: KernelAgent, i: int, trace: Trace, time: int) -> int:
    """A rival learns from the step of some time; returns the most steps that it may read: those from there on."""
    call(config.estimator, experience_of(agent, level_at(agent.levels, BOTTOM), trace, time))
    return int(trace.t + 1 - time)


def begin_learning(agent: KernelAgent) -> None:
    """Gets ready to learn from an episode that begins."""
    start = agent.episode.now[0]["state"]
    assign_column(agent.levels, start)
    agent.counts.memory[:] = 0
    if len(agent.counts.visits) > 1 and len(agent.replay.moves) == 0:
        agent.counts.visits[start] += 1


def assign_column(levels: Levels, state: int) -> None:
    """Gives a state its column at first sight; levels that learn about every goal share their columns."""
    level = level_at(levels, BOTTOM)
    if level.conditioned:
        give_column(level, state)
