"""KernelSession: the common base of Agent and Learner, which differ in who executes a move: kernel or environment.

It holds the arrays that the compiled kernels work on (tables, counts, random numbers, the latest episode), calls the
kernels, and answers questions about what was learnt. Here states, actions and goals are numbers. An Agent names them by
cells of its world and answers with arrays; a Learner names them by observations and answers with dictionaries.
"""

import contextlib
import functools
import time
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from hierq.agents.agent_tables import fresh_tables, make_episode
from hierq.agents.array_shapes import rival_shapes
from hierq.agents.config import AgentConfig
from hierq.agents.counts import check_explorer, make_counts
from hierq.agents.kernel_agent import NOT_REPLAYED, KernelAgent, ReplayInput
from hierq.agents.kernel_config import kernel_config_of, kernel_kind_of
from hierq.agents.layout import Layout, layout_of
from hierq.agents.needed_memory import check_fits
from hierq.agents.outcomes import Episodes, OnEpisode, RecordedEpisode, run_with_callback
from hierq.agents.pointers import pointers_for
from hierq.agents.random_numbers import seed_words
from hierq.agents.rivals.memory import make_memory
from hierq.agents.value_warnings import ValueWatch
from hierq.agents.world_arrays import AT_GOAL, GOES_ON, WorldArrays, read_only
from hierq.checks import MAX_SEED, is_whole, whole_number
from hierq.compiling.checking import check_functions, errors_named
from hierq.compiling.decorators import kernel_for
from hierq.compiling.own_kernels import (
    announce_calls_by_address,
    announce_compiling,
    kernel_needed,
    seconds_by_address,
    users_functions,
)
from hierq.errors import InputError
from hierq.tables import aligned
from hierq.tables.growth import with_room_for_a_step
from hierq.tables.level import Array, Level, Longs
from hierq.tables.queries import action_values, learnt_entries, ties, value_at, write_value
from hierq.tables.ring_buffer import slot, unrolled
from hierq.wording import html_table
from hierq.worlds import World

Function = TypeVar("Function", bound=Callable[..., Any])


class KernelSession:
    """The base of `Agent` and `Learner`: first training, then questions and their names, then calls of kernels."""

    config: AgentConfig
    seed: int | np.random.SeedSequence
    layout: Layout  # the shape of its tables: dense or local, and how nearness is told
    kernel_kind: str  # what the kernels it runs on are compiled for
    action_names: tuple[str, ...]
    _arrays: WorldArrays  # the world as the kernels read it
    _pointers: Mapping[str, Any] = MappingProxyType({})  # to users' functions that kernels call by their addresses

    def __init__(self, world: World, config: AgentConfig, seed: int | np.random.SeedSequence) -> None:
        """Makes tables for a world, or for an OpenWorld, which has room for the states of an environment."""
        check_is_config(config)
        self._functions = config.functions
        self._has_users_functions = any(not each.is_builtin for each in self._functions)
        check_functions(self._functions, config.backup.decay or 0.0)
        self.config, self.seed = config, checked_seed(seed)
        self._world = world
        self.layout = layout = layout_of(world, config)
        check_fits(layout)
        self.kernel_kind = kernel_kind_of(layout)
        self._kernel_config = kernel_config_of(config, layout.nearness == "L1", layout.hops_are_actions)
        self._watch = ValueWatch(layout)
        self._random = aligned.arrays({"random": ((4,), np.uint64)})["random"]
        self._tables = fresh_tables(layout)
        self._episode = make_episode(layout)
        self._forget()
        rule = config.backup.memory_rule
        if rule is not None and not rule.is_builtin:
            self._choose_kernel()  # refuses a rule that cannot be compiled

    def _forget(self) -> None:
        """Begins anew beside the tables: nothing is counted or remembered, and the latest episode has no steps."""
        rule = self.config.backup.memory_rule
        seed_words(self._random, self.seed)
        self._episode.states[0] = self._world.start
        self._episode.live_errors.rows[0] = 0
        self._steps, self._ending = 0, GOES_ON  # of the latest episode
        self._counts = make_counts(self.layout)
        self._memory: Any = () if rule is None else make_memory(rival_shapes(self.layout))

    def __getstate__(self) -> dict[str, Any]:
        """What a copy takes over: all but the addresses of users' functions, which it finds out for itself."""
        return {**vars(self), "_pointers": {}}

    def train(self, episodes: int = 1, on_episode: OnEpisode | None = None) -> Episodes:
        """Trains for some episodes.

        Args:
            episodes: how many.
            on_episode: called after each of them with a `FinishedEpisode`: its number, kind, steps and outcome. An
                exception that it raises ends the training there, between two episodes.

        Returns:
            The steps of each, an array that also knows how each ended.
        """
        return run_with_callback(self._run, whole_number("episodes", episodes, least=0), 0, on_episode)[0]

    def alternate(self, iterations: int = 50, on_episode: OnEpisode | None = None) -> tuple[Episodes, Episodes]:
        """The paper's protocol: one training episode, then one evaluation episode, and so on.

        Args:
            iterations: how many of each.
            on_episode: as for `train`; called after every episode of both kinds.

        Returns:
            The steps of the training episodes and those of the evaluation episodes.
        """
        count = whole_number("iterations", iterations, least=0)
        return run_with_callback(self._run, count, count, on_episode)

    def evaluate(self, episodes: int = 1, *, on_episode: OnEpisode | None = None) -> Episodes:
        """Plays some episodes without learning; returns the steps of each, as `train` does."""
        return run_with_callback(self._run, 0, whole_number("episodes", episodes, least=0), on_episode)[1]

    @property
    def last_episode(self) -> RecordedEpisode:
        """The latest episode that was trained, evaluated or replayed; of a long one the last 100,000 steps or more."""
        steps, record = self._steps, self._episode
        forgotten = max(0, steps + 1 - len(record.states))
        return RecordedEpisode(
            states=unrolled(record.states, forgotten, steps + 1),
            actions=unrolled(record.actions, forgotten, steps),
            goals=unrolled(record.goals, forgotten, steps),
            actors=unrolled(record.actors, forgotten, steps),
            reached=self._ending == AT_GOAL,
            forgotten=forgotten,
            names=self.action_names,
        )

    @property
    def table_bytes(self) -> tuple[int, ...]:
        """Bytes of the action values Q_i of each level, level 0 first."""
        return tuple(level.q.nbytes for level in self._tables.levels)

    @property
    def levels(self) -> tuple[Level, ...]:
        """Read-only views of all arrays of the tables, level 0 first; `q_values` has the values alone."""
        return tuple(Level(*map(read_only, level)) for level in self._tables.levels)

    @property
    def counts(self) -> dict[str, Array]:
        """Read-only views of the explorer's counts, by name: those of visits, asked, … that it uses."""
        return {name: read_only(getattr(self._counts, name)) for name in self.config.explorer.counts}

    def value(self, level: int, state: Any, action: Any, goal: Any = None) -> float:
        """One entry of a table: Q_level(state, action, goal).

        Args:
            level: 0 … k − 1.
            state: for an Agent a free cell as (row, column) or state number; for a Learner an observation, which has
                the start value if it was never seen.
            action: at level 0 a move: 0 … 3 or a letter of NSWE, or an action of the environment. Above a sub-goal,
                given as a state is.
            goal: given as a state is; the environment's goal if left out.
        """
        (table, number), s = self._asked(level, goal), self._state_number(state)
        return value_at(table, s, self._action_number(level, s, action), number)

    def set_value(self, level: int, state: Any, action: Any, value: float, goal: Any = None) -> None:
        """Writes one entry of a table by hand, for experiments: Q_level(state, action, goal) ← value.

        Raises:
            InputError: there is no such entry, or its table cannot hold the value.
        """
        (_, number), s = self._asked(level, goal), self._state_number(state)
        self._tables = write_value(self._tables, level, (s, self._action_number(level, s, action)), number, value)

    def best_actions(self, level: int, state: Any, goal: Any = None) -> list[Any]:
        """The actions a level would draw from at a state for a goal: all legal ones that tie for the best.

        The values alone decide here, without the preference for a goal within reach.
        """
        table, number = self._asked(level, goal)
        (legal,), (values,) = action_values(table, np.array([self._state_number(state)]), number)
        best = legal[ties(values, self.config.tie_tolerance) & (legal >= 0)]
        return [self._action_name(level, int(action)) for action in best]

    def learnt(self, level: int) -> tuple[int, int]:
        """How many entries of a level's table differ from the start value, and how many goals these are about."""
        return learnt_entries(self._asked(level, None)[0])

    def _repr_html_(self) -> str:
        """A small table for notebooks: the world, the settings other than defaults, and what each level has learnt."""
        rows = [("world", self._world.name), *self.config.differences.items(), ("seed", self.seed)]
        levels = range(self.config.levels)
        learnt = [(f"level {i}", "{:,} entries about {:,} goals".format(*self.learnt(i))) for i in levels]
        return html_table(self.config.name, [*rows, *learnt])

    def _run(self, train: int, evaluate: int) -> tuple[Episodes, Episodes]:
        """Runs training and evaluation episodes in turn, the given number of each kind."""
        raise NotImplementedError

    def _state_number(self, state: Any) -> int:
        """The number of a state as a user names it."""
        raise NotImplementedError

    def _cell_number(self, cell: Any) -> int:
        """The number of a goal as a user names it; on maps it may be a wall."""
        return self._state_number(cell)

    def _action_number(self, level: int, state: int, action: Any) -> int:
        """The number of an action of a level in a state as a user names it."""
        raise NotImplementedError

    def _action_name(self, level: int, action: int) -> Any:
        """What a user calls an action of a level."""
        return action

    def _asked(self, level: int, goal: Any) -> tuple[Level, int]:
        """The table of a level, and the number of a goal; refuses one that the level knows nothing about."""
        if not is_whole(level) or not 0 <= level < self.config.levels:
            raise InputError(f"there is no level {level!r}; the levels are 0 to {self.config.levels - 1}")
        number = self._world.goal if goal is None else self._cell_number(goal)
        if number != self._world.goal and not self.config.is_conditioned(level):
            raise InputError(
                f"level {level} is the top: it only knows the environment's goal; "
                "make the agent with universal_top=True to ask it about others"
            )
        return self._tables.levels[level], number

    def for_kernels(self, replay: ReplayInput = NOT_REPLAYED) -> KernelAgent:
        """The agent as the kernels see it: its own arrays, which they write to."""
        return KernelAgent(
            levels=self._tables.for_kernels,
            config=self._kernel_config._replace(**self._pointers) if self._pointers else self._kernel_config,
            world=self._arrays,
            episode=self._episode,
            counts=self._counts,
            rng=self._random,
            memory=self._memory,
            replay=replay,
        )

    def _call_kernel(self, entry: Callable[..., Any], replay: ReplayInput, *arguments: int | Longs) -> Any:
        """Calls `run` or `step_outside` with tables that have room for at least one step."""
        self._tables = with_room_for_a_step(self._tables, self._kernel_config.n)
        kind = self._choose_kernel()
        if self._pointers:
            announce_calls_by_address(users_functions(self.kernel_kind, self._functions))
        announce_compiling([kind])
        given = self.for_kernels(replay), *arguments
        with errors_named(self._functions):
            kernel = kernel_for(entry, kind, given)
            begun = time.perf_counter()
            result = kernel(*given)
        if self._pointers:
            seconds_by_address[self.kernel_kind] += time.perf_counter() - begun
        if self._has_users_functions:
            check_explorer(self.config.explorer, self._counts, self._random)
        return result

    def _choose_kernel(self) -> str:
        """The kind of kernel to run on; on a shared one, users' functions are called by their addresses."""
        needed = kernel_needed(self.kernel_kind, self._functions)
        if needed == self.kernel_kind:
            self._pointers = {}
        elif not self._pointers:
            users = users_functions(self.kernel_kind, self._functions)
            self._pointers = pointers_for(self.for_kernels(), users)
        return needed

    def _close_episode(self) -> None:
        """Closes the latest episode, finished or given up: traces of the next one begin after its own."""
        now = self._episode.now[0]
        steps = int(now["t"])
        if now["has_begun"]:
            self._episode.live_errors.episode_offset[0] += steps + 1
            now["has_begun"] = 0
        (last,) = unrolled(self._episode.states, steps, steps + 1)
        self._steps, self._ending = steps, int(self._arrays.ending[last])

    @contextlib.contextmanager
    def _kernel_settings(self, **changes: Any) -> Iterator[None]:
        """In this block the kernels have some other settings."""
        own = self._kernel_config
        try:
            self._kernel_config = own._replace(**changes)
            yield
        finally:
            self._kernel_config = own

    @contextlib.contextmanager
    def _walking(self, step_limit: int) -> Iterator[None]:
        """In this block the agent does not explore; the random numbers are restored afterwards."""
        words = self._random.copy()
        try:
            with self._kernel_settings(explore_eval=0.0, step_limit=step_limit):
                yield
        finally:
            self._random[:] = words

    def _warn_about_values(self) -> None:
        """Warns, once each, when values are too small for credit to reach a start, or no longer finite."""
        states = self._episode.states
        self._watch.look(self._tables.levels, self._world, int(states[slot(states, max(0, self._steps - 1))]))


def as_episodes(lived: npt.ArrayLike) -> Episodes:
    """Episodes from an array with a row for each: its steps and its ending."""
    steps, endings = np.asarray(lived, np.int64).reshape(-1, 2).T
    return Episodes(steps, endings)


def takes_config(function: Function) -> Function:
    """Decorates a function that takes a configuration: a setting given beside it is answered with where it belongs."""

    @functools.wraps(function)
    def checked(*values: Any, **named: Any) -> Any:
        if misplaced := named.keys() & AgentConfig.declared.keys():
            given = ", ".join(f"{name}={value!r}" for name, value in named.items() if name in misplaced)
            raise InputError(f"settings of an agent are given in its configuration: config=AgentConfig({given})")
        return function(*values, **named)

    return cast(Function, checked)


def check_is_config(config: object) -> None:
    """Refuses anything but an AgentConfig."""
    if not isinstance(config, AgentConfig):
        raise InputError(f"config must be an AgentConfig, not {type(config).__name__}")


def checked_seed(seed: Any) -> int | np.random.SeedSequence:
    """A whole number or a SeedSequence; refuses everything else."""
    return seed if isinstance(seed, np.random.SeedSequence) else whole_number("seed", seed, MAX_SEED, least=0)
