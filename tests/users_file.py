"""A file of a user's own: two operators and an explorer."""

MY_FILE = """
import hierq

@hierq.operator
def optimistic(q, v, y):
    return max(v, y)

@hierq.operator
def fading(v, y, decay):
    return v + decay * (y - v)

@hierq.explorer
def curious(epsilon, actions, rng):
    return hierq.epsilon_greedy(epsilon, actions, rng)
"""
