"""Compact binary frames for the page: numbers as the machine holds them, little endian.

Every frame begins with eight bytes: u8 kind, u8 agent, u8 flags, u8 level, u32 id of the message it answers (or 0).
All arrays of four-byte numbers begin at a multiple of four, so that the page can lay typed arrays over a frame.

    1 CURVE    u32 first, u32 count; u32 trained[count], u32 evaluated[count]
    2 EPISODE  u32 steps, u32 levels; u32 states[steps + 1], u32 goals[steps × levels] row by row, u8 actions[steps],
               u8 actors[steps]; flags REACHED, EVALUATION
    3 VIEW     i32 goal, i32 at, u32 states; f32 values[states], i32 policy[states]
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
    from hierq.agents import RecordedEpisode

CURVE, EPISODE, VIEW, MANY = 1, 2, 3, 4
REACHED, EVALUATION = 1, 2
FINISHED = 1
NOW = -1  # `at` of a view of the tables as they are now

Numbers = Sequence[float] | npt.NDArray[Any]


def curve_frame(agent: int, first: int, trained: Numbers, evaluated: Numbers, answers: int = 0) -> bytes:
    """Steps of training and evaluation episodes, from iteration `first` on."""
    arrays = ("<u4", (first, len(trained))), ("<u4", trained), ("<u4", evaluated)
    return _frame(CURVE, agent, *arrays, answers=answers)


def episode_frame(agent: int, episode: "RecordedEpisode", evaluation: bool, answers: int = 0) -> bytes:
    """What happened in one episode."""
    sizes = "<u4", (episode.steps, episode.goals.shape[1])
    arrays = ("<u4", episode.states), ("<u4", episode.goals), ("<u1", episode.actions), ("<u1", episode.actors)
    flags = REACHED * episode.reached + EVALUATION * evaluation
    return _frame(EPISODE, agent, sizes, *arrays, flags=flags, answers=answers)


def view_frame(agent: int, level: int, goal: int, at: int, values: Numbers, policy: Numbers, answers: int = 0) -> bytes:
    """The values and greedy actions of a level for one goal in every state, after `at` steps or NOW."""
    arrays = ("<i4", (goal, at, len(values))), ("<f4", values), ("<i4", policy)
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
