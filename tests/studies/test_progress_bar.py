"""The bar of run_study(progress=True), wherever it is shown."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from hierq import AgentConfig, Protocol, Study, progress_bar, run_study
from hierq.studies.progress import BarWatch

STUDY = Study("rooms-example", AgentConfig(levels=1), seeds=3, protocol=Protocol(2))


def test_lines_now_and_then_where_there_is_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_study(STUDY, tmp_path / "quick", progress=True)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress_bar, "SECONDS_BETWEEN_LINES", 0.0)
    run_study(STUDY, tmp_path / "slow", progress=True)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3 and said[0] == "1 of 3 runs" and said[-1].startswith("3 of 3 runs")
    run_study(STUDY, tmp_path / "silent")
    assert capsys.readouterr().err == ""


def test_a_bar_on_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    run_study(STUDY, tmp_path, progress=True)
    said = capsys.readouterr().err
    assert said.startswith(f"\r{'·' * 24} 0 of 3 runs") and f"{'█' * 24} 3 of 3 runs" in said
    assert said.endswith("\r\033[K"), "the bar is taken away when the study is over"


def test_the_rate_leaves_out_what_the_first_run_waited_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(progress_bar.time, "monotonic", lambda: now[0])
    with BarWatch() as bar:
        bar.begin(STUDY, list(STUDY.runs()), present=0)
        for seconds in (60.0, 10.0):  # a compiler, then runs of ten seconds
            now[0] += seconds
            bar.finished("a case", seconds)
    said = capsys.readouterr().err.splitlines()
    assert said == ["1 of 3 runs", "2 of 3 runs, 0.1 a second, 10 s left"]


def test_a_bar_below_a_cell_of_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    page = ModuleType("IPython.display")
    page.HTML = str
    page.display = lambda what, display_id: SimpleNamespace(update=shown.append)
    shell = ModuleType("IPython")
    shell.get_ipython = lambda: SimpleNamespace(kernel=True)
    shell.display = page
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", page)
    run_study(STUDY, tmp_path, progress=True)
    assert shown[0].startswith('<progress value="0" max="3"') and "3 of 3 runs" in shown[-1]
