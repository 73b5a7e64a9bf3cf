"""What a claim of the paper came to: the Finding, and what is said when there are no results to judge it by."""

from dataclasses import dataclass
from typing import Literal

from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RuleSet

Verdict = Literal["holds", "holds partly", "does not hold", "not testable here"]
VERDICTS: tuple[Verdict, ...] = ("holds", "holds partly", "does not hold", "not testable here")
# Studies that are run under one set of rules or the other.
BY_RULES = ("main", "balanced", "representation", "first-episode")
FEWEST_SEEDS = 10  # with fewer, drawing seeds again says little about other seeds


@dataclass(frozen=True)
class Finding:
    """One claim, judged by one set of results.

    Attributes:
        claim: its name, in small letters with hyphens.
        title: the claim in one sentence.
        source: where the paper makes it.
        rules: the rules the results follow; None where they make no difference or are what is compared.
        iterations: over how many iterations the marginal performance is averaged; None where it is not looked at.
        verdict: what came of it; the function's docstring says by which rule.
        statistic: what was tested, with its numbers.
        effect: the size of the effect; None if there is no one number for it.
        low: lower end of its 95 % interval.
        high: upper end of its 95 % interval.
        unit: what the effect is measured in.
        detail: what one sees, in a sentence or two.
    """

    claim: str
    title: str
    source: str
    rules: RuleSet | None
    iterations: int | None
    verdict: Verdict
    statistic: str
    effect: float | None
    low: float | None
    high: float | None
    unit: str
    detail: str


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, or a question it leaves open.

    Attributes:
        name: its name, in small letters with hyphens.
        title: the claim in one sentence.
        source: where the paper makes it.
        needs: the study it is judged by; None if it needs no results.
        by_rules: whether it is judged under each set of rules.
        by_iterations: whether it is judged for each number of averaged iterations.
    """

    name: str
    title: str
    source: str
    needs: str | None
    by_rules: bool = True
    by_iterations: bool = True

    def finding(
        self,
        rules: RuleSet | None,
        iterations: int | None,
        verdict: Verdict,
        statistic: str,
        detail: str,
        effect: tuple[float, float, float] | None = None,
        unit: str = "",
    ) -> Finding:
        """The claim with what came of it; the effect is given with the ends of its interval."""
        size, low, high = effect or (None, None, None)
        return Finding(
            self.name, self.title, self.source, rules, iterations, verdict, statistic, size, low, high, unit, detail
        )

    def untestable(
        self, reproduction: Reproduction, rules: RuleSet | None, iterations: int | None, why: str
    ) -> Finding:
        """Not testable here: why, and the command that would change it."""
        command = f"hierq reproduce --study {self.needs}"
        if rules is not None and self.needs in BY_RULES:
            command += f" --rules {rules}"
        detail = f"{why[0].upper()}{why[1:]}. To test it: {command} --out {reproduction.folder}"
        return self.finding(rules, iterations, "not testable here", "nothing was tested", detail)


def lacking(reproduction: Reproduction, name: str, rules: RuleSet | None) -> str | None:
    """Why a study's results cannot judge a claim: it was not run, or for too few seeds. None if they can."""
    seeds = reproduction.seeds(name, rules)
    if name == "first-episode" and rules is not None:  # the main study has them, too
        first = reproduction.first_episodes(rules)
        seeds = 0 if first is None else first["seed"].n_unique()
    under = "" if rules is None else f" under the {rules} rules"
    if not seeds:
        return f"there are no results of the {name} study{under}"
    if seeds < FEWEST_SEEDS:
        return f"the {name} study{under} has {seeds} seeds, and fewer than {FEWEST_SEEDS} say too little"
    return None
