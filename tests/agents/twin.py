"""The literal twin: Algorithms 1 to 3 of the paper in plain Python, slow and obvious.

Nothing here is shared with the package but the world's maps and the names of the settings. A table is a dictionary
from (state, action, goal) to a value and holds only what was written; every goal is visited on every backup. Where
the paper's pseudo-code has gaps the comments say which reading is meant.
"""

import functools
import math
import random
from dataclasses import dataclass, field

import numpy as np

CUT_OFF = 1e-8
ANY_GOAL = "any goal"  # the environment's goal, where there are several
STEPS = {0: (-1, 0), 1: (1, 0), 2: (0, -1), 3: (0, 1)}
DOORS = {"^": 0, "v": 1, "<": 2, ">": 3}
OPPOSITE = {0: 1, 1: 0, 2: 3, 3: 2}
SIDEWAYS = {0: (2, 3), 1: (2, 3), 2: (0, 1), 3: (0, 1)}


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
    credit_span: str = "full"  # or "single": hops of one step, whatever the reach
    tables: str = "dense"  # or "local": no entry for a goal farther away than the radius
    radius: int | None = None
    nearness: str = "L1"  # or "steps" or "learnt"


@dataclass(eq=False)
class Level:
    """One level i: its reach H^a_i, span of a hop, horizon H_i, the goals it is conditioned on and its table Q_i."""

    index: int
    reach: int
    span: int
    horizon: int
    goals: list
    conditioned: bool
    start_value: float
    radius: int
    table: dict = field(default_factory=dict)
    tried: dict = field(default_factory=dict)  # the actions that were ever learnt about in a state


class Twin:
    """An agent whose every line is the paper's."""

    def __init__(self, map_text, settings, seed=0):
        self.settings = settings
        self.random = random.Random(seed)
        lines = map_text.split("\n")
        self.slips = lines[0].startswith("slip:")
        self.grid = [line for line in lines[self.slips :] if line]
        cells = [(r, c) for r, line in enumerate(self.grid) for c in range(len(line))]
        self.kind = {cell: self.grid[cell[0]][cell[1]] for cell in cells}
        self.free = [cell for cell in cells if self.kind[cell] != "#"]
        self.subgoal_cells = self.free if settings.subgoal_cells == "free" else cells
        self.starts, self.goal_cells, self.holes = ([c for c in cells if self.kind[c] == kind] for kind in "SGH")
        self.start = self.starts[0]
        self.goal = self.goal_cells[0] if len(self.goal_cells) == 1 else ANY_GOAL
        everywhere = list(self.subgoal_cells) + [ANY_GOAL] * (self.goal == ANY_GOAL)
        self.levels = []
        levels = len(settings.horizons)
        for i in range(levels):
            conditioned = i < levels - 1 or settings.universal_top
            self.levels.append(
                Level(
                    index=i,
                    reach=math.prod(settings.horizons[:i]),
                    span=math.prod(settings.horizons[:i]) if settings.credit_span == "full" else 1,
                    horizon=settings.horizons[i],
                    goals=everywhere if conditioned else [self.goal],
                    radius=settings.radius or 3 * math.prod(settings.horizons[: i + 1]),
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
        """Where a move leads that goes in the intended direction."""
        row, column = state[0] + STEPS[action][0], state[1] + STEPS[action][1]
        kind = self.kind.get((row, column), "#")
        if kind == "#" or DOORS.get(kind, action) != action or DOORS.get(self.kind[state]) == OPPOSITE[action]:
            return state
        if kind.isdigit():
            (other,) = (cell for cell in self.free if self.kind[cell] == kind and cell != (row, column))
            return other
        return row, column

    def outcomes(self, state, action):
        """Where a move may lead."""
        directions = [action, *SIDEWAYS[action]] if self.slips else [action]
        return {self.move(state, direction) for direction in directions}

    def happens(self, state, action):
        """What a move leads to; `follow` replaces this by what a recorded episode saw."""
        return self.random.choice(sorted(self.outcomes(state, action)))

    def ends(self, state):
        return state in self.goal_cells or state in self.holes

    def is_at(self, state, goal):
        return state == goal or (goal == ANY_GOAL and state in self.goal_cells)

    @staticmethod
    def distance(a, b):
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    @functools.cache  # noqa: B019
    def within_steps(self, state, steps):
        """The cells other than the own one that moves can lead to, with luck."""
        found, newest = {state}, {state}
        for _ in range(steps):
            newest = {o for s in newest if not self.ends(s) for a in range(4) for o in self.outcomes(s, a)} - found
            if not newest:
                break
            found |= newest
        return found - {state}

    @functools.cache  # noqa: B019
    def within(self, state, radius):
        """The cells near a state, other than the own one."""
        if self.settings.nearness == "L1":
            return {cell for cell in self.subgoal_cells if 0 < self.distance(cell, state) <= radius}
        return self.within_steps(state, radius)

    def actions(self, level, state):
        """What the level may do in a state: four moves, or sub-goals other than the own cell."""
        if level.index == 0:
            return [0, 1, 2, 3]
        if self.settings.nearness == "learnt":
            return level.tried.get(state, [])
        if self.settings.subgoals == "nearby":
            return self.within(state, level.reach)
        return [cell for cell in self.subgoal_cells if cell != state]

    def is_action(self, level, state, action):
        """Not the own cell; nor, if the world has teleports, a cell that was reached but counts as out of reach."""
        if level.index == 0 or self.settings.nearness == "learnt":
            return level.index == 0 or action != state
        return action in self.actions(level, state)

    def has_entry(self, level, state, goal):
        """Whether the table has an entry for a goal: in local tables only near the state."""
        if self.settings.tables == "dense" or goal in (state, self.goal):
            return True
        return goal in self.within(state, level.radius)

    # -- values ------------------------------------------------------------------------------------------------

    def q(self, level, state, action, goal):
        return level.table.get((state, action, goal), level.start_value)

    def write(self, level, state, action, goal, value):
        if self.is_action(level, state, action) and self.has_entry(level, state, goal):
            level.table[state, action, goal] = value
            if level.index > 0 and action not in level.tried.setdefault(state, []):
                level.tried[state].append(action)

    def policy(self, level, state, goal):
        """The target policy π(· | state, goal) as {action: probability}, where it is not greedy."""
        values = {action: self.q(level, state, action, goal) for action in self.actions(level, state)}
        best = max(values.values())
        kind, parameter = self.settings.target
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
        """π(action | state, goal); for "greedy" every tied action counts 1."""
        if not self.is_action(level, state, action):
            return 0.0
        if self.settings.target[0] == "greedy":
            return float(self.q(level, state, action, goal) == self.expectation(level, state, goal))
        return self.policy(level, state, goal).get(action, 0.0)

    def expectation(self, level, state, goal):
        values = [self.q(level, state, action, goal) for action in self.actions(level, state)]
        if self.settings.target[0] == "greedy":
            return max(values, default=level.start_value)
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
            if self.is_at(newest, g):
                returns[g] = self.reached()
            elif newest in self.holes:
                returns[g] = self.fallen()
            else:
                returns[g] = self.discounted(self.expectation(level, newest, g))
        return returns

    def fallen(self):
        """What a hole earns: nothing, or the penalties of an endless search."""
        if self.settings.pseudo_reward == "binary":
            return 0.0
        discount = self.settings.discount
        return -float(self.settings.step_limit) if discount == 1 else -1.0 / (1.0 - discount)

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
        no_action = not self.is_action(level, s, a)
        decay = self.settings.decay * self.settings.discount
        # Local tables: what has no entry has no error either.
        delta = {g: (returns[g] - self.q(level, s, a, g)) * self.has_entry(level, s, g) for g in level.goals}
        for z in chain.values():
            for g in level.goals:
                z[g] *= decay * (0.0 if no_action or g == s else self.probability(level, s, a, g))
                if z[g] <= CUT_OFF:
                    z[g] = 0.0
        if not no_action:
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

    def begin_episode(self, start=None):
        start = start or self.start
        self.all_states, self.all_actions = [start], []  # what level 0 sees
        self.moved_states = [start]  # what the levels above see
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
            elif self.ends(state):
                for m in range(1, self.settings.n + 1):
                    self.tree_backup(level, states, actions, m)
            else:
                self.tree_backup(level, states, actions, self.settings.n)

    def replay(self, actions, states=None):
        """Learns from given moves; where moves have several outcomes, the states they led to are given as well."""
        self.begin_episode(states[0] if states else None)
        state = self.all_states[0]
        for t, action in enumerate(actions):
            state = states[t + 1] if states else self.move(state, action)
            self.learn(action, state)
        return state

    # -- choosing ------------------------------------------------------------------------------------------------

    def maximum(self, level, state, goal):
        values = [self.q(level, state, action, goal) for action in self.actions(level, state)]
        return max(values, default=level.start_value)

    def tied(self, level, state, goal):
        """Legal actions whose value is within 1e-8 + 1e-5 · |max| of the maximum."""
        best = self.maximum(level, state, goal)
        tolerance = 1e-8 + 1e-5 * abs(best)
        return [a for a in self.actions(level, state) if best - self.q(level, state, a, goal) <= tolerance]

    def diamond(self, level):
        """The offsets within L1 distance r, row by row from the top: index i stands for the i-th."""
        r = level.reach
        return [(d0, d1) for d0 in range(-r, r + 1) for d1 in range(abs(d0) - r, r - abs(d0) + 1)]

    def published_preference(self, level, state, goal):
        """The published program's mistaken idea of where the goal is, or None."""
        if self.settings.subgoals == "anywhere":
            return goal
        r = level.reach
        if not self.distance(state, goal) < r:
            return None
        d0, d1 = state[1] - state[0], goal[1] - goal[0]
        c = r * (r + 1)
        sign = (d0 > 0) - (d0 < 0)
        index = c + sign * (c - (r + 1 - abs(d0)) * (r - abs(d0))) + d1
        offsets = self.diamond(level)
        if not 0 <= index < len(offsets):
            return None
        return (state[0] + offsets[index][0], state[1] + offsets[index][1])

    def choices(self, level, state, goal, epsilon):
        """The distribution of the level's next action, {action: probability}."""
        tied = self.tied(level, state, goal)
        if not tied:  # a level that has nothing to ask for passes its own goal on
            return {goal: 1.0}
        if level.index > 0:
            rule = self.settings.goal_preference
            near = [g for g in (self.goal_cells if goal == ANY_GOAL else [goal]) if self.is_near(level, state, g)]
            if rule == "reachable" and near:
                return {g: 1 / len(near) for g in near}
            if rule == "published":
                preferred = self.published_preference(level, state, goal)
                if preferred in tied:
                    return {preferred: 1.0}
            epsilon = 0.0
        actions = self.actions(level, state)
        chances = {a: epsilon / len(actions) for a in actions}
        for a in tied:
            chances[a] += (1 - epsilon) / len(tied)
        return {a: chance for a, chance in chances.items() if chance > 0}

    def is_near(self, level, state, goal):
        if self.settings.nearness == "L1":
            return self.distance(state, goal) <= level.reach
        return goal in self.actions(level, state)

    def draw(self, level, state, goal, epsilon):
        """Draws an action; `follow` replaces this by what a recorded episode did."""
        chances = self.choices(level, state, goal, epsilon)
        return self.random.choices(list(chances), list(chances.values()))[0]

    # -- Algorithm 1: the training episode -------------------------------------------------------------------------

    def train_episode(self):
        self.begin_episode()
        goals = [None] * len(self.levels)
        goals[-1] = self.goal
        if self.settings.behaviour == "flat":
            goals = [self.goal] * len(self.levels)
        state = self.all_states[0]
        while not self.is_over(state):
            top = 0 if self.settings.behaviour == "flat" else len(self.levels) - 1
            state = self.recurse(top, state, goals)
        return len(self.all_actions)

    def is_over(self, state):
        return self.ends(state) or len(self.all_actions) >= self.settings.step_limit

    def recurse(self, i, state, goals):
        n = 0
        while n < self.levels[i].horizon and state not in goals[i:] and not self.is_over(state):
            action = self.draw(self.levels[i], state, goals[i], self.settings.explore_train)
            if i > 0:
                goals[i - 1] = action
                state = self.recurse(i - 1, state, goals)
            else:
                state = self.happens(state, action)
                self.learn(action, state)
            n += 1
        return state

    # -- the evaluation episode ------------------------------------------------------------------------------------

    def evaluate_episode(self):
        levels, published = self.levels, self.settings.evaluation == "published"
        top = len(levels) - 1
        goals, stored, taken = [None] * top + [self.goal], [None] * top, [0] * len(levels)
        self.begin_episode()
        state, drawing = self.all_states[0], top
        while not self.is_over(state):
            for i in range(drawing, 0, -1):
                goals[i - 1] = self.draw(levels[i], state, goals[i], 0.0)
                value = self.q(levels[i], state, goals[i - 1], goals[i])
                stored[i - 1] = float(np.float32(value)) if published else value
                taken[i] += 1
                taken[i - 1] = 0
            action = self.draw(levels[0], state, goals[0], self.settings.explore_eval)
            taken[0] += 1
            state = self.happens(state, action)
            self.all_actions.append(action)
            self.all_states.append(state)
            drawing, action_over = 0, True
            for i in range(top):  # the goal of level i, which level i + 1 gave
                budget_used = action_over and taken[i] >= levels[i].horizon and not (published and i > 0)
                better = stored[i] < self.maximum(levels[i + 1], state, goals[i + 1])
                action_over = state == goals[i] or budget_used or better
                if action_over:
                    drawing = i + 1
        return len(self.all_actions)

    # -- following a record ------------------------------------------------------------------------------------------

    def follow(self, episode, positions, evaluate=False):
        """Lives through a recorded episode: the same levels must choose at each step, and nothing impossible.

        Returns the number of steps.
        """
        actors = []

        def recorded(level, state, goal, epsilon):
            t = len(self.all_actions)
            if level.index > 0:
                cell = episode.goals[t, level.index - 1]
                action = tuple(int(x) for x in positions[cell]) if cell < len(positions) else ANY_GOAL
            else:
                action = int(episode.actions[t])
            assert action in self.choices(level, state, goal, epsilon), (t, level.index, state, goal, action)
            if t == len(actors):  # levels choose from the top down
                actors.append(level.index)
            return action

        def happened(state, action):
            t = len(self.all_actions)
            outcome = tuple(int(x) for x in positions[episode.states[t + 1]])
            assert outcome in self.outcomes(state, action), (t, state, action, outcome)
            return outcome

        self.draw, self.happens = recorded, happened
        self.start = tuple(int(x) for x in positions[episode.states[0]])
        assert self.start in self.starts
        steps = self.evaluate_episode() if evaluate else self.train_episode()
        assert actors == list(episode.actors)
        return steps
