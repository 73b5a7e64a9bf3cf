"""Every verdict and its numbers where the truth is known; wording is not tested."""

import functools
import math
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from made_up import MadeUp, labelled_frame, main_frame

from hierq.investigations import numbers
from hierq.investigations.claims import Finding, judge
from hierq.paper import claims
from hierq.paper.claims import CLAIMS
from hierq.paper.numbers import Setting
from hierq.paper.rules import CHOICES

BY_NAME = {claim.name: claim for claim in CLAIMS}
NOISE = main_frame(lambda _: 4.0)
MAIN_CLAIMS = ("hierarchy-improves", "near-monotone", "improves-trained-flat", "benefit-shrinks", "less-with-levels")


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough for effects that are meant to be seen."""
    monkeypatch.setattr(numbers, "RESAMPLES", 300)


def found(name: str, frame: pl.DataFrame, study: str = "main", rules: str | None = "text") -> Finding:
    return judge(BY_NAME[name], MadeUp({(study, rules): frame}), "text")


def gains(*by_levels: float, behaviour: str = "hierarchy") -> pl.DataFrame:
    """A main study where agents with k = 1, 2, … have these differences to k = 1; noise for the other behaviour."""
    return main_frame(lambda s: 5.0 + (by_levels[s.levels - 1] if s.behaviour == behaviour else 0.0))


@pytest.mark.parametrize(
    ("name", "behaviour"), [("hierarchy-improves", "hierarchy"), ("improves-trained-flat", "flat")]
)
def test_improvement(name: str, behaviour: str) -> None:
    better = found(name, gains(0, -0.5, -0.6, -0.7, behaviour=behaviour))
    assert better.verdict == "supported" and len(better.rows) == better.significant == 9
    assert better.mean is not None and better.mean[0] == pytest.approx(-0.6, abs=0.02)
    assert {row.levels for row in better.rows} == {2, 3, 4}
    assert found(name, gains(0, 0.5, 0.5, 0.5, behaviour=behaviour)).verdict == "contradicted"
    assert found(name, gains(0, 0, 0, -0.5, behaviour=behaviour)).verdict == "mixed"
    assert found(name, gains(0, -0.5, -0.5, 0.5, behaviour=behaviour)).verdict == "mixed"
    assert found(name, NOISE).verdict == "inconclusive"


def test_further_levels() -> None:
    assert found("near-monotone", gains(0, -0.5, -0.8, -1.0)).verdict == "supported"
    saturating = found("near-monotone", gains(0, -0.5, -0.8, -0.8))
    assert saturating.verdict == "mixed"
    assert [round(row.estimate, 1) for row in saturating.rows] == [-0.5, -0.3, pytest.approx(0, abs=0.1)]
    shrinking = gains(0, -0.6, -0.8, -0.85, behaviour="flat")
    assert found("less-with-levels", shrinking).verdict == "supported"
    assert found("less-with-levels", gains(0, -0.1, -0.4, -0.9, behaviour="flat")).verdict == "contradicted"
    assert found("benefit-shrinks", shrinking).verdict == "contradicted"
    assert found("benefit-shrinks", gains(0, -0.8, -0.5, -0.2, behaviour="flat")).verdict == "supported"


def first(by_levels: tuple[float, ...], world: str = "") -> pl.DataFrame:
    return main_frame(
        lambda _: 4.0, lambda s: 6.0 + (by_levels[s.levels - 1] if s.world == world or not world else 0.0)
    )


def test_first_episodes() -> None:
    longer = found("prolongs-first-episodes", first((0, 0.5, 0.6, 0.7)))
    assert longer.verdict == "supported" and len(longer.rows) == 9
    assert found("prolongs-first-episodes", first((0, -0.5, -0.5, -0.5))).verdict == "contradicted"
    reversed_ = found("reverses-on-maze", first((0, 0.6, 0.1, -0.4), "maze-10"))
    assert reversed_.verdict == "supported"
    assert [round(row.estimate, 1) for row in reversed_.rows] == [-0.5, -1.0, -0.4]
    assert found("reverses-on-maze", first((0, 0.2, 0.5, 0.8), "maze-10")).verdict == "contradicted"
    shortest = main_frame(lambda _: 4.0, lambda s: 6.0 - (s.parameter == 1.0 and s.backup == "traces"))
    assert found("flat-shortest", shortest).verdict == "supported"
    assert (
        found("flat-shortest", main_frame(lambda _: 4.0, lambda s: 6.0 + (s.backup == "traces"))).verdict != "supported"
    )


def test_the_first_five_episodes_count_together() -> None:
    longer = found("prolongs-first-few", main_frame(lambda s: 6.0 + 0.3 * (s.levels - 1), lambda _: 6.0))
    assert longer.verdict == "supported" and len(longer.rows) == 9
    only_the_first = main_frame(lambda s: 6.0 - 0.5 * (s.levels > 1), lambda s: 6.0 + 0.3 * (s.levels > 1))
    assert found("prolongs-first-episodes", only_the_first).verdict == "supported"
    assert found("prolongs-first-few", only_the_first).verdict == "contradicted"


def test_the_distribution_of_first_episodes() -> None:
    generator = np.random.default_rng(0)

    def drawn(make: Callable[[int], np.ndarray]) -> pl.DataFrame:
        return NOISE.with_columns(training=pl.Series([[int(x) + 1] * 50 for x in make(len(NOISE))]))

    gamma = found("gamma-distributed", drawn(lambda n: generator.gamma(3, 1000, n)))
    assert gamma.verdict == "supported" and len(gamma.rows) == 2
    log_normal = found("gamma-distributed", drawn(lambda n: np.exp(generator.normal(7, 1.5, n))))
    assert log_normal.rows[1].side == "other"


def test_spread_of_first_episodes_by_level() -> None:
    wider = main_frame(lambda _: 4.0, spread=lambda s: 0.2 * 1.6 ** (s.levels - 1))
    told = found("less-reliable-with-coarser-time", wider)
    assert told.verdict == "supported" and len(told.rows) == 3
    assert found("less-reliable-with-coarser-time", NOISE).verdict == "inconclusive"


def test_first_episodes_that_were_given_up_are_counted() -> None:
    def ended(how: str) -> pl.DataFrame:
        frame = NOISE.with_columns(training_outcomes=pl.lit("goal").repeat_by(50))
        lost = (pl.col("seed") == 3) & (pl.col("levels") == 4) & (pl.col("world") == "maze-10")
        return frame.with_columns(
            pl.when(lost).then(pl.lit(how).repeat_by(50)).otherwise("training_outcomes").alias("training_outcomes")
        )

    assert found("first-reward", ended("goal")).verdict == "supported"
    lost = found("first-reward", ended("limit"))
    assert lost.verdict == "contradicted" and lost.rows[0].estimate == 3  # one for each backup
    assert found("first-reward", NOISE).verdict == "not run"


def test_flat_traces() -> None:
    def flat(gap: float) -> pl.DataFrame:
        return main_frame(lambda s: 4.0 + gap * (s.levels == 1 and (s.backup, s.parameter) == ("traces", 1.0)))

    assert found("flat-traces-competitive", flat(0.0)).verdict == "supported"
    assert found("flat-traces-competitive", flat(0.5)).verdict == "contradicted"
    assert found("flat-traces-competitive", flat(math.log(1.1))).verdict == "inconclusive"


def test_balanced_depth() -> None:
    helps = found("balanced-depth", gains(0, -0.5, -0.5, -0.5), "balanced")
    assert helps.verdict == "mixed" and helps.significant == len(helps.rows) / 2, "those trained with the hierarchy"
    both = main_frame(lambda s: 4.0 - 0.5 * (s.levels > 1), worlds=("gridworld-20", "maze-10"))
    assert found("flat-worse-than-both", both, "balanced").verdict == "supported"

    def trained(s: Setting) -> float:
        sign = {"gridworld-20": 1, "maze-10": -1}[s.world]
        return 4.0 + 0.3 * sign * (s.behaviour == "flat" and s.levels == 3)

    frame = main_frame(trained, worlds=("gridworld-20", "maze-10")).filter(
        (pl.col("parameter") == 1.0) & (pl.col("backup") == "traces")
    )
    told = found("trained-flat-slower-and-faster", frame, "balanced")
    assert told.verdict == "supported" and [round(row.estimate, 1) for row in told.rows] == [0.3, 0.3]
    other = frame.with_columns(backup=pl.lit("tree-backup"))
    assert found("trained-flat-slower-and-faster", other, "balanced").verdict == "not run"
    assert found("trained-flat-slower-and-faster-tree-backup", other, "balanced").verdict == "supported"


def test_variances() -> None:
    varied = main_frame(lambda _: 5.0, spread=lambda s: 0.2 if s.levels == 1 else 0.5)
    for name in ("early-variance", "early-variance-of-logs"):
        assert found(name, varied).verdict == "supported"
        assert found(name, NOISE).verdict == "inconclusive"


def test_representations() -> None:
    def frame(worse: Callable[[dict], float]) -> pl.DataFrame:
        return labelled_frame("representation", lambda label: 4.0 + worse(label), rules="text")

    def best(name: str, worse: Callable[[dict], float]) -> str:
        return judge(BY_NAME[name], MadeUp({("representation", "text"): frame(worse)}), "text").verdict

    def others(label: dict) -> float:
        return 0.5 * ((label["subgoals"], label["reward"]) != ("nearby", "binary"))

    assert best("best-representation", others) == best("best-representation-robust", others) == "supported"
    assert best("best-representation", lambda label: -others(label)) == "contradicted"

    def penalty(change: float) -> Finding:
        def first(label: dict) -> float:
            return 7.0 + change * (label["reward"] == "penalty")

        made = labelled_frame("representation", lambda _: 4.0, first, rules="text")
        return found("penalties-act-like-counts", made, "representation")

    assert penalty(-0.5).verdict == "supported" and len(penalty(-0.5).rows) == 4
    assert penalty(0.5).verdict == "contradicted"
    assert (
        best(
            "best-representation-robust",
            lambda label: others(label) - ((label["reward"], label["start"]) == ("penalty", "0")),
        )
        != "supported"
    )


def test_stitching() -> None:
    def frame(control: float, backup: float) -> pl.DataFrame:
        gained = {"flat": 0.0, "single": control, "full": control + backup}
        return labelled_frame("stitching", lambda label: 5.0 - gained[label["learner"]], shared=True)

    def told(name: str, control: float, backup: float) -> Finding:
        return found(name, frame(control, backup), "stitching", None)

    both = told("control-and-backup", 0.3, 0.5)
    assert both.verdict == "supported" and len(both.rows) == 6
    assert {round(row.estimate, 1) for row in both.rows} == {0.3, 0.5}
    assert told("control-and-backup", 0.3, 0.0).verdict == "mixed"
    assert told("reward-assignment-alone", 0.0, 0.5).verdict == "supported"
    assert told("reward-assignment-alone", 0.3, 0.5).verdict == "contradicted"


def test_departures() -> None:
    slipped = [choice for choice, departures in CHOICES.items() if "preference slip" in departures]

    def audit(slip: float, walls: float) -> pl.DataFrame:
        def first(label: dict) -> float:
            return 6.0 + slip * (label["choice"] in slipped and label["levels"] == 4) + _walls(label)

        def _walls(label: dict) -> float:
            return walls * ("walls as sub-goals" in CHOICES[label["choice"]])

        return labelled_frame("audit", lambda label: 4.0 + _walls(label), first)

    assert found("reversal-is-the-slip", audit(-0.5, 0.0), "audit", None).verdict == "supported"
    assert found("reversal-is-the-slip", audit(0.5, 0.0), "audit", None).verdict == "contradicted"
    assert found("walls-as-subgoals", audit(0.0, 0.2), "audit", None).verdict == "supported"
    assert found("walls-as-subgoals", audit(0.0, 0.0), "audit", None).verdict == "inconclusive"


def test_thresholds() -> None:
    @functools.cache
    def audit(left: float) -> pl.DataFrame:
        def log_mean(label: dict) -> float:
            thresholds = {"tie tolerance", "trace cut-off"} <= set(CHOICES[label["choice"]])
            gain = 1.0 if thresholds else left
            return 5.0 - gain * (label["levels"] > 1 and label["backup"] == "traces")

        return labelled_frame("audit", log_mean)

    for name in ("traces-without-thresholds", "traces-trained-flat-without-thresholds"):
        without = found(name, audit(0.2), "audit", None)
        assert without.verdict == "supported" and len(without.rows) == 9
        assert found(name, audit(-0.2), "audit", None).verdict == "contradicted"
    further = found("further-levels-without-thresholds", audit(0.2), "audit", None)
    assert [row.side for row in further.rows] == ["claimed", "neither", "neither"]
    little = found("thresholds-explain-traces", audit(0.2), "audit", None)
    assert little.verdict == "supported" and len(little.rows) == 6
    assert [row.estimate for row in little.rows] == pytest.approx([0.2] * 6, abs=0.05)
    assert found("thresholds-explain-traces", audit(0.9), "audit", None).verdict == "contradicted"


def test_paths_and_identities(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found("number-of-paths", NOISE).verdict == "supported"
    monkeypatch.setattr(claims, "total_paths", lambda h, n: h**n + 1)
    assert found("number-of-paths", NOISE).verdict == "contradicted"
    monkeypatch.setattr(claims, "different_episodes", lambda rules: 1)
    assert found("one-step-is-traces-without-decay", NOISE).verdict == "contradicted"
    monkeypatch.setattr(claims, "different_entries", lambda decay, rules: int(decay == 1.0))
    assert found("traces-generalise-tree-backup", NOISE).verdict == "mixed"
    for steps, verdict in ((-2.0, "supported"), (0.0, "contradicted")):
        monkeypatch.setattr(claims, "example_steps", lambda rules, steps=steps: steps)
        assert found("greedy-resampling-supersedes", NOISE).verdict == verdict


def test_one_step_is_traces_without_decay(compiler: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "SMALL_WORLDS", ("rooms-4",))
    assert claims.different_episodes("text") == 0


@pytest.mark.long
def test_disjoint_traces_are_the_forward_view() -> None:
    """Of a kernel of its own; `test_family.py` compares the two views in the reference."""
    assert [claims.different_entries(decay, "text") for decay in (0.5, 1.0)] == [0, 0]


def test_the_example_takes_as_long_as_flat() -> None:
    assert claims.example_steps("text") == claims.example_steps("published") == 0.0


def test_what_was_not_run_says_so() -> None:
    empty = MadeUp({("main", "text"): NOISE})
    assert judge(BY_NAME["balanced-depth"], empty, "text").verdict == "not run"
    few = judge(BY_NAME["near-monotone"], MadeUp({("main", "text"): NOISE.filter(pl.col("seed") < 3)}), "text")
    assert few.verdict == "not run" and "3 seeds" in few.reason
    assert (
        "hierq reproduce --study main --rules published" in judge(BY_NAME["near-monotone"], empty, "published").reason
    )


def test_every_claim_is_named_once() -> None:
    assert len(BY_NAME) == len(CLAIMS) >= 26
    assert set(MAIN_CLAIMS) <= set(BY_NAME)
