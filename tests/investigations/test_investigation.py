"""Investigations as a user writes them: the example of the documentation, and what is refused before any run."""

import re
from pathlib import Path

import pytest

import hierq
from command import hierq_command
from hierq.errors import InputError
from hierq.investigations import Investigation, Judgement, NamedFigure, claimed, find_investigation
from hierq.investigations.parts import Part, choose

DOCUMENT = Path(__file__).parents[2] / "docs" / "investigations.md"
STUDY = hierq.Study(("rooms-4", "maze-10"), hierq.AgentConfig(levels=2), seeds=3)


@claimed("sure", "It is so.", "nowhere", "a")
def sure(results):
    return Judgement("holds", "nothing", "Nothing.")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder with the example of the documentation."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "second-level").mkdir()
    code = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)
    assert code is not None
    (tmp_path / "second-level" / "investigation.py").write_text(code[1], encoding="utf-8")
    return tmp_path / "second-level"


def test_the_example_of_the_documentation(folder: Path, compiler: None, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["investigate", "second-level", "--out", "out", "--seeds"]
    planned = hierq_command(capsys, *words, "2", "--plan")
    assert planned.code == 0 and "4 runs" in planned.out and not Path("out").exists()

    few = hierq_command(capsys, *words, "2")
    assert few.code == 0 and "?       A second level saves steps." in few.out
    page = Path("out/report.html").read_text(encoding="utf-8")
    assert "has 2 seeds" in page and "hierq investigate second-level --study levels --out second-level-results" in page

    more = hierq_command(capsys, *words, "12")
    assert "4 runs are there already, 20 to do" in more.err
    assert "holds   A second level saves steps." in more.out
    page = Path("out/report.html").read_text(encoding="utf-8")
    assert "Does a second level help in the four rooms?" in page and "<svg" in page and str(folder.parent) not in page
    assert "second-level,A second level saves steps.,a guess,,,holds" in Path("out/findings.csv").read_text()


def test_investigations_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, "investigate")
    assert done.code == 0
    assert re.search(r"^paper +On Credit Assignment", done.out, re.M)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must define `investigation"),
        ("investigation = 3", "must define `investigation"),
        ("import hierq\nhierq.Investigation('a', 'b', {})", "at least one study"),
        ("1 / 0", "cannot be run: ZeroDivisionError"),
    ],
)
def test_a_folder_that_defines_none_is_refused(folder: Path, text: str, says: str) -> None:
    (folder / "investigation.py").write_text(text)
    with pytest.raises(InputError, match=re.escape(says)):
        find_investigation("second-level")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"studies": {"a": "rooms-4"}}, "must be Study, not 'rooms-4'"),
        ({"claims": [sure.judge]}, "must be Claim"),
        ({"claims": [sure, sure]}, "two claims of an investigation are called 'sure'"),
        ({"studies": {"b": STUDY}, "claims": [sure]}, "needs a study 'a'; there are b"),
        ({"figures": [NamedFigure("f", "F", "F.", "F.", (("z", None),), lambda _: None)]}, "'f' needs a study 'z'"),
    ],
)
def test_what_would_fail_after_the_runs_is_refused_before(changes: dict, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        Investigation(**{"title": "A", "question": "B?", "studies": {"a": STUDY}, **changes})


def test_parts_are_chosen_by_study_rules_and_world() -> None:
    other = hierq.Study("maze-20", hierq.AgentConfig())
    parts = [Part("a", None, STUDY), Part("b", "text", other), Part("c", "text", STUDY, usual=False)]
    assert [part.name for part in choose(parts, "it", 5)] == ["a", "b"]
    (small,) = choose(parts, "it", 5, worlds=["rooms-4"])
    assert (small.name, small.study.seeds, len(small.study.worlds)) == ("a", 5, 1)
    assert [part.folder for part in choose(parts, "it", 5, ["c"])] == [Path("text/c")]
    assert [part.name for part in choose(parts, "it", 5, ["a", "b", "c"], ["text"])] == ["a", "b", "c"]
    for asked, says in (
        ({"names": ["d"]}, "it has no study 'd'; there are a, b, c"),
        ({"worlds": ["room-4"]}, "no world 'room-4'; did you mean rooms-4?"),
        ({"rules": []}, "at least one rules: text"),
        ({"names": ["b"], "worlds": ["rooms-4"]}, "nothing to run for these worlds; b is on maze-20"),
    ):
        with pytest.raises(InputError, match=re.escape(says)):
            choose(parts, "it", 5, **asked)


def test_worlds_and_seeds_that_are_there_stay() -> None:
    every = Part("a", None, STUDY)
    chosen = every.cut_to(2, ["maze-10"])
    known = hierq.Study("rooms-4", hierq.AgentConfig(levels=2), seeds=7)
    joined = chosen.joined(known, every)
    assert [world.name for world in joined.study.worlds] == ["rooms-4", "maze-10"]
    assert joined.study.seeds == 7
    assert chosen.joined(chosen.study, every) is chosen


def test_what_came_of_it_is_told_by_a_function_of_the_findings(tmp_path: Path) -> None:
    told = Investigation("A", "B?", {"a": STUDY}, [sure], findings=lambda _, found: [f"{len(found)} found"])
    assert told.in_words(None, [None]) == ("1 found",)
    assert Investigation("A", "B?", {"a": STUDY}, findings=["So."]).in_words(None, []) == ("So.",)
    with pytest.raises(InputError, match="holds no results"):
        told.open(tmp_path)


@pytest.mark.parametrize("name", ["estimators", "exploration", "rivals"])
def test_the_page_of_the_documentation_is_that_of_the_plan(name: str) -> None:
    page = Path(__file__).parents[2] / "docs" / "investigations" / name / "report.html"
    rows = re.findall(r'<tr><th scope="row">(.+?)</th>(.*?)</tr>', page.read_text(encoding="utf-8"))
    shown = {study: re.findall(r">([\d,]+)<", cells)[:4] for study, cells in rows}
    for part in find_investigation(name).parts:
        study = part.study
        seeds = 200 if part.usual else 10
        runs = f"{seeds * len(study.cases):,}"
        assert shown[part.name] == [str(len(study.worlds)), str(len(study.agents)), str(seeds), runs], part.name
