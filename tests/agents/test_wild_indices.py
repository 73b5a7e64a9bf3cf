"""Functions of users that hand in any index: they are refused in words, and never read or write outside an array.

Compiled code does not notice such an index by itself: the process would die, or another array would change.
"""

import inspect

import numpy as np
import pytest

import hierq
from hierq.agents import explorers, random_numbers
from hierq.agents.rivals import vocabulary

WORLD = hierq.World.from_text("S...\n.##.\n...G\n")
CALLS = 9  # what `wild_rival` does, by its number of updates
CALLED = {"learn_step", "learn_again", "learn_goal", "uniform", "below", "epsilon_greedy"}
RUNS = 8  # for each


def wild(rng, size):
    """An index, mostly wrong: far below 0, just below, 0, the last one, just above, far above, anywhere in between."""
    kind = hierq.below(rng, 8)
    if kind < 4:
        return hierq.below(rng, size)
    if kind == 4:
        return -1 - hierq.below(rng, 3)
    if kind == 5:
        return size + hierq.below(rng, 3)
    if kind == 6:
        return 2**40 + hierq.below(rng, 2**20)
    return -(2**40)


def entry_of(rows, row, column):
    """A helper of a user's own: its indices are checked, too."""
    return rows[row, column]


@hierq.rival
def wild_rival(table, state, action, successor, trace, time, updates, rng, model, queue, buffer):
    states = table.level.legal.shape[0]
    if updates == 1:
        hierq.learn_step(table, wild(rng, states), wild(rng, 4), wild(rng, states))
    elif updates == 2:
        hierq.learn_again(table, trace, wild(rng, time + 1))
    elif updates == 3:
        hierq.learn_goal(table, wild(rng, states), wild(rng, 4), wild(rng, states), wild(rng, states + 1))
    elif updates == 4:
        model.successor[wild(rng, len(model.successor))] = wild(rng, states)
    elif updates == 5:
        queue.priority[wild(rng, len(queue.priority))] = queue.priority[wild(rng, len(queue.priority))]
    elif updates == 6:
        buffer.states[wild(rng, len(buffer.states))] = trace.states[wild(rng, len(trace.states))]
    elif updates == 7:
        hierq.learn_step(
            table, state, action, int(entry_of(table.level.q, wild(rng, states * 4), wild(rng, states)) >= 0)
        )
    elif updates == 8:
        hierq.uniform(rng[wild(rng, 4) :])
    else:
        hierq.learn_step(table, hierq.below(rng, wild(rng, states)), action, hierq.below(rng[wild(rng, 4) :], states))


@hierq.explorer
def wild_explorer(state, actions, epsilon, rng, memory, visits, successors):
    if epsilon < 0.3:
        return hierq.epsilon_greedy(epsilon, actions, rng)
    if epsilon < 0.5:
        return wild(rng, len(actions))
    if epsilon < 0.7:
        return hierq.epsilon_greedy(1.0, actions[wild(rng, 4) :], rng)
    memory[wild(rng, len(memory))] = visits[wild(rng, len(visits))]
    return int(actions[hierq.below(rng, len(actions))]) + 0 * successors[wild(rng, len(visits)), wild(rng, 4)]


def outcome_of(updates, epsilon, seed):
    """How an agent was refused in training, or nothing if it was not."""
    config = hierq.AgentConfig(
        levels=1,
        universal_top=True,
        backup=hierq.Rival(wild_rival, updates=updates),
        explore=wild_explorer,
        explore_train=epsilon,
        step_limit=40,
    )
    agent = hierq.Agent(WORLD, config, seed)
    try:
        agent.train(3)
    except hierq.InputError as refused:
        return str(refused)
    finally:
        values = agent.values(0, WORLD.goal)
        assert np.isfinite(values).all() and values.min() >= 0 and values.max() <= 1
    return ""


@pytest.mark.long
@pytest.mark.usefixtures("compiler")
@pytest.mark.filterwarnings("ignore:the values")
@pytest.mark.parametrize("epsilon", [0.25, 0.4, 0.6, 1.0])
def test_no_index_of_a_users_function_leaves_its_array(epsilon):
    """Each function that a rival or an explorer may call, and each array that it is lent, with any index."""
    outcomes = {
        (updates, seed): outcome_of(updates, epsilon, seed) for updates in range(1, CALLS + 1) for seed in range(RUNS)
    }
    words = ("fails: IndexError", "which is no action there", "the random numbers are all 0")
    assert all(not said or any(word in said for word in words) for said in outcomes.values())
    for updates in range(1, CALLS + 1):
        assert any("IndexError" in outcomes[updates, seed] for seed in range(RUNS)), updates


def functions_of(module):
    """The functions that a module defines, by name."""
    defined = inspect.getmembers(module, inspect.isfunction)
    return {name: function for name, function in defined if function.__module__ == module.__name__}


def test_all_that_a_users_function_may_call_is_called_here():
    """Of the words of rivals, of explorers and of random numbers, those that hierq offers."""
    found = {**functions_of(vocabulary), **functions_of(explorers), **functions_of(random_numbers)}
    offered = {name for name, function in found.items() if getattr(hierq, name, None) is function}
    assert offered - {"explorer"} == CALLED


@pytest.mark.parametrize("name", sorted(set(functions_of(vocabulary)) - CALLED))
def test_other_words_of_rivals_are_refused(name):
    """They do not check their indices, as rivals of hierq hand in good ones."""
    word = getattr(vocabulary, name)

    @hierq.rival
    def nosy(table):
        word(table)

    with pytest.raises(hierq.InputError, match="does not offer"):
        hierq.Agent(WORLD, hierq.AgentConfig(levels=1, universal_top=True, backup=hierq.Rival(nosy)))
