"""Flat agents that send rewards back the farthest, beside the hierarchies."""

import math

from hierq.paper.claims.claim import Claim, Finding, Verdict, lacking
from hierq.paper.claims.measures import Measured, drawn_study, mean_of, median_of
from hierq.paper.claims.words import LOG_STEPS, listed, signed
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RuleSet
from hierq.worlds import PAPER_WORLDS

SMALL_WORLDS = ("gridworld-10", "rooms-4", "maze-10")
MARGIN = math.log(1.1)

COMPETITIVE = Claim(
    "flat-traces-competitive",
    "The flat agent with λ = 1 is competitive with the hierarchies on the small worlds.",
    "Figure 4, Experiment Results",
    "main",
)


def flat_traces_competitive(reproduction: Reproduction, rules: RuleSet, iterations: int) -> Finding:
    """The flat agent with λ = 1 less the median of all hierarchies (k > 1, any backup) on each small world.

    It is competitive where it surely needs less than 10 % more steps: the upper end of the 95 % interval lies below
    ln 1.1. Holds if it is so on every small world; partly if on some; else it does not hold.
    """
    if why := lacking(reproduction, "main", rules):
        return COMPETITIVE.untestable(reproduction, rules, iterations, why)
    gaps = _gaps(reproduction, rules, iterations)
    small = {world: gap for world, gap in gaps.items() if world in SMALL_WORLDS}
    if not small:
        return COMPETITIVE.untestable(reproduction, rules, iterations, "none of the small worlds was run")
    close = [world for world, gap in small.items() if gap.interval[2] < MARGIN]
    verdict: Verdict = "does not hold"
    if close:
        verdict = "holds" if len(close) == len(small) else "holds partly"
    each = listed([f"{signed(gap.value)} on {world}" for world, gap in gaps.items()])
    return COMPETITIVE.finding(
        rules,
        iterations,
        verdict,
        f"surely within 10 % of the steps of the median hierarchy on {len(close)} of {len(small)} small worlds",
        f"Flat λ = 1 less the median hierarchy: {each}; above 0 it needs more steps.",
        mean_of(small.values()).interval,
        f"{LOG_STEPS}, mean over the small worlds",
    )


def _gaps(reproduction: Reproduction, rules: RuleSet, iterations: int) -> dict[str, Measured]:
    """Flat λ = 1 less the median hierarchy, by world, small ones first."""
    drawn = {s: each for s, each in drawn_study(reproduction, "main", rules).items() if s.behaviour == "hierarchy"}
    gaps = {}
    for setting, flat in drawn.items():
        if (setting.backup, setting.parameter, setting.levels) == ("traces", 1.0, 1):
            above = [
                each.marginal(iterations) for s, each in drawn.items() if s.world == setting.world and s.levels > 1
            ]
            gaps[setting.world] = flat.marginal(iterations) - median_of(above)
    return {world: gaps[world] for world in (*SMALL_WORLDS, *PAPER_WORLDS) if world in gaps}
