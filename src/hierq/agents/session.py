"""KernelSession: the arrays that an Agent or a Learner lends to the compiled kernels, and the calls of them."""

import time
from collections.abc import Callable
from typing import Any

from hierq.agents.by_hand import Table, read_table
from hierq.agents.config import AgentConfig
from hierq.agents.control import kernel_for
from hierq.agents.counts import ARRAYS, Counts, check_explorer
from hierq.agents.kernel_agent import KernelAgent
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.kernel_episode import Episode
from hierq.agents.pointers import pointers_for
from hierq.agents.recorded_episode import RecordedEpisode
from hierq.agents.replay_input import NOT_REPLAYED, ReplayInput
from hierq.agents.world_arrays import WorldArrays
from hierq.checks import is_whole
from hierq.compiling.checking import (
    announce_kernel,
    errors_named,
    kernel_needed,
    seconds_by_address,
    shared_kind,
    users_functions,
)
from hierq.compiling.decorators import mark_compiled
from hierq.errors import InputError
from hierq.tables.allocation import with_room_for_a_step
from hierq.tables.level import Array, Level, Longs, Tables
from hierq.tables.ring_buffer import unrolled


class KernelSession:
    """The base of `Agent` and `Learner`: tables, counts, random numbers and the record of the latest episode."""

    config: AgentConfig
    _tables: Tables
    _counts: Counts
    _episode: Episode
    _random: Array
    _kernel_config: KernelConfig
    _kernel_kind: str
    _pointers: dict[str, Any] | None = None  # to users' functions; none if a kernel was compiled for them
    _seconds_by_address: float = 0.0  # in kernels that call users' functions by their addresses
    _memory: Any = ()  # of a rival
    _steps: int = 0  # of the latest episode

    @property
    def table_bytes(self) -> tuple[int, ...]:
        """Bytes of the action values Q_i of each level, level 0 first."""
        return self._tables.nbytes

    def table(self, level: int) -> Table:
        """A read-only view of what a level has learnt, with a row for every action that it has tried."""
        return read_table(self._level(level))

    @property
    def counts(self) -> dict[str, Array]:
        """Read-only views of what the explorer has counted, by name: those of visits, asked, … that it asks for."""
        views = {name: getattr(self._counts, name).view() for name in ARRAYS if name in self.config.explorer.counts}
        for view in views.values():
            view.setflags(write=False)
        return views

    def _level(self, level: int) -> Level:
        if not is_whole(level) or not 0 <= level < self.config.levels:
            raise InputError(f"there is no level {level!r}; the levels are 0 to {self.config.levels - 1}")
        return self._tables.levels[level]

    def _lent_to_kernels(self, world: WorldArrays, replay: ReplayInput = NOT_REPLAYED) -> KernelAgent:
        return KernelAgent(
            levels=self._tables.for_kernels,
            config=self._kernel_config._replace(**(self._pointers or {})),
            world=world,
            episode=self._episode,
            counts=self._counts,
            rng=self._random,
            memory=self._memory,
            replay=replay,
        )

    def _choose_kernel(self, world: WorldArrays, seconds_ahead: float = 0.0) -> None:
        """Has users' functions called by their addresses until the work ahead is worth a kernel of their own.

        Args:
            world: where the agent lives.
            seconds_ahead: how long that work would take.
        """
        kind, functions = self._kernel_kind, self.config.functions
        needed = kind if self._pointers == {} else kernel_needed(kind, functions, seconds_ahead)
        if needed == kind:
            self._pointers = {}
        elif self._pointers is None:
            self._point_to_functions(world)
        announce_kernel(kind, needed, functions)

    def _point_to_functions(self, world: WorldArrays) -> None:
        """Compiles users' functions by themselves if they have no kernel yet, and keeps their addresses."""
        kind, functions = self._kernel_kind, self.config.functions
        if kernel_needed(kind, functions) != kind:
            agent, level = self._lent_to_kernels(world), self._tables.levels[0]
            self._pointers = pointers_for(agent, level, users_functions(kind, functions))

    def _call_kernel(
        self, entry: Callable[..., Any], world: WorldArrays, replay: ReplayInput, *arguments: int | Longs
    ) -> Any:
        """Calls `run` or `step_outside` with tables that have room for at least one step."""
        self._tables = with_room_for_a_step(self._tables, self._kernel_config.n)
        given = self._lent_to_kernels(world, replay), *arguments
        functions, kind = self.config.functions, self._kernel_kind
        if self._pointers:
            kind = shared_kind(kind, functions)
        with errors_named(functions):
            kernel = kernel_for(entry, kind, given)
            begun = time.perf_counter()
            result = kernel(*given)
        if self._pointers:
            spent = time.perf_counter() - begun
            self._seconds_by_address += spent
            seconds_by_address[self._kernel_kind] += spent
        check_explorer(self.config.explorer, self._counts, self._random)
        mark_compiled(kind)
        return result

    def _recorded(self, reached: bool, names: tuple[str, ...]) -> RecordedEpisode:
        """The latest episode, or the end of it if it was longer than what is kept."""
        steps, record = self._steps, self._episode
        forgotten = max(0, steps + 1 - len(record.states))
        return RecordedEpisode(
            states=unrolled(record.states, forgotten, steps + 1),
            actions=unrolled(record.actions, forgotten, steps),
            goals=unrolled(record.goals, forgotten, steps),
            actors=unrolled(record.actors, forgotten, steps),
            reached=reached,
            forgotten=forgotten,
            names=names,
        )

    @property
    def _last_state(self) -> int:
        return int(unrolled(self._episode.states, self._steps, self._steps + 1)[0])
