"""The Python programs of the documentation on estimators run."""

import re
import runpy
from pathlib import Path

import pytest

import hierq

PAGES = ("docs/estimators.md",)
ROOT = Path(__file__).parents[1]
PROGRAMS = [
    (page, place, program)
    for page in PAGES
    for place, program in enumerate(re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.S | re.M))
]


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize(("page", "place", "program"), PROGRAMS, ids=[f"{page}-{place}" for page, place, _ in PROGRAMS])
def test_it_runs(page, place, program, tmp_path, monkeypatch):
    """As plain Python, and in a small world: what is shown is how things are called."""
    small = hierq.make_world("rooms-example")
    monkeypatch.setattr(hierq, "make_world", lambda name: small)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "program.py"
    path.write_text(program)
    names = runpy.run_path(str(path))
    assert isinstance(names["config"], hierq.AgentConfig)
    if "agent" in names:
        assert sum(names["agent"].learnt(level)[0] for level in range(names["config"].levels)) > 0
