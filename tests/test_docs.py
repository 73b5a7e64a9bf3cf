"""The Python programs of the documentation run. The notebooks are run by `make docs`."""

import doctest
import re
import runpy
from pathlib import Path

import pytest

import hierq
import hierq.approximate
import hierq.figures
import hierq.reference
import hierq.studies

ROOT = Path(__file__).parents[1]


def programs(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.S | re.M)


def public_names() -> list[str]:
    """Of hierq, and of its public modules what is not among them."""
    modules = [hierq, hierq.approximate, hierq.figures, hierq.statistics, hierq.studies, hierq.reference]
    mine = {each: [name for name in each.__all__ if each is hierq or name not in hierq.__all__] for each in modules}
    return [f"{each.__name__}.{name}" for each, names in mine.items() for name in names]


def api_pages() -> str:
    """The pages of the reference, in their order."""
    folder = ROOT / "docs/reference/api"
    names = re.search(r":maxdepth: 1\n\n(.*?)```", (folder / "index.md").read_text(), re.S)[1].split()
    assert {f"{name}.md" for name in names} == {page.name for page in folder.glob("*.md")} - {"index.md"}
    return "\n".join((folder / f"{name}.md").read_text() for name in names)


def run(program: str, folder: Path) -> dict:
    path = folder / "program.py"
    path.write_text(program)
    return runpy.run_path(str(path))


def test_nobody_is_sent_to_an_index_that_does_not_have_hierq():
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        assert not re.search(r"pip install .?hierq", page.read_text()), page.name


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("page", ["docs/estimators.md", "docs/exploration.md", "docs/rivals.md", "docs/do/agents.md"])
def test_pages_on_agents(page, tmp_path, monkeypatch):
    """As plain Python, and in a small world: what is shown is how things are called."""
    small = hierq.make_world("rooms-example")
    monkeypatch.setattr(hierq, "make_world", lambda name: small)
    monkeypatch.chdir(tmp_path)
    assert len(programs(page)) >= 2
    names = run("\n".join(programs(page)), tmp_path)  # one goes on where the other ended
    assert isinstance(names["config"], hierq.AgentConfig)
    assert sum(names["agent"].learnt(level)[0] for level in range(names["agent"].config.levels)) > 0


@pytest.mark.usefixtures("interpreter")
def test_page_on_large_worlds(tmp_path, capsys):
    """As plain Python, in a smaller maze and for fewer steps."""
    (program,) = programs("docs/scale.md")
    small = program.replace("301, 301", "31, 31").replace("200_000", "2_000")
    agent = run(small, tmp_path)["agent"]
    assert (agent.world.shape, agent.config.tables) == ((31, 31), "local")
    assert agent.learnt(0)[0] > 0 and int(capsys.readouterr().out) >= 0
    assert hierq.maze(301, 301, seed=1, loops=1.0).states == int(
        re.search(r"# ([\d,]+) free", program)[1].replace(",", "")
    )


def test_every_page_with_a_program_is_tested():
    """docs/worlds.md by tests/worlds, docs/investigations.md by tests/investigations, all others here."""
    pages = [page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md")]
    elsewhere = {"docs/worlds.md", "docs/investigations.md"}
    tested = set(re.findall(r'"(docs/[\w/-]+\.md)"', Path(__file__).read_text()))
    assert {page for page in pages if programs(page)} <= tested | elsewhere


@pytest.mark.parametrize("page", ["README.md", "docs/do/worlds.md", "docs/do/studies.md"])
def test_recipes(page, tmp_path, monkeypatch, request):
    """Those about worlds need kernels that no other test needs, so they run as plain Python."""
    request.getfixturevalue("interpreter_first" if page == "docs/do/worlds.md" else "compiler")
    monkeypatch.chdir(tmp_path)
    assert run("\n".join(programs(page)), tmp_path)["hierq"] is hierq


@pytest.mark.usefixtures("compiler")
def test_page_on_approximation(tmp_path):
    names = run("\n".join(programs("docs/approximate.md")), tmp_path)
    assert names["targets"].shape == (64,) and 0 <= names["share"] <= 1
    assert len(names["levels"].gate_rate) == 3


@pytest.mark.usefixtures("compiler")
def test_examples_of_the_reference(tmp_path, monkeypatch):
    """One after the other, with what they print."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```pycon\n(.*?)^```", api_pages(), re.S | re.M)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "the reference", None, None)
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_every_public_name_has_an_example_in_the_reference():
    """Names of one block share the example below it."""
    source = api_pages()
    for name in public_names():
        assert f":: {name}\n" in source, name
        assert ">>> " in source.split(f":: {name}\n")[1].split("```{eval-rst}")[0], name


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("program", programs("docs/results.md"))
def test_results(program, tmp_path, monkeypatch, capsys):
    """On the results of a small study: something is printed, or a picture is written."""
    if "to_pandas" in program:
        pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    if "results/" in program:
        agents = [hierq.AgentConfig(levels=k, horizons=horizon) for k in (1, 2) for horizon in (2, 3)]
        hierq.run_study(hierq.Study("rooms-example", agents, 2, hierq.Protocol(7)), "results/")
    run(program.replace('"maze-10"', '"rooms-example"'), tmp_path)
    pictures = list(tmp_path.glob("*.pdf"))
    assert (
        (len(pictures) == 1 and pictures[0].stat().st_size > 1000) if "savefig" in program else capsys.readouterr().out
    )
    if "steps.outcomes" in program:  # what the page says of these steps
        config = hierq.AgentConfig(levels=2, backup=hierq.Traces(0.8))
        steps = hierq.Agent(hierq.make_world("holes"), config, seed=0).train(100)
        assert str(hierq.statistics.mean(steps)) == "20.31 [17.5, 25.22]; goal reached in 55 of 100"


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("program", [text for text in programs("CONTRIBUTING.md") if "AgentConfig" in text])
def test_own_parts_of_contributing(program, tmp_path):
    config = run(program if "import hierq" in program else f"import hierq\n{program}", tmp_path)["config"]
    agent = hierq.Agent(hierq.make_world("rooms-example"), config)
    agent.train(2)
    assert agent.learnt(0)[0] > 0


def test_the_readme_is_short_and_begins_with_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = text.split("## ")[0]
    assert len(text.splitlines()) < 120
    assert re.findall(r"^make (\w+)", first, re.M) == ["reproduce", "test"]
    assert first.count("<picture>") == 1 and "minutes" in first and "Python 3.11" in first
    findings = text.split("## What was found")[1].split("## ")[0]
    assert len(re.findall("^- ", findings, re.M)) == 5
