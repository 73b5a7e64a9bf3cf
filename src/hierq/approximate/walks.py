"""Walks of points, as data that levels learn from."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hierq.agents.outcomes import RecordedEpisode
from hierq.agents.random_numbers import seed_words
from hierq.approximate.acting import Ground, walk_at_random
from hierq.checks import whole_number
from hierq.errors import InputError
from hierq.worlds.points import Floats, Longs, PointWorld

MAX_STEPS = 100_000_000


@dataclass(frozen=True)
class Walk:
    """A walk of T moves.

    Attributes:
        points: array [T + 1, 2 or 4], where the point was.
        actions: array [T], the moves it made.
        arrived: whether it reached its goal; random walks have none.
    """

    points: Floats
    actions: Longs
    arrived: bool = False

    def __len__(self) -> int:
        """Number of moves."""
        return len(self.actions)


def ground_of(points: PointWorld) -> Ground:
    """A point world as kernels read it."""
    moves, slip = points.moves, float(points.world.slip)
    return Ground(moves, float(points.noise), slip, points.state_at, points.leads, points.middles)


def random_walks(points: PointWorld, walks: int, length: int = 100, seed: int = 0) -> list[Walk]:
    """Walks with random moves, each from a point drawn uniformly; the same seed gives the same walks.

    Args:
        points: where they walk.
        walks: how many.
        length: moves of each; in a hole a walk ends.
        seed: of the random numbers.
    """
    if not isinstance(points, PointWorld):
        raise InputError(f"random walks need a PointWorld, such as PointWorld('maze-10'), not {points!r:.60}")
    count, moves = whole_number("walks", walks), whole_number("length", length)
    if count * moves > MAX_STEPS:
        raise InputError(f"{count:,} walks of {moves:,} moves are more than {MAX_STEPS:,} moves; take fewer")
    sequence = np.random.SeedSequence(whole_number("seed", seed, 2**63 - 1, least=0))
    words, ground, found = np.zeros(4, np.uint64), ground_of(points), []
    seed_words(words, sequence)
    for start in points.free_points(count, np.random.default_rng(sequence)):
        path, actions = np.zeros((moves + 1, points.dimensions)), np.zeros(moves, np.int64)
        path[0, :2] = start
        steps = walk_at_random(ground, points.world.ending, path, actions, words)
        found.append(Walk(path[: steps + 1], actions[:steps]))
    return found


def checked_walks(points: PointWorld, walks: Any) -> list[Walk]:
    """Walks as levels take them; episodes that agents recorded become walks over the middles of cells.

    Raises:
        InputError: something is no walk, or does not belong to this world.
    """
    given = [walks] if isinstance(walks, Walk | RecordedEpisode) else walks
    if not isinstance(given, Iterable):
        raise InputError(f"levels learn from walks, as random_walks makes them, not from {walks!r:.60}")
    found = []
    for number, each in enumerate(given):
        if isinstance(each, RecordedEpisode):
            each = Walk(points.middles[each.states], np.asarray(each.actions, np.int64))
        if not isinstance(each, Walk):
            raise InputError(f"walk {number} is a {type(each).__name__}; make a Walk(points, actions) of it")
        path = points.checked(each.points, f"the points of walk {number}")
        actions = np.asarray(each.actions)
        has_shapes = path.shape == (len(actions) + 1, points.dimensions) and actions.shape == (len(path) - 1,)
        if not has_shapes or not np.isin(actions, np.arange(points.directions)).all():
            raise InputError(
                f"walk {number} must have points [T + 1, {points.dimensions}] and actions [T], whole numbers from 0 to "
                f"{points.directions - 1}; it has points of shape {path.shape} and actions {actions!r:.60}"
            )
        points.cells_of(path)
        found.append(Walk(path, actions.astype(np.int64)))
    if not found:
        raise InputError("there are no walks to learn from; make some with random_walks")
    return found
