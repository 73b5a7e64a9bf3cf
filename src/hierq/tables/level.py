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
from typing import Any, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj
from numba.np.numpy_support import from_dtype

from hierq.compiling.decorators import JIT
from hierq.compiling.static_choice import StaticChoice
from hierq.tables.ranks import RANK, TableKind

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


_TYPES: dict[Any, Any] = {int: np.int64, bool: np.bool_, float: np.float64}
_NUMBERS = {name: _TYPES[kind] for name, kind in Level.__annotations__.items() if kind in _TYPES}
_ONE_DIMENSION = (
    *("stale", "rows_used", "used", "action", "legal_count", "column", "columns_used", "near_count"),
    *("all_cut_at", "touched_by", "powers"),
)
_ARRAYS = {
    name: (Level.__annotations__[name], 1 if name in _ONE_DIMENSION else 2)
    for name in Level._fields
    if name != "kind" and name not in _NUMBERS
}
# Of a number its value, of an array its address and its shape.
_FIELDS: list[tuple[Any, ...]] = [*_NUMBERS.items(), *((name, np.int64, 3) for name in _ARRAYS)]
RECORD = np.dtype(_FIELDS, align=True)
_OFFSETS = {name: RECORD.fields[name][1] for name in RECORD.names or ()} if RECORD.fields else {}


class Levels(NamedTuple):
    """The levels as kernels are given them: a record for each, which `level_at` turns into arrays.

    The kind of table is part of the type. A record with a field more would tell it, too, but Numba names compiled
    functions after the types of their arguments and numbers records in the order in which a process comes to see them:
    kernels compiled for one kind in one process and for another in a second would have the same name, and a third
    process that loads both would mix them up.
    """

    kind: StaticChoice
    records: Array


def _element(kind: str, annotation: Any) -> Any:
    """The type of an array's entries, in tables of a kind."""
    if annotation is Entries:
        return RANK if kind == "ranks" else np.float64
    return {Floats: np.float64, Longs: np.int64, Ints: np.int32}[annotation]


if JIT:

    @intrinsic  # type: ignore[untyped-decorator]
    def level_at(typing: Any, levels: Any, i: Any) -> Any:
        """The arrays of level i."""
        kind, records = levels.types
        arrays = {
            name: types.Array(from_dtype(np.dtype(_element(kind.label, annotation))), dimensions, "C")
            for name, (annotation, dimensions) in _ARRAYS.items()
        }
        numbers = {name: from_dtype(np.dtype(number)) for name, number in _NUMBERS.items()}
        level = types.NamedTuple([kind, *numbers.values(), *arrays.values()], Level)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            table = arrayobj.make_array(records)(context, builder, builder.extract_value(arguments[0], 1))
            word = context.get_value_type(types.intp)
            begin = builder.mul(context.cast(builder, arguments[1], i, types.intp), word(RECORD.itemsize))
            begin = builder.add(builder.ptrtoint(table.data, word), begin)

            def load(offset: int, kind: Any) -> Any:
                address = builder.add(begin, word(offset))
                loaded = builder.load(builder.inttoptr(address, context.get_data_type(kind).as_pointer()))
                return context.data_model_manager[kind].from_data(builder, loaded)

            def array_at(offset: int, kind: Any) -> Any:
                array = arrayobj.make_array(kind)(context, builder)
                shape = [load(offset + 8 * (1 + k), types.intp) for k in range(kind.ndim)]
                size = word(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
                strides = [size] if kind.ndim == 1 else [builder.mul(shape[1], size), size]
                data = builder.inttoptr(load(offset, types.intp), array.data.type)
                arrayobj.populate_array(array, data, shape, strides, size, meminfo=None)
                return array._getvalue()

            values = [load(_OFFSETS[name], number) for name, number in numbers.items()]
            values += [array_at(_OFFSETS[name], array) for name, array in arrays.items()]
            return context.make_tuple(builder, level, [context.get_dummy_value(), *values])

        return level(levels, i), generate

else:

    def level_at(levels: Levels, i: int) -> Level:
        """The arrays of level i."""
        record = levels.records[i]
        values = [record[name].item() for name in _NUMBERS]
        for name, (annotation, dimensions) in _ARRAYS.items():
            address, *shape = (int(number) for number in record[name])
            element = np.ctypeslib.as_ctypes_type(_element(levels.kind.label, annotation))
            pointer = ctypes.cast(address, ctypes.POINTER(element))
            values.append(np.ctypeslib.as_array(pointer, tuple(shape[:dimensions])))
        return Level(levels.kind, *values)


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


def _records(levels: tuple[Level, ...]) -> Array:
    """Addresses and shapes of the levels' arrays; valid as long as the arrays live."""
    records = []
    for level in levels:
        arrays = [getattr(level, name) for name in _ARRAYS]
        places = [(array.__array_interface__["data"][0], *array.shape, 0)[:3] for array in arrays]
        records.append((*(getattr(level, name) for name in _NUMBERS), *places))
    return np.array(records, RECORD)
