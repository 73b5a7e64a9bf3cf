"""The investigation of the estimator family: its plan, its claims on results whose truth is known, and its figures."""

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from command import hierq_command
from hierq.investigations import measures
from hierq.investigations.estimators import claims, figures, plan, tables
from hierq.investigations.estimators.investigation import csv_tables, in_words, investigation
from hierq.investigations.estimators.plan import BACKWARD, MEMBERS, NAMES
from hierq.investigations.results import Results
from hierq.studies.study import agent_id

SEEDS = 12
ONE_WORLD = ("gridworld-10",)


class MadeUp(Results):
    """Results whose frames are given."""

    def __init__(self, frames: dict[str, pl.DataFrame]) -> None:
        self.folder, self.program, self.out = Path("nowhere"), "hierq investigate estimators", "estimators"
        self.parts, self._frames = investigation.parts, frames

    def frame(self, name: str, rules: str | None = None) -> pl.DataFrame | None:
        return self._frames.get(name)


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "RESAMPLES", 200)


def frame_of(study: str, log_steps, worlds=ONE_WORLD, first=None, iterations=10, **measured) -> pl.DataFrame:
    """A study in which every member has given means of ln(steps), and of what else is measured, by member and level."""
    generator = np.random.default_rng(3)
    rows = []
    for world in worlds:
        for name, member in NAMES[study].items():
            for seed in range(SEEDS):
                logs = generator.normal(log_steps(member), 0.2, iterations)
                begun = generator.normal(6.0 if first is None else first(member), 0.2)
                row = {"world": world, "agent": name, "levels": member.config.levels, "seed": seed, "seconds": 0.01}
                row |= {"training": [round(np.exp(begun)), *[50] * (iterations - 1)]}
                row |= {"evaluation": np.maximum(1, np.exp(logs).round()).astype(int).tolist()}
                rows.append(row | {key: value(member, generator) for key, value in measured.items()})
    return pl.DataFrame(rows)


def is_free(member) -> bool:
    return member.hops == BACKWARD


def verdict(claim, **frames) -> str:
    return claim(MadeUp(frames)).verdict


def test_every_member_has_a_cell_of_its_own() -> None:
    for study, members in MEMBERS.items():
        assert len(NAMES[study]) == len({member.config for member in members}), study
    cells = {(each.operator, each.hops, each.config.levels) for each in MEMBERS["family"]}
    assert len(cells) == len(MEMBERS["family"])
    assert {hops for _, hops, _ in cells} == set(plan.CELLS)
    assert ("one step", BACKWARD, 1) in cells and ("max", "all-paths", 3) in cells
    assert (plan.UNCUT, "stride", 2) not in cells
    assert sum(len(part.study.cases) for part in plan.parts()) < 1400, "the default run is to take ten minutes"


def test_flat_members_are_told_apart_by_what_they_do() -> None:
    backups = {member.config.backup for member in MEMBERS["family"] if member.config.levels == 1}
    assert len(backups) == 8 + 7 + 2
    assert {agent_id(config) for config in plan.paper_agents()} & set(NAMES["family"])


def test_worlds_in_which_moves_go_astray() -> None:
    slippery = plan.slippery_world("rooms-4", 0.2)
    assert slippery.is_random and slippery.slip == 0.2 and slippery.name == "rooms-4-slip-0.2"


def test_hierarchy_is_judged_by_what_every_number_of_levels_gains() -> None:
    gains = frame_of("family", lambda m: 4.0 - 0.4 * (m.config.levels > 1) * (not is_free(m)))
    assert verdict(claims.hierarchy_online, family=gains) == "holds"
    assert verdict(claims.hierarchy_backward, family=gains) == "does not hold"
    assert verdict(claims.less_to_gain, family=gains) == "holds partly", "only backward gains less than the others"
    only_two = frame_of("family", lambda m: 4.0 - 0.4 * (m.config.levels == 2))
    assert verdict(claims.hierarchy_backward, family=only_two) == "holds partly"
    found = claims.hierarchy_backward(MadeUp({"family": gains}))
    assert found.exploratory and found.low < 0 < found.high and "k = 4" in found.detail


def test_less_to_gain_step_by_step() -> None:
    worth = {("one step", "stride"): 0.9, ("Tree-Backup", "stride"): 0.6, ("Watkins’ Q(λ)", "traces"): 0.3}
    falling = frame_of("family", lambda m: 4.0 - worth.get((m.operator, m.hops), 0.0) * (m.config.levels == 3))
    assert verdict(claims.less_to_gain, family=falling) == "holds"
    assert claims.less_to_gain(MadeUp({"family": falling})).effect == pytest.approx(0.9, abs=0.05)


def test_the_first_episode_and_the_first_evaluation_count_for_themselves() -> None:
    frame = frame_of("family", lambda _: 4.0, first=lambda m: 6.0 - 0.5 * (m.config.levels > 1))
    assert verdict(claims.hierarchy_within_the_first_episode, family=frame) == "holds"
    assert verdict(claims.hierarchy_after_one_episode, family=frame) == "does not hold"


def test_a_budget_of_rows_is_spent_sooner_by_more_levels() -> None:
    open_share = 1 - 40 / 400  # of the moves in a room of 10 × 10 cells, 40 lead into its walls
    assert [tables.rows_written("gridworld-10", k) for k in (1, 2, 3)] == pytest.approx(
        [1, 1 + 3 * open_share, 1 + 12 * open_share]
    )
    falling = frame_of("family", lambda _: 0.0, iterations=30).with_columns(
        training=pl.lit([100] * 30), evaluation=pl.lit(list(range(60, 30, -1)))
    )
    found = tables.numbers(MadeUp({"family": falling}), "family")
    for k in (2, 3, 4):
        allowed = tables.writes_allowed("gridworld-10", k)
        for levels in (1, k):
            numbers = found[tables.Cell("gridworld-10", "one step", BACKWARD, levels)]
            episodes = int(np.ceil(allowed / 100 / tables.rows_written("gridworld-10", levels)))
            assert np.exp(numbers[f"{tables.EQUAL_WRITES} {k}"].value) == pytest.approx(61 - min(episodes, 30))
            assert numbers[f"{tables.SPENT} {k}"].value == (episodes <= 30)


def test_writes_are_judged_by_the_budget_of_each_k() -> None:
    rising = frame_of("family", lambda _: 0.0, iterations=30).with_columns(
        training=pl.lit([100] * 30), evaluation=pl.lit(list(range(60, 30, -1)))
    )
    found = claims.hierarchy_for_its_writes(MadeUp({"family": rising}))
    assert found.verdict == "does not hold" and found.effect > 0, "who writes less has learnt from more episodes"
    assert "with k = 2" in found.detail and "0 % with k = 4" in found.detail
    assert verdict(claims.hierarchy_online_for_its_writes, family=rising) == "does not hold"
    better = rising.with_columns(
        evaluation=pl.when(pl.col("levels") > 1).then(pl.lit([20] * 30)).otherwise(pl.col("evaluation"))
    )
    assert verdict(claims.hierarchy_for_its_writes, family=better) == "holds"


def test_backward_replay_is_compared_with_tree_backup_at_other_goals() -> None:
    def frame(backward: float) -> pl.DataFrame:
        return frame_of(
            "goals",
            lambda _: 4.0,
            other_steps=lambda m, g: (g.uniform(20, 40, plan.GOALS) * (backward if is_free(m) else 1.0)).tolist(),
        )

    assert verdict(claims.backward_for_other_goals, goals=frame(2.0)) == "does not hold"
    assert verdict(claims.backward_for_other_goals, goals=frame(0.8)) == "holds"


def paper_frame(log_steps: float) -> pl.DataFrame:
    generator, rows = np.random.default_rng(2), []
    for world in ONE_WORLD:
        for config in plan.paper_agents():
            for seed in range(SEEDS):
                steps = np.exp(generator.normal(log_steps + 0.5 * (config.levels != 3), 0.2, 10)).round().astype(int)
                row = {"world": world, "agent": agent_id(config), "levels": config.levels, "seed": seed}
                rows.append(row | {"seconds": 0.01, "training": [100] * 10, "evaluation": steps.tolist()})
    return pl.DataFrame(rows)


def test_backward_is_compared_with_the_best_of_the_paper() -> None:
    family = frame_of("family", lambda m: 3.5 if is_free(m) else 4.0)
    assert verdict(claims.backward_beats_the_paper, family=family, paper=paper_frame(3.9)) == "holds"
    assert verdict(claims.backward_beats_the_paper, family=family, paper=paper_frame(3.4)) == "does not hold"
    missing = claims.backward_beats_the_paper(MadeUp({"family": family}))
    assert missing.verdict == "not testable here"
    assert "hierq investigate estimators --study paper --out nowhere" in missing.detail


def test_partitions_and_operators_are_compared_over_the_same_agents() -> None:
    best = frame_of("family", lambda m: 4.0 - 0.3 * (m.hops == "all-max") + 0.3 * (m.operator == "SARSA(λ)"))
    for claim in (claims.all_paths_best, claims.means_are_worse, claims.sarsa_is_worse):
        assert verdict(claim, family=best) == "holds", claim.name
    alike = frame_of("family", lambda _: 4.0)
    for claim in (claims.all_paths_best, claims.means_are_worse, claims.sarsa_is_worse):
        assert verdict(claim, family=alike) == "does not hold", claim.name
    assert verdict(claims.printed_line, soft=frame_of("soft", lambda _: 4.0, iterations=400)) == "holds"
    few = frame_of("soft", lambda _: 4.0, iterations=4)
    assert verdict(claims.printed_line, soft=few) == "holds partly", "not to be told apart is not to be alike"
    printed = frame_of("soft", lambda m: 4.0 + 0.5 * (m.operator == "Tree-Backup as printed"))
    assert verdict(claims.printed_line, soft=printed) == "does not hold"


def chance_frame(luck: float, bias) -> pl.DataFrame:
    worlds = [plan.slippery_world(plan.SLIPPERY, slip).name for slip in plan.SLIPS]

    def levels(value):
        return lambda m, g: [float(value(m, level) + g.normal(0, 0.003)) for level in range(m.config.levels)]

    return frame_of(
        "chance",
        lambda _: 4.0,
        worlds,
        value_error=levels(lambda m, level: 0.1),
        value_bias=levels(lambda m, level: bias(m)),
        value_luck=levels(lambda m, level: luck if level == 1 and m.hops != "executed" else 0.5),
    )


def test_luck_and_bias() -> None:
    frame = chance_frame(0.99, lambda m: 0.0)
    assert verdict(claims.luckiest_path, chance=frame) == "holds"
    assert "was worth 0.50" in claims.luckiest_path(MadeUp({"chance": frame})).detail
    assert tables.skilled_share("rooms-4-slip-0.2", 1) == pytest.approx(0.954, abs=1e-3)
    assert verdict(claims.luckiest_path, chance=chance_frame(0.967, lambda m: 0)) == "holds partly", "for one slip"
    assert verdict(claims.luckiest_path, chance=chance_frame(0.9, lambda m: 0)) == "does not hold"
    assert verdict(claims.right_with_chance, chance=frame) == "holds"
    high = chance_frame(0.97, lambda m: 0.1 if m.operator == "max" else -0.1 if m.operator == "SARSA(λ)" else 0.0)
    found = claims.right_with_chance(MadeUp({"chance": high}))
    assert found.verdict == "holds partly" and "6 of 9 estimators are right, 2 too high, 1 too low" in found.statistic


def test_what_is_never_cut_diverges() -> None:
    def frame(high: int) -> pl.DataFrame:
        return frame_of("uncut", lambda _: 4.0, value_bias=lambda m, g: [5.0 if m.config.levels >= high else -0.1])

    assert verdict(claims.never_cut_diverges, uncut=frame(2)) == "holds"
    assert verdict(claims.never_cut_diverges, uncut=frame(3)) == "holds partly"
    assert verdict(claims.never_cut_diverges, uncut=frame(1)) == "does not hold"


@pytest.fixture(scope="module")
def results() -> MadeUp:
    return MadeUp(
        {
            "family": frame_of("family", lambda m: 3.5 if is_free(m) else 4.0),
            "goals": frame_of("goals", lambda _: 4.0, other_steps=lambda m, g: g.uniform(20, 40, plan.GOALS).tolist()),
            "chance": chance_frame(0.97, lambda m: 0.1),
            "uncut": frame_of("uncut", lambda _: 4.0, value_bias=lambda m, g: [float(m.config.levels > 1)]),
        }
    )


@pytest.mark.parametrize("figure", investigation.figures, ids=lambda figure: figure.name)
def test_figures_are_drawn(figure, results: MadeUp) -> None:
    drawn = figure.draw(results)
    assert drawn.axes and any(axes.has_data() for axes in drawn.axes)


def test_what_diverges_is_marked_in_the_map(results: MadeUp) -> None:
    words = [text.get_text() for axes in figures.draw_map(results).axes for text in axes.texts]
    assert words.count("∞") == 7 and len(words) > 50


def test_credit_comes_as_far_as_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: dict = {}
    monkeypatch.setattr(figures, "credit_figure", shown.update)
    figures.draw_credit(None)
    flat, three = shown.values()
    depth = {name: sum(value > 0 for value in strip) for name, strip in flat.items()}
    assert (depth["one step, stride"], depth["Tree-Backup, stride"], depth[f"one step, {BACKWARD}"]) == (1, 3, 40)
    above = {name: sum(value > 0 for value in strip) for name, strip in three.items()}
    assert (above["one step, stride"], above["Tree-Backup, stride"], above["max, single"]) == (9, 27, 3)
    assert above[f"one step, {BACKWARD}"] == 40


def test_what_came_of_it_in_words_and_tables() -> None:
    results = MadeUp({"family": frame_of("family", lambda m: 4.0 - 0.4 * (m.config.levels > 1) * (not is_free(m)))})
    sentences = in_words(results, investigation.judge(results))
    assert "does hierarchy make learning faster? No difference was found." in sentences[0]
    assert "takes about as many steps as a flat one (95 % interval" in sentences[0]
    assert "times the shortest path over its 50 evaluations" in sentences[1]
    assert re.search(r"a hierarchy takes 3\d % fewer steps than a flat agent \(95 %", " ".join(sentences))
    assert not any("paper’s agents" in sentence for sentence in sentences), "what was not run is not said"
    table = pl.read_csv(csv_tables(results)["family.csv"].encode())
    assert set(table.columns) >= {"world", "operator", "hops", "levels", "measure", "value", "low", "high"}


@pytest.mark.usefixtures("compiler")
def test_one_study_from_command_to_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = "investigate estimators --study goals --worlds gridworld-10 --seeds 10".split()
    done = hierq_command(capsys, *words)
    assert done.code == 0, done.err
    manifest = json.loads(Path("estimators/goals/manifest.json").read_text())
    assert manifest["study"]["protocol"] == {"kind": "OtherGoals", "iterations": 5, "goals": plan.GOALS}
    page = Path("estimators/report.html").read_text(encoding="utf-8")
    assert "exploratory" in page and "hierq investigate estimators --study family --seeds 10 --out estimators" in page
    assert "Is it better at goals that it was not trained for?" in page
