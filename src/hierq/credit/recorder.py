"""The notes that `credit` takes: what one backup does, written down for one goal while it is done for all."""

import numpy as np

from hierq.credit.literal import LiteralLevel, Vector
from hierq.credit.record import Backup, Hop, Kind, Role, Update

CUT_OFF = 1e-8  # eligibility below which a trace is dropped

NOT_GREEDY = "the action was not greedy here"
AT_GOAL = "this is the goal itself"
LOOP = "a loop starts at the goal"
FADED = "weight below cut-off"
BACK_AGAIN = "the hop led back to where it began"
OUT_OF_REACH = "the hop led farther than the level may ask for"
BLOCKED = "the move was blocked; only level 0 learns from it"
OTHER_GOAL = "the top level learns about the environment's goal only"


class Notes:
    """The notes of one backup of one level; also the hand that writes into its table, so that nothing is missed."""

    def __init__(self, level: LiteralLevel, time: int, n: int | None = None, decay: float | None = None) -> None:
        self._level, self._time, self._n, self._decay = level, time, n, decay
        self._kind: Kind = "tree" if decay is None else "trace"
        self._hops: list[Hop] = []
        self._updates: list[Update] = []
        self._newest: int | None = None
        self._value: float | None = None
        self._changed = np.zeros(len(level.goals), np.bool_)

    def is_at(self, state: int) -> bool:
        """Whether a state is the goal that is written down."""
        return self._level.told is not None and self._level.is_at(state, self._level.goals[self._level.told])

    def stop(self, state: int, action: int, at_goal: str) -> str:
        """Why credit would not pass through an action that starts at a state; `at_goal` if that is the goal."""
        if self.is_at(state):
            return at_goal
        if self._level.is_action(state, action):
            return NOT_GREEDY
        return BACK_AGAIN if state == action else OUT_OF_REACH

    def bootstrap(self, state: int, value: Vector | None) -> None:
        """The return starts at this state with these values; in a hole there are none."""
        self._newest = state
        self._value = None if value is None or self.is_at(state) else self._one(value)

    def update(self, index: int, action: int, values: Vector, role: Role, weight: Vector | None = None) -> None:
        """Writes Q(s, a, ·), where s is a state of the level's trace; a trace that brings nothing is not noted."""
        level, state = self._level, self._level.states[index]
        old, share = level.q(state, action), 1.0 if weight is None else self._one(weight)
        level.write(state, action, values)
        self._changed |= old != values
        if level.told is not None and share is not None and (role != "trace" or share > 0):
            new = float(values[level.told])
            self._updates.append(Update(state, action, float(old[level.told]), new, share, role, index))

    def step_back(self, begin: int, end: int, share: Vector, stop: str, returned: Vector) -> None:
        """A hop of a Tree-Backup: with π = 0 the return does not come through it, for this reason."""
        if self._level.told is not None:
            pi = float(share[self._level.told])
            self._hop(begin, end, None if pi > 0 else stop, pi, 1.0, self._one(returned))

    def trace(self, state: int, action: int, share: Vector, fade: float) -> None:
        """The hops of a trace, newest first: how far the error of this step travels, and what stops it.

        Args:
            state: s, where the newest hop starts.
            action: a, its action.
            share: π(a | s, ·), 0 where it cuts the trace.
            fade: λγ.
        """
        level = self._level
        if level.told is None:
            return
        now, h, weight, stopped = len(level.actions) - 1, level.span, 1.0, None
        level.shares[now] = float(share[level.told])
        level.cuts[now] = self.stop(state, action, LOOP)
        for time in range(now, -1, -h):
            passes = stopped is None and level.shares[time] > 0
            reason = stopped or (None if passes else level.cuts[time])
            self._hop(max(0, time + 1 - h), time + 1, reason, level.shares[time], weight, None)
            weight = weight * (fade * level.shares[time]) if passes else 0.0
            if stopped is None and not passes:
                stopped = f"trace cut at step {level.steps[time] + 1}"
            elif stopped is None and weight <= CUT_OFF:
                weight, stopped = 0.0, FADED

    def _hop(
        self, begin: int, end: int, reason: str | None, share: float, weight: float, returned: float | None
    ) -> None:
        states = self._level.states
        self._hops.append(
            Hop(
                begin=begin,
                end=end,
                begin_state=states[begin],
                end_state=states[end],
                action=self._level.actions[end - 1],
                skipped=tuple(states[begin + 1 : end]),
                continued=reason is None,
                reason=reason,
                share=share,
                weight=weight,
                returned=returned,
            )
        )

    def backup(self, returns: Vector, error: Vector | None = None) -> Backup:
        """The account of a backup that was done."""
        level = self._level
        return Backup(
            level=level.index,
            time=self._time,
            kind=self._kind,
            n=self._n,
            decay=self._decay,
            hops=tuple(self._hops),
            bootstrap_state=None if level.told is None else self._newest,
            bootstrap_value=self._value,
            returned=self._one(returns),
            error=None if error is None else self._one(error),
            updates=tuple(self._updates),
            goals_changed=int(level.counts[self._changed].sum()),
            skipped_reason=OTHER_GOAL if level.told is None else None,
        )

    def skipped(self, reason: str) -> Backup:
        """The account of a backup that was not done."""
        return Backup(self._level.index, self._time, self._kind, self._n, self._decay, skipped_reason=reason)

    def _one(self, numbers: Vector) -> float | None:
        """The number of the goal that is written down."""
        return None if self._level.told is None else float(numbers[self._level.told])
