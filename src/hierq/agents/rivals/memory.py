"""The memory of a rival beside its table: arrays that live as long as the agent, and are saved with it."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.agents.rivals.rule import Rule
from hierq.errors import InputError
from hierq.tables import aligned
from hierq.tables.ranks import RANK
from hierq.tables.ring_buffer import ring_length

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]

NONE = -1  # no state, no row
BUFFERED = 100_000  # steps that a buffer holds


class Model(NamedTuple):
    """Where every move led. The row of a pair (s, a) in the table is its number here."""

    successor: Ints  # [rows]: the state that it led to, or NONE
    first_into: Ints  # [states]: a row that leads there, or NONE
    next_into: Ints  # [rows]: another row that leads to the same state, or NONE
    edges: Ints  # [rows]: the rows that were tried, in the order in which they first were
    size: Longs  # [1]: how many


class Queue(NamedTuple):
    """Rows with priorities, as a tree: entry i is the larger of the entries 2i and 2i + 1, and entry 1 the largest."""

    priority: Floats  # [2 P]: that of a row at P + row, P a power of two; 0 for a row that is not queued


class Buffer(NamedTuple):
    """Steps of all episodes, the last ones: a ring, in which step i stands at i modulo its length."""

    states: Ints
    actions: Ints
    successors: Ints
    episodes: Longs  # the number of each step's episode
    last: Longs  # of each episode, at its number modulo the length: the last step so far
    total: Longs  # [2]: steps, and episodes


class Room(NamedTuple):
    """Scratch arrays, which hold nothing from one episode to the next and are not saved."""

    marks: Ints  # [places]
    goals: Ints  # [places]
    before: npt.NDArray[RANK]  # [places]
    changed: Ints  # [states]
    stamps: Longs  # [rows], for rules that go back along a trace


class Memory(NamedTuple):
    """The whole memory; arrays that a rival does not ask for have one entry."""

    model: Model
    queue: Queue
    buffer: Buffer
    room: Room
    work: Longs  # [1]: rows that were written or compared with their targets


PARTS: dict[str, Any] = {"model": Model, "queue": Queue, "buffer": Buffer, "room": Room}


def memory_shapes(rule: Rule, states: int, rows: int, places: int) -> aligned.Shapes:
    """Shape and type of every array, by the name of its part and its own."""
    of_states, of_rows = (states, rows) if "model" in rule.arguments else (1, 1)
    held = BUFFERED if "buffer" in rule.arguments else 1
    return {
        **dict.fromkeys(("model_successor", "model_next_into", "model_edges"), ((of_rows,), np.int32)),
        "model_first_into": ((of_states,), np.int32),
        "model_size": ((1,), np.int64),
        "queue_priority": ((2 * ring_length(rows) if "queue" in rule.arguments else 2,), np.float64),
        **dict.fromkeys(("buffer_states", "buffer_actions", "buffer_successors"), ((held,), np.int32)),
        **dict.fromkeys(("buffer_episodes", "buffer_last"), ((held,), np.int64)),
        "buffer_total": ((2,), np.int64),
        **dict.fromkeys(("room_marks", "room_goals"), ((places,), np.int32)),
        "room_before": ((places,), RANK),
        "room_changed": ((states,), np.int32),
        "room_stamps": ((rows if "trace" in rule.arguments else 1,), np.int64),
        "work": ((1,), np.int64),
    }


def make_memory(shapes: aligned.Shapes) -> Memory:
    """The memory of a rival that has seen nothing yet."""
    arrays = aligned.arrays(shapes)
    parts = {part: kind(*(arrays[f"{part}_{each}"] for each in kind._fields)) for part, kind in PARTS.items()}
    memory = Memory(**parts, work=arrays["work"])
    _clear_model(memory.model)
    return memory


def arrays_of(memory: Memory) -> dict[str, Array]:
    """All arrays, by name."""
    found: dict[str, Array] = {"work": memory.work}
    for part in PARTS:
        found |= {f"{part}_{each}": array for each, array in getattr(memory, part)._asdict().items()}
    return found


def _clear_model(model: Model) -> None:
    model.edges[:], model.size[:] = 0, 0
    for array in (model.successor, model.first_into, model.next_into):
        array[:] = NONE


def add_edge(model: Model, row: int, successor: int) -> None:
    """Notes which state a pair led to that was never tried before."""
    model.successor[row] = successor
    model.next_into[row] = model.first_into[successor]
    model.first_into[successor] = row
    model.edges[model.size[0]] = row
    model.size[0] += 1


def saved_memory(memory: Memory) -> dict[str, Array]:
    """The arrays that a file has: all but the room to work in."""
    return {f"rival_{name}": array for name, array in arrays_of(memory).items() if not name.startswith("room")}


def check_memory(memory: Memory, states: int, actions: int) -> None:
    """Refuses what no rival can remember."""
    model, priority, buffer = memory.model, memory.queue.priority, memory.buffer
    rows = model.edges[: model.size[0]].copy()
    check_range("rival_model_edges", rows, len(model.edges))
    successors = model.successor[rows]
    check_range("rival_model_successor", successors, states)
    if len(np.unique(rows)) != len(rows):
        raise InputError("rival_model_edges are not different moves")
    given: list[Array] = [array.copy() for array in model]
    _clear_model(model)
    for row, successor in zip(rows, successors, strict=True):
        add_edge(model, row, successor)
    for name, array in zip(Model._fields, given, strict=True):
        if not np.array_equal(array, getattr(model, name)):
            raise InputError(f"rival_model_{name} does not follow from rival_model_edges")
    for name, most in (("states", states), ("actions", actions), ("successors", states)):
        check_range(f"rival_buffer_{name}", getattr(buffer, name), most)
    is_tree = np.array_equal(priority[1 : len(priority) // 2], np.maximum(priority[2::2], priority[3::2]))
    queued = np.flatnonzero(priority[len(priority) // 2 :])
    if not is_tree or not np.isfinite(priority).all() or not np.isin(queued, rows).all():
        raise InputError("rival_queue_priority is no queue of moves that were tried")
    if min(priority.min(), buffer.total.min(), memory.work.min()) < 0:
        raise InputError("rival_queue_priority, rival_buffer_total or rival_work are below 0")


def check_range(name: str, numbers: Array, most: int) -> None:
    """Refuses numbers that are not all between 0 and most − 1."""
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() < most:
        raise InputError(f"{name} are not all between 0 and {most - 1}")
