"""Rivals as literally as their equations, in slow and obvious Python: distances in dictionaries."""

import functools
import itertools
import math

import numpy as np

from hierq.agents.random_numbers import below, seed_words
from hierq.tables.ranks import powers_of
from hierq.worlds.layout import AT_GOAL, GOES_ON, IN_HOLE

FAR = math.inf


class Twin:
    """d(s, a, g), the steps to a goal if one makes a move; unknown ones are infinitely many."""

    def __init__(self, world, backup, seed=0):
        self.world, self.backup = world, backup
        self.d, self.led_to, self.edges = {}, {}, []
        self.rng = np.zeros(4, np.uint64)
        seed_words(self.rng, seed)
        self.begin()

    def begin(self):
        self.S, self.A = [], []

    def replay(self, states, moves):
        self.begin()
        self.S.append(states[0])
        for move, state in zip(moves, states[1:], strict=True):
            self.A.append(move)
            self.S.append(state)
            self.step(self.S[-2], move, state)
        if moves:
            self.end()

    def step(self, s, a, to):
        """After a step."""

    def end(self):
        """After an episode."""

    def distance(self, s, a, g):
        return self.d.get((s, a, g), FAR)

    def nearest(self, s, g):
        return min(self.distance(s, a, g) for a in range(self.world.actions))

    def through(self, to, g):
        """Steps to a goal by a step that leads to a state."""
        outcome = self.world.ending[to]
        if g == to or (outcome == AT_GOAL and g == self.world.goal):
            return 1
        return FAR if outcome == IN_HOLE else 1 + self.nearest(to, g)

    @property
    def goals(self):
        return [*range(self.world.states), *([self.world.goal] if self.world.goal >= self.world.cells else [])]

    def write(self, s, a, g, steps):
        if g != s:
            self.d[s, a, g] = steps

    def learn(self, s, a, to):
        for g, steps in [(g, self.through(to, g)) for g in self.goals]:
            self.write(s, a, g, steps)

    def remember(self, s, a, to):
        if (s, a) not in self.led_to:
            self.edges.append((s, a))
        self.led_to[s, a] = to

    def relax(self, s, a, k, way, goals):
        """d(s, a, g) ← min(d(s, a, g), d(s, a, k) + way(g))."""
        for g in goals:
            steps = self.distance(s, a, k) + way(g)
            if steps < self.distance(s, a, g):
                self.write(s, a, g, steps)


class Oracle(Twin):
    """Everything that follows from all steps so far: they are learnt until nothing changes."""

    def step(self, s, a, to):
        self.remember(s, a, to)
        before = None
        while before != self.d:
            before = dict(self.d)
            for s, a in self.edges:
                self.learn(s, a, self.led_to[s, a])


class FloydWarshall(Twin):
    """F(x, a, x) is known here, since ways may come back to x; tables leave it out."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.f = {}

    def step(self, s, a, to):
        self.remember(s, a, to)
        self.f[s, a, to] = 1
        if self.world.ending[to] == AT_GOAL:
            self.f[s, a, self.world.goal] = 1
        for k in range(self.world.states):
            for (x, b), g in itertools.product(self.edges, self.goals):
                onward = min(self.f.get((k, c, g), FAR) for c in range(self.world.actions))
                self.f[x, b, g] = min(self.f.get((x, b, g), FAR), self.f.get((x, b, k), FAR) + onward)
        self.d = {key: steps for key, steps in self.f.items() if key[0] != key[2]}


class Transitive(Twin):
    def end(self):
        S, A, last = self.S, self.A, len(self.A)
        for i in reversed(range(last)):
            self.write(S[i], A[i], S[i + 1], 1)
            if self.world.ending[S[i + 1]] == AT_GOAL:
                self.write(S[i], A[i], self.world.goal, 1)
            for k in range(i + 1, last):
                later = S[k + 1 :] + ([self.world.goal] if self.world.ending[S[-1]] == AT_GOAL else [])
                self.relax(S[i], A[i], S[k], lambda g, k=k: self.distance(S[k], A[k], g), later)


class Dyna(Twin):
    def step(self, s, a, to):
        self.learn(s, a, to)
        self.remember(s, a, to)
        for _ in range(self.backup.updates):
            pair = self.edges[below(self.rng, len(self.edges))]
            self.learn(*pair, self.led_to[pair])


class Sweeping(Twin):
    """A dictionary in place of a heap."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.queue = {}

    def worth(self, steps):
        return 0.0 if steps == FAR else functools.reduce(lambda value, _: 0.95 * value, range(steps - 1), 1.0)

    def enqueue(self, pair):
        to = self.led_to[pair]
        gain = max(
            abs(self.worth(self.through(to, g)) - self.worth(self.distance(*pair, g)))
            for g in self.goals
            if g != pair[0]
        )
        if gain > 0:
            self.queue[pair] = max(gain, self.queue.get(pair, 0))

    def step(self, s, a, to):
        self.remember(s, a, to)
        self.enqueue((s, a))
        for _ in range(self.backup.updates):
            if not self.queue:
                return
            pair = min(self.queue, key=lambda pair: (-self.queue[pair], pair))
            del self.queue[pair]
            self.learn(*pair, self.led_to[pair])
            for before in self.edges:
                if self.led_to[before] == pair[0]:
                    self.enqueue(before)


class Hindsight(Twin):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.steps = []

    def step(self, s, a, to):
        episode = self.steps[-1][0] + 1 if len(self.A) == 1 and self.steps else self.steps[-1][0] if self.steps else 0
        self.steps.append((episode, s, a, to))
        for _ in range(self.backup.updates):
            drawn = below(self.rng, len(self.steps))
            episode, s, a, to = self.steps[drawn]
            futures = [step[3] for step in self.steps[drawn:] if step[0] == episode]
            goals = [self.world.goal]
            for _ in range(4):
                goals.append(futures[below(self.rng, len(futures))])
            for g in goals:
                self.write(s, a, g, self.through(to, g))


class OptionTD(Twin):
    def step(self, s, a, to):
        n, last = self.backup.n, len(self.A)
        ended = self.world.ending[to] != GOES_ON
        for begin in range(max(0, last - n), last if ended else last - n + 1):
            between = self.S[begin + 1 : last]
            for g, steps in [(g, 1 if g in between else self.through(to, g)) for g in self.goals]:
                self.write(self.S[begin], self.A[begin], g, steps)


TWINS = {
    "oracle": Oracle,
    "transitive": Transitive,
    "floyd-warshall": FloydWarshall,
    "dyna": Dyna,
    "sweeping": Sweeping,
    "hindsight": Hindsight,
    "option-td": OptionTD,
}


def entries_of(twin):
    """All that a twin knows: steps by state, action and goal."""
    return {key: steps for key, steps in twin.d.items() if steps < FAR}


def entries_of_agent(agent):
    """The same of an agent: a value γ^(d−1), as repeated products, is d steps."""
    powers, world = powers_of(agent.config.discount), agent.world
    found = {}
    for s, a, g in itertools.product(range(world.states), range(world.actions), {*range(world.states), world.goal}):
        value = agent.value(0, s, a, g)
        if value != 0:
            rank = int(np.flatnonzero(powers == value)[0])
            found[s, a, g] = len(powers) - rank
    return found
