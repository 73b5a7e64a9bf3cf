"""hop_returns: the reference's return along one path, for arrays."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hierq
from hierq.agents.estimators.operators import OPERATORS
from hierq.reference import ReferenceAgent


@hierq.operator
def optimistic(q, v, y):
    return max(v, y)


def path_of(level, first, last):
    """The arrays of a path of the reference, from S_{first + 1} to S_last, for all goals."""
    times = list(range(first + 1, last + 1, level.h))
    hops = list(pairwise(times))
    states = [level.S[time] for time in times]
    return {
        "v": np.stack([level.V(state) for state in states]),
        "q": np.array([level.q(level.S[a], level.A[b - 1]) for a, b in hops]).reshape(len(hops), len(level.goals)),
        "pi": np.array([level.pi(level.S[a], level.A[b - 1]) for a, b in hops]).reshape(len(hops), len(level.goals)),
        "reached": np.stack([level.is_at(state) for state in states]),
    }


@pytest.mark.parametrize("operator", [*OPERATORS, optimistic], ids=str)
@pytest.mark.parametrize("target", ["greedy", hierq.EpsilonSoft(0.3)], ids=("greedy", "soft"))
def test_returns_are_those_of_the_reference(operator, target):
    if (operator == "uncorrected") == (target != "greedy") or (operator == "expected-sarsa" and target == "greedy"):
        if operator in ("uncorrected", "expected-sarsa"):
            pytest.skip("these two are told apart by the target")
    backup = hierq.Backup(operator, n=1 if operator == "one-step" else 3)
    config = hierq.AgentConfig(levels=2, backup=backup, step_size=0.5, universal_top=True, target=target)
    agent = ReferenceAgent(hierq.make_world("rooms-example"), config, seed=0)
    for moves in ("ENSEESWEN", "EWENSEESWEN", "ENSEESWEN"):
        agent.replay(moves)
    compared = 0
    for level in agent.levels:
        for first in range(len(level.A) - 1):
            last = first + 1 + level.h * min(3, (len(level.A) - first - 1) // level.h)
            path = path_of(level, first, last)
            expected = level.along_one_path(first, last)
            taken = [level.is_action(level.S[t], level.A[t + level.h - 1]) for t in range(first + 1, last, level.h)]
            if not all(taken):
                continue  # such a hop is no action of its level
            given = path if target != "greedy" else {name: path[name] for name in ("v", "q", "reached")}
            found = hierq.hop_returns(backup, **given, discount=config.discount)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
            compared += len(taken)
    assert compared > 10


def test_penalties_are_rewards_of_another_kind():
    found = hierq.hop_returns("max", v=[-3.0, 0.0], q=[-3.0], reached=[False, True], discount=1.0, rewards=(0.0, -1.0))
    assert found == -1


def test_share_of_open_gates():
    v, q = np.array([[0.5, 0.5], [0.5, 0.5], [0.0, 0.0]]), np.array([[0.5, 0.2], [0.5, 0.5]])
    reached = np.array([[False, False], [False, True], [True, False]])
    G, share = hierq.hop_returns(hierq.TreeBackup(3), v=v, q=q, reached=reached, discount=0.9, with_open=True)
    np.testing.assert_allclose(G, [0.9**2, 0.9 * 0.5])
    assert share == pytest.approx(2 / 3)  # the hop after the goal does not count
    G, share = hierq.hop_returns("tree-backup", v=v[:1], q=q[:0], reached=reached[:1], discount=0.9, with_open=True)
    np.testing.assert_allclose(G, [0.45, 0.45])
    assert np.isnan(share)


@given(st.integers(1, 4), st.integers(0, 3), st.sampled_from([np.float32, np.float64]), st.integers(0, 99))
def test_shapes_and_types_are_kept(m, batch, dtype, seed):
    rng = np.random.default_rng(seed)
    v = rng.random((m, batch, 2)).astype(dtype)
    q, reached = v[:-1] * rng.random((m - 1, batch, 2)).astype(dtype), rng.random(v.shape) < 0.2
    mu = rng.uniform(0.1, 1, q.shape)
    pi = rng.random(q.shape)
    for operator in ("peng", "retrace"):
        G = hierq.hop_returns(operator, v=v, q=q, reached=reached, discount=0.9, pi=pi, mu=mu)
        assert G.shape == (batch, 2) and G.dtype == dtype
        assert (G[reached[0]] == 1).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": np.zeros((2, 3))}, "q has shape"),
        ({"reached": np.zeros((3, 2), bool)}, "reached has shape"),
        ({"reached": np.full((2, 3), 2)}, "True or False"),
        ({"v": np.full((2, 3), np.nan)}, "v holds NaN"),
        ({"v": np.zeros(())}, "a row for each state"),
        ({"v": "values"}, "v cannot be read"),
        ({"discount": 1.5}, "discount"),
        ({"pi": np.zeros((2, 3))}, "pi has shape"),
        ({"pi": np.full((1, 3), 1.5)}, "pi are probabilities"),
        ({"mu": np.zeros((1, 3))}, "mu are probabilities above 0"),
        ({"backup": hierq.Traces(0.8)}, "takes a Backup"),
        ({"backup": "tree-bakup"}, "did you mean"),
    ],
)
def test_bad_input_is_refused_in_words(change, message):
    arguments = {"v": np.zeros((2, 3)), "q": np.zeros((1, 3)), "reached": np.zeros((2, 3), bool), "discount": 0.9}
    arguments = {"backup": hierq.TreeBackup(4), **arguments, **change}
    with pytest.raises(hierq.InputError, match=message):
        hierq.hop_returns(arguments.pop("backup"), **arguments)


def test_a_name_of_other_libraries_is_answered_with_the_right_one():
    with pytest.raises(hierq.InputError, match="unknown settings: gamma; did you mean discount"):
        hierq.hop_returns("tree-backup", q=[0.0], v=[0.0, 0.0], reached=[False, True], gamma=0.9)
