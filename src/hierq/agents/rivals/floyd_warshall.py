"""Floyd-Warshall RL (Dhiman, Banerjee, Siskind and Corso 2018): all paths over all states in between, after a step.

    F(s, a, s') ← 1
    F(x, a, g) ← min(F(x, a, g), F(x, a, k) + min_b F(k, b, g))   for all pairs (x, a), goals g and states k

With k in the outer loop that is Floyd and Warshall's algorithm, and the result all shortest paths: what the oracle
knows, for cubic work. After a step that was seen before nothing can change, so nothing is done. Tables hold no path
from a state to itself, so at the end all pairs (x, a) learn once more from the state that they led to.
"""

from hierq.agents.estimators.state_values import refresh
from hierq.agents.rivals.memory import Model
from hierq.agents.rivals.vocabulary import Table, learn_row, learn_step, relax_through, remember, state_of


def floyd_warshall(table: Table, state: int, action: int, successor: int, model: Model) -> None:
    """Learns a new step, and all paths that it shortens."""
    if not remember(table, model, state, action, successor):
        return
    learn_step(table, state, action, successor)
    level, everywhere = table.level, table.room.marks  # all 0
    for k in range(len(level.used)):
        refresh(level, table.config, k)
        for e in range(model.size[0]):
            row = model.edges[e]
            relax_through(table, state_of(table, row), level.action[row], k, level.v[k], everywhere, -1)
    for e in range(model.size[0]):
        learn_row(table, model, model.edges[e])
