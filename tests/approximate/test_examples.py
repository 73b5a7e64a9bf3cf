"""The example files run, and what they train points towards the goal."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def trained(name, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])
    return runpy.run_path(str(EXAMPLES / name))["main"]()


@pytest.mark.usefixtures("compiler")
def test_training_step_in_numpy(monkeypatch):
    assert min(trained("hop_returns_numpy.py", monkeypatch).values()) > 0.75


@pytest.mark.usefixtures("compiler")
def test_training_step_in_jax(monkeypatch):
    pytest.importorskip("jax")
    assert min(trained("hop_returns_jax.py", monkeypatch).values()) > 0.75
