"""What is claimed about the methods. Rules that a review changed after a first run are marked exploratory."""

from collections.abc import Callable

import numpy as np

from hierq import PAPER_WORLDS
from hierq.investigations import ABOVE, BELOW, Claim, Measured, Results, column, mean_by, mean_of, where

from .plan import (
    BACKWARD,
    BUDGETS,
    DYNA,
    FIRST_KNOWN,
    FLAT_OF_THE_PAPER,
    HIER_ONE,
    HIER_Q,
    HIERARCHY_BACKWARD,
    HINDSIGHT,
    KNOWN,
    LOSS,
    ORACLE,
    STRETCH,
    SWEEPING,
    TRAINING,
    TRANSITIVE,
    TREE_BACKUP,
    WATKINS_ONE,
    Q,
    with_budget,
)

BEFORE, SHARE = "settled before the study", "share of reachable pairs solved"
NEARLY_ALL, NO_LESS, CLOSE = 0.95, -0.01, -0.7


def between(study: str, measure: str, one: str, *others: str) -> Callable[[Results], dict[str, Measured]]:
    """One method minus others, from the same episodes, in every world."""

    def of(results: Results) -> dict[str, Measured]:
        numbers = column(results.table(study), measure)
        ours = {(cell.world, cell.step_size): number for cell, number in where(numbers, method=one).items()}
        return {
            f"{cell.world}, {cell.method}": ours[cell.world, cell.step_size] - number
            for cell, number in where(numbers, method=others).items()
            if (cell.world, cell.step_size) in ours
        }

    return of


def by_budget(one: str, other: str) -> Callable[[Results], dict[str, Measured]]:
    """Two methods with the same number of updates, mean over worlds."""

    def of(results: Results) -> dict[str, Measured]:
        numbers = column(results.table("traces"), KNOWN)
        found = {}
        for updates in BUDGETS:
            ours, theirs = (
                mean_by(where(numbers, method=with_budget(name, updates)), "world") for name in (one, other)
            )
            found |= {f"N = {updates}, {world}": ours[world] - theirs[world] for world in ours if world in theirs}
        return found

    return of


def with_slip(one: str, other: str) -> Callable[[Results], dict[str, Measured]]:
    """Evaluation steps of two methods where moves slip, mean over worlds, by step size."""

    def of(results: Results) -> dict[str, Measured]:
        numbers = column(results.table("slip"), LOSS)
        ours, theirs = (mean_by(where(numbers, method=name), "step_size") for name in (one, other))
        return {f"α = {size:g}": ours[size] - theirs[size] for size in ours}

    return of


def after_one_episode(results: Results) -> dict[str, Measured]:
    """The share that prioritised sweeping with ten updates solves after one episode."""
    numbers = where(column(results.table("traces"), FIRST_KNOWN), method=with_budget(SWEEPING, 10))
    return {cell.world: number for cell, number in numbers.items()}


def correlation(results: Results) -> dict[str, Measured]:
    """Spearman's correlation over methods of the share solved with evaluation steps after own episodes.

    Budgets of one method count as one; the oracle, which is no method, is left out. Draws are of runs, not of methods.
    """
    from scipy.stats import spearmanr

    known = _by_method(column(results.table("traces"), KNOWN))
    loss = _by_method(column(results.table("acting"), LOSS))
    names = [name for name in known if name in loss and name != ORACLE]
    value = float(spearmanr([known[n].value for n in names], [loss[n].value for n in names]).statistic)
    pairs = zip(*([np.stack([found[n].drawn for n in names], axis=1) for found in (known, loss)]), strict=True)
    drawn = np.array([float(spearmanr(one, other).statistic) for one, other in pairs])
    return {f"{len(names)} methods": Measured(value, drawn, min(known[n].freedom for n in names))}


def _by_method(numbers: dict[object, Measured]) -> dict[str, Measured]:
    """Means over the paper's worlds and over the budgets of a method."""
    groups: dict[str, list[Measured]] = {}
    for cell, number in where(numbers, world=PAPER_WORLDS).items():
        groups.setdefault(cell.method.split(", N = ")[0], []).append(number)
    return {name: mean_of(each) for name, each in groups.items()}


def counting(results: Results) -> dict[str, Measured]:
    """ln(training steps) with the explorer that counts minus ε-greedily, by method."""
    acting, counted = (column(results.table(study), TRAINING) for study in ("acting", "counting"))
    both = {cell: counted[cell] - acting[cell] for cell in counted if cell in acting}
    return mean_by(both, "method")


CLAIMS = (
    Claim(
        "backward-beats-the-papers-flat",
        "Backward replay solves more pairs than every flat agent of the paper, λ = 1 among them.",
        "the investigation of estimators",
        "traces",
        between("traces", KNOWN, BACKWARD, *FLAT_OF_THE_PAPER),
        ABOVE,
        unit=SHARE,
        exploratory=True,
    ),
    Claim(
        "levels-solve-more",
        "From the same episodes, HierQ₃ solves more pairs than Q-learning.",
        "the paper’s idea",
        "traces",
        between("traces", KNOWN, HIER_Q, Q),
        ABOVE,
        unit=SHARE,
    ),
    Claim(
        "levels-solve-more-with-long-traces",
        "From the same episodes, HierQ₃(1) solves more pairs than Watkins’ Q(1).",
        "the paper’s idea",
        "traces",
        between("traces", KNOWN, HIER_ONE, WATKINS_ONE),
        ABOVE,
        unit=SHARE,
        exploratory=True,
    ),
    Claim(
        "levels-for-the-same-rows",
        "HierQ₃, which writes up to 10 rows a step, solves more pairs than Dyna-Q with 11 rows, from the same steps.",
        "the control of equal steps and rows",
        "traces",
        between("traces", KNOWN, HIER_Q, with_budget(DYNA, 10)),
        ABOVE,
        unit=SHARE,
        exploratory=True,
    ),
    Claim(
        "levels-shorten-paths",
        "With backward replay, three levels walk shorter paths than one.",
        BEFORE,
        "traces",
        between("traces", STRETCH, HIERARCHY_BACKWARD, BACKWARD),
        BELOW,
        unit="steps over the shortest path",
        exploratory=True,
    ),
    Claim(
        "sweeping-solves-nearly-all",
        "Prioritised sweeping with ten updates a step solves 95 % of all pairs after one episode.",
        BEFORE,
        "traces",
        after_one_episode,
        ABOVE,
        limit=NEARLY_ALL,
        unit=SHARE,
    ),
    Claim(
        "urgency-beats-chance",
        "With the same number of updates, prioritised sweeping solves more pairs than Dyna-Q.",
        "Moore and Atkeson 1993",
        "traces",
        by_budget(SWEEPING, DYNA),
        ABOVE,
        unit=SHARE,
        exploratory=True,
    ),
    Claim(
        "all-goals-beat-five",
        "With the same number of updates, Dyna-Q, an update of which writes an entry for every goal, solves more pairs "
        "than hindsight replay, which writes five.",
        BEFORE,
        "traces",
        by_budget(DYNA, HINDSIGHT),
        ABOVE,
        unit=SHARE,
        exploratory=True,
    ),
    Claim(
        "transitive-is-backward",
        "Backward replay solves no fewer pairs than our one-pass Transitive RL, within 0.01.",
        BEFORE,
        "traces",
        between("traces", KNOWN, BACKWARD, TRANSITIVE),
        ABOVE,
        limit=NO_LESS,
        unit=SHARE,
        exploratory=True,
    ),
    Claim(
        "control-repeats-credit",
        "Methods that assign credit better also act better: a rank correlation below −0.7.",
        BEFORE,
        "acting",
        correlation,
        BELOW,
        limit=CLOSE,
        unit="rank correlation",
        exploratory=True,
    ),
    Claim(
        "counting-shortens-training",
        "With the explorer that counts, every method needs fewer training steps than ε-greedily.",
        BEFORE,
        "counting",
        counting,
        BELOW,
    ),
    Claim(
        "backward-helps-with-slip",
        "Where moves slip, flat backward replay needs fewer evaluation steps than Q-learning.",
        BEFORE,
        "slip",
        with_slip(BACKWARD, Q),
        BELOW,
    ),
    Claim(
        "levels-help-with-slip",
        "Where moves slip, HierQ₃ needs fewer evaluation steps than Q-learning.",
        BEFORE,
        "slip",
        with_slip(HIER_Q, Q),
        BELOW,
    ),
    Claim(
        "levels-help-backward-with-slip",
        "Where moves slip, backward replay with three levels needs fewer evaluation steps than with one.",
        "a look with two programs",
        "slip",
        with_slip(HIERARCHY_BACKWARD, BACKWARD),
        BELOW,
        exploratory=True,
    ),
    Claim(
        "the-same-in-a-large-maze",
        "In a maze of 101 × 101 cells, backward replay solves more pairs than Q-learning, Tree-Backup(3) and Dyna-Q "
        "with N = 10.",
        BEFORE,
        "large",
        between("large", KNOWN, BACKWARD, Q, TREE_BACKUP, with_budget(DYNA, 10)),
        ABOVE,
        unit=SHARE,
    ),
)
