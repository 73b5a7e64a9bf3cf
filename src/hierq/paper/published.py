"""The numbers of the paper, as they were published."""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hierq.agents import AgentConfig

BackupKind = Literal["lambda", "n"]
PUBLISHED_SEEDS = 200


@dataclass(frozen=True)
class PublishedCell:
    """One cell of the first-episode table: steps of the first training episode, over 200 seeds.

    Attributes:
        world: name of the world.
        backup: "lambda" for traces, "n" for Tree-Backup.
        parameter: λ or n.
        levels: k.
        mean: mean steps.
        error: standard error of the mean.
    """

    world: str
    backup: BackupKind
    parameter: float
    levels: int
    mean: float
    error: float

    @property
    def backup_name(self) -> str:
        """The backup as tables name it: "λ = 0.8" or "n = 3"."""
        return f"{'λ' if self.backup == 'lambda' else 'n'} = {self.parameter:g}"

    def config(self) -> "AgentConfig":
        """The agent behind the cell, with the switches of the published runs."""
        from hierq.agents import AgentConfig, Traces, TreeBackup

        backup = Traces(self.parameter) if self.backup == "lambda" else TreeBackup(int(self.parameter))
        return AgentConfig.published(levels=self.levels, backup=backup)


@cache
def published_first_episodes() -> tuple[PublishedCell, ...]:
    """All cells of the first-episode table: 6 worlds × 8 backups × k = 1 … 4."""
    text = files("hierq.paper").joinpath("published", "first_episode.csv").read_text(encoding="ascii")
    return tuple(
        PublishedCell(
            world=row["world"],
            backup="lambda" if row["backup"] == "lambda" else "n",
            parameter=float(row["param"]),
            levels=int(row["levels"]),
            mean=float(row["mean_steps"]),
            error=float(row["stderr"]),
        )
        for row in csv.DictReader(text.splitlines())
    )
