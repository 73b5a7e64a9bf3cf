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
number of states and not with its square. `rows.py` is the only file that knows where things stand in which kind.

An action of level 0 is one of the moves, an action of a level above is a cell. Level 0 has its rows from the start, so
no kernel needs to know which level it works for. The top level, asked for the environment's goal only, has one column.

Numba is slow with lists of levels and fast with plain arrays. So the arrays of each level are described by a record
(addresses and sizes, by name) and `level_at` turns record i back into arrays: a `Level`.
"""

import ctypes
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from hierq.tables.compiled import JIT, inlined
from hierq.tables.shapes import TableKind
from hierq.tables.typed import Chosen

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Entries: TypeAlias = npt.NDArray[Any]  # of values, or of ranks

NOT_TRIED = -1
NO_ACTION = -2  # a level cannot ask for the cell it stands on, nor for one out of reach
# Level 0. A plain 0 has a type of its own and would make Numba compile everything twice.
BOTTOM: int = np.int64(0)  # type: ignore[assignment]
KINDS: dict[TableKind, Chosen] = {"values": Chosen("values"), "ranks": Chosen("ranks"), "local": Chosen("local")}


class Level(NamedTuple):
    """One level as a kernel sees it."""

    kind: Chosen
    reach: int  # H^a_i: environment steps one action may take
    span: int  # h: steps one hop of a backup takes, as its partition says
    horizon: int  # H_i: own actions before it returns to its parent
    conditioned: bool  # learns about every goal, not only about the environment's
    learns_reach: bool  # may ask for what it has tried, and nothing else
    start_value: float
    goal_entry: float  # reward at the goal: as a value, or the highest rank
    q: Entries  # [rows, places]
    v: Entries  # [states, places]
    best: Entries  # [states, places]: max_a Q(s, a, g); the same array as v for a greedy target
    norm: Floats  # [states, places]: number of tied actions (ε-soft) or sum of exponentials (softmax)
    stale: Ints  # [states]: v has to be worked out anew before it is read
    row: Ints  # dense [actions, states], local [states, most]: in the order of `legal`
    given: Longs  # [1]: rows given out
    used: Ints  # [states]: how many of them to a state
    tried: Ints  # [states, most]: which ones
    action: Ints  # [rows]: the action of a row
    legal: Ints  # [states, most]: actions that may be drawn, walls among them if the configuration says so
    legal_count: Ints  # [states]
    column: Longs  # [goals]
    known: Longs  # [1]: columns given out
    near: Ints  # local [states, places]: the columns that have places, ascending
    near_count: Ints  # local [states]
    cut_at: Longs  # [chains, columns]: the moment at which a goal's trace was last cut
    all_cut_at: Longs  # [chains]: the moment at which all traces were last cut
    touched_by: Longs  # [rows]: the number of the last backup that changed a pair along a trace
    recent_pi: Floats  # [times, columns]: π(a | s, g) of recent steps, for targets that are not greedy
    powers: Floats  # [ranks]: the values of ranks


_SCALARS = {
    "reach": np.int64,
    "span": np.int64,
    "horizon": np.int64,
    "conditioned": np.int64,
    "learns_reach": np.int64,
    "start_value": np.float64,
    "goal_entry": np.float64,
}
_ARRAYS = tuple(name for name in Level._fields if name not in _SCALARS and name != "kind")
_FIELDS: list[tuple[str, Any]] = [
    *_SCALARS.items(),
    *((f"{name}_{part}", np.int64) for name in _ARRAYS for part in ("at", "0", "1")),
]
RECORD = np.dtype(_FIELDS, align=True)


class Levels(NamedTuple):
    """The levels as kernels are given them: a record for each, which `level_at` turns into arrays.

    The kind of table is part of the type. A record with a field more would tell it, too, but Numba names compiled
    functions after the types of their arguments and numbers records in the order in which a process comes to see them:
    kernels compiled for one kind in one process and for another in a second would have the same name, and a third
    process that loads both would mix them up.
    """

    kind: Chosen
    records: Array


if JIT:

    def _at_address(array_type: Any) -> Any:
        """How to make an array out of the last two arguments of a call: its address and its shape."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = arrayobj.make_array(array_type)(context, builder)
            lengths = cgutils.unpack_tuple(builder, arguments[-1])
            size = context.get_constant(types.intp, context.get_abi_sizeof(array.data.type.pointee))
            strides = [size]
            for length in reversed(lengths[1:]):
                strides.insert(0, builder.mul(strides[0], length))
            data = builder.inttoptr(arguments[-2], array.data.type)
            arrayobj.populate_array(array, data, lengths, strides, size, meminfo=None)
            return array._getvalue()

        return generate

    def _views(element: Any) -> Any:
        """An intrinsic that makes an array of such elements out of an address and a shape."""

        @intrinsic  # type: ignore[untyped-decorator]
        def view(typing: Any, address: Any, shape: Any) -> Any:
            array_type = types.Array(element, len(shape), "C")
            return array_type(types.int64, shape), _at_address(array_type)

        return view

    @intrinsic  # type: ignore[untyped-decorator]
    def _entries(typing: Any, kind: Any, address: Any, shape: Any) -> Any:
        """The same for entries of the tables: ranks or values."""
        array_type = types.Array(types.int16 if kind.label == "ranks" else types.float64, len(shape), "C")
        return array_type(kind, types.int64, shape), _at_address(array_type)

    _floats, _longs, _ints = _views(types.float64), _views(types.int64), _views(types.int32)
else:

    def _views(element: Any) -> Any:
        """The same in plain Python, for runs without the compiler."""

        def view(address: int, shape: tuple[int, ...]) -> Array:
            pointer = ctypes.cast(int(address), ctypes.POINTER(element))
            return np.ctypeslib.as_array(pointer, tuple(int(length) for length in shape))

        return view

    _floats, _longs, _ints = _views(ctypes.c_double), _views(ctypes.c_int64), _views(ctypes.c_int32)
    _ranks = _views(ctypes.c_int16)

    def _entries(kind: Chosen, address: int, shape: tuple[int, int]) -> Array:
        """The same for entries of the tables: ranks or values."""
        array: Array = (_ranks if kind is KINDS["ranks"] else _floats)(address, shape)
        return array


@inlined
def level_at(levels: Levels, i: int) -> Level:
    """The arrays of level i."""
    r = levels.records[i]
    return Level(
        levels.kind,
        r["reach"],
        r["span"],
        r["horizon"],
        r["conditioned"] != 0,
        r["learns_reach"] != 0,
        r["start_value"],
        r["goal_entry"],
        _entries(levels.kind, r["q_at"], (r["q_0"], r["q_1"])),
        _entries(levels.kind, r["v_at"], (r["v_0"], r["v_1"])),
        _entries(levels.kind, r["best_at"], (r["best_0"], r["best_1"])),
        _floats(r["norm_at"], (r["norm_0"], r["norm_1"])),
        _ints(r["stale_at"], (r["stale_0"],)),
        _ints(r["row_at"], (r["row_0"], r["row_1"])),
        _longs(r["given_at"], (r["given_0"],)),
        _ints(r["used_at"], (r["used_0"],)),
        _ints(r["tried_at"], (r["tried_0"], r["tried_1"])),
        _ints(r["action_at"], (r["action_0"],)),
        _ints(r["legal_at"], (r["legal_0"], r["legal_1"])),
        _ints(r["legal_count_at"], (r["legal_count_0"],)),
        _longs(r["column_at"], (r["column_0"],)),
        _longs(r["known_at"], (r["known_0"],)),
        _ints(r["near_at"], (r["near_0"], r["near_1"])),
        _ints(r["near_count_at"], (r["near_count_0"],)),
        _longs(r["cut_at_at"], (r["cut_at_0"], r["cut_at_1"])),
        _longs(r["all_cut_at_at"], (r["all_cut_at_0"],)),
        _longs(r["touched_by_at"], (r["touched_by_0"],)),
        _floats(r["recent_pi_at"], (r["recent_pi_0"], r["recent_pi_1"])),
        _floats(r["powers_at"], (r["powers_0"],)),
    )


@dataclass(frozen=True)
class Tables:
    """The arrays of all levels, and the records through which kernels find them."""

    levels: tuple[Level, ...]
    for_kernels: Levels = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "for_kernels", Levels(self.levels[0].kind, _records(self.levels)))

    def __reduce__(self) -> tuple[type["Tables"], tuple[tuple[Level, ...]]]:
        """A copy has its arrays elsewhere, so it needs records of its own."""
        return Tables, (self.levels,)

    @property
    def nbytes(self) -> tuple[int, ...]:
        """Bytes of the action values Q_i of each level."""
        return tuple(level.q.nbytes for level in self.levels)


def _records(levels: tuple[Level, ...]) -> Array:
    """Addresses and shapes of the levels' arrays; valid as long as the arrays live."""
    records = []
    for level in levels:
        record: list[float] = [getattr(level, name) for name in _SCALARS]
        for name in _ARRAYS:
            array = getattr(level, name)
            record += array.__array_interface__["data"][0], *array.shape, *((0,) if array.ndim == 1 else ())
        records.append(tuple(record))
    return np.array(records, RECORD)
