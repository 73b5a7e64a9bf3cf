"""Investigations as a user writes them: the example of the documentation, and what is refused before any run."""

import re
from pathlib import Path

import pytest

import hierq
from command import hierq_command
from hierq.cli.investigate import carry_out
from hierq.errors import InputError
from hierq.investigations import Claim, Investigation, find_investigation
from hierq.investigations.parts import Part

DOCUMENT = Path(__file__).parents[2] / "docs" / "investigations.md"
STUDY = hierq.Study(("rooms-4", "maze-10"), hierq.AgentConfig(levels=2), seeds=3)
SURE = Claim("sure", "It is so.", "nowhere", "a", lambda results: {}, "below")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder with the example of the documentation."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "second-level").mkdir()
    code = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)
    assert code is not None and len(code[1].splitlines()) <= 40
    (tmp_path / "second-level" / "investigation.py").write_text(code[1], encoding="utf-8")
    return tmp_path / "second-level"


def test_the_example_of_the_documentation(folder: Path, compiler: None, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["investigate", "second-level", "--out", "out", "--seeds"]
    planned = hierq_command(capsys, *words, "2", "--plan")
    assert planned.code == 0 and "4 runs" in planned.out and not Path("out").exists()

    few = hierq_command(capsys, *words, "2")
    assert few.code == 0 and "not run" in few.out
    page = Path("out/report.md").read_text(encoding="utf-8")
    assert "\n2 seeds for every agent.\n" in page and "`hierq investigate second-level --seeds 2 --out out`" in page
    assert "too little; run: hierq investigate second-level --study levels --out out |" in page
    assert "to do    20 runs" in hierq_command(capsys, *words, "12", "--plan").out
    more = hierq_command(capsys, *words, "12")
    assert re.search(r"^supported +A second level", more.out, re.M)
    page = Path("out/report.md").read_text(encoding="utf-8")
    assert "![" in page and "figures/curves.svg" in page and str(folder.parent) not in page
    assert {"report.html", "report.md", "findings.csv", "levels.csv", "figures"} <= {
        p.name for p in Path("out").iterdir()
    }
    assert "second-level,,supported,mean" in Path("out/findings.csv").read_text()
    before = {
        path: path.read_bytes() for path in Path("out").rglob("*.*") if path.suffix in (".md", ".svg", ".csv", ".html")
    }
    assert hierq_command(capsys, *words, "12").code == 0
    assert all(path.read_bytes() == content for path, content in before.items()), "the same results, the same page"


def test_a_hint_has_the_options_that_were_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiler: None
) -> None:
    monkeypatch.chdir(tmp_path)
    parts = [Part("a", STUDY), Part("b", STUDY)]
    mine = Investigation("A", "B?", parts, name="mine", page="{{ scope(4) }}\n{{ ran() }}\n{{ ending() }}")
    assert carry_out(mine, ("a",), None, 1, ("rooms-4",), "my out", False, 1) == 0
    page = Path("my out/report.md").read_text(encoding="utf-8")
    for study in ("a", "b"):
        assert f"`hierq investigate mine --study {study} --seeds 1 --worlds rooms-4 --out 'my out'`" in page
    assert "**A small run: 1 seed for every agent; the full one has 4.**" in page


def test_runs_have_the_fields_of_their_part(tmp_path: Path, compiler: None) -> None:
    configs = [hierq.AgentConfig(levels=2, nearness=name) for name in ("steps", "L1")]
    labelled = Part.labelled("named", ["rooms-4"], {config: {"name": config.nearness.upper()} for config in configs})
    parts = [Part("near", hierq.Study("rooms-4", configs, 2), fields=("nearness",)), labelled.cut_to(2, ["rooms-4"])]
    for part in parts:
        hierq.run_study(part.study, tmp_path / part.folder, workers=1)
    results = Investigation("A", "B?", parts).open(tmp_path)
    assert results.frame("near").sort("nearness", "seed")["nearness"].to_list() == ["L1", "L1", "steps", "steps"]
    assert sorted(results.frame("named")["name"]) == ["L1", "L1", "STEPS", "STEPS"]


def test_investigations_are_listed_with_where_they_are(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "investigations" / "mine"
    own.mkdir(parents=True)
    own.joinpath("plan.py").write_text("TITLE = 'My question'\n")
    study = "hierq.Study('rooms-4', hierq.AgentConfig())"
    own.joinpath("investigation.py").write_text(
        f"import hierq\nfrom hierq.investigations import Part\nfrom .plan import TITLE\n"
        f"investigation = hierq.Investigation(TITLE, 'Why?', [Part('a', {study})])\n"
    )
    done = hierq_command(capsys, "investigate")
    assert done.code == 0
    assert re.search(r"^paper +On Credit Assignment.*\(in the package\)", done.out, re.M)
    assert re.search(r"^mine +My question +\(investigations/mine\)", done.out, re.M)
    for name in ("estimators", "exploration", "rivals"):  # those of the checkout
        assert re.search(rf"^{name} ", done.out, re.M)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must define `investigation"),
        ("investigation = 3", "must define `investigation"),
        ("import hierq\nhierq.Investigation('a', 'b', [])", "at least one study"),
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
        ({"studies": ["rooms-4"]}, "must be Part, not 'rooms-4'"),
        ({"claims": [3]}, "must be Claim"),
        ({"claims": [SURE, SURE]}, "two claims of an investigation are called 'sure'"),
        ({"studies": [Part("b", STUDY)], "claims": [SURE]}, "needs a study 'a'; there are b"),
    ],
)
def test_what_would_fail_after_the_runs_is_refused_before(changes: dict, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        Investigation(**{"title": "A", "question": "B?", "studies": [Part("a", STUDY)], **changes})


def test_parts_are_chosen_by_study_rules_and_world() -> None:
    other = hierq.Study("maze-20", hierq.AgentConfig())
    parts = [Part("a", STUDY), Part("b", other, "text"), Part("c", STUDY, "text", usual=False)]
    chosen = Investigation("A", "B?", parts, name="it").chosen
    assert [part.name for part in chosen(5)] == ["a", "b"]
    (small,) = chosen(5, worlds=["rooms-4"])
    assert (small.name, small.study.seeds, len(small.study.worlds)) == ("a", 5, 1)
    assert [part.folder for part in chosen(5, ["c"])] == [Path("text/c")]
    assert [part.name for part in chosen(5, ["a", "b", "c"], ["text"])] == ["a", "b", "c"]
    for asked, says in (
        ({"names": ["d"]}, "the investigation 'it' has no study 'd'; there are a, b, c"),
        ({"worlds": ["room-4"]}, "no world 'room-4'; did you mean rooms-4?"),
        ({"rules": []}, "at least one rules: text"),
        ({"names": ["b"], "worlds": ["rooms-4"]}, "nothing to run for these worlds; b is on maze-20"),
    ):
        with pytest.raises(InputError, match=re.escape(says)):
            chosen(5, **asked)


def test_a_study_may_have_a_bound_of_seeds() -> None:
    bounded = Part("a", STUDY, most_seeds=5)
    assert [bounded.cut_to(seeds, ["maze-10"]).study.seeds for seeds in (2, 5, 20)] == [2, 5, 5]


def test_worlds_and_seeds_that_are_there_stay() -> None:
    every = Part("a", STUDY)
    chosen = every.cut_to(2, ["maze-10"])
    known = hierq.Study("rooms-4", hierq.AgentConfig(levels=2), seeds=7)
    joined = chosen.joined(known, every)
    assert [world.name for world in joined.study.worlds] == ["rooms-4", "maze-10"]
    assert joined.study.seeds == 7
    assert chosen.joined(chosen.study, every) is chosen
