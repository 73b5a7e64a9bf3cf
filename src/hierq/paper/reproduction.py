"""What was run of the paper: its results folder, opened.

reproduction = Reproduction("reproduction/")
reproduction.under("published").frame("main")    # one row per run, as `hierq.load_results` gives it
"""

import os

import polars as pl

from hierq.investigations.results import Results
from hierq.paper.plan import every_part

COMMAND, OUT = "hierq reproduce", "reproduction"


class Reproduction(Results):
    """The results of a reproduction of the paper, or of a part of it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Opens the folder that was given to `hierq reproduce --out`.

        Raises:
            InputError: There are no results of the paper in it.
        """
        super().__init__(folder, every_part(), COMMAND)

    def runs(self, name: str) -> pl.DataFrame | None:
        """The runs that answer for a study: first episodes may be those of the main study."""
        if name != "first-episode":
            return super().runs(name)
        there = [frame for study in ("main", name) if (frame := super(Reproduction, self).runs(study)) is not None]
        if not there:
            return None
        # Of the one with more worlds, or else with more seeds; of the main study if they are alike.
        best = max(there, key=lambda frame: (frame["world"].n_unique(), frame["seed"].n_unique()))
        return best.filter(pl.col("behaviour") == "hierarchy")
