"""What each departure of the published program does to the numbers, alone and together.

The audit study has agents with each departure, with all but each, and with all. The departure "32 iterations" needs no
runs of its own: the same runs are averaged over fewer iterations. Flat agents are touched by the thresholds only.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from hierq.investigations.numbers import LEVEL, Column, Measured, column, mean_by, mean_of, where
from hierq.investigations.results import Results
from hierq.paper.numbers import FIRST, MARGINAL
from hierq.paper.rules import (
    ALGORITHM,
    ALL,
    BOTH,
    CHOICES,
    PUBLISHED_ITERATIONS,
    TEXT_ITERATIONS,
    THRESHOLDS,
    flat_choice,
)
from hierq.statistics import correct_p_values

EVERYWHERE, FEWER_ITERATIONS = "all", "32 iterations"
FIRST_EPISODES, MARGINALS = "first episode, ratio of steps", "marginal point, difference of ln(steps)"
SCHEMA: dict[str, type[pl.DataType]] = {
    "departures": pl.String,
    "measure": pl.String,
    "world": pl.String,
    "backup": pl.String,
    "levels": pl.Int64,
    "effect": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "significant": pl.Boolean,
}


def number_of(table: Mapping[Any, Mapping[str, Measured]], choice: str, measure: str) -> Column[Any]:
    """A measure of all agents of a choice of departures, flat ones among them; by cells without the choice.

    A flat agent is the same, however it is trained.
    """
    found = column(where(table, choice=choice), measure)
    flat = column(where(table, choice=flat_choice(choice), levels=1), measure)
    trained_flat = {cell._replace(behaviour="flat"): number for cell, number in flat.items()}
    return {cell._replace(choice=""): number for cell, number in {**flat, **trained_flat, **found}.items()}


def effects(reproduction: Results) -> pl.DataFrame | None:
    """How agents with some departures differ from those with none; None if the audit was not run.

    Columns: departures; measure, a ratio of mean first-episode steps (1 is no effect) or a difference of marginal
    log-steps (0 is none); world, backup and levels, "all" and null for means over them; effect with its 95 % interval;
    significant, after Holm's correction over all rows.
    """
    return _measured(reproduction.whole)


@lru_cache(maxsize=1)  # the page and two figures ask for it
def _measured(reproduction: Any) -> pl.DataFrame | None:
    if reproduction.runs("audit") is None:
        return None
    table = reproduction.table("audit", fewest=1)
    whole = MARGINAL[TEXT_ITERATIONS]
    rows: list[tuple[Any, ...]] = []
    found: list[Measured] = []
    for choice in [*(name for name in CHOICES if name != ALGORITHM), FEWER_ITERATIONS]:
        kinds = ((MARGINALS, whole),) if choice == FEWER_ITERATIONS else ((FIRST_EPISODES, FIRST), (MARGINALS, whole))
        for kind, measure in kinds:
            for place, mean in _means(_changes(table, choice, measure)).items():
                numbers = np.exp(mean.interval) if kind == FIRST_EPISODES else mean.interval
                rows.append((choice, kind, *place, *numbers))
                found.append(mean)
    # Of a single seed all draws are alike, so that nothing can be said.
    spreads = np.array([each.drawn.std() > 1e-12 for each in found])
    significant = correct_p_values([each.p_value for each in found], level=LEVEL).rejected & spreads
    told = [(*row, bool(is_so)) for row, is_so in zip(rows, significant, strict=True)]
    return pl.DataFrame(told, schema=SCHEMA, orient="row")


def _changes(table: Mapping[Any, Any], choice: str, measure: str) -> Column[Any]:
    """What a choice of departures changes, agent by agent."""
    if choice == FEWER_ITERATIONS:
        averaged = (MARGINAL[n] for n in (PUBLISHED_ITERATIONS, TEXT_ITERATIONS))
        fewer, more = (where(number_of(table, ALGORITHM, name), behaviour="hierarchy") for name in averaged)
        return {cell: fewer[cell] - more[cell] for cell in more}
    acting = where(table, behaviour="hierarchy")
    with_them, without = (where(number_of(acting, one, measure), behaviour="hierarchy") for one in (choice, ALGORITHM))
    return {cell: with_them[cell] - without[cell] for cell in without if cell in with_them}


def every_point(reproduction: Results) -> pl.DataFrame | None:
    """What the thresholds, alone and together, and all departures do to every marginal point of the audit."""
    if reproduction.runs("audit") is None:
        return None
    table = reproduction.table("audit", fewest=1)
    rows = [
        {"departures": choice, **cell._asdict(), **dict(zip(("effect", "low", "high"), number.interval, strict=True))}
        for choice in (*THRESHOLDS, BOTH, ALL)
        for cell, number in _changes(table, choice, MARGINAL[TEXT_ITERATIONS]).items()
    ]
    return pl.DataFrame(rows).drop("choice", "behaviour")


def _means(changes: Column[Any]) -> dict[tuple[str, str, int | None], Measured]:
    """By world and levels, by levels alone, by backup and levels, and over everything."""
    found: dict[tuple[str, str, int | None], Measured] = {}
    for (world, levels), mean in mean_by(changes, "world", "levels").items():
        found[world, EVERYWHERE, levels] = mean
    for (backup, parameter, levels), mean in mean_by(changes, "backup", "parameter", "levels").items():
        symbol = "λ" if backup == "traces" else "n"
        found[EVERYWHERE, f"{symbol} = {parameter:g}", levels] = mean
    for levels, mean in mean_by(changes, "levels").items():
        found[EVERYWHERE, EVERYWHERE, levels] = mean
    found[EVERYWHERE, EVERYWHERE, None] = mean_of(changes.values())
    return found


def at_a_glance(found: pl.DataFrame) -> pl.DataFrame:
    """Departures by what they do to first episodes and marginal points: means over worlds and backups, by k."""
    rows = found.filter(
        pl.col("world") == EVERYWHERE,
        pl.col("backup") == EVERYWHERE,
        pl.col("departures").str.starts_with("all but").not_() | (pl.col("departures") == ALL),
    )
    wide: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows.iter_rows(named=True):
        line = wide.setdefault((row["departures"], row["measure"]), {})
        mark = "*" if row["significant"] else ""
        line["all k" if row["levels"] is None else f"k = {row['levels']}"] = f"{row['effect']:.3f}{mark}"
    return pl.DataFrame(
        [{"departure": name, "measure": measure, **line} for (name, measure), line in wide.items()],
        infer_schema_length=None,
    )
