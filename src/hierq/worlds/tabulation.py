"""Tables of deterministic environments that have none: every action is tried once in every state."""

import random
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete

from hierq.errors import InputError
from hierq.worlds.gymnasium_tables import Transitions, name_of_environment, table_of_transitions
from hierq.worlds.layout import Blueprint
from hierq.worlds.observations import Key, content

MAX_STEPS = 5_000_000  # that may be taken to find all states
CHECKED_STEPS = 2_000  # of random walks that must agree with the table


def tabulated(environment: Any, key: Key | None, seed: int, max_states: int) -> Blueprint:
    """The table of a deterministic environment; `World.tabulate` explains it."""
    if not isinstance(environment.action_space, Discrete):
        raise InputError(
            f"the action space of {name_of_environment(environment)} is {environment.action_space!r:.60}; "
            "a table needs a Discrete one"
        )
    search = _Search(environment, key or content, seed)
    search.find_all(max_states)
    search.compare_random_walks()
    return table_of_transitions(search.transitions(), np.zeros(1, np.int64), len(search.paths), search.actions)


class _Search:
    """All states of an environment, each with a shortest sequence of actions that leads to it."""

    def __init__(self, environment: Any, key: Key, seed: int) -> None:
        self.environment, self.key, self.seed = environment, key, seed
        self.first_action, self.actions = int(environment.action_space.start), int(environment.action_space.n)
        # A state is what was observed, and whether the episode ended there.
        self.numbers: dict[Hashable, int] = {}
        self.paths: list[list[int]] = []
        self.ends: list[bool] = []
        self.known: dict[tuple[int, int], tuple[int, float]] = {}  # state, action → next state, reward
        self.steps = 0

    def find_all(self, max_states: int) -> None:
        self.number(self.environment.reset(seed=self.seed)[0], False, [])
        for state, path in enumerate(self.paths):  # it grows during the loop
            for action in range(0 if self.ends[state] else self.actions):
                self.follow([*path, action])
            if len(self.paths) > max_states or self.steps > MAX_STEPS:
                self._refuse(
                    f"has more than {len(self.paths) - 1:,} states, too many to tabulate (max_states={max_states:,}); "
                    "learn by stepping it with hierq.learn"
                )

    def number(self, observation: Any, ended: bool, path: Sequence[int]) -> int:
        number = self.numbers.setdefault((self.key(observation), ended), len(self.numbers))
        if number == len(self.paths):
            self.paths.append(list(path))
            self.ends.append(ended)
        return number

    def follow(self, path: Sequence[int], seed: int | None = None) -> None:
        """Takes actions from the start and compares every transition with the table so far."""
        observation, _ = self.environment.reset(seed=self.seed if seed is None else seed)
        state = self.number(observation, False, [])
        if state > 0:
            self._refuse("begins in another state with another seed, and a table needs one start; use hierq.learn")
        for at, action in enumerate(path):
            if self.ends[state]:
                return
            observation, reward, ended, cut, _ = self.environment.step(action + self.first_action)
            self.steps += 1
            if cut and not ended:
                self._refuse(f"was cut off after {at + 1} steps; make it with a larger max_episode_steps")
            after = self.number(observation, bool(ended), path[: at + 1])
            if self.known.setdefault((state, action), (after, float(reward))) != (after, float(reward)):
                self._refuse(
                    f"answered the same action {action + self.first_action} after the same observation differently: "
                    "it is random, or its observations do not show its whole state; use hierq.learn"
                )
            state = after

    def compare_random_walks(self) -> None:
        """Follows random actions: a state that is reached by other paths must behave as before."""
        draw, longest = random.Random(self.seed), 2 * max(map(len, self.paths)) + 10
        states = len(self.paths)
        for walk in range(1, 1 + max(20, CHECKED_STEPS // longest)):
            prefix = self.paths[draw.randrange(states)]
            tail = [draw.randrange(self.actions) for _ in range(longest - len(prefix))]
            self.follow([*prefix, *tail], self.seed + walk)
            if len(self.paths) > states:
                self._refuse("showed a new state where all were known: it is random; use hierq.learn")

    def transitions(self) -> Transitions:
        ended = [state for state in range(len(self.paths)) if self.ends[state]]
        listed = [(s, a, 1.0, after, reward, self.ends[after]) for (s, a), (after, reward) in self.known.items()]
        listed += [(s, a, 1.0, s, 0.0, True) for s in ended for a in range(self.actions)]
        return Transitions.from_rows(sorted(listed))

    def _refuse(self, words: str) -> None:
        raise InputError(f"{name_of_environment(self.environment)} {words}")
