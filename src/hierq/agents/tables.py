"""What a level remembers: its action values Q_i(s, a, g), as arrays.

    q[row, column]    Q_i(s, a, g): a row for each pair (s, a), a column for each goal, so that a backup for all goals
                      is one short vector operation
    row[a, s]         where the values of a pair stand; rows are given out at first use, so memory is touched only for
                      pairs that were tried, and those lie close together
    column[g]         where the values for a goal stand; columns are given out when a state is first seen
    v[s, column]      E_π Q_i(s, ·, g) under the target policy; for the greedy one max_a Q_i(s, a, g)

An action of level 0 is one of the four moves, an action of a level above is a cell. Level 0 has its four rows from the
start, so no kernel needs to know which level it works for. The top level, asked for the environment's goal only, has
one column.

Numba is slow with lists of levels and fast with plain arrays. So the arrays of each level are described by a record
(addresses and sizes, by name) and `level_at` turns record i back into arrays: a `Level`.
"""

import contextlib
import ctypes
import math
import resource
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from hierq.agents.compiled import JIT, inlined
from hierq.agents.config import AgentConfig, Traces
from hierq.errors import InputError
from hierq.worlds import World

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]

NOT_TRIED = -1
OWN_CELL = -2  # a level cannot ask for the cell it stands on
# Level 0. A plain 0 has a type of its own and would make Numba compile everything twice.
BOTTOM: int = np.int64(0)  # type: ignore[assignment]
CUT_OFF = 1e-8  # eligibility below which a trace is dropped


class Level(NamedTuple):
    """One level as a kernel sees it."""

    reach: int  # H^a_i: environment steps one action may take
    span: int  # steps one hop of a backup takes: H^a_i, or 1 if the configuration takes the longer credit away
    horizon: int  # H_i: own actions before it returns to its parent
    conditioned: bool  # learns about every goal, not only about the environment's
    start_value: float
    q: Floats  # [rows, columns]
    v: Floats  # [states, columns]
    best: Floats  # [states, columns]: max_a Q(s, a, g); the same array as v for a greedy target
    norm: Floats  # [states, columns]: number of tied actions (ε-soft) or sum of exponentials (softmax)
    stale: Ints  # [states]: v has to be worked out anew before it is read
    row: Ints  # [actions, states]
    given: Longs  # [1]: rows given out
    used: Ints  # [states]: how many of them to a state
    tried: Ints  # [states, most]: which ones
    action: Ints  # [rows]: the action of a row
    legal: Ints  # [states, most]: actions that may be drawn, walls among them if the configuration says so
    legal_count: Longs  # [states]
    column: Longs  # [cells]
    known: Longs  # [1]: columns given out
    cut: Longs  # [chains, columns]: time at which a goal's trace was last cut
    stamp: Longs  # [rows]: the last backup that touched a pair
    share: Floats  # [times, columns]: π(a | s, g) of recent steps, for targets that are not greedy


_SCALARS = {
    "reach": np.int64,
    "span": np.int64,
    "horizon": np.int64,
    "conditioned": np.int64,
    "start_value": np.float64,
}
_ARRAYS = {name: hint for name, hint in Level.__annotations__.items() if name not in _SCALARS}
RECORD = np.dtype(
    [(name, kind) for name, kind in _SCALARS.items()]
    + [(f"{name}_{part}", np.int64) for name in _ARRAYS for part in ("at", "0", "1")],
    align=True,
)


if JIT:

    def _views(element: Any) -> Any:
        """An intrinsic that makes an array of such elements out of an address and a shape."""

        @intrinsic  # type: ignore[untyped-decorator]
        def view(typing: Any, address: Any, shape: Any) -> Any:
            array_type = types.Array(element, len(shape), "C")

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                array = arrayobj.make_array(array_type)(context, builder)
                lengths = cgutils.unpack_tuple(builder, arguments[1])
                size = context.get_constant(types.intp, context.get_abi_sizeof(array.data.type.pointee))
                strides = [size]
                for length in reversed(lengths[1:]):
                    strides.insert(0, builder.mul(strides[0], length))
                data = builder.inttoptr(arguments[0], array.data.type)
                arrayobj.populate_array(array, data, lengths, strides, size, meminfo=None)
                return array._getvalue()

            return array_type(types.int64, shape), generate

        return view

    _floats, _longs, _ints = _views(types.float64), _views(types.int64), _views(types.int32)
else:

    def _views(element: Any) -> Any:
        """The same in plain Python, for runs without the compiler."""

        def view(address: int, shape: tuple[int, ...]) -> Array:
            pointer = ctypes.cast(int(address), ctypes.POINTER(element))
            return np.ctypeslib.as_array(pointer, tuple(int(length) for length in shape))

        return view

    _floats, _longs, _ints = _views(ctypes.c_double), _views(ctypes.c_int64), _views(ctypes.c_int32)


@inlined
def level_at(levels: Array, i: int) -> Level:
    """The arrays of level i."""
    r = levels[i]
    return Level(
        r["reach"],
        r["span"],
        r["horizon"],
        r["conditioned"] != 0,
        r["start_value"],
        _floats(r["q_at"], (r["q_0"], r["q_1"])),
        _floats(r["v_at"], (r["v_0"], r["v_1"])),
        _floats(r["best_at"], (r["best_0"], r["best_1"])),
        _floats(r["norm_at"], (r["norm_0"], r["norm_1"])),
        _ints(r["stale_at"], (r["stale_0"],)),
        _ints(r["row_at"], (r["row_0"], r["row_1"])),
        _longs(r["given_at"], (r["given_0"],)),
        _ints(r["used_at"], (r["used_0"],)),
        _ints(r["tried_at"], (r["tried_0"], r["tried_1"])),
        _ints(r["action_at"], (r["action_0"],)),
        _ints(r["legal_at"], (r["legal_0"], r["legal_1"])),
        _longs(r["legal_count_at"], (r["legal_count_0"],)),
        _longs(r["column_at"], (r["column_0"],)),
        _longs(r["known_at"], (r["known_0"],)),
        _longs(r["cut_at"], (r["cut_0"], r["cut_1"])),
        _longs(r["stamp_at"], (r["stamp_0"],)),
        _floats(r["share_at"], (r["share_0"], r["share_1"])),
    )


@dataclass(frozen=True)
class Tables:
    """The arrays of all levels, and the records through which kernels find them."""

    levels: tuple[Level, ...]
    records: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "records", _records(self.levels))

    def __reduce__(self) -> tuple[type["Tables"], tuple[tuple[Level, ...]]]:
        """A copy has its arrays elsewhere, so it needs records of its own."""
        return Tables, (self.levels,)

    @property
    def nbytes(self) -> tuple[int, ...]:
        """Bytes of the action values Q_i of each level."""
        return tuple(level.q.nbytes for level in self.levels)


def columns_are_given_out(config: AgentConfig) -> bool:
    """Whether a goal can wait for its column until its state is first seen.

    True where values of goals that were never seen cannot move: γ · 0 = 0. Not so for penalties, for tables that start
    elsewhere, nor for target policies that are not greedy (their traces fade for unseen goals, too).
    """
    return config.pseudo_reward == "binary" and config.initial_value == 0.0 and config.target == "greedy"


def _width(world: World, config: AgentConfig, level: int) -> int:
    """Number of goal columns, padded to whole cache lines."""
    if not config.is_conditioned(level):
        return 1
    walls_too = config.subgoal_cells == "grid" and not columns_are_given_out(config)
    return -(-(world.cells if walls_too else world.states) // 8) * 8


def _most_actions(cells: int, config: AgentConfig, level: int) -> int:
    """Sub-goals a level can have at most, from the size of a diamond; four moves at level 0."""
    if level == 0:
        return 4
    reach = config.spans[level]
    return max(1, cells - 1 if config.subgoals == "anywhere" else min(cells - 1, 2 * reach * (reach + 1)))


def _remembered_times(config: AgentConfig, level: int) -> int:
    """Steps over which the traces of a target policy that is not greedy can stay alive."""
    if not isinstance(config.backup, Traces) or config.target == "greedy":
        return 0
    fade = config.backup.decay * config.discount
    hops = config.step_limit if fade == 1 else 1 if fade == 0 else math.ceil(math.log(CUT_OFF) / math.log(fade)) + 1
    return min(config.step_limit, hops * config.spans[level]) + 1


def estimate_bytes(world: World, config: AgentConfig) -> tuple[int, ...]:
    """Bytes each level needs in all, before anything is allocated."""
    sizes = []
    for i in range(config.levels):
        width, rows = _width(world, config, i), _most_actions(world.states, config, i)
        values = world.states * width * 8 * (rows + (1 if config.target == "greedy" else 3))
        actions = 4 if i == 0 else world.states
        index = 4 * world.states * (actions + rows + _most_actions(world.cells, config, i))
        traces = 0
        if isinstance(config.backup, Traces):
            traces = 8 * (world.states * rows + min(config.spans[i], config.step_limit) * width)
            traces += 8 * _remembered_times(config, i) * width
        sizes.append(values + index + traces)
    return tuple(sizes)


def readable_size(count: float) -> str:
    """A number of bytes in the unit a person would use."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} PB"


def memory_available() -> int:
    """Bytes this process can still get: from the machine, and within the limits of its job (cgroup, ulimit -v)."""
    limits = [8 * 10**9]
    with contextlib.suppress(OSError, KeyError, ValueError):
        fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        limits = [int(fields["MemAvailable"].split()[0]) * 1024]
    with contextlib.suppress(OSError, IndexError, ValueError):
        group = Path("/sys/fs/cgroup") / Path("/proc/self/cgroup").read_text().split("0::/", 1)[1].split("\n")[0]
        limits.append(int((group / "memory.max").read_text()) - int((group / "memory.current").read_text()))
    with contextlib.suppress(OSError, IndexError, ValueError):
        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            limits.append(most - int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize())
    return max(0, min(limits))


def check_fits(world: World, config: AgentConfig, available: int | None = None) -> None:
    """Refuses tables that would not fit, with their size and what to reduce."""
    available = memory_available() if available is None else available
    sizes = (*estimate_bytes(world, config), 8 * config.step_limit * (config.levels + 4))
    if sum(sizes) <= 0.9 * available:
        return
    largest = int(np.argmax(sizes))
    what = "the record of an episode" if largest == config.levels else f"level {largest}"
    raise InputError(
        f"an agent with {config.levels} levels on {world.name} ({world.states} free cells) would need "
        f"{readable_size(sum(sizes))} of memory, {readable_size(sizes[largest])} of it for {what}; "
        f"{readable_size(available)} are available: {_remedy(world, config, largest, sizes[largest])}"
    )


def _remedy(world: World, config: AgentConfig, largest: int, size: int) -> str:
    """What makes the largest part of an agent smaller."""
    if largest == config.levels:
        return "reduce step_limit"
    if 16 * _remembered_times(config, largest) * _width(world, config, largest) > size:
        return 'reduce step_limit, the decay of the traces or the discount, or take target="greedy"'
    if largest == 0:
        return "take a smaller world"
    nearby = "" if config.subgoals == "nearby" else ' or take subgoals="nearby"'
    return f"take fewer levels, smaller horizons or a smaller world{nearby}"


def make_tables(world: World, config: AgentConfig) -> Tables:
    """Fresh tables for an agent; refuses what would not fit in memory before it allocates."""
    check_fits(world, config)
    shared_column, shared_known = _columns(world, config)
    levels = []
    for i in range(config.levels):
        if config.is_conditioned(i):
            column, known = shared_column, shared_known
        else:
            column, known = np.full(world.cells, -1, np.int64), np.ones(1, np.int64)
            column[world.goal] = 0
        levels.append(_make_level(world, config, i, column, known))
    return Tables(tuple(levels))


def _columns(world: World, config: AgentConfig) -> tuple[Longs, Longs]:
    column = np.full(world.cells, -1, np.int64)
    known = np.zeros(1, np.int64)
    if not columns_are_given_out(config):
        known[0] = world.cells if config.subgoal_cells == "grid" else world.states
        column[: known[0]] = np.arange(known[0])
    return column, known


def _make_level(world: World, config: AgentConfig, i: int, column: Longs, known: Longs) -> Level:
    states, width, start_value = world.states, _width(world, config, i), config.start_value(i)
    if i == 0:  # the four moves have their rows from the start
        legal, legal_count = np.tile(np.arange(4, dtype=np.int32), (states, 1)), np.full(states, 4)
        rows, tried = 4 * states, np.arange(4 * states, dtype=np.int32).reshape(states, 4)
        row, given, used, action = tried.T.copy(), rows, np.full(states, 4, np.int32), legal.flatten()
    else:
        legal, legal_count = world.subgoals(
            config.spans[i] if config.subgoals == "nearby" else None, config.subgoal_cells
        )
        reachable = ((legal >= 0) & (legal < states)).sum(axis=1)  # walls can be asked for, but never be tried
        rows, tried = (
            max(1, int(reachable.sum())),
            np.full((states, max(1, int(reachable.max()))), -1, np.int32),
        )
        row = np.full((states, states), NOT_TRIED, np.int32)
        np.fill_diagonal(row, OWN_CELL)
        given, used, action = 0, np.zeros(states, np.int32), np.full(rows, -1, np.int32)
    traces, soft = isinstance(config.backup, Traces), config.target != "greedy"
    v = np.full((states, width), start_value)
    return Level(
        reach=config.spans[i],
        span=config.hops[i],
        horizon=config.horizon_of_levels[i],
        conditioned=config.is_conditioned(i),
        start_value=start_value,
        q=np.full((rows, width), start_value) if start_value else np.zeros((rows, width)),
        v=v,
        best=v.copy() if soft else v,
        norm=np.zeros((states, width) if soft else (1, 1)),
        stale=np.full(states, soft, np.int32),
        row=row,
        given=np.array([given], np.int64),
        used=used,
        tried=tried,
        action=action,
        legal=legal,
        legal_count=legal_count,
        column=column,
        known=known,
        cut=np.zeros((min(config.spans[i], config.step_limit), width) if traces else (1, 1), np.int64),
        stamp=np.zeros(rows if traces else 1, np.int64),
        share=np.zeros((max(1, _remembered_times(config, i)), width)),
    )


def _records(levels: tuple[Level, ...]) -> Array:
    """Addresses and shapes of the levels' arrays; valid as long as the arrays live."""
    records = np.zeros(len(levels), RECORD)
    for record, level in zip(records, levels, strict=True):
        for name in _SCALARS:
            record[name] = getattr(level, name)
        for name in _ARRAYS:
            array = getattr(level, name)
            record[f"{name}_at"] = array.ctypes.data
            for axis, length in enumerate(array.shape):
                record[f"{name}_{axis}"] = length
    return records
