"""A warning for agents whose values fall below the smallest normal number, where credit ends."""

import warnings
from typing import Any

import numpy as np

from hierq.agents.config import SMALLEST, AgentConfig
from hierq.tables.level import Level
from hierq.tables.queries import is_local
from hierq.tables.ranks import RANK
from hierq.worlds import World


class UnderflowWarning(UserWarning):
    """Values have become too small for credit to go on."""


def is_underflowing(world: World, config: AgentConfig, top: Level) -> bool:
    """Whether credit for the environment's goal became too small before it reached a start.

    Then the top level has, at some state, a value that would be too small one hop farther away, and no larger value at
    a start. Only the maxima V(s, g) are read, one number for each state.
    """
    if config.trace_cutoff > 0 or not config.starts_at_rest:  # credit ends where the cut-off says, or does not shrink
        return False
    best: Any = top.best.max(axis=1) if is_local(top) else top.best[:, top.column[world.goal]]
    smallest = SMALLEST / (config.discount * config.step_size * (config.backup.decay or 1.0))
    if best.dtype == RANK:
        smallest = int(np.searchsorted(top.powers, smallest))
    is_small = best < smallest
    return bool(is_small[world.starts].any() and (is_small & (best > 0)).any())


def warn_of_underflow() -> None:
    """Warns, and says which settings help."""
    warnings.warn(
        f"values of this agent have become smaller than the smallest normal number, {SMALLEST:.1e}, before credit came "
        "to the start; take a larger discount γ, a larger λ if it has traces, a larger step size, or more levels",
        UnderflowWarning,
        stacklevel=4,
    )
