"""The comparisons behind the claims of rules.md."""

from pathlib import Path
from typing import Any

import numpy as np

from hierq import PAPER_WORLDS
from hierq.investigations import Contrast, Measured, Results, column, contrast, mean_by, mean_of, read_claims, where

from . import plan

DYNA_10, SWEEPING_1, SWEEPING_10 = f"{plan.DYNA}, N = 10", f"{plan.SWEEPING}, N = 1", f"{plan.SWEEPING}, N = 10"


def of_method(results: Results, study: str, measure: str, name: str, by: str = "world") -> dict[Any, Measured]:
    """The numbers of a method, in every world or for every value of another field."""
    return mean_by(where(column(results.table(study), measure), method=name), by)


def between(study: str, measure: str, one: str, *others: str, against: str = "") -> Contrast:
    """One method minus others, from the same episodes, in every world; those of another study, if it is named."""

    def of(results: Results) -> dict[str, Measured]:
        ours, found = of_method(results, study, measure, one), {}
        for name in others:
            theirs = of_method(results, against or study, measure, name)
            found |= {f"{world}, {name}": ours[world] - number for world, number in theirs.items() if world in ours}
        return found

    return of


def over_options(one: str) -> Contrast:
    """Evaluation steps of a method minus those of agents with options, all acting for themselves; means over worlds."""

    def of(results: Results) -> dict[str, Measured]:
        ours = of_method(results, "acting", plan.LOSS, one)
        theirs = {name: of_method(results, name, plan.LOSS, name) for name in plan.OPTIONS}
        return {name: mean_of(ours[world] - number for world, number in each.items()) for name, each in theirs.items()}

    return of


def entries(results: Results) -> dict[str, Measured]:
    """Hindsight replay minus Dyna-Q, with as many entries a step."""
    solved = mean_by(column(results.table("entries"), plan.KNOWN), "method")
    return {
        f"N = {updates} of {plan.DYNA}": solved[plan.with_budget(plan.HINDSIGHT, as_many)]
        - solved[plan.with_budget(plan.DYNA, updates)]
        for updates, as_many in plan.AS_MANY_ENTRIES.items()
    }


def by_budget(one: str, other: str) -> Contrast:
    """Two methods with the same number of updates, in every world."""

    def of(results: Results) -> dict[str, Measured]:
        found = {}
        for updates in plan.BUDGETS:
            pair = (plan.with_budget(name, updates) for name in (one, other))
            ours, theirs = (of_method(results, "traces", plan.KNOWN, name) for name in pair)
            found |= {f"N = {updates}, {world}": ours[world] - theirs[world] for world in ours if world in theirs}
        return found

    return of


def with_slip(one: str, other: str) -> Contrast:
    """Evaluation steps of two methods where moves slip, mean over worlds, by step size."""

    def of(results: Results) -> dict[str, Measured]:
        ours, theirs = (of_method(results, "slip", plan.LOSS, name, "step_size") for name in (one, other))
        return {f"α = {size:g}": ours[size] - theirs[size] for size in ours}

    return of


def correlation(results: Results) -> dict[str, Measured]:
    """Spearman's correlation over methods of the share solved with evaluation steps after own episodes.

    Budgets of one method count as one; the oracle, which is no method, is left out. Draws are of runs, not of methods.
    """
    from scipy.stats import spearmanr

    known = _by_method(column(results.table("traces"), plan.KNOWN))
    loss = _by_method(column(results.table("acting"), plan.LOSS))
    names = [name for name in known if name in loss and name != plan.ORACLE]
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


CLAIMS = read_claims(
    Path(__file__).with_name("rules.md").read_text(encoding="utf-8"),
    {
        "backward-beats-the-papers-flat": between("traces", plan.KNOWN, plan.BACKWARD, *plan.FLAT_OF_THE_PAPER),
        "levels-solve-more": between("traces", plan.KNOWN, plan.HIER_Q, plan.Q),
        "levels-solve-more-with-long-traces": between("traces", plan.KNOWN, plan.HIER_ONE, plan.WATKINS_ONE),
        "levels-for-the-same-rows": between("traces", plan.KNOWN, plan.HIER_Q, DYNA_10),
        "levels-for-the-same-steps-and-rows": between(
            "traces", plan.KNOWN, plan.HIER_Q, plan.BACKWARD, plan.Q, against="passes"
        ),
        "sweeping-beats-backward-within": between("within", plan.KNOWN_AT, SWEEPING_1, plan.BACKWARD),
        "sweeping-beats-backward-after": between("traces", plan.KNOWN, SWEEPING_1, plan.BACKWARD),
        "hindsight-for-the-same-entries": entries,
        "levels-beat-options": over_options(plan.HIER_ONE),
        "backward-beats-options": over_options(plan.BACKWARD),
        "levels-shorten-paths": between("traces", plan.STRETCH, plan.HIERARCHY_BACKWARD, plan.BACKWARD),
        "sweeping-solves-nearly-all": contrast("traces", plan.solved_after(1), {"method": SWEEPING_10}),
        "urgency-beats-chance": by_budget(plan.SWEEPING, plan.DYNA),
        "all-goals-beat-five": by_budget(plan.DYNA, plan.HINDSIGHT),
        "transitive-is-backward": between("traces", plan.KNOWN, plan.BACKWARD, plan.TRANSITIVE),
        "control-repeats-credit": correlation,
        "counting-shortens-training": contrast("counting", plan.TRAINING, {}, {}, against=("acting", plan.TRAINING)),
        "backward-helps-with-slip": with_slip(plan.BACKWARD, plan.Q),
        "levels-help-with-slip": with_slip(plan.HIER_Q, plan.Q),
        "levels-help-backward-with-slip": with_slip(plan.HIERARCHY_BACKWARD, plan.BACKWARD),
        "the-same-in-a-large-maze": between("large", plan.KNOWN, plan.BACKWARD, plan.Q, plan.TREE_BACKUP, DYNA_10),
    },
)
