"""What a figure of a study compares: its runs by the values of a setting, each value with its look."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hierq.errors import InputError, did_you_mean
from hierq.figures.curves import looks_of
from hierq.studies.ids import agent_labels
from hierq.studies.tidy import setting_columns

Floats = npt.NDArray[np.float64]
MAX_LINES = 8  # beyond that, what is drawn are values of a setting and not all agents
MAX_GROUPS = 24
OF_THE_BACKUP = ("backup", "operator", "n", "decay", "updates", "parameter")  # these change together


@dataclass(frozen=True)
class Group:
    """Runs that are drawn together: all with one value of a setting."""

    label: str
    value: Any
    runs: pl.DataFrame
    look: dict[str, Any]  # colour, marker and line style


@dataclass(frozen=True)
class Drawing:
    """What the panels of a figure have in common."""

    by: str
    episodes: str  # "training" or "evaluation"
    groups: Sequence[Group]
    pooled: Sequence[str]  # settings in which runs that are drawn together differ
    paired: Sequence[str]  # settings in which runs that are compared in pairs agree

    def here(self, world: str) -> list[Group]:
        """The groups with their runs in a world."""
        found = [(each, each.runs.filter(pl.col("world") == world)) for each in self.groups]
        return [Group(each.label, each.value, runs, each.look) for each, runs in found if len(runs)]

    def logs(self, runs: pl.DataFrame) -> Floats:
        """Array [runs, iterations], the logarithms of steps."""
        return np.log(np.array(runs[self.episodes].to_list(), dtype=np.float64))

    def means(self, runs: pl.DataFrame) -> Floats:
        """The mean logarithm of the steps of each run."""
        return np.asarray(self.logs(runs).mean(axis=1), dtype=np.float64)

    def shares(self, runs: pl.DataFrame) -> Floats:
        """Array [iterations]: the share of episodes that reached the goal."""
        outcomes = np.array(runs[f"{self.episodes}_outcomes"].cast(pl.List(pl.String)).to_list())
        return np.asarray((outcomes == "goal").mean(axis=0), dtype=np.float64)


def swept_settings(frame: pl.DataFrame) -> list[str]:
    """The settings in which the runs of a frame differ, those first that say most."""
    varied = [name for name in setting_columns(frame) if frame[name].n_unique() > 1]
    if {"n", "decay", "updates"} & {*varied}:  # the same number under another name
        varied = [name for name in varied if name != "parameter"]
    return sorted(varied, key=lambda name: name != "levels")


def pooled_settings(runs: pl.DataFrame, apart: Collection[str]) -> list[str]:
    """The settings in which runs that agree in the settings `apart` differ: a mean over such runs pools them."""
    swept = [name for name in swept_settings(runs) if name not in apart]
    if "backup" in swept:
        swept = [name for name in swept if name != "operator"]  # the backup's name says it
    values = runs.group_by(*apart).agg(pl.col(swept).n_unique())
    return [name for name in swept if values[name].max() > 1]  # type: ignore[operator]  # a number


def _refuse_to_pool(runs: pl.DataFrame, by: str) -> None:
    """Refuses to draw one line for several backups: their steps may differ several times over."""
    together = runs.group_by(by, "world").agg(pl.col("backup").unique(maintain_order=True)).sort(by, "world")
    for value, _, backups in together.iter_rows():
        if len(backups) > 1:
            listed = ", ".join(map(str, backups))
            raise InputError(
                f"with by={by!r}, a mean for {said(by, value)} would pool {len(backups)} backups ({listed}), which may "
                f'learn at very different speeds; compare them with by="backup", keep one of them (--where '
                f"backup={backups[0]}), or ask for the mean over all with pool (--pool)"
            )


def grouped(frame: pl.DataFrame, kind: str, by: str | None, episodes: str, pool: bool = False) -> Drawing:
    """The runs by the values of a setting, each value with its look; backups are pooled only if that is asked for."""
    swept = swept_settings(frame)
    if by is None:
        by = _usual_setting(frame, kind, swept)
    if by not in ("agent", *swept):
        known = ", ".join(["agent", *swept])
        raise InputError(f"the runs do not differ in {by!r}; {did_you_mean(by, swept)}they differ in {known}")
    values = frame[by].unique(maintain_order=True).to_list()
    if by != "agent":
        values.sort(key=lambda value: (value is None, value))
    if len(values) > MAX_GROUPS:
        raise InputError(f"{by} has {len(values)} values, more than a figure can show; choose another setting with by")
    labels = agent_labels(values) if by == "agent" else {value: said(by, value) for value in values}
    runs = [frame.filter(pl.col(by).eq_missing(pl.lit(value, frame.schema[by]))) for value in values]
    looks = looks_of(by, [each["levels"].unique().to_list() for each in runs])
    groups = [Group(labels[value], *each) for value, *each in zip(values, values, runs, looks, strict=True)]
    apart = ["world", by, *(["levels"] if kind == "marginals" and by != "levels" else [])]
    pooled = [] if by == "agent" else pooled_settings(frame, apart)
    if "backup" in pooled and not pool:
        _refuse_to_pool(frame, by)
    changing = OF_THE_BACKUP if by in OF_THE_BACKUP else (by,)
    paired = [] if by == "agent" else [name for name in swept if name in pooled or name not in changing]
    return Drawing(by, episodes, groups, pooled, paired)


def _usual_setting(frame: pl.DataFrame, kind: str, swept: Sequence[str]) -> str:
    """What is compared unless something else is asked for: the one setting that differs, all agents, or backups."""
    if len(swept) == 1:
        return swept[0]
    is_few = frame["agent"].n_unique() <= MAX_LINES and kind != "marginals"
    if is_few or not swept:
        return "agent"
    return "backup" if "backup" in swept else swept[0]


def said(name: str, value: Any) -> str:
    """A value of a setting in a legend."""
    if name == "levels":
        return "flat" if value == 1 else f"k = {value}"
    words = {"decay": "λ", "discount": "γ"}.get(name, name.replace("_", " "))
    number = f"{value:g}" if isinstance(value, float) else "–" if value is None else str(value).lower()
    return f"{words} = {number}"
