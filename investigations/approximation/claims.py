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


STATEMENTS = {
    "tree-backup-joint": "In the paper’s form Q(s, c, g), Tree-Backup reaches more far goals than matched one step.",
    "tree-backup-after": "With after-states U(c, g), Tree-Backup reaches more far goals than matched one step.",
    "span-carries-order": "From as many writes, hops of a level’s reach order goals beyond 26 cells better than steps.",
    "levels-beat-flat": "Three levels reach more far goals than the best flat agent with as many samples in all.",
    "third-level": "A third level reaches more far goals than two.",
    "gate-at-chance": "Above level 0 the greedy gate is open as often as by chance, within .05.",
    "peng-over-tree-backup": "Peng’s operator reaches more far goals than Tree-Backup.",
    "form-matters": "After-states reach more far goals than the paper’s form.",
    "acting-matters": "Keeping sub-goals and handing goals down reaches more far goals than asking anew every step.",
    "ties-vanish": "In tables, random initial values close gates above level 0.",
    "tables-tree-backup": "In tables that start at 0, Tree-Backup reaches more far goals than matched one step.",
    "random-tables-tree-backup": "In tables that start at random values, it still does.",
}


def claim(name: str, study: str, of: Callable[[Results], Numbers], expects: str = ABOVE, **more: object) -> Claim:
    """A claim about shares of far goals reached, or about another unit."""
    source = PAPER if name in ("tree-backup-joint", "tables-tree-backup") else BEFORE
    return Claim(name, STATEMENTS[name], source, study, of, expects, **{"unit": SHARE, **more})


over_one_step, over_two = {**TB, **STRIDE}, {**TB, "levels": 3, "hops": "stride"}
CLAIMS = (
    claim("tree-backup-joint", "joint", contrast("joint", ARRIVED, over_one_step, ONE), by="levels"),
    claim("tree-backup-after", "main", contrast("main", ARRIVED, over_one_step, ONE), by="levels"),
    claim("span-carries-order", "main", span, unit="order accuracy"),
    claim("levels-beat-flat", "thrice", over_flat),
    claim("third-level", "main", contrast("main", ARRIVED, over_two, {"levels": 2}), by="world"),
    claim("gate-at-chance", "main", gate_at_chance, WITHIN, limit=0.05, unit=RATE),
    claim(
        "peng-over-tree-backup", "main", contrast("main", ARRIVED, {"method": PENG, "hops": "stride"}, TB), by="levels"
    ),
    claim("form-matters", "joint", between("main", "joint", method=TREE_BACKUP)),
    claim("acting-matters", "main", kept),
    claim(
        "ties-vanish", "bridge-random", between("bridge-random", "bridge", GATE, method=TREE_BACKUP), BELOW, unit=RATE
    ),
    claim("tables-tree-backup", "bridge", contrast("bridge", ARRIVED, TB, ONE), by="levels"),
    claim("random-tables-tree-backup", "bridge-random", contrast("bridge-random", ARRIVED, TB, ONE), by="levels"),
)
