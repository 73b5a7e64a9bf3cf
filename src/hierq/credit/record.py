"""The record of one learning episode: which entries each backup changed, and why. Plain data, made by `explain`."""

from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["tree", "trace"]
Role = Literal["target", "trailing", "trace"]


@dataclass(frozen=True)
class Hop:
    """One action of a level on its trace, in hindsight.

    Attributes:
        begin: index on the level's trace of the state it starts from.
        end: index of the state it leads to.
        begin_state: the state at `begin`.
        end_state: the state at `end`.
        action: a move at level 0; above, the cell `end_state` as a sub-goal.
        skipped: the states it hops over.
        continued: whether credit passes through this hop to older entries.
        reason: why not.
        share: π(a | s, g), the probability of the action under the target policy, when it mattered; 0 or 1 if greedy.
        weight: eligibility z of the entries of this hop, for traces; 1 for backups over hops.
        returned: G[g] after stepping back over this hop, for backups over hops.
    """

    begin: int
    end: int
    begin_state: int
    end_state: int
    action: int
    skipped: tuple[int, ...]
    continued: bool
    reason: str | None
    share: float
    weight: float
    returned: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, with the indices as "from" and "to"."""
        names = {"begin": "from", "end": "to", "begin_state": "from_state", "end_state": "to_state"}
        return {names.get(name, name): value for name, value in vars(self).items()}


@dataclass(frozen=True)
class Update:
    """One entry Q(state, action, goal) that was written.

    Attributes:
        state: s.
        action: a move at level 0; above, a cell.
        old: the value before.
        new: the value after.
        weight: share of the error it gets: 1, or the eligibility z of an older entry.
        role: the "target" is the oldest state from which the action spans at most h steps; "trailing" are the states
            between it and where the action leads; "trace" are older entries that an eligibility trace reaches.
        index: where the state is on the level's trace.
    """

    state: int
    action: int
    old: float
    new: float
    weight: float
    role: Role
    index: int


@dataclass(frozen=True)
class BackupRecord:
    """What one level made of one step.

    Attributes:
        level: the level.
        time: t, the environment step, counted from 0.
        kind: "tree" for backups over hops, with any operator, or "trace".
        n: number of hops.
        decay: λ of a trace, or of an operator that has one.
        hops: newest first, as the backup goes back in time.
        bootstrap_state: the newest state of the trace, from which the return starts.
        bootstrap_value: V(s, g) of that state before the backup; None where it is the goal or a hole.
        returned: G[g], what the target and the trailing entries learn.
        error: δ[g] = G[g] − Q(s, a, g), what the trace learns.
        updates: the entries that were written, in order.
        goals_changed: for how many goals something changed, this one and all others.
        skipped_reason: why the level did not learn, if it did not.
    """

    level: int
    time: int
    kind: Kind
    n: int | None
    decay: float | None
    hops: tuple[Hop, ...] = ()
    bootstrap_state: int | None = None
    bootstrap_value: float | None = None
    returned: float | None = None
    error: float | None = None
    updates: tuple[Update, ...] = ()
    goals_changed: int = 0
    skipped_reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        updates = [dict(vars(update)) for update in self.updates]  # dataclasses.asdict takes seconds for long traces
        return {**vars(self), "hops": [hop.to_dict() for hop in self.hops], "updates": updates}


@dataclass(frozen=True)
class Credit:
    """The record of one episode, for one goal.

    Attributes:
        world: the world's name.
        spans: h of every level, the steps of a hop: H^a_i unless credit_span says otherwise.
        discount: γ.
        goal: the cell the record is about; the number of cells stands for any of several goals.
        start_values: what the table of each level started with.
        states: S_0 … S_T.
        actions: A_0 … A_{T−1}, as numbers.
        moved: the indices into `states` that the levels above 0 see: the trace without blocked moves.
        steps: for every environment step the backups of all levels, level 0 first.
    """

    world: str
    spans: tuple[int, ...]
    discount: float
    goal: int
    start_values: tuple[float, ...]
    states: tuple[int, ...]
    actions: tuple[int, ...]
    moved: tuple[int, ...]
    steps: tuple[tuple[BackupRecord, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}
        return {**plain, "steps": [[backup.to_dict() for backup in step] for step in self.steps]}

    def table(self, level: int, steps: int | None = None) -> dict[tuple[int, int], float]:
        """Q_level(s, a, goal) by (s, a), after some steps or all: what was written; the rest has its start value."""
        kept = self.steps if steps is None else self.steps[:steps]
        return {
            (update.state, update.action): update.new
            for step in kept
            for backup in step
            if backup.level == level
            for update in backup.updates
        }
