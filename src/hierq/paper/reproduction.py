"""What was run of the paper: its results folder, opened.

reproduction = Reproduction("reproduction/")
reproduction.frame("main", "published")    # one row per run, as `hierq.load_results` gives it
"""

import os

import polars as pl

from hierq.investigations.results import Results
from hierq.paper.plan import STITCHING, every_part
from hierq.paper.stitching import load_stitching

COMMAND, OUT = "hierq reproduce", "reproduction"


class Reproduction(Results):
    """The results of a reproduction of the paper, or of a part of it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Opens the folder that was given to `hierq reproduce --out`.

        Raises:
            InputError: There are no results of the paper in it.
        """
        super().__init__(folder, every_part(), COMMAND, OUT)

    def runs(self, name: str, rules: str | None = None) -> pl.DataFrame | None:
        """The runs that answer for a study: first episodes may be of the main study; stitching has its learners."""
        if name == STITCHING:
            return load_stitching(self.folder)
        return self.first_episodes(rules) if name == "first-episode" else self.frame(name, rules)

    def first_episodes(self, rules: str | None) -> pl.DataFrame | None:
        """Runs whose first training episode counts for the table: of the main study, or of the small one.

        Of the one with more worlds, or else with more seeds; of the main study if they are alike.
        """
        main, small = self.frame("main", rules), self.frame("first-episode", rules)
        there = [frame for frame in (main, small) if frame is not None and len(frame)]
        if not there:
            return None
        best = max(there, key=lambda frame: (frame["world"].n_unique(), frame["seed"].n_unique()))
        return best.filter(pl.col("behaviour") == "hierarchy")
