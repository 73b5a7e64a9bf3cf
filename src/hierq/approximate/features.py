"""Features: which weights a point has a share in. `Tiles` generalises between neighbours, `OneHot` is a table."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hierq.approximate.model import MAX_WEIGHTS
from hierq.checks import number_between, whole_number
from hierq.errors import InputError
from hierq.worlds.points import Floats, PointWorld

MAX_TILINGS = 64
MAX_TABLE = 2**26  # weights of a level of a table
SPEED_TILES = 5


class Geometry(NamedTuple):
    """The tiles of a map, as `Model` has them."""

    as_table: bool
    tilings: int
    width: float
    columns: int
    places: int
    speeds: int
    shift: Floats


@dataclass(frozen=True)
class Tiles:
    """Tile coding: `tilings` grids of square tiles over the map, shifted against each other (Sutton & Barto, 9.5.4).

    Attributes:
        tilings: how many.
        width: the side of a tile, in cells.
    """

    tilings: int = 4
    width: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "tilings", whole_number("tilings", self.tilings, MAX_TILINGS))
        object.__setattr__(self, "width", number_between("the width of tiles", self.width, 0.1, 100))

    def geometry(self, points: PointWorld) -> Geometry:
        """Its tiles on a map. Each role of a point, as state, sub-goal or goal, has shifts of its own."""
        rows, columns = (2 + math.ceil(side / self.width) for side in points.world.shape)
        odd = np.array([[1, 3], [5, 7], [9, 11]])
        shift = self.width * (odd * np.arange(self.tilings)[:, None, None] / self.tilings % 1)
        speeds = SPEED_TILES if points.velocity else 1
        return Geometry(False, self.tilings, self.width, columns, rows * columns, speeds, shift)


@dataclass(frozen=True)
class OneHot:
    """One weight for every cell: a table. With it levels learn what `hierq.Agent` learns."""

    def geometry(self, points: PointWorld) -> Geometry:
        """The cells of a map; one more stands for any of several goals."""
        places = points.world.states + (len(points.world.goals) > 1)
        return Geometry(True, 1, 1.0, points.world.shape[1], places, 1, np.zeros((1, 3, 2)))


Features = Tiles | OneHot


def features_from_plain(plain: dict[str, Any]) -> Features:
    """Features from a file."""
    return OneHot() if plain == {} else Tiles(**plain)


def weights_of(geometry: Geometry, levels: int, is_after: bool, actions: int) -> list[tuple[int, bool]]:
    """How many weights each level has, and whether a hash folds them.

    Raises:
        InputError: a table would be too large.
    """
    states, places, found = geometry.places * geometry.speeds**2, geometry.places, []
    for level in range(levels):
        pairs = actions * states * places
        if level > 0:
            pairs = places * places if is_after else states * places * places
        count = geometry.tilings * pairs
        if geometry.as_table and count > MAX_TABLE:
            raise InputError(
                f"a table for {places:,} cells would have {count:,} weights at level {level}, more than {MAX_TABLE:,}; "
                'take Tiles, form="after" or a smaller map'
            )
        is_hashed = not geometry.as_table and count > MAX_WEIGHTS
        found.append((MAX_WEIGHTS if is_hashed else count, is_hashed))
    return found
