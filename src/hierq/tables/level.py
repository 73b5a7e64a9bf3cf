"""What a level remembers: its action values Q_i(s, a, g), as arrays.

    q[row, place]     Q_i(s, a, g): a row for each pair (s, a), a place in it for each goal, so that a backup for all
                      goals is one short vector operation
    row               where the values of a pair stand; rows are given out at first use, so memory is touched only for
                      pairs that were tried, and those lie close together
    column[g]         the number of a goal g among the goals of the level; `returns`, the paper's bold G, has one entry
                      for each column
    v[s, place]       E_π Q_i(s, ·, g) under the target policy; for the greedy one max_a Q_i(s, a, g)

There are three kinds. *Dense* tables have a place for every goal in every row: a goal's place is its column, and
columns are given out when a state is first seen. Their entries are *values* or, where that is enough, *ranks*: see
`ranks.py`. *Local* tables have places only for the goals near a state, listed in `near`, so that memory grows with the
number of states and not with its square. `rows.py` says where things stand in which kind.

An action of level 0 is one of the moves, an action of a level above is a cell. Level 0 has its rows from the start, so
backups are the same for every level. A level that is asked for the environment's goal only has one column.
"""

from typing import Any, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from hierq.compiling.static_choice import StaticChoice
from hierq.tables.ranks import TableKind

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Entries: TypeAlias = npt.NDArray[Any]  # of values, or of ranks

NOT_TRIED = -1  # the last row, which nobody writes to: it has the start values
NO_ACTION = -2  # a level cannot ask for the cell it stands on, nor for one out of reach
# Level 0. A plain 0 has a type of its own and would make Numba compile everything twice.
BOTTOM: int = np.int64(0)  # type: ignore[assignment]
KINDS: dict[TableKind, StaticChoice] = {kind: StaticChoice(kind) for kind in get_args(TableKind)}


class Level(NamedTuple):
    """One level as a kernel sees it."""

    kind: StaticChoice
    reach: int  # H^a_i: environment steps one action may take
    hop_length: int  # h: steps one hop of a backup takes, as its partition says
    horizon: int  # H_i: own actions before it returns to its parent
    conditioned: bool  # learns about every goal, not only about the environment's
    learns_reach: bool  # may ask for what it has tried, and nothing else
    start_value: float
    goal_entry: float  # reward at the goal: as a value, or the highest rank
    q: Entries  # [rows + 1, places]: the last row is that of all actions that were never tried
    v: Entries  # [states, places]
    best: Entries  # [states, places]: max_a Q(s, a, g); the same array as v for a greedy target
    norm: Floats  # [states, places]: number of tied actions (ε-soft) or sum of exponentials (softmax)
    stale: Ints  # [states]: v has to be worked out anew before it is read
    row: Ints  # dense [actions, states], local [states, most]: in the order of `legal`
    rows_used: Longs  # [1]: rows given out
    used: Ints  # [states]: how many of them to a state
    tried: Ints  # [states, most]: which ones
    action: Ints  # [rows]: the action of a row
    legal: Ints  # [states, most]: actions that may be drawn, walls among them if the configuration says so
    legal_count: Ints  # [states]
    column: Longs  # [goals]
    columns_used: Longs  # [1]: columns given out
    near: Ints  # local [states, places]: the columns that have places, ascending
    near_count: Ints  # local [states]
    cut_at: Longs  # [chains, columns]: the moment at which a goal's trace was last cut
    all_cut_at: Longs  # [chains]: the moment at which all traces were last cut
    touched_by: Longs  # [rows]: the number of the last backup that changed a pair along a trace
    recent_pi: Floats  # [times, columns]: π(a | s, g) of recent steps, for targets that are not greedy
    powers: Floats  # [ranks]: the values of ranks
