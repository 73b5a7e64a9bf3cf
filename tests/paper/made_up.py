"""Results of studies that were never run, where the truth is known."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hierq.investigations.parts import Part
from hierq.paper.aggregation import Setting
from hierq.paper.investigation import investigation
from hierq.paper.plan import STUDIES, every_part
from hierq.paper.reproduction import Reproduction

SEEDS = 24
ITERATIONS = 50
WORLDS = ("gridworld-10", "rooms-4", "maze-10")
BACKUPS = (("traces", 0.0), ("traces", 1.0), ("tree-backup", 1.0))
SPREAD = 0.3


class MadeUp(Reproduction):
    """A reproduction whose frames are given: MadeUp({("main", "text"): frame})."""

    def __init__(self, frames: dict[tuple[str, str | None], pl.DataFrame], folder: Path = Path("nowhere")) -> None:
        self.folder, self.program, self.parts, self._frames = folder, "hierq reproduce", every_part(), frames

    def frame(self, name: str, rules: str | None = None) -> pl.DataFrame | None:
        return self._frames.get((name, rules))

    def runs(self, name: str, rules: str | None = None) -> pl.DataFrame | None:
        return self.frame(name) if name == "stitching" else super().runs(name, rules)


def parts(
    names: Sequence[str] = STUDIES,
    rules: Sequence[str] | None = None,
    seeds: int = 200,
    worlds: Sequence[str] | None = None,
) -> list[Part]:
    """Studies of the paper, those that are not usual among them."""
    return investigation.chosen(seeds, names, rules, worlds)


def steps(generator: np.random.Generator, log_mean: float, spread: float = SPREAD, count: int = ITERATIONS) -> Any:
    """Steps of so many episodes of every seed; their means are exp(log_mean), whatever the spread."""
    drawn = generator.normal(log_mean - spread**2 / 2, spread, (SEEDS, count))
    return np.maximum(1, np.round(np.exp(drawn))).astype(int)


def runs(
    generator: np.random.Generator, columns: dict[str, Any], log_mean: float, first: float, spread: float = SPREAD
) -> pl.DataFrame:
    """The runs of one agent: ln of its mean evaluation steps, and of those of its first training episode."""
    evaluation = steps(generator, log_mean, spread)
    training = np.hstack([steps(generator, first, spread, 1), steps(generator, log_mean, spread, ITERATIONS - 1)])
    return frame_of(columns, training=training, evaluation=evaluation)


def frame_of(columns: dict[str, Any], **episodes: Any) -> pl.DataFrame:
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


def audit_frame(
    log_mean: Callable[[dict[str, Any]], float], first: Callable[[dict[str, Any]], float], world: str = "maze-10"
) -> pl.DataFrame:
    """An audit in which every agent has the given means, by its switches and levels."""
    generator = np.random.default_rng(2)
    found = []
    for preference in ("reachable", "published"):
        for cells in ("free", "grid"):
            for evaluation in ("text", "published"):
                for levels in (2, 3, 4):
                    for backup in ("traces", "tree-backup"):
                        switches = {"goal_preference": preference, "subgoal_cells": cells, "evaluation": evaluation}
                        config = json.dumps({**switches, "levels": levels, "backup": backup})
                        agent = {**switches, "levels": levels}
                        columns = {"world": world, "backup": backup, "levels": levels, "config": config}
                        found.append(runs(generator, columns, log_mean(agent), first(agent)))
    return pl.concat(found)


def representation_frame(log_mean: Callable[[dict[str, str]], float]) -> pl.DataFrame:
    """A representation study in which every agent has the given mean."""
    generator = np.random.default_rng(3)
    found = []
    for subgoals in ("nearby", "anywhere"):
        for reward, start in (("binary", "0.0"), ("penalty", "pessimistic"), ("penalty", "0.0")):
            for cells in ("grid", "free"):
                for world in WORLDS:
                    for levels in (2, 3):
                        settings = {"subgoals": subgoals, "pseudo_reward": reward, "subgoal_cells": cells}
                        settings["initial_value"] = start
                        config = json.dumps({**settings, "levels": levels})
                        columns = {"world": world, "levels": levels, "config": config}
                        found.append(runs(generator, columns, log_mean(settings), 7.0))
    return pl.concat(found)


def stitching_frame(log_mean: Callable[[str, str, str, int], float]) -> pl.DataFrame:
    """A stitching experiment: ln of the mean steps by world, backup, learner and levels, the same under both rules."""
    generator = np.random.default_rng(4)
    found = []
    for world in WORLDS:
        for backup in ("tree-backup", "traces"):
            for rules in ("text", "published"):
                for learner, levels in (("flat", 1), ("single", 2), ("full", 2), ("single", 3), ("full", 3)):
                    drawn = steps(generator, log_mean(world, backup, learner, levels))
                    columns = {"world": world, "backup": backup, "rules": rules, "learner": learner, "levels": levels}
                    found.append(frame_of(columns, evaluation=drawn))
    return pl.concat(found)


def marginals_of_draws(evaluation: Any, iterations: int, draws: int = 1000) -> Any:
    """Marginal points of an agent whose seeds are drawn again with replacement, one draw after the other."""
    generator = np.random.default_rng(20220801)
    batches = (generator.choice(evaluation, len(evaluation)) for _ in range(draws))
    return np.array([np.log(batch[:, :iterations].mean(axis=0)).mean() for batch in batches])
