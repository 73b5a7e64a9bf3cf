"""The Python programs of the documentation on estimators and explorers run."""

import re
import runpy
from pathlib import Path

import pytest

import hierq

PAGES = ("docs/estimators.md", "docs/exploration.md")
ROOT = Path(__file__).parents[1]


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("page", PAGES)
def test_it_runs(page, tmp_path, monkeypatch):
    """As plain Python, and in a small world: what is shown is how things are called."""
    small = hierq.make_world("rooms-example")
    monkeypatch.setattr(hierq, "make_world", lambda name: small)
    monkeypatch.chdir(tmp_path)
    programs = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.S | re.M)
    assert len(programs) >= 2
    path = tmp_path / "program.py"
    path.write_text("\n".join(programs))  # one goes on where the other ended
    names = runpy.run_path(str(path))
    assert isinstance(names["config"], hierq.AgentConfig)
    assert sum(names["agent"].learnt(level)[0] for level in range(names["agent"].config.levels)) > 0
