"""The memory of a rival beside its table: arrays that live as long as the agent, and are saved with it."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.agents.rivals.rule import Rule
from hierq.errors import InputError
from hierq.tables import aligned
from hierq.tables.ranks import RANK

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]

NONE = -1  # no state, no row
BUFFERED = 100_000  # steps that a buffer holds
WRITTEN, COMPARED = 0, 1  # places in `work`


class Model(NamedTuple):
    """Where every move led. The row of a pair (s, a) in the table is its number here."""

    successor: Ints  # [rows]: the state that it led to, or NONE
    first_into: Ints  # [states]: a row that leads there, or NONE
    next_into: Ints  # [rows]: another row that leads to the same state, or NONE
    edges: Ints  # [rows]: the rows that were tried, in the order in which they first were
    size: Longs  # [1]: how many


class Queue(NamedTuple):
    """Rows with priorities, as a heap: the highest first."""

    heap: Ints  # [rows]
    place: Ints  # [rows]: where in the heap a row is, or NONE
    priority: Floats  # [rows]
    length: Longs  # [1]


class Buffer(NamedTuple):
    """Steps of all episodes, the last ones: a ring, in which step i stands at i modulo its length."""

    states: Ints
    actions: Ints
    successors: Ints
    episodes: Longs  # the number of each step's episode
    last: Longs  # of each episode, at its number modulo the length: the last step so far
    total: Longs  # [2]: steps, and episodes


class Room(NamedTuple):
    """Room to work in. What is written there is kept within an episode, and not longer."""

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
    work: Longs  # [2]: rows that were written, and rows that were only compared with their targets


def memory_shapes(rule: Rule, states: int, rows: int, places: int) -> dict[str, dict[str, tuple[int, Any]]]:
    """Length and type of every array, by its name in the parts of `Memory`."""
    model, queue, buffer = (name in rule.arguments for name in ("model", "queue", "buffer"))
    held = BUFFERED if buffer else 1
    of_rows, heaped = (rows if model else 1), (rows if queue else 1)
    return {
        "model": {
            **dict.fromkeys(("successor", "next_into", "edges"), (of_rows, np.int32)),
            "first_into": (states if model else 1, np.int32),
            "size": (1, np.int64),
        },
        "queue": {
            **dict.fromkeys(("heap", "place"), (heaped, np.int32)),
            "priority": (heaped, np.float64),
            "length": (1, np.int64),
        },
        "buffer": {
            **dict.fromkeys(("states", "actions", "successors"), (held, np.int32)),
            **dict.fromkeys(("episodes", "last"), (held, np.int64)),
            "total": (2, np.int64),
        },
        "room": {
            **dict.fromkeys(("marks", "goals"), (places, np.int32)),
            "before": (places, RANK),
            "changed": (states, np.int32),
            "stamps": (rows if "trace" in rule.arguments else 1, np.int64),
        },
    }


def memory_bytes(rule: Rule, states: int, rows: int, places: int) -> int:
    """Bytes of all arrays."""
    shapes = memory_shapes(rule, states, rows, places).values()
    return sum(length * np.dtype(kind).itemsize for arrays in shapes for length, kind in arrays.values())


def make_memory(rule: Rule, states: int, rows: int, places: int) -> Memory:
    """The memory of a rival that has seen nothing yet."""
    kinds: dict[str, Any] = {"model": Model, "queue": Queue, "buffer": Buffer, "room": Room}
    parts = {
        name: kinds[name](**{each: aligned.zeros(length, kind) for each, (length, kind) in arrays.items()})
        for name, arrays in memory_shapes(rule, states, rows, places).items()
    }
    memory = Memory(**parts, work=aligned.zeros(2, np.int64))
    clear_memory(memory)
    return memory


def arrays_of(memory: Memory) -> dict[str, Array]:
    """All arrays, by name."""
    found: dict[str, Array] = {"work": memory.work}
    for name in ("model", "queue", "buffer", "room"):
        found |= {f"{name}_{each}": array for each, array in getattr(memory, name)._asdict().items()}
    return found


def clear_memory(memory: Memory) -> None:
    """Makes the memory empty."""
    for array in arrays_of(memory).values():
        array[:] = 0
    for array in (memory.model.successor, memory.model.first_into, memory.model.next_into, memory.queue.place):
        array[:] = NONE


def add_edge(model: Model, row: int, successor: int) -> None:
    """Notes where a new pair led."""
    model.successor[row] = successor
    model.next_into[row] = model.first_into[successor]
    model.first_into[successor] = row
    model.edges[model.size[0]] = row
    model.size[0] += 1


def saved_memory(memory: Memory) -> dict[str, Array]:
    """The arrays that a file needs; all others follow from them."""
    model, queue, buffer = memory.model, memory.queue, memory.buffer
    edges, queued = model.edges[: model.size[0]], queue.heap[: queue.length[0]]
    steps = int(buffer.total[0])
    slots = np.arange(max(0, steps - len(buffer.states)), steps) % len(buffer.states)
    return {
        "rival_work": memory.work,
        "rival_edges": edges.copy(),
        "rival_led_to": model.successor[edges],
        "rival_queue": queued.copy(),
        "rival_priorities": queue.priority[queued],
        **{f"rival_{name}": getattr(buffer, name)[slots] for name in ("states", "actions", "successors", "episodes")},
    }


def saved_shapes(shapes: dict[str, tuple[str, tuple[int, ...]]]) -> dict[str, tuple[str, tuple[int, ...]]]:
    """The types and shapes that the arrays of a file must have."""

    def length(name: str) -> int:
        return next(iter(shapes[name][1]), 0) if name in shapes else 0

    edges, queued, steps = length("rival_edges"), length("rival_queue"), length("rival_states")
    return {
        "rival_work": ("I64", (2,)),
        "rival_edges": ("I32", (edges,)),
        "rival_led_to": ("I32", (edges,)),
        "rival_queue": ("I32", (queued,)),
        "rival_priorities": ("F64", (queued,)),
        **{f"rival_{name}": ("I32", (steps,)) for name in ("states", "actions", "successors")},
        "rival_episodes": ("I64", (steps,)),
    }


def fill_memory(memory: Memory, saved: dict[str, Array], states: int, actions: int) -> None:
    """Fills the memory of a rival from the arrays of a file; refuses what no rival can remember."""
    clear_memory(memory)
    model, queue, buffer = memory.model, memory.queue, memory.buffer
    edges, led_to, queued = (saved[f"rival_{name}"] for name in ("edges", "led_to", "queue"))
    steps = [saved[f"rival_{name}"] for name in ("states", "actions", "successors", "episodes")]
    for name, rows, room in (("edges", edges, len(model.edges)), ("queue", queued, len(queue.heap))):
        if len(rows) > room or len(np.unique(rows)) != len(rows):
            raise InputError(f"rival_{name} are not different moves of this world")
        _check_range(f"rival_{name}", rows, states * actions)
    _check_range("rival_led_to", led_to, states)
    for name, numbers, most in zip(("states", "actions", "successors"), steps, (states, actions, states), strict=False):
        _check_range(f"rival_{name}", numbers, most)
    count, episodes = len(steps[0]), steps[3] - (steps[3][0] if len(steps[3]) else 0)
    if count > len(buffer.states) or not np.isin(np.diff(episodes), (0, 1)).all():
        raise InputError("rival_episodes are not those of steps one after the other")
    if not np.isfinite(saved["rival_priorities"]).all() or (saved["rival_work"] < 0).any():
        raise InputError("rival_priorities or rival_work are no numbers that there can be")
    for row, successor in zip(edges, led_to, strict=True):
        add_edge(model, row, successor)
    queue.heap[: len(queued)], queue.place[queued] = queued, np.arange(len(queued))
    queue.priority[queued], queue.length[0] = saved["rival_priorities"], len(queued)
    for array, numbers in zip((buffer.states, buffer.actions, buffer.successors), steps, strict=False):
        array[:count] = numbers
    buffer.episodes[:count], buffer.last[episodes] = episodes, np.arange(count)  # the last of each counts
    buffer.total[:] = count, episodes[-1] + 1 if count else 0
    memory.work[:] = saved["rival_work"]


def _check_range(name: str, numbers: Array, most: int) -> None:
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() < most:
        raise InputError(f"{name} are not all between 0 and {most - 1}")
