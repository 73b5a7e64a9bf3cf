"""What was run of an investigation: its folder of results, opened.

results = investigation.open("results/")
results.frame("levels")         # one row per run, as `hierq.load_results` gives it
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hierq.errors import InputError
from hierq.investigations.parts import Part
from hierq.studies.store import MANIFEST, Store

Longs = npt.NDArray[np.int64]


class Results:
    """The results of an investigation, or of a part of it.

    Attributes:
        folder: where the results lie.
        parts: the studies of the investigation, run or not.
        program: the command that runs them, without its options.
        out: the folder that the command takes if none is named.
    """

    folder: Path
    parts: Sequence[Part]
    program: str
    out: str

    def __init__(self, folder: str | os.PathLike[str], parts: Sequence[Part], program: str, out: str) -> None:
        """Opens the folder that was given to the command as --out.

        Raises:
            InputError: There are no results of the investigation in it.
        """
        self.folder, self.parts, self.program, self.out = Path(folder), parts, program, out
        if not self.present():
            raise InputError(f"{self.folder} holds no results of this; make some with: {self.command(out=folder)}")
        self._read = cache(self._frame)

    def present(self) -> list[tuple[str, str | None]]:
        """The studies that were begun, with their rules (None where they have none), in the order of the plan."""
        begun = (part for part in self.parts if (self.folder / part.folder / MANIFEST).exists())
        return [(part.name, part.rules) for part in begun]

    def frame(self, name: str, rules: str | None = None) -> pl.DataFrame | None:
        """The finished runs of a study: seeds that every agent on every world has. None if there are none."""
        return self._read(name, rules)

    def runs(self, name: str, rules: str | None = None) -> pl.DataFrame | None:
        """The runs that answer for a study: its own, unless another study has the same and more."""
        return self.frame(name, rules)

    def needed(self, name: str, rules: str | None = None) -> pl.DataFrame:
        """The same, for a figure that cannot be drawn without them.

        Raises:
            InputError: There are none; the message has the command that makes them.
        """
        found = self.runs(name, rules)
        if found is None:
            raise self.missing(name, rules)
        return found

    def missing(self, name: str, rules: str | None = None) -> InputError:
        """That runs are missing, and the command that makes them."""
        under = "" if rules is None else f" under the {'rules of the text' if rules == 'text' else f'{rules} rules'}"
        return InputError(
            f"this figure needs the {name} study{under}, which has no finished runs in {self.folder}; "
            f"make them with: {self.command(name, rules, out=self.folder)}"
        )

    def command(
        self,
        study: str | None = None,
        rules: str | None = None,
        seeds: int | None = None,
        out: str | os.PathLike[str] | None = None,
    ) -> str:
        """The command that makes a study, or all of them."""
        ruled = any(part.rules == rules for part in self.parts if part.name == study)
        words = [self.program]
        words += [f"--study {study}"] if study else []
        words += [f"--rules {rules}"] if rules and ruled else []
        words += [f"--seeds {seeds}"] if seeds else []
        return " ".join([*words, f"--out {self.out if out is None else out}"])

    def without_place(self, text: str) -> str:
        """A command or a reason that does not say where on this machine the results lie; other words stay."""
        for before, after in (("--out ", ""), (" in ", ";")):
            text = text.replace(f"{before}{self.folder}{after}", f"{before}{self.out}{after}")
        return text

    def work(self) -> tuple[int, float]:
        """How many runs there are in all studies, and how many seconds of one core they took; some are in two."""
        frames = [frame for part in self.present() if (frame := self.frame(*part)) is not None]
        if not frames:
            return 0, 0.0
        runs = pl.concat([frame.select("case", "seed", "seconds") for frame in frames]).unique(["case", "seed"])
        return len(runs), float(runs["seconds"].sum())

    def seeds(self, name: str, rules: str | None = None) -> int:
        """Number of seeds of a study; 0 if it was not run."""
        frame = self.frame(name, rules)
        return 0 if frame is None else frame["seed"].n_unique()

    def _frame(self, name: str, rules: str | None) -> pl.DataFrame | None:
        folders = [part.folder for part in self.parts if (part.name, part.rules) == (name, rules)]
        return complete_runs(self.folder / folders[0]) if folders else None


def complete_runs(folder: Path) -> pl.DataFrame | None:
    """The runs in a folder of results whose seeds every agent on every world has; None if there are none.

    A study that was stopped half-way has more runs of some agents than of others; comparisons are fair only over the
    same seeds, so the others are left out.
    """
    if not (folder / MANIFEST).exists():
        return None
    store = Store(folder)
    study, results = store.study(), store.results()
    complete = results.group_by("seed").len().filter(pl.col("len") == len(study.cases))
    kept = results.join(complete.select("seed"), on="seed", how="semi").sort("case", "seed")
    return kept if len(kept) else None


def with_settings(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """A frame of runs with more settings of the agents as columns, as text, read from the column `config`.

    A column is called setting_… : goal_preference becomes `setting_goal_preference`. (The evaluation rule would else be
    taken for the steps of the evaluation episodes.)
    """
    configs = frame.select("config").unique()["config"].to_list()
    settings = {f"setting_{name}": [str(json.loads(config)[name]) for config in configs] for name in names}
    return frame.join(pl.DataFrame({"config": configs, **settings}), on="config", how="left")


@dataclass(frozen=True)
class Runs:
    """All runs of one agent on one world."""

    seeds: Longs  # array [runs], rising
    training: Longs  # array [runs, iterations], steps of the training episodes
    evaluation: Longs  # array [runs, iterations], steps of the evaluation episodes


def runs_by(frame: pl.DataFrame, *columns: str) -> Iterator[tuple[tuple[Any, ...], Runs]]:
    """The runs of every combination of values of some columns, in the order in which they first appear."""
    for key, rows in frame.group_by(*columns, maintain_order=True):
        ordered = rows.sort("seed")
        yield (
            key,
            Runs(
                ordered["seed"].to_numpy(),
                np.array(ordered["training"].to_list(), np.int64),
                np.array(ordered["evaluation"].to_list(), np.int64),
            ),
        )
