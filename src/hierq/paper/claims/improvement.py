"""Hierarchy against flat: is it better, better with every level, and when trained flat or with balanced depth?"""

import itertools
import math

import numpy as np

from hierq.investigations.claims import Judgement, Untestable, claimed, counted
from hierq.investigations.measures import Measured, exactly, mean_of, surely_different, tally
from hierq.investigations.words import LOG_STEPS, listed, signed, steps_saved, with_interval
from hierq.paper.aggregation import Setting
from hierq.paper.claims.measures import drawn_study, marginals, means_by, over_flat
from hierq.paper.published import backup_name
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RuleSet
from hierq.worlds import PAPER_WORLDS

TRAINED = {"flat": "trained flat", "hierarchy": "trained with hierarchy"}
SMALL_WORLDS = ("gridworld-10", "rooms-4", "maze-10")
MARGIN = math.log(1.1)


@claimed(
    "hierarchy-improves",
    "Generally, hierarchy improves on the flat agent at any setting.",
    "Figure 4; Section 5, Experiment Results",
    "main",
)
def hierarchy_improves(reproduction: Reproduction, rules: RuleSet, iterations: int) -> Judgement:
    """Every agent with k > 1, trained with the hierarchy, against k = 1 with the same backup on the same world.

    Each setting is a test: that it takes fewer steps.
    """
    return _improves(reproduction, rules, iterations, "hierarchy")


@claimed(
    "improves-trained-flat",
    "Hierarchy also improves on the flat agent when all are trained flat.",
    "Figure 7; Section 6",
    "main",
)
def improves_trained_flat(reproduction: Reproduction, rules: RuleSet, iterations: int) -> Judgement:
    """As `hierarchy_improves`, for agents that were trained flat and evaluated with their hierarchy."""
    return _improves(reproduction, rules, iterations, "flat")


def _improves(reproduction: Reproduction, rules: RuleSet, iterations: int, behaviour: str) -> Judgement:
    gains = over_flat(marginals(reproduction, rules, iterations, behaviour))
    means = listed([f"{signed(gain.value)} at k = {k}" for k, gain in means_by("levels", gains).items()])
    return _judged(gains, means)


@claimed(
    "balanced-depth",
    "With balanced depth of credit the benefit of hierarchy stays.",
    "Figures 5, 9 and 10; Section 5, Experiment Results",
    "balanced",
)
def balanced_depth(reproduction: Reproduction, rules: RuleSet, iterations: int) -> Judgement:
    """Agents of the balanced study with k = 2, 3, both backups and both behaviours, against its k = 1.

    Each setting is a test: that it takes fewer steps.
    """
    drawn = drawn_study(reproduction, "balanced", rules)
    flat = {(s.world, s.backup): each.marginal(iterations) for s, each in drawn.items() if s.levels == 1}
    gains = {s: each.marginal(iterations) - flat[s.world, s.backup] for s, each in drawn.items() if s.levels > 1}
    by_backup = means_by("backup", gains)
    names = {"tree-backup": "Tree-Backup", "traces": "λ = 1"}
    means = listed([f"{signed(by_backup[kind].value)} with {name}" for kind, name in names.items()])
    return _judged(gains, means)


def _judged(gains: dict[Setting, Measured], means: str) -> Judgement:
    counts, overall = counted(gains.values(), "below"), mean_of(gains.values())
    better = sum(gain.value < 0 for gain in gains.values())
    worlds = len({setting.world for setting in gains})
    detail = f"On average {steps_saved(overall.value)} (geometric mean). Mean difference {means}."
    if weakest := [s for s, gain in gains.items() if gain.value >= 0]:
        detail += f" Not better: {listed([setting_name(s) for s in weakest[:3]])}"
        detail += f" and {len(weakest) - 3} more." if len(weakest) > 3 else "."
    return Judgement.by(
        counts,
        f"{better} of {counts.tests} settings on {worlds} world{'s' * (worlds > 1)} better than k = 1, "
        f"{counts.sure} surely so and {counts.against} surely worse (Holm, 5 %)",
        detail,
        overall.interval,
        LOG_STEPS,
    )


def setting_name(setting: Setting) -> str:
    """A setting in a sentence, as maze-10 (λ = 1, k = 3, trained flat)."""
    backup = backup_name(setting.backup, setting.parameter)
    return f"{setting.world} ({backup}, k = {setting.levels}, {TRAINED[setting.behaviour]})"


def further_levels(
    reproduction: Reproduction, rules: RuleSet, iterations: int, behaviour: str = "hierarchy"
) -> dict[Setting, Measured]:
    """What one level more changes, by the setting that it is added to; below 0 is better."""
    numbers = marginals(reproduction, rules, iterations, behaviour)
    return {
        setting: more - number
        for setting, number in numbers.items()
        if (more := numbers.get(setting._replace(levels=setting.levels + 1))) is not None
    }


@claimed(
    "near-monotone",
    "Performance improves near-monotonically with the number of levels k.",
    "Figure 4; Section 5, Experiment Results",
    "main",
)
def near_monotone(reproduction: Reproduction, rules: RuleSet, iterations: int) -> Judgement:
    """One level more against one less, with the same backup on the same world, trained with the hierarchy.

    Each further level is a test: that it takes fewer steps, in the mean over all settings. One mean over all levels
    would compare the most with one, and say nothing of what lies between; single settings need not improve at every
    step, as the paper says "near". The effect is that of the level that helps least.
    """
    changes = further_levels(reproduction, rules, iterations)
    steps, means = tally(changes.values()), means_by("levels", changes)
    counts = counted(means.values(), "below")
    return Judgement.by(
        counts,
        f"{counts.sure} of {counts.tests} further levels surely improve in the mean over settings, {counts.against} "
        f"surely worsen; {steps.below} of {steps.total} single steps from k to k + 1 improve, {steps.surely_below} "
        f"surely so and {steps.surely_above} surely worsen (Holm, 5 %)",
        f"In the mean {_each_level(means)}. {_by_setting(changes)}",
        max(means.values(), key=lambda mean: mean.value).interval,
        f"{LOG_STEPS}, by the level that helps least",
    )


def _by_setting(changes: dict[Setting, Measured]) -> str:
    """In how many settings every further level helps, and where one surely does not."""
    settings: dict[Setting, list[bool]] = {}
    for setting, change in changes.items():
        settings.setdefault(setting._replace(levels=1), []).append(change.value < 0)
    sure = surely_different(changes.values())
    worse = [s for (s, change), is_sure in zip(changes.items(), sure, strict=True) if is_sure and change.value > 0]
    named = [f"{s.world}, {backup_name(s.backup, s.parameter)}, k = {s.levels} to {s.levels + 1}" for s in worse]
    return (
        "Setting by setting, a backup on a world each: every further level helps in "
        f"{sum(map(all, settings.values()))} of {len(settings)}. "
        + (f"Surely worse with one level more: {'; '.join(named)}." if named else "None surely harms.")
    )


@claimed(
    "less-with-levels",
    "Trained flat, the effect gets less pronounced with levels: first reading, each adds less than the one before.",
    "Section 6; Figure 7",
    "main",
)
def less_with_levels(reproduction: Reproduction, rules: RuleSet, iterations: int) -> Judgement:
    """What k = 2, 3, 4 each add in the mean over all settings of agents that were trained flat.

    Two tests: that the third level adds less than the second, and the fourth less than the third. The effect is the
    smaller of the two differences.
    """
    means = means_by("levels", further_levels(reproduction, rules, iterations, "flat"))
    shrinking = [later - earlier for earlier, later in itertools.pairwise(means.values())]
    counts = counted(shrinking, "above")
    beside = means_by("levels", further_levels(reproduction, rules, iterations))
    return Judgement.by(
        counts,
        f"{counts.sure} of {counts.tests} further levels surely add less than the one before, {counts.against} surely "
        "more (Holm, 5 %)",
        f"In the mean {_each_level(means)}. Trained with the hierarchy: {_each_level(beside, intervals=False)}.",
        min(shrinking, key=lambda each: each.value).interval,
        f"{LOG_STEPS}: what a level adds less than the one before, the smaller of the two",
    )


@claimed(
    "benefit-shrinks",
    "Trained flat, the effect gets less pronounced with levels: second reading, the benefit over k = 1 itself shrinks.",
    "Section 6; Figure 7",
    "main",
)
def benefit_shrinks(reproduction: Reproduction, rules: RuleSet, iterations: int) -> Judgement:
    """What k = 3 and 4 change against one level less, in the mean over all settings of agents that were trained flat.

    Two tests: that each takes more steps than with one level less. The effect is the smaller of the two changes.
    """
    means = means_by("levels", further_levels(reproduction, rules, iterations, "flat"))
    beyond = {k: mean for k, mean in means.items() if k > 1}
    counts = counted(beyond.values(), "above")
    return Judgement.by(
        counts,
        f"{counts.sure} of {counts.tests} levels beyond the second surely take back some of the benefit, "
        f"{counts.against} surely add to it (Holm, 5 %)",
        f"In the mean {_each_level(beyond)}; above 0 the benefit shrinks.",
        min(beyond.values(), key=lambda mean: mean.value).interval,
        f"{LOG_STEPS}, by the level beyond the second that takes back least",
    )


def _each_level(means: dict[int, Measured], intervals: bool = True) -> str:
    said = {k: with_interval(mean) if intervals else signed(mean.value) for k, mean in means.items()}
    return listed([f"{text} from k = {k} to {k + 1}" for k, text in said.items()])


@claimed(
    "flat-traces-competitive",
    "The flat agent with λ = 1 is competitive with the hierarchies on the small worlds.",
    "Figure 4; Section 5, Experiment Results",
    "main",
)
def flat_traces_competitive(reproduction: Reproduction, rules: RuleSet, iterations: int) -> Judgement:
    """The flat agent with λ = 1 less the median of all hierarchies (k > 1, any backup) on each small world.

    Each small world is a test: that it needs less than 10 % more steps, which is a difference below ln 1.1.
    """
    gaps = _gaps(marginals(reproduction, rules, iterations, "hierarchy"))
    small = {world: gap for world, gap in gaps.items() if world in SMALL_WORLDS}
    if not small:
        raise Untestable("none of the small worlds was run")
    counts = counted([gap - exactly(MARGIN) for gap in small.values()], "below")
    each = listed([f"{signed(gap.value)} on {world}" for world, gap in gaps.items()])
    return Judgement.by(
        counts,
        f"surely at most 10 % more steps than the median of all hierarchies on {counts.sure} of {counts.tests} small "
        "worlds, "
        f"surely not on {counts.against} (Holm, 5 %)",
        f"Flat λ = 1 less the median hierarchy: {each}; above 0 it needs more steps.",
        mean_of(small.values()).interval,
        f"{LOG_STEPS}, mean over the small worlds",
    )


def _gaps(numbers: dict[Setting, Measured]) -> dict[str, Measured]:
    """Flat λ = 1 less the median hierarchy, by world, small ones first."""
    gaps = {}
    for setting, flat in numbers.items():
        if (setting.backup, setting.parameter, setting.levels) == ("traces", 1.0, 1):
            above = [number for s, number in numbers.items() if s.world == setting.world and s.levels > 1]
            gaps[setting.world] = flat - mean_of(above, np.median)
    return {world: gaps[world] for world in (*SMALL_WORLDS, *PAPER_WORLDS) if world in gaps}
