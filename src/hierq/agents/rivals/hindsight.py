"""Hindsight experience replay (Andrychowicz et al. 2017), in a table: replayed steps, with goals that were reached.

    N times after every step:   a step (s, a, s') of the last 100,000, drawn at random
        Q(s, a, g) ← 1 if g = s' else γ V(s', g)   for the environment's goal, and for four states that came after it in
                                                   its episode, drawn at random (the strategy "future", k = 4)

It learns from replays only. One replayed step is one update, of up to five entries of a row; all others write rows.
"""

from hierq.agents.random_numbers import Words, below
from hierq.agents.rivals.memory import Buffer
from hierq.agents.rivals.vocabulary import Table, learn_goal

FUTURES = 4


def hindsight(
    table: Table, state: int, action: int, successor: int, time: int, updates: int, rng: Words, buffer: Buffer
) -> None:
    """Stores a step and replays N."""
    store(buffer, state, action, successor, time)
    kept, held = len(buffer.states), min(buffer.total[0], len(buffer.states))
    for _ in range(updates):
        step = buffer.total[0] - held + below(rng, held)
        last = buffer.last[buffer.episodes[step % kept] % kept]
        s, a, led_to = buffer.states[step % kept], buffer.actions[step % kept], buffer.successors[step % kept]
        learn_goal(table, s, a, led_to, table.world.goal)
        for _ in range(FUTURES):
            later = step + below(rng, last - step + 1)
            learn_goal(table, s, a, led_to, buffer.successors[later % kept])
        table.work[0] += 1


def store(buffer: Buffer, state: int, action: int, successor: int, time: int) -> None:
    """Adds a step to the buffer, in place of the oldest if it is full."""
    if time == 0:
        buffer.total[1] += 1
    step, episode, kept = buffer.total[0], buffer.total[1] - 1, len(buffer.states)
    buffer.states[step % kept], buffer.actions[step % kept] = state, action
    buffer.successors[step % kept], buffer.episodes[step % kept] = successor, episode
    buffer.last[episode % kept] = step
    buffer.total[0] += 1
