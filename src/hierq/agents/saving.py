"""Saved agents: safetensors files that hold numbers and text only, so loading one never executes anything.

For every level i a file holds the rows of action values in use (`rows_i`), with the state and action of each
(`states_i`, `actions_i`). It also holds the cells that have a column (`columns`), in order, and the state of the random
numbers. The metadata are texts: configuration, world, seed, format version, and a checksum of the whole file.
"""

import contextlib
import json
import mmap
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from hierq.agents.array_shapes import rival_shapes
from hierq.agents.config import AgentConfig
from hierq.agents.counts import check_counts, count_shapes
from hierq.agents.layout import layout_of
from hierq.agents.rivals.memory import fill_memory, saved_memory
from hierq.agents.value_warnings import is_finite, warn_of_divergence
from hierq.errors import InputError
from hierq.files import BLANK_SEAL, sealed, write_whole
from hierq.files import is_sealed as has_seal
from hierq.tables.growth import with_room
from hierq.tables.level import Array, Level
from hierq.tables.queries import is_legal, places_in_use, states_of_rows, values_of
from hierq.tables.ranks import LOST, RANK
from hierq.tables.rows import row_for_writing

if TYPE_CHECKING:
    from hierq.agents.session import KernelSession

FORMAT = "3"
QUICKLY_READ = 10**8  # bytes whose checksum takes no time to speak of
ROWS_AT_A_TIME = 1000  # that are turned into ranks, which takes more memory than the ranks do
Owner = TypeVar("Owner", bound="KernelSession")
Seed = int | np.random.SeedSequence
Shapes = dict[str, tuple[str, tuple[int, ...]]]  # type and shape of tensors, by name


def save_session(owner: "KernelSession", path: str | os.PathLike[str], what: str, place: dict[str, str]) -> None:
    """Writes an "agent" or a "learner" to a file, whole or not at all, with words about the place where it learnt."""
    shared = owner._tables.levels[0]
    with_column = np.flatnonzero(shared.column >= 0)
    tensors: dict[str, Array] = {
        "columns": with_column[np.argsort(shared.column[with_column])],
        "random": owner._random,
    }
    for i, level in enumerate(owner._tables.levels):
        given = int(level.rows_used[0])
        tensors[f"states_{i}"] = states_of_rows(level)
        tensors[f"actions_{i}"] = level.action[:given].copy()
        tensors[f"rows_{i}"] = np.ascontiguousarray(values_of(level, level.q[:given, : places_in_use(level)]))
    tensors |= {f"counts_{name}": getattr(owner._counts, name) for name in owner.config.explorer.counts}
    tensors |= saved_memory(owner._memory) if owner._memory else {}
    plain = {"config": owner.config.to_dict(), "seed": _plain_seed(owner.seed)}
    write_saved(path, what, {**place, **{name: json.dumps(value) for name, value in plain.items()}}, tensors)


def write_saved(path: str | os.PathLike[str], what: str, words: dict[str, str], tensors: dict[str, Array]) -> None:
    """Writes words and tensors to a safetensors file that says what it holds, in which format, and its checksum."""
    metadata = {f"hierq_{what}": FORMAT, **words, "seal": BLANK_SEAL}
    write_whole(path, sealed(save(tensors, metadata)))


def _plain_seed(seed: Seed) -> Any:
    if isinstance(seed, int):
        return seed
    entropy = seed.entropy
    plain = [int(word) for word in entropy] if isinstance(entropy, Sequence) else int(entropy or 0)
    return {"entropy": plain, "spawn_key": [int(key) for key in seed.spawn_key]}


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
        if os.path.getsize(path) <= QUICKLY_READ:
            check_whole(path)
        settings = json.loads(words["config"])
        if not isinstance(settings, dict):
            raise ValueError("config is no table of settings")
        config, place = AgentConfig.from_dict(settings), place_of(words)
        parts = {name: file.get_slice(name) for name in file.keys()}
        check_shapes({name: (str(p.get_dtype()), tuple(p.get_shape())) for name, p in parts.items()}, place, config)
        owner = make(place, config, _seed_of(json.loads(words["seed"])))
        if os.path.getsize(path) > QUICKLY_READ:  # by its shapes it may be refused without reading it
            check_whole(path)
        _fill(owner, {name: file.get_tensor(name) for name in file.keys()})
    if any(not is_finite(level) for level in owner._tables.levels):
        warn_of_divergence(owner.config)
    return owner


def holds_learner(path: str | os.PathLike[str]) -> bool:
    """Whether a file says that it holds a Learner; False where it cannot be read."""
    if not os.path.isfile(path):  # a pipe would be read for ever
        return False
    try:
        with safe_open(path, framework="numpy") as file:
            return "hierq_learner" in (file.metadata() or {})
    except (OSError, SafetensorError):
        return False


@contextlib.contextmanager
def saved_file(path: str | os.PathLike[str], what: str) -> Iterator[Any]:
    """Opens a safetensors file whose metadata say that it holds an agent, a learner or levels of this format.

    Whatever is wrong in the file, found here or in the block, is an InputError that names the file.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        kind = "a folder" if os.path.isdir(path) else "no regular file"
        raise InputError(f"{path} is {kind}, so it holds no saved {what}")
    try:
        with safe_open(path, framework="numpy") as file:
            _check_format(path, what, file.metadata() or {})
            try:
                yield file
            except (KeyError, IndexError, ValueError, TypeError, OverflowError, RecursionError) as error:
                problem = f"{error} is missing" if isinstance(error, KeyError) else error
                raise InputError(f"cannot load the {what} in {path}: {problem}") from None
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except SafetensorError as error:
        raise InputError(f"{path} is damaged or no saved {what} at all: {error}") from None


def _check_format(path: str | os.PathLike[str], what: str, words: dict[str, str]) -> None:
    """Refuses a file that holds something else, or that another version wrote."""
    version = words.get(f"hierq_{what}")
    if version is None and "hierq_learner" in words:
        raise InputError(f"{path} holds a learner; read it with hierq.Learner.load")
    if version is None:
        raise InputError(f"{path} is a safetensors file, but no {what} that hierq saved")
    if version != FORMAT:
        raise InputError(
            f"{path} was saved in format {version}; this hierq reads format {FORMAT}: load it with the hierq that "
            "saved it"
        )


def check_whole(path: str | os.PathLike[str]) -> None:
    """Refuses a file whose checksum is not that of its content."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if not has_seal(content):
            raise ValueError("it is damaged: its checksum is not that of its content; take an earlier copy")


def check_shapes(shapes: Shapes, world: Any, config: AgentConfig) -> None:
    """Refuses tensors that are not those of such an agent, before its tables are made or even measured."""

    def length(name: str) -> int:
        return next(iter(shapes[name][1]), 0) if name in shapes else 0

    if length("states_0") != world.states * world.actions:
        raise ValueError(f"its world has {world.states} states of {world.actions} moves, which its tables do not fit")
    layout, columns = layout_of(world, config), length("columns")
    wanted: Shapes = {"random": ("U64", (4,)), "columns": ("I64", (min(columns, layout.goals),))}
    for i in range(config.levels):
        rows = length(f"states_{i}")
        places = 1 if not config.is_conditioned(i) else layout.places(i) if layout.local else columns
        wanted |= {f"{name}_{i}": ("I32", (rows,)) for name in ("states", "actions")}
        wanted[f"rows_{i}"] = ("F64", (rows, places))
    counted = config.explorer.counts
    for name, (shape, kind) in count_shapes(layout).items():
        if name in counted:
            wanted[f"counts_{name}"] = _type_of_tensor(kind), shape
    for name, (shape, kind) in rival_shapes(layout).items():
        if not name.startswith("room"):
            wanted[f"rival_{name}"] = _type_of_tensor(kind), shape
    for name, size in wanted.items():
        if name not in shapes:
            raise ValueError(f"{name} is missing")
        if shapes[name] != size:
            raise ValueError("{} has type {} and shape {}, not {} and {}".format(name, *shapes[name], *size))
    if more := shapes.keys() - wanted.keys():
        raise ValueError(f"{', '.join(sorted(more))} are not part of a saved agent")


def _type_of_tensor(kind: Any) -> str:
    """The name of a type of numbers in safetensors files, such as I32."""
    return f"{np.dtype(kind).kind.upper()}{8 * np.dtype(kind).itemsize}"


def _fill(agent: "KernelSession", tensors: dict[str, Array]) -> None:
    if not tensors["random"].any():
        raise InputError("random is 0, from where random numbers never move")
    agent._random[:] = tensors["random"]
    _fill_columns(agent._tables.levels[0], tensors["columns"])
    for i in range(agent.config.levels):
        states, actions, rows = (tensors[f"{name}_{i}"] for name in ("states", "actions", "rows"))
        agent._tables = with_room(agent._tables, i, len(states))
        _fill_level(i, agent._tables.levels[i], states, actions, rows)
    for name in agent.config.explorer.counts:
        getattr(agent._counts, name)[:] = tensors[f"counts_{name}"]
    states, actions = agent._tables.levels[0].legal.shape
    check_counts(agent._counts, states)
    if agent._memory:
        fill_memory(agent._memory, tensors, states, actions)


def _fill_columns(level: Level, columns: Array) -> None:
    """Assigns columns to goals in the same order as in the saved agent."""
    fixed = np.flatnonzero(level.column >= 0)
    fixed = fixed[np.argsort(level.column[fixed])]  # some are given out at the start
    later = columns[len(fixed) :]
    if not np.array_equal(columns[: len(fixed)], fixed) or (len(later) and not level.conditioned):
        raise InputError("columns are not those of this agent")
    states = len(level.used)
    if len(np.unique(columns)) != len(columns) or ((later < 0) | (later >= states)).any():
        raise InputError("columns are not a list of different states")
    level.column[later] = np.arange(len(fixed), len(columns))
    level.columns_used[0] += len(later)


def _fill_level(i: int, level: Level, states: Array, actions: Array, rows: Array) -> None:
    """Assigns rows to states and actions in the same order as in the saved agent, and writes their values."""
    if ((states < 0) | (states >= len(level.used))).any():
        raise InputError(f"states_{i} are not all states")
    most = int(level.legal.max()) + 1 if i == 0 else len(level.used)
    if ((actions < 0) | (actions >= most)).any():
        raise InputError(f"actions_{i} are not all actions")
    if i == 0 and not np.array_equal(states * most + actions, np.arange(level.rows_used[0])):
        raise InputError("level 0 has other moves than N, S, W, E")
    for row, (state, action) in enumerate(zip(states.tolist(), actions.tolist(), strict=True)):
        if i > 0 and (state == action or not (level.learns_reach or is_legal(level, state, action))):
            raise InputError(f"actions_{i} are not all within reach")
        if row_for_writing(level, state, action) != row:
            raise InputError(f"actions_{i} name an action twice")
    for begin in range(0, len(states), ROWS_AT_A_TIME):
        part = slice(begin, begin + ROWS_AT_A_TIME)
        level.q[part, : rows.shape[1]][: len(rows[part])] = _entries(i, level, rows[part])
    level.q[: len(states), rows.shape[1] :] = level.start_value
    level.best[:, : rows.shape[1]] = LOST if level.q.dtype == RANK else np.nan  # to be found again when asked for
    level.stale[:] = 1


def _entries(i: int, level: Level, rows: Array) -> Array:
    """Values as the table holds them: as ranks, if that is what it has."""
    if level.q.dtype != RANK:
        return rows
    ranks = np.minimum(np.searchsorted(level.powers, rows), len(level.powers) - 1)
    if not np.array_equal(level.powers[ranks], rows):
        raise InputError(f"rows_{i} holds values that are not powers of the discount")
    return ranks
