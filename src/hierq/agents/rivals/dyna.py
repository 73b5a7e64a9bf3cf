"""Dyna-Q (Sutton 1990): learning from a step, then from N remembered ones, each pair as likely as the other.

Q(s, a, ·) ← 1 if g = s' else γ V(s', ·);   M(s, a) ← s'
N times:   a pair (s, a) that was tried, drawn at random;   Q(s, a, ·) ← as above, with s' = M(s, a)

With N large enough it knows what the oracle knows.
"""

from hierq.agents.random_numbers import Words, below
from hierq.agents.rivals.memory import Model
from hierq.agents.rivals.vocabulary import Table, learn_row, learn_step, remember


def dyna(table: Table, state: int, action: int, successor: int, updates: int, rng: Words, model: Model) -> None:
    """Learns from a step and from N others."""
    learn_step(table, state, action, successor)
    remember(table, model, state, action, successor)
    for _ in range(updates):
        learn_row(table, model, model.edges[below(rng, model.size[0])])
