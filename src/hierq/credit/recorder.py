"""Recorder: watches the reference learn about all goals, and writes down what happens to one of them."""

from typing import Any, NamedTuple

import numpy as np

from hierq.agents.estimators.backups import CUT_OFF, Backup
from hierq.agents.estimators.partitions import groups_back, trailing
from hierq.credit.record import BackupRecord, Hop, Kind, Role, Update
from hierq.reference import HopLevel, Level, Observer
from hierq.reference.level import Vector

NOT_GREEDY = "the action was not greedy here"
IS_GOAL = "this is the goal itself"
LOOP = "a loop starts at the goal"
FADED = "weight below cut-off"
BACK_AGAIN = "the hop led back to where it began"
OUT_OF_REACH = "the hop led farther than the level may ask for"
KEPT_VALUE = "the operator keeps the value of the state here"
BLOCKED = "the move was blocked; only level 0 learns from it"
OTHER_GOAL = "the top level learns about the environment's goal only"

NUDGE = 1e-6  # how much a return is changed to find out whether it passes through a hop


class NewestHop(NamedTuple):
    """The hop that was newest at some time: π(a | s, g), why it stops credit if it does, and the environment's step."""

    share: float
    stop: str
    step: int


class Recorder(Observer):
    """Writes down what each backup does to one goal.

    Attributes:
        tracked_goal: the goal.
        steps: the records of every step of the environment so far.
    """

    def __init__(self, tracked_goal: int, stands_for: dict[int, int]) -> None:
        """A recorder that has seen nothing.

        Args:
            tracked_goal: the goal.
            stands_for: how many goals a goal of a conditioned level stands for, where it is not 1.
        """
        self.tracked_goal, self._stands_for = tracked_goal, stands_for
        self.steps: list[tuple[BackupRecord, ...]] = []
        self._records: list[BackupRecord] = []  # of the step that is being learnt from
        self._newest: dict[int, list[NewestHop]] = {}  # of every level, at each time of its trace

    def begin(self, level: Level, n: int | None = None) -> None:
        """A backup begins; where the level does not learn about the goal, only the goals that change are counted."""
        self._level, self._n = level, n
        self._column = level.column.get(self.tracked_goal)
        self._hops: list[Hop] = []
        self._updates: list[Update] = []
        self._value: float | None = None
        self._delta: Vector | None = None
        self._changed = np.zeros(len(level.goals), np.bool_)

    def bootstrap(self, level: Level, s: int, v: Vector | None) -> None:
        """The return begins at a state; at the goal and in a hole nothing follows."""
        if self._column is not None and v is not None and not self._is_goal(s):
            self._value = self._of_goal(v)

    def step_back(self, level: Level, begin: int, end: int, arrived: Vector, G: Vector) -> None:
        """A hop of a backup: the return passes through it, or for some reason does not."""
        if self._column is not None:
            s, a = level.S[begin], level.A[end - 1]
            stop = None if self._passes(s, a, arrived) else self._stop(s, a, IS_GOAL)
            share = 0.0 if stop == IS_GOAL else self._of_goal(level.pi(s, a))
            self._add_hop(begin, end, stop, share, 1.0, self._of_goal(G))

    def target(self, level: Level, begin: int, end: int, G: Vector) -> None:
        """The hop that learns; a loop that starts at the goal earns nothing."""
        if self._column is not None:
            is_loop = level.conditioned and self._is_goal(level.S[end - 1])
            self._add_hop(begin, end, LOOP if is_loop else None, 0.0 if is_loop else 1.0, 1.0, self._of_goal(G))

    def error(self, level: Level, delta: Vector, pi: Vector) -> None:
        """The hops of a trace, newest first: how far the error of this step travels, and what stops it."""
        self._delta = delta
        if self._column is None:
            return
        t, h, fade = len(level.A) - 1, level.h, (level.config.backup.decay or 0.0) * level.config.discount
        stop = self._stop(level.S[trailing(t, h)[0]], level.A[t], LOOP)
        newest = self._newest.setdefault(level.index, [])
        newest.append(NewestHop(self._of_goal(pi), stop, len(self.steps) + 1))
        weight, stopped = 1.0, None
        for time in (t, *groups_back(t, h)):
            hop = newest[time]
            passes = stopped is None and hop.share > 0
            reason = stopped or (None if passes else hop.stop)
            self._add_hop(trailing(time, h)[0], time + 1, reason, hop.share, weight, None)
            weight = weight * (fade * hop.share) if passes else 0.0
            if stopped is None and not passes:
                stopped = f"trace cut at step {hop.step}"
            elif stopped is None and weight <= CUT_OFF:
                weight, stopped = 0.0, FADED

    def write(self, level: Level, j: int, a: int, old: Vector, new: Vector, z: Vector | None) -> None:
        """An entry was written; a trace that brings nothing is left out."""
        self._changed |= old != new
        if self._column is None or (z is not None and not self._of_goal(z * (self._delta != 0)) > 0):
            return
        learning = self._hops[-1 if self._delta is None else 0]
        role: Role = "trace" if z is not None else "target" if j == learning.begin else "trailing"
        weight = 1.0 if z is None else self._of_goal(z)
        self._updates.append(Update(level.S[j], a, self._of_goal(old), self._of_goal(new), weight, role, j))

    def end(self, level: Level, G: Vector) -> None:
        """The backup is done."""
        changed = sum(self._stands_for.get(int(g), 1) for g in level.goals[self._changed])
        if self._column is None:
            self._records.append(self._record(level, self._n, skipped_reason=OTHER_GOAL, goals_changed=changed))
            return
        self._records.append(
            self._record(
                level,
                self._n,
                hops=tuple(self._hops),
                bootstrap_state=level.S[-1],
                bootstrap_value=self._value,
                returned=self._of_goal(G),
                error=None if self._delta is None else self._of_goal(self._delta),
                updates=tuple(self._updates),
                goals_changed=changed,
            )
        )

    def learnt(self, levels: list[Level]) -> None:
        """A step is over; that a level did not learn from it is written down as well."""
        learners = {record.level for record in self._records}
        for level in levels:
            if level.index not in learners:
                n, h, moves = level.config.backup.depth, level.h, len(level.A)
                reason = f"the trace is too short: {n} hops of {h} need {h * (n - 1) + 1} moves, not {moves}"
                is_blocked = level.index > 0 and levels[0].S[-1] == levels[0].S[-2]
                is_tree = isinstance(level.config.backup, Backup)
                skipped = self._record(level, n if is_tree else None, skipped_reason=BLOCKED if is_blocked else reason)
                self._records.append(skipped)
        self.steps.append(tuple(sorted(self._records, key=lambda record: record.level)))
        self._records = []

    def _record(self, level: Level, n: int | None, **details: Any) -> BackupRecord:
        backup = level.config.backup
        kind: Kind = "tree" if isinstance(backup, Backup) else "trace"
        return BackupRecord(level.index, len(self.steps), kind, n, backup.decay, **details)

    def _passes(self, s: int, a: int, arrived: Vector) -> bool:
        """Whether the return passes through a hop: whether another return would have brought something else."""
        level = self._level
        if not isinstance(level, HopLevel) or self._is_goal(s) or not level.is_action(s, a):
            return False
        q, v, y, pi = (self._of_goal(numbers) for numbers in (level.q(s, a), level.V(s), arrived, level.pi(s, a)))
        passed = [level.gate.call(q=q, v=v, y=y + more, pi=pi, mu=1.0, decay=level.decay) for more in (0.0, NUDGE)]
        return bool(passed[0] != passed[1])

    def _stop(self, s: int, a: int, at_goal: str) -> str:
        """Why credit does not pass through an action that starts at a state; `at_goal` if that is the goal."""
        level = self._level
        if self._is_goal(s):
            return at_goal
        if not level.is_action(s, a):
            return BACK_AGAIN if s == a else OUT_OF_REACH
        return KEPT_VALUE if isinstance(level, HopLevel) and "pi" not in level.gate.arguments else NOT_GREEDY

    def _is_goal(self, s: int) -> bool:
        return bool(self._level.is_at(s)[self._column])

    def _of_goal(self, numbers: Vector) -> float:
        assert self._column is not None
        return float(numbers[self._column])

    def _add_hop(
        self, begin: int, end: int, reason: str | None, share: float, weight: float, returned: float | None
    ) -> None:
        S, a = self._level.S, self._level.A[end - 1]
        skipped, passes = tuple(S[begin + 1 : end]), reason is None
        self._hops.append(Hop(begin, end, S[begin], S[end], a, skipped, passes, reason, share, weight, returned))
