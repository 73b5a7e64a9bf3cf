"""What no estimator can know, and what one has to come to: the graph it has seen, and what chance leaves of it."""

import itertools

import numpy as np
import pytest
from drawn import EVERYTHING, has_decay
from kinds import FAMILY

import hierq
from hierq.agents.estimators.partitions import PARTITIONS

# Without chance these bring no more than the best of what they are made of. Q*(λ) and traces add errors to values,
# which may be too much. With the greedy target Retrace and Tree-Backup as printed are Tree-Backup, to the last bit.
CAUTIOUS = ["one-step", "tree-backup", "peng", "sarsa", "uncorrected", "max"]
SHAPES = [(2, 3), (3, 2), (2, 2), (3, 3), (1, 1)]  # levels and horizons
WINDING = hierq.World.from_text("S..#\n.#..\n...G\n")


def cautious_backups():
    """All members that cannot overestimate; compiled, those whose kernels there are."""
    if not EVERYTHING:
        return [each.backup for each in FAMILY if each.is_greedy and not each.backup.has_traces]
    return [
        hierq.Backup(operator, n=1 if operator == "one-step" else 3, hops=hops, when=when, decay=decay)
        for operator, hops, when in itertools.product(CAUTIOUS, PARTITIONS, ("step", "episode"))
        for decay in ([0.8] if has_decay(operator) else [None]) + [None] * (operator == "tree-backup")
    ]


def distances(states, edges):
    """Steps from every state to every other in a graph."""
    far = np.full((states, states), np.inf)
    np.fill_diagonal(far, 0)
    for s, u in edges:
        far[s, u] = min(far[s, u], 1)
    for between in range(states):
        far = np.minimum(far, far[:, between, None] + far[between])
    return far


@pytest.mark.parametrize("operator", sorted({backup.name for backup in cautious_backups()}))
def test_nobody_knows_more_than_the_graph_that_was_seen(operator):
    """V_i(s, g) ≤ γ^(m − 1), if m hops of the level's span lead from s to g along moves that were made; else 0."""
    world, known, largest = WINDING, 0, 0
    for k, backup in enumerate(each for each in cautious_backups() if each.name == operator):
        for levels, horizons in [SHAPES[k % len(SHAPES)]] if EVERYTHING else SHAPES:  # by turns, to save time
            settings = {"universal_top": True, "discount": 0.9, "explore_train": 0.5, "step_limit": 30}
            config = hierq.AgentConfig(levels=levels, horizons=horizons, backup=backup, **settings)
            agent, seen = hierq.Agent(world, config, seed=k), set()
            for _ in range(2):
                agent.train(1)
                seen |= set(itertools.pairwise(agent.last_episode.states.tolist()))
            far = distances(world.states, seen)
            spans = config.reaches if backup.hops == "executed" else config.hop_lengths
            for level, span in enumerate(spans):
                most = config.discount ** (np.ceil(far / span) - 1)  # where nothing leads, 0
                for goal in range(world.states):
                    values, others = agent.values(level, goal), np.arange(world.states) != goal
                    assert (values <= most[:, goal] * (1 + 1e-12))[others].all(), (config, level, goal)
                    known += (values > 0)[others].sum()
                    largest += (values == most[:, goal])[others & (values > 0)].sum()
    assert known > 50 and largest > 10  # else this would test nothing


def corridor_with_chance(length):
    """Cells 0 … length in a row, the last one the goal; the only move leads on half of the time, and else nowhere."""
    outcomes = [[[min(s + 1, length), s]] for s in range(length + 1)]
    return hierq.World.from_table(outcomes, chances=[[[0.5, 0.5]]] * length + [[[1.0, 0.0]]], goals=[length])


def values_of_asking(length, reach, discount):
    """Q(s, w) of asking for w at s: exact, for up to `reach` moves, of which each leads on half of the time.

    Where they end the goal is worth 1, and any other state γ times the best that can be asked for there.
    """
    V = np.zeros(length + 1)
    for s in reversed(range(length)):
        asked = {}
        for w in range(s + 1, min(s + reach, length) + 1):
            ends = np.zeros(length + 1)
            ends[s] = 1.0
            for _ in range(reach):
                on = np.where(np.arange(length + 1) < w, ends / 2, 0.0)
                ends = ends - on + np.roll(on, 1)
            ahead = ends[length] + discount * (ends[s + 1 : length] @ V[s + 1 : length])
            asked[w] = ahead, ends[s]  # it ends where it began, and the best is asked for again
        V[s] = max(gain / (1 - discount * stays) for gain, stays in asked.values())
        yield s, {w: gain + discount * stays * V[s] for w, (gain, stays) in asked.items()}


@pytest.mark.usefixtures("compiler")
def test_as_executed_an_action_is_worth_what_it_comes_to():
    """With chance: the mean over agents is within 0.01 of the exact value of the best action at every state.

    Tables start at 1, so that all that can be asked for is tried until it is seen to be worth less than the best.
    """
    length, reach, discount, agents = 4, 2, 0.8, 8
    settings = {"levels": 2, "horizons": reach, "discount": discount, "nearness": "steps", "goal_preference": "none"}
    learnt = np.zeros((agents, length))
    for seed in range(agents):
        backup = hierq.OneStep().with_hops("executed")
        config = hierq.AgentConfig(**settings, backup=backup, step_size=0.01, initial_value=1.0, explore_train=0.0)
        agent = hierq.Agent(corridor_with_chance(length), config, seed)
        agent.train(6000)
        learnt[seed] = agent.values(1)[:length]
        for s, asked in values_of_asking(length, reach, discount):
            best = max(asked, key=asked.get)
            assert agent.best_actions(1, s) == [best], (seed, s)
    for s, asked in values_of_asking(length, reach, discount):
        assert learnt[:, s].mean() == pytest.approx(max(asked.values()), abs=0.01), s


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("step_size", [0.02, 0.1, 0.5])
def test_in_hindsight_an_action_is_worth_what_luck_makes_of_it(step_size):
    """On the same corridor, whatever the step size: γ to the number of actions on the luckiest path, less one."""
    world = corridor_with_chance(4)
    settings = {"levels": 2, "horizons": 2, "discount": 0.8, "nearness": "steps", "goal_preference": "none"}
    agent = hierq.Agent(world, hierq.AgentConfig(**settings, backup=hierq.OneStep(), step_size=step_size), seed=1)
    agent.train(6000)
    luckiest = hierq.optimal_values(world, 2, 0.8)[:4, 4]
    assert agent.values(1)[:4] == pytest.approx(luckiest, abs=1e-3)
    fair = [max(asked.values()) for _, asked in values_of_asking(4, 2, 0.8)][::-1]
    assert (luckiest > np.array(fair) + 0.05).all()
