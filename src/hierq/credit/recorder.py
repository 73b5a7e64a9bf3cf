"""Recorder: watches the reference learn about all goals, and records what happens to one of them."""

import dataclasses
from typing import Any, NamedTuple

import numpy as np

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
KEPT_VALUE = "the operator keeps what the table says here"
NOT_BEST = "another hop brought more"
ASIDE = "what counts does not come this way"
BLOCKED = "the move was blocked; only level 0 learns from it"
OTHER_GOAL = "the top level learns about the environment's goal only"
WAITS = "nothing is learnt before the episode is over"
NO_MOVES = "every move was blocked; only level 0 learns from that"

NUDGE = 1e-6  # by how much a return is changed to see whether it passes through a hop


class NewestHop(NamedTuple):
    """The hop that was newest at some time: π(a | s, g), why it stops credit if it does, and the environment's step."""

    share: float
    stop: str
    step: int


class Recorder(Observer):
    """Records what each backup does for one goal.

    Attributes:
        tracked_goal: the goal.
        steps: the records of every step of the environment so far.
    """

    def __init__(self, tracked_goal: int, stands_for: dict[int, int], most_hops: int | None = None) -> None:
        """A recorder that has seen nothing.

        Args:
            tracked_goal: the goal.
            stands_for: how many goals a goal of a conditioned level stands for, where it is not 1.
            most_hops: how many hops of all paths are recorded per backup, those with the largest weights; None for all.
        """
        self.tracked_goal, self._stands_for, self._most_hops = tracked_goal, stands_for, most_hops
        self.steps: list[tuple[BackupRecord, ...]] = []
        self._records: list[BackupRecord] = []  # of the step that is being learnt from
        self._newest: dict[int, list[NewestHop]] = {}  # of every level, at each time of its trace

    def begin(self, level: Level, n: int | None = None) -> None:
        """A backup begins; where the level does not learn about the goal, only the goals that change are counted."""
        self._level, self._n = level, n
        self._column = level.column.get(self.tracked_goal)
        self._hops: list[Hop] = []
        self._left_out = 0
        self._updates: list[Update] = []
        self._source = -1
        self._value: float | None = None
        self._delta: Vector | None = None
        self._changed = np.zeros(len(level.goals), np.bool_)

    def bootstrap(self, level: Level, s: int, v: Vector | None) -> None:
        """The return begins at a state; at the goal and in a hole nothing follows."""
        self._source = s
        if self._column is not None and v is not None and not self._is_goal(s):
            self._value = self._of_goal(v)

    def step_back(
        self, level: Level, begin: int, end: int, arrived: Vector, G: Vector, part: Vector | None = None
    ) -> None:
        """A hop of a backup: the return passes through it, or for some reason does not."""
        if self._column is not None:
            share = 0.0 if self._is_goal(level.S[begin]) else self._of_goal(level.pi(level.S[begin], level.A[end - 1]))
            weight = 1.0 if part is None else self._of_goal(part)
            stop: str | None = NOT_BEST
            if weight > 0:
                stop = None if self._passes(begin, end, arrived, share) else self._stop(begin, end, IS_GOAL, share)
            self._add_hop(begin, end, stop, share, weight, self._of_goal(G))

    def target(self, level: Level, begin: int, end: int, G: Vector) -> None:
        """The hop that learns; a loop that starts at the goal earns nothing."""
        if self._column is not None:
            if isinstance(level, HopLevel) and level.setting.joins:
                self._weigh(end, takes_best=level.setting.joins == "max")
            is_loop = level.conditioned and self._is_goal(level.S[end - 1])
            self._add_hop(begin, end, LOOP if is_loop else None, 0.0 if is_loop else 1.0, 1.0, self._of_goal(G))

    def _weigh(self, first: int, takes_best: bool) -> None:
        """Turns what each hop counts at the state where it begins into what it counts in the return of S_first.

        From there on, oldest first: what comes to a state goes on through the hops that begin there. Of hops that are
        equally good the longest is taken, so that what counts is one path.
        """
        arrives, decided, order = {first: 1.0}, set[int](), list[tuple[bool, float, int]]()
        for place in reversed(range(len(self._hops))):  # at each state the longest hop first
            hop = self._hops[place]
            weight = 0.0 if hop.begin in decided else arrives.get(hop.begin, 0.0) * hop.weight
            if takes_best and hop.weight > 0:
                decided.add(hop.begin)
            reason = ASIDE if hop.begin not in arrives else NOT_BEST if weight == 0 else hop.reason
            if reason is None:
                arrives[hop.end] = arrives.get(hop.end, 0.0) + weight
            self._hops[place] = dataclasses.replace(hop, continued=reason is None, reason=reason, weight=weight)
            order.append((hop.begin in arrives, weight, place))
        if self._most_hops is not None:
            kept = {place for *_, place in sorted(order, key=lambda each: (-each[1], not each[0]))[: self._most_hops]}
            self._left_out = len(self._hops) - len(kept)
            self._hops = [hop for place, hop in enumerate(self._hops) if place in kept]

    def error(self, level: Level, delta: Vector, pi: Vector) -> None:
        """The hops of a trace, newest first: how far the error of this step travels, and what stops it."""
        self._delta = delta
        if self._column is None:
            return
        t, h, fade = len(level.A) - 1, level.h, (level.config.backup.decay or 0.0) * level.config.discount
        stop = self._stop(trailing(t, h)[0], t + 1, LOOP, self._of_goal(pi))
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
            elif stopped is None and weight <= level.config.least_eligibility:
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
                bootstrap_state=self._source,
                bootstrap_value=self._value,
                returned=self._of_goal(G),
                error=None if self._delta is None else self._of_goal(self._delta),
                updates=tuple(self._updates),
                goals_changed=changed,
                left_out=self._left_out,
            )
        )

    def learnt(self, levels: list[Level]) -> None:
        """A step is over; that a level did not learn from it is recorded, too."""
        is_blocked = levels[0].S[-1] == levels[0].S[-2]
        for level in self._without_record(levels):
            n, h, moves = level.config.backup.depth, level.h, len(level.A)
            reason = f"the trace is too short: {n} hops of {h} need {h * (n - 1) + 1} moves, not {moves}"
            waits = level.config.backup.is_backward
            self._skip(level, WAITS if waits else BLOCKED if is_blocked and level.index > 0 else reason)
        self.steps.append(self._sorted_records())
        self._records = []

    def over(self, levels: list[Level]) -> None:
        """The episode is over: what the levels have now learnt replaces the note that they were waiting."""
        if levels[0].config.backup.is_backward and self.steps:
            self.steps.pop()
            for level in self._without_record(levels):
                self._skip(level, NO_MOVES)
            t = len(self.steps)
            self.steps.append(tuple(dataclasses.replace(record, time=t) for record in self._sorted_records()))
            self._records = []

    def _without_record(self, levels: list[Level]) -> list[Level]:
        learners = {record.level for record in self._records}
        return [level for level in levels if level.index not in learners]

    def _sorted_records(self) -> tuple[BackupRecord, ...]:
        return tuple(sorted(self._records, key=lambda record: record.level))

    def _skip(self, level: Level, reason: str) -> None:
        n = level.config.backup.depth if isinstance(level, HopLevel) else None
        self._records.append(self._record(level, n, skipped_reason=reason))

    def _record(self, level: Level, n: int | None, **details: Any) -> BackupRecord:
        backup = level.config.backup
        kind: Kind = "trace" if backup.has_traces else "tree"
        return BackupRecord(level.index, len(self.steps), kind, n, backup.decay, **details)

    def _passes(self, begin: int, end: int, arrived: Vector, share: float) -> bool:
        """Whether the return passes through a hop, that is, whether another return would have changed the result."""
        level, s, a = self._level, self._level.S[begin], self._level.A[end - 1]
        if not isinstance(level, HopLevel) or self._is_goal(s) or not level.takes_part(begin, end):
            return False
        q, v, y = (self._of_goal(numbers) for numbers in (level.q(s, a), level.V(s), arrived))
        known = {"q": q, "v": v, "pi": share, "mu": level.mu[begin], "decay": level.decay}
        passed = [level.operator.call(y=y + more, **known) for more in (0.0, NUDGE)]
        return bool(passed[0] != passed[1])

    def _stop(self, begin: int, end: int, at_goal: str, share: float) -> str:
        """Why credit does not pass through a hop; `at_goal` if it starts at the goal."""
        level, s, a = self._level, self._level.S[begin], self._level.A[end - 1]
        if self._is_goal(s):
            return at_goal
        if not level.is_action(s, a):
            return BACK_AGAIN if s == a else OUT_OF_REACH
        asks_pi = not isinstance(level, HopLevel) or "pi" in level.operator.arguments
        return NOT_GREEDY if asks_pi and share == 0 else KEPT_VALUE

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
