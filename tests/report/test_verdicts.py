"""Claims: one place each, verdicts side by side."""

from hierq.investigations.claims import Finding
from hierq.paper.rules import AGGREGATIONS
from hierq.report import verdicts
from hierq.report.verdicts import apart, counts


def finding(claim="improves", rules="published", iterations=32, verdict="holds", **changes):
    usual = {
        "title": f"Claim {claim}",
        "source": "Figure 4",
        "statistic": "tested",
        "effect": -0.5,
        "low": -0.6,
        "high": -0.4,
        "unit": "difference in mean ln(steps)",
        "detail": "Lines fall.",
    }
    return Finding(claim=claim, rules=rules, iterations=iterations, verdict=verdict, **{**usual, **changes})


def claims_of(findings, aggregations=AGGREGATIONS):
    return verdicts.claims_of(findings, aggregations)


def four_ways(**changes):
    return [finding(rules=rules, iterations=count, **changes) for rules in ("text", "published") for count in (50, 32)]


def test_a_claim_stands_once_with_its_verdicts_in_order():
    first, second = claims_of([*four_ways(), finding("paths", None, None)])
    assert (first.finding.title, second.finding.title) == ("Claim improves", "Claim paths")
    labels = [verdict.label for verdict in first.verdicts]
    assert labels == ["published · 32", "published · 50", "text · 32", "text · 50"]
    assert [verdict.label for verdict in second.verdicts] == ["overall"]


def test_the_headline_has_the_aggregation_of_each_set_of_rules():
    (claim,) = claims_of(four_ways())
    shown = {rules: verdict.label for rules, verdict in claim.headline.items()}
    assert shown == {"published": "published · 32", "text": "text · 50"}


def test_verdicts_are_counted_under_each_set_of_rules():
    claims = claims_of(
        [
            finding("a"),
            finding("a", "text", 50, "does not hold"),
            finding("b", "published", None, "holds partly"),
            finding("c", None, None),
        ]
    )
    told = {rules: {mark.meaning: number for mark, number in marks} for rules, marks in counts(claims).items()}
    assert told == {"published": {"holds": 2, "holds partly": 1}, "text": {"holds": 1, "does not hold": 1}}


def test_our_own_claims_are_counted_apart():
    claims = claims_of([finding("a"), finding("b", ours=True), finding("c", verdict="does not hold")])
    theirs, ours = apart(claims)
    assert ([claim.finding.claim for claim in theirs], [claim.finding.claim for claim in ours]) == (["a", "c"], ["b"])
    assert [(mark.meaning, number) for mark, number in counts(theirs)["published"]] == [
        ("holds", 1),
        ("does not hold", 1),
    ]
    assert apart(claims_of([finding("a")])) == (claims_of([finding("a")]),)


def test_how_the_tests_came_out_stands_beside_the_verdict():
    def told(**changes):
        return claims_of([finding(**changes)])[0].verdicts[0].tests

    assert told(tests=144, sure=131, against=1) == "131 of 144 surely so, 1 surely not"
    assert told(tests=3, sure=3, against=0) == "3 of 3 surely so"
    assert told(tests=1, sure=1, against=0) == "one test"
    assert told() == ""


def test_the_same_words_are_said_once():
    findings = four_ways()
    (claim,) = claims_of(findings)
    assert claim.shown == (("", "Lines fall."),)
    assert claim.folded == ()
    (claim,) = claims_of([finding(), finding(iterations=50, detail="Lines rise.")])
    assert claim.shown == (("published · 32", "Lines fall."),)
    assert claim.folded == (("published · 50", "Lines rise."),)


def test_intervals_lie_on_one_scale_with_no_effect_on_it():
    (claim,) = claims_of([finding(low=-1.0, effect=-0.5, high=0.0), finding(iterations=50, low=-0.5, effect=0, high=1)])
    one, other = (verdict.bar for verdict in claim.verdicts)
    assert one.left == 4
    assert one.none == other.none == one.left + one.width
    assert other.left == one.point
    assert other.left + other.width == 96


def test_effects_in_different_units_have_no_common_picture():
    (claim,) = claims_of([finding(), finding(iterations=50, unit="steps")])
    assert claim.unit == ""
    assert [verdict.bar for verdict in claim.verdicts] == [None, None]


def test_what_could_not_be_tested_has_no_effect():
    untested = finding(verdict="not testable here", effect=None, low=None, high=None)
    (claim,) = claims_of([untested, finding("improves", "text", 50)])
    assert claim.verdicts[0].effect == ""
    assert claim.verdicts[0].bar is None
    assert claim.verdicts[0].mark.symbol == "–"
    assert claim.verdicts[1].bar is not None


def test_an_investigation_without_rules_has_one_verdict_a_claim():
    claims = claims_of([finding("a", None, None), finding("b", None, None, "does not hold", exploratory=True)], {})
    assert [list(claim.headline) for claim in claims] == [[""], [""]]
    assert [claim.finding.exploratory for claim in claims] == [False, True]
    told = {rules: {mark.meaning: number for mark, number in marks} for rules, marks in counts(claims).items()}
    assert told == {"": {"holds": 1, "does not hold": 1}}
