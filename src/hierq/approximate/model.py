"""Features and weights: `Tiles` generalise between neighbours, `OneHot` is a table; and both as kernels see them.

A value is the mean of the weights of the tiles that its arguments fall into, one tile in each tiling:

    level 0            Q_0(s, a, g)      tiles of (s, g), for every action a
    above, joint       Q_i(s, c, g)      tiles of (s, c, g), c the sub-goal: the paper's form
    above, after       U_i(c, g)         tiles of (c, g): hindsight makes Q_i(s, c, g) the same for all s within reach

All weights lie in one array. Where there are more tiles than MAX_WEIGHTS, a level has a hash table: a fixed hash says
where the search for a tile's weight begins, and tiles that were never written to have the initial weight.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.agents.kernel_config import KernelConfig
from hierq.checks import whole_number
from hierq.errors import InputError
from hierq.tables.ties import is_tied
from hierq.worlds.points import RADIUS, Endings, Floats, Longs, PointWorld, cell_number

MAX_WEIGHTS = 2**23  # of a level
MAX_PROBES = 32  # of a search in a hash table; if it fails, the table is as good as full, and tiles share a weight
MAX_TILINGS = 64
SPEED_TILES = 5
STATE, SUBGOAL, GOAL = 0, 1, 2  # the roles of a point: each has tilings of its own


@dataclass(frozen=True)
class Tiles:
    """Tile coding: `tilings` grids of tiles as large as cells, shifted against each other (Sutton & Barto, 9.5.4)."""

    tilings: int = 4

    def __post_init__(self) -> None:
        object.__setattr__(self, "tilings", whole_number("tilings", self.tilings, MAX_TILINGS))

    def geometry(self, points: PointWorld) -> dict[str, Any]:
        """Its tiles on a map, as `Model` has them. Each role of a point has shifts of its own."""
        rows, columns = (2 + side for side in points.world.shape)
        odd = np.array([[1, 3], [5, 7], [9, 11]])
        shift = odd * np.arange(self.tilings)[:, None, None] / self.tilings % 1
        sizes = {"columns": columns, "places": rows * columns, "speeds": SPEED_TILES if points.velocity else 1}
        return {"as_table": False, "tilings": self.tilings, "shift": shift, **sizes}


@dataclass(frozen=True)
class OneHot:
    """One weight for every cell: a table. Levels then learn what an agent with universal_top does."""

    def geometry(self, points: PointWorld) -> dict[str, Any]:
        """The cells of a map, as `Model` has them."""
        sizes = {"columns": points.world.shape[1], "places": points.world.states, "speeds": 1}
        return {"as_table": True, "tilings": 1, "shift": np.zeros((1, 3, 2)), **sizes}


Features = Tiles | OneHot


def weights_of(geometry: dict[str, Any], levels: int, is_after: bool, actions: int) -> tuple[list[int], list[bool]]:
    """How many weights each level has, and whether it is a hash table.

    Raises:
        InputError: a table would be too large.
    """
    places = geometry["places"]
    states = places * geometry["speeds"] ** 2
    above = places * places if is_after else states * places * places
    counts = [geometry["tilings"] * pairs for pairs in (actions * states * places, *[above] * (levels - 1))]
    if geometry["as_table"] and max(counts) > MAX_WEIGHTS:
        raise InputError(
            f"a table for {places:,} cells would have {max(counts):,} weights at a level, more than {MAX_WEIGHTS:,}; "
            'take Tiles, form="after" or a smaller map'
        )
    return [min(count, MAX_WEIGHTS) for count in counts], [count > MAX_WEIGHTS for count in counts]


class Model(NamedTuple):
    """Approximate levels for the kernels; k levels, T tilings, K candidates for sub-goals."""

    config: KernelConfig
    goal_reward: float
    hop_length: Longs  # [k] steps of a hop
    horizon: Longs  # [k] actions before a level returns
    start_value: Floats  # [k]
    is_after: bool  # form of the levels above 0
    reach_is_learnt: bool  # else the candidates are given: those of a table
    as_table: bool  # features tell cells apart and nothing else, as tables do
    actions: int
    tilings: int
    columns: int  # tiles in a row of the map
    places: int  # tiles of a tiling that cover the map
    speeds: int  # tiles of a tiling that cover speeds along one axis; 1 without velocity
    shift: Floats  # [T, 3, 2] by how much a tiling is shifted along rows and columns, by role
    weights: Floats
    offset: Longs  # [k + 1] where the weights of a level begin
    is_hashed: npt.NDArray[np.bool_]  # [k]
    keys: Longs  # which tile each weight belongs to, plus 1, and 0 for none; empty if no level is hashed
    candidates: Floats  # [k, cells, K, 2] sub-goals to choose from
    candidate_tiles: Longs  # [k, cells, K, T]
    offered: Longs  # [k, cells] how many sub-goals were seen within reach; the first candidates, K at most, are in use
    within: Endings  # [k, cells, cells] whether a cell was ever reached from another within a hop
    state_at: Longs
    ending: Endings
    opened: Longs  # [k, 2] gates that were open, and all
    values: Floats  # [max(K, actions)] room for the values of all actions
    tiles: Longs  # [3, T] room for the tiles of a state, a sub-goal and a goal


def find_tiles(model: Model, role: int, point: Floats, tiles: Longs) -> None:
    """Writes the number of the tile of a point in each tiling to `tiles`; speeds count for states only."""
    if model.as_table:
        tiles[0] = cell_number(point[0], point[1], model.state_at)
        return
    for k in range(model.tilings):
        i = math.floor(point[0] + 0.5 + model.shift[k, role, 0])
        j = math.floor(point[1] + 0.5 + model.shift[k, role, 1])
        tiles[k] = i * model.columns + j
        if role == STATE and model.speeds > 1:
            for axis in range(2, 4):  # tiles of speeds are half a cell wide; speeds beyond ±1 share the outermost
                place = math.floor(2.0 * (point[axis] + 1.0) + k / model.tilings)
                tiles[k] = tiles[k] * model.speeds + max(0, min(model.speeds - 1, place))


@np.errstate(over="ignore")  # 64-bit words wrap, as they are meant to
def slot(model: Model, level: int, key: int) -> int:
    """Where the weight of a tile stands, by the number of the tile within its level."""
    begin = int(model.offset[level])
    if not model.is_hashed[level]:
        return begin + key
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    home = int(mixed & np.uint64(MAX_WEIGHTS - 1))
    at = begin
    for probe in range(MAX_PROBES):
        at = begin + ((home + probe) & (MAX_WEIGHTS - 1))
        if model.keys[at] == key + 1 or model.keys[at] == 0:
            break
    return at


def key_of(model: Model, level: int, k: int, state: int, action: int, goal: int) -> int:
    """The number of a tile: of (s, a, g) at level 0; above of (s, c, g), or of (c, g), with `action` the tile of c."""
    states = model.places * model.speeds * model.speeds
    if level == 0:
        return ((k * model.actions + action) * states + state) * model.places + goal
    if not model.is_after:
        k = k * states + state
    return (k * model.places + action) * model.places + goal


def action_value(model: Model, level: int, state: Longs, action: int, subgoal: Longs, goal: Longs) -> float:
    """Q_0(s, a, g), Q_i(s, c, g) or U_i(c, g) by the tiles of s, c and g; `subgoal` counts above level 0 only."""
    total = 0.0
    for k in range(model.tilings):
        a = action if level == 0 else subgoal[k]
        total += model.weights[slot(model, level, key_of(model, level, k, state[k], a, goal[k]))]
    return total / model.tilings


def find_values(model: Model, level: int, cell: int, state: Longs, goal: Longs) -> int:
    """Writes the value of every action of a level to `model.values`; returns how many there are."""
    count = model.actions if level == 0 else min(int(model.offered[level, cell]), model.candidates.shape[2])
    for a in range(count):
        subgoal = state if level == 0 else model.candidate_tiles[level, cell, a]
        model.values[a] = action_value(model, level, state, a, subgoal, goal)
    return count


def best_value(model: Model, count: int) -> float:
    """The highest of the `count` values in `model.values`."""
    best = -math.inf
    for each in range(count):
        best = max(best, model.values[each])
    return best


def state_value(model: Model, level: int, count: int) -> float:
    """V(s, g) of the target policy, from the `count` values in `model.values`; the start value if there are none."""
    if count == 0:
        return float(model.start_value[level])
    best = best_value(model, count)
    epsilon = model.config.softness
    mean = 0.0
    for each in range(count if epsilon > 0 else 0):
        mean += model.values[each] / count
    return epsilon * mean + (1 - epsilon) * best


def target_share(model: Model, q: float, v: float, count: int) -> float:
    """π of a hop of value q: for the greedy policy 1 if q = v, else 0; tied actions share 1 − ε of a soft policy."""
    epsilon = model.config.softness
    if epsilon == 0:
        return 1.0 if q == v else 0.0
    best = best_value(model, count)
    ties = 0
    for each in range(count):
        ties += is_tied(best, model.values[each], 0.0)
    share = 1.0 / ties if is_tied(best, q, 0.0) else 0.0
    return epsilon / count + (1 - epsilon) * share


def is_near(model: Model, row: float, column: float, goal: Floats) -> bool:
    """Whether a goal is reached at a point: in a table by being in its cell."""
    if model.as_table:
        return cell_number(row, column, model.state_at) == cell_number(goal[0], goal[1], model.state_at)
    return bool((row - goal[0]) ** 2 + (column - goal[1]) ** 2 <= RADIUS * RADIUS)


def write_value(model: Model, level: int, state: Longs, action: int, subgoal: Longs, goal: Longs, G: float) -> None:
    """Q ← (1 − α) Q + α G: every tile moves by α (G − Q); in a table it is exactly the line of the paper."""
    alpha = model.config.step_size
    q = action_value(model, level, state, action, subgoal, goal)
    for k in range(model.tilings):
        a = action if level == 0 else subgoal[k]
        key = key_of(model, level, k, state[k], a, goal[k])
        at = slot(model, level, key)
        if model.is_hashed[level] and model.keys[at] == 0:
            model.keys[at] = key + 1
        model.weights[at] = (1 - alpha) * q + alpha * G if model.tilings == 1 else model.weights[at] + alpha * (G - q)
