"""How a level chooses an action: the explorer's, a goal within reach, or the best one, ties broken uniformly."""

import math
from typing import NamedTuple

import numpy as np

from hierq.agents.estimators.state_values import highest_value
from hierq.agents.explorers import GREEDY, Situation, can_be_asked_for
from hierq.agents.kernel_agent import KernelAgent
from hierq.agents.kernel_config import PUBLISHED, REACHABLE, KernelConfig
from hierq.agents.random_numbers import Words, below
from hierq.agents.world_arrays import WorldArrays, distance
from hierq.compiling.static_choice import StaticChoice, call
from hierq.tables.entries import value_of
from hierq.tables.level import BOTTOM, NOT_TRIED, Level, Longs, level_at
from hierq.tables.rows import place_of, row_of
from hierq.tables.ties import is_tied

NOWHERE: int = np.int64(-1)  # type: ignore[assignment]  # Numba types a literal −1 differently


class Decision(NamedTuple):
    """A choice that a level has to make."""

    explorer: StaticChoice
    epsilon: float
    i: int
    state: int
    goal: int


def choose(agent: KernelAgent, decision: Decision) -> int:
    """Draws the action of a level at a state for a goal: a move at level 0, a sub-goal above.

    The first case that applies:

    1. no action is legal: the level hands its own goal down;
    2. the explorer tries an action;
    3. `near`, with the preference "reachable": the level's goal, if one action can lead there;
    4. `preferred`, with the preference "published": the cell that the published program took for the goal, if it ties;
    5. one of the legal actions that tie for best, with equal probabilities.
    """
    level, i, state, goal = level_at(agent.levels, decision.i), decision.i, decision.state, decision.goal
    config, world, ties, rng = agent.config, agent.world, agent.episode.ties, agent.rng
    count = level.legal_count[state]
    if count == 0:
        return goal
    near = NOWHERE
    if i > 0 and config.preference == REACHABLE:
        near = goal_within_reach(level, config, world, state, goal, rng)
    place = place_of(level, state, level.column[goal])
    best = highest_value(level, config, state, place)
    tried = explore(agent, level, decision, best, near != NOWHERE)
    if tried != GREEDY:
        return tried
    if near != NOWHERE:
        return near
    preferred = NOWHERE
    if i > 0 and config.preference == PUBLISHED:
        if config.anywhere:
            preferred = goal
        elif distance(world, state, goal) < level.reach:
            preferred = misread_goal(config, world, level.reach, state, goal)
    if place < 0 or (config.never_below_start and not is_known(level, config, best)):  # all actions tie
        if preferred != NOWHERE:
            return preferred
        return int(level.legal[state, below(rng, count)])
    if preferred != NOWHERE and is_tied(best, action_value(level, state, preferred, place), config.tie_tolerance):
        return preferred
    return int(ties[below(rng, find_ties(level, config, state, place, best, ties))])


def explore(agent: KernelAgent, level: Level, decision: Decision, best: float, is_near: bool) -> int:
    """The action that the explorer tries, or GREEDY."""
    i, state, goal, counts = decision.i, decision.state, decision.goal, agent.counts
    actions = level.legal[state, : level.legal_count[state]]
    situation = Situation(
        level=i,
        state=state,
        goal=goal,
        actions=actions,
        epsilon=decision.epsilon,
        is_known=is_known(level, agent.config, best),
        is_near=is_near,
        reach_is_learnt=level.learns_reach,
        rng=agent.rng,
        memory=counts.memory,
        visits=counts.visits,
        asked=counts.asked,
        successors=counts.successors,
        optimism=counts.optimism,
    )
    tried = int(call(decision.explorer, situation))
    if tried == GREEDY:
        return tried
    cells = len(level.column) if agent.config.walls else len(agent.world.ending)
    if not (0 <= tried < level.legal.shape[1] if i == 0 else can_be_asked_for(tried, state, goal, cells)):
        counts.refused[0] = tried  # Python refuses to go on: see `check_explorer`
        return GREEDY
    if len(counts.asked) > 1 and i > 0 and tried != goal:
        counts.asked[tried] += 1
    return tried


def behaviour_chance(agent: KernelAgent, state: int, goal: int, action: int, epsilon: float) -> float:
    """μ(a | s): the probability with which ε-greedy made this move."""
    level, config = level_at(agent.levels, BOTTOM), agent.config
    place = place_of(level, state, level.column[goal])
    best, count = highest_value(level, config, state, place), level.legal_count[state]
    chance = epsilon / float(count)
    if is_tied(best, action_value(level, state, action, place), config.tie_tolerance):
        chance += (1.0 - epsilon) / find_ties(level, config, state, place, best, agent.episode.ties)
    return chance


def is_known(level: Level, config: KernelConfig, best: float) -> bool:
    """Whether a level has learnt anything about a goal: its highest value differs from the start value."""
    return not is_tied(level.start_value, best, config.tie_tolerance)


def action_value(level: Level, state: int, action: int, place: int) -> float:
    """Q(s, a, g); the start value for an action that was never tried, such as a wall."""
    row = row_of(level, state, action)
    return value_of(level, level.q[row, place]) if place >= 0 and row >= 0 else level.start_value


def find_ties(level: Level, config: KernelConfig, state: int, place: int, best: float, ties: Longs) -> int:
    """Lists the legal actions that tie for the best into `ties`; returns their number."""
    count = 0
    if is_tied(best, level.start_value, config.tie_tolerance):  # untried actions may be among them
        for k in range(level.legal_count[state]):
            action = int(level.legal[state, k])
            ties[count] = action
            count += is_tied(best, action_value(level, state, action, place), config.tie_tolerance)
    else:
        for k in range(level.used[state]):
            row = level.tried[state, k]
            ties[count] = level.action[row]
            count += is_tied(best, value_of(level, level.q[row, place]), config.tie_tolerance)
    return count


def goal_within_reach(level: Level, config: KernelConfig, world: WorldArrays, state: int, goal: int, rng: Words) -> int:
    """The goal, if one action of a level can lead there, or NOWHERE.

    The paper's text says that the level then chooses the goal itself.

    A goal that stands for any of the environment's goals counts as each of them; of those within reach one is drawn.
    """
    if goal != world.goal or (len(world.goals) == 1 and world.goals[0] == goal):
        return goal if is_within_reach(level, config, world, state, goal) else NOWHERE
    chosen, count = NOWHERE, 0
    for k in range(len(world.goals)):
        if is_within_reach(level, config, world, state, world.goals[k]):
            count += 1
            if below(rng, count) == 0:
                chosen = int(world.goals[k])
    return chosen


def is_within_reach(level: Level, config: KernelConfig, world: WorldArrays, state: int, cell: int) -> bool:
    """Whether one action of a level can lead to a cell: by L1 distance, or because the cell is one of its sub-goals."""
    if config.by_position:
        return distance(world, state, cell) <= level.reach
    row = row_of(level, state, cell)
    return row >= 0 or (row == NOT_TRIED and not level.learns_reach)


def misread_goal(config: KernelConfig, world: WorldArrays, r: int, state: int, goal: int) -> int:
    """The legal sub-goal that the published program took for a goal within reach, or NOWHERE.

    It meant to encode the difference goal − state as an index into the diamond of radius r, row by row from the top:
        index(d0, d1) = c + sgn(d0) · (c − (r + 1 − |d0|)(r − |d0|)) + d1,    c = r (r + 1) at the centre
    but took d0 from the state's own two coordinates, and decoded whatever cell has that index.
    """
    p = world.positions
    d0, d1 = p[state, 1] - p[state, 0], p[goal, 1] - p[goal, 0]
    centre = r * (r + 1)
    index = centre + d1
    if d0 != 0:
        shift = centre - (r + 1 - abs(d0)) * (r - abs(d0))
        index += shift if d0 > 0 else -shift
    if index < 0 or index > 2 * centre:
        return NOWHERE
    # Decode: the upper half's rows have 1, 3, 5, … cells, so row m begins at m²; the lower half is its mirror image.
    mirrored = min(index, 2 * centre - index)
    m = int(math.sqrt(mirrored))
    while m * m > mirrored:
        m -= 1
    while (m + 1) * (m + 1) <= mirrored:
        m += 1
    side = 1 if index <= centre else -1
    row = p[state, 0] + side * (m - r)
    column = p[state, 1] + side * (mirrored - m * m - m)
    rows, columns = world.cell_at.shape
    if row < 0 or row >= rows or column < 0 or column >= columns:
        return NOWHERE
    cell = int(world.cell_at[row, column])
    legal = cell != state and (config.walls or cell < len(world.ending))
    return cell if legal else NOWHERE
