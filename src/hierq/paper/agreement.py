"""How well a table or a figure as a whole agrees with what was published.

Chance alone makes |z| 0.67 in the median, and 5 % of them larger than 2. Every cell is tested for a difference: its z
with Student's distribution, with as many degrees of freedom as its error was estimated with; and because a table has
hundreds of cells, Holm's correction is made over all of them. The verdict:

    agrees                    no cell differs after the correction, and the median |z| is at most LARGEST_MEDIAN
    agrees but for N cells    the same, but N cells differ, at most the LARGEST_SHARE of all for numbers of its kind
    differs                   all else
    too few seeds to tell     instead of "differs", for marginal points of fewer than ENOUGH_SEEDS seeds whose median
                              |z| is at most CLEAR_MEDIAN; and for single seeds, which have no errors

LARGEST_MEDIAN, and the LARGEST_SHARE of marginal points, leave room for what errors estimated from one batch miss: the
rare long episodes that one batch has and the other has not. How much that is shows a comparison of one half of our own
seeds with the other half (`hierq.paper.comparison.compare_halves`): with 200 seeds the marginal points have a median
|z| of 0.83, and up to 5 % of the cells of a figure "differ"; their LARGEST_SHARE is twice that. First episodes and loss
curves have no such tails (with 200 seeds their z have a root mean square of 1.01 and 1.05), so that hardly a cell may
differ after the correction: 1 %, which is one cell of the table.

A few dozen seeds mostly have none of the rare long episodes, the 200 published ones do, so that with few seeds ours lie
lower, and seem surer than they are. The root mean square of the z is for first episodes and loss curves; in the
marginal points a handful of cells decides it, so nothing here leans on it.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hierq.paper.published import PUBLISHED_SEEDS, backup_name
from hierq.studies.statistics import correct_p_values

Floats = npt.NDArray[np.float64]

LEVEL = 0.05
LARGEST_MEDIAN = 1.0
LARGEST_SHARE = {"marginal": 0.1, "first-episode": 0.01, "loss-curve": 0.01}
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
    "adjusted_p": pl.Float64,  # the smallest after the correction
    "significant": pl.Int64,  # how many cells differ
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
    correction = correct_p_values(p_values(tested), level=LEVEL)
    order = np.lexsort((-size, correction.adjusted))
    significant = int(correction.rejected.sum())
    unsure = tested["source"][0] == "marginal" and tested["seeds"].to_numpy().min() < ENOUGH_SEEDS
    return {
        **known,
        "median_abs_z": float(np.median(size)),
        "share_beyond_two": float(np.mean(size > 2)),
        "rms_z": float(np.sqrt(np.mean(size**2))),
        "largest_abs_z": float(size.max()),
        "largest_cell": cell_name(tested.row(int(size.argmax()), named=True)),
        "adjusted_p": float(correction.adjusted.min()),
        "significant": significant,
        "significant_cells": "; ".join(
            cell_name(tested.row(int(place), named=True)) for place in order[: min(significant, NAMED_CELLS)]
        ),
        "verdict": verdict(tested["source"][0], float(np.median(size)), significant, len(tested), unsure),
    }


def verdict(source: str, median_abs_z: float, significant: int, cells: int, unsure: bool = False) -> str:
    """In words, with the thresholds above; unsure where few seeds of heavy tails are compared."""
    if median_abs_z > LARGEST_MEDIAN or significant > LARGEST_SHARE[source] * cells:
        return TOO_FEW if unsure and median_abs_z <= CLEAR_MEDIAN else "differs"
    if significant:
        return f"agrees but for {significant} cell{'s' if significant > 1 else ''}"
    return "agrees"


def p_values(cells: pl.DataFrame) -> Floats:
    """Two-sided p-value of every z: how often chance alone makes a difference as large."""
    from scipy.stats import t

    z, freedom = cells["z"].to_numpy(), degrees_of_freedom(cells)
    return np.asarray(2 * t.sf(np.abs(z), freedom), float)


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
