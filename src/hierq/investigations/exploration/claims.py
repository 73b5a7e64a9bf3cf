"""What is claimed about explorers, each a function with a verdict; the docstrings say by which rule.

Numbers are logarithms of mean steps, or of a median, so that a difference is a ratio; means over worlds and settings
are geometric. The claims were settled by programs that were thrown away before this study was run.
"""

import math
from collections.abc import Collection
from operator import attrgetter

from hierq.investigations.cells import HOLM, Numbers, by, chosen, differences, in_words, judged
from hierq.investigations.claims import Claim, Judgement, claimed, verdict_on
from hierq.investigations.exploration.plan import FLAT, LEVELS, NAMES_OF_EXPLORERS
from hierq.investigations.exploration.search import searched
from hierq.investigations.exploration.tables import FIRST, FOUND, NEARLY, STUDY, TOTAL, Cell, measured, random_walk
from hierq.investigations.measures import Measured, mean_of, tally
from hierq.investigations.results import Results
from hierq.investigations.words import listed, percent
from hierq.worlds import make_world

ABOVE = LEVELS[1:]
RATIO = "ln(ratio of mean steps)"
ALL = "it holds if in all, partly if in some"
BEFORE = "seen in trial runs before this study"
TIMES_THE_SEARCH = 1.75


def _less_a_walk(found: dict[Cell, Numbers], **kind: object) -> dict[Cell, Measured]:
    """First episodes of some agents, less a random walk's expectation."""
    return {cell: found[cell][FIRST] - random_walk(cell.world) for cell in chosen(found, **kind)}


def _flat_beside(found: dict[Cell, Numbers], measure: str, explorer: str, **kind: object) -> dict[Cell, Measured]:
    """Hierarchies with an explorer, less the flat agent with the same; with "seek" that is "pass"."""
    flat = {"levels": 1, "nearness": FLAT, "explorer": "pass" if explorer == "seek" else explorer}
    return differences(found, measure, {"explorer": explorer, "levels": ABOVE, **kind}, flat)


def _by_ratio(gains: dict[Cell, Measured], key: str) -> str:
    """Ratios by the values of a field, in words."""
    return in_words(gains, attrgetter(key), as_ratios=True, link="on" if key == "world" else "with")


def _judged(gains: dict[Cell, Measured], what: str, key: str = "levels") -> Judgement:
    return judged(gains, what, RATIO, attrgetter(key), as_ratios=True)


def _shorter(tested: Collection[Measured], gains: dict[Cell, Measured], where: str, detail: str) -> Judgement:
    """Holds if all that is tested is surely shorter than a random walk, partly if some is."""
    counts = tally(tested)
    return Judgement(
        verdict_on(counts.surely_below, counts.total),
        f"surely shorter in {counts.surely_below} of {counts.total} {where} {HOLM}; {ALL}",
        f"Mean first episode over the random walk’s: {detail}",
        mean_of(gains.values()).interval,
        f"{RATIO}, first episode over random walk",
    )


@claimed(
    "shorter-than-a-walk",
    "With counts, first episodes are shorter than a random walk’s, in every world, with every k, map or no map.",
    BEFORE,
    STUDY,
)
def shorter_than_a_walk(results: Results) -> Judgement:
    """Explorers "pass", "seek" and "optimism", all nearness and estimators: holds if all surely are (Holm, 5 %)."""
    gains = _less_a_walk(measured(results, STUDY), explorer=("pass", "seek", "optimism"))
    worst = max(gains, key=lambda cell: gains[cell].value)
    longest = f"The longest is {math.exp(gains[worst].value):.2f} of it: {_named(worst)}."
    return _shorter(gains.values(), gains, "settings", f"{_by_ratio(gains, 'world')}. {longest}")


@claimed(
    "near-the-limit",
    "With “pass” and “seek”, nearness by steps and Tree-Backup, first episodes take at most 1.75 times the steps of a "
    "search that remembers everything.",
    BEFORE,
    STUDY,
)
def near_the_limit(results: Results) -> Judgement:
    """Explorers "pass" and "seek", nearness by steps, Tree-Backup; holds if all 95 % intervals end below 1.75 times."""
    found = measured(results, STUDY)
    cells = chosen(found, explorer=("pass", "seek"), nearness=(FLAT, "steps"), estimator="Tree-Backup")
    gains = {cell: found[cell][FIRST] - searched(make_world(cell.world)).logarithm() for cell in cells}
    near = sum(gain.interval[2] <= math.log(TIMES_THE_SEARCH) for gain in gains.values())
    worst = max(gains, key=lambda cell: gains[cell].value)
    return Judgement(
        verdict_on(near, len(gains)),
        f"surely at most {TIMES_THE_SEARCH} times in {near} of {len(gains)} settings; {ALL}",
        f"First episode over the search’s: {_by_ratio(gains, 'world')}. The longest takes "
        f"{math.exp(gains[worst].value):.2f} times as many steps: {_named(worst)}.",
        mean_of(gains.values()).interval,
        f"{RATIO}, first episode over search",
    )


@claimed(
    "levels-find-sooner-without-a-map",
    "With the same counts but no map, a hierarchy finds the goal sooner than a flat agent.",
    "the paper’s idea of exploration",
    STUDY,
)
def levels_find_sooner_without_a_map(results: Results) -> Judgement:
    """Explorer "pass", learnt reach; holds if with every k the mean over worlds is surely below 0, partly if some."""
    gains = _flat_beside(measured(results, STUDY), FIRST, "pass", nearness="learnt")
    return _judged(gains, "hierarchy over flat")


@claimed(
    "levels-find-sooner-with-a-map",
    "With a map of what is near by steps, “seek” finds the goal sooner than a flat agent that counts.",
    BEFORE,
    STUDY,
)
def levels_find_sooner_with_a_map(results: Results) -> Judgement:
    """Explorer "seek", nearness by steps, against flat "pass"; holds if it surely does with every estimator."""
    gains = _flat_beside(measured(results, STUDY), FIRST, "seek", nearness="steps")
    return _judged(gains, "hierarchy over flat", "estimator")


@claimed(
    "levels-learn-sooner",
    "With the same counts and no map, a hierarchy is nearly optimal after fewer training steps than a flat agent.",
    BEFORE,
    STUDY,
    exploratory=True,
)
def levels_learn_sooner(results: Results) -> Judgement:
    """Explorer "pass", learnt reach: when half of the runs were within 10 % of the optimum; told apart by estimator.

    Holds if hierarchies with every estimator surely need fewer steps in the mean over worlds and levels; partly if
    with some. Runs that ended earlier are censored there (Kaplan and Meier); settings in which fewer than half of the
    runs came so far, of the hierarchy or of the flat agent, have no such median and are left out.
    """
    found = measured(results, STUDY)
    gains = _flat_beside(found, NEARLY, "pass", nearness="learnt")
    kept = {
        cell: gain
        for cell, gain in gains.items()
        if min(found[each][FOUND].value for each in (cell, cell._replace(levels=1, nearness=FLAT))) >= 0.5
    }
    judgement = _judged(kept, "hierarchy over flat", "estimator")
    shares = {
        who: by(attrgetter("world"), {cell: found[cell][FOUND] for cell in cells})
        for who, cells in (
            ("hierarchies", chosen(found, explorer="pass", nearness="learnt")),
            ("flat agents", chosen(found, explorer="pass", nearness=FLAT)),
        )
    }
    said = listed(
        [
            f"{percent(share.value)} of hierarchies and {percent(shares['flat agents'][world].value)} of flat agents "
            f"on {world}"
            for world, share in shares["hierarchies"].items()
        ]
    )
    return judgement._replace(
        detail=f"{judgement.detail} Runs that were nearly optimal once within 60 episodes: {said}. "
        f"{len(gains) - len(kept)} of {len(gains)} settings are left out, as fewer than half were."
    )


@claimed(
    "reach-can-be-learnt",
    "With counts, levels that learn what is in reach find the goal sooner than a random walk.",
    BEFORE,
    STUDY,
)
def reach_can_be_learnt(results: Results) -> Judgement:
    """Explorer "pass", learnt reach; holds if all settings are surely shorter; ε-greedy beside it."""
    found = measured(results, STUDY)
    gains, without = (_less_a_walk(found, explorer=name, nearness="learnt") for name in ("pass", "epsilon"))
    plain = tally(without.values())
    return _shorter(
        gains.values(),
        gains,
        f"settings, with ε-greedy in {plain.surely_below} and surely longer in {plain.surely_above}",
        f"{_by_ratio(gains, 'levels')}. With ε-greedy: {_by_ratio(without, 'levels')}, or more: episodes are given up "
        "at 100,000 steps.",
    )


@claimed(
    "repeating-helps",
    "Repeating random moves (εz-greedy) shortens a flat agent’s first episode.",
    "Dabney, Ostrovski and Barreto 2021",
    STUDY,
)
def repeating_helps(results: Results) -> Judgement:
    """A flat agent against a random walk, world by world; holds if it is surely shorter in all, partly if in some."""
    gains = _less_a_walk(measured(results, STUDY), explorer="epsilon-z", levels=1)
    tested = by(attrgetter("world"), gains).values()
    where = f"worlds, surely longer in {tally(tested).surely_above}"
    return _shorter(tested, gains, where, f"{_by_ratio(gains, 'world')}.")


@claimed(
    "counting-beats-optimism",
    "Counting visits finds the goal sooner than optimism about every move, which has the better guarantee.",
    BEFORE,
    STUDY,
)
def counting_beats_optimism(results: Results) -> Judgement:
    """Explorer "pass" against "optimism", all else alike; holds if with every k it surely needs fewer steps."""
    gains = differences(measured(results, STUDY), FIRST, {"explorer": "pass"}, {"explorer": "optimism"})
    return _judged(gains, "counting over optimism")


@claimed(
    "counts-save-training",
    "Counts save training steps over twenty episodes, not only in the first.",
    BEFORE,
    STUDY,
)
def counts_save_training(results: Results) -> Judgement:
    """Explorer "pass" against ε-greedy, all else alike; holds if with every k it surely needs fewer steps."""
    found = measured(results, STUDY)
    gains = differences(found, TOTAL, {"explorer": "pass"}, {"explorer": "epsilon"})
    judgement = _judged(gains, "pass over ε-greedy")
    saved = 1 - math.exp(mean_of(gains.values()).value)
    return judgement._replace(
        detail=f"In the geometric mean over settings {percent(saved)} of the steps are saved. {judgement.detail}"
    )


def _named(cell: Cell) -> str:
    near = "" if cell.nearness == FLAT else f", nearness {cell.nearness}"
    return f"{cell.world}, {NAMES_OF_EXPLORERS[cell.explorer]}, k = {cell.levels}{near}, {cell.estimator}"


CLAIMS = tuple(each for each in vars().values() if isinstance(each, Claim))  # in the order in which they stand here
