"""How kernels find the arrays of all levels.

Numba is slow with lists of levels and fast with plain arrays. So there is an array with a record for each level: the
numbers of a `Level` as kernels have them in memory, and of each of its arrays where it stands and how large it is.
"""

import ctypes
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hierq.compiling.decorators import JIT
from hierq.compiling.static_choice import StaticChoice, stand_in_for
from hierq.tables.level import Array, Entries, Floats, Ints, Level, Longs
from hierq.tables.ranks import RANK

VECTORS = (
    *("stale", "rows_used", "used", "action", "legal_count", "column", "columns_used", "near_count"),
    *("all_cut_at", "touched_by", "powers"),
)
_NUMBERS: dict[Any, Any] = {int: np.int64, bool: np.bool_, float: np.float64}


def _arrays(kind: StaticChoice) -> dict[str, tuple[Any, int]]:
    """The type of the entries and the number of dimensions of each array of a level, in tables of a kind."""
    entry = RANK if kind.label == "ranks" else np.float64
    types = {Entries: entry, Floats: np.float64, Longs: np.int64, Ints: np.int32}
    annotations = Level.__annotations__.items()
    return {name: (types[each], 1 if name in VECTORS else 2) for name, each in annotations if each in types}


def _in_memory(name: str, annotation: Any) -> tuple[Any, ...]:
    """What a field takes in memory: a number, idle for a choice; for an array those of `_as_in_memory`."""
    if annotation is StaticChoice:
        return name, np.int64
    return (name, _NUMBERS[annotation]) if annotation in _NUMBERS else (name, np.int64, 7 if name in VECTORS else 9)


def _as_in_memory(value: Any) -> Any:
    """The numbers of an array as Numba has them; the first two are for arrays that a kernel owns."""
    if isinstance(value, np.ndarray):
        return 0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides
    return 0 if isinstance(value, StaticChoice) else value


RECORD = np.dtype([_in_memory(*each) for each in Level.__annotations__.items()], align=True)


class Levels(NamedTuple):
    """The levels as kernels are given them.

    The kind of table is part of the type. A record with a field more would tell it, too, but Numba names compiled
    functions after the types of their arguments and numbers records in the order in which a process comes to see them:
    kernels compiled for one kind in one process and for another in a second would have the same name, and a third
    process that loads both would mix them up.
    """

    kind: StaticChoice
    records: Array


def level_at(levels: Levels, i: int) -> Level:
    """Level i: its numbers and arrays."""
    record = levels.records[i]
    found: dict[str, Any] = {}
    for name, (entry, dimensions) in _arrays(levels.kind).items():
        _, _, _, _, address, *shape = record[name][: 5 + dimensions].tolist()
        pointer = ctypes.cast(address, ctypes.POINTER(np.ctypeslib.as_ctypes_type(entry)))
        found[name] = np.ctypeslib.as_array(pointer, tuple(shape))
    numbers = {name: record[name].item() for name in Level._fields[1:] if name not in found}
    return Level(kind=levels.kind, **numbers, **found)


if JIT:
    from numba import types
    from numba.extending import intrinsic
    from numba.np import arrayobj
    from numba.np.numpy_support import from_dtype

    @stand_in_for(level_at)
    def _level_at(levels: Any, i: Any) -> Any:
        return lambda levels, i: _load_level(levels, i)

    @intrinsic  # type: ignore[untyped-decorator]
    def _load_level(typing: Any, levels: Any, i: Any) -> Any:
        """Takes the numbers of a level out of memory."""
        kind, records = levels.types
        fields = {name: types.Array(from_dtype(np.dtype(entry)), n, "C") for name, (entry, n) in _arrays(kind).items()}
        numbers = {name: from_dtype(RECORD[name]) for name in Level._fields[1:] if name not in fields}
        level = types.NamedTuple([kind, *({**numbers, **fields}[name] for name in Level._fields[1:])], Level)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = arrayobj.make_array(records)(context, builder, builder.extract_value(arguments[0], 1))
            record = builder.gep(array.data, [context.cast(builder, arguments[1], i, types.intp)])
            place = builder.bitcast(record, context.get_data_type(level).as_pointer())
            return context.unpack_value(builder, level, place)

        return level(levels, i), generate


@dataclass(frozen=True)
class Tables:
    """The arrays of all levels, and the records through which kernels find them."""

    levels: tuple[Level, ...]
    for_kernels: Levels = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Makes the records, which are valid as long as the arrays live."""
        records = np.array([tuple(map(_as_in_memory, level)) for level in self.levels], RECORD)
        object.__setattr__(self, "for_kernels", Levels(self.levels[0].kind, records))

    def __reduce__(self) -> tuple[type["Tables"], tuple[tuple[Level, ...]]]:
        """A copy has its arrays elsewhere, so it needs records of its own."""
        return Tables, (self.levels,)
