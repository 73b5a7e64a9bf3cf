"""The functions that rivals are written with; kernels can call them.

Tables are tables of ranks: an entry that is not 0 is the number of a power of γ, and a goal that is d steps away has
the value γ^(d−1), so that d = top + 1 − entry, where top is the number of γ^0. All arithmetic on them is exact.
"""

from typing import NamedTuple

import numpy as np

from hierq.agents.estimators.state_values import refresh
from hierq.agents.estimators.trace import A, S, Trace
from hierq.agents.estimators.values import blend, one_step_return
from hierq.agents.kernel_config import KernelConfig
from hierq.agents.rivals.memory import NONE, Model, Room, add_edge
from hierq.agents.world_arrays import AT_GOAL, IN_HOLE, WorldArrays
from hierq.compiling.static_choice import writable
from hierq.tables.entries import keep_best, value_of
from hierq.tables.level import Entries, Ints, Level, Longs
from hierq.tables.ranks import LOWEST
from hierq.tables.rows import Returns, row_of


class Table(NamedTuple):
    """Q(s, a, g) and V(s, g), and all that writing them needs."""

    level: Level
    config: KernelConfig
    world: WorldArrays
    returns: Returns
    room: Room
    work: Longs  # [1]: rows that were written or compared with their targets


def check_step(table: Table, state: int, action: int, successor: int) -> None:
    """Refuses a step that no world of this size has: in compiled code it would be written somewhere else."""
    states, actions = table.level.legal.shape
    if state < 0 or state >= states or successor < 0 or successor >= states:
        raise IndexError("a rival learns from a state that is not in the world")
    if action < 0 or action >= actions:
        raise IndexError("a rival learns from an action that is not in the world")


def learn_step(table: Table, state: int, action: int, successor: int) -> None:
    """Q(s, a, g) ← 1 if g = s' else γ V(s', g), for all goals g but s itself: what a one-step backup does."""
    check_step(table, state, action, successor)
    own = writable(table)
    level, config, returns = own.level, own.config, own.returns
    one_step_return(level, config, own.world, successor, returns)
    if level.column[state] >= 0:
        returns.value[level.column[state]] = level.start_value
    blend(level, config, state, action, returns)
    own.work[0] += 1


def learn_again(table: Table, trace: Trace, time: int) -> None:
    """`learn_step` for the step at some time of the episode."""
    if time < 0 or time > trace.t or time < trace.t + 2 - len(trace.states):
        raise IndexError("a rival asks for a step at a time that is not in the trace, 0 to time")
    learn_step(table, S(trace, time), A(trace, time), S(trace, time + 1))


def learn_goal(table: Table, state: int, action: int, successor: int, goal: int) -> None:
    """`learn_step` for one goal alone. The rival counts one update for all goals of a step."""
    check_step(table, state, action, successor)
    own = writable(table)
    level, world = own.level, own.world
    if goal < 0 or goal >= len(level.column):
        raise IndexError("a rival learns about a goal that is not in the world")
    g = level.column[goal]
    if g < 0 or goal == state:
        return
    refresh(level, own.config, state)
    refresh(level, own.config, successor)
    outcome, entry = world.ending[successor], level.v[successor, g]
    if goal == successor or (outcome == AT_GOAL and goal == world.goal):
        entry = np.int16(level.goal_entry)
    elif outcome == IN_HOLE:
        entry = np.int16(0)
    elif entry > LOWEST:
        entry = np.int16(entry - 1)
    row = row_of(level, state, action)
    old = level.q[row, g]
    level.q[row, g] = entry
    if keep_best(level.best[state], g, old, entry):
        level.stale[state] = 1


def largest_gain(table: Table, state: int, action: int, successor: int) -> float:
    """max_g |1 if g = s' else γ V(s', g) − Q(s, a, g)|: the largest change that learning this step would make."""
    level, returns, gain = table.level, table.returns, 0.0
    one_step_return(level, table.config, table.world, successor, returns)
    returns.value[level.column[state]] = level.start_value
    q = level.q[row_of(level, state, action)]
    for g in range(level.columns_used[0]):
        if q[g] != returns.value[g]:
            gain = max(gain, abs(value_of(level, returns.value[g]) - value_of(level, q[g])))
    table.work[0] += 1
    return gain


def relax_through(table: Table, state: int, action: int, k: int, onward: Entries, marks: Ints, after: int) -> None:
    """d(s, a, g) ← min(d(s, a, g), d(s, a, k) + D(k, g)) for all goals g whose mark is above `after`.

    That is Q(s, a, g) ← max(Q(s, a, g), γ Q(s, a, k) W(g)), where W(g) = γ^(D(k, g) − 1) are the entries `onward`.
    """
    level, row = table.level, row_of(table.level, state, action)
    q, best, own, column = level.q[row], level.best[state], level.column[state], level.column[k]
    if column < 0 or q[column] == 0:
        return
    refresh(level, table.config, state)
    away, lowest_rank, nothing = np.int16(distance_of(level, q[column])), np.int16(LOWEST), np.int16(0)
    for g in range(level.columns_used[0]):
        further = onward[g]
        entry = np.int16(further - away) if further > away else lowest_rank
        if further == nothing or marks[g] <= after or g == own:
            entry = nothing
        q[g] = max(q[g], entry)
        best[g] = max(best[g], entry)
    table.work[0] += 1


def distance_of(level: Level, entry: int) -> int:
    """The number of steps to a goal whose entry is not 0."""
    return int(level.goal_entry) + 1 - int(entry)


def remember(table: Table, model: Model, state: int, action: int, successor: int) -> bool:
    """Notes where a move led; returns whether it was never tried before."""
    row = row_of(table.level, state, action)
    if model.successor[row] != NONE:
        return False
    add_edge(model, row, successor)
    return True


def learn_row(table: Table, model: Model, row: int) -> None:
    """Learns the remembered step of a row once more."""
    learn_step(table, state_of(table, row), table.level.action[row], model.successor[row])


def state_of(table: Table, row: int) -> int:
    """The state that a row belongs to."""
    return int(row // table.level.legal.shape[1])
