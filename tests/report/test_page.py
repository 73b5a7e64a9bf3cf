"""The page as a whole: complete, well formed, honest about what is missing, the same every time, and only text."""

import itertools
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from html_outline import Outline

from hierq.errors import InputError
from hierq.figures.style import new_figure
from hierq.investigations import NamedFigure
from hierq.investigations.claims import Finding
from hierq.paper.claims.untested import UNTESTED
from hierq.paper.comparison import compare_all
from hierq.paper.figures import FIGURES
from hierq.paper.investigation import investigation
from hierq.paper.page import content as paper_content
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import DEPARTURES, PRINTED_LINE, REPOSITORY
from hierq.report import write_report
from hierq.report.page import gather, render
from hierq.report.pictures import as_id

HOSTILE = "<img src=x onerror=alert(1)>\"'></script><script>alert(2)</script>"
FEW = [FIGURES[name] for name in ("worlds", "path-counts", "audit-walls")]
FINDING = Finding(
    claim="improves",
    title="Hierarchy improves",
    source="Figure 4",
    rules="published",
    iterations=32,
    verdict="holds",
    statistic="tested",
    effect=-0.5,
    low=-0.6,
    high=-0.4,
    unit="difference",
    detail="Lines fall.",
)


@pytest.fixture(scope="module")
def outline(tiny_page: Path) -> Outline:
    return Outline.of(tiny_page)


def a_part(tiny_reproduction: Path, folder: Path, *studies: str) -> Reproduction:
    for study in studies:
        shutil.copytree(tiny_reproduction / study, folder / study)
    return Reproduction(folder)


def test_tags_are_closed_and_ids_are_unique(outline: Outline):
    assert outline.unclosed == []
    assert len(outline.ids) == len(set(outline.ids))


def test_links_lead_somewhere_in_the_page(outline: Outline):
    links = [link["href"] for link in outline.all("a")]
    assert len(links) > 20
    assert all(link.startswith("#") and link[1:] in outline.ids for link in links)


def test_headings_come_in_order(outline: Outline):
    levels = [level for level, _ in outline.headings]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    titles = [text.strip() for level, text in outline.headings if level == 2]
    assert titles == [
        "In one minute",
        "The numbers",
        "The figures",
        "The claims",
        "The departures",
        "Methods",
        "How to cite",
    ]


def test_every_figure_of_the_registry_has_its_place(outline: Outline):
    for name, figure in FIGURES.items():
        assert f"figure-{as_id(name)}" in outline.ids
        assert figure.title in outline.text
    # Only what was not run may be missing: the small reproduction has no stitching.
    assert len(outline.all("figure")) >= len(FIGURES) - 1
    assert len([one for one in outline.all("svg") if one.get("role") == "img"]) == len(outline.all("figure"))


def test_every_published_number_of_the_two_worlds_is_there(tiny_page: Path):
    page = tiny_page.read_text(encoding="utf-8")
    for name, rows in (("first-episode-published", 64), ("marginal-published-32", 128), ("marginal-text-50", 128)):
        table = page[page.index(f'id="{name}"') :]
        assert table[: table.index("</table>")].count("<tr>") == rows + 1
    curves = re.findall(r'<table class="curves">.*?</table>', page, re.S)
    assert [table.count('<td class="z') for table in curves] == [400, 400]


def test_every_claim_and_every_departure_is_there(outline: Outline, tiny_reproduction: Path):
    assert REPOSITORY in outline.text and "refuted by a run of that program" in outline.text
    for departure in (*DEPARTURES, PRINTED_LINE):
        assert departure.text in outline.text
        assert departure.published in outline.text
        assert departure.where in outline.text
    for departure in DEPARTURES:
        assert f"departure-{as_id(departure.name)}" in outline.ids
    assert len([name for name in outline.ids if name.startswith("claim-")]) >= 10


def test_tables_say_what_their_headers_head(outline: Outline):
    assert len(outline.all("table")) > 10
    assert all(header.get("scope") in ("col", "row", "rowgroup") for header in outline.all("th"))
    assert len(outline.all("caption")) == len(outline.all("table"))


def test_nothing_comes_from_elsewhere(tiny_page: Path, outline: Outline):
    sources = [
        value
        for _, attributes in outline.elements
        for key, value in attributes.items()
        if key in ("src", "href", "srcset", "action", "poster", "data") and value
    ]
    assert all(source.startswith(("#", "data:")) for source in sources)
    assert "@import" not in tiny_page.read_text(encoding="utf-8")
    assert not re.search(r"url\((?!#)", tiny_page.read_text(encoding="utf-8"))
    assert outline.all("html")[0]["lang"] == "en"


def test_the_page_does_not_say_where_it_was_made(tiny_page: Path, tiny_reproduction: Path):
    page = tiny_page.read_text(encoding="utf-8")
    assert str(tiny_reproduction) not in page
    assert not re.search(r"(/home/|/root/|/tmp/|/Users/)", page)


def test_methods_have_the_numbers_of_the_runs(outline: Outline):
    text = " ".join(outline.text.split())
    assert "main published 2 64 3 384 50" in text
    assert "hierq reproduce --seeds 3 --out reproduction" in text


def test_the_same_results_give_the_same_page(tiny_reproduction: Path, tmp_path: Path):
    pages = [
        write_report(
            investigation, Reproduction(tiny_reproduction), tmp_path / f"{time}.html", findings=[FINDING], figures=FEW
        ).read_bytes()
        for time in range(2)
    ]
    assert pages[0] == pages[1]


def test_what_was_not_run_is_said_with_its_command(tiny_reproduction: Path, tmp_path: Path):
    part = a_part(tiny_reproduction, tmp_path / "part", "text/balanced")
    page = write_report(investigation, part, tmp_path / "report.html")
    outline = Outline.of(page)
    text = " ".join(outline.text.replace("\u00a0", " ").split())
    assert outline.unclosed == []
    for command in (
        "hierq reproduce --study main --rules published --seeds 3 --out reproduction",
        "hierq reproduce --study balanced --rules published --seeds 3 --out reproduction",
        "hierq reproduce --study audit --seeds 3 --out reproduction",
        "hierq reproduce --study stitching --seeds 3 --out reproduction",
    ):
        assert command in text
    assert "The effects of the departures were not measured." in text
    assert "Not compared: the study behind it was not run." in text
    assert str(tmp_path) not in page.read_text(encoding="utf-8")


def test_only_commands_and_reasons_lose_the_name_of_the_folder(tiny_reproduction: Path, tmp_path: Path, monkeypatch):
    """A folder called "out", which is part of many a word."""
    monkeypatch.chdir(tmp_path)
    part = a_part(tiny_reproduction, Path("out"), "text/balanced")
    finding = replace(FINDING, detail="Without the slip. To test it: hierq reproduce --study audit --out out")

    def refuse(_reproduction):
        raise InputError("it has no finished runs without them in out; make them with: hierq reproduce --out out")

    figures = [NamedFigure("a", "A", "Caption.", "Alt.", (), refuse)]
    content = gather(investigation, part, [finding], figures)
    text = " ".join(Outline(render(investigation, content)).text.replace("\u00a0", " ").split())
    assert "Without the slip. To test it: hierq reproduce --study audit --out reproduction" in text
    reason = "without them in reproduction; make them with: hierq reproduce --out reproduction"
    assert reason in text.lower()
    assert "withreproduction" not in text.lower()


def test_methods_are_the_protocol(outline: Outline):
    text = " ".join(outline.text.replace("\u00a0", " ").split())
    for said in (
        "k = 1 with γ = 0.983 and n = 9, k = 2 with γ = 0.95 and n = 3 and k = 3 with γ = 0.8574 and n = 1",
        "penalties with γ = 1, whose values start at 0 and pessimistic",
        "for 1 iteration.",
        "All 8 choices of the 3 departures that are switches of an agent × k = 2, 3, 4 × n = 3 and λ = 1.",
        "k = 3 under the published rules and k = 2, 3 under the text rules",
        "A flat agent with n = 1 or λ = 1 trains",
        "95 % intervals from 1,000 draws",
        "Holm’s correction at 5 %",
        "this page was made on",
        "exploratory, not preregistered",
    ):
        assert said in text, said


def test_the_page_says_what_it_is_and_what_was_compared(outline: Outline):
    text = " ".join(outline.text.replace("\u00a0", " ").split())
    for said in (
        "hierq is a Python program for experiments on hierarchical credit assignment.",
        "10x10 and 20x20 Gridworld, 4-rooms and 9-rooms 5-to-1, 10x10 and 20x20 Maze",
        "Agrees but for 1: the same, but one of them does differ",
        "What is compared: the 192 cells of Table 3",
        "published ± our estimate of its error",
        "half a standard error of the mean (caption of Figure 4)",
        "No effect is possible: the rule is not used in training.",
        "3 seeds for each agent",
        "Appendix C, second paragraph",
        "Algorithm 1, line 7",
        "Line 6 of Algorithm 3",
    ):
        assert said in text, said
    assert text.index("Agrees but for 1") < text.index("Which claims hold")


def test_claims_that_are_not_tested_are_named_with_the_reason(outline: Outline):
    text = " ".join(outline.text.split())
    for one in UNTESTED:
        assert one.claim in text and one.source in text and one.reason in text
    assert "untested" in outline.ids


def test_the_page_claims_nothing_about_departures_that_was_not_measured(outline: Outline):
    assert "together they suffice" not in " ".join(outline.text.split())


def test_hostile_names_stay_text(tiny_reproduction: Path, monkeypatch):
    """Names of worlds, claims, figures and reasons: wherever they stand they are text."""
    reproduction = Reproduction(tiny_reproduction)
    compared = compare_all(reproduction)
    compared = compared.with_columns(world=compared["world"].replace({"maze-10": HOSTILE}))
    monkeypatch.setattr(paper_content, "compare_all", lambda _: compared)

    def draw(_reproduction):
        return new_figure(2, 2)[0]

    def refuse(_reproduction):
        raise InputError(HOSTILE)

    figures = [
        NamedFigure(HOSTILE, HOSTILE, HOSTILE, HOSTILE, (), draw),
        NamedFigure("b", HOSTILE, HOSTILE, HOSTILE, (), refuse),
    ]
    words = dict.fromkeys(("claim", "title", "source", "statistic", "unit", "detail"), HOSTILE)
    content = gather(investigation, reproduction, [replace(FINDING, **words)], figures)
    methods = replace(content["methods"], worlds=(HOSTILE,), versions=((HOSTILE, HOSTILE),))
    page = render(investigation, {**content, "methods": methods})
    outline = Outline(page)
    assert outline.unclosed == []
    assert len(outline.all("script")) == 1
    assert not [one for tag, one in outline.elements if any(key.startswith("on") for key in one)]
    assert outline.text.count(HOSTILE) > 70  # the table of first episodes alone has 32 rows of it, twice
    assert len(outline.ids) == len(set(outline.ids))


def test_the_script_is_allowed_by_its_digest_alone(tiny_page: Path, outline: Outline):
    policy = next(meta["content"] for meta in outline.all("meta") if meta.get("http-equiv"))
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}'", policy)


def test_a_target_that_cannot_be_written_is_refused(tiny_reproduction: Path, tmp_path: Path):
    with pytest.raises(InputError, match="no folder"):
        write_report(
            investigation, Reproduction(tiny_reproduction), tmp_path / "no" / "report.html", findings=[], figures=[]
        )


def test_the_page_is_small_enough_to_send(tiny_page: Path):
    assert tiny_page.stat().st_size < 6_000_000
