"""The oracle that bounds all learning rules: all shortest paths of the graph seen so far.

    on a new edge s → s':   D(x, g) ← min(D(x, g), D(x, s) + 1 + D(s', g))   for all states x and goals g
    Q(x, a, g) = γ^D(y, g)  for every pair (x, a) that was tried, where y is the state it led to

No learning rule can learn more from the same steps: it bounds them all. Dynamic all-pairs shortest paths under the
insertion of an edge: Ausiello, Italiano, Marchetti-Spaccamela and Nanni (1991).
"""

from hierq.agents.estimators.state_values import refresh
from hierq.agents.rivals.memory import NONE, Model
from hierq.agents.rivals.vocabulary import Table, distance_of, learn_step, remember, state_of
from hierq.tables.ranks import LOWEST


def oracle(table: Table, state: int, action: int, successor: int, model: Model) -> None:
    """Learns everything that follows from a new step; from a step that was seen before nothing follows."""
    if not remember(table, model, state, action, successor):
        return
    level, room = table.level, table.room
    refresh(level, table.config, state)
    for g in range(level.columns_used[0]):
        room.before[g] = level.v[state, g]
    learn_step(table, state, action, successor)
    count = 0
    for g in range(level.columns_used[0]):
        if level.v[state, g] > room.before[g]:
            room.goals[count] = g
            count += 1
    if count == 0:
        return
    room.changed[0] = state
    changed = 1 + shorten_paths_to(table, state, count)
    for k in range(changed):
        pass_to_predecessors(table, model, room.changed[k], count)


def shorten_paths_to(table: Table, state: int, goals: int) -> int:
    """D(x, g) ← min(D(x, g), D(x, s) + D(s, g)) for the goals that came nearer to s; lists the states x that changed.

    The new edge leads away from s, so no path to s has become shorter.
    """
    level, room, own, count = table.level, table.room, table.level.column[state], 1
    for x in range(len(level.used)):
        refresh(level, table.config, x)
        if x == state or level.v[x, own] == 0:
            continue
        away, is_nearer = distance_of(level, level.v[x, own]), False
        for k in range(goals):
            g = room.goals[k]
            entry = max(level.v[state, g] - away, LOWEST)
            if entry > level.v[x, g] and g != level.column[x]:
                level.v[x, g] = entry
                is_nearer = True
        if is_nearer:
            room.changed[count] = x
            count += 1
    return count - 1


def pass_to_predecessors(table: Table, model: Model, state: int, goals: int) -> None:
    """Q(x, a, g) = γ V(y, g) for every pair (x, a) that led to a state y, and the goals that came nearer."""
    level, row = table.level, model.first_into[state]
    while row != NONE:
        own, is_written = level.column[state_of(table, row)], False
        for k in range(goals):
            g = table.room.goals[k]
            entry = max(level.v[state, g] - 1, LOWEST)
            if entry > level.q[row, g] and g != own and level.v[state, g] > 0:
                level.q[row, g] = entry
                is_written = True
        table.work[0] += is_written
        row = model.next_into[row]
