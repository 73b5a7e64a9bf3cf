"""Numbers with what they would be for other seeds, and tests of many of them at once.

Agents have seeds of their own, so the seeds of every agent are resampled independently. What is measured of an agent
comes with as many draws as every other, and differences and means are taken draw by draw.

Draws of n seeds spread too little, by √((n − 1) / n), so they are spread out by as much; and how much they spread is
itself estimated from n seeds, so tests and intervals are Student's, with n − 1 degrees of freedom. What is made of
several agents has those of the agent with the fewest seeds: few rather than too many.
"""

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.investigations.results import Runs
from hierq.studies.bootstrap import draw_counts
from hierq.studies.statistics import correct_p_values

Floats = npt.NDArray[np.float64]

LEVEL = 0.05
RESAMPLES = 1000
BOOTSTRAP_SEED = 20220801


@dataclass(frozen=True, eq=False)
class Measured:
    """A number and its bootstrap draws."""

    value: float  # of the runs themselves
    drawn: Floats  # of the runs drawn again
    freedom: float = math.inf  # degrees of freedom of the spread of the draws; endless where it is not estimated

    @classmethod
    def of_runs(cls, value: float, drawn: Floats, runs: int) -> "Measured":
        """A number of one agent, its draws spread as other seeds would be."""
        return cls(value, spread_out(value, drawn, runs), max(runs - 1, 1))

    def __sub__(self, other: "Measured") -> "Measured":
        """The difference of two numbers of different agents."""
        return Measured(self.value - other.value, self.drawn - other.drawn, min(self.freedom, other.freedom))

    def __truediv__(self, other: "Measured") -> "Measured":
        """The ratio of two numbers."""
        return Measured(self.value / other.value, self.drawn / other.drawn, min(self.freedom, other.freedom))

    def logarithm(self) -> "Measured":
        """Of a number above 0; draws that were spread out below it count as a thousandth of it."""
        drawn = np.log(np.maximum(self.drawn, 1e-3 * self.value))
        return Measured(math.log(self.value), drawn, self.freedom)

    @property
    def interval(self) -> tuple[float, float, float]:
        """The number and the ends of its 95 % interval: the middle of the draws, moved to lie around the number.

        Moved, because the logarithm of a mean comes out a little low in draws. For one agent that is nothing beside the
        spread of the draws; over many agents the spread averages out and this does not. And widened as much as
        Student's distribution is wider than the normal one.
        """
        low, high = np.quantile(self.drawn, [LEVEL / 2, 1 - LEVEL / 2]) - self.drawn.mean()
        wider = _widening(self.freedom)
        return self.value, self.value + wider * float(low), self.value + wider * float(high)

    @property
    def below_zero(self) -> bool:
        """Whether the whole interval lies below 0."""
        return self.interval[2] < 0

    @property
    def above_zero(self) -> bool:
        """Whether the whole interval lies above 0."""
        return self.interval[1] > 0

    @property
    def p_value(self) -> float:
        """Two-sided, of value / (standard deviation of the draws) under Student's distribution."""
        from scipy.special import stdtr

        spread = float(self.drawn.std())
        if spread < 1e-12:
            return 1.0 if abs(self.value) < 1e-12 else 0.0
        return float(2 * stdtr(self.freedom, -abs(self.value) / spread))


@cache
def _widening(freedom: float) -> float:
    """How much wider the middle 95 % of Student's distribution are than those of the normal one."""
    from scipy.stats import norm, t

    return float(t.ppf(1 - LEVEL / 2, freedom) / norm.ppf(1 - LEVEL / 2)) if math.isfinite(freedom) else 1.0


def spread_out(value: float | Floats, drawn: Floats, runs: int) -> Floats:
    """Draws of this many runs, their distances from the number made larger by √(n / (n − 1))."""
    return np.asarray(value + (drawn - value) * math.sqrt(runs / max(runs - 1, 1)), float)


def exactly(value: float) -> Measured:
    """A number that is known."""
    return Measured(value, np.full(RESAMPLES, value))


def mean_of(measures: Iterable[Measured], middle: Callable[..., Any] = np.mean) -> Measured:
    """The mean of numbers of different agents, or another middle of them."""
    given = list(measures)
    drawn = np.asarray(middle([one.drawn for one in given], axis=0), float)
    return Measured(float(middle([one.value for one in given])), drawn, min(one.freedom for one in given))


class Tally(NamedTuple):
    """How many of many differences are below and above 0; surely so after Holm's correction for being many."""

    total: int
    below: int
    surely_below: int
    surely_above: int


def tally(differences: Collection[Measured]) -> Tally:
    """Counts differences, each tested against 0 and corrected for being many."""
    values = np.array([one.value for one in differences])
    sure = surely_different(differences)
    below, above = values < 0, values > 0
    return Tally(len(values), int(below.sum()), int((sure & below).sum()), int((sure & above).sum()))


def surely_different(differences: Iterable[Measured]) -> npt.NDArray[np.bool_]:
    """Which of many differences are not 0, after Holm's correction."""
    return correct_p_values([one.p_value for one in differences], level=LEVEL).rejected


EARLY = 5  # episodes that count as the first few


@dataclass(frozen=True, eq=False)
class Drawn:
    """All that is measured of one agent on one world.

    Spreads are ln(variance over seeds) by what varies, "steps" or "ln(steps)", by "training" or "evaluation", and by
    how many episodes are averaged, the first alone or the first few.
    """

    logs: Floats  # [iterations], L[e] = ln(mean over seeds of the evaluation steps)
    drawn_logs: Floats  # [draws, iterations], the same of draws
    freedom: float  # degrees of freedom, one less than seeds
    first: Measured  # ln(mean over seeds of the steps of the first training episode)
    spreads: dict[tuple[str, str, int], Measured]

    def marginal(self, iterations: int) -> Measured:
        """The paper's marginal log-performance over the first iterations."""
        drawn = self.drawn_logs[:, :iterations].mean(axis=1)
        return Measured(float(self.logs[:iterations].mean()), drawn, self.freedom)


def draw(runs: Runs) -> Drawn:
    """Draws an agent's seeds again. The draws depend on its runs alone."""
    evaluation, first = runs.evaluation.astype(float), runs.training[:, 0].astype(float)
    count = len(first)
    shares = draw_shares(count, evaluation.sum(), first.sum())
    logs = np.log(evaluation.mean(axis=0))
    return Drawn(
        logs=logs,
        drawn_logs=spread_out(logs, np.log(shares @ evaluation), count),
        freedom=max(count - 1, 1),
        first=Measured.of_runs(float(np.log(first.mean())), np.log(shares @ first), count),
        spreads={
            (scale, kind, episodes): _spread(scaled(steps[:, :episodes].astype(float)), shares)
            for scale, scaled in (("steps", np.asarray), ("ln(steps)", np.log))
            for kind, steps in (("training", runs.training), ("evaluation", runs.evaluation))
            for episodes in (1, EARLY)
        },
    )


def log_first_steps(runs: Runs) -> Measured:
    """The logarithm of the mean steps of an agent's first training episode."""
    first = runs.training[:, 0].astype(float)
    drawn = np.log(draw_shares(len(first), first.sum()) @ first)
    return Measured.of_runs(float(np.log(first.mean())), drawn, len(first))


def draw_shares(runs: int, *sums: float) -> Floats:
    """Array [draws, runs]: the share of each run in each draw with replacement; sums of steps make draws their own."""
    generator = np.random.default_rng([BOOTSTRAP_SEED, *(int(each) for each in sums)])
    return draw_counts(generator, runs, RESAMPLES) / runs


def median_until(times: Floats, has_happened: Any, *sums: float) -> Measured:
    """When something had happened in half of the runs, if some runs ended before it did (Kaplan and Meier).

    A run that ended counts until then, and for nothing after. Where it happened in fewer than half of the runs that
    went on, this is the time of the longest run, and the median is later.

    Args:
        times: of each run, when it happened or when the run ended.
        has_happened: array [runs], which of these it is.
        sums: sums of steps, which make the draws of the runs an agent's own.
    """
    order = np.lexsort((~has_happened, times))
    happened, ordered, runs = has_happened[order], times[order], len(times)

    def medians(shares: Floats) -> Floats:
        weights = shares[:, order]
        at_risk = weights[:, ::-1].cumsum(axis=1)[:, ::-1]
        hazards = np.divide(weights * happened, at_risk, out=np.zeros_like(weights), where=at_risk > 1e-12)
        is_past = (1 - hazards).cumprod(axis=1) <= 0.5 + 1e-9
        return np.asarray(np.where(is_past.any(axis=1), ordered[is_past.argmax(axis=1)], ordered[-1]), float)

    value = float(medians(np.full((1, runs), 1 / runs))[0])
    return Measured.of_runs(value, medians(draw_shares(runs, *sums)), runs)


def _spread(values: Floats, shares: Floats) -> Measured:
    """The logarithm of the variance over seeds, averaged over episodes; values are [seeds, episodes]."""

    def of(weights: Floats) -> Floats:
        variances = weights @ values**2 - (weights @ values) ** 2
        return np.asarray(np.log(np.maximum(variances, 1e-12).mean(axis=-1)), float)

    return Measured.of_runs(float(of(np.full(len(values), 1 / len(values)))), of(shares), len(values))
