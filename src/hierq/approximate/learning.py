"""How approximate levels learn from walks: Algorithm 3 along each level's trace, in order or by samples."""

from typing import NamedTuple

from hierq.agents.estimators.operators import Hop
from hierq.agents.estimators.partitions import depths_due, first_step
from hierq.agents.random_numbers import Words, below, uniform
from hierq.approximate.model import (
    GOAL,
    STATE,
    SUBGOAL,
    Model,
    action_value,
    find_tiles,
    find_values,
    is_near,
    state_value,
    target_share,
    write_value,
)
from hierq.compiling.decorators import kernel
from hierq.compiling.static_choice import call
from hierq.worlds.layout import GOES_ON, IN_HOLE
from hierq.worlds.points import Floats, Longs


class Traces(NamedTuple):
    """The walks as one level sees them, one after the other; above level 0 without moves that stay in their cell."""

    points: Floats  # [N, 2 or 4]
    cells: Longs  # [N]
    actions: Longs  # [N] the move made from each point; −1 at the end of a walk
    first: Longs  # [N] where the walk of each point begins
    last: Longs  # [N] where it ends
    tiles: Longs  # [3, N, T] tiles of every point as a state, a sub-goal and a goal


def is_at(model: Model, traces: Traces, at: int, goal: int, goals: Traces) -> bool:
    """Whether a goal is reached at a point of a trace."""
    return is_near(model, traces.points[at, 0], traces.points[at, 1], goals.points[goal])


def is_action(model: Model, level: int, traces: Traces, begin: int, end: int) -> bool:
    """Whether a hop is something that its level can ask for: in a table another cell that is within reach."""
    if level == 0 or model.is_after:
        return True
    here = traces.cells[begin]
    there = traces.cells[end]
    return bool(here != there and (model.reach_is_learnt or model.within[level, here, there]))


def discounted(model: Model, x: float) -> float:
    """R + γ X. Tiles may overshoot, but nothing is worth more than to be at the goal: so much of X counts."""
    if not model.as_table:
        x = min(x, model.goal_reward)
    return model.config.step_reward + model.config.discount * x


def path_return(model: Model, level: int, traces: Traces, start: int, end: int, goal: int, goals: Traces) -> float:
    """G of the hop that ends at `start`, for one goal, along the path of hops from there to `end`, backward.

    G = 1 where the goal is reached, else γ · operator(q, v, G of the rest).
    """
    h = model.hop_length[level]
    g = goals.tiles[GOAL, goal]
    at = start
    while at < end and not is_at(model, traces, at, goal, goals):  # what comes after the goal does not count
        at += h
    G = model.goal_reward
    if not is_at(model, traces, at, goal, goals):
        if model.ending[traces.cells[at]] == IN_HOLE:
            G = model.config.hole_return
        else:
            count = find_values(model, level, traces.cells[at], traces.tiles[STATE, at], g)
            G = discounted(model, state_value(model, level, count))
    while at > start:
        at -= h
        state = traces.tiles[STATE, at]
        count = find_values(model, level, traces.cells[at], state, g)
        v = state_value(model, level, count)
        x = v
        if is_action(model, level, traces, at, at + h):
            if level == 0:
                q = model.values[traces.actions[at]]
            else:
                q = action_value(model, level, state, -1, traces.tiles[SUBGOAL, at + h], g)
            if level > 0 and not model.as_table:  # the hop itself is one more candidate
                v = max(v, q)
            pi = target_share(model, q, v, count)
            x = call(model.config.estimator, Hop(q, v, G, pi, 1.0, model.config.decay))
            model.opened[level, 0] += pi == 1
            model.opened[level, 1] += 1
        G = discounted(model, x)
    return float(G)


def offer(model: Model, level: int, traces: Traces, begin: int, end: int, rng: Words) -> None:
    """Notes that one point was reached from another, and keeps it among the candidates for sub-goals.

    A table keeps every cell once; otherwise K points are kept, each as likely as any other that was ever offered.
    """
    cell = traces.cells[begin]
    there = traces.cells[end]
    if cell == there or (model.as_table and model.within[level, cell, there]):
        return
    model.within[level, cell, there] = 1
    most = model.candidates.shape[2]
    place = model.offered[level, cell]
    model.offered[level, cell] += 1
    if place >= most:
        place = below(rng, place + 1)
    if place >= most:
        return
    for axis in range(2):
        model.candidates[level, cell, place, axis] = traces.points[end, axis]
    for k in range(model.tilings):
        model.candidate_tiles[level, cell, place, k] = traces.tiles[SUBGOAL, end, k]


@kernel
def find_all_tiles(model: Model, points: Floats, tiles: Longs) -> None:
    """Writes the tiles of every point in every role to `tiles` [3, N, T]."""
    for role in range(3):
        for at in range(len(points)):
            find_tiles(model, role, points[at], tiles[role, at])


@kernel
def learn_in_order(model: Model, level: int, traces: Traces, goals: Traces, rng: Words) -> None:
    """A level learns as a table does: after every step of every walk, for every goal, Algorithm 3.

    At the end of an episode the shorter backups that are still owed are done, too. A loop back to where the learning
    step starts earns nothing.
    """
    h = model.hop_length[level]
    for at in range(1, len(traces.cells)):
        begin = traces.first[at]
        if at == begin:
            continue
        t = at - 1 - begin
        has_ended = model.ending[traces.cells[at]] != GOES_ON and at == traces.last[at]
        for n in depths_due(t, model.config.n, has_ended):
            tau = first_step(t, n, h)
            if tau < 0:
                continue
            tau += begin
            oldest = max(begin, tau - h + 1)
            action = traces.actions[tau]
            subgoal = traces.tiles[SUBGOAL, tau + 1]
            for goal in range(len(goals.cells)):
                G = path_return(model, level, traces, tau + 1, at, goal, goals)
                if is_at(model, traces, tau, goal, goals):
                    G = model.start_value[level]
                for j in range(oldest, tau + 1):
                    if is_action(model, level, traces, j, tau + 1):
                        state = traces.tiles[STATE, j]
                        write_value(model, level, state, action, subgoal, goals.tiles[GOAL, goal], G)
            for j in range(oldest, tau + 1):
                if level > 0 and model.reach_is_learnt:
                    offer(model, level, traces, j, tau + 1, rng)


@kernel
def learn_samples(model: Model, level: int, traces: Traces, samples: int, rng: Words) -> None:
    """A level learns what lies within reach, and from hops that are drawn from the walks, each for one goal.

    Within reach is whatever followed a point within a hop. A sample is a point S_{τ+1} that a walk came to and a goal:
    one of the points on the path of n hops from there, or one of all points, equally often. As in Algorithm 3, all hops
    that end there learn the return, from each of the h points before, but for those where the goal is reached already;
    for after-states all of them are one.
    """
    h = model.hop_length[level]
    total = len(traces.cells)
    for begin in range(total if level > 0 and model.reach_is_learnt else 0):
        for end in range(begin + 1, min(begin + h, traces.last[begin]) + 1):
            offer(model, level, traces, begin, end, rng)
    done = 0
    while done < samples:
        end = below(rng, total)
        first = traces.first[end]
        if end == first:
            continue
        hops = min(model.config.n - 1, (traces.last[end] - end) // h)
        goal = below(rng, total) if uniform(rng) < 0.5 else end + h * below(rng, hops + 1)
        G = path_return(model, level, traces, end, end + h * hops, goal, traces)
        action = traces.actions[end - 1]
        oldest = end - 1 if level == 0 or model.is_after else max(first, end - h)
        for begin in range(oldest, end):
            if is_action(model, level, traces, begin, end) and (
                model.is_after or not is_at(model, traces, begin, goal, traces)
            ):
                g = traces.tiles[GOAL, goal]
                write_value(model, level, traces.tiles[STATE, begin], action, traces.tiles[SUBGOAL, end], g, G)
        done += 1


@kernel
def find_state_values(model: Model, level: int, starts: Traces, goals: Traces, found: Floats) -> None:
    """V of a level at every start for the goal beside it."""
    for at in range(len(found)):
        g = goals.tiles[GOAL, at]
        count = find_values(model, level, starts.cells[at], starts.tiles[STATE, at], g)
        found[at] = state_value(model, level, count)
        if is_at(model, starts, at, at, goals):
            found[at] = model.goal_reward
