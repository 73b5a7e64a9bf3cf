"""Explorers: what is tried in training before the greedy choice is made.

An explorer is asked whenever a level has something to choose from in training. It returns an action (above level 0 any
cell), or GREEDY for the best one known. It only reads, and names what it needs:

    level        which level chooses, 0 at the bottom          state, goal   where it stands, and what it is asked for
    actions      what it may choose: moves, or cells           epsilon       ε, and 0 above level 0
    is_known     whether anything is known of this goal here   is_near       whether the goal is in reach, so asked for
    rng          random numbers: hierq.uniform(rng) in [0, 1), hierq.below(rng, n) in 0 … n − 1

and what is to be counted, over all training episodes:

    visits       [states]: how often a state was entered       asked         [cells]: how often it asked for a cell
    successors   [states, actions]: where a move last led to, or UNTRIED
"""

from typing import Any, NamedTuple

from hierq.agents.parts import Part
from hierq.agents.random_numbers import Words, below, uniform

GREEDY = -1
UNTRIED = -1
COUNTED = ("visits", "asked", "successors")


class Situation(NamedTuple):
    """What an explorer may ask for."""

    level: int
    state: int
    goal: int
    actions: Any
    epsilon: float
    is_known: bool
    is_near: bool
    rng: Words
    visits: Any
    asked: Any
    successors: Any


class Explorer(Part):
    """What is tried in training; see `hierq.explorer`."""

    what = "explorer"
    known_arguments = Situation._fields

    @property
    def counts(self) -> bool:
        """Whether it asks for anything that has to be counted."""
        return any(name in COUNTED for name in self.arguments)


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
            is_known, is_near, rng, and what is to be counted: visits, asked, successors. It is compiled.

    Raises:
        InputError: the function asks for something that there is not.
    """
    return Explorer.of(function)


def epsilon_greedy(epsilon: float, actions: Any, rng: Words) -> int:
    """With probability ε any of the actions, each as likely as the other; else the greedy one."""
    if epsilon > 0.0 and uniform(rng) < epsilon:
        return int(actions[below(rng, len(actions))])
    return GREEDY


EXPLORERS: dict[str, Explorer] = {"epsilon": Explorer.builtin("epsilon", epsilon_greedy)}


def named_explorer(given: Any) -> Explorer:
    """An explorer that is given by its name, or as it is; refuses what is neither."""
    return Explorer.one_of(EXPLORERS, given, "explore")
