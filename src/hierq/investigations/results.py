"""What was run of an investigation: its folder of results, opened.

results = investigation.open("results/")
results.frame("levels")         # one row per run, as `hierq.load_results` gives it, with the fields of the part
results.table("levels")         # the numbers of every agent in every world
"""

import copy
import os
import shlex
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from hierq.errors import InputError
from hierq.investigations.numbers import Table, column, runs_by, where
from hierq.investigations.parts import Part
from hierq.studies.store import MANIFEST, Store, load_results
from hierq.studies.study import agent_id

Self = TypeVar("Self", bound="Results")
OPTIONS = ("study", "rules", "seeds", "worlds", "out")  # of the command
FEWEST_SEEDS = 5  # with fewer, drawing seeds again says little about other seeds


class NotRun(InputError):
    """What was asked for was not run, or for too few seeds."""


class Results:
    """The results of an investigation, or of a part of it.

    Attributes:
        folder: where the results lie.
        parts: the studies of the investigation, run or not.
        program: the command that runs them, without its options.
        given: options of that command, by name, as they were given.
        rules: the set of rules that is looked at, where an investigation has several.
    """

    def __init__(self, folder: str | os.PathLike[str], parts: Sequence[Part], program: str) -> None:
        """Opens the folder that was given to the command as --out.

        Raises:
            InputError: There are no results of the investigation in it.
        """
        self.folder, self.parts, self.program = Path(folder), parts, program
        self.given: Mapping[str, str] = {}
        self.rules: str | None = None
        self.whole: Results = self  # of a view under some rules: the results it is a view of
        self._frames = cache(self._labelled_frame)
        self._tables = cache(self._table)
        if not self.present():
            raise InputError(f"{self.folder} holds no results of this; make some with: {self.command()}")

    def under(self: Self, rules: str | None) -> Self:
        """The same results, looked at under one set of rules."""
        view = copy.copy(self)  # what was read is shared
        view.rules = rules
        return view

    def present(self) -> list[Part]:
        """The studies that were begun, in the order of the plan."""
        return [part for part in self.parts if (self.folder / part.folder / MANIFEST).exists()]

    def rules_of(self, name: str | None) -> str | None:
        """The rules that a study is looked at under; None if it has agents of several, or none are chosen."""
        return self.rules if any((part.name, part.rules) == (name, self.rules) for part in self.parts) else None

    def runs(self, name: str) -> pl.DataFrame | None:
        """The runs of a study under the rules that are looked at: seeds that every agent on every world has."""
        return self._frames(name, self.rules_of(name))

    def frame(self, name: str, fewest: int = 1) -> pl.DataFrame:
        """The runs of a study, as `runs` gives them, or an error that says how to make them.

        A row per run, with the columns of `hierq.load_results` and every field and label of the study's part.

        Raises:
            NotRun: There are none, or fewer seeds than are needed.
        """
        found = self.runs(name)
        if found is None:
            rules = self.rules_of(name)
            under = "" if rules is None else f" under the {rules} rules"
            raise NotRun(f"the {name} study{under} was not run; run: {self.command(study=name, rules=rules)}")
        if (seeds := found["seed"].n_unique()) < fewest:
            raise NotRun(f"the {name} study has {seeds} seeds, and fewer than {fewest} say too little")
        return found

    def table(self, name: str, fewest: int = FEWEST_SEEDS) -> Table[Any]:
        """What is measured of every agent of a study in every world, by cells with the fields of the study's part.

        Raises:
            NotRun: There are no runs, or fewer seeds than are needed.
        """
        self.frame(name, fewest)
        return self._tables(name, self.rules_of(name))

    def rows(self, name: str, measure: str, words: Callable[[Any], tuple[Any, ...]], **fields: object) -> list[Any]:
        """Rows for a figure: what is to be said of a cell, its number, and the ends of its interval.

        Those of the cells with some values of their fields, or of all.

        Raises:
            NotRun: There are no runs.
        """
        numbers = where(column(self.table(name, fewest=1), measure), **fields)
        return [(*words(cell), *number.interval) for cell, number in numbers.items()]

    def command(self, **changed: object) -> str:
        """The command that made the results, with some options changed; None leaves one out."""
        options = {**self.given, **changed, "out": shlex.quote(str(self.folder))}
        chosen = [f"--{name} {options[name]}" for name in OPTIONS if options.get(name)]
        return " ".join([self.program, *chosen])

    def work(self) -> tuple[int, float]:
        """How many runs there are in all studies, and how many seconds of one core they took; some are in two."""
        frames = [frame for part in self.present() if (frame := self._frames(part.name, part.rules)) is not None]
        if not frames:
            return 0, 0.0
        runs = pl.concat([frame.select("case", "seed", "seconds") for frame in frames]).unique(["case", "seed"])
        return len(runs), float(runs["seconds"].sum())

    def _part(self, name: str, rules: str | None) -> Part | None:
        return next((part for part in self.parts if (part.name, part.rules) == (name, rules)), None)

    def _frame(self, name: str, rules: str | None) -> pl.DataFrame | None:
        part = self._part(name, rules)
        return None if part is None else complete_runs(self.folder / part.folder)

    def _labelled_frame(self, name: str, rules: str | None) -> pl.DataFrame | None:
        part, frame = self._part(name, rules), self._frame(name, rules)
        return frame if part is None or frame is None else _labelled(part, frame)

    def _table(self, name: str, rules: str | None) -> Table[Any]:
        part, frame = self._part(name, rules), self.under(rules).frame(name)
        assert part is not None
        return table_of(part, frame)


def table_of(part: Part, frame: pl.DataFrame) -> Table[Any]:
    """The numbers of every agent of a study in every world, from its runs."""
    make_cell: Any = namedtuple("Cell", ("world", *part.fields))  # type: ignore[misc]
    order = {world.name: place for place, world in enumerate(part.study.worlds)}
    groups = runs_by(frame, "world", *part.fields)
    table: Table[Any] = {make_cell(*key): part.measures(runs) for key, runs in groups}
    return dict(sorted(table.items(), key=lambda item: order.get(item[0].world, len(order))))


def _labelled(part: Part, frame: pl.DataFrame) -> pl.DataFrame:
    """Runs with the labels of their agents, in the order of the labels; or as they are."""
    if part.labels is None:
        return frame
    labels = pl.DataFrame([{"agent": agent_id(config), **fields} for config, fields in part.labels.items()])
    own = frame.drop(name for name in labels.columns if name in frame.columns and name != "agent")
    return labels.join(own, on="agent", maintain_order="left_right")


def complete_runs(folder: Path) -> pl.DataFrame | None:
    """The runs in a folder of results whose seeds every agent on every world has; None if there are none.

    A study that was stopped half-way has more runs of some agents than of others; comparisons are fair only over the
    same seeds, so the others are left out.
    """
    if not (folder / MANIFEST).exists():
        return None
    study, results = Store(folder).study(), load_results(folder)
    complete = results.group_by("seed").len().filter(pl.col("len") == len(study.cases))
    kept = results.join(complete.select("seed"), on="seed", how="semi").sort("case", "seed")
    return kept if len(kept) else None
