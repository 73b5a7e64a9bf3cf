"""The numbers of the first minute: how well the published numbers are reproduced, in plain words."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import polars as pl

from hierq.paper.agreement import TOO_FEW
from hierq.paper.rules import RULES, iterations_of
from hierq.report.wording import counted, fixed, is_number, listed, percent, signed, signed_percent

MEDIAN_BY_CHANCE = NormalDist().inv_cdf(0.75)
BEYOND_TWO_BY_CHANCE = 2 * NormalDist().cdf(-2)
RARE = 0.01  # how often chance alone takes the root mean square of z out of its range
SUBJECTS = {
    "first-episode": "First-episode table",
    "marginal": "Marginal figures",
    "loss-curve": "Loss curves",
}
Row = dict[str, Any]


@dataclass(frozen=True)
class Number:
    """One of the three numbers."""

    source: str  # which of the published numbers it is about, as part of an id
    subject: str  # the same in words
    value: str  # the number
    name: str  # what it is called
    expected: str  # what chance alone would give
    meaning: str  # what to make of it
    kind: str  # "agrees", if but for a few cells; "differs"; or "open", if there are too few seeds to tell
    verdict: str  # the same in words


@dataclass(frozen=True)
class Headline:
    """The three numbers, under the rules they belong to, and all in a sentence."""

    rules: str
    numbers: tuple[Number, ...]
    sentence: str


def headline_of(summary: pl.DataFrame, halves: Row | None = None) -> Headline | None:
    """How well the numbers agree under the published rules, or under the text's if only they were run.

    `halves` is the line of a summary for one half of our own seeds against the other, where chance is all there is.
    """
    for rules in RULES:
        rows = [row for row in summary.iter_rows(named=True) if _belongs(row, rules)]
        # The line of all figures of a source is the one with most numbers.
        whole = {row["source"]: row for row in sorted(rows, key=lambda row: row["numbers"])}
        if whole:
            numbers = tuple(_number(whole[source], halves) for source in SUBJECTS if source in whole)
            return Headline(rules, numbers, _sentence(rules, list(whole.values())))
    return None


def _belongs(row: Row, rules: str) -> bool:
    """Whether a line is about these rules with the aggregation that goes with them, and has anything to say."""
    own = row["rules"] == rules and row["iterations"] in (None, iterations_of(row["rules"]))
    return own and is_number(row["median_abs_z"])


def _number(row: Row, halves: Row | None) -> Number:
    first = row["source"] == "first-episode"
    usual, against = BEYOND_TWO_BY_CHANCE, "by chance"
    if halves is not None and row["source"] == "marginal":  # whose z have heavy tails
        usual, against = halves["share_beyond_two"], "with one half of our own seeds against the other"
    beyond = f"{percent(row['share_beyond_two'])} lie beyond two ({percent(usual)} {against})"
    within = f"{fixed(row['median_abs_z'])} joint standard errors"
    half = f"Half of the {counted(row['numbers'], 'point')} lie within {within}"
    shift = row["median_difference"]
    return Number(
        source=row["source"],
        subject=SUBJECTS[row["source"]],
        value=fixed(row["rms_z"] if first else row["median_abs_z"]),
        name="root mean square of z" if first else "median of |z|",
        expected=fixed(1.0, 0) if first else fixed(MEDIAN_BY_CHANCE),
        meaning=f"{_apart(row)}; {beyond}."
        if first
        else f"{half}; {beyond}. The median difference is {signed(shift, 3)} in ln(steps), "
        f"{signed_percent(math.expm1(shift))} in steps.",
        kind=kind_of(row["verdict"]),
        verdict=row["verdict"],
    )


def kind_of(verdict: str) -> str:
    """What a verdict comes to: "agrees", "differs", or "open" where it cannot be told."""
    return "agrees" if verdict.startswith("agrees") else "open" if verdict == TOO_FEW else "differs"


def rms_by_chance(numbers: int) -> tuple[float, float]:
    """The range of the root mean square of this many z, if both programs draw from the same distributions."""
    from scipy.stats import chi2

    low, high = (math.sqrt(chi2.ppf(share, numbers) / numbers) for share in (RARE / 2, 1 - RARE / 2))
    return low, high


def _apart(row: Row) -> str:
    low, high = rms_by_chance(row["numbers"])
    ours = f"Our {counted(row['numbers'], 'mean')} are"
    if row["rms_z"] > high:
        return f"{ours} farther from the printed ones than two batches of runs of one program would be"
    if row["rms_z"] < low:
        return f"{ours} closer to the printed ones than chance would have it"
    return f"{ours} as far from the printed ones as two batches of runs of one program are from one another"


def _sentence(rules: str, rows: list[Row]) -> str:
    """The overall verdict: how many numbers are off, which tables and figures, and where there are too few seeds."""
    under = f"Under the {rules} rules"
    by_kind: dict[str, list[Row]] = {"agrees": [], "differs": [], "open": []}
    for row in rows:
        by_kind[kind_of(row["verdict"])].append(row)
    unsure = _named(by_kind["open"])
    if len(by_kind["open"]) == len(rows):
        return f"{under} there are too few seeds to tell whether our numbers agree with those of the paper."
    end = f"; too few seeds to tell for its {unsure}." if unsure else "."
    if not by_kind["agrees"]:
        return f"{under} our numbers differ from those of the paper by more than chance explains{end}"
    if by_kind["differs"]:
        return f"{under} our numbers agree with those of the paper, but for its {_named(by_kind['differs'])}{end}"
    columns = ("significant", "tests", "numbers")
    off, tests, every = (sum(row[column] for row in by_kind["agrees"]) for column in columns)
    if off:
        but = f"but for {off} of {tests:,} cells, points and curves"
        return f"{under} our numbers agree with those of the paper, {but}{end}"
    told = "of the paper that we ran" if not unsure else "of the paper of which it can be told"
    return f"{under} all {every:,} numbers {told} are reproduced within what chance explains{end}"


def _named(rows: list[Row]) -> str:
    return listed([SUBJECTS[row["source"]].lower() for row in rows]) if rows else ""
