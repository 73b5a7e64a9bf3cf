"""The investigation of rivals: its plan, its claims on results whose truth is known, and its figures."""

import hashlib
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from jinja2 import Environment, PackageLoader

from hierq.investigations import measures
from hierq.investigations.results import Results
from hierq.investigations.rivals import plan, tables
from hierq.investigations.rivals.figures import on_the_edge
from hierq.investigations.rivals.investigation import csv_tables, in_words, investigation, told
from hierq.investigations.rivals.plan import BACKWARD, LIMIT, ROWS, TRANSITIVE, Q, rows_of, with_budget
from hierq.investigations.rivals.worlds import discounting_chain, four_rooms, large_maze, slippery, umbrella
from hierq.studies import reaching
from hierq.worlds import optimum
from hierq.worlds.layout import AT_GOAL, GOES_ON, IN_HOLE

SEEDS = 12
WORLDS = ("gridworld-10", "maze-10", "taxi")
WORLDS_OF = {"traces": WORLDS, "large": (large_maze().name,), "chance": [world.name for world in slippery()]}
SHARED = ("traces", "large")


class MadeUp(Results):
    """Results whose frames are given."""

    def __init__(self, frames: dict[str, pl.DataFrame]) -> None:
        self.folder, self.program, self.out = Path("nowhere"), "hierq investigate rivals", "rivals"
        self.parts, self._made = investigation.parts, frames

    def frame(self, name: str, rules: str | None = None) -> pl.DataFrame | None:
        return self._made.get(name)


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "RESAMPLES", 200)


def frame_of(study, known, traces_of=lambda name: 0.0, stretch_of=lambda name: 1.0) -> pl.DataFrame:
    """Runs of rows that know a given share of ways, and take the fewer steps the more they know."""
    generator, rows, pace = np.random.default_rng(1), [], 1 if study == "counting" else 2
    for world in WORLDS_OF.get(study, WORLDS[:2]):
        for agent, row in rows_of(study).items():
            for seed in range(SEEDS):
                share = min(1.0, known(row.name) + (row.name != LIMIT) * generator.normal(0, 0.005))
                steps = round(optimum(tables.WORLDS[world]) * (3 - 2 * share))
                number = int(hashlib.sha256(f"{world} {seed}".encode()).hexdigest()[:12], 16) + traces_of(row.name)
                measured = {"arrived": min(1.0, share + 0.1), "informed": share, "stretch": stretch_of(row.name)}
                measured |= {"updates": 100.0, "learning": 1e-4, "steps": 100.0, "traces": float(number)}
                rows.append(
                    {"world": world, "agent": agent, "levels": row.config.levels, "seed": seed}
                    | {"training": [50 * pace, 50 * pace], "evaluation": [steps, steps]}
                    | {"evaluation_outcomes": ["goal", "goal"]}
                    | {name: [value, value] for name, value in measured.items()}
                    | ({"known_at": [share] * len(reaching.MARKS)} if study in SHARED else {})
                )
    return pl.DataFrame(rows)


def foretold(name: str) -> float:
    """A share that agrees with all claims."""
    shares = {LIMIT: 1.0, BACKWARD: 0.9, plan.HIERARCHY_BACKWARD: 0.9, TRANSITIVE: 0.9, plan.HIER_Q: 0.6, Q: 0.3}
    for worth, rival in ((0.97, plan.SWEEPING), (0.85, plan.DYNA), (0.4, plan.HINDSIGHT)):
        shares |= {with_budget(rival, updates): worth + updates / 10_000 for updates in plan.BUDGETS}
    return shares.get(name, 0.5)


def results_of(known, **options) -> MadeUp:
    return MadeUp({part.name: frame_of(part.name, known, **options) for part in investigation.parts})


def test_every_row_is_in_the_plan_once_and_on_equal_terms() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS) == len(rows_of("traces")) == 23
    assert all(row.config.universal_top for row in ROWS)
    for name in ("discount", "explore_train", "explore_eval", "horizons", "step_limit", "step_size"):
        different = [row.name for row in ROWS if getattr(row.config, name) != getattr(ROWS[0].config, name)]
        assert different in ([], [plan.DG])  # whose γ is 1
    assert {part.name for part in investigation.parts} == {"traces", "acting", "counting", "small", "chance", "large"}
    assert all(len(rows_of(part.name)) == len(part.study.agents) for part in investigation.parts)


def test_what_was_foretold_is_judged_so() -> None:
    found = {each.claim: each.verdict for each in investigation.judge(results_of(foretold))}
    assert set(found.values()) == {"holds"} and len(found) == 13


def test_the_opposite_is_judged_so() -> None:
    found = {each.claim: each.verdict for each in investigation.judge(results_of(lambda name: 1.2 - foretold(name)))}
    assert found.pop("nobody-beats-the-limit") == "does not hold"
    assert found.pop("control-repeats-credit") == "holds"  # steps follow from what is known, here too
    assert found.pop("counting-shortens-training") == "holds"  # which has nothing to do with credit
    assert found.pop("levels-add-nothing-to-backward-replay") == "holds" == found.pop("transitive-is-backward")
    assert set(found.values()) == {"does not hold"}


def test_a_row_with_other_episodes_is_an_error() -> None:
    assert len(tables.digest_of_traces(results_of(foretold))) == 16
    with pytest.raises(ValueError, match="different episodes"):
        tables.digest_of_traces(results_of(foretold, traces_of=lambda name: float(name == Q)))


def test_ranks_have_intervals() -> None:
    generator = np.random.default_rng(1)
    means = {
        name: measures.Measured(value, value + generator.normal(0, 0.02, 500))
        for name, value in (("worst", 0.1), ("one", 0.5), ("other", 0.51))
    }
    places = tables.ranks(means, lowest_first=False)
    assert places["worst"] == (3, 3, 3) and places["other"].place == 1
    assert places["one"].low == 1 and places["one"].high == 2
    alike = tables.ranks({"one": means["one"], "twin": means["one"], "worst": means["worst"]}, lowest_first=False)
    assert [each.place for each in alike.values()] == [1, 1, 3]


def test_the_edge_of_what_can_be_had_for_what() -> None:
    known = {name: measures.exactly(value) for name, value in (("a", 0.2), ("b", 0.1), ("c", 0.9), ("d", 0.9))}
    assert on_the_edge(known, {"a": 1, "b": 2, "c": 3, "d": 4}) == ["a", "c"]


def test_words_tables_and_figures() -> None:
    results = results_of(foretold)
    sentences = in_words(results, investigation.judge(results))
    assert len(sentences) == 15 and sentences[1].startswith("Does anybody beat the limit? The limit knows all")
    assert "Of 17 flat ways " in sentences[0] and "prioritised sweeping, N = 100 (0.98 of all ways, " in sentences[0]
    assert sentences[-1].startswith("Digest of the episodes that all learnt from: ")
    written = csv_tables(results)
    assert set(written) == {f"{part.name}.csv" for part in investigation.parts} | {"at-a-glance.csv"}
    glance = pl.read_csv(written["at-a-glance.csv"].encode())
    assert glance["row"][0] == LIMIT and len(glance) == len(ROWS) and (glance["megabytes"] > 0).all()
    lines = told(results).splitlines()
    assert len(lines) == len(ROWS) + 1 and lines[1].startswith("limit") and "1 (1–1)" in lines[1]
    for figure in investigation.figures:
        drawn = figure.draw(results)
        assert drawn.axes and (drawn.legends or figure.name == "chance")


def test_who_knows_no_way_has_no_stretch_and_is_judged_all_the_same() -> None:
    results = results_of(foretold, stretch_of=lambda name: math.nan if name == Q else 1.0)
    assert {each.verdict for each in investigation.judge(results)} == {"holds"}
    lines = dict(investigation.page.content(results, {})["glance"].rows)
    place = investigation.page.content(results, {})["glance"].columns.index("stretch") - 1
    assert lines[Q][place][0] == "–" and lines[BACKWARD][place][0] == "1.00"


def test_a_study_alone_is_told_alone() -> None:
    results = MadeUp({"large": frame_of("large", foretold)})
    (sentence,) = in_words(results, investigation.judge(results))
    assert sentence.startswith("Is it the same in a maze of 101 × 101 cells? Yes.")


def test_the_table_at_a_glance_stands_on_the_page() -> None:
    results = results_of(foretold)
    glance = investigation.page.content(results, {})["glance"]
    assert glance.rows[0][0] == LIMIT and len(glance.rows) == len(ROWS)
    assert all(len(cells) == len(glance.columns) - 1 for _, cells in glance.rows)
    assert glance.rows[0][1][:2] == [("1 (1–1)", 1.0), ("1.000", 1.0)]
    content = {"glance": glance, "investigation": investigation}
    assert investigation.page.content(MadeUp({}), {}) == {"glance": None}
    page = Environment(loader=PackageLoader("hierq.report")).get_template("glance.html.j2").render(content)
    assert page.count("<tr>") == len(ROWS) + 1 and "1 (1–1)" in page


def test_a_walker_that_turns_is_that_of_minigrid() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    pytest.importorskip("minigrid")
    env = gymnasium.make("MiniGrid-FourRooms-v0").unwrapped
    env.reset(seed=0)  # whose layout it is
    world = four_rooms()
    state, generator, visited = world.start, np.random.default_rng(1), {}
    for _ in range(2_000):
        action = int(generator.integers(3))
        _, _, is_over, _, _ = env.step(action)
        state = int(world.successors[state, action])
        here = (*map(int, env.agent_pos), int(env.agent_dir))
        if is_over:
            assert state == world.goal
            break
        assert visited.setdefault(state, here) == here and len(set(visited.values())) == len(visited)
        env.step_count = 0
    assert len(visited) > 100 and world.states == 4 * (17 * 17 - 17 - 16 + 4 - 1) + 1


def test_worlds_after_bsuite() -> None:
    chain, place = discounting_chain(), umbrella()
    assert optimum(chain) == 1 and optimum(place) == 40
    for action, steps in enumerate((1, 3, 10, 30, 100)):
        state, count = int(chain.successors[chain.start, action]), 1
        while state != chain.goal:
            state, count = int(chain.successors[state, count % 5]), count + 1
        assert count == steps
    for action, ending in enumerate((AT_GOAL, IN_HOLE)):
        state, count = int(place.successors[place.start, action]), 1
        while place.ending[state] == GOES_ON:
            state, count = int(place.successors[state, count % 2]), count + 1
        assert count == 40 and place.ending[state] == ending
