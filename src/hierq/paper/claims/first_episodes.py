"""First training episodes: does hierarchy prolong them, where does that reverse, and why; do they differ by seed?"""

import math

import polars as pl

from hierq.investigations.claims import Judgement, Untestable, claimed, counted, runs_to_judge_by
from hierq.investigations.measures import EARLY, Measured, exactly, log_first_steps, mean_of, surely_different
from hierq.investigations.results import runs_by, with_settings
from hierq.investigations.words import listed, ratio_with_interval
from hierq.paper.claims.measures import drawn_study, first_steps, means_by, over_flat
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RuleSet
from hierq.worlds import make_world, random_walk_steps

RATIO = "ln(ratio of mean steps)"
MAZE = "maze-10"
PREFERENCES = ("published", "reachable")


@claimed(
    "prolongs-first-episodes",
    "Generally, hierarchy prolongs the first training episode.",
    "Tables 1 and 3; Section 5, Experiment Results",
    "first-episode",
    by_iterations=False,
)
def prolongs_first_episodes(reproduction: Reproduction, rules: RuleSet) -> Judgement:
    """Mean steps of the first training episode with k > 1 against k = 1, same backup and world, as ln of the ratio.

    Each setting is a test: that it takes longer.
    """
    ratios = over_flat(first_steps(reproduction, rules))
    counts, overall = counted(ratios.values(), "above"), mean_of(ratios.values())
    longer = sum(ratio.value > 0 for ratio in ratios.values())
    by_levels, worlds = means_by("levels", ratios), means_by("world", ratios)
    least, most = (pick(worlds, key=lambda world: worlds[world].value) for pick in (min, max))
    detail = (
        f"Geometric mean of the ratios to k = 1: {_ratios(by_levels)}; from {math.exp(worlds[least].value):.2f} "
        f"on {least} to {math.exp(worlds[most].value):.2f} on {most}."
    )
    sure = surely_different(ratios.values())
    shorter = [s for (s, r), is_sure in zip(ratios.items(), sure, strict=True) if is_sure and r.value < 0]
    if shorter:
        detail += f" Surely shorter: {listed(sorted({f'{s.world}, k = {s.levels}' for s in shorter}))}."
    return Judgement.by(
        counts,
        f"{longer} of {counts.tests} settings longer than k = 1, {counts.sure} surely so and {counts.against} surely "
        "shorter (Holm, 5 %)",
        detail,
        overall.interval,
        RATIO,
    )


@claimed(
    "reverses-on-maze",
    "On the 10x10 maze that pattern reverses at k > 2.",
    "Table 1; Section 5, Experiment Results",
    "first-episode",
    by_iterations=False,
)
def reverses_on_maze(reproduction: Reproduction, rules: RuleSet) -> Judgement:
    """First episodes on maze-10 as ln of ratios, averaged over backups: k = 3 and 4 to k = 2, and k = 4 to k = 1.

    Each of the three is a test: that they shrink after k = 2, and that in the end hierarchy shortens what it prolonged.
    """
    first = {s: steps for s, steps in first_steps(reproduction, rules).items() if s.world == MAZE}
    if not first:
        raise Untestable(f"{MAZE} was not run")

    def against(levels: int, fewer: int) -> Measured:
        return mean_of([steps - first[s._replace(levels=fewer)] for s, steps in first.items() if s.levels == levels])

    to_two, to_flat = ({k: against(k, fewer) for k in range(fewer + 1, 5)} for fewer in (2, 1))
    counts = counted([to_two[3], to_two[4], to_flat[4]], "below")
    return Judgement.by(
        counts,
        f"{counts.sure} of {counts.tests} ratios surely below 1, {counts.against} surely above: k = 3 and k = 4 to "
        "k = 2, and k = 4 to k = 1 (Holm, 5 %)",
        f"Ratio to k = 2: {_ratios(to_two)}. Ratio to k = 1: {_ratios(to_flat)}.",
        to_flat[4].interval,
        f"{RATIO}, k = 4 to k = 1",
    )


def _ratios(by_levels: dict[int, Measured]) -> str:
    return listed([f"{ratio_with_interval(ratio)} at k = {k}" for k, ratio in by_levels.items()])


@claimed(
    "reversal-is-the-slip",
    "The reversal on the 10x10 maze comes from the preference slip of the published program.",
    "not in the paper; explains Table 1",
    "audit",
    by_rules=False,
    by_iterations=False,
    ours=True,
)
def reversal_is_the_slip(reproduction: Reproduction) -> Judgement:
    """First episodes on maze-10 with the slip and without, all else equal: walls as sub-goals or not, evaluation rule.

    A flat agent's first episode is a random walk, whose mean is known exactly. Six tests: that in the published program
    k = 4 is shorter than flat; that it is longer when the slip alone is taken away; and, for each of four choices of
    the other switches, that the slip lowers the ratio of k = 4 to k = 2.
    """
    frame = runs_to_judge_by(reproduction, "audit", None).filter(pl.col("world") == MAZE)
    if not len(frame):
        raise Untestable(f"{MAZE} was not run")
    ratios = _audited_ratios(frame)
    published, without = ratios["published", "grid", "published"], ratios["reachable", "grid", "published"]
    others = [key[1:] for key in ratios if key[0] == "published"]
    falls = {(p, *each): ratios[p, *each][4] - ratios[p, *each][2] for p in PREFERENCES for each in others}
    lowered = [falls["published", *each] - falls["reachable", *each] for each in others]
    counts = counted([published[4], exactly(0.0) - without[4], *lowered], "below")
    text, slip = ratios["reachable", "free", "text"], ratios["published", "free", "text"]
    return Judgement.by(
        counts,
        f"k = 4 to flat is {ratio_with_interval(published[4])} as published, {ratio_with_interval(without[4])} without "
        f"the slip; of these two and the {len(others)} choices of the other switches, in which it lowers k = 4 to "
        f"k = 2, {counts.sure} are sure and {counts.against} surely otherwise (Holm, 5 %)",
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


_EARLY_PLACES = {
    ("training", 1): "the first training episode",
    ("training", EARLY): f"the first {EARLY} training episodes",
    ("evaluation", 1): "the first evaluation episode",
    ("evaluation", EARLY): f"the first {EARLY} evaluation episodes",
}


@claimed(
    "early-variance",
    "Hierarchies vary more in the first episodes than flat agents: first reading, in steps.",
    "Section 5, Experiment Results; Section 6",
    "main",
    by_iterations=False,
)
def early_variance(reproduction: Reproduction, rules: RuleSet) -> Judgement:
    """Variance over seeds of steps, k > 1 to k = 1 with the same backup and world, averaged over settings.

    Each of four places is a test, that the variance is larger: the first training and the first evaluation episode, and
    the first five of each.
    """
    return _varies_more(reproduction, rules, "steps")


@claimed(
    "early-variance-of-logs",
    "Hierarchies vary more in the first episodes than flat agents: second reading, in ln(steps).",
    "Section 5, Experiment Results; Section 6",
    "main",
    by_iterations=False,
)
def early_variance_of_logs(reproduction: Reproduction, rules: RuleSet) -> Judgement:
    """As `early_variance`, of ln(steps), which the paper's loss curves are made of: how much in proportion."""
    return _varies_more(reproduction, rules, "ln(steps)")


def _varies_more(reproduction: Reproduction, rules: RuleSet, scale: str) -> Judgement:
    drawn = {s: each for s, each in drawn_study(reproduction, "main", rules).items() if s.behaviour == "hierarchy"}
    ratios = {
        place: mean_of(over_flat({s: each.spreads[scale, *place] for s, each in drawn.items()}).values())
        for place in _EARLY_PLACES
    }
    counts = counted(ratios.values(), "above")
    each = listed([f"{ratio_with_interval(ratio)} in {_EARLY_PLACES[place]}" for place, ratio in ratios.items()])
    return Judgement.by(
        counts,
        f"surely larger in {counts.sure} and surely smaller in {counts.against} of {counts.tests} places (Holm, 5 %)",
        f"Variance of {scale} over seeds, ratio to k = 1: {each}.",
        ratios["evaluation", EARLY].interval,
        f"ln(ratio of variances of {scale}), first {EARLY} evaluation episodes",
    )
