"""The numbers of the paper, as they were published: 192 cells of a table, and 1584 points of figures.

published/ORIGIN.md says where they come from and what their columns mean.
"""

import io
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

PUBLISHED_SEEDS = 200
BACKUP_NAMES = {"lambda": "traces", "n": "tree-backup"}  # as the results of studies call the backups


def backup_name(backup: str, parameter: float) -> str:
    """A backup of a study's results as the paper writes it: "λ = 0.8" or "n = 3"."""
    return f"{'λ' if backup == 'traces' else 'n'} = {parameter:g}"


def first_episode_frame() -> "pl.DataFrame":
    """The first-episode table as a frame.

    Columns: world, backup ("traces" or "tree-backup"), parameter, levels, published (mean steps), published_error (its
    standard error).
    """
    return _frame("first_episode.csv")


def published_marginals() -> "pl.DataFrame":
    """All points of the two figures of marginal log-performance: 6 worlds × 8 backups × k = 1 … 4 × 2 behaviours.

    Columns: behaviour, world, backup ("traces" or "tree-backup"), parameter, levels, published, low, high. The band
    from low to high is ± ½ · std(L) / √32 and says nothing about seeds.
    """
    return _frame("marginal.csv")


def published_loss_curves() -> "pl.DataFrame":
    """All points of the loss curves of the balanced study: 6 worlds × 10 agents × 20 episodes.

    Columns: world, backup ("traces" or "tree-backup"), parameter, discount, levels, behaviour, episode (from 0),
    published, low, high. The band from low to high is ± one standard error over seeds.
    """
    return _frame("loss_curves.csv")


# What the columns of the files are called here.
_NAMES = {
    "param": "parameter",
    **{"mean_steps": "published", "stderr": "published_error"},
    **{"mean_log_steps": "published", "band_low": "low", "band_high": "high"},
}


def _text(name: str) -> str:
    return files("hierq.paper").joinpath("published", name).read_text(encoding="ascii")


@cache
def _frame(name: str) -> "pl.DataFrame":
    import polars as pl

    frame = pl.read_csv(io.StringIO(_text(name)), infer_schema_length=None).rename(_NAMES, strict=False)
    return frame.with_columns(pl.col("backup").replace_strict(BACKUP_NAMES), pl.col("^published.*$").cast(pl.Float64))
