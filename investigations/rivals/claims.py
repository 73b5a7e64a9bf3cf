"""The comparisons behind the claims of rules.md."""

from pathlib import Path

import numpy as np

from hierq import PAPER_WORLDS
from hierq.investigations import Contrast, Measured, Results, column, mean_by, mean_of, read_claims, where

from .plan import (
    AS_MANY_ENTRIES,
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
    KNOWN_AT,
    LOSS,
    OPTIONS,
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


def between(study: str, measure: str, one: str, *others: str) -> Contrast:
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


def over_passes(one: str, *others: str) -> Contrast:
    """A method minus others that go through every episode ten times, in every world."""

    def of(results: Results) -> dict[str, Measured]:
        ours = mean_by(where(column(results.table("traces"), KNOWN), method=one), "world")
        theirs = where(column(results.table("passes"), KNOWN), method=others)
        return {f"{c.world}, {c.method} ten times": ours[c.world] - n for c, n in theirs.items() if c.world in ours}

    return of


def over_options(one: str) -> Contrast:
    """Evaluation steps of a method minus those of agents with options, all acting for themselves; means over worlds."""

    def of(results: Results) -> dict[str, Measured]:
        ours = mean_by(where(column(results.table("acting"), LOSS), method=one), "world")
        found = {}
        for name in OPTIONS:
            theirs = mean_by(column(results.table(name), LOSS), "world")
            found[name] = mean_of(ours[world] - number for world, number in theirs.items())
        return found

    return of


def entries(results: Results) -> dict[str, Measured]:
    """Hindsight replay minus Dyna-Q, with as many entries a step."""
    solved = mean_by(column(results.table("entries"), KNOWN), "method")
    return {
        f"N = {updates} of Dyna-Q": solved[with_budget(HINDSIGHT, as_many)] - solved[with_budget(DYNA, updates)]
        for updates, as_many in AS_MANY_ENTRIES.items()
    }


def by_budget(one: str, other: str) -> Contrast:
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


def with_slip(one: str, other: str) -> Contrast:
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


CLAIMS = read_claims(
    Path(__file__).with_name("rules.md").read_text(encoding="utf-8"),
    {
        "backward-beats-the-papers-flat": between("traces", KNOWN, BACKWARD, *FLAT_OF_THE_PAPER),
        "levels-solve-more": between("traces", KNOWN, HIER_Q, Q),
        "levels-solve-more-with-long-traces": between("traces", KNOWN, HIER_ONE, WATKINS_ONE),
        "levels-for-the-same-rows": between("traces", KNOWN, HIER_Q, with_budget(DYNA, 10)),
        "levels-for-the-same-steps-and-rows": over_passes(HIER_Q, BACKWARD, Q),
        "sweeping-beats-backward-within": between("within", KNOWN_AT, with_budget(SWEEPING, 1), BACKWARD),
        "sweeping-beats-backward-after": between("traces", KNOWN, with_budget(SWEEPING, 1), BACKWARD),
        "hindsight-for-the-same-entries": entries,
        "levels-beat-options": over_options(HIER_ONE),
        "backward-beats-options": over_options(BACKWARD),
        "levels-shorten-paths": between("traces", STRETCH, HIERARCHY_BACKWARD, BACKWARD),
        "sweeping-solves-nearly-all": after_one_episode,
        "urgency-beats-chance": by_budget(SWEEPING, DYNA),
        "all-goals-beat-five": by_budget(DYNA, HINDSIGHT),
        "transitive-is-backward": between("traces", KNOWN, BACKWARD, TRANSITIVE),
        "control-repeats-credit": correlation,
        "counting-shortens-training": counting,
        "backward-helps-with-slip": with_slip(BACKWARD, Q),
        "levels-help-with-slip": with_slip(HIER_Q, Q),
        "levels-help-backward-with-slip": with_slip(HIERARCHY_BACKWARD, BACKWARD),
        "the-same-in-a-large-maze": between("large", KNOWN, BACKWARD, Q, TREE_BACKUP, with_budget(DYNA, 10)),
    },
)
