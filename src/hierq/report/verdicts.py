"""The claims, each with its verdicts under every set of rules and every aggregation side by side."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hierq.investigations.claims import Finding
from hierq.report.wording import Mark, is_number, with_interval

VERDICTS = {
    "holds": Mark("holds", "✓", "holds", "hold"),
    "holds partly": Mark("partly", "◐", "holds partly", "hold partly"),
    "does not hold": Mark("fails", "✕", "does not hold", "do not hold"),
    "not testable here": Mark("untested", "–", "not testable here"),
}


@dataclass(frozen=True)
class Bar:
    """An effect and its interval as places on a line, in per cent of its length."""

    left: float  # where the interval begins
    width: float  # how long it is
    point: float  # where the effect lies
    none: float | None  # where no effect at all would lie; None if that is not to be seen


@dataclass(frozen=True)
class Verdict:
    """One finding."""

    label: str  # its rules and aggregation
    finding: Finding  # all of it
    mark: Mark  # its verdict for the eye
    tests: str  # how its tests came out, in words; empty if it was not judged by them
    effect: str  # with its interval, as text; empty if there is none
    bar: Bar | None  # the same as a picture


@dataclass(frozen=True)
class Claim:
    """A claim and its verdicts."""

    finding: Finding  # one of those it came to, which says what is claimed
    unit: str  # of the effect, if it is the same for all verdicts
    verdicts: tuple[Verdict, ...]  # by rules, then by iterations
    # headline: those under each set of rules with the aggregation that goes with it, by rules; or one, by ""
    headline: dict[str, Verdict]
    shown: tuple[tuple[str, str], ...]  # what one sees under these, with the labels it is said of: the same words once
    folded: tuple[tuple[str, str], ...]  # what one sees under the others, where that is something else
    statistics: tuple[tuple[str, str], ...]  # what was tested, in the same form


def claims_of(findings: Iterable[Finding], aggregations: Mapping[str, int]) -> tuple[Claim, ...]:
    """The findings, claim by claim, in their own order; `aggregations` has the iterations that go with each rules."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.claim, []).append(finding)
    return tuple(_claim(group, aggregations) for group in groups.values())


def apart(claims: Iterable[Claim]) -> tuple[tuple[Claim, ...], ...]:
    """The claims of others and our own, as two groups; empty groups are left out."""
    every = tuple(claims)
    groups = (tuple(claim for claim in every if claim.finding.ours == ours) for ours in (False, True))
    return tuple(group for group in groups if group)


def counts(claims: Iterable[Claim]) -> dict[str, tuple[tuple[Mark, int], ...]]:
    """How many claims have which verdict, under each set of rules; those that need no rules count under both."""
    every = tuple(claims)
    shown = list(dict.fromkeys(rules for claim in every for rules in claim.headline if rules)) or [""]
    result: dict[str, tuple[tuple[Mark, int], ...]] = {}
    for rules in shown:
        marks = [verdict.mark for claim in every if (verdict := claim.headline.get(rules) or claim.headline.get(""))]
        result[rules] = tuple((mark, marks.count(mark)) for mark in VERDICTS.values() if mark in marks)
    return result


def _claim(findings: list[Finding], aggregations: Mapping[str, int]) -> Claim:
    rules = [*aggregations]
    ordered = sorted(findings, key=lambda one: (rules.index(one.rules) if one.rules else -1, one.iterations or 0))
    bars = _bars(ordered)
    verdicts = tuple(
        Verdict(_label(one), one, VERDICTS[one.verdict], _tests(one), with_interval(one.effect, one.low, one.high), bar)
        for one, bar in zip(ordered, bars, strict=True)
    )
    headline = _headline(verdicts, aggregations)
    said = _said_once(verdicts, [one.detail for one in ordered])
    first = {verdict.finding.detail for verdict in headline.values()}
    units = {one.unit for one in ordered if one.effect is not None}
    return Claim(
        finding=ordered[0],
        unit=units.pop() if len(units) == 1 else "",
        verdicts=verdicts,
        headline=headline,
        shown=tuple((label, text) for label, text in said if text in first),
        folded=tuple((label, text) for label, text in said if text not in first),
        statistics=_said_once(verdicts, [one.statistic for one in ordered]),
    )


def _label(finding: Finding) -> str:
    parts = [str(part) for part in (finding.rules, finding.iterations) if part is not None]
    return " · ".join(parts) or "overall"


def _tests(finding: Finding) -> str:
    if finding.tests is None:
        return ""
    if finding.tests == 1:
        return "one test"
    otherwise = f", {finding.against:,} surely not" if finding.against else ""
    return f"{finding.sure:,} of {finding.tests:,} surely so{otherwise}"


def _headline(verdicts: tuple[Verdict, ...], aggregations: Mapping[str, int]) -> dict[str, Verdict]:
    found: dict[str, Verdict] = {}
    for verdict in verdicts:
        rules, iterations = verdict.finding.rules, verdict.finding.iterations
        if rules is None:
            found[""] = verdict
        elif iterations is None or iterations == aggregations[rules]:
            found[rules] = verdict
    return found


def _said_once(verdicts: tuple[Verdict, ...], texts: list[str]) -> tuple[tuple[str, str], ...]:
    """Each text with the labels of the verdicts that say it; no label where all of them do."""
    labels: dict[str, list[str]] = {}
    for verdict, text in zip(verdicts, texts, strict=True):
        if text:
            labels.setdefault(text, []).append(verdict.label)
    return tuple(("" if len(said) == len(verdicts) else "; ".join(said), text) for text, said in labels.items())


def _bars(findings: list[Finding]) -> list[Bar | None]:
    """Intervals on one scale, which has no effect in it; none where the units differ."""
    shown = [one for one in findings if is_number(one.effect) and is_number(one.low) and is_number(one.high)]
    if not shown or len({one.unit for one in shown}) > 1:
        return [None] * len(findings)
    none = 1.0 if shown[0].unit.startswith("ratio") else 0.0  # effects are differences, also of logarithms
    ends = [none, *(value for one in shown for value in (one.low, one.high, one.effect) if value is not None)]
    low, length = min(ends), (max(ends) - min(ends)) or 1.0

    def place(value: float) -> float:
        return round(4 + 92 * (value - low) / length, 2)

    def bar(one: Finding) -> Bar | None:
        if not (is_number(one.effect) and is_number(one.low) and is_number(one.high)):
            return None
        left = place(one.low)
        return Bar(left, round(place(one.high) - left, 2), place(one.effect), place(none))

    return [bar(one) for one in findings]
