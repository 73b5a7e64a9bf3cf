"""What a claim of the paper came to: the Finding, and what is said when there are no results to judge it by."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import polars as pl

from hierq.paper.plan import OF_BOTH_RULES
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RuleSet

Verdict = Literal["holds", "holds partly", "does not hold", "not testable here"]
VERDICTS: tuple[Verdict, ...] = ("holds", "holds partly", "does not hold", "not testable here")
FEWEST_SEEDS = 10  # with fewer, drawing seeds again says little about other seeds


@dataclass(frozen=True)
class Finding:
    """One claim, judged by one set of results."""

    claim: str  # its name, in small letters with hyphens
    title: str  # the claim in one sentence
    source: str  # where the paper makes it
    rules: RuleSet | None  # which the results follow; None where they make no difference or are what is compared
    iterations: int | None  # over which the marginal performance is averaged; None where it is not looked at
    verdict: Verdict  # what came of it; the docstring of the claim's function says by which rule
    statistic: str  # what was tested, with its numbers
    effect: float | None  # None if there is no one number for it
    low: float | None  # lower end of its 95 % interval
    high: float | None
    unit: str  # what the effect is measured in
    detail: str  # what one sees, in a sentence or two


class Judgement(NamedTuple):
    """What a claim came to, as in a Finding; the effect is given with the ends of its interval."""

    verdict: Verdict
    statistic: str
    detail: str
    effect: tuple[float, float, float] | None = None
    unit: str = ""


class Untestable(Exception):
    """Why results cannot judge a claim."""


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, or a question it leaves open. Called with results, it judges itself by them."""

    name: str  # in small letters with hyphens
    title: str  # the claim in one sentence
    source: str  # where the paper makes it
    needs: str | None  # the study it is judged by; None if it needs no results
    by_rules: bool  # whether it is judged under each set of rules
    by_iterations: bool  # whether it is judged for each number of averaged iterations
    judge: Callable[..., Judgement]  # given the reproduction, and rules and iterations if they matter

    def __call__(
        self, reproduction: Reproduction, rules: RuleSet | None = None, iterations: int | None = None
    ) -> Finding:
        """The claim with what came of it; where it is not testable, why, and the command that would change it."""
        rules, iterations = rules if self.by_rules else None, iterations if self.by_iterations else None
        ways: list[Any] = [rules] * self.by_rules + [iterations] * self.by_iterations
        try:
            found = self.judge(reproduction, *ways)
        except Untestable as problem:
            command = f"hierq reproduce --study {self.needs}"
            if rules is not None and self.needs not in OF_BOTH_RULES:
                command += f" --rules {rules}"
            detail = f"{as_sentence(problem)}. To test it: {command} --out {reproduction.folder}"
            found = Judgement("not testable here", "nothing was tested", detail)
        verdict, statistic, detail, effect, unit = found
        size, low, high = effect or (None, None, None)
        return Finding(
            self.name, self.title, self.source, rules, iterations, verdict, statistic, size, low, high, unit, detail
        )


def claimed(
    name: str, title: str, source: str, needs: str | None, *, by_rules: bool = True, by_iterations: bool = True
) -> Callable[[Callable[..., Judgement]], Claim]:
    """Makes a claim of the function that judges it."""
    return lambda judge: Claim(name, title, source, needs, by_rules, by_iterations, judge)


def as_sentence(problem: Untestable) -> str:
    """Why, as the beginning of a sentence."""
    return f"{str(problem)[0].upper()}{str(problem)[1:]}"


def verdict_on(count: int, total: int) -> Verdict:
    """Of a claim that holds if all of some things are so, and partly if some are."""
    return "holds" if count == total else "holds partly" if count else "does not hold"


def runs_to_judge_by(reproduction: Reproduction, name: str, rules: RuleSet | None) -> pl.DataFrame:
    """The runs of a study; Untestable if it was not run, or for too few seeds."""
    frame = reproduction.frame(name, rules)
    if name == "first-episode" and rules is not None:  # the main study has them, too
        frame = reproduction.first_episodes(rules)
    return enough_runs(frame, f"the {name} study" + ("" if rules is None else f" under the {rules} rules"))


def enough_runs(frame: pl.DataFrame | None, what: str) -> pl.DataFrame:
    """The runs, if there are any, and for seeds enough."""
    if frame is None or not len(frame):
        raise Untestable(f"there are no results of {what}")
    if (seeds := frame["seed"].n_unique()) < FEWEST_SEEDS:
        raise Untestable(f"{what} has {seeds} seeds, and fewer than {FEWEST_SEEDS} say too little")
    return frame
