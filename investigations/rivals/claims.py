"""The comparisons behind the claims of rules.md."""

from pathlib import Path

import numpy as np

from hierq import PAPER_WORLDS
from hierq.investigations import Contrast, Measured, Results, column, mean_by, mean_of, read_claims, where

from . import plan

DYNA_10, SWEEPING_1, SWEEPING_10 = f"{plan.DYNA}, N = 10", f"{plan.SWEEPING}, N = 1", f"{plan.SWEEPING}, N = 10"


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
        ours = mean_by(where(column(results.table("traces"), plan.KNOWN), method=one), "world")
        theirs = where(column(results.table("passes"), plan.KNOWN), method=others)
        return {f"{c.world}, {c.method} ten times": ours[c.world] - n for c, n in theirs.items() if c.world in ours}

    return of


def over_options(one: str) -> Contrast:
    """Evaluation steps of a method minus those of agents with options, all acting for themselves; means over worlds."""

    def of(results: Results) -> dict[str, Measured]:
        ours = mean_by(where(column(results.table("acting"), plan.LOSS), method=one), "world")
        found = {}
        for name in plan.OPTIONS:
            theirs = mean_by(column(results.table(name), plan.LOSS), "world")
            found[name] = mean_of(ours[world] - number for world, number in theirs.items())
        return found

    return of


def entries(results: Results) -> dict[str, Measured]:
    """Hindsight replay minus Dyna-Q, with as many entries a step."""
    solved = mean_by(column(results.table("entries"), plan.KNOWN), "method")
    found = {}
    for updates, as_many in plan.AS_MANY_ENTRIES.items():
        ours, theirs = plan.with_budget(plan.HINDSIGHT, as_many), plan.with_budget(plan.DYNA, updates)
        found[f"N = {updates} of Dyna-Q"] = solved[ours] - solved[theirs]
    return found


def by_budget(one: str, other: str) -> Contrast:
    """Two methods with the same number of updates, mean over worlds."""

    def of(results: Results) -> dict[str, Measured]:
        numbers = column(results.table("traces"), plan.KNOWN)
        found = {}
        for updates in plan.BUDGETS:
            ours, theirs = (
                mean_by(where(numbers, method=plan.with_budget(name, updates)), "world") for name in (one, other)
            )
            found |= {f"N = {updates}, {world}": ours[world] - theirs[world] for world in ours if world in theirs}
        return found

    return of


def with_slip(one: str, other: str) -> Contrast:
    """Evaluation steps of two methods where moves slip, mean over worlds, by step size."""

    def of(results: Results) -> dict[str, Measured]:
        numbers = column(results.table("slip"), plan.LOSS)
        ours, theirs = (mean_by(where(numbers, method=name), "step_size") for name in (one, other))
        return {f"α = {size:g}": ours[size] - theirs[size] for size in ours}

    return of


def after_one_episode(results: Results) -> dict[str, Measured]:
    """The share that prioritised sweeping with ten updates solves after one episode."""
    numbers = where(column(results.table("traces"), plan.solved_after(1)), method=SWEEPING_10)
    return {cell.world: number for cell, number in numbers.items()}


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


def counting(results: Results) -> dict[str, Measured]:
    """ln(training steps) with the explorer that counts minus ε-greedily, by method."""
    acting, counted = (column(results.table(study), plan.TRAINING) for study in ("acting", "counting"))
    both = {cell: counted[cell] - acting[cell] for cell in counted if cell in acting}
    return mean_by(both, "method")


CLAIMS = read_claims(
    Path(__file__).with_name("rules.md").read_text(encoding="utf-8"),
    {
        "backward-beats-the-papers-flat": between("traces", plan.KNOWN, plan.BACKWARD, *plan.FLAT_OF_THE_PAPER),
        "levels-solve-more": between("traces", plan.KNOWN, plan.HIER_Q, plan.Q),
        "levels-solve-more-with-long-traces": between("traces", plan.KNOWN, plan.HIER_ONE, plan.WATKINS_ONE),
        "levels-for-the-same-rows": between("traces", plan.KNOWN, plan.HIER_Q, DYNA_10),
        "levels-for-the-same-steps-and-rows": over_passes(plan.HIER_Q, plan.BACKWARD, plan.Q),
        "sweeping-beats-backward-within": between("within", plan.KNOWN_AT, SWEEPING_1, plan.BACKWARD),
        "sweeping-beats-backward-after": between("traces", plan.KNOWN, SWEEPING_1, plan.BACKWARD),
        "hindsight-for-the-same-entries": entries,
        "levels-beat-options": over_options(plan.HIER_ONE),
        "backward-beats-options": over_options(plan.BACKWARD),
        "levels-shorten-paths": between("traces", plan.STRETCH, plan.HIERARCHY_BACKWARD, plan.BACKWARD),
        "sweeping-solves-nearly-all": after_one_episode,
        "urgency-beats-chance": by_budget(plan.SWEEPING, plan.DYNA),
        "all-goals-beat-five": by_budget(plan.DYNA, plan.HINDSIGHT),
        "transitive-is-backward": between("traces", plan.KNOWN, plan.BACKWARD, plan.TRANSITIVE),
        "control-repeats-credit": correlation,
        "counting-shortens-training": counting,
        "backward-helps-with-slip": with_slip(plan.BACKWARD, plan.Q),
        "levels-help-with-slip": with_slip(plan.HIER_Q, plan.Q),
        "levels-help-backward-with-slip": with_slip(plan.HIERARCHY_BACKWARD, plan.BACKWARD),
        "the-same-in-a-large-maze": between("large", plan.KNOWN, plan.BACKWARD, plan.Q, plan.TREE_BACKUP, DYNA_10),
    },
)
