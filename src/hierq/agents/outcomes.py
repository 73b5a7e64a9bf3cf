"""What is known of episodes that are over: their steps and outcomes, and of the latest one every step."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from hierq.errors import InputError
from hierq.worlds.layout import AT_GOAL
from hierq.worlds.world import ACTION_NAMES

Longs = npt.NDArray[np.int64]
OUTCOMES = ("limit", "goal", "hole")  # in the order of GOES_ON, AT_GOAL and IN_HOLE
UNKNOWN_OUTCOME = "unknown"
SHOWN_LETTERS = 60  # of the moves, in a repr
_WORDS = np.array([*OUTCOMES, UNKNOWN_OUTCOME])


class Episodes(np.ndarray[Any, np.dtype[np.int64]]):
    """The steps of some episodes: an array of whole numbers that also knows how each of them ended.

        steps = agent.evaluate(40)
        steps.mean()
        steps.outcomes              # "goal", "hole", or "limit" where an episode was given up at the step limit
        steps[steps.reached]        # the steps of those that reached the goal

    A slice knows the outcomes of its episodes. Whatever else NumPy makes of it is a plain array, or one whose outcomes
    are unknown. It is read-only, so that steps and outcomes stay together.
    """

    _endings: Longs | None

    def __new__(cls, steps: npt.ArrayLike, endings: npt.ArrayLike | None = None) -> Self:
        """Puts steps and endings together.

        Args:
            steps: of each episode.
            endings: GOES_ON, AT_GOAL or IN_HOLE for each, as the world has it for the last state; left out, those that
                `steps` know if they are Episodes, else unknown.
        """
        known = getattr(steps, "_endings", None) if endings is None else np.asarray(endings)
        return np.array(steps, np.int64).view(cls)._know(known)

    @classmethod
    def joined(cls, parts: Iterable["Episodes"]) -> Self:
        """Several one after the other."""
        every = list(parts)
        known = [part._endings for part in every if part._endings is not None]
        nothing = np.zeros(0, np.int64)
        endings = np.concatenate([nothing, *known]) if len(known) == len(every) else None
        return cls(np.concatenate([nothing, *(np.asarray(part) for part in every)]), endings)

    @property
    def are_known(self) -> bool:
        """Whether it is known how the episodes ended."""
        return self._endings is not None

    @property
    def outcomes(self) -> npt.NDArray[np.str_]:
        """How each episode ended, one of OUTCOMES; "unknown" where NumPy has made something else of the steps."""
        return _WORDS[np.full(self.shape, len(OUTCOMES)) if self._endings is None else self._endings]

    @property
    def reached(self) -> npt.NDArray[np.bool_]:
        """Which episodes ended at the goal.

        Raises:
            InputError: it is not known.
        """
        if self._endings is None:
            raise InputError(
                "it is not known how these episodes ended; ask what train or evaluate returned, or a part of that"
            )
        return np.equal(self._endings, AT_GOAL)

    def _know(self, endings: Longs | None) -> Self:
        self._endings = endings
        self.setflags(write=False)
        return self

    def __array_finalize__(self, source: Any) -> None:
        self._endings = None

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else np.asarray(array)

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        return part._know(None if self._endings is None else self._endings[key]) if isinstance(part, Episodes) else part

    def __reduce__(self) -> Any:
        return Episodes, (np.asarray(self), self._endings)


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


class FinishedEpisode(NamedTuple):
    """A finished episode, as callbacks get it."""

    number: int  # counted from 1, for each kind by itself
    kind: str  # "training" or "evaluation"
    steps: int
    outcome: str  # one of OUTCOMES, or "unknown"


OnEpisode: TypeAlias = Callable[[FinishedEpisode], object]


def finished_episode(number: int, kind: str, steps: Episodes) -> FinishedEpisode:
    """What callbacks get for a single episode."""
    return FinishedEpisode(number, kind, int(steps[0]), str(steps.outcomes[0]))


def check_callback(on_episode: object) -> None:
    """Refuses what cannot be called, before the first episode."""
    if on_episode is not None and not callable(on_episode):
        raise InputError(f"on_episode is a function that is called after every episode, not {on_episode!r}")


def run_with_callback(
    run: Callable[[int, int], tuple[Episodes, Episodes]], train: int, evaluate: int, on_episode: OnEpisode | None
) -> tuple[Episodes, Episodes]:
    """Runs training and evaluation episodes in turn; if there is a callback, one at a time, and calls it after each.

    The agent is then ready for the next episode, so that `on_episode` may use it and raise any exception.
    """
    check_callback(on_episode)
    if on_episode is None:
        return run(train, evaluate)
    trained, evaluated = list[Episodes](), list[Episodes]()
    for number in range(1, 1 + max(train, evaluate)):
        if number <= train:
            trained.append(run(1, 0)[0])
            on_episode(finished_episode(number, "training", trained[-1]))
        if number <= evaluate:
            evaluated.append(run(0, 1)[1])
            on_episode(finished_episode(number, "evaluation", evaluated[-1]))
    return Episodes.joined(trained), Episodes.joined(evaluated)
