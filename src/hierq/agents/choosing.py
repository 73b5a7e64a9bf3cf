"""Which action a level takes: what the explorer tries, a goal within reach, or the best, ties broken uniformly."""

import math
from typing import Any, NamedTuple

import numpy as np

from hierq.agents.estimators.values import highest_value
from hierq.agents.explorers import COUNTED, GREEDY, Explorer, epsilon_greedy
from hierq.agents.random_numbers import Words, below, uniform
from hierq.agents.rules import PUBLISHED, REACHABLE, Rules
from hierq.agents.world_arrays import WorldArrays, distance
from hierq.tables.compiled import JIT, inlined
from hierq.tables.entries import value_of
from hierq.tables.level import NOT_TRIED, Ints, Level, Levels, Longs, level_at
from hierq.tables.queries import ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE
from hierq.tables.rows import place_of, row_of
from hierq.tables.typed import Chosen, picked, usable_in_kernels

NOWHERE: int = np.int64(-1)  # type: ignore[assignment]  # as for BOTTOM

for function in (uniform, below, epsilon_greedy):
    usable_in_kernels(function)


class Counts(NamedTuple):
    """What explorers ask to be counted over all training episodes; arrays of one entry if this one does not."""

    visits: Longs  # [states]: how often a state was entered
    asked: Longs  # [cells]: how often the explorer asked for a cell
    successors: Ints  # [states, actions]: where a move last led to, or UNTRIED


class Asker(NamedTuple):
    """Who is to choose, and what for."""

    explorer: Chosen
    epsilon: float  # of level 0
    goal: int
    state: int


if JIT:
    from numba.extending import intrinsic

    from hierq.tables.typed import calls

    _call = calls(Explorer.known_arguments)

    @intrinsic  # type: ignore[untyped-decorator]
    def ask_explorer(
        typing: Any,
        explorer: Any,
        level: Any,
        state: Any,
        goal: Any,
        actions: Any,
        epsilon: Any,
        is_known: Any,
        is_near: Any,
        rng: Any,
        visits: Any,
        asked: Any,
        successors: Any,
    ) -> Any:
        """The action that an explorer tries, or GREEDY; the explorer is known from its type."""
        given = (level, state, goal, actions, epsilon, is_known, is_near, rng, visits, asked, successors)
        return _call(typing, explorer, given)

else:

    def ask_explorer(explorer: Chosen, *given: Any) -> Any:
        """The action that an explorer tries, or GREEDY."""
        values = dict(zip(Explorer.known_arguments, given, strict=True))
        assert explorer.function is not None
        return explorer.function(*(values[name] for name in explorer.arguments))


@inlined
def choose(
    levels: Levels, i: int, rules: Rules, world: WorldArrays, asker: Asker, counts: Counts, ties: Longs, rng: Words
) -> int:
    """Draws the action of level i at a state for a goal: a move at level 0, a sub-goal above.

    What the explorer tries comes first; then, above level 0, the goal itself if the rules say so; else one of the
    legal actions that tie for the best, each as likely as the other. A level that has nothing to ask for passes its
    own goal on.
    """
    level, state, goal = level_at(levels, i), asker.state, asker.goal
    count = level.legal_count[state]
    if count == 0:
        return goal
    place = place_of(level, state, level.column[goal])
    tried = ask_explorer(
        asker.explorer,
        i,
        state,
        goal,
        level.legal[state, :count],
        asker.epsilon if i == 0 else 0.0,
        is_known(asker, level, rules, place),
        is_near(asker, level, rules, world, i),
        rng,
        counts.visits,
        counts.asked,
        counts.successors,
    )
    if tried != GREEDY:
        count_asked(asker, counts, i, tried)
        return int(tried)
    preferred = NOWHERE
    if i > 0:
        preferred = preferred_subgoal(level, rules, world, state, goal, rng)
        if preferred != NOWHERE and rules.preference == REACHABLE:
            return preferred
    best = highest_value(level, rules, state, place)
    if place < 0 or (rules.never_below_start and best == level.start_value):  # nothing is known yet
        if preferred != NOWHERE:
            return preferred
        return int(level.legal[state, below(rng, count)])
    if preferred != NOWHERE and is_best(best, action_value(level, state, preferred, place)):
        return preferred
    return int(ties[below(rng, find_ties(level, state, place, best, ties))])


def _asks_for(name: str) -> Any:
    """Which of two functions an explorer needs: whether it asks for something."""
    return lambda chosen: "needed" if name in chosen.arguments else ""


def _not_asked_for_known(asker: Asker, level: Level, rules: Rules, place: int) -> bool:
    """Whether anything is known of a goal: V(s, g) is not the start value; worked out only if the explorer asks."""
    return False


def _is_known(asker: Asker, level: Level, rules: Rules, place: int) -> bool:
    return bool(highest_value(level, rules, asker.state, place) != level.start_value)


def _not_asked_for_near(asker: Asker, level: Level, rules: Rules, world: WorldArrays, i: int) -> bool:
    """Whether the level would ask for its own goal, as it is within reach; worked out only if the explorer asks."""
    return False


def _is_near(asker: Asker, level: Level, rules: Rules, world: WorldArrays, i: int) -> bool:
    return (
        i > 0 and rules.preference == REACHABLE and is_goal_within_reach(level, rules, world, asker.state, asker.goal)
    )


def _count_no_asking(asker: Asker, counts: Counts, i: int, cell: int) -> None:
    """Counts what the explorer asked for."""


def _count_asking(asker: Asker, counts: Counts, i: int, cell: int) -> None:
    if i > 0 and cell < len(counts.asked):
        counts.asked[cell] += 1


def _count_no_step(rules: Rules, counts: Counts, state: int, action: int, successor: int) -> None:
    """Counts a step that was chosen."""


def _count_step(rules: Rules, counts: Counts, state: int, action: int, successor: int) -> None:
    counts.successors[state, action] = successor
    counts.visits[successor] += 1


def _count_no_visit(rules: Rules, counts: Counts, state: int) -> None:
    """Counts that an episode starts in a state."""


def _count_visit(rules: Rules, counts: Counts, state: int) -> None:
    counts.visits[state] += 1


def _counts(chosen: Chosen) -> str:
    return "needed" if any(name in COUNTED for name in chosen.arguments) else ""


is_known = picked("explorer", _not_asked_for_known, key=_asks_for("is_known"), needed=_is_known)
is_near = picked("explorer", _not_asked_for_near, key=_asks_for("is_near"), needed=_is_near)
count_asked = picked("explorer", _count_no_asking, key=_counts, needed=_count_asking)
count_step = picked("explorer", _count_no_step, key=_counts, needed=_count_step)
count_visit = picked("explorer", _count_no_visit, key=_counts, needed=_count_visit)


@inlined
def is_best(best: float, value: float) -> bool:
    """Whether a value ties with the maximum, within 1e-8 + 1e-5 · |max|."""
    return best - value <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * abs(best)


@inlined
def action_value(level: Level, state: int, action: int, place: int) -> float:
    """Q(s, a, g); the start value for what was never tried, walls among them."""
    row = row_of(level, state, action)
    return value_of(level, level.q[row, place]) if place >= 0 and row >= 0 else level.start_value


@inlined
def find_ties(level: Level, state: int, place: int, best: float, ties: Longs) -> int:
    """Lists the legal actions that tie for the best into `ties`; returns their number."""
    count = 0
    if is_best(best, level.start_value):  # untried actions may be among them
        for k in range(level.legal_count[state]):
            action = int(level.legal[state, k])
            ties[count] = action
            count += is_best(best, action_value(level, state, action, place))
    else:
        for k in range(level.used[state]):
            row = level.tried[state, k]
            ties[count] = level.action[row]
            count += is_best(best, value_of(level, level.q[row, place]))
    return count


@inlined
def preferred_subgoal(level: Level, rules: Rules, world: WorldArrays, state: int, goal: int, rng: Words) -> int:
    """The cell a level asks for because its own goal is near, or NOWHERE.

    The text: the goal itself, if it lies within reach (L1 ≤ H^a). The published program: with sub-goals anywhere, the
    goal among ties at any distance; nearby, what `misread_goal` makes of it.
    """
    if rules.preference == REACHABLE:
        if stands_for_several(world, goal):
            return any_goal_within_reach(level, rules, world, state, rng)
        if is_within_reach(level, rules, world, state, goal):
            return goal
    elif rules.preference == PUBLISHED:
        if rules.anywhere:
            return goal
        if distance(world, state, goal) < level.reach:
            return misread_goal(rules, world, level.reach, state, goal)
    return NOWHERE


@inlined
def is_within_reach(level: Level, rules: Rules, world: WorldArrays, state: int, cell: int) -> bool:
    """Whether a level may count on getting to a cell: by L1 distance, or because it is one of its sub-goals."""
    if rules.by_position:
        return distance(world, state, cell) <= level.reach
    row = row_of(level, state, cell)
    return row >= 0 or (row == NOT_TRIED and not level.learns_reach)


@inlined
def stands_for_several(world: WorldArrays, goal: int) -> bool:
    """Whether a goal is the number that stands for any of the environment's goals."""
    return goal == world.goal and (len(world.goals) != 1 or world.goals[0] != goal)


@inlined
def is_goal_within_reach(level: Level, rules: Rules, world: WorldArrays, state: int, goal: int) -> bool:
    """Whether a goal, or one of those that it stands for, is within reach; nothing is drawn."""
    if not stands_for_several(world, goal):
        return is_within_reach(level, rules, world, state, goal)
    for k in range(len(world.goals)):
        if is_within_reach(level, rules, world, state, world.goals[k]):
            return True
    return False


@inlined
def any_goal_within_reach(level: Level, rules: Rules, world: WorldArrays, state: int, rng: Words) -> int:
    """One of the environment's goals within reach, each as likely as the other, or NOWHERE."""
    chosen, count = NOWHERE, 0
    for k in range(len(world.goals)):
        if is_within_reach(level, rules, world, state, world.goals[k]):
            count += 1
            if below(rng, count) == 0:
                chosen = int(world.goals[k])
    return chosen


@inlined
def misread_goal(rules: Rules, world: WorldArrays, r: int, state: int, goal: int) -> int:
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
    legal = cell != state and (rules.walls or cell < len(world.ending))
    return cell if legal else NOWHERE
