"""What is claimed about the family, each a function with a verdict; the docstrings say by which rule.

Numbers are means over seeds of ln(steps), seed by seed: the logarithm of mean steps would depend on the few evaluation
episodes that run to the step limit. "Surely" is by the 95 % interval of a mean over worlds, or after Holm's correction
where several are counted. All rules were settled while looking at runs of a few seeds, so all claims are exploratory.
"""

import math
from functools import partial
from operator import attrgetter

import polars as pl

from hierq.investigations.cells import HOLM, by, chosen, differences, in_words, judged
from hierq.investigations.claims import Claim, Judgement, Verdict, claimed, runs_to_judge_by, verdict_on
from hierq.investigations.estimators.plan import ABOVE, BACKWARD, MANY_HOPS, NAMES, STEP_SIZES, UNCUT_DECAY
from hierq.investigations.estimators.tables import (
    BIAS,
    EQUAL_WRITES,
    FIRST_EPISODE,
    FIRST_EVALUATION,
    LEARNING,
    LUCK,
    OTHERS,
    SPENT,
    TRAINING,
    Cell,
    best_of_the_paper,
    measured,
    skilled_share,
)
from hierq.investigations.measures import Measured, exactly, mean_of, tally
from hierq.investigations.results import Results
from hierq.investigations.words import LOG_STEPS, listed, percent, signed, steps_saved, with_interval

explored = partial(claimed, exploratory=True)
FREE = {"operator": "one step", "hops": BACKWARD}  # credit that travels freely along the trace
THREE_HOPS = {"operator": "Tree-Backup", "hops": "stride"}
QUESTION = "the question of this investigation"
RIGHT = 0.01  # the largest bias of a value that counts as right


def hierarchy_against_flat(results: Results, measure: str, study: str = "family", **kind: object) -> Judgement:
    """Agents of one kind with two levels and more, against those with one; below 0 the hierarchy is better."""
    gains = differences(measured(results, study), measure, {**kind, "levels": ABOVE}, {"levels": 1})
    return judged(gains, "hierarchy minus flat", LOG_STEPS)


@explored(
    "backward-beats-the-paper",
    "A flat agent that learns only when an episode is over, going through it once from its end, learns faster than "
    "every agent of the paper.",
    "found while this investigation was planned",
    "paper",
)
def backward_beats_the_paper(results: Results) -> Judgement:
    """Against the best of the paper's agents in each world, chosen by the same seeds, which favours the paper.

    Holds if it is surely better in every world (Holm, 5 %); partly if it is in the mean over worlds.
    """
    found, agents = measured(results, "family"), best_of_the_paper(results)
    gains = {cell: found[cell][LEARNING] - agents[cell.world][1] for cell in chosen(found, **FREE, levels=1)}
    counts, overall = tally(gains.values()), mean_of(gains.values())
    verdict: Verdict = "does not hold"
    if overall.below_zero:
        verdict = "holds" if counts.surely_below == counts.total else "holds partly"
    worlds = listed(
        [f"{signed(gain.value, 3)} on {cell.world} ({agents[cell.world][0]})" for cell, gain in gains.items()]
    )
    return Judgement(
        verdict,
        f"surely better in {counts.surely_below} of {counts.total} worlds {HOLM}; it holds if in all, partly if in "
        "the mean over worlds",
        f"Flat and backward minus the best of the paper: {worlds}; that is {steps_saved(overall.value)} on average.",
        overall.interval,
        f"{LOG_STEPS}, backward minus the best of the paper",
    )


@explored(
    "hierarchy-online", "With one-step backups after every step, a hierarchy learns faster.", "the paper", "family"
)
def hierarchy_online(results: Results) -> Judgement:
    """Mean over all evaluations; holds if every k surely gains in the mean over worlds, partly if some do."""
    return hierarchy_against_flat(results, LEARNING, operator="one step", hops="stride")


@explored("hierarchy-backward", "With backward replay, a hierarchy learns faster.", QUESTION, "family")
def hierarchy_backward(results: Results) -> Judgement:
    """As `hierarchy_online`, for agents that replay each episode backward."""
    return hierarchy_against_flat(results, LEARNING, **FREE)


@explored(
    "less-to-gain",
    "The farther credit travels along the trace, the less a hierarchy adds.",
    QUESTION,
    "family",
)
def less_to_gain(results: Results) -> Judgement:
    """What three levels gain over one, by estimator: one step, three-hop Tree-Backup, Watkins' traces, backward.

    Holds if each gain is surely smaller than the one before it, in the mean over worlds; partly if the last is surely
    smaller than the first.
    """
    found = measured(results, "family")
    kinds = {
        "one step": {"operator": "one step", "hops": "stride"},
        "three hops": THREE_HOPS,
        "traces": {"operator": "Watkins’ Q(λ)", "hops": "traces"},
        "backward": FREE,
    }
    gains = {
        name: mean_of(differences(found, LEARNING, {**kind, "levels": 1}, {"levels": 3}).values())
        for name, kind in kinds.items()
    }
    steps = [gains[before] - gains[after] for before, after in zip(list(gains)[:-1], list(gains)[1:], strict=True)]
    whole = gains["one step"] - gains["backward"]
    verdict: Verdict = "does not hold"
    if whole.above_zero:
        verdict = "holds" if all(step.above_zero for step in steps) else "holds partly"
    said = listed([f"{with_interval(gain)} with {name}" for name, gain in gains.items()])
    return Judgement(
        verdict,
        f"{sum(step.above_zero for step in steps)} of {len(steps)} steps are surely downward; it holds if all are, "
        "partly if the whole way is",
        f"What k = 3 gains over k = 1 in mean ln(steps): {said}.",
        whole.interval,
        "gain with one-step backups minus gain with backward replay, in mean ln(steps)",
    )


@explored(
    "hierarchy-after-one-episode",
    "After a single episode that was replayed backward, a hierarchy reaches the goal in fewer steps.",
    QUESTION,
    "family",
)
def hierarchy_after_one_episode(results: Results) -> Judgement:
    """As `hierarchy_online`, for the first evaluation."""
    return hierarchy_against_flat(results, FIRST_EVALUATION, **FREE)


@explored(
    "hierarchy-within-the-first-episode",
    "Within the first episode, before the goal was ever seen, a hierarchy with Tree-Backup after every step is faster.",
    QUESTION,
    "family",
)
def hierarchy_within_the_first_episode(results: Results) -> Judgement:
    """As `hierarchy_online`, for the steps of the first training episode with three-hop Tree-Backup."""
    return hierarchy_against_flat(results, FIRST_EPISODE, **THREE_HOPS)


@explored(
    "hierarchy-for-other-goals",
    "Trained for one goal with backward replay, a hierarchy reaches other goals in fewer steps.",
    QUESTION,
    "goals",
)
def hierarchy_for_other_goals(results: Results) -> Judgement:
    """As `hierarchy_online`, for mean ln(steps / shortest path) over 40 other goals, after five episodes for one."""
    return hierarchy_against_flat(results, OTHERS, "goals", **FREE)


@explored(
    "backward-for-other-goals",
    "Trained for one goal, a flat agent with backward replay is no worse at other goals than one with Tree-Backup.",
    "found while looking at the results",
    "goals",
)
def backward_for_other_goals(results: Results) -> Judgement:
    """Flat agents, as in `hierarchy_for_other_goals`; holds if no world is surely worse, partly if not all are.

    They have not walked equally far: backward replay finds the goal sooner, and so sees less of the world.
    """
    found = measured(results, "goals")
    gaps = differences(found, OTHERS, {**FREE, "levels": 1}, THREE_HOPS)
    walked, farther = (
        math.exp(mean_of(found[cell][TRAINING] for cell in chosen(found, **kind, levels=1)).value)
        for kind in (FREE, THREE_HOPS)
    )
    counts, overall = tally(gaps.values()), mean_of(gaps.values())
    return Judgement(
        verdict_on(counts.total - counts.surely_above, counts.total),
        f"backward is surely worse in {counts.surely_above} of {counts.total} worlds, surely better in "
        f"{counts.surely_below} {HOLM}; it holds if it is worse in none, partly if not in all",
        f"Backward minus Tree-Backup, by world: {in_words(gaps, attrgetter('world'), link='on')}. In their five "
        f"episodes they had walked {walked:,.0f} steps with backward replay and {farther:,.0f} with Tree-Backup, as "
        "geometric means.",
        overall.interval,
        "difference in mean ln(steps / shortest path), backward minus Tree-Backup",
    )


@explored(
    "hierarchy-with-chance",
    "Where moves go astray, a hierarchy that learns by backward replay reaches the goal in fewer steps.",
    QUESTION,
    "chance",
)
def hierarchy_with_chance(results: Results) -> Judgement:
    """For evaluations between random walks through four rooms, k = 2; holds if each slip and step size gains."""
    gains = differences(measured(results, "chance"), LEARNING, {**FREE, "levels": 2}, {"levels": 1})
    return judged(gains, "steps with two levels over steps with one", LOG_STEPS, key=_setting, as_ratios=True)


def for_its_writes(results: Results, **kind: object) -> Judgement:
    """Hierarchies against flat agents when both have spent what the hierarchy writes in a random walk to the goal."""
    found = measured(results, "family")
    gains: dict[Cell, Measured] = {}
    for k in ABOVE:
        gains |= differences(found, f"{EQUAL_WRITES} {k}", {**kind, "levels": k}, {"levels": 1})
    flat = chosen(found, **kind, levels=1)
    judgement = judged(
        gains,
        "steps of a hierarchy over those of a flat agent",
        LOG_STEPS,
        key=lambda cell: f"{cell.operator} at k = {cell.levels}",
        as_ratios=True,
    )
    shares = {k: mean_of(found[cell][f"{SPENT} {k}"] for cell in flat).value for k in ABOVE}
    said = listed([f"{percent(share)} with k = {k}" for k, share in shares.items()])
    return judgement._replace(detail=f"{judgement.detail} Flat runs that had spent the budget by then: {said}.")


@explored(
    "hierarchy-for-its-writes",
    "With backward replay, a hierarchy is better than a flat agent that may write as many rows.",
    QUESTION,
    "family",
)
def hierarchy_for_its_writes(results: Results) -> Judgement:
    """The first evaluation after a budget is spent: the rows that k levels write in a random walk to the goal.

    A flat agent that has not spent it after 50 episodes is taken as it is then. Holds if every k surely gains in the
    mean over worlds, partly if some do.
    """
    return for_its_writes(results, **FREE)


@explored(
    "hierarchy-online-for-its-writes",
    "With backups after every step, a hierarchy is better than a flat agent that may write as many rows.",
    QUESTION,
    "family",
)
def hierarchy_online_for_its_writes(results: Results) -> Judgement:
    """As `hierarchy_for_its_writes`, with one-step and three-hop Tree-Backup; holds if both gain at every k."""
    return for_its_writes(results, operator=("one step", "Tree-Backup"), hops="stride")


@explored(
    "luckiest-path",
    "Where moves go astray, levels above the lowest think more of a state than any skill could make of it, with a "
    "small step size as well.",
    "what hindsight implies",
    "chance",
)
def luckiest_path(results: Results) -> Judgement:
    """Level 1 of two, learning in hindsight: its values as a share of those of the luckiest path.

    Compared with the same share of the best values that level 1 could have if level 0 did all that can be done in three
    steps. Holds if its own are surely above that for each slip and step size; partly if for some.
    """
    found = measured(results, "chance")
    hindsight = {cell: found[cell][f"{LUCK} 1"] for cell in chosen(found, levels=2, hops=("stride", BACKWARD))}
    skill = {world: skilled_share(world, 1) for world in dict.fromkeys(cell.world for cell in hindsight)}
    excess = by(_setting, {cell: each - exactly(skill[cell.world]) for cell, each in hindsight.items()})
    means = tally(excess.values())
    asked = {cell: found[cell][f"{LUCK} 1"] for cell in chosen(found, levels=2, hops="executed")}
    best = listed([f"{share:.3f} with {_slip(world)}" for world, share in skill.items()])
    return Judgement(
        verdict_on(means.surely_above, means.total),
        f"of {means.total} means over estimators {means.surely_above} are surely above the best that skill could do, "
        f"{means.surely_below} surely below {HOLM}; it holds if all are above, partly if some are",
        f"As a share of what the luckiest path is worth, their values come to {_shares(hindsight)}; "
        f"skill could make it {best}. Over hops as they were executed, what was asked for is credited with where it "
        f"really led, which, as level 0 walked at random, was worth {_shares(asked)}.",
    )


@explored(
    "right-with-chance",
    "With a small step size, values of a flat agent are right where moves go astray, whatever the estimator.",
    "folklore",
    "chance",
)
def right_with_chance(results: Results) -> Judgement:
    """Flat agents with step size 0.1 that walk at random: the mean of values minus exact values, over states.

    Right is a bias whose interval lies within ±0.01 in both worlds, a limit that was set when the numbers of 200 seeds
    had been seen. Holds if all estimators are right; partly if some are.
    """
    found = measured(results, "chance")
    large, small = (
        {cell: found[cell][f"{BIAS} 0"] for cell in chosen(found, levels=1, step_size=size)} for size in STEP_SIZES
    )
    worst: dict[str, list[float]] = {}
    for cell, each in small.items():
        worst.setdefault(estimator_name(cell), []).extend(each.interval[1:])
    right = [name for name, ends in worst.items() if max(map(abs, ends)) <= RIGHT]
    high = [name for name in worst if name not in right and max(worst[name]) > RIGHT]
    low = [name for name in worst if name not in right and name not in high]

    def said(names: list[str]) -> str:
        return _listed(by(estimator_name, {cell: small[cell] for cell in small if estimator_name(cell) in names}))

    return Judgement(
        verdict_on(len(right), len(worst)),
        f"right is a bias whose interval lies within ±{RIGHT} in both worlds; with step size 0.1, {len(right)} of "
        f"{len(worst)} estimators are right, {len(high)} too high, {len(low)} too low; it holds if all are right, "
        "partly if some are",
        f"Right: {said(right)}. Too high: {said(high)}. Too low, as they learn about the random walk and not about the "
        f"best way: {said(low)}. With step size 1: {_listed(by(estimator_name, large))}.",
    )


@explored(
    "never-cut-diverges",
    "Values whose returns are never cut, Q*(λ), grow too high in a hierarchy with a λ that a flat agent tolerates.",
    "Harutyunyan et al. 2016 prove convergence for small λ only",
    "uncut",
)
def never_cut_diverges(results: Results) -> Judgement:
    """In worlds without chance: in how many runs the values of some level are too high on average after ten episodes.

    Holds if that is so in more than half of the runs with more than one level, over all hops, and in none with one;
    partly if over some hops.
    """
    shares = shares_too_high(runs_to_judge_by(results, "uncut"))
    flat = [share for (_, levels), share in shares.items() if levels == 1]
    above = {cell: share for cell, share in shares.items() if cell[1] > 1}
    diverging = sum(share > 0.5 for share in above.values()) if not any(flat) else 0
    by_hops: dict[str, list[str]] = {}
    for (hops, k), share in above.items():
        by_hops.setdefault(hops, []).append(f"{percent(share)} with k = {k}")
    return Judgement(
        verdict_on(diverging, len(above)),
        f"more than half of the runs have values that are too high in {diverging} of {len(above)} settings with more "
        f"than one level, some in {sum(map(bool, flat))} of {len(flat)} with one; it holds if all of the first and "
        "none of the second, partly if some and none",
        f"Runs with values that are too high: {'; '.join(f'{hops} {listed(said)}' for hops, said in by_hops.items())}. "
        f"λ = {UNCUT_DECAY}; a value is too high if it exceeds that of the shortest path.",
    )


@explored(
    "all-paths-best",
    "To look at all paths and take the best beats the paper’s strides, whatever the operator.",
    "the paper’s conclusion asks for the family",
    "family",
)
def all_paths_best(results: Results) -> Judgement:
    """By maximum, against strides, k > 1; holds if every operator surely gains in the mean over worlds."""
    gains = differences(measured(results, "family"), LEARNING, {"hops": "all-max"}, {"hops": "stride"})
    return _by_operator(gains, "all paths by maximum minus strides")


@explored(
    "means-are-worse",
    "Means over paths are worse than the best path.",
    "the paper’s conclusion asks for the family",
    "family",
)
def means_are_worse(results: Results) -> Judgement:
    """Maximum against both means; holds if every operator surely gains in the mean over worlds."""
    found, best = measured(results, "family"), {"hops": "all-max", "operator": MANY_HOPS}
    gains = {
        cell._replace(hops=other): gain
        for other in ("all-mean", "all-paths")
        for cell, gain in differences(found, LEARNING, best, {"hops": other}).items()
    }
    return _by_operator(gains, "maximum minus mean")


@explored("sarsa-is-worse", "SARSA is always worse than Tree-Backup.", "a remark of the paper’s authors", "family")
def sarsa_is_worse(results: Results) -> Judgement:
    """Tree-Backup against SARSA over the same hops; holds if it is surely better in all settings, partly if in most."""
    gains = differences(measured(results, "family"), LEARNING, {"operator": "Tree-Backup"}, {"operator": "SARSA(λ)"})
    counts, overall = tally(gains.values()), mean_of(gains.values())
    share = counts.surely_below / counts.total
    return Judgement(
        "holds" if share == 1 else "holds partly" if share > 0.5 else "does not hold",
        f"Tree-Backup is surely better in {counts.surely_below} of {counts.total} settings, surely worse in "
        f"{counts.surely_above} {HOLM}; it holds if it is better in all, partly if in most",
        f"On average {steps_saved(overall.value)} than SARSA(λ).",
        overall.interval,
        f"{LOG_STEPS}, Tree-Backup minus SARSA(λ)",
    )


@explored(
    "printed-line", "Algorithm 3 as it is printed learns as well as the equation.", "the paper, Algorithm 3", "soft"
)
def printed_line(results: Results) -> Judgement:
    """For an ε-soft target policy, where the two differ.

    Holds if no setting surely differs (Holm, 5 %) and the mean lies surely within ±2 %; partly if few settings differ.
    """
    found = measured(results, "soft")
    gaps = differences(found, LEARNING, {"operator": "Tree-Backup as printed"}, {"operator": "Tree-Backup"})
    counts, overall = tally(gaps.values()), mean_of(gaps.values())
    sure, alike = counts.surely_below + counts.surely_above, max(map(abs, overall.interval)) < 0.02
    return Judgement(
        "does not hold" if 2 * sure >= counts.total else "holds partly" if sure or not alike else "holds",
        f"printed and equation surely differ in {sure} of {counts.total} settings {HOLM}; it holds if in none, and "
        "if the mean lies surely within ±2 %",
        f"Printed minus equation: {with_interval(overall, 3)}.",
        overall.interval,
        f"{LOG_STEPS}, printed minus equation",
    )


def shares_too_high(uncut: pl.DataFrame) -> dict[tuple[str, int], float]:
    """The share of runs in which values that are never cut exceed what is possible, by hops and levels."""
    frame = uncut.with_columns(high=pl.col("value_bias").list.max().fill_nan(1) > 1e-9)
    shares = dict(frame.group_by("agent").agg(pl.col("high").mean()).iter_rows())
    return {(each.hops, each.config.levels): shares[name] for name, each in NAMES["uncut"].items() if name in shares}


def estimator_name(cell: Cell) -> str:
    """An estimator in words: its operator, and its hops if they are not strides."""
    return cell.operator if cell.hops == "stride" else f"{cell.operator}, {cell.hops}"


def step_size_name(cell: Cell) -> str:
    """The step size of an agent in words."""
    return f"step size {cell.step_size:g}"


def _listed(numbers: dict[object, Measured]) -> str:
    return listed([f"{signed(each.value, 3)} with {name}" for name, each in numbers.items()])


def _shares(numbers: dict[Cell, Measured]) -> str:
    return listed([f"{each.value:.3f} with {name}" for name, each in by(_setting, numbers).items()])


def _slip(world: str) -> str:
    return f"slip {world.rsplit('-', 1)[-1]}"


def _setting(cell: Cell) -> str:
    return f"{_slip(cell.world)} at {step_size_name(cell)}"


def _by_operator(gains: dict[Cell, Measured], what: str) -> Judgement:
    """Holds if every operator surely gains in the mean over worlds and levels; partly if some do."""
    return judged(gains, what, LOG_STEPS, key=attrgetter("operator"))


CLAIMS = tuple(each for each in vars().values() if isinstance(each, Claim))  # in the order in which they stand here
