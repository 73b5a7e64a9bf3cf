"""ReferenceAgent: Algorithms 1, 2 and 3 put together, in plain Python."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hierq.agents.config import AgentConfig
from hierq.agents.explorers import GREEDY, HOPELESS, MEMORY, UNTRIED, can_be_asked_for, epsilon_greedy, no_action
from hierq.agents.layout import layout_of
from hierq.agents.outcomes import RecordedEpisode
from hierq.agents.random_numbers import below, seed_words, uniform
from hierq.agents.replay_input import action_number, checked_trace
from hierq.errors import InputError
from hierq.reference.choosing import choices, goals_within_reach, greedy_choices, is_known, tied_actions
from hierq.reference.control import Control
from hierq.reference.hops import HopLevel
from hierq.reference.level import Level, Observer
from hierq.reference.traces import TraceLevel
from hierq.worlds import World
from hierq.worlds.layout import AT_GOAL, GOES_ON, IN_HOLE
from hierq.worlds.maps import AnyWorld, as_world
from hierq.worlds.world import Place

Longs = npt.NDArray[np.int64]


class ReferenceAgent(Control):
    """An agent that follows the paper line by line; used like `hierq.Agent`, for small worlds.

    Attributes:
        level_type: the class of its levels; None for `HopLevel` or `TraceLevel`, as the configuration says.
        world: its world.
        config: its configuration.
        levels: its levels, level 0 first.
        visits: how often each state was entered in training, for explorers.
        asked: how often an explorer asked for each cell.
        successors: where each move last led from each state, or UNTRIED.
        optimism: E(s, a), minus the fewest steps from each move to something new.
    """

    level_type: ClassVar[type[Level] | None] = None

    def __init_subclass__(cls) -> None:
        """Refuses a class of levels under another name, which would be left out without a word."""
        for name, value in vars(cls).items():
            if "level_type" not in vars(cls) and isinstance(value, type) and issubclass(value, Level):
                raise InputError(f"{cls.__name__}.{name} is a class of levels; agents look for it under level_type")

    def __init__(
        self,
        world: AnyWorld,
        config: AgentConfig,
        seed: int | np.random.SeedSequence = 0,
        goals: Sequence[int] | None = None,
        observer: Observer | None = None,
    ) -> None:
        """Makes an agent that knows nothing yet.

        Args:
            world: its world.
            config: its configuration.
            seed: of its random numbers, which are drawn in another order than by `hierq.Agent`.
            goals: the goals that its conditioned levels learn about; all of them if left out.
            observer: is told what it learns.

        Raises:
            InputError: the configuration needs something that the world does not have.
        """
        world = as_world(world)
        self.world, self.config, self.observer = world, config, observer or Observer()
        if config.backup.is_rival:
            raise InputError("the reference has the paper's agents only, no rivals; use hierq.Agent")
        layout = layout_of(world, config)
        learns_by = self.level_type or (TraceLevel if config.backup.has_traces else HopLevel)
        everywhere = list(all_goals(world, config) if goals is None else goals)
        self.levels = [learns_by(layout, i, everywhere, self.observer) for i in range(config.levels)]
        self.rng = np.zeros(4, np.uint64)
        seed_words(self.rng, seed)
        for level in self.levels:
            level.rng = self.rng
        self.visits = np.zeros(world.states, np.int64)
        self.asked = np.zeros(max(world.cells, world.goal + 1), np.int64)
        self.successors = np.full((world.states, world.actions), UNTRIED, np.int64)
        self.optimism = np.zeros((world.states, world.actions), np.int64)
        self.begin_at(world.start)

    # -- as hierq.Agent ----------------------------------------------------------------------------------------------

    def train(self, episodes: int = 1) -> Longs:
        """Trains for some episodes; returns the number of steps of each."""
        return np.array([self.train_episode() for _ in range(episodes)], np.int64)

    def evaluate(self, episodes: int = 1) -> Longs:
        """Plays some episodes without learning; returns the number of steps of each."""
        return np.array([self.evaluate_episode() for _ in range(episodes)], np.int64)

    def alternate(self, iterations: int = 50) -> tuple[Longs, Longs]:
        """The paper's protocol: one training episode, then one evaluation episode, and so on; the steps of both."""
        steps = [(self.train_episode(), self.evaluate_episode()) for _ in range(iterations)]
        trained, evaluated = np.array(steps, np.int64).reshape(-1, 2).T
        return trained, evaluated

    def replay(self, moves: str | Sequence[int], states: Sequence[Place] | None = None) -> RecordedEpisode:
        """Learns from one training episode along given moves, as `hierq.Agent.replay` does."""
        actions, path = checked_trace(self.world, self.config, moves, states)
        self.begin_at(int(path[0]))
        for action, state in zip(actions, path[1:], strict=True):
            self._actors.append(0)
            self.record(int(action), int(state))
            self.learn(int(action), int(state))
        self.end()
        return self.last_episode

    @property
    def last_episode(self) -> RecordedEpisode:
        """The latest episode that was trained, evaluated or replayed."""
        return RecordedEpisode(
            states=np.array(self._states, np.int64),
            actions=np.array(self._actions, np.int64),
            goals=np.array(self._goals, np.int64).reshape(-1, len(self.levels)),
            actors=np.array(self._actors, np.int64),
            reached=bool(self.world.ending[self._states[-1]] == AT_GOAL),
            names=self.world.action_names,
        )

    def value(self, level: int, state: Place, action: Place | str, goal: Place | None = None) -> float:
        """One entry of a table, Q_level(state, action, goal), given as to `hierq.Agent.value`."""
        table, s = self.levels[level], self.world.state_number(state)
        a = action_number(self.world, action) if level == 0 else self.world.cell_number(action)  # type: ignore[arg-type]
        if not table.is_action(s, a):
            raise InputError(f"{action!r} is not an action of level {level} at state {s}")
        return float(table.q(s, a)[self._column(table, goal)])

    def values(self, level: int, goal: Place | None = None) -> npt.NDArray[np.float64]:
        """max_a Q_level(s, a, goal) at every state s; the start value where a level has nothing to choose from."""
        table = self.levels[level]
        column = self._column(table, goal)
        return np.array([table.maximum(s)[column] for s in range(self.world.states)])

    def best_actions(self, level: int, state: Place, goal: Place | None = None) -> list[int]:
        """The actions that tie for the best at a state for a goal; the preference for a near goal is left out."""
        table = self.levels[level]
        cell = int(table.goals[self._column(table, goal)])
        return tied_actions(table, self.world.state_number(state), cell)

    def _column(self, level: Level, goal: Place | None) -> int:
        cell = self.world.goal if goal is None or goal == self.world.goal else self.world.cell_number(goal)
        if cell not in level.column:
            raise InputError(f"{goal!r} is not a goal of level {level.index}")
        return level.column[cell]

    # -- what Algorithm 1 asks for -----------------------------------------------------------------------------------

    def begin(self, is_training: bool) -> int:
        """Begins an episode in which the agent itself acts."""
        S = int(self.world.starts[self._drawn(self.world.start_chances)])
        self.begin_at(S)
        self.visits[S] += is_training
        return S

    def choose(self, level: Level, S: int, is_training: bool) -> int:
        """Draws an action and remembers which level was the first to choose before this step."""
        if len(self._actors) == len(self._actions):  # levels choose from the top down: this is the highest one
            self._actors.append(level.index)
        A = self.draw(level, S, is_training)
        if level.index == 0:
            self._chance = choices(level, S, self.S_goal[0], self.config.explore_train).get(A, 0.0)
        return A

    def draw(self, level: Level, S: int, is_training: bool) -> int:
        """Draws an action: what the explorer tries, else one of the best. In evaluation it is always ε-greedy."""
        tried = self.explore(level, S, is_training) if level.actions(S) else GREEDY
        if tried != GREEDY:
            return tried
        best = greedy_choices(level, S, self.S_goal[level.index])
        return best[self._below(len(best))]

    def explore(self, level: Level, S: int, is_training: bool) -> int:
        """What is tried before the greedy choice is made: an action, or GREEDY."""
        i, goal, actions = level.index, self.S_goal[level.index], np.array(level.actions(S))
        share = self.config.explore_train if is_training else self.config.explore_eval
        epsilon = share if i == 0 else 0.0
        with np.errstate(over="ignore"):  # random words are meant to wrap
            if not is_training:
                return epsilon_greedy(epsilon, actions, self.rng)
            tried = self.config.explorer.call(
                level=i,
                state=S,
                goal=goal,
                actions=actions,
                epsilon=epsilon,
                is_known=is_known(level, S, goal),
                is_near=bool(goals_within_reach(level, S, goal)),
                reach_is_learnt=i > 0 and level.nearness == "learnt",
                rng=self.rng,
                memory=self.memory,
                visits=self.visits,
                asked=self.asked,
                successors=self.successors,
                optimism=self.optimism,
            )
        cells = self.world.cells if self.config.subgoal_cells == "grid" else self.world.states
        if tried != GREEDY and not (tried in actions if i == 0 else can_be_asked_for(tried, S, goal, cells)):
            raise no_action(self.config.explorer, int(tried))
        if tried != GREEDY and i > 0 and tried != goal:
            self.asked[tried] += 1
        return int(tried)

    def apply(self, S: int, A: int) -> int:
        """Makes a move; where it has several outcomes, one is drawn."""
        S_next = int(self.world.outcomes[S, A, self._drawn(self.world.chances[S, A])])
        self.record(A, S_next)
        return S_next

    def update(self, A: int, S_next: int) -> None:
        """All levels learn from a step that the agent chose, and it is counted for explorers."""
        S = self._states[-2]
        self.visits[S_next] += 1
        self.successors[S, A] = S_next
        in_hole = self.world.ending[S_next] == IN_HOLE
        self.optimism[S, A] = HOPELESS if in_hole else max(HOPELESS, self.optimism[S_next].max() - 1)
        self.learn(A, S_next, self._chance)

    def learn(self, A: int, S_next: int, mu: float = 1.0) -> None:
        """All levels learn, level 0 first; those above it see the trace without blocked moves."""
        has_moved = S_next != self.levels[0].S[-1]
        for level in self.levels:
            if level.index == 0:
                self._learn_step(level, A, S_next, mu)
            elif has_moved and self.config.backup.hops != "executed":
                self._learn_step(level, S_next, S_next)
        self.observer.learnt(self.levels)

    def returned(self, i: int, A: int, S_next: int) -> None:
        """An action of a level above 0 has ended; the level learns from it as it was executed, if it does."""
        if self.config.backup.hops == "executed":
            self._learn_step(self.levels[i], A, S_next)

    def _learn_step(self, level: Level, A: int, S_next: int, mu: float = 1.0) -> None:
        level.step(A, S_next, mu)
        level.learn(has_ended=bool(self.world.ending[S_next] != GOES_ON))

    def end(self) -> None:
        """All levels learn from the episode as a whole, if that is their schedule, the top one first."""
        for level in reversed(self.levels):
            level.end()
        self.observer.over(self.levels)

    def begin_at(self, S: int) -> None:
        """Begins an episode at a state."""
        self.steps, self.S_goal = 0, [self.world.goal] * len(self.levels)
        self.is_done, self.memory = [False] * len(self.levels), np.zeros(MEMORY, np.int64)
        self._states, self._actions = [S], list[int]()
        self._goals, self._actors = list[list[int]](), list[int]()
        for level in self.levels:
            level.begin(S)

    def record(self, A: int, S_next: int) -> None:
        """Records a step for `last_episode`."""
        self.steps += 1
        self._states.append(S_next)
        self._actions.append(A)
        self._goals.append(list(self.S_goal))

    def _below(self, count: int) -> int:
        with np.errstate(over="ignore"):
            return below(self.rng, count)

    def _drawn(self, chances: npt.NDArray[np.float64]) -> int:
        """A number drawn with these chances; the last that has any, should they sum to a little less than 1."""
        with np.errstate(over="ignore"):
            up_to = np.cumsum(chances)
            return int(min(np.searchsorted(up_to, uniform(self.rng), side="right"), np.flatnonzero(chances)[-1]))


def all_goals(world: World, config: AgentConfig) -> list[int]:
    """The goals that a conditioned level learns about: cells, and where there are several goals "any of them"."""
    cells = world.cells if config.subgoal_cells == "grid" else world.states
    return [*range(cells), *([world.goal] if world.goal == world.cells else [])]
