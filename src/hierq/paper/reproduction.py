"""What was run of the paper: its results folder, opened.

reproduction = Reproduction("reproduction/")
reproduction.frame("main", "published")    # one row per run, as `hierq.load_results` gives it
"""

import json
import os
from functools import cache
from pathlib import Path

import polars as pl

from hierq.errors import InputError
from hierq.paper.plan import STUDIES, folder_of, rules_of_study
from hierq.paper.rules import RuleSet
from hierq.studies.store import MANIFEST, Store


class Reproduction:
    """The results of a reproduction of the paper, or of a part of it.

    Attributes:
        folder: where the results lie.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Opens the folder that was given to `hierq reproduce --out`.

        Raises:
            InputError: There are no results of the paper in it.
        """
        self.folder = Path(folder)
        if not self.present():
            raise InputError(
                f"{self.folder} holds no results of the paper's studies; "
                f"make some with: hierq reproduce --out {self.folder}"
            )
        self._read = cache(self._frame)

    def present(self) -> list[tuple[str, RuleSet | None]]:
        """The studies that were begun, with their rules (None for both), in the order of the plan."""
        every = [(name, rules) for name in STUDIES for rules in rules_of_study(name)]
        return [(name, rules) for name, rules in every if (self.folder / folder_of(name, rules) / MANIFEST).exists()]

    def frame(self, name: str, rules: RuleSet | None) -> pl.DataFrame | None:
        """The finished runs of a study: seeds that every agent on every world has. None if there are none."""
        return self._read(name, rules)

    def work(self) -> tuple[int, float]:
        """How many runs there are in all studies, and how many seconds of one core they took; some are in two."""
        frames = [frame for part in self.present() if (frame := self.frame(*part)) is not None]
        if not frames:
            return 0, 0.0
        runs = pl.concat([frame.select("case", "seed", "seconds") for frame in frames]).unique(["case", "seed"])
        return len(runs), float(runs["seconds"].sum())

    def first_episodes(self, rules: RuleSet) -> pl.DataFrame | None:
        """Runs whose first training episode counts for the table: of the main study, or of the small one.

        Of the one with more worlds, or else with more seeds; of the main study if they are alike.
        """
        main, small = self.frame("main", rules), self.frame("first-episode", rules)
        there = [frame for frame in (main, small) if frame is not None and len(frame)]
        if not there:
            return None
        best = max(there, key=lambda frame: (frame["world"].n_unique(), frame["seed"].n_unique()))
        return best.filter(pl.col("behaviour") == "hierarchy")

    def seeds(self, name: str, rules: RuleSet | None) -> int:
        """Number of seeds of a study; 0 if it was not run."""
        frame = self.frame(name, rules)
        return 0 if frame is None else frame["seed"].n_unique()

    def _frame(self, name: str, rules: RuleSet | None) -> pl.DataFrame | None:
        return complete_runs(self.folder / folder_of(name, rules))


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
