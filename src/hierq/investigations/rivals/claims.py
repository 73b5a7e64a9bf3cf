"""What is claimed about rivals, each a function with a verdict; the docstrings say by which rule.

The claims were written down before a first run; the page says which of their rules a review changed after it.
"""

from operator import attrgetter

import numpy as np

from hierq.investigations.cells import HOLM, Numbers, by, in_words, judged
from hierq.investigations.claims import Claim, Judgement, claimed, verdict_on
from hierq.investigations.measures import BOOTSTRAP_SEED, Measured, exactly, mean_of, surely_different, tally
from hierq.investigations.results import Results
from hierq.investigations.rivals.plan import (
    BACKWARD,
    BUDGETS,
    DYNA,
    FLAT_OF_THE_PAPER,
    HIER_Q,
    HIERARCHY_BACKWARD,
    HINDSIGHT,
    LIMIT,
    SWEEPING,
    TRANSITIVE,
    TREE_BACKUP,
    Q,
    with_budget,
)
from hierq.investigations.rivals.tables import FIRST_KNOWN, KNOWN, LOSS, STRETCH, TRAINING, Cell, measured, over_worlds
from hierq.investigations.words import listed, ratio_with_interval, signed

BEFORE, STUDY = "settled before the study", "traces"
SHARE = "share of ways known"
NEARLY_ALL = 0.95
NO_LESS = -0.01  # a difference above this is none


def less(found: dict[Cell, Numbers], measure: str, one: str, other: str) -> dict[Cell, Measured]:
    """One row less another, in every world; by the cells of the one."""
    twins = {(cell.world, cell.row): cell for cell in found}
    return {
        cell: found[cell][measure] - found[twins[cell.world, other]][measure]
        for cell in found
        if cell.row == one and (cell.world, other) in twins
    }


def _knows_more(
    gains: dict[Cell, Measured], what: str, key: str = "world", link: str = "on", least: float = 0.0
) -> Judgement:
    """Holds if the difference is surely above the least in every world, partly if in some."""
    above = [gain - exactly(least) for gain in gains.values()]
    counts, sure = tally(above), surely_different(above)
    many = len({cell.row for cell in gains}) > 1
    others = [
        f"{cell.world} ({cell.row})" if many else cell.world
        for cell, gain, is_sure in zip(gains, above, sure, strict=True)
        if not (is_sure and gain.value > 0)
    ]
    return Judgement(
        verdict_on(counts.surely_above, counts.total),
        f"surely above {least:g} in {counts.surely_above} of {counts.total}, surely below in {counts.surely_below} "
        f"{HOLM}",
        f"{what[0].upper()}{what[1:]}: {in_words(gains, attrgetter(key), link=link)}."
        f"{f' Not surely above {least:g}: {listed(others)}.' if 0 < len(others) < counts.total else ''}",
        mean_of(gains.values()).interval,
        f"{SHARE}, {what}",
    )


@claimed("nobody-beats-the-limit", "Nobody knows more than the limit, nor a shorter way.", BEFORE, STUDY)
def nobody_beats_the_limit(results: Results) -> Judgement:
    """Holds if in all worlds no row knows a larger share of ways than the limit, nor a way shorter than the shortest.

    Each run asserts the same of each of its walks.
    """
    found = measured(results, STUDY)
    limit = {cell.world: numbers for cell, numbers in found.items() if cell.row == LIMIT}
    kept = [
        numbers[KNOWN].value <= limit[cell.world][KNOWN].value
        and (STRETCH not in numbers or numbers[STRETCH].value >= 1)
        for cell, numbers in found.items()
    ]
    others = [numbers[KNOWN].value for cell, numbers in found.items() if cell.row != LIMIT]
    return Judgement(
        "holds" if all(kept) else "does not hold",
        f"{sum(kept)} of {len(kept)} rows in worlds stay within it",
        f"The limit knows all ways that were seen, everywhere; the best of the others in any world knows "
        f"{max(others):.3f} of them, the worst {min(others):.3f}.",
    )


@claimed(
    "backward-beats-the-papers-flat",
    "A flat agent that replays each episode backward knows more ways than every flat agent of the paper.",
    "the estimator family",
    STUDY,
)
def backward_beats_the_papers_flat(results: Results) -> Judgement:
    """Against Q-learning, TB(3) and Watkins' Q(λ), in every world; holds if all differences are surely above 0."""
    found = measured(results, STUDY)
    gains = {cell: gain for name in FLAT_OF_THE_PAPER for cell, gain in _named(found, KNOWN, BACKWARD, name).items()}
    return _knows_more(gains, "backward replay less a flat agent", "row", "over")


def _named(found: dict[Cell, Numbers], measure: str, one: str, other: str) -> dict[Cell, Measured]:
    """The same as `less`, under the name of the other."""
    return {cell._replace(row=other): gain for cell, gain in less(found, measure, one, other).items()}


@claimed(
    "levels-know-more",
    "From the same episodes, three levels with one-step backups know more ways than one.",
    "the paper’s idea",
    STUDY,
)
def levels_know_more(results: Results) -> Judgement:
    """HierQ_3 less Q-learning, share of ways known; holds if surely above 0 in every world."""
    return _knows_more(less(measured(results, STUDY), KNOWN, HIER_Q, Q), "HierQ_3 less Q-learning")


@claimed(
    "levels-add-nothing-to-backward-replay",
    "Once episodes are replayed backward, two more levels add no ways that are known.",
    BEFORE,
    STUDY,
)
def levels_add_nothing_to_backward_replay(results: Results) -> Judgement:
    """Backward replay with one level less the same with three; holds if surely above −0.01 in every world."""
    gains = less(measured(results, STUDY), KNOWN, BACKWARD, HIERARCHY_BACKWARD)
    return _knows_more(gains, "one level less three", least=NO_LESS)


@claimed(
    "sweeping-knows-nearly-all",
    "With ten updates per step, prioritised sweeping knows 95 % of all ways after one episode.",
    BEFORE,
    STUDY,
)
def sweeping_knows_nearly_all(results: Results) -> Judgement:
    """Holds if the 95 % interval of the share known after one episode lies above 95 % in every world."""
    found = measured(results, STUDY)
    name = with_budget(SWEEPING, 10)
    shares = {cell: numbers[FIRST_KNOWN] for cell, numbers in found.items() if cell.row == name}
    above = sum(share.interval[1] > NEARLY_ALL for share in shares.values())
    return Judgement(
        verdict_on(above, len(shares)),
        f"surely above {NEARLY_ALL} in {above} of {len(shares)} worlds",
        f"Share of ways known after one episode: {in_words(shares, attrgetter('world'), link='on')}.",
        mean_of(shares.values()).interval,
        SHARE,
    )


@claimed(
    "urgency-beats-chance",
    "With the same budget, prioritised sweeping knows more ways than Dyna-Q.",
    "Moore and Atkeson 1993",
    STUDY,
)
def urgency_beats_chance(results: Results) -> Judgement:
    """With 1, 10 and 100 updates, in every world; holds if all differences are surely above 0, partly if some are."""
    return _by_budget(measured(results, STUDY), SWEEPING, DYNA)


@claimed(
    "all-goals-beat-some",
    "With the same budget, replay for all goals at once (Dyna-Q) knows more ways than hindsight replay for five.",
    BEFORE,
    STUDY,
)
def all_goals_beat_some(results: Results) -> Judgement:
    """As for urgency and chance."""
    return _by_budget(measured(results, STUDY), DYNA, HINDSIGHT)


def _by_budget(found: dict[Cell, Numbers], one: str, other: str) -> Judgement:
    gains = {
        cell._replace(row=f"N = {updates}"): gain
        for updates in BUDGETS
        for cell, gain in less(found, KNOWN, with_budget(one, updates), with_budget(other, updates)).items()
    }
    return _knows_more(gains, f"{one} less {other}", "row", "with")


@claimed(
    "transitive-is-backward",
    "Transitive RL knows no more ways than backward replay.",
    BEFORE,
    STUDY,
)
def transitive_is_backward(results: Results) -> Judgement:
    """Backward replay less Transitive RL, share of ways known; holds if surely above −0.01 in every world."""
    gains = less(measured(results, STUDY), KNOWN, BACKWARD, TRANSITIVE)
    return _knows_more(gains, "backward replay less Transitive RL", least=NO_LESS)


@claimed(
    "control-repeats-credit",
    "Whoever assigns credit better from the same episodes also needs fewer steps when it acts for itself.",
    BEFORE,
    "acting",
)
def control_repeats_credit(results: Results) -> Judgement:
    """Correlation (Spearman) over rows of the share of ways known with evaluation steps; holds below −0.7.

    The share is from the same episodes, the steps from own ones, mean of ln(steps / optimum); means over the paper's
    worlds. The interval is over draws of runs and of rows. Partly if it is surely below 0.
    """
    from scipy.stats import spearmanr

    known, loss = over_worlds(measured(results, STUDY), KNOWN), over_worlds(measured(results, "acting"), LOSS)
    rows = [row for row in known if row in loss]
    shares, losses = (np.array([[found[row].value, *found[row].drawn] for row in rows]) for found in (known, loss))
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    value = float(spearmanr(shares[:, 0], losses[:, 0]).statistic)
    again = [(generator.integers(len(rows), size=len(rows)), draw) for draw in range(1, 201)]
    drawn = sorted(float(spearmanr(shares[who, draw], losses[who, draw]).statistic) for who, draw in again)
    rank = {row: place for place, row in enumerate(sorted(rows, key=lambda row: -known[row].value))}
    by_steps = {row: place for place, row in enumerate(sorted(rows, key=lambda row: loss[row].value))}
    ends = sorted(rows, key=lambda row: by_steps[row] - rank[row])
    low, high = drawn[5], drawn[-6]
    return Judgement(
        "holds" if high < -0.7 else "holds partly" if high < 0 else "does not hold",
        f"Spearman’s correlation {signed(value)} ({signed(low)} to {signed(high)}) over {len(rows)} rows",
        f"Over rows, the share of ways known from the same episodes and evaluation steps after own ones have a "
        f"correlation of {signed(value)} ({signed(low)} to {signed(high)}; −1 would be perfect). Most out of line: "
        f"{ends[0]} acts better than it knows, {ends[-1]} knows more than it acts on.",
        (value, low, high),
        "correlation",
    )


@claimed(
    "counting-shortens-training",
    "With the explorer that counts, every row needs fewer training steps than ε-greedily.",
    BEFORE,
    "counting",
)
def counting_shortens_training(results: Results) -> Judgement:
    """Mean over the paper's worlds of ln(training steps), counting less ε-greedy.

    Holds if it is surely below 0 for every row, partly if for some.
    """
    acting, counting = measured(results, "acting"), measured(results, "counting")
    gains = {cell: counting[cell][TRAINING] - acting[cell][TRAINING] for cell in counting if cell in acting}
    means = by(attrgetter("row"), gains)
    counts = tally(means.values())
    order = sorted(means, key=lambda row: means[row].value)
    ends = {
        place: f"{ratio_with_interval(means[row])} for {row}"
        for place, row in (("most", order[0]), ("least", order[-1]))
    }
    return Judgement(
        verdict_on(counts.surely_below, counts.total),
        f"surely fewer for {counts.surely_below} of {counts.total} rows, surely more for {counts.surely_above} {HOLM}",
        f"Training steps with counting over those without, mean over worlds: from {ends['most']} to {ends['least']}.",
        mean_of(gains.values()).interval,
        "ln(training steps), counting less ε-greedy",
    )


@claimed(
    "backward-helps-with-chance",
    "Where moves go astray, a flat agent that replays episodes backward needs fewer evaluation steps than Q-learning.",
    BEFORE,
    "chance",
)
def backward_helps_with_chance(results: Results) -> Judgement:
    """Evaluation steps in mazes and rooms with slip; holds if surely fewer in the mean over worlds."""
    return _steps_with_chance(results, BACKWARD, Q)


@claimed(
    "levels-help-with-chance",
    "Where moves go astray, three levels with one-step backups need fewer evaluation steps than one.",
    BEFORE,
    "chance",
)
def levels_help_with_chance(results: Results) -> Judgement:
    """As for backward replay."""
    return _steps_with_chance(results, HIER_Q, Q)


def _steps_with_chance(results: Results, one: str, other: str) -> Judgement:
    found = {cell: each for cell, each in measured(results, "chance").items() if LOSS in each}
    return judged(less(found, LOSS, one, other), f"{one} less {other}", "ln(evaluation steps)", as_ratios=True)


@claimed(
    "the-same-in-a-large-maze",
    "In a maze of 101 × 101 cells, backward replay knows more ways than Q-learning, TB(3) and Dyna-Q with N = 10.",
    BEFORE,
    "large",
)
def the_same_in_a_large_maze(results: Results) -> Judgement:
    """Share of ways known, over three episodes of at most 20,000 steps; holds if surely more than each of the three."""
    found = measured(results, "large")
    names = (Q, TREE_BACKUP, with_budget(DYNA, 10))
    gains = {cell: gain for name in names for cell, gain in _named(found, KNOWN, BACKWARD, name).items()}
    return _knows_more(gains, "backward replay less another", "row", "over")


CLAIMS = tuple(each for each in vars().values() if isinstance(each, Claim))  # in the order in which they stand here
