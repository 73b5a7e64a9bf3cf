"""An episode to learn from, as the kernels read it. It imports nothing: kernels depend on all modules they import."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class ReplayInput(NamedTuple):
    """An episode that the agent learns from instead of acting; both arrays are empty where it acts."""

    moves: npt.NDArray[np.int64]  # A_0 … A_{T−1}
    path: npt.NDArray[np.int64]  # S_0 … S_T; without moves, the one state where the agent begins


NOT_REPLAYED = ReplayInput(moves=np.zeros(0, np.int64), path=np.zeros(0, np.int64))  # the agent acts


def at_state(state: int) -> ReplayInput:
    """The agent acts, and is in this state."""
    return ReplayInput(moves=NOT_REPLAYED.moves, path=np.array([state]))
