"""The one judge, the numbers it judges by, and the page: on made-up numbers with a known truth."""

from collections import namedtuple
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import hierq
from hierq.errors import InputError
from hierq.figures import Curve, curves_figure
from hierq.investigations import (
    Claim,
    Investigation,
    Measured,
    Results,
    contrast,
    exactly,
    find_investigation,
    judge,
    mean_by,
    means_over_runs,
    minus,
    where,
    write_page,
)
from hierq.investigations.claims import Finding, Row, verdict_of
from hierq.investigations.html import html_of
from hierq.investigations.page import claims_table, markdown_table
from hierq.investigations.parts import Part

Cell = namedtuple("Cell", "world levels")
STUDY = hierq.Study(("rooms-4", "maze-10"), [hierq.AgentConfig(levels=k) for k in (1, 2, 3)], seeds=8)


class MadeUp(Results):
    """Results with a frame of their own."""

    def __init__(self, frame: pl.DataFrame, parts) -> None:
        self.made_up = frame
        super().__init__("nowhere", parts, "hierq investigate mine")

    def present(self):
        return list(self.parts)

    def _frame(self, name, rules):
        return self.made_up


def frame_of(effect: dict[int, float], seeds: int = 8, seed: int = 0) -> pl.DataFrame:
    """Runs of agents with k = 1, 2, 3 whose ln(steps) differ by so much."""
    generator = np.random.default_rng(seed)
    rows = []
    for world in ("rooms-4", "maze-10"):
        for k, shift in effect.items():
            for run in range(seeds):
                steps = np.exp(generator.normal(5 + shift, 0.2, 20)).astype(int).tolist()
                row = {
                    "world": world,
                    "agent": f"k{k}",
                    "levels": k,
                    "seed": run,
                    "training": steps,
                    "evaluation": steps,
                }
                rows.append({**row, "seconds": 1.0, "iterations": 20, "case": f"{world}{k}", "kernel": "0"})
    return pl.DataFrame(rows)


def claim(expects="below", limit=0.0, by="levels") -> Claim:
    compared = contrast("a", "log_steps", {"levels": (2, 3)}, {"levels": 1})
    return Claim("levels", "Levels help.", "nowhere", "a", compared, expects, by, limit)


def found(effect: dict[int, float], expects="below", limit=0.0):
    return judge(claim(expects, limit), MadeUp(frame_of(effect), [Part("a", STUDY, fields=("levels",))]))


@pytest.mark.parametrize(
    ("two", "three", "verdict"),
    [
        (-0.5, -0.8, "supported"),
        (-0.5, 0.0, "mixed"),
        (-0.5, 0.5, "mixed"),
        (0.5, 0.0, "contradicted"),
        (0.0, 0.0, "inconclusive"),
    ],
)
def test_the_rule(two: float, three: float, verdict: str) -> None:
    told = found({1: 0.0, 2: two, 3: three})
    assert told.verdict == verdict
    assert [row.group for row in told.rows] == ["k = 2", "k = 3"] and [row.levels for row in told.rows] == [2, 3]
    assert [row.estimate for row in told.rows] == pytest.approx([two, three], abs=0.1)
    assert all(row.low < row.estimate < row.high for row in told.rows)
    opposite = {"supported": "contradicted", "contradicted": "supported"}
    assert found({1: 0.0, 2: -two, 3: -three}, "above").verdict == verdict
    if verdict in opposite and three:
        assert found({1: 0.0, 2: two, 3: three}, "above").verdict == opposite[verdict]


def test_limits_and_equivalence() -> None:
    assert found({1: 0.0, 2: -0.5, 3: -0.5}, limit=-0.3).verdict == "supported"
    assert found({1: 0.0, 2: -0.5, 3: -0.5}, limit=-0.7).verdict == "contradicted"
    assert found({1: 0.0, 2: 0.0, 3: 0.0}, "within", 0.2).verdict == "supported"
    assert found({1: 0.0, 2: 0.5, 3: -0.5}, "within", 0.2).verdict == "contradicted"
    assert verdict_of(["claimed"]) == "supported" and verdict_of(["neither", "other"]) == "contradicted"
    with pytest.raises(InputError, match="below, above or within"):
        Claim("a", "A.", "b", None, lambda _: {}, "beside")  # type: ignore[arg-type]


def test_few_seeds_are_not_judged_and_many_noise_tests_rarely_fail() -> None:
    few = judge(claim(), MadeUp(frame_of({1: 0, 2: 0, 3: 0}, seeds=4), [Part("a", STUDY, fields=("levels",))]))
    assert few.verdict == "not run" and "4 seeds" in few.reason
    wrong = sum(
        judge(claim(), MadeUp(frame_of({1: 0, 2: 0, 3: 0}, seed=seed), [Part("a", STUDY, fields=("levels",))])).verdict
        != "inconclusive"
        for seed in range(40)
    )
    assert wrong <= 6  # 5 % of 40 is 2


def test_numbers() -> None:
    numbers = {
        Cell("a", 1): exactly(3.0),
        Cell("a", 2): exactly(1.0),
        Cell("b", 1): exactly(5.0),
        Cell("b", 2): exactly(1.0),
    }
    gains = minus(numbers, {"levels": 2}, {"levels": 1})
    assert {cell: gain.value for cell, gain in gains.items()} == {Cell("a", 2): -2.0, Cell("b", 2): -4.0}
    assert mean_by(gains, "levels")[2].value == -3.0
    assert list(where(numbers, world=("a",), levels=(1, 3))) == [Cell("a", 1)]
    assert exactly(0.0).p_value == 1.0 and exactly(1.0).p_value == 0.0
    runs = means_over_runs({"x": [1.0, 2.0, 3.0, 4.0]})["x"]
    value, low, high = runs.interval
    assert value == 2.5 and low < 2.5 < high
    standard_error = np.std([1, 2, 3, 4], ddof=1) / 2
    assert float(runs.drawn.std()) == pytest.approx(standard_error, rel=0.1)
    assert abs(Measured(-2.0, np.array([-1.0, -3.0]))).value == 2.0


def page_of(tmp_path: Path, page: str = "", seeds: int = 8) -> Path:
    def curves(results):
        steps = np.array(results.frame("a").filter(pl.col("levels") == 1)["evaluation"].to_list())
        return curves_figure([Curve("k = 1", steps, 1)], optimum=16)

    def broken(results):
        raise ZeroDivisionError("nothing | to <divide>")

    parts = [Part("a", STUDY, fields=("levels",))]
    mine = Investigation(
        "A <b>title</b>",
        "Why?",
        parts,
        [claim()],
        {"falling-curves": curves, "broken": broken},
        page=page,
        name="mine",
    )
    write_page(mine, MadeUp(frame_of({1: 0.0, 2: -0.5, 3: -0.8}, seeds), parts), tmp_path)
    return tmp_path


def test_a_page(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="the figure broken could not be drawn: ZeroDivisionError"):
        page_of(tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert "### Falling curves\n\n![Falling curves](figures/falling-curves.svg)" in text and "8 seeds for every" in text
    assert "> The figure broken could not be drawn: ZeroDivisionError: nothing \\| to \\<divide>" in text
    assert "*below 0* |" in text and "| **supported** |" in text and "| 2 of 2 |" in text
    svg = (tmp_path / "figures" / "falling-curves.svg").read_text()
    assert "prefers-color-scheme:dark" in svg and "fill: #ffffff; opacity" not in svg
    html = (tmp_path / "report.html").read_text()
    assert html.count("data:image/svg+xml;base64,") == 2, "the forest plot and the curves"
    assert '<span class="chip supported">supported</span>' in html and "<b>title" not in html
    assert "<script" not in html and "http-equiv" in html
    findings = pl.read_csv(tmp_path / "findings.csv")
    assert findings["group"].to_list() == ["mean", "k = 2", "k = 3"]
    assert findings.filter(group="k = 3")["estimate"].item() == pytest.approx(-0.8, abs=0.1)
    numbers = pl.read_csv(tmp_path / "a.csv")
    assert len(numbers) == 2 * 3 and {"log_steps", "log_steps low", "log_steps high"} <= set(numbers.columns)
    (tmp_path / "again").mkdir()
    with pytest.warns(UserWarning, match="broken"):
        again = page_of(tmp_path / "again")
    for name in ("report.md", "report.html", "findings.csv", "figures/falling-curves.svg", "figures/claims.svg"):
        assert (again / name).read_bytes() == (tmp_path / name).read_bytes()


def test_numbers_on_a_page(tmp_path: Path) -> None:
    page = "# T\n\n{{ ratio('levels', 3) }} {{ difference('levels') }} {{ verdict('levels') }} {{ table('none') }}"
    text = (page_of(tmp_path, page) / "report.md").read_text()
    assert "**supported**" in text and "There is no table none" in text
    ratio = float(text.split("\n")[2].split()[0])
    assert ratio == pytest.approx(np.exp(-0.8), rel=0.15)
    for bad, says in (("{{ ratio('nobody') }}", "nobody"), ("{{ nothing }}", "nothing"), ("{% if %}", "page cannot")):
        with pytest.raises(InputError, match=says):
            page_of(tmp_path, bad)


def test_tall_figures_are_printed_over_several_pages() -> None:
    for height, kind in ((300, "figure"), (900, "figure tall")):
        svg = f'<svg viewBox="0 0 300 {height}"/>'.encode()
        assert f'<img class="{kind}" src="data:' in html_of("![words](figures/x.svg)", {"figures/x.svg": svg})


def test_the_words_of_two_lines_stay_apart_under_the_title() -> None:
    assert '<p class="byline">one two</p>' in html_of("# Title\n\none\ntwo\n", {})


def test_a_table_of_claims_counts_the_groups_against_a_claim() -> None:
    rows = [Row(side, None, 0.0, 0.0, 0.0, 0.5, side, 0, 0) for side in ("claimed", "other", "neither")]
    table = claims_table([Finding(claim("above", -0.01), None, "mixed", tuple(rows), (0.1, 0.0, 0.2))])
    assert "*above −0.01* |" in table and "| 1 of 3, 1 against |" in table


def test_numbers_that_are_written_with_an_interval_or_a_star_stand_on_the_right() -> None:
    frame = pl.DataFrame({"name": ["a", "b"], "effect": ["-0.1 (-0.2 to 0.1)", "0.3*"], "k": ["1", "one"]})
    lines = markdown_table(frame).splitlines()
    assert lines[1] == "| --- | ---: | --- |"
    assert lines[2:] == ["| a | −0.1 (−0.2 to 0.1) | 1 |", "| b | 0.3* | one |"]


def test_html_of_markdown() -> None:
    cards, plain = "| a | b |\n|:---:|:---:|\n| 1 | 2 |", "| x | y |\n|---|---:|\n| <script> | 3 |"
    text = f"# A\n\nWhy?\n\n## One\n\n{cards}\n\n{plain}\n\n[l](javascript:x)"
    html = html_of(text, {})
    assert '<h2 id="one">' in html and '<a href="#one">One</a>' in html
    assert '<div class="box" style="--cards: 2"><table class="cards">' in html and '<table class="plain">' in html
    assert 'data-label="y"' in html and "<script>" not in html and 'href="javascript' not in html


@pytest.mark.parametrize("name", ["approximation", "estimators", "exploration", "rivals"])
def test_folders_use_the_public_interface_and_can_be_planned(name: str) -> None:
    folder = Path(__file__).parents[2] / "investigations" / name
    loaded = find_investigation(str(folder))
    assert loaded.studies and loaded.claims and "{{ claims() }}" in loaded.page
    for name_of_figure in loaded.figures:
        assert f'figure("{name_of_figure}", "' in loaded.page, "without a description"
    private = ("hierq.agents", "hierq.tables", "hierq.paper", "._")
    for file in folder.glob("*.py"):
        imports = [line for line in file.read_text().splitlines() if line.startswith(("from hierq", "import hierq"))]
        assert not [line for line in imports if any(word in line for word in private)], file.name
    for part in loaded.studies:
        if part.labels is not None:
            assert set(part.study.agents) == set(part.labels)
            assert all(set(part.fields) <= set(label) for label in part.labels.values())


def test_worlds_as_a_sample() -> None:
    """Seeds say that every world is known exactly; over worlds the interval is that of a mean of eight numbers."""
    effects = [-0.9, -0.5, -0.4, -0.3, -0.2, -0.1, 0.1, 0.2]
    numbers = {Cell(f"world-{place}", 3): exactly(effect) for place, effect in enumerate(effects)}
    results = MadeUp(frame_of({1: 0.0}), [Part("levels", STUDY)])

    def told(over_worlds: bool):
        claim = Claim("a", "A.", "b", "levels", lambda _: numbers, "below", by="levels", over_worlds=over_worlds)
        (row,) = judge(claim, results).rows
        return row

    sure, sample = told(False), told(True)
    assert sure.estimate == sample.estimate == pytest.approx(np.mean(effects))
    assert (sample.below, sample.above) == (sure.below, sure.above) == (6, 2)
    assert sure.low == pytest.approx(sure.high) and sure.side == "claimed"
    error = np.std(effects, ddof=1) / np.sqrt(8)
    assert sample.high - sample.low == pytest.approx(2 * 2.365 * error, rel=0.1)
    assert sample.side == "neither"
