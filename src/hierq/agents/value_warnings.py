"""Warnings about values: they became too small for credit to go on, or are no longer finite. An agent warns once."""

import sys
import warnings
from typing import Any

import numpy as np

from hierq.agents.config import SMALLEST, AgentConfig
from hierq.agents.layout import Layout
from hierq.tables.level import Level, Longs
from hierq.tables.queries import is_local, places_in_use
from hierq.tables.ranks import RANK
from hierq.worlds import World


class UnderflowWarning(UserWarning):
    """Values have become too small for credit to go on."""


class DivergedWarning(UserWarning):
    """The values of an agent are no longer finite numbers."""


class ValueWatch:
    """Looks at what an agent has learnt after it trained, and warns once of each thing that is wrong."""

    def __init__(self, layout: Layout) -> None:
        """Only agents whose values can diverge are looked at for that."""
        self._config, self._looks, self._may_underflow = layout.config, 0, True
        self._may_diverge = layout.kind != "ranks" and not layout.config.backup.never_negative

    def look(self, levels: tuple[Level, ...], world: World, state: int) -> None:
        """Looks at all states after trainings 1, 2, 4, 8, …, which may take a while, and else at the last state."""
        if self._may_underflow and is_underflowing(self._config, levels[-1], world.goal, world.starts):
            self._may_underflow = False
            warn_of_underflow()
        self._looks += 1
        where = None if self._looks & (self._looks - 1) == 0 else state
        if self._may_diverge and not all(is_finite(level, where) for level in levels):
            self._may_diverge = False
            warn_of_divergence(self._config)


def is_underflowing(config: AgentConfig, top: Level, goal: int, starts: Longs) -> bool:
    """Whether credit for the environment's goal became too small before it came to a start.

    Then the top level has a value somewhere that would be too small one hop farther away, and no larger value at a
    start. The check reads only max_a Q, one number for each state.
    """
    if config.trace_cutoff > 0 or not config.unknown_is_zero:  # credit ends where the cut-off says, or does not shrink
        return False
    best: Any = top.best.max(axis=1) if is_local(top) else top.best[:, top.column[goal]]
    smallest = SMALLEST / (config.discount * config.step_size * (config.backup.decay or 1.0))
    if best.dtype == RANK:
        smallest = int(np.searchsorted(top.powers, smallest))
    is_small = best < smallest
    return bool(is_small[starts].any() and (is_small & (best > 0)).any())


def warn_of_underflow() -> None:
    """Warns that credit ended before it came to the start, and says what helps."""
    warn_caller(
        f"values of this agent have become smaller than the smallest normal number, {SMALLEST:.1e}, before credit came "
        "to the start; take a larger discount γ, a larger λ if it has traces, a larger step size, or more levels",
        UnderflowWarning,
    )


def is_finite(level: Level, state: int | None = None) -> bool:
    """Whether what a level has learnt is finite: everywhere, or in one state."""
    if level.q.dtype.kind != "f":
        return True
    rows = slice(int(level.rows_used[0])) if state is None else level.tried[state, : level.used[state]]
    return bool(np.isfinite(level.q[rows][:, : places_in_use(level)]).all())


def warn_of_divergence(config: AgentConfig) -> None:
    """Warns that an agent has diverged, and names the settings."""
    warn_caller(
        f"the values have diverged: they are no longer finite numbers. backup={config.backup!r} at "
        f"step_size={config.step_size:g} and discount={config.discount:g} does not converge here; take a smaller "
        'step_size, a smaller decay λ, or the operator "tree-backup"',
        DivergedWarning,
    )


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warns at the line outside hierq from which hierq was called."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("hierq."):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
