"""The shapes of a level's arrays: from them memory is both estimated and allocated. Loads no Numba."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hierq.tables.ranks import RANK

TableKind = Literal["values", "ranks", "local"]
TEMPORARY_LISTS = 3  # of near goals: the world's own, and two while they are sorted


@dataclass(frozen=True)
class LevelShape:
    """The size of a level's table."""

    kind: TableKind  # what kind of table it is
    states: int  # number of states
    rows: int  # pairs of a state and an action that there is room for
    places: int  # goals that a row has a value for
    columns: int  # goals that a return has a number for
    most_legal: int  # actions that may be drawn in one state at most
    most_tried: int  # how many of them can be tried at most; walls never are
    slots: int  # dense tables: actions that can have a row; local ones: the same as most_legal
    is_soft: bool  # whether the target policy is not greedy
    chains: int  # chains of traces; 0 where there are none
    kept_steps: int  # steps for which π is kept for traces of a target that is not greedy

    @property
    def entry(self) -> Any:
        """The type of an entry: a rank or a value."""
        return RANK if self.kind == "ranks" else np.float64

    @property
    def arrays(self) -> dict[str, tuple[tuple[int, ...], Any]]:
        """Shape and type of every array that grows with the table, by its name in `Level`."""
        s, local, traces = self.states, self.kind == "local", self.chains > 0
        return {
            "q": ((self.rows, self.places), self.entry),
            "v": ((s, self.places), self.entry),
            "best": ((s, self.places) if self.is_soft else (0, 0), self.entry),  # else the same array as v
            "norm": ((s, self.places) if self.is_soft else (1, 1), np.float64),
            "stale": ((s,), np.int32),
            "row": ((s, self.slots) if local else (self.slots, s), np.int32),
            "used": ((s,), np.int32),
            "tried": ((s, self.most_tried), np.int32),
            "action": ((self.rows,), np.int32),
            "legal": ((s, self.most_legal), np.int32),
            "near": ((s, self.places) if local else (1, 1), np.int32),
            "cut_at": ((self.chains, self.columns) if traces else (1, 1), np.int64),
            "all_cut_at": ((max(1, self.chains),), np.int64),
            "touched_by": ((self.rows if traces else 1,), np.int64),
            "recent_pi": ((max(1, self.kept_steps), self.places if self.kept_steps else 1), np.float64),
        }

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays, and of the lists that are needed while near goals are looked for."""
        sizes = {name: math.prod(shape) * np.dtype(kind).itemsize for name, (shape, kind) in self.arrays.items()}
        return int(sum(sizes.values()) + TEMPORARY_LISTS * sizes["near"])


def ring_length(steps: int) -> int:
    """Entries of a ring buffer that holds at least this many steps: a power of two."""
    return 1 << max(0, steps - 1).bit_length()
