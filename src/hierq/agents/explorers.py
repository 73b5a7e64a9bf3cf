"""Explorers: what an agent tries in training before it chooses greedily.

In training, a level asks the explorer before every choice. The explorer returns an action (above level 0 any cell), or
GREEDY for the best one known. It names its arguments:

    level        which level chooses, 0 at the bottom          state, goal   where it is, and its goal
    actions      what it may choose: moves, or cells           epsilon       ε, and 0 above level 0
    is_known     whether anything is known of this goal here   is_near       whether it is within reach, so chosen
    reach_is_learnt   whether the cells in `actions` are those that were reached before, and not those of a map
    rng          random numbers: hierq.uniform(rng) in [0, 1), hierq.below(rng, n) in 0 … n − 1
    memory       [4]: numbers of its own, which it may write; 0 when an episode begins

and counts over all training episodes, which it only reads:

    visits       [states]: N(s), how often a state was entered
    asked        [cells]: M(w), how often it chose a cell as sub-goal; goals that are handed down are not counted
    successors   [states, actions]: where a move last led to, or UNTRIED
    optimism     [states, actions]: E(s, a), minus the least number of steps, as far as is known, to a state with an
                 untried move: 0 at first, and after every move E(s, a) ← −1 + max E(s', ·); HOPELESS into a hole
"""

import math
from typing import Any, NamedTuple

import numpy as np

from hierq.agents.random_numbers import Words, below, uniform
from hierq.compiling.user_function import UserFunction
from hierq.errors import InputError

GREEDY = -1
UNTRIED = -1
HOPELESS = -(2**30)  # E of a move into a hole
MEMORY = 4  # numbers that an explorer may remember within an episode
LONGEST = 10_000  # times that a move is repeated, at most
COUNTED = ("visits", "asked", "successors", "optimism")


class Situation(NamedTuple):
    """The arguments that an explorer may name."""

    level: int
    state: int
    goal: int
    actions: Any
    epsilon: float
    is_known: bool
    is_near: bool
    reach_is_learnt: bool
    rng: Words
    memory: Any
    visits: Any
    asked: Any
    successors: Any
    optimism: Any


_EXAMPLE: dict[str, Any] = {
    **dict.fromkeys(("level", "state", "goal"), 0),
    **dict.fromkeys(("is_known", "is_near", "reach_is_learnt"), False),
    **dict.fromkeys(("memory", "visits", "asked"), np.zeros(1, np.int64)),
    **dict.fromkeys(("successors", "optimism"), np.zeros((1, 1), np.int32)),
    **{"actions": np.zeros(1, np.int32), "epsilon": 0.0, "rng": np.zeros(4, np.uint64)},
}


class Explorer(UserFunction):
    """A function that decides what is tried in training; see `hierq.explorer`."""

    what, setting = "explorer", "explore"
    known_arguments = Situation._fields
    example = Situation(**_EXAMPLE)

    @property
    def counts(self) -> tuple[str, ...]:
        """The counts that it uses."""
        return tuple(name for name in COUNTED if name in self.arguments)


def explorer(function: Any) -> Explorer:
    """Makes an explorer of a function of a few lines: what is tried in training.

        @hierq.explorer
        def passing(level, goal, epsilon, actions, is_known, is_near, rng):
            if level > 0 and not (is_known or is_near):
                return goal  # handed down as it is
            return hierq.epsilon_greedy(epsilon, actions, rng)

        hierq.AgentConfig(levels=3, explore=passing)

    Args:
        function: it returns an action, or hierq.GREEDY, and names what it needs: level, state, goal, actions, epsilon,
            is_known, is_near, reach_is_learnt, rng, memory, and what is to be counted: visits, asked, successors,
            optimism. It is compiled.

    Raises:
        InputError: the function names an argument that does not exist.
    """
    return Explorer.of(function)


def epsilon_greedy(epsilon: float, actions: Any, rng: Words) -> int:
    """With probability ε any of the actions, drawn uniformly; else the greedy one."""
    if len(actions) == 0:  # compiled, something else would be read
        raise IndexError("there is no action to draw from")
    if epsilon > 0.0 and uniform(rng) < epsilon:
        return int(actions[below(rng, len(actions))])
    return GREEDY


def pass_on(
    level: int,
    state: int,
    goal: int,
    actions: Any,
    epsilon: float,
    is_known: bool,
    is_near: bool,
    rng: Words,
    visits: Any,
    successors: Any,
) -> int:
    """A level that knows nothing of its goal hands it down; level 0 then goes where it has been least.

        level 0, after ε:  an untried move, drawn uniformly; else argmin_a N(last successor of a)

    It switches itself off, level by level and state by state, as soon as the level knows a value.
    """
    if level > 0:
        return GREEDY if is_known or is_near else goal
    tried = epsilon_greedy(epsilon, actions, rng)
    return tried if tried != GREEDY or is_known else lowest(actions, visits_after, state, visits, successors, rng)


def seek(
    level: int,
    state: int,
    goal: int,
    actions: Any,
    epsilon: float,
    is_known: bool,
    is_near: bool,
    reach_is_learnt: bool,
    rng: Words,
    visits: Any,
    asked: Any,
    successors: Any,
) -> int:
    """As "pass", but a level that knows nothing of its goal asks for a cell that was seen and asked for least.

        level i > 0:  argmin_w N(w) + M(w) over the cells in reach

    Without M a level would ask again and again for a cell that it cannot reach. Where reach is learnt, the level hands
    its goal down as long as there are untried moves here.
    """
    if level == 0:
        return pass_on(level, state, goal, actions, epsilon, is_known, is_near, rng, visits, successors)
    if is_known or is_near:
        return GREEDY
    if reach_is_learnt:
        for action in range(successors.shape[1]):
            if successors[state, action] == UNTRIED:
                return goal
    return lowest(actions, visits_and_requests, state, visits, asked, rng)


def optimistic(
    level: int,
    state: int,
    goal: int,
    actions: Any,
    epsilon: float,
    is_known: bool,
    is_near: bool,
    rng: Words,
    optimism: Any,
) -> int:
    """As "pass", but level 0 goes where something new may be nearest.

        level 0, after ε:  argmax_a E(s, a);   after every move  E(s, a) ← −1 + max_b E(s', b),  0 at first

    Koenig and Simmons (1993): in every deterministic world without holes in which one can always come back, it finds a
    goal within a polynomial number of steps. Counting visits does not promise that.
    """
    if level > 0:
        return GREEDY if is_known or is_near else goal
    tried = epsilon_greedy(epsilon, actions, rng)
    return tried if tried != GREEDY or is_known else lowest(actions, steps_to_news, state, optimism, optimism, rng)


def repeated(level: int, actions: Any, epsilon: float, rng: Words, memory: Any) -> int:
    """εz-greedy (Dabney, Ostrovski and Barreto 2021): a random move is repeated n ≤ 10,000 times, P(n) ∝ 1 / n²."""
    if level > 0:
        return GREEDY
    if memory[1] == 0 and epsilon > 0.0 and uniform(rng) < epsilon:
        memory[0] = actions[below(rng, len(actions))]
        memory[1] = drawn_length(rng)
    if memory[1] == 0:
        return GREEDY
    memory[1] -= 1
    return int(memory[0])


def lowest(candidates: Any, score: Any, state: int, counts: Any, others: Any, rng: Words) -> int:
    """argmin_a score(a, s, counts, others); ties are broken uniformly."""
    chosen, least, ties = GREEDY, 0, 0
    for candidate in candidates:
        value = score(candidate, state, counts, others)
        if ties == 0 or value < least:
            chosen, least, ties = int(candidate), value, 1
        elif value == least:
            ties += 1
            if below(rng, ties) == 0:
                chosen = int(candidate)
    return chosen


def visits_after(action: int, state: int, visits: Any, successors: Any) -> int:
    """N(s') of the state s' that a move last led to; −1 for an untried move."""
    successor = successors[state, action]
    return -1 if successor == UNTRIED else int(visits[successor])


def visits_and_requests(cell: int, state: int, visits: Any, asked: Any) -> int:
    """N(w) + M(w) of a cell; walls have no visits."""
    return int(visits[cell] if cell < len(visits) else 0) + int(asked[cell])


def steps_to_news(action: int, state: int, optimism: Any, _: Any) -> int:
    """−E(s, a), the fewest steps from a move to something new, as far as is known."""
    return -int(optimism[state, action])


def optimistic_value(optimism: Any, successor: int, in_hole: bool) -> int:
    """E(s, a) of a move that led to a state s': −1 + max E(s', ·), or HOPELESS if s' is a hole."""
    if in_hole:
        return HOPELESS
    most = int(optimism[successor, 0])
    for action in range(1, optimism.shape[1]):
        most = max(most, int(optimism[successor, action]))
    return max(most - 1, HOPELESS)


def can_be_asked_for(cell: int, state: int, goal: int, cells: int) -> bool:
    """Whether a level above 0 may choose a cell: its own goal, or any cell but the one where it is."""
    return cell == goal or (0 <= cell < cells and cell != state)


def drawn_length(rng: Words) -> int:
    """A whole number n ≥ 1 with P(n) ∝ 1 / n², at most 10,000."""
    share = uniform(rng) * math.pi**2 / 6
    n, up_to = 1, 1.0
    while up_to < share and n < LONGEST:
        n += 1
        up_to += 1.0 / (n * n)
    return n


EXPLORERS: dict[str, Explorer] = {
    "epsilon": Explorer.builtin("epsilon", epsilon_greedy),
    "pass": Explorer.builtin("pass", pass_on),
    "seek": Explorer.builtin("seek", seek),
    "optimism": Explorer.builtin("optimism", optimistic),
    "epsilon-z": Explorer.builtin("epsilon-z", repeated),
}
Explorer.builtins = EXPLORERS


def no_action(explorer: Explorer, returned: int) -> InputError:
    """The error for an explorer that returned a number that is not an action."""
    return InputError(
        f"the explorer {explorer.name} returned {returned}, which is no action there; at level 0 it may return one of "
        "`actions`, above it any cell but its own, or hierq.GREEDY"
    )
