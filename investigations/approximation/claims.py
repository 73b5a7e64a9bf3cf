"""The comparisons behind the claims of rules.md."""

from functools import partial
from pathlib import Path

from hierq.investigations import Measured, Results, column, contrast, exactly, read_claims, where

from .plan import ANEW, ARRIVED, FAR_ORDER, GATE, MATCHED, PENG, TREE_BACKUP

CHANCE = 1 / 17  # 16 candidates and the hop itself
ABOVE_0 = {"levels": (2, 3)}
TB, ONE = {"method": TREE_BACKUP}, {"method": MATCHED}
STRIDE, ONE_STEP = {**TB, "hops": "stride"}, {"hops": "single"}
reached = partial(contrast, measure=ARRIVED)


def over_flat(results: Results) -> dict[object, Measured]:
    """Three levels with Tree-Backup minus the best flat agent that had as many samples in all."""
    flat = column(results.table("thrice"), ARRIVED)
    ours = where(column(results.table("main"), ARRIVED), **STRIDE, levels=3)
    best = {cell.world: max(where(flat, world=cell.world).values(), key=lambda each: each.value) for cell in ours}
    return {cell: number - best[cell.world] for cell, number in ours.items()}


def gate_at_chance(results: Results) -> dict[str, Measured]:
    """Open gates above level 0 minus chance, with both forms."""
    found = {}
    for study in ("main", "joint"):
        rates = contrast(study, GATE, STRIDE, lambda _: exactly(CHANCE))(results)
        found |= {f"{study}, {cell.world}, k = {cell.levels}": rate for cell, rate in rates.items()}
    return found


CLAIMS = read_claims(
    Path(__file__).with_name("rules.md").read_text(encoding="utf-8"),
    {
        "tree-backup-joint": reached("joint", one=STRIDE, other=ONE),
        "tree-backup-after": reached("main", one={**STRIDE, **ABOVE_0}, other=ONE),
        "span-carries-order": contrast("main", FAR_ORDER, {**STRIDE, **ABOVE_0}, ONE_STEP),
        "levels-beat-flat": over_flat,
        "third-level": reached("main", one={**STRIDE, "levels": 3}, other={"levels": 2}),
        "gate-at-chance": gate_at_chance,
        "peng-over-tree-backup": reached("main", one={"method": PENG, "hops": "stride"}, other=TB),
        "form-matters": reached("main", one=TB, other=TB, against=("joint", ARRIVED)),
        "acting-matters": reached("main", one={**STRIDE, **ABOVE_0}, other=STRIDE, against=("main", ANEW)),
        "ties-vanish": contrast("bridge-random", GATE, TB, TB, against=("bridge", GATE)),
        "tables-tree-backup": reached("bridge", one=TB, other=ONE),
        "random-tables-tree-backup": reached("bridge-random", one=TB, other=ONE),
    },
)
