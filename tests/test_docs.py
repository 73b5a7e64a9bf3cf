"""The Python programs of the documentation run."""

import re
import runpy
from pathlib import Path

import pytest

import hierq

ROOT = Path(__file__).parents[1]


def programs(page: str) -> list[tuple[int, str]]:
    return [*enumerate(re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.S | re.M))]


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize(("place", "program"), programs("docs/estimators.md"))
def test_estimators(place, program, tmp_path, monkeypatch):
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


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize(("place", "program"), programs("docs/results.md"))
def test_results(place, program, tmp_path, monkeypatch):
    """On the results of a small study."""
    if "to_pandas" in program:
        pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    if "results/" in program:
        agents = [hierq.AgentConfig(levels=k, horizons=horizon) for k in (1, 2) for horizon in (2, 3)]
        hierq.run_study(hierq.Study("rooms-example", agents, 2, hierq.Protocol(7)), "results/")
    path = tmp_path / "program.py"
    path.write_text(program.replace('"maze-10"', '"rooms-example"'))
    runpy.run_path(str(path))
