"""Claims as data, and the one judge: a claim becomes rows of a table and one verdict.

Claim("levels-online", "With one-step backups after every step, more levels need fewer evaluation steps.",
source="the paper, Section 5",
contrast=contrast("family", "log_steps", {**ONE_STEP, "levels": (2, 3, 4)}, {"levels": 1}),
by="levels", expects="below")
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import polars as pl

from hierq.errors import InputError
from hierq.investigations.numbers import (
    LEVEL,
    Measured,
    column,
    exactly,
    grouped,
    mean_of,
    mean_over_worlds,
    minus,
    where,
)
from hierq.investigations.results import FEWEST_SEEDS, NotRun, Results
from hierq.statistics import correct_p_values

Expected = Literal["below", "above", "within"]
Side = Literal["claimed", "other", "neither"]
Verdict = Literal["supported", "mixed", "contradicted", "inconclusive", "not run"]
VERDICTS: tuple[Verdict, ...] = ("supported", "mixed", "contradicted", "inconclusive", "not run")
RULE = (
    "A claim is tested once for every group of a comparison, at 5 % after Holm’s correction for all its tests. It is "
    "*supported* if every group is significantly on the claimed side, *contradicted* if some are significantly on the "
    "other side and none on the claimed one, *mixed* if only some are on the claimed side, and *inconclusive* if no "
    "group is significantly on either. The table says in italics where the effect should lie; *mean* is its mean over "
    "all groups with a 95 % interval, and *groups* counts those that are significantly as claimed, and those *against* "
    "it. In the figure a solid line stands at 0 and a dashed one at the limit; the arrow says on which side of the "
    "limit the effect is claimed to lie."
)
LOG_RATIO = "ln(ratio of steps)"
DIGITS = 4  # after the point, in tables and figures
Contrast = Callable[[Any], Mapping[Any, Measured]]


def contrast(
    study: str,
    measure: str,
    one: Mapping[str, object],
    other: Mapping[str, object] | Callable[[Any], Measured] | None = None,
    *,
    against: tuple[str, str] | None = None,
    fewest: int = FEWEST_SEEDS,
) -> Contrast:
    """One kind of agent minus another, in every world and for all that neither names; by the cells of the one.

    With fewer seeds than `fewest` nothing is compared; where worlds are the sample, one seed is enough.

    Args:
        study: where the one kind is.
        measure: what is compared.
        one: fields of its cells.
        other: fields of the cells of the other kind; or a number known for each cell; nothing is subtracted if left
            out.
        against: the study and the measure of the other kind, if they are not the same.
        fewest: seeds.
    """

    def of(results: Results) -> Mapping[Any, Measured]:
        numbers = column(results.table(study, fewest), measure)
        if other is None:
            return where(numbers, **one)
        if callable(other):
            return {cell: number - other(cell) for cell, number in where(numbers, **one).items()}
        return minus(numbers, one, other, column(results.table(against[0], fewest), against[1]) if against else None)

    return of


@dataclass(frozen=True)
class Claim:
    """A claim about a comparison: that its numbers lie below or above a limit, or within ± that limit."""

    name: str  # in small letters with hyphens
    title: str  # the claim in one sentence
    source: str  # where it is made
    study: str | None  # the study it is judged by; None if it needs no runs
    contrast: Contrast  # of the results: numbers by cell, or by the name of a group
    expects: Expected  # on which side of the limit they are claimed to lie
    by: str | tuple[str, ...] = ()  # the fields of cells whose values make a group; every number is one if left out
    limit: float = 0.0
    unit: str = LOG_RATIO  # what the numbers are; those in ln(…) are shown as ratios, too
    once: bool = False  # whether it is judged once, where an investigation has several sets of rules
    exploratory: bool = False  # whether its rule was settled while looking at results
    ours: bool = False  # whether it is our own, and listed apart from those that are put to the test
    beside: str = ""  # another claim, whose verdict is shown with this one's: the same without a confounder
    over_worlds: bool = False  # whether worlds are a sample: intervals speak about worlds like these, not about seeds

    def __post_init__(self) -> None:
        if self.expects not in ("below", "above", "within"):
            raise InputError(f"a claim expects below, above or within; {self.name!r} expects {self.expects!r}")


class Row(NamedTuple):
    """One test of a claim."""

    group: str  # in words, as "k = 3" or "maze-10, k = 3"
    levels: int | None  # of the group, where it is of one number of levels
    estimate: float
    low: float  # ends of its 95 % interval
    high: float
    adjusted_p: float  # two-sided, after Holm's correction over the claim's tests
    side: Side
    below: int  # how many of the group's numbers lie below the limit
    above: int


@dataclass(frozen=True)
class Finding:
    """What came of a claim."""

    claim: Claim
    rules: str | None  # the set of rules that it was judged under
    verdict: Verdict
    rows: tuple[Row, ...] = ()
    mean: tuple[float, float, float] | None = None  # of all numbers of the comparison, with its 95 % interval
    reason: str = ""  # why it was not judged, with the command that changes that

    @property
    def significant(self) -> int:
        """How many groups are significantly on the claimed side."""
        return sum(row.side == "claimed" for row in self.rows)


def judge(claim: Claim, results: Results, rules: str | None = None) -> Finding:
    """A claim, judged by results."""
    view = results.under(rules)
    try:
        numbers = claim.contrast(view)
    except NotRun as problem:
        more = f"; run: {view.command(study=claim.study, rules=view.rules_of(claim.study), seeds=None)}"
        return Finding(claim, rules, "not run", reason=f"{problem}{'' if '; run: ' in str(problem) else more}")
    if not numbers:
        return Finding(claim, rules, "not run", reason="the worlds that were run have nothing to compare")
    fields = (claim.by,) if isinstance(claim.by, str) else claim.by
    groups = grouped(numbers, *fields) if fields else {key: [number] for key, number in numbers.items()}
    rows = _rows(claim, fields, groups)
    return Finding(
        claim, rules, verdict_of([row.side for row in rows]), rows, _middle(claim, numbers.values()).interval
    )


def verdict_of(sides: Sequence[Side]) -> Verdict:
    """THE rule."""
    if all(side == "claimed" for side in sides):
        return "supported"
    if any(side == "claimed" for side in sides):
        return "mixed"
    return "contradicted" if any(side == "other" for side in sides) else "inconclusive"


def _rows(claim: Claim, fields: tuple[str, ...], groups: Mapping[Any, Sequence[Measured]]) -> tuple[Row, ...]:
    middles = [_middle(claim, members) for members in groups.values()]
    tested = [_beyond(claim, number) for number in middles]
    correction = correct_p_values([number.p_value for number in tested], level=LEVEL)
    rows = []
    for place, (key, members) in enumerate(groups.items()):
        side: Side = "neither"
        if correction.rejected[place]:
            side = "claimed" if tested[place].value < 0 else "other"
        p = float(correction.adjusted[place])
        below = sum(member.value < claim.limit for member in members)
        above = sum(member.value > claim.limit for member in members)
        name, levels = name_of(key, fields), _levels(key, fields)
        rows.append(Row(name, levels, *middles[place].interval, p, side, below, above))
    return tuple(rows)


def _middle(claim: Claim, members: Iterable[Measured]) -> Measured:
    return mean_over_worlds(members) if claim.over_worlds else mean_of(members)


def _beyond(claim: Claim, number: Measured) -> Measured:
    """How far a number lies on the other side of the limit: below 0 if it is as claimed."""
    if claim.expects == "within":
        return abs(number) - exactly(claim.limit)
    beyond = number - exactly(claim.limit)
    return beyond if claim.expects == "below" else -beyond


def _levels(key: Any, fields: tuple[str, ...]) -> int | None:
    if fields == ("levels",):
        return int(key)
    if len(fields) > 1 and "levels" in fields:
        return int(key[fields.index("levels")])
    return getattr(key, "levels", None)


def name_of(key: Any, fields: Sequence[str] = ()) -> str:
    """A group in words: the number of levels as k, all else as it is."""
    names = getattr(key, "_fields", fields)
    if not names:
        return str(key)
    values = key if isinstance(key, tuple) else (key,)
    return ", ".join(
        f"k = {value}" if name == "levels" else str(value) for name, value in zip(names, values, strict=True)
    )


def findings_frame(findings: Iterable[Finding]) -> pl.DataFrame:
    """A row for every test, and one with the group "mean" for each claim; claims that were not run have one row."""
    rows: list[dict[str, object]] = []
    for found in findings:
        claim = found.claim
        head = {"claim": claim.name, "rules": found.rules, "verdict": found.verdict}
        tail = {"unit": claim.unit, "expects": claim.expects, "limit": claim.limit, "exploratory": claim.exploratory}
        ends = found.mean or (None, None, None)
        numbers = dict(zip(("estimate", "low", "high"), ends, strict=True))
        rows.append({**head, "group": "mean", **numbers, "adjusted_p": None, "side": None, **tail})
        rows += [{**head, **{k: v for k, v in row._asdict().items() if k != "levels"}, **tail} for row in found.rows]
    schema = {"rules": pl.String, "estimate": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    frame = pl.DataFrame(rows, schema_overrides={**schema, "adjusted_p": pl.Float64, "side": pl.String})
    return frame.with_columns(
        pl.col("estimate", "low", "high", "limit").round(DIGITS), pl.col("adjusted_p").round_sig_figs(2)
    )
