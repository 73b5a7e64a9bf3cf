"""The figures of the explorers."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import polars as pl

from hierq.figures.family import LEVELS_SCHEMA, levels_figure
from hierq.investigations.cells import Numbers, chosen
from hierq.investigations.exploration.plan import ESTIMATORS, FLAT, NAMES_OF_EXPLORERS, NEARNESS
from hierq.investigations.exploration.search import searched
from hierq.investigations.exploration.tables import FIRST, NEARLY, STUDY, TOTAL, Cell, numbers, random_walk
from hierq.investigations.investigation import NamedFigure
from hierq.investigations.results import Results
from hierq.worlds import make_world

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Kinds = Mapping[str, Mapping[str, object]]
EXPLORERS_BY_STEPS: Kinds = {
    shown: {"explorer": name, "nearness": "steps", "estimator": "Tree-Backup"}
    for name, shown in NAMES_OF_EXPLORERS.items()
}
NEARNESSES: Kinds = {
    f"{NAMES_OF_EXPLORERS[name]}, {nearness}": {"explorer": name, "nearness": nearness, "estimator": "Tree-Backup"}
    for name in ("epsilon", "pass")
    for nearness in NEARNESS
}
BY_ESTIMATOR: Kinds = {
    f"{NAMES_OF_EXPLORERS[name]}, {estimator}": {"explorer": name, "nearness": "steps", "estimator": estimator}
    for name in ("epsilon", "pass")
    for estimator in ESTIMATORS
}


def _lines(found: dict[Cell, Numbers], measure: str, kinds: Kinds, with_walk: bool) -> pl.DataFrame:
    """A row per point; a flat agent, which has nothing near, stands at the beginning of every line."""
    rows = []
    for name, kind in kinds.items():
        flat = {**kind, "nearness": FLAT, "explorer": "pass" if kind["explorer"] == "seek" else kind["explorer"]}
        for cell in [*chosen(found, **flat), *chosen(found, **kind)]:
            limit = random_walk(cell.world).value if with_walk else None
            rows.append((cell.world, name, cell.levels, *found[cell][measure].interval, limit))
    return pl.DataFrame(rows, LEVELS_SCHEMA, orient="row")


def draw_first(results: Results, kinds: Kinds) -> "Figure":
    """Steps of the first training episode over the number of levels."""
    frame = _lines(numbers(results), FIRST, kinds, with_walk=True)
    search = {world: searched(make_world(world)).value for world in frame["world"].unique()}
    label = ("mean steps of the first", "training episode (log scale)")
    return levels_figure(
        frame, list(kinds), search, label, "random walk, exact mean", "search that remembers everything"
    )


def draw_training(results: Results, measure: str, kinds: Kinds, label: tuple[str, str]) -> "Figure":
    """Training steps over the number of levels."""
    frame = _lines(numbers(results), measure, kinds, with_walk=False)
    return levels_figure(frame, list(kinds), {}, label)


def figures() -> Iterable[NamedFigure]:
    """All figures."""
    needs, panel = ((STUDY, None),), "A panel per world. Lines over the number of levels, with intervals; "
    yield NamedFigure(
        "first-episodes",
        "How soon the goal is found",
        "Steps of the first training episode, nearness by steps, three-hop Tree-Backup. Lower is better. “Pass”, "
        "“seek” and “optimism” count; ε-greedy and εz-greedy do not. With one level “seek” is “pass”. Dotted: the "
        "random walk; dashed: a search that always goes to the nearest move that was never tried.",
        panel + "a dotted line at the random walk and a dashed one at a search that remembers everything.",
        needs,
        lambda results: draw_first(results, EXPLORERS_BY_STEPS),
    )
    yield NamedFigure(
        "nearness",
        "Why it matters what counts as near",
        "The same for ε-greedy and for counting, with sub-goals near by coordinates (L1), by steps on the map, and as "
        "learnt. With one level nothing is near, so the lines of an explorer begin together.",
        panel + "six of them, a dotted line at the random walk and a dashed one at the search.",
        needs,
        lambda results: draw_first(results, NEARNESSES),
    )
    steps_needed = ("training steps until within 10 %", "of the optimum (log scale)")
    yield NamedFigure(
        "nearly-optimal",
        "How soon a good way is known",
        "Training steps until half of the runs had an evaluation, without exploration, within 10 % of the shortest "
        "path. Three-hop Tree-Backup, nearness by steps.",
        panel + "five of them.",
        needs,
        lambda results: draw_training(results, NEARLY, EXPLORERS_BY_STEPS, steps_needed),
    )
    yield NamedFigure(
        "estimators",
        "Counting and credit",
        "The same with three estimators, for ε-greedy and for counting.",
        panel + "six of them.",
        needs,
        lambda results: draw_training(results, NEARLY, BY_ESTIMATOR, steps_needed),
    )
    yield NamedFigure(
        "totals",
        "Twenty episodes in all",
        "Steps of the first twenty training episodes together. Three-hop Tree-Backup, nearness by steps.",
        panel + "five of them.",
        needs,
        lambda results: draw_training(
            results, TOTAL, EXPLORERS_BY_STEPS, ("steps of twenty training", "episodes (log scale)")
        ),
    )
