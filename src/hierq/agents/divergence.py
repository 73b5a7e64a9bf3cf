"""A warning for agents whose values grow without bound."""

import warnings

import numpy as np

from hierq.agents.config import AgentConfig
from hierq.tables.level import Level, Longs


class DivergedWarning(UserWarning):
    """The values of an agent are no longer finite numbers."""


def is_finite(level: Level, states: Longs | None = None) -> bool:
    """Whether all values of a level are finite: everywhere, or at some states."""
    if level.q.dtype.kind != "f":
        return True
    rows = np.arange(level.rows_used[0])
    if states is not None:
        rows = np.concatenate([level.tried[state, : level.used[state]] for state in states])
    places = slice(None) if level.kind.label == "local" else slice(int(level.columns_used[0]))
    return bool(np.isfinite(level.q[rows, places]).all())


def warn_of_divergence(config: AgentConfig) -> None:
    """Warns that an agent has diverged, and names its settings."""
    backup, step_size = config.backup, config.step_size
    warnings.warn(
        f"the values have diverged: they are no longer finite numbers. backup={backup!r} at step_size={step_size:g} "
        f"and discount={config.discount:g} does not converge here; take a smaller step_size, a smaller decay λ, or the "
        'operator "tree-backup"',
        DivergedWarning,
        stacklevel=4,
    )
