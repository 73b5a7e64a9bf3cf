"""What a figure of a study compares: its runs by the values of a setting, each value with its look."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hierq.errors import InputError, did_you_mean
from hierq.figures.style import LINES, PARAMETER_MARKERS, level_look, parameter_colours
from hierq.studies.ids import agent_labels
from hierq.studies.tidy import ABOUT_THE_RUN

Floats = npt.NDArray[np.float64]
MOST_LINES = 8  # beyond that, what is drawn are values of a setting and not all agents
NO_SETTINGS = ("id", "world", "agent", "seed", *ABOUT_THE_RUN)
MOST_GROUPS = 24


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
    others: Sequence[str]  # settings that differ as well

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
    names = [name for name, kind in frame.schema.items() if not isinstance(kind, pl.List) and name not in NO_SETTINGS]
    varied = [name for name in names if frame[name].n_unique() > 1]
    if len({"n", "decay"} & {*varied}):  # the same number under another name
        varied = [name for name in varied if name != "parameter"]
    return sorted(varied, key=lambda name: name != "levels")


def grouped(frame: pl.DataFrame, kind: str, by: str | None, episodes: str) -> Drawing:
    """The runs by the values of a setting, each value with its look."""
    swept = swept_settings(frame)
    if by is None:
        few = frame["agent"].n_unique() <= MOST_LINES and kind != "marginals"
        by = swept[0] if len(swept) == 1 or (swept and not few) else "agent"
    if by not in ("agent", *swept):
        known = ", ".join(["agent", *swept])
        raise InputError(f"the runs do not differ in {by!r}; {did_you_mean(by, swept)}they differ in {known}")
    values = frame[by].unique(maintain_order=True).to_list()
    if by != "agent":
        values.sort(key=lambda value: (value is None, value))
    if len(values) > MOST_GROUPS:
        raise InputError(f"{by} has {len(values)} values, more than a figure can show; choose another setting with by")
    labels = agent_labels(values) if by == "agent" else {value: said(by, value) for value in values}
    runs = [frame.filter(pl.col(by).eq_missing(pl.lit(value, frame.schema[by]))) for value in values]
    looks = looks_of(by, [each["levels"].unique().to_list() for each in runs])
    groups = [Group(labels[value], *each) for value, *each in zip(values, values, runs, looks, strict=True)]
    others = [] if by == "agent" else [name for name in swept if name != by]
    return Drawing(by, episodes, groups, others)


def said(name: str, value: Any) -> str:
    """A value of a setting in a legend."""
    if name == "levels":
        return "flat" if value == 1 else f"k = {value}"
    words = {"decay": "λ", "discount": "γ"}.get(name, name.replace("_", " "))
    number = f"{value:g}" if isinstance(value, float) else "–" if value is None else str(value).lower()
    return f"{words} = {number}"


def looks_of(by: str, levels: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """Agents have the colour of their top level, and lines that tell those of one k apart; other values go to dark."""
    counts = Counter(each[0] for each in levels)
    if by not in ("agent", "levels") or max(counts.values()) > len(LINES):
        colours = parameter_colours(len(levels))
        markers = PARAMETER_MARKERS * len(levels)
        return [
            {"color": colour, "marker": marker, "linestyle": "-"}
            for colour, marker in zip(colours, markers, strict=False)
        ]
    looks, seen = [], dict.fromkeys((each[0] for each in levels), 0)
    for k, *_ in levels:
        line = LINES[seen[k] % len(LINES)]
        looks.append(level_look(k - 1) | {"linestyle": line})
        seen[k] += 1
    return looks
