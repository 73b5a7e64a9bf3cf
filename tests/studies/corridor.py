"""An environment without a table, for studies that step it."""

from typing import Any

import gymnasium
from gymnasium import spaces


class Corridor(gymnasium.Env[int, int]):
    """Eleven cells in a row; the right end is the goal."""

    observation_space = spaces.Discrete(11)
    action_space = spaces.Discrete(2)

    def __init__(self, paid: float = 1.0, breaks_at: int | None = None) -> None:
        self.paid, self.breaks_at = paid, breaks_at

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self.cell = int(self.np_random.integers(0, 3))
        return self.cell, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        self.cell = min(10, max(0, self.cell + (1 if action else -1)))
        if self.cell == self.breaks_at:
            raise RuntimeError("the floor gave way")
        is_over = self.cell == 10
        return self.cell, self.paid * is_over, is_over, False, {}


def make_corridor(paid: float = 1.0) -> gymnasium.Env[int, int]:
    return gymnasium.wrappers.TimeLimit(Corridor(paid), 200)


def make_broken() -> gymnasium.Env[int, int]:
    return Corridor(breaks_at=9)
