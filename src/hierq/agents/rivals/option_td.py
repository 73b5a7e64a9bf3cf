"""Option-aware TD (Ahn et al. 2025), in a table: n steps are one option, and are discounted once.

    after every step:   Q(S_t, A_t, g) ← 1 if g is one of S_{t+1} … S_{t+n} else γ V(S_{t+n}, g)

and fewer than n steps at the end of an episode. Values say how many options a goal is away, not how many steps. In the
paper a policy chooses sub-goals by them, as a hierarchy's upper levels do; here moves are chosen by them.
"""

from hierq.agents.estimators.trace import A, S, Trace
from hierq.agents.estimators.values import blend, one_step_return
from hierq.agents.rivals.vocabulary import Table
from hierq.agents.world_arrays import GOES_ON


def option_td(table: Table, trace: Trace, time: int, n: int) -> None:
    """Learns the option that is now complete; when the episode has ended, the shorter ones as well."""
    first = time - n + 1
    if first >= 0:
        learn_option(table, trace, first, time + 1)
    if table.world.ending[S(trace, time + 1)] != GOES_ON:
        for begin in range(max(first + 1, 0), time + 1):
            learn_option(table, trace, begin, time + 1)


def learn_option(table: Table, trace: Trace, begin: int, end: int) -> None:
    """Learns one option, from S_begin to S_end."""
    level, returns = table.level, table.returns
    one_step_return(level, table.config, table.world, S(trace, end), returns)
    for t in range(begin + 1, end):
        returns.value[level.column[S(trace, t)]] = level.goal_entry
    returns.value[level.column[S(trace, begin)]] = level.start_value
    blend(level, table.config, S(trace, begin), A(trace, begin), returns)
    table.work[0] += 1
