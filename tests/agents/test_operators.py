"""Operators: what passes through a hop, by hand, and what they are tried on."""

from types import SimpleNamespace

import numpy as np
import pytest

from hierq.agents.estimators import operators
from hierq.agents.estimators.all_paths import count_paths
from hierq.agents.estimators.operators import OPERATORS

pytestmark = pytest.mark.usefixtures("once")


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ("one-step", 0.5),
        ("tree-backup", 0.5 + 0.25 * 0.6),
        ("tree-backup-fading", 0.5 + 0.8 * 0.25 * 0.6),
        ("tree-backup-printed", 0.25 * 0.9 + 0.75 * 0.5),
        ("peng", 0.2 * 0.5 + 0.8 * 0.9),
        ("never-cut", 0.5 + 0.8 * 0.6),
        ("retrace", 0.5 + 0.8 * 0.5 * 0.6),
        ("sarsa", 0.2 * 0.3 + 0.8 * 0.9),
        ("uncorrected", 0.9),
        ("expected-sarsa", 0.9),
        ("max", 0.9),
    ],
)
def test_what_passes_by_hand(operator, expected):
    """Q = 0.3, v = 0.5, y = 0.9, π = 0.25, μ = 0.5, λ = 0.8; and where μ < π, Retrace takes the hop in full."""
    function = operators.FADING_TREE_BACKUP if operator == "tree-backup-fading" else OPERATORS[operator]
    hop = {"q": 0.3, "v": 0.5, "y": 0.9, "pi": 0.25, "decay": 0.8}
    assert function.call(**hop, mu=0.5) == pytest.approx(expected, rel=1e-15)
    if operator == "retrace":
        assert function.call(**hop, mu=0.1) == pytest.approx(0.5 + 0.8 * 0.6, rel=1e-15)
    if operator == "max":
        assert function.call(**{**hop, "y": 0.4}, mu=0.5) == 0.5


@pytest.mark.parametrize(
    ("operator", "greedy"),
    [("tree-backup", 0.9), ("tree-backup-fading", 0.82), ("tree-backup-printed", 0.9), ("retrace", 0.82)],
)
def test_what_passes_by_hand_for_the_greedy_policy(operator, greedy):
    function = operators.FADING_TREE_BACKUP if operator == "tree-backup-fading" else OPERATORS[operator]
    assert function.call(q=0.5, v=0.5, y=0.9, pi=1, mu=0.5, decay=0.8) == pytest.approx(greedy, rel=1e-15)
    assert function.call(q=0.3, v=0.5, y=0.9, pi=0, mu=0.5, decay=0.8) == 0.5


def test_operators_are_tried_on_numbers_close_to_each_other_and_far_apart():
    tried = [(q, v, y) for q, v, y in operators.triples(range(1000), all_of=3) if v < 990]
    assert all(0 <= q <= v and y >= 0 for q, v, y in tried)
    for distance in (1, 2, 10, 100):
        assert sum(v - q == distance for q, v, _ in tried) > 50
    for close in (lambda q, v, y: y == q < v, lambda q, v, y: y == v, lambda q, v, y: y == v - 1):
        assert sum(close(*triple) for triple in tried) > 150
    assert sum(abs(v - y) > 200 for _, v, y in tried) > 100 and sum(v - q > 200 for q, v, _ in tried) > 100


def test_paths_are_counted_from_later_states_alone():
    """N_3 = N_4 + N_5 + N_6; what stands in the ring buffer at the time 3 is of an earlier backup."""
    paths = np.array([0.0, 0.0, 0.0, 99.0, 4.0, 2.0, 1.0, 0.0])
    assert count_paths(SimpleNamespace(weighs_paths=True), paths, 3, 6) == 7.0
    assert count_paths(SimpleNamespace(weighs_paths=False), paths, 3, 6) == 3.0
