"""Compact binary frames for the page: numbers as the machine holds them, little endian.

Every frame begins with eight bytes: u8 kind, u8 agent, u8 flags, u8 level, u32 id of the message it answers (or 0).
All arrays of four-byte numbers begin at a multiple of four, so that the page can lay typed arrays over a frame.

    1 CURVE    u32 first, u32 count; u32 evaluated[count]
    2 EPISODE  u32 steps; u32 states[steps + 1], u8 actions[steps]; flag REACHED
    3 VIEW     u32 goal, u32 states; f32 values[states], i32 policy[states]
    4 MANY     u32 seeds done, u32 seeds planned, u32 iterations, u32 0; f32 mean[iterations], f32 low[iterations],
               f32 high[iterations]; flag FINISHED

The decoders are in `page/frames.js`; both are tested against the same bytes, `tests/lab/frames.json`.
"""

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from hierq.agents.recorded_episode import RecordedEpisode

CURVE, EPISODE, VIEW, MANY = 1, 2, 3, 4
REACHED = 1
FINISHED = 1

Numbers = Sequence[float] | npt.NDArray[Any]


def curve_frame(agent: int, first: int, evaluated: Numbers, answers: int = 0) -> bytes:
    """Steps of the evaluation episodes from iteration `first` on."""
    return _frame(CURVE, agent, ("<u4", (first, len(evaluated))), ("<u4", evaluated), answers=answers)


def episode_frame(agent: int, episode: "RecordedEpisode", answers: int = 0) -> bytes:
    """The path of one episode."""
    arrays = ("<u4", (episode.steps,)), ("<u4", episode.states), ("<u1", episode.actions)
    return _frame(EPISODE, agent, *arrays, flags=REACHED * episode.reached, answers=answers)


def view_frame(agent: int, level: int, goal: int, values: Numbers, policy: Numbers, answers: int = 0) -> bytes:
    """The values and greedy actions of a level for the goal in every state."""
    arrays = ("<u4", (goal, len(values))), ("<f4", values), ("<i4", policy)
    return _frame(VIEW, agent, *arrays, level=level, answers=answers)


def many_frame(agent: int, done: int, planned: int, band: Sequence[Numbers], finished: bool, answers: int = 0) -> bytes:
    """Mean evaluation steps per iteration over the seeds done so far, and the band of the mean: mean, low, high."""
    sizes = "<u4", (done, planned, len(band[0]), 0)
    return _frame(MANY, agent, sizes, *(("<f4", each) for each in band), flags=FINISHED * finished, answers=answers)


def _frame(
    kind: int, agent: int, *arrays: tuple[str, Numbers], flags: int = 0, level: int = 0, answers: int = 0
) -> bytes:
    """The header of every frame, and the arrays of its kind, each with its type."""
    parts = [np.ascontiguousarray(numbers, dtype=dtype).tobytes() for dtype, numbers in arrays]
    return b"".join((struct.pack("<BBBBI", kind, agent, flags, level, answers), *parts))
