"""The comparisons behind the claims of rules.md. Worlds are a sample, so intervals are over worlds."""

from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from hierq.investigations import Contrast, Measured, Results, column, contrast, minus, read_claims

from .plan import ESTIMATORS, FLAT, OVER

MORE = {"levels": (2, 3)}
ONE = {"levels": 1, "nearness": FLAT}
THREE = {"levels": 3, "nearness": "steps"}
GIVEN_UP = "given_up"
between = partial(contrast, fewest=1)


class Pair(NamedTuple):
    """Two estimators in a world, credit travelling farther with the second."""

    world: str
    estimators: str


def over_flat(study: str, **kind: object) -> Contrast:
    """Agents of a kind with more levels minus the flat agent with the same estimator, in every world."""
    return between(study, OVER, {**MORE, **kind}, ONE)


def falling_gains(results: Results) -> dict[Pair, Measured]:
    """What three levels, near by steps, gain with an estimator minus the gain with the one before it in ESTIMATORS."""
    found = minus(column(results.table("credit", fewest=1), OVER), ONE, THREE)
    gains = {(cell.world, cell.estimator): number for cell, number in found.items()}
    worlds = dict.fromkeys(world for world, _ in gains)
    return {
        Pair(world, f"{after} after {before}"): gains[world, after] - gains[world, before]
        for before, after in pairwise(ESTIMATORS)
        for world in worlds
    }


def thresholds(results: Results) -> dict[object, Measured]:
    """What levels change, near by L1, with the two thresholds minus what they change without."""
    kind = {"nearness": "L1", "estimator": ("Q(.8)", "Q(1)")}
    with_both, without = (over_flat(study, **kind)(results) for study in ("thresholds", "credit"))
    return {cell: number - without[cell] for cell, number in with_both.items()}


CLAIMS = read_claims(
    Path(__file__).with_name("rules.md").read_text(encoding="utf-8"),
    {
        "levels-one-step": over_flat("credit", estimator="one step"),
        "levels-tree-backup": over_flat("credit", estimator="Tree-Backup(3)"),
        "levels-traces": over_flat("credit", estimator="Q(.8)"),
        "levels-long-traces": over_flat("credit", estimator="Q(1)"),
        "levels-backward": over_flat("credit", estimator="backward"),
        "less-to-gain": falling_gains,
        "thresholds-add-to-the-gain": thresholds,
        "walls-mislead": between("credit", OVER, {**MORE, "nearness": "L1"}, {"nearness": "steps"}),
        "walls-make-agents-give-up": between("credit", GIVEN_UP, {**MORE, "nearness": "L1"}, {"nearness": "steps"}),
        "learnt-is-as-good-as-a-map": between("credit", OVER, {**MORE, "nearness": "learnt"}, {"nearness": "steps"}),
        "levels-beat-a-map": between("credit", OVER, THREE, ONE, against=("map", OVER)),
        "levels-for-other-discounts": over_flat("discounts", nearness="steps"),
        "levels-with-epsilon": over_flat("epsilon"),
    },
)
