"""What each departure of the published program from the text does to the numbers, alone and together.

The audit study has agents with every choice of the three switches. The fourth departure, 32 iterations instead of 50,
needs no runs of its own: the same runs are averaged over fewer iterations.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from hierq.paper.aggregation import (
    Floats,
    Runs,
    bootstrapped_first_episodes,
    bootstrapped_marginals,
    first_episode,
    marginal_point,
    runs_by,
)
from hierq.paper.reproduction import Reproduction, with_settings
from hierq.paper.rules import DEPARTURES, PUBLISHED_ITERATIONS, SWITCHES, TEXT_ITERATIONS
from hierq.worlds import PAPER_WORLDS

EVERYWHERE = "all"
FIRST_EPISODES = "first-episode steps (ratio)"
MARGINALS = "marginal log-steps"
NAMES = tuple(departure.name for departure in DEPARTURES)
FEWER_ITERATIONS = NAMES[-1]

SCHEMA: dict[str, type[pl.DataType]] = {
    "departures": pl.String,
    "measure": pl.String,
    "world": pl.String,
    "levels": pl.Int64,
    "effect": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


@dataclass(frozen=True)
class _Number:
    """A number of one agent on one world, with what it would be for other seeds."""

    value: float
    drawn: Floats


def choices() -> list[tuple[str, tuple[str, ...]]]:
    """What is looked at, by name: each departure alone, all but each, and all of them."""
    alone = [(name, (name,)) for name in NAMES]
    but_one = [(f"all but {name}", tuple(each for each in NAMES if each != name)) for name in NAMES]
    return [*alone, *but_one, ("all four", NAMES)]


def effects(reproduction: Reproduction) -> pl.DataFrame | None:
    """How agents with some departures differ from those that follow the text; None if the audit was not run.

    Columns: departures; measure, a ratio of mean first-episode steps (1 is no effect) or a difference of marginal
    log-steps (0 is none); world and levels, "all" and null for averages over them, and always over the audit's
    backups; effect with its 95 % bootstrap interval over seeds.
    """
    frame = reproduction.frame("audit", None)
    if frame is None:
        return None
    runs = _runs_of_choices(frame)
    rows = []
    for (name, departures), measure in itertools.product(choices(), (FIRST_EPISODES, MARGINALS)):
        if measure == FIRST_EPISODES and name.endswith(FEWER_ITERATIONS):
            continue  # how many iterations are averaged makes no difference to the first one
        for world, levels, differences in _differences(runs, departures, measure):
            value = float(np.mean([one.value for one in differences]))
            ends = np.quantile(np.mean([one.drawn for one in differences], axis=0), [0.025, 0.975])
            numbers = np.array([value, *ends])
            rows.append((name, measure, world, levels, *(np.exp(numbers) if measure == FIRST_EPISODES else numbers)))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


_Place = tuple[str, int, str]  # world, levels, backup


def _runs_of_choices(frame: pl.DataFrame) -> dict[tuple[str, ...], dict[_Place, Runs]]:
    """Runs by switched departures, then by world, levels and backup."""
    switches = {name: switch[0] for name, switch in SWITCHES.items()}
    settings = with_settings(frame, *switches.values())
    by_choice: dict[tuple[str, ...], dict[_Place, Runs]] = {}
    columns = [f"setting_{setting}" for setting in switches.values()]
    for key, runs in runs_by(settings, *columns, "world", "levels", "backup"):
        chosen = dict(zip(switches, key[: len(switches)], strict=True))
        departures = tuple(name for name in switches if chosen[name] == SWITCHES[name][2])
        world, levels, backup = key[len(switches) :]
        by_choice.setdefault(departures, {})[world, levels, backup] = runs
    return by_choice


def _differences(
    runs: dict[tuple[str, ...], dict[_Place, Runs]], departures: tuple[str, ...], measure: str
) -> Iterator[tuple[str, int | None, list[_Number]]]:
    """Departing agents less those of the text: per world and level, per level, and over everything."""
    departing = runs[tuple(name for name in departures if name in SWITCHES)]
    iterations = PUBLISHED_ITERATIONS if FEWER_ITERATIONS in departures else TEXT_ITERATIONS
    each: dict[_Place, _Number] = {}
    for place, of_text in runs[()].items():
        here, there = _number(departing[place], measure, iterations), _number(of_text, measure, TEXT_ITERATIONS)
        each[place] = _Number(here.value - there.value, here.drawn - there.drawn)
    for world, levels in sorted({(world, levels) for world, levels, _ in each}, key=_paper_order):
        yield world, levels, [one for (w, k, _), one in each.items() if (w, k) == (world, levels)]
    for levels in sorted({levels for _, levels, _ in each}):
        yield EVERYWHERE, levels, [one for (_, k, _), one in each.items() if k == levels]
    yield EVERYWHERE, None, list(each.values())


def _paper_order(place: tuple[str, int]) -> tuple[int, int]:
    return PAPER_WORLDS.index(place[0]), place[1]


def _number(runs: Runs, measure: str, iterations: int) -> _Number:
    if measure == FIRST_EPISODES:  # logarithms, so that differences are ratios and worlds weigh the same
        return _Number(
            float(np.log(first_episode(runs.training)[0])), np.log(bootstrapped_first_episodes(runs.training))
        )
    return _Number(marginal_point(runs.evaluation, iterations), bootstrapped_marginals(runs.evaluation, iterations))
