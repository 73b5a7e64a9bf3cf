"""What each departure of the published program from the text does to the numbers, alone and together.

The audit study has agents with every choice of the three switches. The fourth departure, 32 iterations instead of 50,
needs no runs of its own: the same runs are averaged over fewer iterations.
"""

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from hierq.investigations.measures import Drawn, Measured, draw, mean_of, surely_different
from hierq.investigations.results import runs_by, with_settings
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import DEPARTURES, PUBLISHED_ITERATIONS, SWITCHES, TEXT_ITERATIONS
from hierq.worlds import PAPER_WORLDS

EVERYWHERE = "all"
FIRST_EPISODES = "first-episode steps (ratio)"
MARGINALS = "marginal log-steps"
NAMES = tuple(departure.name for departure in DEPARTURES)
EVALUATION_RULE, FEWER_ITERATIONS = NAMES[-2:]

SCHEMA: dict[str, type[pl.DataType]] = {
    "departures": pl.String,
    "measure": pl.String,
    "world": pl.String,
    "levels": pl.Int64,
    "effect": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "sure": pl.Boolean,
}


def choices() -> list[tuple[str, tuple[str, ...]]]:
    """What is looked at, by name: each departure alone, all but each, and all of them."""
    alone = [(name, (name,)) for name in NAMES]
    but_one = [(f"all but {name}", tuple(each for each in NAMES if each != name)) for name in NAMES]
    return [*alone, *but_one, ("all four", NAMES)]


@lru_cache(maxsize=1)  # the page and two figures ask for it, and it takes many draws of seeds
def effects(reproduction: Reproduction) -> pl.DataFrame | None:
    """How agents with some departures differ from those that follow the text; None if the audit was not run.

    Columns: departures; measure, a ratio of mean first-episode steps (1 is no effect) or a difference of marginal
    log-steps (0 is none); world and levels, "all" and null for averages over them, and always over the audit's
    backups; effect with its 95 % bootstrap interval over seeds; sure, whether it is one after Holm's correction over
    all rows, so that what is said of every departure has the same threshold.
    """
    frame = reproduction.frame("audit", None)
    if frame is None:
        return None
    drawn = _drawn_choices(frame)
    rows: list[tuple[Any, ...]] = []
    found: list[Measured] = []
    for (name, departures), measure in itertools.product(choices(), (FIRST_EPISODES, MARGINALS)):
        if measure == FIRST_EPISODES and name.endswith(FEWER_ITERATIONS):
            continue  # how many iterations are averaged makes no difference to the first one
        for world, levels, differences in _differences(drawn, departures, measure):
            found.append(mean_of(differences))
            numbers = np.array(found[-1].interval)
            rows.append((name, measure, world, levels, *(np.exp(numbers) if measure == FIRST_EPISODES else numbers)))
    sure = surely_different(found) & [
        each.drawn.std() > 1e-12 for each in found
    ]  # of a single seed all draws are alike
    return pl.DataFrame([(*row, is_sure) for row, is_sure in zip(rows, sure, strict=True)], schema=SCHEMA, orient="row")


_Place = tuple[str, int, str]  # world, levels, backup


def _drawn_choices(frame: pl.DataFrame) -> dict[tuple[str, ...], dict[_Place, Drawn]]:
    """What is measured, by switched departures, then by world, levels and backup."""
    switches = {name: switch[0] for name, switch in SWITCHES.items()}
    settings = with_settings(frame, *switches.values())
    by_choice: dict[tuple[str, ...], dict[_Place, Drawn]] = {}
    columns = [f"setting_{setting}" for setting in switches.values()]
    for key, runs in runs_by(settings, *columns, "world", "levels", "backup"):
        chosen = dict(zip(switches, key[: len(switches)], strict=True))
        departures = tuple(name for name in switches if chosen[name] == SWITCHES[name][2])
        world, levels, backup = key[len(switches) :]
        by_choice.setdefault(departures, {})[world, levels, backup] = draw(runs)
    return by_choice


def _differences(
    drawn: dict[tuple[str, ...], dict[_Place, Drawn]], departures: tuple[str, ...], measure: str
) -> Iterator[tuple[str, int | None, list[Measured]]]:
    """Departing agents less those of the text: per world and level, per level, and over everything."""
    departing = drawn[tuple(name for name in departures if name in SWITCHES)]
    iterations = PUBLISHED_ITERATIONS if FEWER_ITERATIONS in departures else TEXT_ITERATIONS
    each: dict[_Place, Measured] = {}
    for place, of_text in drawn[()].items():
        here, there = _number(departing[place], measure, iterations), _number(of_text, measure, TEXT_ITERATIONS)
        each[place] = here - there
    for world, levels in sorted({(world, levels) for world, levels, _ in each}, key=_paper_order):
        yield world, levels, [one for (w, k, _), one in each.items() if (w, k) == (world, levels)]
    for levels in sorted({levels for _, levels, _ in each}):
        yield EVERYWHERE, levels, [one for (_, k, _), one in each.items() if k == levels]
    yield EVERYWHERE, None, list(each.values())


def _paper_order(place: tuple[str, int]) -> tuple[int, int]:
    return PAPER_WORLDS.index(place[0]), place[1]


def _number(drawn: Drawn, measure: str, iterations: int) -> Measured:
    """Both are logarithms, so that differences are ratios and worlds weigh the same."""
    return drawn.first if measure == FIRST_EPISODES else drawn.marginal(iterations)
