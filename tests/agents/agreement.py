"""What it means that an agent and the reference agree, and how the reference follows an agent."""

import contextlib
import itertools

import numpy as np
import pytest
from drawn import EVERYTHING, reference_entries, stored_entries

from hierq.agents.estimators import hops as kernel_hops
from hierq.agents.estimators.partitions import cut_path
from hierq.reference import hops as reference_hops
from hierq.tables.entries import is_lost
from hierq.tables.queries import values_of


def assert_same_tables(agent, reference, exact=True):
    """Equal to the last bit for greedy targets.

    A soft target sums over actions and multiplies probabilities in another order than the reference. Each sum of at
    most a few dozen terms is off by at most 1e-14 of its largest term, and such errors do not grow (|γ| ≤ 1, averages
    of averages), so over the few hundred backups of a test 1e-10 is a generous bound on honest rounding, and far below
    any mistake.
    """
    ours, theirs = stored_entries(agent), reference_entries(reference)
    for key in ours.keys() | theirs.keys():
        start = reference.levels[key[0]].start_value
        mine, other = ours.get(key, start), theirs.get(key, start)
        if exact:
            assert mine == other, key
        else:
            assert mine == pytest.approx(other, rel=1e-10, abs=1e-10), key


def assert_same_maxima(agent, reference):
    """The maxima as asked for, and those kept along by the kernels (unless one has to be looked for again)."""
    for level, tables in zip(reference.levels, agent.levels, strict=True):
        for goal in level.goals:
            ours, theirs = agent.values(level.index, int(goal)), reference.values(level.index, int(goal))
            assert np.array_equal(ours, theirs)
            column = tables.column[goal]
            for s in range(agent.world.states):
                if not level.actions(s):
                    assert ours[s] == level.start_value
                elif column < 0:
                    assert ours[s] == level.start_value
                elif not is_lost(tables.best[s, column]):
                    assert values_of(tables, tables.best[s, column]) == ours[s]


def follow_training(agent, reference, episodes):
    """The reference lives through what the agent lives through, and learns from it."""
    for _ in range(episodes):
        (steps,) = agent.train(1)
        assert reference.follow(agent.last_episode) == steps


@contextlib.contextmanager
def same_hops():
    """The reference takes the hops that the kernels, as plain Python, have drawn; no others, and all of them."""
    drawn = []

    def draw(first, last, h, is_random, rng, path):
        count = cut_path(first, last, h, is_random, rng, path)
        drawn.append((first, last, path[:count].tolist()))
        return count

    def take(first, last, h, is_random, rng, path):
        began, ended, states = drawn.pop(0)
        assert (began, ended) == (first, last) == (states[0] - 1, states[-1])
        assert all(1 <= end - begin <= h for begin, end in itertools.pairwise(states))
        path[: len(states)] = states
        return len(states)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_hops, "cut_path", draw)
        patch.setattr(reference_hops, "cut_path", take)
        yield
    assert not drawn


def follow_with_hops(agent, reference, episodes):
    """Training, also with random hops, whose draws stand between those of the moves; compiled, those are left out."""
    is_random = agent.config.backup.hops == "random"
    if EVERYTHING or not is_random:
        with same_hops() if is_random else contextlib.nullcontext():
            follow_training(agent, reference, episodes)
