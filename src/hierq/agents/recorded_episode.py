"""RecordedEpisode: what happened in one episode, step by step."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hierq.worlds.world import ACTION_NAMES

Longs = npt.NDArray[np.int64]
SHOWN_LETTERS = 60  # of the moves, in a repr


@dataclass(frozen=True, repr=False)
class RecordedEpisode:
    """What happened in one episode, step by step.

    Attributes:
        states: S_0 … S_T, as state numbers of the world.
        actions: A_0 … A_{T−1}, as 0 … 3 for N, S, W, E.
        goals: array [T, levels]: the cell each level was sent to when a step was taken, level 0 first.
        actors: array [T]: the highest level that chose before a step was taken; it and all levels below chose anew.
        reached: whether the episode ended at the environment's goal.
        forgotten: the number of steps at the beginning of a very long episode that are no longer known; the arrays
            begin after them.
        names: what the actions are called.
    """

    states: Longs
    actions: Longs
    goals: Longs
    actors: Longs
    reached: bool
    forgotten: int = 0
    names: tuple[str, ...] = tuple(ACTION_NAMES)

    def __repr__(self) -> str:
        levels = self.goals.shape[1] if self.goals.ndim == 2 else 1
        end = "reached the goal" if self.reached else "did not reach the goal"
        some = self.letters if len(self.letters) <= SHOWN_LETTERS else f"{self.letters[:SHOWN_LETTERS]}…"
        return f"<RecordedEpisode: {self.steps:,} steps, {levels} levels, {end}: {some}>"

    @property
    def steps(self) -> int:
        """Number of environment steps T."""
        return self.forgotten + len(self.actions)

    @property
    def letters(self) -> str:
        """The actions as a string of N, S, W and E, as `Agent.replay` takes it; longer names with commas between."""
        between = "," if any(len(name) > 1 for name in self.names) else ""
        return between.join(self.names[action] for action in self.actions)
