"""How levels take turns: training episodes (Algorithm 1 of the paper) and evaluation episodes."""

from abc import ABC, abstractmethod

import numpy as np

from hierq.agents.config import AgentConfig
from hierq.reference.level import Level
from hierq.worlds import World
from hierq.worlds.layout import GOES_ON


class Control(ABC):
    """Algorithm 1, and the paper's rule for evaluation, in terms of methods of an agent.

    Attributes:
        world: the agent's world.
        config: its configuration.
        levels: its levels, level 0 first.
        S_goal: the goal of each level.
        steps: how many steps the episode has taken.
        is_done: of each level, whether it returned because it was done, and not because the episode was given up.
    """

    world: World
    config: AgentConfig
    levels: list[Level]
    S_goal: list[int]
    steps: int
    is_done: list[bool]

    @abstractmethod
    def begin(self, is_training: bool) -> int:
        """Begins an episode: S_0. All levels have the environment's goal at first."""

    @abstractmethod
    def choose(self, level: Level, S: int, is_training: bool) -> int:
        """A^(i) ~ π_i(a | S, S_goal^(i))."""

    @abstractmethod
    def apply(self, S: int, A: int) -> int:
        """Applies an action of level 0 and observes S'."""

    @abstractmethod
    def update(self, A: int, S_next: int) -> None:
        """All levels learn from the step, level 0 first."""

    @abstractmethod
    def returned(self, i: int, A: int, S_next: int) -> None:
        """The action A of level i > 0 has ended in S'."""

    @abstractmethod
    def end(self) -> None:
        """The training episode is over."""

    def train_episode(self) -> int:
        """Algorithm 1; returns the number of steps.

        Initialize S and S_goal
        while S ≠ S_goal:
            S ← Recurse(k − 1, S, S_goal)

        Behaviour "flat" lets level 0 alone act, towards the environment's goal; all levels still learn.
        """
        S, top = self.begin(is_training=True), 0 if self.config.behaviour == "flat" else len(self.levels) - 1
        while not self.is_over(S):
            S = self.recurse(top, S, self.world.goal)
        self.end()
        return self.steps

    def recurse(self, i: int, S: int, S_goal: int) -> int:
        """The function Recurse of Algorithm 1.

        Set counter n ← 0
        while n < H_i and S ≠ S_goal^(j) for all j ≥ i:
            Sample action A^(i) ~ π_i(a | S, S_goal^(i))
            if i > 0:
                S' ← Recurse(i − 1, S, A^(i))
            else:
                Apply A^(0), observe transition S', R
                Update Π_i, i = 0, …, k − 1
            n ← n + 1, S ← S'
        return S

        It also returns when the episode is over: in a hole, at any of several goals, or after too many steps.
        """
        self.S_goal[i] = S_goal
        n = 0
        while n < self.levels[i].H and S not in self.S_goal[i:] and not self.is_over(S):
            A = self.choose(self.levels[i], S, is_training=True)
            if i > 0:
                S_next = self.recurse(i - 1, S, A)
                if self.is_done[i - 1]:
                    self.returned(i, A, S_next)
            else:
                S_next = self.apply(S, A)
                self.update(A, S_next)
            n, S = n + 1, S_next
        has_ended = bool(self.world.ending[S] != GOES_ON)
        self.is_done[i] = has_ended or (
            (i == 0 or self.is_done[i - 1]) and (n >= self.levels[i].H or S in self.S_goal[i:])
        )
        return S

    def evaluate_episode(self) -> int:
        """An episode without learning, in which goals are drawn anew as soon as better ones are known.

        The goal of level i − 1, and of all below, is dropped when it has been reached, when that level has used up its
        budget, or when what it was worth on being chosen is less than max_a Q_i(S, a, S_goal^(i)) now. In the published
        program only level 0's budget runs out, and the worth was rounded to single precision.
        """
        top, is_published = len(self.levels) - 1, self.config.evaluation == "published"
        S, drawing = self.begin(is_training=False), top  # the highest level that draws a goal
        worth, taken = [0.0] * top, [0] * len(self.levels)  # of each level's goal; own actions since it was given
        while not self.is_over(S):
            for i in range(drawing, 0, -1):
                level, goal = self.levels[i], self.choose(self.levels[i], S, is_training=False)
                value = float(level.q(S, goal)[level.column[self.S_goal[i]]])
                worth[i - 1] = float(np.float32(value)) if is_published else value
                self.S_goal[i - 1] = goal
                taken[i] += 1
                taken[i - 1] = 0
            S = self.apply(S, self.choose(self.levels[0], S, is_training=False))
            taken[0] += 1
            drawing, is_dropped = 0, True
            for i in range(1, top + 1):
                expires = is_dropped and not (is_published and i > 1)
                is_used_up = expires and taken[i - 1] >= self.levels[i - 1].H
                best = self.levels[i].maximum(S)[self.levels[i].column[self.S_goal[i]]]
                is_dropped = S == self.S_goal[i - 1] or is_used_up or worth[i - 1] < best
                if is_dropped:
                    drawing = i
        return self.steps

    def is_over(self, S: int) -> bool:
        """Whether the episode ends here: S = S_goal, or a hole, or the step limit."""
        return bool(self.world.ending[S] != GOES_ON) or self.steps >= self.config.step_limit
