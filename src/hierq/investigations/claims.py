"""Claims: functions that results judge, and the Finding that comes of it.

@claimed("second-level", "A second level helps.", "my own guess", "levels")
def second_level(results):
runs = runs_to_judge_by(results, "levels")
…
return Judgement("holds", "what was tested", "what one sees", (effect, low, high), "its unit")
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import polars as pl

from hierq.investigations.measures import LEVEL, Measured, tally
from hierq.investigations.results import Results

Verdict = Literal["holds", "holds partly", "does not hold", "not testable here"]
VERDICTS: tuple[Verdict, ...] = ("holds", "holds partly", "does not hold", "not testable here")
FEWEST_SEEDS = 10  # with fewer, drawing seeds again says little about other seeds
MOST, HARDLY_ANY = 0.8, 0.01  # shares of the tests of a claim
RULE = (
    f"A claim is put to one or many tests. It holds if at least {MOST:.0%} of them surely come out as claimed and at "
    f"most {HARDLY_ANY:.0%} surely the other way; it holds partly if more surely come out as claimed than the other "
    f"way; else it does not hold. “Surely” is after Holm’s correction at {LEVEL:.0%} over all tests of the claim."
).replace("%", "\u00a0%")


class Counts(NamedTuple):
    """How the tests of a claim came out."""

    tests: int
    sure: int  # surely as claimed
    against: int  # surely the other way

    @property
    def verdict(self) -> "Verdict":
        """By RULE."""
        if self.sure >= MOST * self.tests and self.against <= HARDLY_ANY * self.tests:
            return "holds"
        return "holds partly" if self.sure > self.against else "does not hold"


def counted(tests: Collection[Measured], claimed: Literal["below", "above"]) -> Counts:
    """Counts tests of a claim that numbers are below 0, or above it."""
    found = tally(tests)
    below, above = found.surely_below, found.surely_above
    return Counts(found.total, *((below, above) if claimed == "below" else (above, below)))


@dataclass(frozen=True)
class Finding:
    """One claim, judged by one set of results."""

    claim: str  # its name, in small letters with hyphens
    title: str  # the claim in one sentence
    source: str  # where it is made
    rules: str | None  # which the results follow; None where they make no difference or are what is compared
    iterations: int | None  # over which the marginal performance is averaged; None where it is not looked at
    verdict: Verdict  # what came of it; the docstring of the claim's function says by which rule
    statistic: str  # what was tested, with its numbers
    effect: float | None  # None if there is no one number for it
    low: float | None  # lower end of its 95 % interval
    high: float | None
    unit: str  # what the effect is measured in
    detail: str  # what one sees, in a sentence or two
    exploratory: bool = False  # whether what it is judged by was settled while looking at results
    ours: bool = False  # whether it is our own, and counted apart from those that are put to the test
    tests: int | None = None  # how many it was put to, if it was judged by RULE
    sure: int | None = None  # how many of them surely came out as claimed
    against: int | None = None  # how many surely the other way


class Judgement(NamedTuple):
    """What a claim came to, as in a Finding; the effect is given with the ends of its interval."""

    verdict: Verdict
    statistic: str
    detail: str
    effect: tuple[float, float, float] | None = None
    unit: str = ""
    counts: Counts | None = None  # of its tests, if they decided the verdict

    @classmethod
    def by(
        cls,
        counts: Counts,
        statistic: str,
        detail: str,
        effect: tuple[float, float, float] | None = None,
        unit: str = "",
    ) -> "Judgement":
        """A judgement whose verdict follows from its tests by RULE."""
        return cls(counts.verdict, statistic, detail, effect, unit, counts)


class Untestable(Exception):
    """Why results cannot judge a claim."""


@dataclass(frozen=True)
class Claim:
    """A claim, or an open question. Called with results, it judges itself by them."""

    name: str  # in small letters with hyphens
    title: str  # the claim in one sentence
    source: str  # where it is made
    needs: str | None  # the study it is judged by; None if it needs no results
    by_rules: bool  # whether it is judged under each set of rules, where an investigation has several
    by_iterations: bool  # the same for each number of averaged iterations
    exploratory: bool  # whether what it is judged by was settled while looking at results
    ours: bool  # whether it is our own
    judge: Callable[..., Judgement]  # given the results, and rules and iterations if they matter

    def __call__(self, results: Results, rules: str | None = None, iterations: int | None = None) -> Finding:
        """The claim with what came of it; where it is not testable, why, and the command that would change it."""
        rules, iterations = rules if self.by_rules else None, iterations if self.by_iterations else None
        try:
            found = self.judge(results, *(way for way in (rules, iterations) if way is not None))
        except Untestable as problem:
            command = results.command(self.needs, rules, out=results.folder)
            detail = f"{as_sentence(problem)}. To test it: {command}"
            found = Judgement("not testable here", "nothing was tested", detail)
        size, low, high = found.effect or (None, None, None)
        return Finding(
            claim=self.name,
            title=self.title,
            source=self.source,
            rules=rules,
            iterations=iterations,
            verdict=found.verdict,
            statistic=found.statistic,
            effect=size,
            low=low,
            high=high,
            unit=found.unit,
            detail=found.detail,
            exploratory=self.exploratory,
            ours=self.ours,
            **(found.counts._asdict() if found.counts else {}),
        )


def claimed(
    name: str,
    title: str,
    source: str,
    needs: str | None,
    *,
    by_rules: bool = True,
    by_iterations: bool = True,
    exploratory: bool = False,
    ours: bool = False,
) -> Callable[[Callable[..., Judgement]], Claim]:
    """Makes a claim of the function that judges it."""
    return lambda judge: Claim(name, title, source, needs, by_rules, by_iterations, exploratory, ours, judge)


def findings_of(claims: Iterable[Claim], results: Results, aggregations: Mapping[str, int]) -> tuple[Finding, ...]:
    """Every claim under every set of rules and for every number of averaged iterations that matters to it.

    `aggregations` has the number of iterations that goes with each set of rules. A claim whose results are missing is
    in it too, as not testable, with the command that would make it so.
    """
    every: tuple[int, ...] = tuple(aggregations.values())
    return tuple(
        claim(results, rules, iterations)
        for claim in claims
        for rules in ((*aggregations,) if claim.by_rules and aggregations else (None,))
        for iterations in (every if claim.by_iterations and every else (None,))
    )


def as_sentence(problem: Untestable) -> str:
    """Why, as the beginning of a sentence."""
    return f"{str(problem)[0].upper()}{str(problem)[1:]}"


def verdict_on(count: int, total: int) -> Verdict:
    """Of a claim that holds if all of some things are so, and partly if some are."""
    return "holds" if count == total else "holds partly" if count else "does not hold"


def runs_to_judge_by(results: Results, name: str, rules: str | None = None) -> pl.DataFrame:
    """The runs of a study; Untestable if it was not run, or for too few seeds."""
    under = "" if rules is None else f" under the {rules} rules"
    return enough_runs(results.runs(name, rules), f"the {name} study{under}")


def enough_runs(frame: pl.DataFrame | None, what: str) -> pl.DataFrame:
    """The runs, if there are any, and for seeds enough."""
    if frame is None or not len(frame):
        raise Untestable(f"there are no results of {what}")
    if (seeds := frame["seed"].n_unique()) < FEWEST_SEEDS:
        raise Untestable(f"{what} has {seeds} seeds, and fewer than {FEWEST_SEEDS} say too little")
    return frame
