"""Options as rivals (Sutton, Precup and Singh 1999): moves and courses of moves that are chosen as one.

An option o may begin where its target is within REACH steps, follows a shortest path to the target, and ends there. The
paths come from a map, which favours options: no other rival has one. Choices are the moves and the options of a state.

    SMDP Q-learning, when an option that began in s ends in s' after τ moves:
        Q(s, o) ← γ^(τ − 1) if the goal was reached, else γ^τ max_o' Q(s', o')
    intra-option Q-learning, after every move a from s to s', for every option that would have made it:
        Q(s, o) ← 1 if s' is the goal, else γ U(s', o);   U(s', o) = Q(s', o) if o goes on in s', else max_o' Q(s', o')

Without options both are one-step Q-learning. Step size 1: worlds without chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np

from hierq import Agent, Episodes, Protocol, World, shortest_path_lengths

REACH = 9  # steps: the reach of the highest of three levels
DOORWAYS, SUBGOALS, MOVES = "doorways", "sub-goals", "moves"
FAR = 1 << 30
NONE = -np.inf  # the value of a choice that a state does not have


def doorways(world: World) -> list[int]:
    """Free cells between two walls that face each other, with no such cell beside them on their way."""
    blocked = world.successors == np.arange(len(world.successors))[:, None]
    narrow = (blocked[:, 0] & blocked[:, 1] & ~blocked[:, 2] & ~blocked[:, 3]) | (
        blocked[:, 2] & blocked[:, 3] & ~blocked[:, 0] & ~blocked[:, 1]
    )
    return [int(s) for s in np.flatnonzero(narrow) if not narrow[[n for n in world.successors[s] if n != s]].any()]


@dataclass(frozen=True, eq=False)
class Choices:
    """The choices of every state: moves first, then options."""

    move: np.ndarray  # [states, choices]: the first move of each; −1 where it cannot be begun
    ends: np.ndarray  # [states, choices]: whether a choice that is followed ends in this state


@lru_cache(maxsize=32)
def choices_of(world: World, kind: str) -> Choices:
    """Moves, and options towards doorways or towards all states, which are the sub-goals of a hierarchy."""
    targets = {MOVES: [], DOORWAYS: doorways(world), SUBGOALS: list(range(world.states))}[kind]
    lengths = shortest_path_lengths(world)
    away = np.where(lengths < 0, FAR, lengths)  # −1 where there is no path
    moves = np.tile(np.arange(world.actions), (world.states, 1))
    columns = [moves]
    for target in targets:
        nearest = away[world.successors, target].argmin(axis=1)
        begins = (away[:, target] >= 1) & (away[:, target] <= REACH)
        columns.append(np.where(begins, nearest, -1)[:, None])
    move = np.concatenate(columns, axis=1)
    ends = move < 0
    ends[:, : world.actions] = True
    return Choices(move, ends)


class OptionLearner:
    """An agent that chooses among moves and options, and learns by one of the two rules."""

    def __init__(self, agent: Agent, rule: str, kind: str) -> None:
        self.world, self.config, self.seed, self.rule = agent.world, agent.config, agent.seed, rule
        self.choices = choices_of(agent.world, kind)
        self.q = np.where(self.choices.move >= 0, 0.0, NONE)
        self.rng = np.random.default_rng(agent.seed)

    def episode(self, learns: bool) -> tuple[int, bool]:
        """One episode: its steps, and whether it reached the goal."""
        world, state, steps = self.world, int(self.world.start), 0
        explore = self.config.explore_train if learns else self.config.explore_eval
        while state != world.goal and steps < self.config.step_limit:
            begun, choice, taken, is_over = state, self.choose(state, explore), 0, False
            while not is_over:
                move = int(self.choices.move[state, choice])
                successor = int(world.successors[state, move])
                taken += 1
                if learns and self.rule == "intra-option":
                    self.learn_move(state, move, successor)
                state = successor
                is_over = (
                    state == world.goal or self.choices.ends[state, choice] or steps + taken >= self.config.step_limit
                )
            if learns and self.rule == "smdp":
                self.q[begun, choice] = self.value_after(state, taken)
            steps += taken
        return steps, state == world.goal

    def choose(self, state: int, explore: float) -> int:
        """A choice of the state: with probability ε any, else one of the best."""
        if self.rng.random() < explore:
            return int(self.rng.choice(np.flatnonzero(self.choices.move[state] >= 0)))
        return int(self.rng.choice(np.flatnonzero(self.q[state] == self.q[state].max())))

    def value_after(self, state: int, moves: int) -> float:
        """The return of some moves that led to a state."""
        if state == self.world.goal:
            return float(self.config.discount ** (moves - 1))
        return float(self.config.discount**moves * self.q[state].max())

    def learn_move(self, state: int, move: int, successor: int) -> None:
        """Intra-option Q-learning from one move."""
        followed = np.flatnonzero(self.choices.move[state] == move)
        if successor == self.world.goal:
            self.q[state, followed] = 1.0
            return
        best = self.q[successor].max()
        after = np.where(self.choices.ends[successor, followed], best, self.q[successor, followed])
        self.q[state, followed] = self.config.discount * after


@dataclass(frozen=True)
class OptionEpisodes(Protocol):
    """The paper's protocol for an agent with options; discount, exploration and seed are those of the run's agent."""

    rule: str = "smdp"
    options: str = DOORWAYS

    def iterate(self, agents: Sequence[Agent], iterations: int) -> tuple[Episodes, Episodes]:
        """Training and evaluation episodes in turn."""
        agent = agents[0]
        learner = _learners.get(agent)
        if learner is None or learner.seed is not agent.seed:  # an agent is used again for the next seed
            learner = _learners[agent] = OptionLearner(agent, self.rule, self.options)
        turns = np.array([(learner.episode(True), learner.episode(False)) for _ in range(iterations)], np.int64)
        return Episodes(turns[:, 0, 0], turns[:, 0, 1]), Episodes(turns[:, 1, 0], turns[:, 1, 1])


_learners: WeakKeyDictionary[Agent, OptionLearner] = WeakKeyDictionary()
