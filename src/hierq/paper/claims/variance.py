"""How much agents of the same kind differ in their first episodes."""

from hierq.paper.claims.claim import Claim, Finding, Verdict, lacking
from hierq.paper.claims.measures import EARLY, drawn_study, mean_of, surely_different
from hierq.paper.claims.words import listed, ratio_with_interval
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RuleSet

VARIANCE = Claim(
    "early-variance",
    "Hierarchies vary more in the first episodes than flat agents.",
    "Experiment Results, Discussion",
    "main",
    by_iterations=False,
)
_NAMES = {
    ("training", 1): "the first training episode",
    ("training", EARLY): f"the first {EARLY} training episodes",
    ("evaluation", 1): "the first evaluation episode",
    ("evaluation", EARLY): f"the first {EARLY} evaluation episodes",
}


def early_variance(reproduction: Reproduction, rules: RuleSet, iterations: int | None = None) -> Finding:
    """Variance over seeds of ln(steps), k > 1 to k = 1 with the same backup and world, averaged over settings.

    In four places: the first training and the first evaluation episode, and the first five of each. Holds if the
    variance is surely larger (Holm, 5 %) in all four; partly if it is surely larger in more of them than it is surely
    smaller in; else it does not hold.
    """
    if why := lacking(reproduction, "main", rules):
        return VARIANCE.untestable(reproduction, rules, None, why)
    drawn = {s: each for s, each in drawn_study(reproduction, "main", rules).items() if s.behaviour == "hierarchy"}
    ratios = {
        place: mean_of(
            [e.spreads[place] - drawn[s._replace(levels=1)].spreads[place] for s, e in drawn.items() if s.levels > 1]
        )
        for place in _NAMES
    }
    sure = surely_different(list(ratios.values()))
    found = [r.value for is_sure, r in zip(sure, ratios.values(), strict=True) if is_sure]
    larger, smaller = sum(value > 0 for value in found), sum(value < 0 for value in found)
    verdict: Verdict = "holds" if larger == len(ratios) else "holds partly" if larger > smaller else "does not hold"
    each = listed([f"{ratio_with_interval(ratio)} in {_NAMES[place]}" for place, ratio in ratios.items()])
    return VARIANCE.finding(
        rules,
        None,
        verdict,
        f"surely larger in {larger} and surely smaller in {smaller} of {len(ratios)} places (Holm, 5 %)",
        f"Variance of ln(steps) over seeds, ratio to k = 1: {each}.",
        ratios["evaluation", EARLY].interval,
        f"ln(ratio of variances), first {EARLY} evaluation episodes",
    )
