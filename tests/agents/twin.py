"""The literal twin: Algorithms 1 to 3 of the paper in plain Python, slow and obvious.

Nothing here is shared with the package but the world's maps and the names of the settings. A table is a dictionary
from (state, action, goal) to a value and holds only what was written; every goal is visited on every backup. Where
the paper's pseudo-code has gaps the comments say which reading is meant.
"""

import itertools
import math
import random
from dataclasses import dataclass, field

CUT_OFF = 1e-8


@dataclass
class Settings:
    """The agent's configuration, spelled out."""

    horizons: list[int]
    backup: str = "tree"  # or "traces"
    n: int = 1
    decay: float = 0.0
    discount: float = 0.95
    step_size: float = 1.0
    behaviour: str = "hierarchy"
    subgoals: str = "nearby"
    subgoal_cells: str = "free"
    goal_preference: str = "reachable"
    pseudo_reward: str = "binary"
    initial_value: float | str = 0.0
    universal_top: bool = False
    target: tuple[str, float] = ("greedy", 0.0)  # or ("epsilon", ε) or ("softmax", temperature)
    evaluation: str = "text"
    explore_train: float = 0.25
    explore_eval: float = 0.05
    step_limit: int = 100_000


@dataclass
class Level:
    """One level i: its span H^a_i, horizon H_i, the goals it is conditioned on and its table Q_i."""

    index: int
    span: int
    horizon: int
    goals: list
    conditioned: bool
    start_value: float
    table: dict = field(default_factory=dict)


class Twin:
    """An agent whose every line is the paper's."""

    def __init__(self, map_text, settings, seed=0):
        self.settings = settings
        self.random = random.Random(seed)
        self.grid = map_text.split()
        cells = [(r, c) for r, line in enumerate(self.grid) for c in range(len(line))]
        self.free = [cell for cell in cells if self.grid[cell[0]][cell[1]] != "#"]
        self.subgoal_cells = self.free if settings.subgoal_cells == "free" else cells
        self.start = next(cell for cell in cells if self.grid[cell[0]][cell[1]] == "S")
        self.goal = next(cell for cell in cells if self.grid[cell[0]][cell[1]] == "G")
        self.levels = []
        levels = len(settings.horizons)
        for i in range(levels):
            conditioned = i < levels - 1 or settings.universal_top
            self.levels.append(
                Level(
                    index=i,
                    span=math.prod(settings.horizons[:i]),
                    horizon=settings.horizons[i],
                    goals=list(self.subgoal_cells) if conditioned else [self.goal],
                    conditioned=conditioned,
                    start_value=self.start_value(i),
                )
            )

    def start_value(self, i):
        horizons = self.settings.horizons
        if self.settings.initial_value == "pessimistic":
            return -float(min(math.prod(horizons[: i + 1]), max(horizons)))
        return float(self.settings.initial_value)

    # -- the world ---------------------------------------------------------------------------------------------

    def move(self, state, action):
        row, column = state
        step = {0: (-1, 0), 1: (1, 0), 2: (0, -1), 3: (0, 1)}[action]
        row, column = row + step[0], column + step[1]
        inside = 0 <= row < len(self.grid) and 0 <= column < len(self.grid[0])
        return (row, column) if inside and self.grid[row][column] != "#" else state

    @staticmethod
    def distance(a, b):
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    def actions(self, level, state):
        """What the level may do in a state: four moves, or sub-goals other than the own cell."""
        if level.index == 0:
            return [0, 1, 2, 3]
        cells = [cell for cell in self.subgoal_cells if cell != state]
        if self.settings.subgoals == "nearby":
            cells = [cell for cell in cells if self.distance(cell, state) <= level.span]
        return cells

    # -- values ------------------------------------------------------------------------------------------------

    def q(self, level, state, action, goal):
        return level.table.get((state, action, goal), level.start_value)

    def write(self, level, state, action, goal, value):
        if level.index == 0 or action != state:  # the own cell is no action
            level.table[state, action, goal] = value

    def policy(self, level, state, goal):
        """The target policy π(· | state, goal) as {action: probability}; for "greedy" every tied action counts 1."""
        values = {action: self.q(level, state, action, goal) for action in self.actions(level, state)}
        best = max(values.values())
        kind, parameter = self.settings.target
        if kind == "greedy":
            return {action: float(value == best) for action, value in values.items()}
        if kind == "epsilon":
            tied = sum(value == best for value in values.values())
            return {
                action: parameter / len(values) + ((1 - parameter) / tied if value == best else 0.0)
                for action, value in values.items()
            }
        weights = {action: math.exp((value - best) / parameter) for action, value in values.items()}
        total = sum(weights.values())
        return {action: weight / total for action, weight in weights.items()}

    def probability(self, level, state, action, goal):
        return self.policy(level, state, goal).get(action, 0.0)

    def expectation(self, level, state, goal):
        values = [self.q(level, state, action, goal) for action in self.actions(level, state)]
        if self.settings.target[0] == "greedy":
            return max(values)
        return sum(p * self.q(level, state, action, goal) for action, p in self.policy(level, state, goal).items())

    def reached(self):
        return 1.0 if self.settings.pseudo_reward == "binary" else 0.0

    def discounted(self, value):
        if self.settings.pseudo_reward == "binary":
            return self.settings.discount * value
        return -1.0 + self.settings.discount * value

    def one_step_return(self, level, states):
        """G ← r + γ E_π Q(S_L, ·, g), for every goal g."""
        newest = states[-1]
        returns = {}
        for g in level.goals:
            returns[g] = self.reached() if g == newest else self.discounted(self.expectation(level, newest, g))
        return returns

    def blend(self, level, state, action, returns):
        """Q(s, a, g) ← (1 - α) Q(s, a, g) + α G[g]."""
        alpha = self.settings.step_size
        for g in level.goals:
            value = (1 - alpha) * self.q(level, state, action, g) + alpha * returns[g]
            self.write(level, state, action, g, value)

    # -- Algorithm 3: HierTB_k(n) --------------------------------------------------------------------------------

    def tree_backup(self, level, states, actions, n):
        last, h = len(actions), level.span
        tau = last - 1 - h * (n - 1)
        if tau < 0:
            return
        returns = self.one_step_return(level, states)
        for j in range(last - 1 - h, tau - 1, -h):
            s = states[j + 1]
            a = actions[j + 1] if level.index == 0 else states[j + 1 + h]
            for g in level.goals:
                if g == s:
                    returns[g] = self.reached()
                else:
                    pi = self.probability(level, s, a, g)
                    if self.settings.target[0] == "greedy":
                        mixed = returns[g] if pi == 1.0 else self.expectation(level, s, g)
                    else:
                        mixed = pi * returns[g] + (1 - pi) * self.expectation(level, s, g)
                    returns[g] = self.discounted(mixed)
        if level.conditioned:
            returns[states[tau]] = level.start_value  # a loop back to where the step starts earns nothing
        for j in range(min(h - 1, tau), -1, -1):
            self.blend(level, states[tau - j], actions[tau], returns)

    # -- Algorithm 2: HierQ_k(λ) ---------------------------------------------------------------------------------

    def trace_backup(self, level, states, actions, eligibility):
        """One chain of eligibilities for each t mod h; each is {(s, a): {g: z}}."""
        last, h, alpha = len(actions), level.span, self.settings.step_size
        chain = eligibility.setdefault((last - 1) % h, {})
        s, a = states[last - min(h, last)], actions[last - 1]
        returns = self.one_step_return(level, states)
        own_cell = level.index > 0 and s == a
        decay = self.settings.decay * self.settings.discount
        delta = {g: returns[g] - self.q(level, s, a, g) for g in level.goals}
        for pair, z in chain.items():
            for g in level.goals:
                z[g] *= decay * (0.0 if own_cell or g == s else self.probability(level, s, a, g))
                if z[g] <= CUT_OFF:
                    z[g] = 0.0
        if not own_cell:
            for g in level.goals:
                self.write(level, s, a, g, self.q(level, s, a, g) + alpha * delta[g])
            for pair, z in chain.items():
                if pair != (s, a):
                    for g in level.goals:
                        if z[g] > 0.0:
                            value = self.q(level, *pair, g) + alpha * z[g] * delta[g]
                            self.write(level, *pair, g, value)
        for j in range(last - min(h, last) + 1, last):
            self.blend(level, states[j], a, returns)
        for j in range(last - min(h, last), last):
            chain[states[j], a] = dict.fromkeys(level.goals, 1.0)

    # -- learning from one environment step ------------------------------------------------------------------------

    def begin_episode(self):
        self.all_states, self.all_actions = [self.start], []  # what level 0 sees
        self.moved_states = [self.start]  # what the levels above see
        self.eligibilities = [{} for _ in self.levels]

    def learn(self, action, state):
        self.all_actions.append(action)
        self.all_states.append(state)
        moved = state != self.moved_states[-1]
        if moved:
            self.moved_states.append(state)
        for level in self.levels:
            if level.index == 0:
                states, actions = self.all_states, self.all_actions
            elif moved:
                states, actions = self.moved_states, self.moved_states[1:]
            else:
                continue
            if self.settings.backup == "traces":
                self.trace_backup(level, states, actions, self.eligibilities[level.index])
            elif state == self.goal:
                for m in range(1, self.settings.n + 1):
                    self.tree_backup(level, states, actions, m)
            else:
                self.tree_backup(level, states, actions, self.settings.n)

    def replay(self, actions):
        self.begin_episode()
        state = self.start
        for action in actions:
            state = self.move(state, action)
            self.learn(action, state)
        return state
