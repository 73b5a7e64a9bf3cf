"""Published numbers and ours beside them, as the page shows them."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from hierq.paper import published
from hierq.report.wording import NO_BREAK, NOTHING, Mark, agreement, fixed, signed, signed_percent, with_error
from hierq.worlds import PAPER_WORLDS

Row = dict[str, Any]
TRAINING = {"hierarchy": "with the hierarchy", "flat": "flat"}


@dataclass(frozen=True)
class Cell:
    """One cell of a table."""

    text: str  # what stands there
    order: float | None = None  # by what a column is sorted, where the text will not do
    mark: Mark | None = None  # how well it agrees, for cells with a z


@dataclass(frozen=True)
class Table:
    """A table that can be sorted and filtered."""

    name: str  # unlike that of any other of the page
    caption: str  # what it shows
    columns: tuple[str, ...]  # their titles
    rows: tuple[tuple[Cell, ...], ...]  # cells, as many as there are columns
    filters: tuple[tuple[str, ...], ...]  # values of the first columns, by which one can filter; the others are numbers


@dataclass(frozen=True)
class Glance:
    """One world and one way of training as a small table: a line per k, a column per backup."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int | str, tuple[Cell, ...]], ...]


@dataclass(frozen=True)
class Curves:
    """All z of the loss curves: a line per curve, a column per episode."""

    episodes: tuple[int, ...]
    groups: tuple[tuple[str, tuple[tuple[str, tuple[Cell, ...]], ...]], ...]


@dataclass(frozen=True)
class View:
    """One comparison: a source under one set of rules and one aggregation."""

    title: str  # rules and aggregation in words
    glances: tuple[Glance, ...] = ()  # the whole at a glance; none for loss curves
    table: Table | None = None  # number by number; None for loss curves
    curves: Curves | None = None  # the loss curves; None for the others


def views(frame: pl.DataFrame, source: str) -> tuple[View, ...]:
    """The comparisons of one source, the published rules first, and the published aggregation before the other."""
    rows = frame.filter(pl.col("source") == source)
    keys = rows.select("rules", "iterations").unique().sort("rules", "iterations", nulls_last=True).iter_rows()
    return tuple(_view(_ordered(_part(rows, *key), source), source, *key) for key in keys)


def view_title(rules: str, iterations: int | None) -> str:
    """Rules and aggregation in words."""
    return f"{rules} rules" + (f", {iterations} iterations" if iterations else "")


def _part(rows: pl.DataFrame, rules: str, iterations: int | None) -> pl.DataFrame:
    return rows.filter((pl.col("rules") == rules) & pl.col("iterations").eq_missing(pl.lit(iterations)))


def _ordered(rows: pl.DataFrame, source: str) -> list[Row]:
    """As in the paper, world by world; loss curves figure by figure, all else by way of training."""
    places = {name: place for place, name in enumerate(PAPER_WORLDS)}

    def place(row: Row) -> tuple[Any, ...]:
        traces, flat = row["backup"] == "traces", row["behaviour"] == "flat"
        world = places.get(row["world"], len(places))
        if source == "loss-curve":
            return traces, world, row["levels"], not flat, row["episode"]
        return flat, world, not traces, row["parameter"], row["levels"]

    return sorted(rows.iter_rows(named=True), key=place)


def _view(rows: list[Row], source: str, rules: str, iterations: int | None) -> View:
    title = view_title(rules, iterations)
    if source == "loss-curve":
        return View(title, curves=_curves(rows))
    name = "-".join([source, rules, *([str(iterations)] if iterations else [])])
    return View(title, tuple(_glances(rows, source)), _table(rows, source, name, title))


def _trained(behaviour: str) -> str:
    return f"trained {TRAINING.get(behaviour, behaviour)}"


def _z_cell(row: Row, digits: int = 2) -> Cell:
    return Cell(signed(row["z"], digits), row["z"], agreement(row["z"]))


def _glances(rows: list[Row], source: str) -> Iterator[Glance]:
    for (behaviour, world), some in itertools.groupby(rows, key=lambda row: (row["behaviour"], row["world"])):
        block = list(some)
        backups = list(dict.fromkeys((row["backup"], row["parameter"]) for row in block))
        found = {(row["levels"], row["backup"], row["parameter"]): _z_cell(row, 1) for row in block}
        yield Glance(
            title=world if source == "first-episode" else f"{world}, {_trained(behaviour)}",
            columns=tuple(backup_name(*backup) for backup in backups),
            rows=tuple(
                (levels, tuple(found.get((levels, *backup), Cell(NOTHING)) for backup in backups))
                for levels in sorted({row["levels"] for row in block})
            ),
        )


def _table(rows: list[Row], source: str, name: str, title: str) -> Table:
    first = source == "first-episode"
    what = "Mean steps of the first training episode" if first else "Marginal log-performance, mean ln(steps)"
    words = ("world", "backup", "k") if first else ("world", "training", "backup", "k")
    published = "published ± its printed error" if first else "published ± our estimate of its error"
    numbers = (published, "ours ± its error", "difference", "z", *(() if first else ("at limit",)))
    filled = tuple(_cells(row, first) for row in rows)
    return Table(
        name=name,
        caption=f"{what}, {title}: published, ours, and their difference in joint standard errors (z)",
        columns=words + numbers,
        rows=filled,
        filters=tuple(tuple(dict.fromkeys(row[place].text for row in filled)) for place in range(len(words))),
    )


def _cells(row: Row, first: bool) -> tuple[Cell, ...]:
    """A row of the table of first episodes, or else of marginal points."""
    world, backup, parameter = row["world"], row["backup"], row["parameter"]
    digits = 0 if first else 3
    difference, change = row["difference"], row["difference"] / row["published"]
    return (
        Cell(world, PAPER_WORLDS.index(world) if world in PAPER_WORLDS else len(PAPER_WORLDS)),
        *(() if first else [Cell(TRAINING.get(row["behaviour"], str(row["behaviour"])))]),
        Cell(backup_name(backup, parameter), parameter + (0 if backup == "traces" else 100)),
        Cell(str(row["levels"])),
        Cell(with_error(row["published"], row["published_error"], digits), row["published"]),
        Cell(with_error(row["ours"], row["error"], digits), row["ours"]),
        Cell(signed_percent(change), change) if first else Cell(signed(difference, digits), difference),
        _z_cell(row),
        *(() if first else [Cell(fixed(row["at_limit"], 0), row["at_limit"])]),
    )


def _curves(rows: list[Row]) -> Curves:
    def group(row: Row) -> str:
        return f"{row['world']}, {'traces' if row['backup'] == 'traces' else 'Tree-Backup'}"

    def curve(row: Row) -> str:
        how = f", {row['behaviour']}" if row["levels"] > 1 else ""
        return f"k = {row['levels']}, {backup_name(row['backup'], row['parameter'])}{how}"

    def strips(block: Iterator[Row]) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
        lines = itertools.groupby(block, key=curve)
        return tuple((title, tuple(_z_cell(row, 1) for row in points)) for title, points in lines)

    groups = tuple((title, strips(block)) for title, block in itertools.groupby(rows, key=group))
    return Curves(tuple(sorted({row["episode"] for row in rows})), groups)


def backup_name(backup: str, parameter: float) -> str:
    """A backup as the paper writes it: "λ = 0.8" or "n = 3"."""
    return published.backup_name(backup, parameter).replace(" ", NO_BREAK)
