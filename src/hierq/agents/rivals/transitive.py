"""Transitive RL (Park et al. 2025), in a table: a path from i to j is one from i to k and one from k to j.

    d(S_i, A_i, S_{i+1}) ← 1
    d(S_i, A_i, S_j) ← min(d(S_i, A_i, S_j), d(S_i, A_i, S_k) + d(S_k, A_k, S_j))   for all i < k < j on a trace

The paper draws i, k and j; here all of them have their turn when the episode is over, the last i first, so that what
follows a state is known before the state itself. On a trace without loops one pass then gives d = j − i.
"""

from hierq.agents.estimators.trace import A, S, Trace
from hierq.agents.rivals.vocabulary import Table, learn_goal, relax_through
from hierq.agents.world_arrays import AT_GOAL
from hierq.tables.rows import row_of


def transitive(table: Table, state: int, action: int, successor: int, trace: Trace, time: int) -> None:
    """Tries all splits k of the paths that begin with a step, to all states S_j that came after S_k."""
    level, last_seen = table.level, table.room.marks
    own, stamps = level.q[row_of(level, state, action)], table.room.stamps
    if time == trace.t:
        last_seen[:] = 0
        stamps[:] = 0
    column = level.column[successor]
    last_seen[column] = max(last_seen[column], time + 1)
    learn_goal(table, state, action, successor, successor)
    if table.world.ending[successor] == AT_GOAL:  # where there are several goals, any of them is reached, too
        last_seen[level.column[table.world.goal]] = time + 1
        learn_goal(table, state, action, successor, table.world.goal)
    table.work[0] += 1
    for k in range(time + 1, trace.t + 1):
        row, known = row_of(level, S(trace, k), A(trace, k)), own[level.column[S(trace, k)]]
        # A pair that comes again at the same distance has nothing new: fewer states come after it than before.
        stamp = (time + 1) * (int(level.goal_entry) + 1) + known
        if known != 0 and stamps[row] != stamp:
            stamps[row] = stamp
            relax_through(table, state, action, S(trace, k), level.q[row], last_seen, k)
