"""What a backup would leave as it is, is not written again.

In a one-step backup rows (s, a) that led to a state S_L get a return G that follows from V(S_L, ·). At step size 1 a
row that has it does not change again until V(S_L, ·) does, and then for the goals for which it did. In a maze that is
few goals or none, most of the time. So a level counts its backups and notes when it last changed V of a state, in
blocks of goals, and when it wrote a row and from where. Blocks in which nothing has changed are not even looked at.

One entry of G also depends on S_{L−1}: Tree-Backup lets a loop back to where the last step starts earn nothing. When
that was another state the last time, two entries are set right.
"""

import numpy as np

from hierq.agents.compiled import inlined
from hierq.agents.entries import keep_best
from hierq.agents.rings import recall
from hierq.agents.rows import Returns, row_of
from hierq.agents.tables import BLOCK, NOT_TRIED, Level, Longs

WHEN, LED_TO, CAME_FROM = 0, 1, 2  # what is noted of a row: number of the backup, S_L and S_{L−1}
NEVER = 0


@inlined
def write_again(level: Level, state: int, row: int, newest: int, before: int, by_error: bool, returns: Returns) -> None:
    """Q(s, a, g) ← G[g] for the goals g for which that may be new; or, to the last bit, Q + (G − Q).

    Args:
        level: the level that learns.
        state: s.
        row: that of (s, a).
        newest: S_L, where the trace ends.
        before: S_{L−1} where G depends on it, or always the same.
        by_error: whether the difference is added.
        returns: G.
    """
    note = level.settled[row]
    written = note[WHEN] if note[LED_TO] == newest else NEVER
    inexact, columns = np.int64(0), level.known[0]
    for begin in range(0, columns, BLOCK):
        if level.changed[newest, begin // BLOCK] >= written:
            end = min(BLOCK, columns - begin)
            inexact |= write_block(level, state, row, begin, end, by_error, returns)
    if written != NEVER and note[CAME_FROM] != before:
        write_block(level, state, row, level.column[note[CAME_FROM]], 1, by_error, returns)
        write_block(level, state, row, level.column[before], 1, by_error, returns)
    note[WHEN], note[LED_TO], note[CAME_FROM] = NEVER if inexact else level.clock[0], newest, before


@inlined
def write_block(level: Level, state: int, row: int, begin: int, count: int, by_error: bool, returns: Returns) -> int:
    """The same for some goals, one after the other; returns whether what stands there now is not quite G."""
    q, best, value = level.q[row, begin:], level.best[state, begin:], returns.value[begin:]
    lost, risen, inexact = np.int64(0), np.int64(0), np.int64(0)
    for k in range(count):
        old, highest = q[k], best[k]
        new = old + (value[k] - old) if by_error else value[k]
        q[k] = new
        inexact |= new != value[k]
        risen |= new > highest
        lost |= keep_best(best, k, old, new)
    if lost:
        level.stale[state] = 1
    if lost or risen:
        level.changed[state, begin // BLOCK] = level.clock[0]
    return int(inexact)


@inlined
def all_settled(level: Level, states: Longs, first: int, last: int, action: int, newest: int, before: int) -> bool:
    """Whether a backup of the rows of S_first … S_last would change nothing."""
    changed = np.int64(NEVER)
    for block in range(level.changed.shape[1]):
        changed = max(changed, level.changed[newest, block])
    for j in range(first, last + 1):
        row = row_of(level, recall(states, j), action)
        if row == NOT_TRIED:
            return False
        if row >= 0:
            note = level.settled[row]
            if note[WHEN] <= changed or note[LED_TO] != newest or note[CAME_FROM] != before:
                return False
    return True
