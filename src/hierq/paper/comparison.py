"""Every published number, ours beside it, and how far they are apart.

    frame = compare_all(investigation.open("reproduction/"))    # one row per published number, rules and aggregation
    summarise(frame)                                      # how well each table and figure agrees

SCHEMA has the columns of a comparison frame.

Heavy tails: a marginal point is the mean over iterations of L = ln(mean steps), so that a single evaluation episode
that runs to the step limit moves it by up to 0.1, ten times its usual error. Whether a batch has one is chance, and a
bootstrap of a batch without one cannot know. Such an episode in our seeds makes our error large; one in the published
seeds does not, and the point would seem to differ, always to one side. But it shows in the published band, which is the
spread of L over the iterations: what their spread has beyond ours is the roughness of single iterations, and

    published_error² = e_200² + max(0, spread_published² − spread_ours²) / iterations

if they are independent, as such episodes mostly are: 200 seeds of the main study under the published rules have 33 of
them on the small worlds, in 30 runs. That this keeps to its level, and that without it one half of our own seeds
"differs" from the other, halves of our seeds show (`compare_halves`). It was chosen by them among four variants, while
the published points of the small worlds were in sight as well; nothing in it is fitted. With fewer seeds than the
published 200 ours lie a little lower: the logarithm is concave, and such episodes are rare.
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import polars.selectors as cs

from hierq.investigations.numbers import BOOTSTRAP_SEED, RESAMPLES, Floats, Longs, Runs
from hierq.investigations.results import Results
from hierq.paper.agreement import summarise as summarise
from hierq.paper.numbers import Setting, episodes_at_limit, loss_curve, marginal_point, runs_by_setting
from hierq.paper.published import PUBLISHED_SEEDS, first_episode_frame, published_loss_curves, published_marginals
from hierq.paper.rules import AGGREGATIONS, PUBLISHED_ITERATIONS, RULES, RuleSet, iterations_of

DISCOUNT = 0.95
SPLITS = 10  # ways of halving our seeds

SCHEMA: dict[str, Any] = {
    "source": pl.String,  # "first-episode", "marginal" or "loss-curve"
    "rules": pl.String,  # "published" or "text"
    "iterations": pl.Int64,  # of a marginal point, 32 as published or 50 as the text says; else null
    "world": pl.String,
    "behaviour": pl.String,
    "backup": pl.String,
    "parameter": pl.Float64,
    "levels": pl.Int64,
    "discount": pl.Float64,
    "episode": pl.Int64,  # of loss curves only
    "published": pl.Float64,  # the published number: steps, or mean ln(steps)
    # The standard error of 200 seeds. It is published for first episodes and loss curves. For marginal points it is
    # that of 200 of our seeds, and more where the published spread over iterations is larger than ours.
    "published_error": pl.Float64,
    "published_spread": pl.Float64,  # of a marginal point: the standard deviation of L over the iterations
    "ours": pl.Float64,
    "error": pl.Float64,  # the standard error of ours; null for a single seed
    "spread": pl.Float64,  # of a marginal point, as published_spread
    "worth": pl.Float64,  # of loss curves: how many independent points the points of the curve are worth
    "difference": pl.Float64,  # ours − published
    "z": pl.Float64,  # the difference in units of the error of both together; null where there is no error
    "seeds": pl.Int64,  # of ours
    "at_limit": pl.Int64,  # our evaluation episodes behind the number that were given up at the step limit
}


def compare_all(reproduction: Results) -> pl.DataFrame:
    """Every published number that the reproduction has runs for, under both rules and both aggregations."""
    return _compared(reproduction.whole)


@lru_cache(maxsize=1)
def _compared(reproduction: Any) -> pl.DataFrame:
    frames = [compare_first_episodes(reproduction, rules) for rules in RULES]
    frames += [compare_marginals(reproduction, rules, some) for rules in RULES for some in AGGREGATIONS.values()]
    frames += [compare_loss_curves(reproduction, rules) for rules in RULES]
    return pl.concat(frames)


def compare_first_episodes(reproduction: Results, rules: RuleSet) -> pl.DataFrame:
    """The first-episode table: mean steps of the first training episode.

        z = (ours − published) / (s · √(1/n + 1/200)),   s² = ((n − 1) s_ours² + 199 s_published²) / (n + 198)

    Pooled, because a few first episodes, whose lengths are skewed, say little about their own spread. So there is a z
    even for a single seed.
    """
    table = first_episode_frame().with_columns(behaviour=pl.lit("hierarchy"), discount=DISCOUNT)
    rows = []
    for (cell,), runs in _matched(table, reproduction.under(rules).runs("main")):
        first, count = runs.training[:, 0].astype(float), len(runs.seeds)
        mean = float(first.mean())
        squares = float(((first - mean) ** 2).sum())
        published = (PUBLISHED_SEEDS - 1) * PUBLISHED_SEEDS * cell["published_error"] ** 2
        spread = math.sqrt((squares + published) / (count + PUBLISHED_SEEDS - 2))
        error = math.sqrt(squares / (count - 1) / count) if count > 1 else None
        joint = spread * math.sqrt(1 / count + 1 / PUBLISHED_SEEDS)
        rows.append({**cell, "ours": mean, "error": error, "joint": joint, "seeds": count})
    return _frame("first-episode", rules, rows)


def compare_marginals(reproduction: Results, rules: RuleSet, iterations: int = PUBLISHED_ITERATIONS) -> pl.DataFrame:
    """The points of the figures of marginal log-performance, over the first of the iterations.

    z = (ours − published) / √(e_n² + published_error²),   e_m: bootstrap error of a batch of m seeds, drawn from our n
    """
    points = published_marginals().with_columns(discount=DISCOUNT)
    rows = []
    for (point,), runs in _matched(points, reproduction.under(rules).runs("main")):
        spread = (point["high"] - point["low"]) * math.sqrt(PUBLISHED_ITERATIONS)  # the band is ± ½ · std / √32
        theirs = _Batch(PUBLISHED_SEEDS, point["published"], spread, PUBLISHED_ITERATIONS)
        rows.append({**point, **_marginal(runs.evaluation, iterations, theirs)})
    return _frame("marginal", rules, rows, iterations)


def compare_halves(
    reproduction: Results, rules: RuleSet, iterations: int = PUBLISHED_ITERATIONS, seed: int = 0
) -> pl.DataFrame:
    """One half of our own seeds against the other half, taken for published: marginal points and loss curves.

    What the same comparison gives where nothing but chance is different; heavy tails and all. The seed is that of the
    draw of the halves, which is another for every agent.
    """
    generator = np.random.default_rng(seed)

    def halves(evaluation: Longs) -> tuple[Longs, Longs]:
        drawn, half = generator.permutation(len(evaluation)), len(evaluation) // 2
        return evaluation[drawn[:half]], evaluation[drawn[half:]]

    rows = []
    points = published_marginals().with_columns(discount=DISCOUNT)
    for (point,), runs in _matched(points, reproduction.under(rules).runs("main")):
        if len(runs.seeds) > 1:
            one, other = halves(runs.evaluation)
            theirs = _Batch(len(other), *_mean_and_spread(other[:, :iterations]), iterations)
            rows.append({**point, "published": theirs.mean, **_marginal(one, iterations, theirs)})
    curves = []
    for points_of, runs in _matched(published_loss_curves(), reproduction.under(rules).runs("balanced")):
        if len(runs.seeds) > 3:
            one, other = halves(runs.evaluation)
            means, errors = loss_curve(other)
            theirs_of = [{**p, "published": float(means[p["episode"]])} for p in points_of]
            curves += _curve(theirs_of, one, errors)
    return pl.concat([_frame("marginal", rules, rows, iterations), _frame("loss-curve", rules, curves)])


def compare_loss_curves(reproduction: Results, rules: RuleSet) -> pl.DataFrame:
    """The points of the loss curves of the balanced study: mean ln(steps) of the first 20 evaluation episodes.

    z = (ours − published) / √(error² + published_error²),   published_error: half the width of the drawn band
    """
    rows = []
    for points, runs in _matched(published_loss_curves(), reproduction.under(rules).runs("balanced")):
        bands = {point["episode"]: (point["high"] - point["low"]) / 2 for point in points}
        rows += _curve(points, runs.evaluation, bands)
    return _frame("loss-curve", rules, rows)


def _curve(points: list[dict[str, Any]], evaluation: Longs, bands: Any) -> list[dict[str, Any]]:
    """The points of a loss curve with our side of them; `bands` has the published error of every episode."""
    means, errors = loss_curve(evaluation)
    worth = _worth(evaluation[:, [point["episode"] for point in points]])
    rows = []
    for point in points:
        episode = point["episode"]
        error = float(errors[episode]) if len(evaluation) > 1 else None
        side = _side(float(means[episode]), error, float(bands[episode]), evaluation[:, episode])
        rows.append({**point, **side, "worth": worth})
    return rows


def _worth(evaluation: Longs) -> float | None:
    """How many independent points the points of a curve are worth, from the correlations r over our seeds of ln(steps).

    (number of points)² / Σ r², so that the mean of their z² has the variance of a mean of so many (Satterthwaite). From
    every r² is taken what chance would make it.
    """
    seeds, points = evaluation.shape
    if seeds < 3:
        return None
    with np.errstate(invalid="ignore"):
        squares = np.nan_to_num(np.corrcoef(np.log(evaluation), rowvar=False)) ** 2
    squares = np.maximum(0, squares - (1 - squares) / (seeds - 2))
    np.fill_diagonal(squares, 1.0)
    return float(points**2 / squares.sum())


def _matched(published: pl.DataFrame, frame: pl.DataFrame | None) -> Iterator[tuple[list[dict[str, Any]], Runs]]:
    """The published numbers of every agent that we have runs of, with these runs, in the order of publication."""
    ours = {} if frame is None else runs_by_setting(frame)
    numbers: dict[Setting, list[dict[str, Any]]] = {}
    for row in published.iter_rows(named=True):
        numbers.setdefault(Setting(*(row[name] for name in Setting._fields)), []).append(row)
    return ((rows, ours[setting]) for setting, rows in numbers.items() if setting in ours)


class _Batch(NamedTuple):
    """What is known of the batch behind a marginal point that ours is compared with."""

    seeds: int
    mean: float
    spread: float  # of L over its iterations
    iterations: int


def _mean_and_spread(evaluation: Longs) -> tuple[float, float]:
    """Mean and standard deviation of L over all iterations."""
    logs = np.log(evaluation.mean(axis=0))
    return float(logs.mean()), float(logs.std())


def _marginal(evaluation: Longs, iterations: int, theirs: _Batch) -> dict[str, Any]:
    """Our side of a marginal point, from array [runs, iterations], and the error of the batch it is compared with."""
    ours = evaluation[:, :iterations]
    same = evaluation[:, : theirs.iterations]
    error, other = _bootstrap_error(ours, len(ours)), _bootstrap_error(same, theirs.seeds)
    spread = _mean_and_spread(same)[1]
    if other is not None:
        other = math.sqrt(other**2 + max(0.0, theirs.spread**2 - spread**2) / theirs.iterations)
    side = _side(marginal_point(ours, iterations), error, other, ours)
    return {**side, "published_spread": theirs.spread, "spread": spread}


def _side(ours: float, error: float | None, other: float | None, evaluation: Longs) -> dict[str, Any]:
    """Our side of a number, with the errors of both and the episodes behind it."""
    return {
        "published_error": other,
        "ours": ours,
        "error": error,
        "joint": None if error is None or other is None else math.hypot(error, other),
        "seeds": len(evaluation),
        "at_limit": episodes_at_limit(evaluation),
    }


def _bootstrap_error(evaluation: Longs, size: int) -> float | None:
    """Standard error of the marginal point of a batch of `size` seeds; None for a single run.

    √(n / (n − 1)), because draws from n runs spread that much less than what the runs were drawn from.
    """
    count = len(evaluation)
    if count < 2:
        return None
    means = batch_shares(count, size) @ evaluation
    return float(np.log(means).mean(axis=1).std() * math.sqrt(count / (count - 1)))


@lru_cache(maxsize=4)
def batch_shares(count: int, size: int) -> Floats:
    """Array [resamples, count]: the share of every run in batches of `size` runs, drawn with replacement.

    The same for all agents: nothing but the spread of each agent's own draws is wanted, and drawing takes longest.
    """
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    return generator.multinomial(size, np.full(count, 1 / count), size=RESAMPLES) / size


def _frame(source: str, rules: RuleSet, rows: list[dict[str, Any]], iterations: int | None = None) -> pl.DataFrame:
    """A comparison frame; z from the error of both together."""
    for row in rows:
        row["difference"] = row["ours"] - row["published"]
        row["z"] = row["difference"] / row["joint"] if row["joint"] else None
        row.update(source=source, rules=rules, iterations=iterations)
    return pl.DataFrame([{name: row.get(name) for name in SCHEMA} for row in rows], schema=SCHEMA)


def summary_tables(reproduction: Results) -> dict[str, pl.DataFrame]:
    """The comparison and its summary, by the names of their CSV files.

    comparison.csv has a row per published number (two per marginal point: 32 and 50 iterations), with the columns of
    both sets of rules beside each other; summary.csv is what `summarise` gives, and halves.csv what `halved` does.
    """
    frame = compare_all(reproduction)
    halves = pl.concat([halved(reproduction, rules) for rules in RULES])
    rounded = summarise(frame).with_columns(
        cs.float().exclude("adjusted_p").round(4), pl.col("adjusted_p").round_sig_figs(2)
    )
    return {
        "comparison": _side_by_side(frame),
        "summary": rounded,
        "halves": halves.with_columns(cs.float().round(4)),
    }


@lru_cache(maxsize=4)
def halved(reproduction: Results, rules: RuleSet) -> pl.DataFrame:
    """Halves of our own seeds against each other, halved in SPLITS ways: a row for marginal points and one for curves.

    Columns: source, figure, rules, iterations, splits, numbers and tests of one split; over all splits significant and
    below, how many tests differ and in how many of these one half is lower than that taken for published; medians and
    shares are means over the splits.
    """
    every = [summarise(compare_halves(reproduction, rules, iterations_of(rules), seed)) for seed in range(SPLITS)]
    whole = pl.concat(every).filter(pl.col("figure").str.ends_with("both figures")).drop_nulls("median_abs_z")
    keys = ("source", "figure", "rules", "iterations")
    return whole.group_by(*keys, maintain_order=True).agg(
        pl.len().alias("splits"),
        pl.col("numbers", "tests").first(),
        pl.col("significant", "below").sum(),
        pl.col("median_abs_z", "share_beyond_two", "rms_z").mean(),
    )


def _side_by_side(frame: pl.DataFrame) -> pl.DataFrame:
    """One row per number and aggregation; ours under both rules beside each other."""
    keys = ["source", "iterations", "world", "behaviour", "backup", "parameter", "levels", "episode"]
    values = ["published_error", "ours", "error", "spread", "z", "at_limit"]
    steps = pl.col("source") == "first-episode"
    rounded = frame.with_columns(
        pl.when(steps).then(pl.col(name).round(1)).otherwise(pl.col(name).round(4)).alias(name)
        for name in ("published", "published_error", "published_spread", "ours", "error", "spread")
    ).with_columns(pl.col("z").round(2))
    wide = rounded.select(*keys, "published", "published_spread").unique(maintain_order=True)
    for rules in RULES:
        ours = rounded.filter(pl.col("rules") == rules).select(*keys, *values)
        if len(ours):
            named = ours.rename({name: f"{name}_{rules}_rules" for name in values})
            wide = wide.join(named, on=keys, how="left", nulls_equal=True, maintain_order="left")
    return wide
