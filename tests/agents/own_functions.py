"""Functions as a user writes them, which do what functions of the package do, and small agents that have them."""

import hierq


@hierq.operator
def own_tree_backup(q, v, y, pi):
    """Tree-Backup."""
    if pi == 1:
        return y
    if pi == 0:
        return v
    return v + pi * (y - q)


@hierq.operator
def lowest(v, y):
    """What comes of an edit."""
    return min(v, y)


@hierq.explorer
def own_epsilon(epsilon, actions, rng):
    """ε-greedy."""
    return hierq.epsilon_greedy(epsilon, actions, rng)


@hierq.explorer
def counting(level, state, actions, visits, asked, successors, optimism, rng):
    """A move that was never tried, else any; above level 0 the greedy choice. It asks for all counts."""
    if level > 0 or asked[0] < 0 or optimism[state, 0] > 0:
        return hierq.GREEDY
    for action in actions:
        if successors[state, action] == hierq.UNTRIED or visits[successors[state, action]] == 0:
            return action
    return hierq.epsilon_greedy(1.0, actions, rng)


@hierq.rival
def own_q_learning(table, state, action, successor):
    """Q-learning for all goals at once."""
    hierq.learn_step(table, state, action, successor)


RIVAL = hierq.AgentConfig(levels=1, universal_top=True, backup=hierq.Rival(own_q_learning))
OPERATOR = hierq.AgentConfig(backup=hierq.Backup(own_tree_backup, n=3))
EXPLORER = OPERATOR.replace(step_size=0.5, explore=own_epsilon)
AGENTS = (OPERATOR, EXPLORER, RIVAL)  # one for each kernel that tests call own functions on
