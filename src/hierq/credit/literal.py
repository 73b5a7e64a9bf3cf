"""A level in slow, plain Python: its table, and the target policy that reads it. For explanations, see `credit`."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from hierq.agents.config import AgentConfig, EpsilonSoft, Softmax
from hierq.agents.layout import Layout
from hierq.worlds import World
from hierq.worlds.layout import AT_GOAL

Vector = npt.NDArray[np.float64]  # a number for each goal
Pair = tuple[int, int]  # a state and an action

EVERYWHERE_ELSE = -1  # stands for all goals that the trace never visits: they all learn the same


@dataclass
class LiteralLevel:
    """One level i: the span h of a hop, its table Q_i, the trace it learns from, and its eligibilities.

    Attributes:
        index: i.
        span: h.
        conditioned: whether it learns about every goal.
        start_value: what its table starts with.
        config: the agent's configuration.
        world: where the agent lives.
        legal_count: how many actions there are in each state.
        legal: array [states, most], the sub-goals it may ask for; None where all that a hop can lead to are among them.
        goals: the cells it learns about.
        counts: how many goals each of them stands for.
        told: the place in `goals` of the one that is written down, if it is there.
        states: S_0 … S_L.
        actions: A_0 … A_{L−1}; above level 0 the cells S_1 … S_L.
        steps: the environment steps at which they were taken.
        table: Q_i(s, a, ·) by state and action, what was written.
        chains: for each of the h chains, the eligible pairs: where each is on the trace, and z[g].
        shares: π(a | s, g) of the goal written down at each time, 0 where its trace was cut.
        cuts: why it was cut, where it was.
    """

    index: int
    span: int
    conditioned: bool
    start_value: float
    config: AgentConfig
    world: World
    legal_count: npt.NDArray[np.int32]
    legal: npt.NDArray[np.int32] | None
    goals: list[int]
    counts: npt.NDArray[np.int64]
    told: int | None
    states: list[int]
    actions: list[int] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    table: dict[int, dict[int, Vector]] = field(default_factory=dict)
    chains: dict[int, dict[Pair, tuple[int, Vector]]] = field(default_factory=dict)
    shares: dict[int, float] = field(default_factory=dict)
    cuts: dict[int, str] = field(default_factory=dict)

    def q(self, state: int, action: int) -> Vector:
        """Q_i(s, a, ·)."""
        stored = self.table.get(state, {}).get(action)
        return np.full(len(self.goals), self.start_value) if stored is None else stored

    def write(self, state: int, action: int, values: Vector) -> None:
        """Q_i(s, a, ·) ← values."""
        self.table.setdefault(state, {})[action] = values

    def is_action(self, state: int, action: int) -> bool:
        """Whether the level may ask for what a hop led to; if not, it is never stored.

        It cannot ask for the cell it stands on, nor for one that a teleport led to but that counts as out of reach.
        """
        if self.index == 0:
            return True
        return state != action and (self.legal is None or bool((self.legal[state] == action).any()))

    def at(self, state: int) -> npt.NDArray[np.bool_]:
        """For which goals g = s; where there are several goals, each is also "any of them"."""
        return np.array([self.is_at(state, goal) for goal in self.goals])

    def is_at(self, state: int, goal: int) -> bool:
        """Whether g = s."""
        return goal == state or (goal == self.world.goal and self.world.ending[state] == AT_GOAL)

    def expectation(self, state: int) -> Vector:
        """V(s, ·) = Σ_a π(a | s, ·) Q(s, a, ·); for the greedy policy max_a Q(s, a, ·)."""
        choices = self._choices(state)
        if not choices:  # nothing can be asked for here
            return self.q(state, -1)
        if self.config.target == "greedy":
            return np.asarray(np.max([values for _, values in choices], axis=0))
        return np.asarray(sum(count * self._share(state, values) * values for count, values in choices))

    def probability(self, state: int, action: int) -> Vector:
        """π(a | s, ·); for the greedy policy 1 for every action that ties for the best, else 0."""
        if not self.is_action(state, action):
            return np.zeros(len(self.goals))
        return self._share(state, self.q(state, action))

    def _choices(self, state: int) -> list[tuple[int, Vector]]:
        """The values of every action; the untried ones all have the start value, so they are counted together."""
        tried = self.table.get(state, {}).values()
        untried = int(self.legal_count[state]) - len(tried)
        return [(1, values) for values in tried] + [(untried, self.q(state, -1))] * (untried > 0)

    def _share(self, state: int, values: Vector) -> Vector:
        """The probability of one action that has these values."""
        choices, target = self._choices(state), self.config.target
        best = np.max([others for _, others in choices], axis=0)
        if isinstance(target, EpsilonSoft):
            ties = sum(count * (others == best) for count, others in choices)
            legal = sum(count for count, _ in choices)
            return np.asarray(target.epsilon / legal + np.where(values == best, (1 - target.epsilon) / ties, 0.0))
        if isinstance(target, Softmax):
            total = sum(count * np.exp((others - best) / target.temperature) for count, others in choices)
            return np.asarray(np.exp((values - best) / target.temperature) / total)
        return np.where(values == best, 1.0, 0.0)


def fresh_level(layout: Layout, i: int, visited: list[int], goal: int) -> LiteralLevel:
    """Level i before anything was learnt.

    Args:
        layout: the world, the configuration, and what is near to what.
        i: the level.
        visited: the states of the trace that will be learnt from.
        goal: the goal that is written down.
    """
    world, config = layout.world, layout.config
    goals, counts = [world.goal], [1]
    if config.is_conditioned(i):
        any_goal = [world.goal] if world.goal >= world.cells else []
        everywhere = (world.cells if config.subgoal_cells == "grid" else world.states) + len(any_goal)
        goals = list(dict.fromkeys([*visited, goal, *any_goal]))
        goals, counts = [*goals, EVERYWHERE_ELSE], [1] * len(goals) + [everywhere - len(goals)]
    legal, legal_count = layout.legal(i)
    all_are_near = config.subgoals == "anywhere" or layout.nearness == "steps" or world.is_geometric
    return LiteralLevel(
        index=i,
        span=config.hops[i],
        conditioned=config.is_conditioned(i),
        start_value=config.start_value(i),
        config=config,
        world=world,
        legal_count=legal_count,
        legal=None if all_are_near else legal,
        goals=goals,
        counts=np.array(counts),
        told=goals.index(goal) if goal in goals else None,
        states=visited[:1],
    )
