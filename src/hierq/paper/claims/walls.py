"""What the paper leaves open: what changes when sub-goals cannot be walls?"""

import math

from hierq.paper.aggregation import runs_by
from hierq.paper.claims.claim import Claim, Finding, Verdict, lacking
from hierq.paper.claims.measures import Drawn, Measured, draw, mean_of, tally
from hierq.paper.claims.words import LOG_STEPS, listed, ratio_with_interval, with_interval
from hierq.paper.reproduction import Reproduction, with_settings
from hierq.paper.rules import RuleSet
from hierq.worlds import PAPER_WORLDS

WALLS = Claim(
    "walls-as-subgoals",
    "It makes a difference whether sub-goals may be walls.",
    "an open question; the paper does not mention it",
    "audit",
    by_rules=False,
)


def walls_as_subgoals(reproduction: Reproduction, rules: RuleSet | None, iterations: int) -> Finding:
    """Agents of the audit with walls as sub-goals against those with free cells only, all else equal.

    Holds if, in the mean over all settings, marginal performance and first training episodes both surely differ (95 %
    intervals without 0); partly if one of both does; else it does not hold.
    """
    if why := lacking(reproduction, "audit", None):
        return WALLS.untestable(reproduction, None, iterations, why)
    frame = reproduction.frame("audit", None)
    assert frame is not None
    settings = with_settings(frame, "subgoal_cells", "goal_preference", "evaluation")
    columns = ("setting_subgoal_cells", "world", "levels", "setting_goal_preference", "setting_evaluation", "backup")
    drawn = {key: draw(runs) for key, runs in runs_by(settings, *columns)}
    pairs = {key[1:]: (walls, drawn["free", *key[1:]]) for key, walls in drawn.items() if key[0] == "grid"}
    costs = {key: walls.marginal(iterations) - free.marginal(iterations) for key, (walls, free) in pairs.items()}
    counts, overall = tally(list(costs.values())), mean_of(costs.values())
    first = mean_of([walls.first - free.first for walls, free in pairs.values()])
    different = sum(each.below_zero or each.above_zero for each in (overall, first))
    verdict: Verdict = ("does not hold", "holds partly", "holds")[different]
    return WALLS.finding(
        None,
        iterations,
        verdict,
        f"with walls performance is surely worse in {counts.surely_above} of {counts.total} settings, surely better in "
        f"{counts.surely_below} (Holm, 5 %); first episodes take {ratio_with_interval(first)} times as long",
        _walls_detail(pairs, costs),
        overall.interval,
        f"{LOG_STEPS}, walls less free cells",
    )


_Key = tuple[str, int, str, str, str]  # world, levels, preference, evaluation, backup


def _walls_detail(pairs: dict[_Key, tuple[Drawn, Drawn]], costs: dict[_Key, Measured]) -> str:
    """Performance by preference, and first episodes by world."""
    names = {"reachable": "with the preference of the text", "published": "with the slip"}
    by_preference = listed(
        [
            f"{with_interval(mean_of([cost for key, cost in costs.items() if key[2] == preference]))} {name}"
            for preference, name in names.items()
        ]
    )
    worlds = [world for world in PAPER_WORLDS if world in {key[0] for key in pairs}]
    first = {
        w: mean_of([walls.first - free.first for key, (walls, free) in pairs.items() if key[0] == w]) for w in worlds
    }
    by_world = listed([f"{math.exp(ratio.value):.2f} on {world}" for world, ratio in first.items()])
    return f"Marginal ln(steps) with walls less without: {by_preference}. Ratio of first episodes: {by_world}."
