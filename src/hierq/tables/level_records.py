"""How kernels find the arrays of all levels.

Numba is slow with lists of levels and fast with plain arrays. So each level is described by a record of plain numbers:
of an array it has the address and the shape. `level_at` turns record i back into a `Level`.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hierq.compiling.decorators import JIT, stand_ins
from hierq.compiling.static_choice import StaticChoice
from hierq.tables.level import Array, Level
from hierq.tables.ranks import RANK

_NUMBERS: dict[Any, Any] = {int: np.int64, bool: np.bool_, float: np.float64}
_FIELDS: list[tuple[Any, ...]] = [
    (name, _NUMBERS[kind]) if kind in _NUMBERS else (name, np.int64, 3)
    for name, kind in Level.__annotations__.items()
    if name != "kind"
]
RECORD = np.dtype(_FIELDS, align=True)


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
    """The arrays of level i."""
    level = levels.records[i]
    return Level(
        kind=levels.kind,
        reach=level["reach"],
        hop_length=level["hop_length"],
        horizon=level["horizon"],
        conditioned=level["conditioned"],
        learns_reach=level["learns_reach"],
        start_value=level["start_value"],
        goal_entry=level["goal_entry"],
        q=_matrix(level["q"], levels.kind),
        v=_matrix(level["v"], levels.kind),
        best=_matrix(level["best"], levels.kind),
        norm=_matrix(level["norm"], np.float64),
        stale=_vector(level["stale"], np.int32),
        row=_matrix(level["row"], np.int32),
        rows_used=_vector(level["rows_used"], np.int64),
        used=_vector(level["used"], np.int32),
        tried=_matrix(level["tried"], np.int32),
        action=_vector(level["action"], np.int32),
        legal=_matrix(level["legal"], np.int32),
        legal_count=_vector(level["legal_count"], np.int32),
        column=_vector(level["column"], np.int64),
        columns_used=_vector(level["columns_used"], np.int64),
        near=_matrix(level["near"], np.int32),
        near_count=_vector(level["near_count"], np.int32),
        cut_at=_matrix(level["cut_at"], np.int64),
        all_cut_at=_vector(level["all_cut_at"], np.int64),
        touched_by=_vector(level["touched_by"], np.int64),
        recent_pi=_matrix(level["recent_pi"], np.float64),
        powers=_vector(level["powers"], np.float64),
    )


def _vector(place: Array, kind: Any) -> Array:
    """The array whose address and length are in a record; `kind` is the type of its entries, or the kind of table."""
    return _array_at(place, 1, kind)


def _matrix(place: Array, kind: Any) -> Array:
    """The same with two dimensions."""
    return _array_at(place, 2, kind)


def _array_at(place: Array, dimensions: int, kind: Any) -> Array:
    address, *shape = place.tolist()
    pointer = ctypes.cast(address, ctypes.POINTER(np.ctypeslib.as_ctypes_type(_entry_type(kind))))
    return np.ctypeslib.as_array(pointer, tuple(shape[:dimensions]))


def _entry_type(kind: Any) -> Any:
    label = getattr(kind, "label", None)
    if label is None:
        return kind
    return RANK if label == "ranks" else np.float64


if JIT:
    from numba import types
    from numba.core import cgutils
    from numba.extending import lower_builtin, type_callable
    from numba.np import arrayobj
    from numba.np.numpy_support import from_dtype

    def _type_in_kernels(dimensions: int) -> Callable[[Any], Any]:
        """What type an array of a record has in kernels."""

        def typed(place: Any, kind: Any) -> Any:
            entry = getattr(kind, "dtype", None) or from_dtype(np.dtype(_entry_type(kind)))
            return types.Array(entry, dimensions, "C")

        return lambda context: typed

    def _in_kernels(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Makes an array of an address and a shape."""
        numbers = arrayobj.make_array(signature.args[0])(context, builder, arguments[0]).data
        address, *shape = (
            builder.load(cgutils.gep(builder, numbers, k)) for k in range(1 + signature.return_type.ndim)
        )
        array = arrayobj.make_array(signature.return_type)(context, builder)
        size = context.get_constant(types.intp, context.get_abi_sizeof(array.data.type.pointee))
        strides = [size] if len(shape) == 1 else [builder.mul(shape[1], size), size]
        data = builder.inttoptr(address, array.data.type)
        arrayobj.populate_array(array, data, shape, strides, size, meminfo=None)
        return array._getvalue()

    for dimensions, function in enumerate((_vector, _matrix), start=1):
        stand_ins.add(function)
        type_callable(function)(_type_in_kernels(dimensions))
        lower_builtin(function, types.Any, types.Any)(_in_kernels)


@dataclass(frozen=True)
class Tables:
    """The arrays of all levels, and the records through which kernels find them."""

    levels: tuple[Level, ...]
    for_kernels: Levels = field(init=False, repr=False)

    def __post_init__(self) -> None:
        records = np.array([_record(level) for level in self.levels], RECORD)
        object.__setattr__(self, "for_kernels", Levels(self.levels[0].kind, records))

    def __reduce__(self) -> tuple[type["Tables"], tuple[tuple[Level, ...]]]:
        """A copy has its arrays elsewhere, so it needs records of its own."""
        return Tables, (self.levels,)


def _record(level: Level) -> tuple[Any, ...]:
    """The numbers, addresses and shapes of a level; valid as long as its arrays live."""
    return tuple((each.ctypes.data, *each.shape, 0)[:3] if isinstance(each, np.ndarray) else each for each in level[1:])
