"""Saved agents and learners, as files of `saved_files.py`.

For every level i a file holds the rows of action values in use (`rows_i`), with the state and action of each
(`states_i`, `actions_i`). It also holds the cells that have a column (`columns`), in order, and the state of the random
numbers. The texts are configuration, seed and world, or what is known of an environment.

A file is read in this order: the texts, the shapes of its tensors, the checksum, the tensors. Then the agent that was
made of them must be one that saves the same tensors again.
"""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hierq.agents.array_shapes import rival_shapes
from hierq.agents.config import AgentConfig
from hierq.agents.counts import check_counts, count_shapes
from hierq.agents.layout import Layout, layout_of
from hierq.agents.rivals.memory import check_memory, check_range, saved_memory
from hierq.agents.value_warnings import is_finite, warn_of_divergence
from hierq.errors import InputError
from hierq.saved_files import check_whole, saved_file, write_saved
from hierq.tables.aligned import Shapes
from hierq.tables.growth import with_room
from hierq.tables.level import Array, Level
from hierq.tables.queries import (
    entries_of,
    forget_best,
    is_legal,
    places_in_use,
    states_of_rows,
    values_of,
)
from hierq.tables.rows import give_column, row_for_writing

if TYPE_CHECKING:
    from hierq.agents.session import KernelSession

ROWS_AT_A_TIME = 1000  # that are turned into ranks, which takes more memory than the ranks do
Owner = TypeVar("Owner", bound="KernelSession")
Seed = int | np.random.SeedSequence


def save_session(owner: "KernelSession", path: str | os.PathLike[str], what: str, place: dict[str, str]) -> None:
    """Writes an "agent" or a "learner" to a file, whole or not at all, with words about the place where it learnt."""
    plain = {"config": owner.config.to_dict(), "seed": _plain_seed(owner.seed)}
    words = {name: json.dumps(value) for name, value in plain.items()}
    write_saved(path, what, {**place, **words}, dict(_tensors(owner)))


def _tensors(owner: "KernelSession") -> Iterator[tuple[str, Array]]:
    """What a file holds of an agent, by name."""
    column = owner._tables.levels[0].column
    goals = np.flatnonzero(column >= 0)
    yield "columns", goals[np.argsort(column[goals])]
    for i, level in enumerate(owner._tables.levels):
        rows = int(level.rows_used[0])
        yield f"states_{i}", states_of_rows(level)
        yield f"actions_{i}", level.action[:rows]
        yield f"rows_{i}", values_of(level, level.q[:rows, : places_in_use(level)])
    yield from _copied_arrays(owner).items()


def _copied_arrays(owner: "KernelSession") -> dict[str, Array]:
    """The arrays of an agent that a file holds as they are, by name."""
    counts = {f"counts_{name}": getattr(owner._counts, name) for name in owner.config.explorer.counts}
    return {"random": owner._random, **counts, **(saved_memory(owner._memory) if owner._memory else {})}


def _plain_seed(seed: Seed) -> Any:
    if isinstance(seed, int):
        return seed
    return {"entropy": np.asarray(seed.entropy).tolist(), "spawn_key": [int(key) for key in seed.spawn_key]}


def _seed_of(plain: Any) -> Seed:
    if isinstance(plain, dict) and plain["entropy"] is not None:
        return np.random.SeedSequence(plain["entropy"], spawn_key=plain["spawn_key"])
    if not isinstance(plain, int):
        raise ValueError("the seed is no number")
    return plain


def load_session(
    path: str | os.PathLike[str],
    what: str,
    place_of: Callable[[dict[str, str]], Any],
    make: Callable[[Any, AgentConfig, Any], Owner],
) -> Owner:
    """Reads an "agent" or a "learner" from a file, checking everything before it is believed.

    `place_of` makes a world, or what is known of an environment, of the words about it; `make` makes an owner there
    that has learnt nothing. Shapes that do not fit are refused before large tables are made.
    """
    with saved_file(path, what) as file:
        words = file.metadata()
        settings = json.loads(words["config"])
        if not isinstance(settings, dict):
            raise ValueError("config is no table of settings")
        config, place = AgentConfig.from_dict(settings), place_of(words)
        parts = {name: file.get_slice(name) for name in file.keys()}
        _check_shapes({name: (p.get_dtype(), tuple(p.get_shape())) for name, p in parts.items()}, place, config)
        check_whole(path)
        owner = make(place, config, _seed_of(json.loads(words["seed"])))
        _fill(owner, {name: file.get_tensor(name) for name in file.keys()})
    if any(not is_finite(level) for level in owner._tables.levels):
        warn_of_divergence(owner.config)
    return owner


def holds_learner(path: str | os.PathLike[str]) -> bool:
    """Whether a file holds a Learner; False where it cannot be read."""
    with contextlib.suppress(InputError), saved_file(path, "learner"):
        return True
    return False


def _check_shapes(found: dict[str, tuple[str, tuple[int, ...]]], world: Any, config: AgentConfig) -> None:
    """Refuses tensors that are not those of such an agent, before they are read and before its tables are made."""

    def length(name: str) -> int:
        return next(iter(found[name][1]), 0) if name in found else 0

    if length("states_0") != world.states * world.actions:
        raise ValueError(f"its world has {world.states} states of {world.actions} moves, which its tables do not fit")
    rows = [length(f"states_{i}") for i in range(config.levels)]
    shapes = _shapes_of_tensors(layout_of(world, config), length("columns"), rows)
    wanted = {name: (_name_of_type(kind), shape) for name, (shape, kind) in shapes.items()}
    for name, (kind, shape) in wanted.items():
        if name not in found:
            raise ValueError(f"{name} is missing")
        if found[name] != (kind, shape):
            raise ValueError(f"{name} has type {found[name][0]} and shape {found[name][1]}, not {kind} and {shape}")
    if more := found.keys() - wanted.keys():
        raise ValueError(f"{', '.join(sorted(more))} are not part of a saved agent")


def _shapes_of_tensors(layout: Layout, columns: int, rows: list[int]) -> Shapes:
    """Shapes of the tensors of an agent whose goals have some columns, and whose levels have some rows."""
    config = layout.config
    most_columns = layout.goals if config.is_conditioned(0) else 1
    shapes: dict[str, Any] = {"random": ((4,), np.uint64), "columns": ((min(columns, most_columns),), np.int64)}
    for i, count in enumerate(rows):
        conditioned = layout.places(i) if layout.local else columns
        shapes |= {f"{name}_{i}": ((count,), np.int32) for name in ("states", "actions")}
        shapes[f"rows_{i}"] = (count, conditioned if config.is_conditioned(i) else 1), np.float64
    counts, remembered = count_shapes(layout), rival_shapes(layout)
    shapes |= {f"counts_{name}": counts[name] for name in config.explorer.counts}
    return shapes | {f"rival_{name}": remembered[name] for name in remembered if not name.startswith("room")}


def _name_of_type(kind: Any) -> str:
    """The name of a type of numbers in safetensors files, such as I32."""
    return f"{np.dtype(kind).kind.upper()}{8 * np.dtype(kind).itemsize}"


def _fill(owner: "KernelSession", tensors: dict[str, Array]) -> None:
    """Gives an agent that has learnt nothing what a file holds; refuses what no such agent can have learnt."""
    if not tensors["random"].any():
        raise ValueError("random is 0, from where random numbers never move")
    for name, array in _copied_arrays(owner).items():
        array[:] = tensors[name]
    states, actions, shared = owner._world.states, owner._world.actions, owner._tables.levels[0]
    check_range("columns", tensors["columns"], owner.layout.goals)
    for goal in tensors["columns"]:
        if goal < states:  # others have their columns from the start
            give_column(shared, goal)
    if shared.columns_used[0] != len(tensors["columns"]):
        raise ValueError("columns are not those of an agent with these settings")
    for i in range(owner.config.levels):
        if i > 0:  # moves have their rows from the start
            owner._tables = with_room(owner._tables, i, len(tensors[f"states_{i}"]))
            _give_rows(i, owner._tables.levels[i], tensors[f"states_{i}"], tensors[f"actions_{i}"])
        _fill_rows(owner._tables.levels[i], tensors[f"rows_{i}"])
    check_counts(owner._counts, states)
    if owner._memory:
        check_memory(owner._memory, states, actions)
    for name, array in _tensors(owner):  # what is twice in it, or in another order, or cannot be
        if not np.array_equal(array, tensors[name], equal_nan=array.dtype.kind == "f"):
            raise ValueError(f"{name} is not what an agent with these settings saves")


def _give_rows(i: int, level: Level, states: Array, actions: Array) -> None:
    """Gives out rows to states and actions in the same order as in the saved agent."""
    check_range(f"states_{i}", states, len(level.used))
    check_range(f"actions_{i}", actions, len(level.used))
    for state, action in zip(states.tolist(), actions.tolist(), strict=True):
        if not (level.learns_reach or is_legal(level, state, action)):
            raise ValueError(f"actions_{i} are not all within reach")
        row_for_writing(level, state, action)


def _fill_rows(level: Level, rows: Array) -> None:
    count, places = rows.shape
    for begin in range(0, count, ROWS_AT_A_TIME):
        part = rows[begin : begin + ROWS_AT_A_TIME]
        level.q[begin : begin + len(part), :places] = entries_of(level, part)
    level.q[:count, places:] = level.start_value
    forget_best(level, slice(None))
