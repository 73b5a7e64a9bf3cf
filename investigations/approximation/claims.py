"""What is claimed, settled before the run: the paper's sentence, and what throw-away programs had suggested."""

from collections.abc import Callable

from hierq.investigations import ABOVE, BELOW, WITHIN, Claim, Measured, Results, column, contrast, exactly, where

from .plan import ANEW, ARRIVED, FAR_ORDER, GATE, MATCHED, PENG, TREE_BACKUP

PAPER, BEFORE = "the paper, conclusion", "settled before the study"
SHARE, RATE = "share of far goals reached", "share of open gates"
CHANCE = 1 / 17  # 16 candidates and the hop itself
ABOVE_0 = (2, 3)
STRIDE = {"levels": ABOVE_0, "hops": "stride"}
TB, ONE = {"method": TREE_BACKUP}, {"method": MATCHED}
Numbers = dict[str, Measured]


def between(one: str, other: str, measure: str = ARRIVED, **cells: object) -> Callable[[Results], Numbers]:
    """The same agents of two studies, one minus the other."""

    def of(results: Results) -> Numbers:
        ours, theirs = (where(column(results.table(study), measure), **cells) for study in (one, other))
        return {f"{cell.world}, k = {cell.levels}": ours[cell] - theirs[cell] for cell in ours if cell in theirs}

    return of


def kept(results: Results) -> Numbers:
    """Walks that keep their sub-goals minus those that ask anew at every step, by the same agents."""
    table = results.table("main")
    ours, theirs = (where(column(table, measure), method=TREE_BACKUP, **STRIDE) for measure in (ARRIVED, ANEW))
    return {f"{cell.world}, k = {cell.levels}": number - theirs[cell] for cell, number in ours.items()}


def over_flat(results: Results) -> Numbers:
    """Three levels with Tree-Backup minus the best flat agent that had as many samples in all."""
    ours = where(column(results.table("main"), ARRIVED), method=TREE_BACKUP, levels=3, hops="stride")
    flat = column(results.table("thrice"), ARRIVED)
    best = {cell.world: max(where(flat, world=cell.world).values(), key=lambda each: each.value) for cell in ours}
    return {cell.world: number - best[cell.world] for cell, number in ours.items()}


def gate_at_chance(results: Results) -> Numbers:
    """Open gates above level 0 minus chance."""
    found = {}
    for study in ("main", "joint"):
        rates = where(column(results.table(study), GATE), method=TREE_BACKUP, hops="stride")
        found |= {f"{study}, {cell.world}, k = {cell.levels}": rate - exactly(CHANCE) for cell, rate in rates.items()}
    return found


def span(results: Results) -> Numbers:
    """Order beyond 26 cells: hops as long as a level's reach minus hops of one step, from equally many writes."""
    numbers = where(column(results.table("main"), FAR_ORDER), method=TREE_BACKUP, levels=ABOVE_0)
    long, short = (where(numbers, hops=hops) for hops in ("stride", "single"))
    return {f"{c.world}, k = {c.levels}": n - short[c._replace(hops="single")] for c, n in long.items()}


def shares(name: str, title: str, source: str, study: str, of: object, by: object = "levels", **more: object) -> Claim:
    """A claim about shares of far goals reached."""
    return Claim(name, title, source, study, of, ABOVE, by=by, **{"unit": SHARE, **more})


CLAIMS = (
    shares(
        "tree-backup-joint",
        "In the paper’s form Q(s, c, g), Tree-Backup reaches more far goals than matched one-step backups.",
        PAPER,
        "joint",
        contrast("joint", ARRIVED, {**TB, **STRIDE}, ONE),
    ),
    shares(
        "tree-backup-after",
        "With after-states U(c, g), Tree-Backup reaches more far goals than matched one-step backups.",
        BEFORE,
        "main",
        contrast("main", ARRIVED, {**TB, **STRIDE}, ONE),
    ),
    Claim(
        "span-carries-order",
        "Hops as long as a level’s reach order goals beyond 26 cells better than hops of one step, for as many writes.",
        BEFORE,
        "main",
        span,
        ABOVE,
        unit="order accuracy",
    ),
    shares(
        "levels-beat-flat",
        "Three levels with Tree-Backup reach more far goals than the best flat agent with as many samples in all.",
        BEFORE,
        "thrice",
        over_flat,
        (),
    ),
    shares(
        "third-level",
        "A third level reaches more far goals than two.",
        BEFORE,
        "main",
        contrast("main", ARRIVED, {**TB, "levels": 3, "hops": "stride"}, {"levels": 2}),
        "world",
    ),
    Claim(
        "gate-at-chance",
        "Above level 0 the greedy gate is open as often as by chance, within .05.",
        BEFORE,
        "main",
        gate_at_chance,
        WITHIN,
        limit=0.05,
        unit=RATE,
    ),
    shares(
        "peng-over-tree-backup",
        "Peng’s operator reaches more far goals than Tree-Backup.",
        BEFORE,
        "main",
        contrast("main", ARRIVED, {"method": PENG, "hops": "stride"}, TB),
    ),
    shares(
        "form-matters",
        "After-states reach more far goals than the paper’s form.",
        BEFORE,
        "joint",
        between("main", "joint", method=TREE_BACKUP),
        (),
    ),
    shares(
        "acting-matters",
        "Keeping sub-goals and handing goals within reach down reaches more far goals than asking anew every step.",
        BEFORE,
        "main",
        kept,
        (),
    ),
    Claim(
        "ties-vanish",
        "In tables, random initial values close gates above level 0.",
        BEFORE,
        "bridge-random",
        between("bridge-random", "bridge", GATE, method=TREE_BACKUP),
        BELOW,
        unit=RATE,
    ),
    shares(
        "tables-tree-backup",
        "In tables that start at 0, Tree-Backup reaches more far goals than matched one-step backups.",
        PAPER,
        "bridge",
        contrast("bridge", ARRIVED, TB, ONE),
    ),
    shares(
        "random-tables-tree-backup",
        "In tables that start at random values, it still does.",
        BEFORE,
        "bridge-random",
        contrast("bridge-random", ARRIVED, TB, ONE),
    ),
)
