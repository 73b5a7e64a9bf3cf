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
        if queue.length[0] == 0:
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
    if gain == 0.0:
        return
    if queue.place[row] == NONE:
        put(queue, row, queue.length[0])
        queue.length[0] += 1
        queue.priority[row] = gain
    queue.priority[row] = max(queue.priority[row], gain)
    rise(queue, queue.place[row])


def take_first(queue: Queue) -> int:
    """Takes the row of the highest priority out of the queue."""
    first, last = queue.heap[0], queue.heap[queue.length[0] - 1]
    queue.length[0] -= 1
    queue.place[first] = NONE
    if first != last:
        put(queue, last, 0)
        sink(queue, 0)
    return int(first)


def comes_first(queue: Queue, row: int, other: int) -> bool:
    """Whether a row is to be learnt before another one."""
    one, two = queue.priority[row], queue.priority[other]
    return bool(one > two or (one == two and row < other))


def put(queue: Queue, row: int, place: int) -> None:
    """Puts a row somewhere in the heap."""
    queue.heap[place] = row
    queue.place[row] = place


def rise(queue: Queue, place: int) -> None:
    """Moves a row up the heap while it is more urgent than the one above it."""
    row = queue.heap[place]
    while place > 0:
        above = (place - 1) // 2
        other = queue.heap[above]
        if comes_first(queue, other, row):
            break
        put(queue, other, place)
        place = above
    put(queue, row, place)


def sink(queue: Queue, place: int) -> None:
    """Moves a row down the heap while one below it is more urgent."""
    row, length = queue.heap[place], queue.length[0]
    while 2 * place + 1 < length:
        below = 2 * place + 1
        if below + 1 < length and comes_first(queue, queue.heap[below + 1], queue.heap[below]):
            below += 1
        other = queue.heap[below]
        if comes_first(queue, row, other):
            break
        put(queue, other, place)
        place = below
    put(queue, row, place)
