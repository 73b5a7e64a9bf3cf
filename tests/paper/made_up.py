"""Results of studies that were never run, where the truth is known."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from hierq.investigations.parts import Part
from hierq.investigations.results import Results
from hierq.paper.investigation import investigation
from hierq.paper.numbers import Setting
from hierq.paper.plan import STUDIES, every_part
from hierq.studies.study import agent_id

SEEDS = 24
ITERATIONS = 50
WORLDS = ("gridworld-10", "rooms-4", "maze-10")
BACKUPS = (("traces", 0.0), ("traces", 1.0), ("tree-backup", 1.0))
SPREAD = 0.3
Label = dict[str, Any]


class MadeUp(Results):
    """A reproduction whose frames are given: MadeUp({("main", "text"): frame})."""

    def __init__(self, frames: dict[tuple[str, str | None], pl.DataFrame]) -> None:
        self._given = frames
        super().__init__("nowhere", every_part(), "hierq reproduce")

    def present(self) -> list[Part]:
        return [part for part in self.parts if (part.name, part.rules) in self._given]

    def _frame(self, name: str, rules: str | None) -> pl.DataFrame | None:
        return self._given.get((name, rules))


def parts(
    names: Sequence[str] = STUDIES,
    rules: Sequence[str] | None = None,
    seeds: int = 200,
    worlds: Sequence[str] | None = None,
) -> list[Part]:
    """Studies of the paper."""
    return investigation.chosen(seeds, names, rules, worlds)


def steps(generator: np.random.Generator, log_mean: float, spread: float = SPREAD, count: int = ITERATIONS) -> Any:
    """Steps of so many episodes of every seed; their means are exp(log_mean), whatever the spread."""
    drawn = generator.normal(log_mean - spread**2 / 2, spread, (SEEDS, count))
    return np.maximum(1, np.round(np.exp(drawn))).astype(int)


def runs(
    generator: np.random.Generator, columns: Label, log_mean: float, first: float, spread: float = SPREAD
) -> pl.DataFrame:
    """The runs of one agent: ln of its mean evaluation steps, and of those of its first training episode."""
    evaluation = steps(generator, log_mean, spread)
    training = np.hstack([steps(generator, first, spread, 1), steps(generator, log_mean, spread, ITERATIONS - 1)])
    return frame_of(columns, training=training, evaluation=evaluation)


def frame_of(columns: Label, **episodes: Any) -> pl.DataFrame:
    """One row per seed; episodes are arrays [seeds, iterations]."""
    lists = {name: pl.Series(name, array).arr.to_list() for name, array in episodes.items()}
    return pl.DataFrame({"seed": range(SEEDS), **lists}).with_columns(**{k: pl.lit(v) for k, v in columns.items()})


def main_frame(
    log_mean: Callable[[Setting], float],
    first: Callable[[Setting], float] = lambda _: 7.0,
    spread: Callable[[Setting], float] = lambda _: SPREAD,
    worlds: tuple[str, ...] = WORLDS,
) -> pl.DataFrame:
    """A main study in which every agent has the given means."""
    generator = np.random.default_rng(1)
    every = [
        Setting(world, behaviour, backup, parameter, levels)
        for world in worlds
        for behaviour in ("hierarchy", "flat")
        for backup, parameter in BACKUPS
        for levels in (1, 2, 3, 4)
    ]
    return pl.concat([runs(generator, s._asdict(), log_mean(s), first(s), spread(s)) for s in every])


def labelled_frame(
    study: str,
    log_mean: Callable[[Label], float],
    first: Callable[[Label], float] = lambda _: 7.0,
    rules: str | None = None,
    worlds: tuple[str, ...] = WORLDS,
    shared: bool = False,
) -> pl.DataFrame:
    """The audit, representation or stitching study, agents having the given means by their labels and world.

    With `shared` all agents have the same training episodes.
    """
    generator = np.random.default_rng(2)
    (part,) = (part for part in every_part() if (part.name, part.rules) == (study, rules))
    training = steps(np.random.default_rng(3), 7.0)
    found = []
    for config, label in (part.labels or {}).items():
        for world in worlds:
            told, columns = {**label, "world": world}, {"world": world, "agent": agent_id(config)}
            if shared:
                each = frame_of(columns, training=training, evaluation=steps(generator, log_mean(told)))
            else:
                each = runs(generator, columns, log_mean(told), first(told))
            found.append(each)
    return pl.concat(found)


def marginals_of_draws(evaluation: Any, iterations: int, draws: int = 1000) -> Any:
    """Marginal points of an agent whose seeds are drawn again with replacement, one draw after the other."""
    generator = np.random.default_rng(20220801)
    batches = (generator.choice(evaluation, len(evaluation)) for _ in range(draws))
    return np.array([np.log(batch[:, :iterations].mean(axis=0)).mean() for batch in batches])
