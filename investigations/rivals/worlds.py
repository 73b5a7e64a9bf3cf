"""Worlds that the paper does not have, for the comparison of rivals.

corridor-60         a straight path: how fast does credit travel
frozen-lake-8x8     holes end an episode without reward; Gymnasium's, slippery or not
taxi                Gymnasium's: 500 states without coordinates
maze-101            a braided maze of 101 × 101 cells
"""

from gymnasium.envs.toy_text.frozen_lake import FrozenLakeEnv
from gymnasium.envs.toy_text.taxi import TaxiEnv

from hierq import World, make_world, maze

CORRIDOR = 60  # steps


def corridor(steps: int) -> World:
    """A corridor with the goal at its end."""
    return World.from_text("S" + "." * (steps - 1) + "G\n", name=f"corridor-{steps}")


def frozen_lake(slippery: bool) -> World:
    """Gymnasium's frozen lake of 8 × 8 cells."""
    name = "frozen-lake-8x8" + ("-slippery" if slippery else "")
    return World.from_gymnasium(FrozenLakeEnv(map_name="8x8", is_slippery=slippery), name=name)


def taxi() -> World:
    """Gymnasium's taxi."""
    return World.from_gymnasium(TaxiEnv(), name="taxi")


def large_maze() -> World:
    """The braided maze of docs/scale.md."""
    return maze(101, 101, seed=1, loops=1.0)


def without_chance() -> tuple[World, ...]:
    """Those that all methods can learn."""
    return corridor(CORRIDOR), frozen_lake(False), taxi()


def slippery_world(name: str, slip: float) -> World:
    """A world of the paper in which moves go sideways with some probability."""
    return World.from_text(f"slip: {slip:g}\n{make_world(name).text}", name=f"{name}-slip-{slip:g}")


def slippery() -> tuple[World, ...]:
    """Those that leave something to chance."""
    maps = tuple(slippery_world(name, slip) for name in ("rooms-4", "maze-10") for slip in (0.1, 0.3))
    return *maps, frozen_lake(True)
