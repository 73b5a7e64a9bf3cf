"""The record of one learning episode: which entries each backup changed, and why. Plain data, made by `explain`."""

from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["tree", "trace"]
Role = Literal["target", "trailing", "trace"]


@dataclass(frozen=True)
class Hop:
    """One action of a level on its trace, in hindsight."""

    begin: int  # index on the level's trace of the state it starts from
    end: int  # index of the state it leads to
    begin_state: int  # the state at `begin`
    end_state: int  # the state at `end`
    action: int  # a move at level 0; above, the cell `end_state` as a sub-goal
    skipped: tuple[int, ...]  # the states it hops over
    continued: bool  # whether credit passes through this hop to older entries
    reason: str | None  # why not
    # π(a | s, g), the probability of the action under the target policy, when it mattered; 0 or 1 if greedy
    share: float
    # Eligibility z of the entries of this hop, for traces; for backups over hops 1, and along all paths the part of the
    # return that comes through this hop: as much of it as is paths in a mean; on the best path 1, elsewhere 0.
    weight: float
    returned: float | None  # G[g] after stepping back over this hop, for backups over hops

    def to_dict(self) -> dict[str, Any]:
        """Plain values, with the indices as "from" and "to"."""
        names = {"begin": "from", "end": "to", "begin_state": "from_state", "end_state": "to_state"}
        return {names.get(name, name): value for name, value in vars(self).items()}


@dataclass(frozen=True)
class Update:
    """One entry Q(state, action, goal) that was written."""

    state: int  # s
    action: int  # a move at level 0; above, a cell
    old: float  # the value before
    new: float  # the value after
    weight: float  # share of the error it gets: 1, or the eligibility z of an older entry
    # the "target" is the oldest state from which the action spans at most h steps; "trailing" are the states between it
    # and where the action leads; "trace" are older entries that an eligibility trace reaches
    role: Role
    index: int  # where the state is on the level's trace


@dataclass(frozen=True)
class BackupRecord:
    """What one level made of one step."""

    level: int  # the level
    time: int  # t, the environment step, counted from 0
    kind: Kind  # "tree" for backups over hops, with any operator, or "trace"
    n: int | None  # number of hops, if each takes as many steps as it may
    decay: float | None  # λ of a trace, or of an operator that has one
    hops: tuple[Hop, ...] = ()  # newest first, as the backup goes back in time
    bootstrap_state: int | None = None  # S_L, from which the return starts: the newest of the trace, or n hops ahead
    bootstrap_value: float | None = None  # V(s, g) of that state before the backup; None where it is the goal or a hole
    returned: float | None = None  # G[g], what the target and the trailing entries learn
    error: float | None = None  # δ[g] = G[g] − Q(s, a, g), what the trace learns; with Peng's operator G[g] − V(s, g)
    updates: tuple[Update, ...] = ()  # the entries that were written, in order
    goals_changed: int = 0  # for how many goals something changed, this one and all others
    skipped_reason: str | None = None  # why the level did not learn, if it did not
    left_out: int = 0  # hops of all paths that are not among `hops`, as `explain` was asked for fewer

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        updates = [dict(vars(update)) for update in self.updates]  # dataclasses.asdict takes seconds for long traces
        plain = {**vars(self), "hops": [hop.to_dict() for hop in self.hops], "updates": updates}
        return plain if self.left_out else {name: value for name, value in plain.items() if name != "left_out"}


@dataclass(frozen=True, repr=False)
class Credit:
    """The record of one episode, for one goal."""

    world: str  # the world's name
    hop_lengths: tuple[int, ...]  # h of every level, the steps of a hop: H^a_i unless the backup's hops say otherwise
    discount: float  # γ
    goal: int  # the cell the record is about; the number of cells stands for any of several goals
    start_values: tuple[float, ...]  # what the table of each level started with
    states: tuple[int, ...]  # S_0 … S_T
    actions: tuple[int, ...]  # A_0 … A_{T−1}, as numbers
    moved: tuple[int, ...]  # the indices into `states` that the levels above 0 see: the trace without blocked moves
    # For every environment step the backups of all levels, level 0 first. Learning backward puts all of them into the
    # last step: one for each action of a level, newest first.
    steps: tuple[tuple[BackupRecord, ...], ...]

    def __repr__(self) -> str:
        written = [
            sum(len(backup.updates) for step in self.steps for backup in step if backup.level == level)
            for level in range(len(self.hop_lengths))
        ]
        entries = ", ".join(f"{count:,} at level {level}" for level, count in enumerate(written))
        return f"<Credit in {self.world}: {len(self.actions):,} moves, entries written: {entries}>"

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
