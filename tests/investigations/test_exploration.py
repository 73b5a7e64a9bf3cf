"""The investigation of explorers: its plan, its claims on results whose truth is known, and its figures."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hierq.investigations import measures
from hierq.investigations.exploration import claims, plan, search, tables
from hierq.investigations.exploration.investigation import in_words, investigation
from hierq.investigations.exploration.plan import FLAT, MEMBERS
from hierq.investigations.results import Results
from hierq.worlds import World, make_world, optimum, random_walk_steps

SEEDS = 12
WORLDS = ("gridworld-10", "maze-10")


class MadeUp(Results):
    """Results whose frame is given."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.folder, self.program, self.out = Path("nowhere"), "hierq investigate exploration", "exploration"
        self.parts, self._made = investigation.parts, frame

    def frame(self, name: str, rules: str | None = None) -> pl.DataFrame | None:
        return self._made


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "RESAMPLES", 200)


def results_of(first, later=None) -> MadeUp:
    """Runs whose first episodes take a given share of a random walk; `later` says when an agent is nearly optimal."""
    generator, rows = np.random.default_rng(1), []
    for world in map(make_world, WORLDS):
        walk = random_walk_steps(world)[world.start]
        for name, member in MEMBERS.items():
            for seed in range(SEEDS):
                begun = first(member) * walk * np.exp(generator.normal(0, 0.1))
                good = 3 if later is None else later(member)
                evaluation = [10 * optimum(world)] * good + [optimum(world)] * (plan.EPISODES - good)
                row = {"world": world.name, "agent": name, "levels": member.config.levels, "seed": seed}
                row |= {"training": [round(begun), *[50] * (plan.EPISODES - 1)], "evaluation": evaluation}
                rows.append(row)
    return MadeUp(pl.DataFrame(rows))


COUNTED = {"epsilon": 3.0, "pass": 0.17, "seek": 0.14, "optimism": 0.3, "epsilon-z": 2.0}


def as_foretold(member) -> float:
    return 1.0 if member.explorer == "epsilon" and member.nearness == FLAT else COUNTED[member.explorer]


def test_every_agent_is_in_the_plan_once_with_a_flat_one_beside_it() -> None:
    assert len(MEMBERS) == len(list(plan.members())) == 3 * (4 + 5 * 9)
    flat = {(each.explorer, each.estimator) for each in MEMBERS.values() if each.nearness == FLAT}
    assert flat == {(name, way) for name in ("epsilon", "pass", "optimism", "epsilon-z") for way in plan.ESTIMATORS}
    assert all(each.config.explore_eval == 0 for each in MEMBERS.values())


def test_what_was_foretold_is_judged_so() -> None:
    sooner = results_of(as_foretold, lambda member: 6 if member.config.levels == 1 else 2)
    found = {each.claim: each.verdict for each in investigation.judge(sooner)}
    assert found == {
        "shorter-than-a-walk": "holds",
        "near-the-limit": "holds",
        "levels-find-sooner-without-a-map": "does not hold",
        "levels-find-sooner-with-a-map": "holds",
        "levels-learn-sooner": "holds",
        "reach-can-be-learnt": "holds",
        "repeating-helps": "does not hold",
        "counting-beats-optimism": "holds",
        "counts-save-training": "holds",
    }


def test_the_opposite_is_judged_so() -> None:
    found = {each.claim: each.verdict for each in investigation.judge(results_of(lambda member: 1.5))}
    assert set(found.values()) == {"does not hold"}


def test_one_world_or_one_kind_that_fails_is_enough_to_hold_partly() -> None:
    def slow(member) -> float:
        return 2.0 if (member.explorer, member.config.levels) == ("seek", 4) else as_foretold(member)

    results = results_of(slow)
    assert claims.shorter_than_a_walk(results).verdict == "holds partly"
    assert "seek, k = 4, nearness steps" in claims.shorter_than_a_walk(results).detail
    assert claims.near_the_limit(results).verdict == "holds partly"


def test_runs_that_never_get_near_count_with_all_their_steps() -> None:
    numbers = tables.numbers(results_of(as_foretold, lambda member: plan.EPISODES))
    cell = next(cell for cell in numbers if cell.levels == 3)
    assert numbers[cell]["until nearly optimal"].value > numbers[cell]["twenty episodes"].value
    assert numbers[cell]["share nearly optimal"].value == 0


def test_when_half_of_the_runs_are_there_though_some_ended() -> None:
    """By hand: of four runs one ends at 2; at 1 a quarter is there, at 3 half of the rest, at 4 all."""
    times, there = np.array([3.0, 1.0, 4.0, 2.0]), np.array([True, True, True, False])
    assert measures.median_until(times, there, 1.0).value == 3.0  # (1 − 1/4)(1 − 1/2) = 0.375
    assert measures.median_until(times, np.array([False, True, True, False]), 1.0).value == 4.0
    assert measures.median_until(times, np.zeros(4, bool), 1.0).value == 4.0  # nobody: the longest run
    everyone = measures.median_until(np.arange(1.0, 100.0), np.ones(99, bool), 1.0)
    assert everyone.value == 50 and everyone.interval[1] < 50 < everyone.interval[2]


def test_a_search_that_remembers_everything() -> None:
    """Every move is tried at most once, and on the way to one nothing is tried."""
    corridor = World.from_text("S....G")
    # Three of four moves in each state lead nowhere new: each is tried at most once.
    assert all(5 <= search.one_search(corridor, np.random.default_rng(seed)) <= 4 * 5 + 5 for seed in range(50))
    rooms = search.searched(make_world("rooms-4"))
    assert rooms.interval[1] < 272 < rooms.interval[2] and rooms.interval[2] / rooms.interval[1] < 1.2


def test_words_tables_and_figures() -> None:
    results = results_of(as_foretold)
    sentences = in_words(results, investigation.judge(results))
    assert sentences[0].startswith("Do counts make first episodes shorter than a random walk’s, in every world")
    assert (
        "Yes: in the geometric mean they take 0.2" in sentences[0]
        and "? No difference was found. It takes about as many steps as the flat one" in sentences[2]
    )
    assert len(sentences) == 7
    table = pl.read_csv(investigation.tables(results)["explorers.csv"].encode())
    assert len(table) == len(WORLDS) * len(MEMBERS) * 4
    for figure in investigation.figures:
        drawn = figure.draw(results)
        words = {text.get_text() for text in drawn.legends[0].get_texts()}
        assert words & {"pass", "pass, steps", "pass, backward"}
        if "episode" in figure.name:
            assert "random walk, exact mean" in words
