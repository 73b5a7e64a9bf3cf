"""The reproduction of the paper, as an investigation."""

from importlib.resources import files
from typing import Any

import polars as pl

from hierq.investigations.investigation import Investigation
from hierq.investigations.results import Results
from hierq.paper import audit
from hierq.paper.claims import CLAIMS
from hierq.paper.comparison import compare_all, summarise, summary_tables
from hierq.paper.figures import EXAMPLES, OF_RESULTS
from hierq.paper.plan import every_part
from hierq.paper.rules import RULES, iterations_of

CARDS = {"first-episode": "First-episode table", "marginal": "Marginal figures", "loss-curve": "Loss curves"}
NORMAL_MEDIAN = 0.674  # of |z| by chance alone


def summary_text(reproduction: Results) -> str:
    """How well each table and figure is reproduced, a line each."""
    lines = [f"{'':<72} {'numbers':>7}  {'median |z|':>10}  {'median difference':>17}  verdict"]
    for row in summarise(compare_all(reproduction)).iter_rows(named=True):
        over = "" if row["iterations"] is None else f", {row['iterations']} iterations"
        size, difference = row["median_abs_z"], row["median_difference"]
        apart = f"{difference:+.0f} steps" if row["source"] == "first-episode" else f"{difference:+.3f}"
        lines.append(
            f"{row['rules'] + ': ' + row['figure'] + over:<72} {row['numbers']:>7}  "
            f"{'?' if size is None else f'{size:.2f}':>10}  {apart:>17}  {row['verdict']}"
        )
    return "\n".join(lines)


def tables(reproduction: Results) -> dict[str, pl.DataFrame]:
    """The comparison with the published numbers, its summary, and what the departures do."""
    found = summary_tables(reproduction)
    effects = audit.effects(reproduction)
    if effects is not None:
        found["departures"] = effects.with_columns(pl.col("effect", "low", "high").round(4))
        found["departures-at-a-glance"] = audit.at_a_glance(effects)
    points = audit.every_point(reproduction)
    if points is not None:
        found["thresholds-by-point"] = points.with_columns(pl.col("effect", "low", "high").round(4))
    columns = ("rules", "figure", "iterations", "numbers", "seeds", "median_abs_z", "rms_z", "significant", "verdict")
    short = found["summary"].select(columns).rename({"median_abs_z": "median |z|", "rms_z": "RMS z"})
    found["agreement"] = short.with_columns(pl.col("median |z|", "RMS z").round(2))
    return found


def cards(reproduction: Results) -> str:
    """The three kinds of published numbers, each with the median of |z| under the first rules that were run."""
    summary = summarise(compare_all(reproduction))
    for rules in RULES:
        wanted = pl.col("iterations").is_null() | (pl.col("iterations") == iterations_of(rules))
        rows = summary.filter(pl.col("rules") == rules, wanted).sort("numbers")
        whole = {row["source"]: row for row in rows.iter_rows(named=True)}
        if whole:
            return _cards([whole[source] for source in CARDS if source in whole])
    return "> No published number can be compared yet."


def _cards(rows: list[dict[str, Any]]) -> str:
    lines = [
        [CARDS[row["source"]] for row in rows],
        [":---:"] * len(rows),
        ["–" if row["median_abs_z"] is None else f"{row['median_abs_z']:.2f}" for row in rows],
        [f"median \\|z\\| of {row['numbers']:,} numbers; {NORMAL_MEDIAN:.2f} by chance alone" for row in rows],
        [f"{row['rules']} rules, {row['seeds']} seeds: {row['verdict']}" for row in rows],
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


investigation = Investigation(
    name="paper",
    title="On Credit Assignment in Hierarchical Reinforcement Learning",
    question="Every published number, figure and claim of the paper, run again and compared.",
    studies=every_part(),
    claims=CLAIMS,
    figures={**EXAMPLES, **OF_RESULTS},
    tables=tables,
    page=files("hierq.paper").joinpath("page.md").read_text(encoding="utf-8"),
    values=lambda reproduction: {"cards": cards(reproduction)},
    rules=RULES,
    program="hierq reproduce",
    out="reproduction",
    told=summary_text,
)
