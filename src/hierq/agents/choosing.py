"""How a level chooses an action: the explorer's, a goal within reach, or the best one, ties broken uniformly."""

from hierq.agents.estimators.state_values import highest_value
from hierq.agents.explorers import GREEDY, Situation, can_be_asked_for
from hierq.agents.kernel_agent import KernelAgent
from hierq.agents.kernel_config import PUBLISHED, REACHABLE, KernelConfig
from hierq.agents.published import NOWHERE, published_preference
from hierq.agents.random_numbers import Words, below
from hierq.agents.world_arrays import WorldArrays, distance
from hierq.compiling.static_choice import StaticChoice, call
from hierq.tables.entries import value_of
from hierq.tables.level import BOTTOM, NOT_TRIED, Level, Longs
from hierq.tables.level_records import level_at
from hierq.tables.rows import action_value, place_of, row_of
from hierq.tables.ties import is_tied


def choose(agent: KernelAgent, explorer: StaticChoice, epsilon: float, i: int, state: int, goal: int) -> int:
    """Draws the action of a level at a state for a goal: a move at level 0, a sub-goal above.

    The first case that applies:

    1. no action is legal: the level hands its own goal down;
    2. the explorer tries an action;
    3. `near`, with the preference "reachable": the level's goal, if one action can lead there;
    4. `preferred`, with the preference "published": the cell that the published program took for the goal, if it ties;
    5. one of the legal actions that tie for best, with equal probabilities.
    """
    level, config, world, near = level_at(agent.levels, i), agent.config, agent.world, NOWHERE
    if level.legal_count[state] == 0:
        return goal
    if i > 0 and config.preference == REACHABLE:
        near = goal_within_reach(level, config, world, state, goal, agent.rng)
    place = place_of(level, state, level.column[goal])
    best = highest_value(level, config, state, place)
    tried = explore(agent, level, explorer, situation_of(agent, level, epsilon, i, state, goal, best, near != NOWHERE))
    if tried != GREEDY:
        return tried
    if near != NOWHERE:
        return near
    if i > 0 and config.preference == PUBLISHED:
        preferred = published_preference(config, world, level.reach, state, goal)
        if preferred != NOWHERE and is_tied(best, action_value(level, state, preferred, place), config.tie_tolerance):
            return preferred
    return draw_best(agent, level, state, place, best)


def situation_of(
    agent: KernelAgent, level: Level, epsilon: float, i: int, state: int, goal: int, best: float, is_near: bool
) -> Situation:
    """All that an explorer may use."""
    counts = agent.counts
    return Situation(
        level=i,
        state=state,
        goal=goal,
        actions=level.legal[state, : level.legal_count[state]],
        epsilon=epsilon,
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


def explore(agent: KernelAgent, level: Level, explorer: StaticChoice, situation: Situation) -> int:
    """The action that the explorer tries, or GREEDY."""
    i, state, goal, counts = situation.level, situation.state, situation.goal, agent.counts
    tried = int(call(explorer, situation))
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


def draw_best(agent: KernelAgent, level: Level, state: int, place: int, best: float) -> int:
    """Draws one of the legal actions that tie for the best, each with equal probability."""
    config, rng, ties = agent.config, agent.rng, agent.episode.ties
    if place < 0 or (config.never_below_start and not is_known(level, config, best)):  # all of them tie
        return int(level.legal[state, below(rng, level.legal_count[state])])
    return int(ties[below(rng, find_ties(level, config, state, place, best, ties))])


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
