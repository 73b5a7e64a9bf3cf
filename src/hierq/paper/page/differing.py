"""What differs from the published numbers under the published rules, test by test, and why, as far as can be told."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from hierq.investigations.measures import Floats
from hierq.paper.aggregation import Setting, runs_by_setting
from hierq.paper.agreement import tests_of
from hierq.paper.published import PUBLISHED_SEEDS
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import PUBLISHED_ITERATIONS
from hierq.report.wording import fixed, probability, signed, with_error

STEP_LIMIT = 100_000
NEAR_ENOUGH = 0.1  # of a spread


@dataclass(frozen=True)
class Differing:
    """A number or a curve that differs."""

    name: str
    published: str
    ours: str
    z: float  # of a curve the mean over its points
    why: str  # in one line


def differing_of(reproduction: Reproduction, frame: pl.DataFrame) -> tuple[Differing, ...]:
    """Everything that differs under the published rules and in the published aggregation, table by table."""
    found: list[Differing] = []
    for source in frame["source"].unique(maintain_order=True):
        cells = frame.filter(
            pl.col("source") == source,
            pl.col("rules") == "published",
            pl.col("iterations").is_null() | (pl.col("iterations") == PUBLISHED_ITERATIONS),
        ).drop_nulls("z")
        tests = tests_of(cells).filter("differs").to_dicts() if len(cells) else []
        found += [_told(reproduction, source, test, cells) for test in tests]
    return tuple(found)


def _told(reproduction: Reproduction, source: str, test: dict[str, Any], cells: pl.DataFrame) -> Differing:
    setting = Setting(*(test[name] for name in Setting._fields))
    rows = cells.filter(**setting._asdict()).to_dicts()
    name, z, by_chance = test["name"], test["mean_z"], f"adjusted p {probability(test['adjusted_p'])}"
    if source == "loss-curve":
        lower = sum(row["difference"] < 0 for row in rows)
        shift = sum(row["difference"] for row in rows) / len(rows)
        why = (
            f"ours is lower in {lower} and higher in {len(rows) - lower} episodes, by {signed(shift)} in the mean; the "
            f"points are worth {fixed(test['worth'], 1)} independent ones, {by_chance}; no cause is known"
        )
        return Differing(f"loss curve: {name}", f"{len(rows)} points", f"{len(rows)} points", z, why)
    (row,) = rows
    digits = 0 if source == "first-episode" else 3
    published, ours = (
        with_error(row[number], row[error], digits)
        for number, error in (("published", "published_error"), ("ours", "error"))
    )
    if source == "first-episode":
        return Differing(f"first episode: {name}", published, ours, z, f"no cause is known; {by_chance}")
    return Differing(f"marginal point: {name}", published, ours, z, _why_marginal(reproduction, setting, row))


def _why_marginal(reproduction: Reproduction, setting: Setting, row: dict[str, Any]) -> str:
    """Whether one agent of the published batch that was slow again and again would explain the point and its band."""
    frame = reproduction.frame("main", "published")
    assert frame is not None
    logs = np.log(runs_by_setting(frame)[setting].evaluation[:, :PUBLISHED_ITERATIONS].mean(axis=0))
    spreads = f"spread over iterations {fixed(row['published_spread'])} published, {fixed(row['spread'])} ours"
    if (found := slow_agent(logs, row["published"], row["published_spread"])) is None:
        return f"{spreads}; no cause is known"
    steps, times = found
    return (
        f"{spreads}: both as if one of the {PUBLISHED_SEEDS} published agents had been slow again and again, with some "
        f"{steps:,} steps in {times} of {PUBLISHED_ITERATIONS} evaluations; the error takes slow episodes for "
        "independent ones"
    )


def slow_agent(logs: Floats, mean: float, spread: float) -> tuple[int, int] | None:
    """Steps, and in how many iterations an agent takes them, that make mean and spread of a curve what is given.

    Added to one of the published seeds in iterations that are spread evenly over the curve `logs`, ln of mean steps.
    None if no such agent below the step limit brings the spread within NEAR_ENOUGH of it.
    """
    best: tuple[float, int, int] | None = None
    for times in range(1, len(logs) + 1):
        slow = (np.arange(times) * len(logs)) // times + (len(logs) // times) // 2
        low, high = 0.0, float(STEP_LIMIT)
        for _ in range(40):  # the mean rises with the steps
            steps = (low + high) / 2
            changed = logs.copy()
            changed[slow] = np.log(np.exp(logs[slow]) + steps / PUBLISHED_SEEDS)
            low, high = (steps, high) if changed.mean() < mean else (low, steps)
        reached = abs(changed.mean() - mean) < 0.001
        off = abs(changed.std() / spread - 1)
        if reached and off < NEAR_ENOUGH and (best is None or off < best[0]):
            best = off, int(round(steps, 1 - len(str(int(steps))))), times
    return None if best is None else best[1:]
