"""How well a table or a figure as a whole agrees with what was published.

Chance alone makes |z| 0.67 in the median, and 5 % of them larger than 2. What was drawn from different seeds is tested
for itself: every cell of the table and every marginal point, its z with Student's distribution and as many degrees of
freedom as its error was estimated with. The points of a loss curve are of the same seeds, so each curve is one test:
the mean of its z² has an F distribution with as many degrees of freedom as its points are worth independent ones, by
their correlations over our seeds (the column `worth` of a comparison), and with those of its errors. Because there are
many tests, Holm's correction is made over all of a table or figure. The verdict:

    agrees                    none differs after the correction, and the median |z| is at most LARGEST_MEDIAN
    agrees but for N          the same, but N differ: one, or at most the LARGEST_SHARE
    differs                   all else
    too few seeds to tell     instead of "differs", for marginal points of fewer than ENOUGH_SEEDS seeds whose median
                              |z| is at most CLEAR_MEDIAN; and for single seeds, which have no errors

How many would differ by chance shows the same count between halves of our own seeds, with its signs
(`hierq.paper.comparison.compare_halves`). A few dozen seeds mostly have none of the rare long episodes, the 200
published ones do, so that with few seeds ours lie lower, and seem surer than they are.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from hierq.investigations.numbers import LEVEL, Floats
from hierq.paper.published import PUBLISHED_SEEDS, backup_name
from hierq.statistics import correct_p_values

LARGEST_MEDIAN = 1.0
LARGEST_SHARE = 0.01
ENOUGH_SEEDS = 100
CLEAR_MEDIAN = 2.0
NAMED_CELLS = 5
TOO_FEW = "too few seeds to tell"

# Which rows of a comparison make up which table or figure of the paper; with the column and value that tell them apart.
FIGURES: dict[str, tuple[tuple[str, str | None, str | None], ...]] = {
    "first-episode": (("first-episode table", None, None),),
    "marginal": (
        ("marginal points, trained with the hierarchy", "behaviour", "hierarchy"),
        ("marginal points, trained flat", "behaviour", "flat"),
        ("marginal points, both figures", None, None),
    ),
    "loss-curve": (
        ("loss curves, Tree-Backup", "backup", "tree-backup"),
        ("loss curves, traces", "backup", "traces"),
        ("loss curves, both figures", None, None),
    ),
}
SUMMARY_SCHEMA: dict[str, Any] = {
    "source": pl.String,
    "figure": pl.String,
    "rules": pl.String,
    "iterations": pl.Int64,
    "numbers": pl.Int64,  # how many
    "seeds": pl.Int64,  # the fewest of ours
    "median_abs_z": pl.Float64,
    "median_difference": pl.Float64,  # steps for first episodes, else mean ln(steps)
    "share_beyond_two": pl.Float64,  # of |z| > 2
    "rms_z": pl.Float64,
    "largest_abs_z": pl.Float64,
    "largest_cell": pl.String,
    "tests": pl.Int64,  # how many: as many as numbers, or as loss curves
    "adjusted_p": pl.Float64,  # the smallest after the correction
    "significant": pl.Int64,  # how many differ
    "below": pl.Int64,  # in how many of these ours is lower
    "significant_cells": pl.String,  # the first few of them
    "verdict": pl.String,
    "at_limit": pl.Int64,  # our evaluation episodes that were given up at the step limit
}


def summarise(frame: pl.DataFrame) -> pl.DataFrame:
    """How well every table and figure of a comparison agrees, a row for each set of rules and aggregation.

    SUMMARY_SCHEMA has the columns. Figures that there is nothing of are left out.
    """
    rows = []
    for source, rules, iterations in frame.select("source", "rules", "iterations").unique(maintain_order=True).rows():
        same = (pl.col("source") == source) & (pl.col("rules") == rules)
        part = frame.filter(same & pl.col("iterations").eq_missing(pl.lit(iterations, pl.Int64)))
        rows += [
            {"source": source, "figure": figure, "rules": rules, "iterations": iterations, **_summary(cells)}
            for figure, cells in _figures(source, part)
        ]
    return pl.DataFrame(rows, schema=SUMMARY_SCHEMA)


def _figures(source: str, part: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    for figure, column, value in FIGURES[source]:
        cells = part if column is None else part.filter(pl.col(column) == value)
        if len(cells):
            yield figure, cells


def _summary(cells: pl.DataFrame) -> dict[str, Any]:
    known = {
        "numbers": len(cells),
        "seeds": cells["seeds"].min(),
        "median_difference": cells["difference"].median(),
        "at_limit": None if cells["at_limit"].null_count() == len(cells) else cells["at_limit"].sum(),
    }
    tested = cells.drop_nulls("z")
    if not len(tested):
        return {**known, "verdict": TOO_FEW}
    size = np.abs(tested["z"].to_numpy())
    found = tests_of(tested)
    differing = found.filter("differs")
    unsure = tested["source"][0] == "marginal" and tested["seeds"].to_numpy().min() < ENOUGH_SEEDS
    return {
        **known,
        "median_abs_z": float(np.median(size)),
        "share_beyond_two": float(np.mean(size > 2)),
        "rms_z": float(np.sqrt(np.mean(size**2))),
        "largest_abs_z": float(size.max()),
        "largest_cell": cell_name(tested.row(int(size.argmax()), named=True)),
        "tests": len(found),
        "adjusted_p": found["adjusted_p"].min(),
        "significant": len(differing),
        "below": int((differing["mean_z"] < 0).sum()),
        "significant_cells": "; ".join(differing["name"].head(NAMED_CELLS)),
        "verdict": verdict(float(np.median(size)), len(differing), len(found), unsure),
    }


def verdict(median_abs_z: float, significant: int, tests: int, unsure: bool = False) -> str:
    """In words, with the thresholds above; unsure where few seeds of heavy tails are compared."""
    if median_abs_z > LARGEST_MEDIAN or significant > max(1, LARGEST_SHARE * tests):
        return TOO_FEW if unsure and median_abs_z <= CLEAR_MEDIAN else "differs"
    return f"agrees but for {significant}" if significant else "agrees"


def tests_of(cells: pl.DataFrame) -> pl.DataFrame:
    """The tests of cells of one table or figure that have a z, the smallest p first.

    Columns: world, behaviour, backup, parameter and levels; mean_z, the z itself where a test has one only; rms_z;
    worth, of so many independent points; p; adjusted_p, after the correction; differs; name.
    """
    from scipy.stats import f

    known = cells.with_columns(pl.Series("freedom", degrees_of_freedom(cells)))
    tests = known.group_by("world", "behaviour", "backup", "parameter", "levels", maintain_order=True).agg(
        pl.col("z").mean().alias("mean_z"),
        (pl.col("z") ** 2).mean().sqrt().alias("rms_z"),
        pl.col("worth").first().fill_null(1.0),
        pl.col("freedom").mean(),
    )
    p = f.sf(tests["rms_z"].to_numpy() ** 2, tests["worth"].to_numpy(), tests["freedom"].to_numpy())
    correction = correct_p_values(p, level=LEVEL)
    names = pl.Series("name", [cell_name({**row, "episode": None}) for row in tests.iter_rows(named=True)])
    return tests.with_columns(names, p=p, adjusted_p=correction.adjusted, differs=correction.rejected).sort("p")


def degrees_of_freedom(cells: pl.DataFrame) -> Floats:
    """With how many the error of every cell was estimated, n being our seeds.

    first-episode   n + 198, both batches together
    marginal        n − 1: our batch stands for the published one, too
    loss-curve      Welch's (e² + p²)² / (e⁴ / (n − 1) + p⁴ / 199), from our error e and the published one p
    """
    count = cells["seeds"].to_numpy().astype(float)
    ours, published = cells["error"].to_numpy() ** 2, cells["published_error"].to_numpy() ** 2
    alone = np.maximum(count - 1, 1)
    with np.errstate(invalid="ignore"):
        welch = (ours + published) ** 2 / (ours**2 / alone + published**2 / (PUBLISHED_SEEDS - 1))
    source = cells["source"].to_numpy()
    return np.where(
        source == "first-episode", count + PUBLISHED_SEEDS - 2, np.where(source == "marginal", alone, welch)
    )


def cell_name(row: dict[str, Any]) -> str:
    """A number of the paper in a few words: "maze-10, k = 3, n = 5, hierarchy", with the episode of a loss curve."""
    backup = backup_name(row["backup"], row["parameter"])
    words = [row["world"], f"k = {row['levels']}", backup, row["behaviour"]]
    if row["episode"] is not None:
        words.append(f"episode {row['episode'] + 1}")
    return ", ".join(words)
