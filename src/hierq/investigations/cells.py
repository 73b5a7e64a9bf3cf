"""Agents of a study as cells of a table: numbers of each, differences between kinds of them, means over the rest.

A cell is a named tuple that says which agent it is in which world, with the fields `world` and `levels` at least.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np
import polars as pl

from hierq.investigations.claims import Judgement, Untestable, runs_to_judge_by, verdict_on
from hierq.investigations.measures import Floats, Measured, draw_shares, mean_of, tally
from hierq.investigations.results import Results
from hierq.investigations.words import listed, ratio_with_interval, with_interval

Numbers = dict[str, Measured]
Cell = TypeVar("Cell", bound=tuple[Any, ...])
Agent = TypeVar("Agent")  # what an investigation knows an agent by
HOLM = "(Holm, 5 %)"


def numbers_by_cell(
    frame: pl.DataFrame,
    worlds: Sequence[str],
    agents: Mapping[str, Agent],
    cell_of: Callable[[str, Agent], Cell],
    numbers_of: Callable[[pl.DataFrame, str], Numbers],
) -> dict[Cell, Numbers]:
    """What is measured of every agent in every world that has runs of it, world by world; agents by their ids."""
    groups = frame.partition_by("world", "agent", as_dict=True)
    return {
        cell_of(world, each): numbers_of(groups[world, name].sort("seed"), world)
        for world, (name, each) in product(worlds, agents.items())
        if (world, name) in groups
    }


def only_testable(
    numbers: Callable[[Results, str], dict[Cell, Numbers]],
) -> Callable[[Results, str], dict[Cell, Numbers]]:
    """The same numbers of a study, for claims: raises Untestable if it was not run, or for too few seeds."""

    def measured(results: Results, study: str) -> dict[Cell, Numbers]:
        runs_to_judge_by(results, study)
        return numbers(results, study)

    return measured


def drawn_means(columns: Mapping[str, Floats], *sums: float) -> Numbers:
    """Means over the runs of an agent, all from the same draws of runs; sums of steps make draws its own."""
    runs = len(next(iter(columns.values())))
    drawn = draw_shares(runs, *sums) @ np.stack(list(columns.values()), axis=1)
    return {
        name: Measured.of_runs(float(column.mean()), drawn[:, place], runs)
        for place, (name, column) in enumerate(columns.items())
    }


def differences(
    found: Mapping[Cell, Numbers], measure: str, one: Mapping[str, object], other: Mapping[str, object]
) -> dict[Cell, Measured]:
    """One kind of agent minus another, in every world and for all that is left open.

    Both are given by fields of `Cell`; what neither names is alike in both. By the cells of the one.
    """
    pairs = ((cell, cell._replace(**other)) for cell in chosen(found, **one))  # type: ignore[attr-defined]
    return {cell: found[cell][measure] - found[twin][measure] for cell, twin in pairs if twin in found}


def chosen(found: Iterable[Cell], **fields: object) -> list[Cell]:
    """The cells with these values; a tuple stands for any of several."""

    def fits(cell: Cell) -> bool:
        return all(
            getattr(cell, name) in value if isinstance(value, tuple) else getattr(cell, name) == value
            for name, value in fields.items()
        )

    return [cell for cell in found if fits(cell)]


def by(key: Callable[[Cell], object], numbers: Mapping[Cell, Measured]) -> dict[object, Measured]:
    """Means over all cells with the same key, in the order in which keys first appear."""
    groups: dict[object, list[Measured]] = {}
    for cell, number in numbers.items():
        groups.setdefault(key(cell), []).append(number)
    return {name: mean_of(each) for name, each in groups.items()}


def csv_of(found: Mapping[Cell, Numbers]) -> str:
    """A table of every number with its 95 % interval, as CSV."""
    rows = [
        {**cell._asdict(), "measure": name, **dict(zip(("value", "low", "high"), number.interval, strict=True))}  # type: ignore[attr-defined]
        for cell, numbers in found.items()
        for name, number in numbers.items()
    ]
    return pl.DataFrame(rows).with_columns(pl.col(pl.Float64).round(4)).write_csv()


def csv_tables(
    results: Results, measured: Callable[[Results, str], Mapping[Any, Numbers]], studies: Iterable[str]
) -> dict[str, str]:
    """Every number of every agent, with its interval: a table for each study that claims can be judged by."""
    tables: dict[str, str] = {}
    for study in studies:
        with suppress(Untestable):
            tables[f"{study}.csv"] = csv_of(measured(results, study))
    return tables


def judged(
    gains: Mapping[Cell, Measured],
    what: str,
    unit: str,
    key: Callable[[Any], object] = attrgetter("levels"),
    as_ratios: bool = False,
) -> Judgement:
    """A claim that differences are below 0: holds if all their means over worlds surely are, partly if some are.

    There is no one effect if some means are surely below 0 and others surely above.

    Args:
        gains: differences, by cells.
        what: what was subtracted from what, as "hierarchy minus flat".
        unit: of the differences.
        key: what means are taken by; the number of levels by default.
        as_ratios: whether differences of logarithms are written as ratios.
    """
    means, counts = tally(by(key, gains).values()), tally(gains.values())
    overall = mean_of(gains.values())
    return Judgement(
        verdict_on(means.surely_below, means.total),
        f"of {means.total} means over worlds {means.surely_below} are surely below 0 and {means.surely_above} surely "
        f"above {HOLM}; it holds if all are below, partly if some are. Of {counts.total} single settings "
        f"{counts.surely_below} are surely below and {counts.surely_above} surely above",
        f"{what[0].upper()}{what[1:]}, mean over worlds: {in_words(gains, key, as_ratios)}. "
        f"By world: {in_words(gains, attrgetter('world'), as_ratios, 'on')}.",
        None if means.surely_below and means.surely_above else overall.interval,
        f"{unit}, {what}",
    )


def in_words(
    numbers: Mapping[Cell, Measured], key: Callable[[Any], object], as_ratios: bool = False, link: str = "with"
) -> str:
    """Means by a key in a row, each with its interval, as 0.47 (0.44 to 0.51) with k = 2, and so on."""
    say = ratio_with_interval if as_ratios else with_interval
    named = {f"k = {name}" if isinstance(name, int) else name: mean for name, mean in by(key, numbers).items()}
    return listed([f"{say(mean)} {link} {name}" for name, mean in named.items()])
