"""From runs to numbers: a number for every agent in every world, with what it would be for other seeds.

A *cell* is a named tuple that says which agent it is in which world: the fields `world` and whatever tells the agents
of a study apart. A *table* has the numbers of every cell by the name of their measure, a *column* those of one measure.

Agents have seeds of their own, so the seeds of every agent are resampled independently; agents that learnt from the
same episodes are given the same draws. Differences and means are taken draw by draw. Draws of n seeds spread too
little, by √((n − 1) / n), so they are spread out by as much; and how much they spread is itself estimated from n seeds,
so tests and intervals are Student's with n − 1 degrees of freedom, those of the agent with the fewest seeds.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Cell = TypeVar("Cell", bound=tuple[Any, ...])

LEVEL = 0.05
RESAMPLES = 1000
BOOTSTRAP_SEED = 20220801
SMALL = 1e-12  # draws that spread less are all alike


@dataclass(frozen=True, eq=False)
class Measured:
    """A number and its bootstrap draws."""

    value: float  # of the runs themselves
    drawn: Floats  # of the runs drawn again
    freedom: float = math.inf  # degrees of freedom of the spread of the draws; infinite where it is not estimated

    @classmethod
    def of_runs(cls, value: float, drawn: Floats, runs: int) -> "Measured":
        """A number of one agent, its draws spread as other seeds would be."""
        return cls(value, spread_out(value, drawn, runs), max(runs - 1, 1))

    def __sub__(self, other: "Measured") -> "Measured":
        return Measured(self.value - other.value, self.drawn - other.drawn, min(self.freedom, other.freedom))

    def __truediv__(self, other: "Measured") -> "Measured":
        return Measured(self.value / other.value, self.drawn / other.drawn, min(self.freedom, other.freedom))

    def __neg__(self) -> "Measured":
        return Measured(-self.value, -self.drawn, self.freedom)

    def __abs__(self) -> "Measured":
        """The number without its sign; draws change theirs with it, so that they may lie below 0."""
        return self if self.value >= 0 else -self

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
    def p_value(self) -> float:
        """Two-sided, of value / (standard deviation of the draws) under Student's distribution."""
        from scipy.special import stdtr

        spread = float(self.drawn.std())
        if spread < SMALL:
            return 1.0 if abs(self.value) < SMALL else 0.0
        return float(2 * stdtr(self.freedom, -abs(self.value) / spread))


Table = dict[Cell, dict[str, Measured]]
Column = dict[Cell, Measured]


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


def mean_over_worlds(measures: Iterable[Measured]) -> Measured:
    """The mean of numbers of different worlds, as a sample of worlds: draws are of worlds, not of seeds.

    How much the numbers of worlds differ includes what they owe to seeds.
    """
    values = np.array([one.value for one in measures])
    return means_over_runs({"mean": values}, abs(values).sum() * 1e6)["mean"]


def draw_shares(runs: int, *sums: float) -> Floats:
    """Array [draws, runs]: the share of each run in each draw with replacement; sums of steps make draws their own."""
    generator = np.random.default_rng([BOOTSTRAP_SEED, *(int(each) for each in sums)])
    drawn = generator.integers(0, runs, (RESAMPLES, runs)) + runs * np.arange(RESAMPLES)[:, None]
    return np.bincount(drawn.ravel(), minlength=RESAMPLES * runs).reshape(RESAMPLES, runs) / runs


def means_over_runs(columns: Mapping[str, npt.ArrayLike], *sums: float) -> dict[str, Measured]:
    """Means over the runs of an agent, a number per run each, all from the same draws of runs."""
    arrays = {name: np.asarray(column, float) for name, column in columns.items()}
    runs = len(next(iter(arrays.values())))
    drawn = draw_shares(runs, *sums) @ np.stack(list(arrays.values()), axis=1)
    return {
        name: Measured.of_runs(float(column.mean()), drawn[:, place], runs)
        for place, (name, column) in enumerate(arrays.items())
    }


@dataclass(frozen=True)
class Runs:
    """All runs of one agent in one world."""

    world: str
    frame: pl.DataFrame  # a row per run, sorted by seed

    @property
    def seeds(self) -> Longs:
        """Array [runs], rising."""
        return self.frame["seed"].to_numpy()

    @property
    def training(self) -> Longs:
        """Array [runs, iterations]: steps of the training episodes."""
        return np.array(self.frame["training"].to_list(), np.int64)

    @property
    def evaluation(self) -> Longs:
        """Array [runs, iterations]: steps of the evaluation episodes."""
        return np.array(self.frame["evaluation"].to_list(), np.int64)

    def column(self, name: str) -> Floats:
        """Array [runs] or [runs, numbers] of another column."""
        return np.array(self.frame[name].to_list(), float)


def runs_by(frame: pl.DataFrame, *columns: str) -> Iterator[tuple[tuple[Any, ...], Runs]]:
    """The runs of every combination of values of some columns, in the order in which they first appear."""
    for key, rows in frame.group_by(*columns, maintain_order=True):
        world = str(rows["world"][0]) if "world" in rows.columns else ""
        yield key, Runs(world, rows.sort("seed"))


ENDS = ("", " low", " high")  # of the columns of a measure


def usual_measures(runs: Runs) -> dict[str, Measured]:
    """What is measured unless an investigation says otherwise; means over seeds.

    log_steps         mean of ln(steps) over all evaluation episodes
    first_evaluation  ln(steps) of the first of them
    first_episode     ln(steps) of the first training episode
    training_steps    ln of the steps of all training episodes together
    given_up          share of the evaluation episodes that did not reach the goal, where that is known
    """
    training, evaluation = runs.training.astype(float), runs.evaluation.astype(float)
    columns = {
        "log_steps": np.log(evaluation).mean(axis=1),
        "first_evaluation": np.log(evaluation[:, 0]),
        "first_episode": np.log(training[:, 0]),
        "training_steps": np.log(training.sum(axis=1)),
    }
    if "evaluation_outcomes" in runs.frame.columns and runs.frame["evaluation_outcomes"].null_count() == 0:
        lost = np.array([[how != "goal" for how in each] for each in runs.frame["evaluation_outcomes"]])
        columns["given_up"] = lost.mean(axis=1)
    return means_over_runs(columns, evaluation.sum(), training.sum())


def column(table: Mapping[Cell, Mapping[str, Measured]], measure: str) -> Column[Cell]:
    """The numbers of one measure, of the cells that have it."""
    return {cell: numbers[measure] for cell, numbers in table.items() if measure in numbers}


def where(numbers: Mapping[Cell, Any], **fields: object) -> dict[Cell, Any]:
    """The part of a table or column with these values in its cells; a tuple stands for any of several."""

    def fits(cell: Cell) -> bool:
        wanted = ((getattr(cell, name), value) for name, value in fields.items())
        return all(there in value if isinstance(value, tuple) else there == value for there, value in wanted)

    return {cell: number for cell, number in numbers.items() if fits(cell)}


def minus(
    numbers: Column[Cell],
    one: Mapping[str, object],
    other: Mapping[str, object],
    others: Column[Cell] | None = None,
) -> Column[Cell]:
    """Agents of one kind minus agents of another, in every world and for all that is left open.

    Both are given by fields of the cells; what neither names is alike in both. By the cells of the one. Numbers of the
    other kind may stand in another column, `others`.
    """
    theirs = numbers if others is None else others
    pairs = ((cell, cell._replace(**other)) for cell in where(numbers, **one))  # type: ignore[attr-defined]
    return {cell: numbers[cell] - theirs[twin] for cell, twin in pairs if twin in theirs}


def mean_by(numbers: Mapping[Any, Measured], *fields: str) -> dict[Any, Measured]:
    """Means over all cells with the same values of some fields, in the order in which they first appear.

    Keyed by the value of a single field, and by the tuple of values of several.
    """
    return {key: mean_of(each) for key, each in grouped(numbers, *fields).items()}


def grouped(numbers: Mapping[Any, Measured], *fields: str) -> dict[Any, list[Measured]]:
    """The numbers of all cells with the same values of some fields, keyed as by `mean_by`."""
    groups: dict[Any, list[Measured]] = {}
    for cell, number in numbers.items():
        key = tuple(getattr(cell, field) for field in fields)
        groups.setdefault(key[0] if len(fields) == 1 else key, []).append(number)
    return groups


def frame_of(table: Mapping[Any, Mapping[str, Measured]]) -> pl.DataFrame:
    """A row for every cell: its fields, and every measure with the ends of its interval; numbers rounded."""
    rows = [
        {**cell._asdict()}
        | {
            f"{name}{end}": part
            for name, number in numbers.items()
            for end, part in zip(ENDS, number.interval, strict=True)
        }
        for cell, numbers in table.items()
    ]
    return pl.DataFrame(rows, infer_schema_length=None).with_columns(pl.col(pl.Float64).round(4))
