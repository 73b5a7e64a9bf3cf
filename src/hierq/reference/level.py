"""One level of the hierarchy: its table Q_i(s, a, g), the target policy π that reads it, and the trace it learns from.

Everything printed in bold in the paper is a NumPy vector here, with a number for each goal g.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.agents.layout import Layout
from hierq.agents.targets import EpsilonSoft, Softmax
from hierq.errors import InputError
from hierq.worlds.layout import AT_GOAL, IN_HOLE

ROUNDING = 1e-9
Vector = npt.NDArray[np.float64]  # a number for each goal
Mask = npt.NDArray[np.bool_]  # yes or no for each goal


def is_tied(best: Any, value: Any, tolerance: float = 0.0) -> Any:
    """Whether a value ties with the best one: the same up to rounding and a tolerance."""
    return abs(best - value) <= tolerance + ROUNDING * abs(best)


class Observer:
    """What can be observed while a level learns. This class ignores it; `hierq.credit` records it."""

    def begin(self, level: "Level", n: int | None = None) -> None:
        """A backup begins; n is its depth if it goes over hops."""

    def bootstrap(self, level: "Level", s: int, v: Vector | None) -> None:
        """The return begins at S_{t+1} = s with V(s, ·) = v; None in a hole, from which nothing is reached."""

    def step_back(
        self, level: "Level", begin: int, end: int, arrived: Vector, G: Vector, part: Vector | None = None
    ) -> None:
        """The return that arrived through the hop from S_begin to S_end has become G.

        Where several hops begin there, `part` says how much this one counts: its weight in a mean; 1 if it is the best.
        """

    def target(self, level: "Level", begin: int, end: int, G: Vector) -> None:
        """The hop from S_begin to S_end, the oldest one, is what learns G."""

    def error(self, level: "Level", delta: Vector, pi: Vector) -> None:
        """The traces get the error δ of the newest hop, whose probability is π: 0 where it cuts them."""

    def write(self, level: "Level", j: int, a: int, old: Vector, new: Vector, z: Vector | None) -> None:
        """Q(S_j, a, ·) was old and is new; z is the eligibility of an entry that a trace has reached."""

    def end(self, level: "Level", G: Vector) -> None:
        """The backup is done, in which G was learnt."""

    def learnt(self, levels: "list[Level]") -> None:
        """All levels have learnt what they could from one step of the environment."""

    def over(self, levels: "list[Level]") -> None:
        """The episode is over, and all levels have learnt what they waited for."""


class Level:
    """Level i. `HopLevel` (Algorithm 3) and `TraceLevel` (Algorithm 2) define how it learns.

    Attributes:
        index: i.
        H: its own budget H_i.
        reach: H^a_i, how many steps of the environment one of its actions may take.
        h: how many steps one hop of a backup takes; H^a_i in the paper.
        conditioned: whether it learns about every goal, or about the environment's only.
        goals: the goals it learns about, in the order of the vectors.
        column: where each goal is in the vectors.
        start_value: what its table starts with.
        table: Q_i(s, a, ·) by state and action, what was written; all else has the start value.
        S: its trace S_0 … S_{t+1}.
        A: A_0 … A_t: the moves at level 0; above, the sub-goals S_1 … S_{t+1}, reached in hindsight.
        mu: μ_0 … μ_t, how likely the moves were; 1 for what is only known in hindsight.
        rng: the agent's random numbers, for hops that are drawn.
    """

    rng: npt.NDArray[np.uint64]

    def __init__(self, layout: Layout, index: int, goals: list[int], observer: Observer) -> None:
        """A level that knows nothing yet.

        Args:
            layout: the world, the configuration, and what counts as near.
            index: i.
            goals: all goals of the agent; a level that is not conditioned has the environment's only.
            observer: is told what it learns.
        """
        self.world, self.config, self.observer = layout.world, layout.config, observer
        self.nearness, self.is_local = layout.nearness, layout.local
        self.index = index
        self.H, self.reach = self.config.horizon_of_levels[index], self.config.reaches[index]
        self.h = self.config.hop_lengths[index]
        self.conditioned = self.config.is_conditioned(index)
        self.goals = np.array(goals if self.conditioned else [self.world.goal])
        self.column = {int(g): k for k, g in enumerate(self.goals)}
        self.start_value = self.config.start_value(index)
        self.table: dict[int, dict[int, Vector]] = {}
        self.S: list[int] = []
        self.A: list[int] = []
        self.mu: list[float] = []
        self._untried = np.full(len(self.goals), self.start_value)
        self._entries: dict[int, Mask] = {}
        if index > 0 and self.nearness != "learnt":
            self._legal, self._legal_count = self._near(self.reach if self.config.subgoals == "nearby" else None)

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuses an attribute of a subclass whose name means something else in a level."""
        if name == "n" or (name in ("S", "A", "mu") and not isinstance(value, list)):
            what = "the depth that its backup has" if name == "n" else "its trace, a list"
            raise InputError(
                f"{type(self).__name__} sets self.{name} to {value!r:.60}, but {name} of a level is {what}; "
                "give the attribute another name"
            )
        super().__setattr__(name, value)

    # -- what it may do ----------------------------------------------------------------------------------------------

    def actions(self, s: int) -> list[int]:
        """The moves at level 0; above, the sub-goals: cells within reach, except s itself."""
        if self.index == 0:
            return list(range(self.world.actions))
        if self.nearness == "learnt":  # what was reached before
            return list(self.table.get(s, {}))
        return [int(cell) for cell in self._legal[s, : self._legal_count[s]]]

    def is_action(self, s: int, a: int) -> bool:
        """Whether what a hop led to is an action; if not, it is never stored.

        A level cannot ask for its own cell, nor for one that a teleport led to but that counts as out of reach.
        """
        if self.index == 0 or self.nearness == "learnt":
            return self.index == 0 or a != s
        return bool((self._legal[s] == a).any())

    def is_at(self, s: int) -> Mask:
        """For which goals g = s; where the environment has several goals, each is also "any of them"."""
        any_goal = (self.goals == self.world.goal) & (self.world.ending[s] == AT_GOAL)
        return np.asarray((self.goals == s) | any_goal)

    # -- the table and the target policy -----------------------------------------------------------------------------

    def q(self, s: int, a: int) -> Vector:
        """Q_i(s, a, ·)."""
        return self.table.get(s, {}).get(a, self._untried)

    def V(self, s: int) -> Vector:
        """E_π Q_i(s, ·, g), the sum over a of π(a | s, g) Q_i(s, a, g); for the greedy policy max_a Q_i(s, a, g)."""
        if self.config.is_greedy:
            return self.maximum(s)
        shares = [count * self._share(s, values) * values for count, values in self._values(s)]
        return np.asarray(sum(shares)) if shares else self._untried

    def pi(self, s: int, a: int) -> Vector:
        """π(a | s, ·); for the greedy policy 1 for every action that ties for the best, else 0."""
        return self._share(s, self.q(s, a)) if self.is_action(s, a) else np.zeros(len(self.goals))

    def maximum(self, s: int) -> Vector:
        """max_a Q_i(s, a, ·); the start value where there is nothing to choose from."""
        values = [values for _, values in self._values(s)]
        return np.asarray(np.max(values, axis=0)) if values else self._untried

    def _values(self, s: int) -> list[tuple[int, Vector]]:
        """The values of all actions; the untried ones all have the start value, so they are counted together."""
        tried = list(self.table.get(s, {}).values())
        if self.index == 0:
            untried = self.world.actions - len(tried)
        else:
            untried = 0 if self.nearness == "learnt" else int(self._legal_count[s]) - len(tried)
        return [(1, values) for values in tried] + [(untried, self._untried)] * (untried > 0)

    def _share(self, s: int, values: Vector) -> Vector:
        """The probability of one action that has these values."""
        best, target, choices = self.maximum(s), self.config.target, self._values(s)
        if isinstance(target, EpsilonSoft):
            greedy_actions = sum(count * is_tied(best, others) for count, others in choices)
            legal = sum(count for count, _ in choices)
            greedy = np.where(is_tied(best, values), (1 - target.epsilon) / greedy_actions, 0.0)
            return np.asarray(target.epsilon / legal + greedy)
        if isinstance(target, Softmax):
            total = sum(count * np.exp((others - best) / target.temperature) for count, others in choices)
            return np.asarray(np.exp((values - best) / target.temperature) / total)
        return np.where(values == best, 1.0, 0.0)

    # -- what Algorithms 2 and 3 have in common ----------------------------------------------------------------------

    def begin(self, s: int) -> None:
        """An episode begins: the trace starts afresh."""
        self.S, self.A, self.mu = [s], [], []

    def step(self, a: int, s: int, mu: float = 1.0) -> None:
        """Adds a step to its trace."""
        self.S.append(s)
        self.A.append(a)
        self.mu.append(mu)

    def learn(self, has_ended: bool) -> None:
        """Learns from the newest step of its trace."""
        raise NotImplementedError

    def end(self) -> None:
        """Learns from an episode that is over."""

    def one_step_return(self, s: int) -> Vector:
        """G ← r + γ E_π Q_i(s, ·, g), the return of an action that led to s."""
        if self.world.ending[s] == IN_HOLE:  # from here no other goal is ever reached
            self.observer.bootstrap(self, s, None)
            return np.where(self.is_at(s), self.config.goal_reward, self.config.hole_return)
        v = self.V(s)
        self.observer.bootstrap(self, s, v)
        return self.discounted(s, v)

    def discounted(self, s: int, X: Vector) -> Vector:
        """Returns r + γ X for an action that led to s; where g = s the goal is reached, and what follows is nothing."""
        return np.where(self.is_at(s), self.config.goal_reward, self.config.step_reward + self.config.discount * X)

    def blend(self, j: int, a: int, G: Vector) -> None:
        """Q_i(S_j, a, g) ← (1 − α) Q_i(S_j, a, g) + α G."""
        alpha = self.config.step_size
        self.write(j, a, (1 - alpha) * self.q(self.S[j], a) + alpha * G)

    def write(self, j: int, a: int, values: Vector, z: Vector | None = None) -> None:
        """Q_i(S_j, a, g) ← values, unless a is no action there."""
        s = self.S[j]
        if self.is_action(s, a):
            old = self.q(s, a)
            new = np.where(self.has_entry(s), values, old)
            self.table.setdefault(s, {})[a] = new
            self.observer.write(self, j, a, old, new, z)

    def has_entry(self, s: int) -> Mask:
        """For which goals the table has an entry: for all; in local tables for those near s and the environment's."""
        if s not in self._entries:
            near: Any = True
            if self.is_local:
                cells, _ = self._near(self.config.goal_radius(self.index))
                near = np.isin(self.goals, [*cells[s][cells[s] >= 0], s, self.world.goal])
            self._entries[s] = np.full(len(self.goals), near)
        return self._entries[s]

    def _near(self, radius: int | None) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """The cells near every state, itself left out; with None all of them."""
        if radius is None or self.nearness == "L1":
            return self.world.subgoals(radius, self.config.subgoal_cells)
        return self.world.subgoals(radius, self.config.subgoal_cells, nearness="steps")
