import math

import numpy as np
import polars as pl
import pytest
from made_up import MadeUp, main_frame, marginals_of_draws
from scipy.stats import norm, t

from hierq.investigations import claims
from hierq.investigations.claims import RULE, VERDICTS, Counts, counted
from hierq.investigations.measures import Measured, draw, log_first_steps, mean_of, tally
from hierq.investigations.results import Runs
from hierq.investigations.words import listed, percent, signed, steps_saved
from hierq.paper.aggregation import marginal_point, runs_by_setting
from hierq.paper.claims import CLAIMS
from hierq.paper.investigation import investigation
from hierq.paper.reproduction import Reproduction


def test_every_claim_is_judged_once_per_rules_and_aggregation(tiny_reproduction) -> None:
    findings = investigation.judge(Reproduction(tiny_reproduction))
    ways = [(found.claim, found.rules, found.iterations) for found in findings]
    assert len(set(ways)) == len(ways)
    for each in CLAIMS:
        rules = {"published", "text"} if each.by_rules else {None}
        iterations = {32, 50} if each.by_iterations else {None}
        assert {way[1:] for way in ways if way[0] == each.name} == {(r, i) for r in rules for i in iterations}


def test_three_seeds_say_nothing(tiny_reproduction) -> None:
    by_claim = {found.claim: found for found in investigation.judge(Reproduction(tiny_reproduction))}
    exact = {"one-step-is-traces-without-decay", "number-of-paths"}
    assert {name for name, found in by_claim.items() if found.verdict != "not testable here"} == exact
    found = by_claim["balanced-depth"]
    assert "has 3 seeds" in found.detail
    assert found.detail.endswith(f"hierq reproduce --study balanced --rules text --out {tiny_reproduction}")
    assert (found.effect, found.low, found.high) == (None, None, None)


def test_all_claims_can_be_judged_by_a_real_reproduction(tiny_reproduction, monkeypatch) -> None:
    monkeypatch.setattr(claims, "FEWEST_SEEDS", 2)
    for found in investigation.judge(Reproduction(tiny_reproduction)):
        if found.claim == "control-and-backup":
            continue
        assert found.verdict in VERDICTS[:3], found
        assert found.effect is not None and math.isfinite(found.effect), found
        assert found.low <= found.effect <= found.high, found
        assert found.unit and found.statistic and found.detail
        assert "nan" not in found.statistic + found.detail


def test_what_was_not_run_is_not_testable(compiler) -> None:
    for found in investigation.judge(MadeUp({("main", "text"): main_frame(lambda _: 4.0).head(0)})):
        if found.claim in ("number-of-paths", "one-step-is-traces-without-decay"):
            continue
        assert found.verdict == "not testable here"
        assert "there are no results" in found.detail.lower()
        assert "hierq reproduce --study" in found.detail


def measured(value: float, spread: float) -> Measured:
    draws = pl.Series([value - spread, value, value + spread] * 100).to_numpy()
    return Measured(value, draws)


def test_tallies_are_corrected_for_being_many() -> None:
    # z = 2.45 is sure alone, and not among twenty
    assert tally([measured(-2, 1)]).surely_below == 1
    many = [measured(-2, 1)] + [measured(0.1, 1)] * 19
    assert (tally(many).total, tally(many).below, tally(many).surely_below) == (20, 1, 0)
    assert tally([*many, measured(9, 1)]).surely_above == 1
    assert tally([measured(0, 0)]).surely_below == tally([measured(0, 0)]).surely_above == 0


@pytest.mark.parametrize(
    ("tests", "sure", "against", "verdict"),
    [
        (144, 142, 1, "holds"),
        (144, 131, 1, "holds"),
        (144, 121, 2, "holds partly"),  # 2 of 144 are more than 1 %
        (144, 116, 0, "holds"),
        (144, 115, 0, "holds partly"),
        (3, 2, 1, "holds partly"),
        (4, 2, 2, "does not hold"),
        (4, 1, 3, "does not hold"),
        (4, 0, 0, "does not hold"),
        (1, 1, 0, "holds"),
    ],
)
def test_one_rule_for_all_claims(tests: int, sure: int, against: int, verdict: str) -> None:
    assert Counts(tests, sure, against).verdict == verdict
    assert "80\u00a0%" in RULE and "1\u00a0%" in RULE and "5\u00a0%" in RULE


def test_every_claim_of_the_paper_is_judged_by_that_rule(tiny_reproduction, monkeypatch) -> None:
    monkeypatch.setattr(claims, "FEWEST_SEEDS", 2)
    for found in investigation.judge(Reproduction(tiny_reproduction)):
        if found.verdict != "not testable here":
            assert found.tests is not None and found.sure is not None and found.against is not None, found.claim
            assert found.verdict == Counts(found.tests, found.sure, found.against).verdict, found.claim


def test_claims_that_are_not_the_papers_are_told_apart() -> None:
    ours = {claim.name for claim in CLAIMS if claim.ours}
    assert ours == {claim.name for claim in CLAIMS if "not in the paper" in claim.source or "open" in claim.source}
    assert len(ours) == 4


def test_counts_are_of_numbers_below_or_above() -> None:
    numbers = [measured(-9, 1), measured(-8, 1), measured(7, 1), measured(0.1, 1)]
    assert counted(numbers, "below") == (4, 2, 1)
    assert counted(numbers, "above") == (4, 1, 2)


def test_intervals_lie_around_the_number() -> None:
    low_draws = Measured(1.0, measured(0.9, 0.2).drawn)
    value, low, high = low_draws.interval
    assert (value, low, high) == pytest.approx((1.0, 0.8, 1.2))
    both = mean_of([measured(1, 0.5), measured(3, 0.5)])
    assert both.value == 2
    assert both.above_zero and not both.below_zero


def test_few_seeds_make_wide_intervals() -> None:
    """Draws are spread out by √(n / (n − 1)), and tests and intervals are Student's."""
    steps = np.random.default_rng(5).lognormal(4, 0.5, (10, 3)).astype(np.int64)
    first = log_first_steps(Runs(np.arange(10), steps, steps))
    sample = steps[:, 0] / steps[:, 0].mean()
    assert first.drawn.std() == pytest.approx(sample.std(ddof=1) / math.sqrt(10), rel=0.06)
    assert first.freedom == draw(Runs(np.arange(10), steps, steps)).marginal(3).freedom == 9
    z = first.value / first.drawn.std()
    assert first.p_value == pytest.approx(2 * t.sf(z, 9))
    plain = Measured(first.value, first.drawn)
    widths = [each.interval[2] - each.interval[1] for each in (first, plain)]
    assert widths[0] / widths[1] == pytest.approx(t.ppf(0.975, 9) / norm.ppf(0.975))
    assert (first - plain).freedom == mean_of([plain, first]).freedom == 9
    assert Measured(2.0, measured(0, 1).drawn).p_value == pytest.approx(2 * norm.sf(2 / measured(0, 1).drawn.std()))


def test_sure_among_few_seeds_is_as_rare_as_it_should_be() -> None:
    """Ten seeds of two agents that are alike: about one interval in twenty leaves 0 out."""
    generator = np.random.default_rng(6)
    sure = []
    for _ in range(400):
        one, other = (generator.lognormal(6, 0.3, (10, 1)).astype(np.int64) for _ in range(2))
        difference = log_first_steps(Runs(np.arange(10), one, one)) - log_first_steps(Runs(np.arange(10), other, other))
        sure.append(difference.below_zero or difference.above_zero)
    assert 0.02 < np.mean(sure) < 0.075


def test_words() -> None:
    assert signed(-0.123) == "−0.12"
    assert signed(0.5) == "+0.50"
    assert signed(-0.001) == "0.00"
    assert percent(-0.08) == "−8 %"
    assert percent(-0.001) == "0 %"
    assert steps_saved(math.log(0.5)) == "50 % fewer steps"
    assert steps_saved(math.log(1.2)) == "20 % more steps"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_marginals_are_those_of_the_figures() -> None:
    runs = next(iter(runs_by_setting(main_frame(lambda _: 4.0)).values()))
    rising = Runs(runs.seeds, runs.training, runs.evaluation * np.arange(1, 51))
    for iterations in (32, 50):
        ours = draw(rising).marginal(iterations)
        assert ours.value == marginal_point(rising.evaluation, iterations)
        drawn = marginals_of_draws(rising.evaluation, iterations)
        assert ours.drawn.mean() == pytest.approx(drawn.mean(), abs=0.005)
        assert ours.drawn.std() == pytest.approx(drawn.std(), rel=0.15)
