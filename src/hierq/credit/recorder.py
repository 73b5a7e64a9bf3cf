"""Recorder: watches the reference learn about all goals and writes down what happens to one of them."""

from typing import NamedTuple

import numpy as np

from hierq.agents.estimators.backups import CUT_OFF, Backup
from hierq.agents.estimators.partitions import groups_back, trailing
from hierq.credit.record import BackupRecord, Hop, Kind, Role, Update
from hierq.reference import HopLevel, Level, Observer
from hierq.reference.level import Vector

NOT_GREEDY = "the action was not greedy here"
AT_GOAL = "this is the goal itself"
LOOP = "a loop starts at the goal"
FADED = "weight below cut-off"
BACK_AGAIN = "the hop led back to where it began"
OUT_OF_REACH = "the hop led farther than the level may ask for"
KEPT_VALUE = "the operator keeps the value of the state here"
BLOCKED = "the move was blocked; only level 0 learns from it"
OTHER_GOAL = "the top level learns about the environment's goal only"

NUDGE = 1e-6  # how much a return is changed to find out whether it passes through a hop


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
        self.tracked_goal = tracked_goal
        self.steps: list[tuple[BackupRecord, ...]] = []
        self._stands_for = stands_for
        self._records: list[BackupRecord] = []  # of the step that is being learnt from
        self._newest: dict[int, list[_NewestHop]] = {}  # what traces saw, by level and time on its trace

    def begin(self, level: Level, n: int | None = None) -> None:
        """A backup begins."""
        self._n, self._delta, self._value = n, np.zeros(0), None
        self._hops: list[Hop] = []
        self._updates: list[Update] = []
        self._changed = np.zeros(len(level.goals), np.bool_)

    def bootstrap(self, level: Level, s: int, v: Vector | None) -> None:
        """The return begins at a state; at the goal and in a hole nothing follows."""
        self._value = None if v is None or self._is_at(level, s) else self._one(level, v)

    def step_back(self, level: Level, begin: int, end: int, arrived: Vector, G: Vector) -> None:
        """A hop of a backup: the return passes through it, or for some reason does not."""
        if self.tracked_goal in level.column:
            s, a = level.S[begin], level.A[end - 1]
            reason = None if self._passes(level, s, a, arrived) else self._stop(level, s, a, AT_GOAL)
            share = 0.0 if reason == AT_GOAL else self._at(level, level.pi(s, a))
            self._add_hop(level, begin, end, reason, share, 1.0, self._at(level, G))

    def target(self, level: Level, begin: int, end: int, G: Vector) -> None:
        """The hop that learns; a loop that starts at the goal earns nothing."""
        if self.tracked_goal in level.column:
            is_loop = level.conditioned and self._is_at(level, level.S[end - 1])
            reason, share = (LOOP, 0.0) if is_loop else (None, 1.0)
            self._add_hop(level, begin, end, reason, share, 1.0, self._at(level, G))

    def error(self, level: Level, delta: Vector, pi: Vector) -> None:
        """The hops of a trace, newest first: how far the error of this step travels, and what stops it."""
        self._delta = delta
        if self.tracked_goal not in level.column:
            return
        t, h, fade = len(level.A) - 1, level.h, (level.config.backup.decay or 0.0) * level.config.discount
        stop = self._stop(level, level.S[trailing(t, h)[0]], level.A[t], LOOP)
        newest = self._newest.setdefault(level.index, [])
        newest.append(_NewestHop(self._at(level, pi), stop, len(self.steps) + 1))
        weight, stopped = 1.0, None
        for time in (t, *groups_back(t, h)):
            hop = newest[time]
            passes = stopped is None and hop.share > 0
            reason = stopped or (None if passes else hop.stop)
            self._add_hop(level, trailing(time, h)[0], time + 1, reason, hop.share, weight, None)
            weight = weight * (fade * hop.share) if passes else 0.0
            if stopped is None and not passes:
                stopped = f"trace cut at step {hop.step}"
            elif stopped is None and weight <= CUT_OFF:
                weight, stopped = 0.0, FADED

    def write(self, level: Level, j: int, a: int, old: Vector, new: Vector, z: Vector | None) -> None:
        """An entry was written; a trace that brings nothing is left out."""
        self._changed |= old != new
        if self.tracked_goal not in level.column:
            return
        weight, role = 1.0, _role(self._hops[-1 if len(self._delta) == 0 else 0], j)
        if z is not None:
            weight, role = self._at(level, z * (self._delta != 0)), "trace"
        if weight > 0:
            self._updates.append(Update(level.S[j], a, self._at(level, old), self._at(level, new), weight, role, j))

    def end(self, level: Level, G: Vector) -> None:
        """The record of a backup that was done."""
        is_tracked = self.tracked_goal in level.column
        counts = [self._stands_for.get(int(g), 1) for g in level.goals[self._changed]]
        self._records.append(
            BackupRecord(
                level=level.index,
                time=len(self.steps),
                kind=_kind(level),
                n=self._n,
                decay=level.config.backup.decay,
                hops=tuple(self._hops),
                bootstrap_state=level.S[-1] if is_tracked else None,
                bootstrap_value=self._value,
                returned=self._one(level, G),
                error=self._one(level, self._delta) if len(self._delta) else None,
                updates=tuple(self._updates),
                goals_changed=sum(counts),
                skipped_reason=None if is_tracked else OTHER_GOAL,
            )
        )

    def learnt(self, levels: list[Level]) -> None:
        """A step is over: where a level did not learn from it, that is written down as well."""
        is_blocked, records = levels[0].S[-1] == levels[0].S[-2], list[BackupRecord]()
        for level in levels:
            done = [record for record in self._records if record.level == level.index]
            if not done:
                backup, h, moves = level.config.backup, level.h, len(level.A)
                n = backup.depth if isinstance(backup, Backup) else None
                need = h * (backup.depth - 1) + 1
                reason = f"the trace is too short: {n} hops of {h} need {need} moves, not {moves}"
                reason = BLOCKED if is_blocked and level.index > 0 else reason
                done = [
                    BackupRecord(level.index, len(self.steps), _kind(level), n, backup.decay, skipped_reason=reason)
                ]
            records += done
        self.steps.append(tuple(records))
        self._records = []

    def _passes(self, level: Level, s: int, a: int, arrived: Vector) -> bool:
        """Whether the return passes through a hop: whether another return would have brought something else."""
        if self._is_at(level, s) or not level.is_action(s, a) or not isinstance(level, HopLevel):
            return False
        q, v, y, pi = (self._at(level, of) for of in (level.q(s, a), level.V(s), arrived, level.pi(s, a)))
        passed = [level.gate.call(q=q, v=v, y=y + more, pi=pi, decay=level.decay) for more in (0.0, NUDGE)]
        return bool(passed[0] != passed[1])

    def _stop(self, level: Level, s: int, a: int, at_goal: str) -> str:
        """Why credit does not pass through an action that starts at a state; `at_goal` if that is the goal."""
        if self._is_at(level, s):
            return at_goal
        if not level.is_action(s, a):
            return BACK_AGAIN if s == a else OUT_OF_REACH
        return KEPT_VALUE if isinstance(level, HopLevel) and "pi" not in level.gate.arguments else NOT_GREEDY

    def _is_at(self, level: Level, s: int) -> bool:
        """Whether a state is the goal."""
        return self.tracked_goal in level.column and bool(level.is_at(s)[level.column[self.tracked_goal]])

    def _at(self, level: Level, numbers: Vector) -> float:
        """The number of the goal, at a level that learns about it."""
        return float(numbers[level.column[self.tracked_goal]])

    def _one(self, level: Level, numbers: Vector) -> float | None:
        """The number of the goal, or None."""
        return self._at(level, numbers) if self.tracked_goal in level.column else None

    def _add_hop(
        self, level: Level, begin: int, end: int, reason: str | None, share: float, weight: float, G: float | None
    ) -> None:
        self._hops.append(
            Hop(
                begin=begin,
                end=end,
                begin_state=level.S[begin],
                end_state=level.S[end],
                action=level.A[end - 1],
                skipped=tuple(level.S[begin + 1 : end]),
                continued=reason is None,
                reason=reason,
                share=share,
                weight=weight,
                returned=G,
            )
        )


class _NewestHop(NamedTuple):
    """The hop that was newest at some time: π(a | s, g), why it stops credit if it does, and the environment's step."""

    share: float
    stop: str
    step: int


def _kind(level: Level) -> Kind:
    return "tree" if isinstance(level.config.backup, Backup) else "trace"


def _role(learning: Hop, j: int) -> Role:
    return "target" if j == learning.begin else "trailing"
