"""The example files run, and what they train points towards the goal."""

import runpy
import sys
from pathlib import Path

import pytest
from scipy.stats import binomtest

PAIRS = 13 * 12  # of cells on the ring
EXAMPLES = Path(__file__).parents[2] / "examples"


def trained(name, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])
    return runpy.run_path(str(EXAMPLES / name))["main"]()


def check_better_than_chance(right):
    """Each level points towards the goal for more pairs of cells than a coin would, at one in a million."""
    for share in right.values():
        assert binomtest(round(share * PAIRS), PAIRS, 0.5, alternative="greater").pvalue < 1e-6


@pytest.mark.usefixtures("compiler")
def test_training_step_in_numpy(monkeypatch):
    check_better_than_chance(trained("hop_returns_numpy.py", monkeypatch))


@pytest.mark.usefixtures("compiler")
def test_training_step_in_jax(monkeypatch):
    pytest.importorskip("jax")
    check_better_than_chance(trained("hop_returns_jax.py", monkeypatch))
