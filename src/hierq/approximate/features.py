"""Features: which weights a point has a share in. `Tiles` generalises between neighbours, `OneHot` is a table."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from hierq.approximate.model import MAX_WEIGHTS
from hierq.checks import number_between, whole_number
from hierq.errors import InputError
from hierq.worlds.points import PointWorld

MAX_TILINGS = 64
MAX_TABLE = 2**26  # weights of a level of a table
SPEED_TILES = 5


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

    def geometry(self, points: PointWorld) -> dict[str, Any]:
        """Its tiles on a map, as `Model` has them. Each role of a point has shifts of its own."""
        rows, columns = (2 + math.ceil(side / self.width) for side in points.world.shape)
        odd = np.array([[1, 3], [5, 7], [9, 11]])
        shift = self.width * (odd * np.arange(self.tilings)[:, None, None] / self.tilings % 1)
        sizes = {"columns": columns, "places": rows * columns, "speeds": SPEED_TILES if points.velocity else 1}
        return {"as_table": False, "tilings": self.tilings, "width": self.width, "shift": shift, **sizes}


@dataclass(frozen=True)
class OneHot:
    """One weight for every cell: a table. With it levels learn what `hierq.Agent` learns."""

    def geometry(self, points: PointWorld) -> dict[str, Any]:
        """The cells of a map, as `Model` has them."""
        sizes = {"columns": points.world.shape[1], "places": points.world.states, "speeds": 1}
        return {"as_table": True, "tilings": 1, "width": 1.0, "shift": np.zeros((1, 3, 2)), **sizes}


Features = Tiles | OneHot


def weights_of(geometry: dict[str, Any], levels: int, is_after: bool, actions: int) -> tuple[list[int], list[bool]]:
    """How many weights each level has, and whether it is a hash table.

    Raises:
        InputError: a table would be too large.
    """
    places, is_table = geometry["places"], geometry["as_table"]
    states = places * geometry["speeds"] ** 2
    above = places * places if is_after else states * places * places
    counts = [geometry["tilings"] * pairs for pairs in (actions * states * places, *[above] * (levels - 1))]
    if is_table and max(counts) > MAX_TABLE:
        raise InputError(
            f"a table for {places:,} cells would have {max(counts):,} weights at a level, more than {MAX_TABLE:,}; "
            'take Tiles, form="after" or a smaller map'
        )
    is_hashed = [not is_table and count > MAX_WEIGHTS for count in counts]
    return [min(count, MAX_TABLE if is_table else MAX_WEIGHTS) for count in counts], is_hashed
