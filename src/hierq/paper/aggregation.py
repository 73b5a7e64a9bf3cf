"""From runs to the numbers that are plotted and printed, as the paper aggregates them.

marginal points   L[e] = ln(mean over seeds of the evaluation steps of iteration e); the mean of L over the
                  iterations: the first 32 as published, all 50 as the text says. Band ± ½ · std(L) / √iterations
loss curves       mean over seeds of ln(steps), per iteration, ± std / √seeds
first episodes    mean over seeds of the steps of the first training episode, ± std / √seeds
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from hierq.investigations.measures import Floats
from hierq.investigations.results import Runs, runs_by


class Setting(NamedTuple):
    """One agent of the main or balanced study on one world.

    backup is "traces" or "tree-backup", as in the results, and parameter λ or n.
    """

    world: str
    behaviour: str
    backup: str
    parameter: float
    levels: int


def runs_by_setting(frame: pl.DataFrame) -> dict[Setting, Runs]:
    """The runs of every agent of the main or balanced study."""
    return {Setting(*key): runs for key, runs in runs_by(frame, *Setting._fields)}


def marginal_point(evaluation: npt.NDArray[Any], iterations: int) -> float:
    """The paper's marginal log-performance: the mean of L over the first iterations."""
    return float(np.log(evaluation[:, :iterations].mean(axis=0)).mean())


def loss_curve(evaluation: npt.NDArray[Any]) -> tuple[Floats, Floats]:
    """Mean over seeds of ln(steps) in every iteration, and its standard error (NaN for a single run)."""
    logs = np.log(evaluation)
    if len(logs) < 2:
        return logs.mean(axis=0), np.full(logs.shape[1], np.nan)
    return logs.mean(axis=0), np.asarray(logs.std(axis=0, ddof=1) / np.sqrt(len(logs)), float)


def episodes_at_limit(evaluation: npt.NDArray[Any], step_limit: int = 100_000) -> int:
    """How many episodes were given up at the step limit; one of them moves a marginal point by up to 0.1."""
    return int((evaluation >= step_limit).sum())
