"""First training episodes: does hierarchy prolong them, where does that reverse, and why?"""

import math

import polars as pl

from hierq.paper.aggregation import runs_by
from hierq.paper.claims.claim import Claim, Finding, Verdict, lacking
from hierq.paper.claims.measures import (
    Measured,
    exactly,
    first_steps,
    log_first_steps,
    mean_of,
    surely_different,
    tally,
)
from hierq.paper.claims.words import listed, ratio_with_interval
from hierq.paper.reproduction import Reproduction, with_settings
from hierq.paper.rules import RuleSet
from hierq.worlds import make_world, random_walk_steps

RATIO = "ln(ratio of mean steps)"
MAZE = "maze-10"
PREFERENCES = ("published", "reachable")

PROLONGS = Claim(
    "prolongs-first-episodes",
    "Hierarchy prolongs the first training episode.",
    "Tables 1 and 3, Experiment Results",
    "first-episode",
    by_iterations=False,
)
REVERSES = Claim(
    "reverses-on-maze",
    "On the 10x10 maze that pattern reverses at k > 2.",
    "Table 1",
    "first-episode",
    by_iterations=False,
)
SLIP = Claim(
    "reversal-is-the-slip",
    "The reversal on the 10x10 maze comes from the preference slip of the published program.",
    "not in the paper; explains Table 1",
    "audit",
    by_rules=False,
    by_iterations=False,
)


def prolongs_first_episodes(reproduction: Reproduction, rules: RuleSet, iterations: int | None = None) -> Finding:
    """Mean steps of the first training episode with k > 1 against k = 1, same backup and world, as ln of the ratio.

    Holds if at least 95 % of the settings take longer, none is surely shorter (Holm, 5 %) and the mean is surely above
    0; partly if only the mean is surely above 0; else it does not hold.
    """
    if why := lacking(reproduction, "first-episode", rules):
        return PROLONGS.untestable(reproduction, rules, None, why)
    first = first_steps(reproduction, rules)
    ratios = {s: steps - first[s._replace(levels=1)] for s, steps in first.items() if s.levels > 1}
    counts, overall = tally(list(ratios.values())), mean_of(ratios.values())
    longer = sum(ratio.value > 0 for ratio in ratios.values())
    verdict: Verdict = "does not hold"
    if overall.above_zero:
        verdict = "holds" if longer >= 0.95 * counts.total and not counts.surely_below else "holds partly"
    by_levels = {
        k: mean_of([r for s, r in ratios.items() if s.levels == k]) for k in sorted({s.levels for s in ratios})
    }
    means = listed([f"{ratio_with_interval(ratio)} at k = {k}" for k, ratio in by_levels.items()])
    worlds = {w: mean_of([r for s, r in ratios.items() if s.world == w]) for w in {s.world for s in ratios}}
    least, most = (pick(worlds, key=lambda world: worlds[world].value) for pick in (min, max))
    detail = (
        f"Geometric mean of the ratios to k = 1: {means}; from {math.exp(worlds[least].value):.2f} on {least} to "
        f"{math.exp(worlds[most].value):.2f} on {most}."
    )
    sure = surely_different(list(ratios.values()))
    shorter = [s for (s, r), is_sure in zip(ratios.items(), sure, strict=True) if is_sure and r.value < 0]
    if shorter:
        detail += f" Surely shorter: {listed(sorted({f'{s.world}, k = {s.levels}' for s in shorter}))}."
    return PROLONGS.finding(
        rules,
        None,
        verdict,
        f"{longer} of {counts.total} settings longer than k = 1, {counts.surely_above} surely so and "
        f"{counts.surely_below} surely shorter (Holm, 5 %)",
        detail,
        overall.interval,
        RATIO,
    )


def reverses_on_maze(reproduction: Reproduction, rules: RuleSet, iterations: int | None = None) -> Finding:
    """First episodes on maze-10 as ln of ratios, averaged over backups: k = 3 and 4 to k = 2, and k = 4 to k = 1.

    Holds if all three are surely shorter (95 % intervals below 0): they shrink after k = 2, and in the end hierarchy
    shortens what it prolonged; partly if some are; else it does not hold.
    """
    if why := lacking(reproduction, "first-episode", rules):
        return REVERSES.untestable(reproduction, rules, None, why)
    first = {s: steps for s, steps in first_steps(reproduction, rules).items() if s.world == MAZE}
    if not first:
        return REVERSES.untestable(reproduction, rules, None, f"{MAZE} was not run")

    def against(levels: int, fewer: int) -> Measured:
        return mean_of([steps - first[s._replace(levels=fewer)] for s, steps in first.items() if s.levels == levels])

    to_two, to_flat = ({k: against(k, fewer) for k in range(fewer + 1, 5)} for fewer in (2, 1))
    shorter = sum(ratio.below_zero for ratio in (to_two[3], to_two[4], to_flat[4]))
    verdict: Verdict = "holds" if shorter == 3 else "holds partly" if shorter else "does not hold"
    return REVERSES.finding(
        rules,
        None,
        verdict,
        f"{shorter} of 3 ratios surely below 1: k = 3 and k = 4 to k = 2, and k = 4 to k = 1",
        f"Ratio to k = 2: {_ratios(to_two)}. Ratio to k = 1: {_ratios(to_flat)}.",
        to_flat[4].interval,
        f"{RATIO}, k = 4 to k = 1",
    )


def _ratios(by_levels: dict[int, Measured]) -> str:
    return listed([f"{ratio_with_interval(ratio)} at k = {k}" for k, ratio in by_levels.items()])


def reversal_is_the_slip(
    reproduction: Reproduction, rules: RuleSet | None = None, iterations: int | None = None
) -> Finding:
    """First episodes on maze-10 with the slip and without, all else equal: walls as sub-goals or not, evaluation rule.

    A flat agent's first episode is a random walk, whose mean is known exactly. Two tests: (1) in the published program
    k = 4 is surely shorter than flat, and surely longer when the slip alone is taken away (95 % intervals); (2) for
    every choice of the other switches the slip surely lowers the ratio of k = 4 to k = 2 (Holm, 5 %). Holds if both are
    so; partly if one is; else it does not hold.
    """
    if why := lacking(reproduction, "audit", None):
        return SLIP.untestable(reproduction, None, None, why)
    frame = reproduction.frame("audit", None)
    assert frame is not None
    frame = frame.filter(pl.col("world") == MAZE)
    if not len(frame):
        return SLIP.untestable(reproduction, None, None, f"{MAZE} was not run")
    ratios = _audited_ratios(frame)
    published, without = ratios["published", "grid", "published"], ratios["reachable", "grid", "published"]
    vanishes = published[4].below_zero and without[4].above_zero
    others = [key[1:] for key in ratios if key[0] == "published"]
    falls = {(p, *each): ratios[p, *each][4] - ratios[p, *each][2] for p in PREFERENCES for each in others}
    lowered = [falls["published", *each] - falls["reachable", *each] for each in others]
    sure = tally(lowered).surely_below
    verdict: Verdict = ("does not hold", "holds partly", "holds")[vanishes + (sure == len(others))]
    text, slip = ratios["reachable", "free", "text"], ratios["published", "free", "text"]
    return SLIP.finding(
        None,
        None,
        verdict,
        f"k = 4 to flat is {ratio_with_interval(published[4])} as published, {ratio_with_interval(without[4])} without "
        f"the slip; it surely lowers k = 4 to k = 2 in {sure} of {len(others)} choices of the other switches (Holm)",
        f"Ratio to flat at k = 2, 3, 4: {_in_a_row(published)} as published, {_in_a_row(without)} without the slip; "
        f"{_in_a_row(text)} by the text, {_in_a_row(slip)} with the slip added to it. {_without_slip(text)}",
        (published[4] - without[4]).interval,
        f"{RATIO}, k = 4 as published to k = 4 without the slip",
    )


def _without_slip(by_levels: dict[int, Measured]) -> str:
    """Whether first episodes get shorter after k = 2 even with free cells and without the slip, and stay above flat."""
    fall, end = by_levels[4] - by_levels[2], by_levels[4]
    falls = "does not surely change after k = 2"
    if fall.below_zero or fall.above_zero:
        falls = "surely falls after k = 2, too" if fall.below_zero else "surely rises after k = 2"
    stays = "surely stays above" if end.above_zero else "surely ends below" if end.below_zero else "is not surely off"
    return (
        f"With free cells and without the slip the length {falls} (k = 4 to k = 2: "
        f"{ratio_with_interval(fall)}), and {stays} flat (k = 4 to flat: {ratio_with_interval(end)})."
    )


def _in_a_row(by_levels: dict[int, Measured]) -> str:
    return " / ".join(f"{math.exp(ratio.value):.2f}" for _, ratio in sorted(by_levels.items()))


def _audited_ratios(frame: pl.DataFrame) -> dict[tuple[str, str, str], dict[int, Measured]]:
    """Ratios (ln) to flat, averaged over backups, by preference, cells and evaluation rule, and then by levels."""
    settings = with_settings(frame, "goal_preference", "subgoal_cells", "evaluation")
    columns = ("setting_goal_preference", "setting_subgoal_cells", "setting_evaluation", "levels")
    world = make_world(MAZE)
    flat = exactly(math.log(random_walk_steps(world)[world.start]))
    first: dict[tuple[str, str, str], dict[int, list[Measured]]] = {}
    for (*switches, levels, _), runs in runs_by(settings, *columns, "backup"):
        found = first.setdefault((switches[0], switches[1], switches[2]), {})
        found.setdefault(levels, []).append(log_first_steps(runs))
    return {key: {k: mean_of(each) - flat for k, each in by_levels.items()} for key, by_levels in first.items()}
