"""A World as the kernels read it: the outcomes of moves, the starts of episodes, and their endings."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.agents.random_numbers import Words, uniform
from hierq.tables.level import Floats, Longs
from hierq.worlds.layout import AT_GOAL as AT_GOAL
from hierq.worlds.layout import GOES_ON as GOES_ON
from hierq.worlds.layout import IN_HOLE as IN_HOLE

if TYPE_CHECKING:
    from hierq.worlds import World


class WorldArrays(NamedTuple):
    """A World as arrays of numbers."""

    outcomes: Longs  # [states, actions, most]: where an action may lead
    up_to: Floats  # [states, actions, most]: the chance of this outcome or one before it
    positions: Longs  # [cells, 2]
    cell_at: Longs  # [rows, columns]
    starts: Longs
    starts_up_to: Floats  # as for outcomes
    goals: Longs
    goal: int  # the environment's goal; where there are several, the number that stands for any of them
    ending: npt.NDArray[np.uint8]  # [states]: GOES_ON, AT_GOAL or IN_HOLE

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Copies are read-only, too."""
        return _copied, tuple(self)


def world_arrays(world: "World") -> WorldArrays:
    """The arrays of a world."""
    return read_only_arrays(
        WorldArrays(
            outcomes=world.outcomes,
            up_to=np.cumsum(world.chances, axis=2) if world.is_random else np.ones((1, 1, 1)),
            positions=world.positions,
            cell_at=world.cell_at,
            starts=world.starts,
            starts_up_to=np.cumsum(world.start_chances),
            goals=world.goals,
            goal=world.goal,
            ending=world.ending,
        )
    )


def with_goal(arrays: WorldArrays, goal: int) -> WorldArrays:
    """The same world with another state as its only goal."""
    ending = np.where(arrays.ending == AT_GOAL, GOES_ON, arrays.ending).astype(arrays.ending.dtype)
    ending[goal] = AT_GOAL
    return arrays._replace(goals=read_only(np.array([goal])), goal=goal, ending=read_only(ending))


def read_only_arrays(arrays: WorldArrays) -> WorldArrays:
    """The same with all arrays read-only and row by row: for any others kernels would be compiled once more."""
    return WorldArrays(*map(read_only, arrays))


def read_only(part: Any) -> Any:
    """A view of an array that cannot be written to; anything else as it is."""
    if not isinstance(part, np.ndarray):
        return part
    view = np.ascontiguousarray(part).view()
    view.setflags(write=False)
    return view


def _copied(*parts: Any) -> WorldArrays:
    return read_only_arrays(WorldArrays(*parts))


def draw_start(world: WorldArrays, rng: Words) -> int:
    """Draws the state in which an episode starts; with one start, no random number is drawn."""
    low, high = np.int64(0), np.int64(len(world.starts) - 1)
    if high > 0:  # the first start up to which the chances sum to more than the dice, or the last
        dice = uniform(rng)
        while low < high:
            middle = (low + high) >> 1
            if dice >= world.starts_up_to[middle]:
                low = middle + 1
            else:
                high = middle
    return int(world.starts[low])


def draw_successor(world: WorldArrays, state: int, action: int, rng: Words) -> int:
    """Draws the state that a move leads to; in a deterministic world, no random number is drawn."""
    chosen = 0
    last = world.outcomes.shape[2] - 1
    if last > 0:
        dice = uniform(rng)
        while chosen < last and dice >= world.up_to[state, action, chosen]:
            chosen += 1
    return int(world.outcomes[state, action, chosen])


def distance(world: WorldArrays, a: int, b: int) -> int:
    """L1 distance of two cells."""
    p = world.positions
    return int(abs(p[a, 0] - p[b, 0]) + abs(p[a, 1] - p[b, 1]))
