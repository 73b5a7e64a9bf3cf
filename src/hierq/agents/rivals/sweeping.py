"""Prioritised sweeping (Moore and Atkeson 1993; Peng and Williams 1993): the largest change comes first.

    M(s, a) ← s';   P(s, a) ← max_g |Y(g) − Q(s, a, g)|,   Y(g) = 1 if g = M(s, a) else γ V(M(s, a), g)
    N times:   the pair (s, a) of the highest P is taken from the queue;   Q(s, a, ·) ← Y
               for every pair (x, b) that leads to s:   P(x, b) is worked out, and the pair queued if P > 0

The change is the largest over all goals. A pair that is queued already keeps the higher of its priorities, and of pairs
with equal priorities the one with the lowest number comes first.
"""

from hierq.agents.rivals.memory import NONE, Model, Queue
from hierq.agents.rivals.vocabulary import Table, largest_gain, learn_row, remember, state_of
from hierq.tables.rows import row_of


def sweeping(table: Table, state: int, action: int, successor: int, updates: int, model: Model, queue: Queue) -> None:
    """Queues a step, then learns the most urgent pair, N times or until the queue is empty."""
    remember(table, model, state, action, successor)
    enqueue(table, model, queue, row_of(table.level, state, action))
    for _ in range(updates):
        if queue.priority[1] == 0.0:
            return
        row = take_first(queue)
        learn_row(table, model, row)
        before = model.first_into[state_of(table, row)]
        while before != NONE:
            enqueue(table, model, queue, before)
            before = model.next_into[before]


def enqueue(table: Table, model: Model, queue: Queue, row: int) -> None:
    """Queues a row with its priority, if learning it would change anything."""
    gain = largest_gain(table, state_of(table, row), table.level.action[row], model.successor[row])
    if gain > queue.priority[len(queue.priority) // 2 + row]:
        set_priority(queue, row, gain)


def take_first(queue: Queue) -> int:
    """Takes the row of the highest priority out of the queue; of several, the one with the lowest number."""
    priority, rows, place = queue.priority, len(queue.priority) // 2, 1
    while place < rows:
        place = 2 * place + (priority[2 * place] < priority[place])
    set_priority(queue, place - rows, 0.0)
    return place - rows


def set_priority(queue: Queue, row: int, value: float) -> None:
    """Gives a row a priority, and the entries above it theirs, up to the first that stays as it is."""
    priority = queue.priority
    place = len(priority) // 2 + row
    priority[place] = value
    while place > 1:
        place >>= 1
        highest = max(priority[2 * place], priority[2 * place + 1])
        if priority[place] == highest:
            return
        priority[place] = highest
