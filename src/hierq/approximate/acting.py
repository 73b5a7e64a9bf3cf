"""How approximate levels act: each chooses a goal for the level below, and level 0 moves the point."""

import math
from typing import NamedTuple

from hierq.agents.random_numbers import Words, below, uniform
from hierq.approximate.model import GOAL, STATE, Model, best_value, find_tiles, find_values, is_near
from hierq.compiling.decorators import kernel
from hierq.tables.ties import is_tied
from hierq.worlds.layout import IN_HOLE
from hierq.worlds.points import Endings, Floats, Longs, advance, cell_number, turned


class Ground(NamedTuple):
    """A point world for the kernels."""

    moves: Floats
    noise: float
    slip: float
    state_at: Longs
    leads: Longs
    middles: Floats


def make_move(ground: Ground, points: Floats, t: int, action: int, rng: Words) -> None:
    """Moves from points[t] to points[t + 1], with noise by the method of Box and Muller."""
    point = points[t + 1]
    for axis in range(len(point)):
        point[axis] = points[t, axis]
    down, right = turned(ground.moves[action, 0], ground.moves[action, 1], uniform(rng), ground.slip)
    size = ground.noise * math.sqrt(-2.0 * math.log(1.0 - uniform(rng)))
    angle = 2.0 * math.pi * uniform(rng)
    down += size * math.cos(angle)
    right += size * math.sin(angle)
    advance(point, down, right, ground.state_at, ground.leads, ground.middles)


def best_action(model: Model, level: int, point: Floats, goal: Floats, rng: Words) -> int:
    """One of the actions that tie for the best at a point for a goal; −1 if a level has nothing to ask for."""
    find_tiles(model, STATE, point, model.tiles[STATE])
    find_tiles(model, GOAL, goal, model.tiles[GOAL])
    cell = cell_number(point[0], point[1], model.state_at)
    count = find_values(model, level, cell, model.tiles[STATE], model.tiles[GOAL])
    best = best_value(model, count)
    chosen = -1
    ties = 0
    for each in range(count):
        if is_tied(best, model.values[each], 0.0):
            ties += 1
            if below(rng, ties) == 0:
                chosen = each
    return chosen


def choose_subgoal(
    model: Model, level: int, point: Floats, goal: Floats, hands_down: bool, rng: Words, chosen: Floats
) -> None:
    """Writes the goal of the level below to `chosen`: a level's own goal if that is within reach, else the best."""
    cell = cell_number(point[0], point[1], model.state_at)
    there = cell_number(goal[0], goal[1], model.state_at)
    best = -1
    if not (hands_down and (cell == there or model.within[level, cell, there])):
        best = best_action(model, level, point, goal, rng)
    for axis in range(2):
        chosen[axis] = goal[axis] if best < 0 else model.candidates[level, cell, best, axis]


@kernel
def walk_to(
    model: Model, ground: Ground, keeps: bool, goals: Floats, taken: Longs, points: Floats, actions: Longs, rng: Words
) -> int:
    """Walks towards goals[k − 1] from points[0] until it is reached or `points` is full; returns the number of steps.

    With `keeps`, a sub-goal stays until it is reached or its level has used up its actions, and a goal within reach is
    handed down. Without, every level is asked anew at every step, and no goal is handed down.

    `goals` [k, 2] has room for the goal of every level, and `taken` [k] for its actions since it got that goal. The
    walk is written to `points` [limit + 1, 2 or 4] and `actions` [limit].
    """
    top = len(goals) - 1
    drawing = top
    for t in range(len(actions)):
        for level in range(drawing, 0, -1):
            choose_subgoal(model, level, points[t], goals[level], keeps, rng, goals[level - 1])
            taken[level] += 1
            taken[level - 1] = 0
        if uniform(rng) < model.config.explore_eval:
            actions[t] = below(rng, model.actions)
        else:
            actions[t] = best_action(model, 0, points[t], goals[0], rng)
        make_move(ground, points, t, actions[t], rng)
        taken[0] += 1
        point = points[t + 1]
        cell = cell_number(point[0], point[1], model.state_at)
        if is_near(model, point[0], point[1], goals[top]) or model.ending[cell] == IN_HOLE:
            return t + 1
        drawing = 0 if keeps else top
        is_dropped = True
        for level in range(1, top + 1):
            is_used_up = is_dropped and taken[level - 1] >= model.horizon[level - 1]
            is_dropped = is_used_up or is_near(model, point[0], point[1], goals[level - 1])
            if is_dropped:
                drawing = max(drawing, level)
    return len(actions)


@kernel
def walk_at_random(ground: Ground, ending: Endings, points: Floats, actions: Longs, rng: Words) -> int:
    """Walks with random moves from points[0] until a hole or until `points` is full; returns the number of steps."""
    for t in range(len(actions)):
        actions[t] = below(rng, len(ground.moves))
        make_move(ground, points, t, actions[t], rng)
        if ending[cell_number(points[t + 1, 0], points[t + 1, 1], ground.state_at)] == IN_HOLE:
            return t + 1
    return len(actions)
