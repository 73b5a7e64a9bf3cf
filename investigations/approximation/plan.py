"""The studies: levels on tiles in worlds of points, all from the same random walks; and the bridge in tables.

    main        after-states U(c, g): one, two and three levels, four operators, and hops of one step
    joint       the paper's form Q(s, c, g)
    velocity    the same as main in a world with velocity
    bridge      tables that start at 0 or at random values, learning in order

The other studies change one thing of main; those that only say how sensitive it is have five seeds. "Matched" one step
is n = 4 with an operator that passes on v, so that it draws the same goals and hops as the others. Every run walks by
both rules of acting.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

import hierq
from hierq.approximate import Levels, OneHot, PointWorld, Tiles, random_walks
from hierq.investigations import Measured, Part, Runs, means_over_runs

WORLDS = ("maze-10", "maze-20", "rooms-9")
WALKS, LENGTH, PAIRS = 300, 100, 50
SAMPLES = 120_000  # of a level: rules.md
ROUNDING = 1e-9
FEW = 5  # seeds of the studies of sensitivity
FAR, BEYOND = 0.67, 26.0  # goals are far whose distance is above this quantile; and the cells of the claim about span
MATCHED, TREE_BACKUP, HIGHEST, PENG = "one step, matched", "Tree-Backup(4)", "max(4)", "Peng(4)"
ARRIVED, ANEW = "share of far goals reached", "share of far goals reached, asked anew"
ORDER, FAR_ORDER = "order accuracy", "order accuracy beyond 26 cells"
GATE_0, GATE = "open gates at level 0", "open gates above level 0"
MEASURES = (ARRIVED, ANEW, ORDER, FAR_ORDER, GATE_0, GATE)


@hierq.operator
def matched(v):
    """X = v: one step, but with the hops and the goals of a longer backup."""
    return v


BACKUPS = {
    MATCHED: hierq.Backup(matched, n=4),
    TREE_BACKUP: hierq.TreeBackup(4),
    HIGHEST: hierq.Backup("max", n=4),
    PENG: hierq.Backup("peng", n=4),
}


@dataclass(frozen=True)
class Points(hierq.Protocol):
    """Levels learn from random walks of a point, and then walk to far goals."""

    runs_agents: ClassVar[bool] = False
    iterations: int = 1
    form: str = "after"
    samples: int = SAMPLES
    candidates: int = 16
    noise: float = 0.3
    velocity: bool = False
    cells: bool = False  # a table over cells instead of tiles
    taught: bool = True  # whether levels above 0 learn; else they only know what is within reach
    spread: float = 0.0  # weights start at random between 0 and this
    first_walks: int = 100  # added to the seed: smaller ones were looked at before the rules were settled

    def iterate(self, agents: Any, iterations: int) -> Any:
        """Nothing is stepped here: a run is one measurement."""
        return np.full(iterations, WALKS * LENGTH), np.ones(iterations, np.int64)

    def measure(self, agents: Any) -> dict[str, list[float]]:
        """What levels of the agent's configuration have learnt."""
        world, config = agents[0].world, agents[0].config
        seed = self.first_walks + agents[0].seed.spawn_key[-1]  # the number of the run: the same walks for all agents
        points = PointWorld(world, noise=self.noise, velocity=self.velocity)
        levels = self.make(points, config, seed)
        walks = random_walks(points, WALKS, LENGTH, seed=seed)
        levels.learn_from(walks, samples=self.samples, taught=None if self.taught else 1)
        return self.found(levels, seed)

    def make(self, points: PointWorld, config: hierq.AgentConfig, seed: int) -> Levels:
        """Levels that know nothing yet."""
        features = OneHot() if self.cells else Tiles(4)
        return Levels(
            points, config, features, form=self.form, candidates=self.candidates, seed=seed, initial_spread=self.spread
        )

    def found(self, levels: Levels, seed: int) -> dict[str, list[float]]:
        """Walks to far goals, the order of the top level's values, and open gates."""
        points, top = levels.world, levels.config.levels - 1
        distances, middles = points.distances, points.middles
        far = np.argwhere(np.isfinite(distances) & (distances >= np.quantile(distances[np.isfinite(distances)], FAR)))
        rng = np.random.default_rng([seed, 1])
        pairs = far[rng.integers(len(far), size=PAIRS)]

        def arrived(keep: bool) -> float:
            walks = [levels.walk(middles[a], middles[b], int(4 * distances[a, b]), keep=keep) for a, b in pairs]
            return float(np.mean([walk.arrived for walk in walks]))

        values = levels.values(top, middles[:, None], middles[None])
        gates = [rate for rate in levels.gate_rate[1:] if np.isfinite(rate)]
        return {
            ARRIVED: [arrived(keep=True)],
            ANEW: [arrived(keep=False)],
            ORDER: [order_accuracy(values, distances)],
            FAR_ORDER: [order_accuracy(values, distances, BEYOND)],
            GATE_0: [levels.gate_rate[0]],
            GATE: [float(np.mean(gates)) if gates else float("nan")],
        }


@dataclass(frozen=True)
class Bridge(Points):
    """The same in tables over the cells of the map, which learn in order, for every goal, at step size 1."""

    walks: int = 60

    def measure(self, agents: Any) -> dict[str, list[float]]:
        """Walks have the four moves of the map and no noise, so this is the table of `hierq.Agent`."""
        seed = self.first_walks + agents[0].seed.spawn_key[-1]
        points = PointWorld(agents[0].world, noise=0.0, directions=4)
        levels = replace(self, cells=True, form="joint").make(points, agents[0].config, seed)
        walks = random_walks(points, self.walks, LENGTH, seed=seed)
        levels.learn_from(walks)
        return self.found(levels, seed)


def order_accuracy(values: np.ndarray, distances: np.ndarray, beyond: float = 0.0) -> float:
    """The share of pairs of points, at different distances from a goal, of which the nearer one has the higher value.

    A tie counts one half, so values that say nothing come to 0.5; values γ^d of exact distances d come to 1.

    Args:
        values: array [points, goals].
        distances: the same shape; infinite where a goal cannot be reached.
        beyond: only points farther than this from the goal are compared.
    """
    right, pairs = 0.0, 0
    for value, distance in zip(values.T, distances.T, strict=True):
        known = np.isfinite(distance) & (distance > beyond)
        value, distance = value[known], distance[known]
        nearer = distance[:, None] < distance[None, :]
        gap = value[:, None] - value[None, :]
        tied = np.abs(gap) <= ROUNDING * np.abs(value[:, None])
        right += float(np.where(tied, 0.5, gap > 0)[nearer].sum())
        pairs += int(nearer.sum())
    return right / pairs if pairs else float("nan")


def config(method: str, levels: int, hops: str = "stride", **settings: Any) -> hierq.AgentConfig:
    """A configuration; γ and α were chosen on held-out seeds of maze-10."""
    usual = {"levels": levels, "discount": 0.8, "step_size": 0.3, "universal_top": True}
    return hierq.AgentConfig(**{**usual, "backup": BACKUPS[method].with_hops(hops), **settings})


def measures(runs: Runs) -> dict[str, Measured]:
    """Means over seeds; all agents have the same walks, so all have the same draws of seeds."""
    columns = {name: runs.column(name)[:, 0] for name in MEASURES}
    return means_over_runs({name: each for name, each in columns.items() if np.isfinite(each).all()})


def part(
    name: str,
    protocol: hierq.Protocol,
    rows: Any,
    worlds: tuple[str, ...] = ("maze-10",),
    most_seeds: int | None = None,
    **settings: Any,
) -> Part:
    """A study: agents by method, levels and hops, and further settings."""
    labels = {}
    for method, levels, hops, *own in rows:
        made = config(method, levels, hops, **settings, **(own[0] if own else {}))
        named = {"method": method, "levels": levels, "hops": hops}
        labels[made] = {**named, "step_size": made.step_size, "discount": made.discount}
    return Part.labelled(name, worlds, labels, protocol, measures=measures, most_seeds=most_seeds)


def rows(methods: tuple[str, ...], levels: tuple[int, ...], hops: str = "stride") -> list[tuple[str, int, str]]:
    """Every method with every number of levels."""
    return [(method, k, hops) for k in levels for method in methods]


HIERARCHIES = rows((MATCHED, TREE_BACKUP), (2, 3))
THREE = rows((MATCHED, TREE_BACKUP, PENG), (1, 2, 3))
RATES = [(TREE_BACKUP, 3, "stride", {"step_size": a, "discount": g}) for a in (0.1, 0.3) for g in (0.8, 0.9, 0.95)]
TABLE: dict[str, Any] = {"step_size": 1.0, "discount": 0.95, "nearness": "learnt"}
STUDIES = (
    part("main", Points(), rows(tuple(BACKUPS), (1, 2, 3)) + rows((TREE_BACKUP,), (2, 3), "single"), WORLDS),
    part("joint", Points(form="joint"), rows((MATCHED, TREE_BACKUP, PENG), (2, 3)), WORLDS),
    part("thrice", Points(samples=3 * SAMPLES), rows((TREE_BACKUP, HIGHEST, PENG), (1,)), WORLDS),
    part("bridge", Bridge(), THREE, **TABLE),
    part("bridge-random", Bridge(spread=1e-3), THREE, **TABLE),
    part("untaught", Points(taught=False), rows((TREE_BACKUP,), (2, 3)), WORLDS),
    part("cells", Points(cells=True), rows((TREE_BACKUP,), (1, 2, 3)), WORLDS, nearness="learnt"),
    part("velocity", Points(velocity=True), THREE),
    part("random-weights", Points(spread=1e-3), HIERARCHIES, most_seeds=FEW),
    part("candidates-4", Points(candidates=4), HIERARCHIES, most_seeds=FEW),
    part("candidates-64", Points(candidates=64), HIERARCHIES, most_seeds=FEW),
    part("noise-0", Points(noise=0.0), HIERARCHIES, most_seeds=FEW),
    part("noise-0.6", Points(noise=0.6), HIERARCHIES, most_seeds=FEW),
    part("held-out", Points(first_walks=1000), RATES, most_seeds=FEW),
)
