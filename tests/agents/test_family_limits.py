"""What no estimator can know, and what one has to come to: the graph it has seen, and what chance leaves of it."""

import itertools

import numpy as np
import pytest
from test_family import EVERYTHING, has_decay

import hierq
from hierq.agents.estimators.partitions import PARTITIONS
from hierq.agents.precompile import FAMILY

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
            spans = config.spans if backup.hops == "executed" else config.hops
            for level, span in enumerate(spans):
                most = config.discount ** (np.ceil(far / span) - 1)  # where nothing leads, 0
                for goal in range(world.states):
                    values, others = agent.values(level, goal), np.arange(world.states) != goal
                    assert (values <= most[:, goal] * (1 + 1e-12))[others].all(), (config, level, goal)
                    known += (values > 0)[others].sum()
                    largest += (values == most[:, goal])[others & (values > 0)].sum()
    assert known > 50 and largest > 10  # else this would test nothing
